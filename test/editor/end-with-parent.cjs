// Preloaded into processes of the harness: terminates them when their parent process has exited, for whatever reason.
const { spawn } = require('node:child_process');

const script = process.argv[1] ?? '';
const folder = process.env.HEXLENS_HOST_FOLDER;

// The extension host and the file watcher are forked from the server and inherit this preload, but not its standard
// input; they exit with the server.
if (script.endsWith('server-main.js') && folder) whenParentIsGone(endGroupAndDelete);
else if (script.endsWith('start.ts')) whenParentIsGone(() => process.kill(process.pid, 'SIGTERM'));

/** The system closes the parent's end of the pipe even after SIGKILL. */
function whenParentIsGone(act) {
  process.stdin.on('close', act);
  process.stdin.resume();
  process.stdin.unref();
}

/** By a process outside our group: the extension host would go on writing into the folder for seconds. */
function endGroupAndDelete() {
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
  const cleanUp = `
    try { process.kill(-${process.pid}, 'SIGKILL'); } catch {}
    require('node:fs').rmSync(${JSON.stringify(folder)}, ${JSON.stringify(options)});
  `;
  spawn(process.execPath, ['-e', cleanUp], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}
