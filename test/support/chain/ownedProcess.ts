// Ties the process and the folder of a test node to this one, however it ends, and reads the port that the node chose.
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { HexLensError } from '../../../src/base/errors.ts';

const START_TIMEOUT_MS = 60_000;

/** Reads the port from the node's own words, so that the choice of a free one has no gap another process could use. */
export function waitForListeningPort(child: ChildProcess, name: string, said: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    let complaint = '';
    const fail = (message: string, cause?: unknown) => {
      clearTimeout(timer);
      const details = complaint.trim() || output.trim();
      const words = details === '' ? '' : ` It said: ${details.split('\n')[0]}`;
      const fix = /in use/i.test(details)
        ? 'Choose another port, or none: then a free one is taken.'
        : 'Correct the options, or run the binary by hand to see why.';
      reject(new HexLensError('node-unreachable', `${message}${words}`, { details, fix, cause }));
    };
    const timer = setTimeout(
      () => fail(`${name} did not listen within ${START_TIMEOUT_MS / 1000} s.`),
      START_TIMEOUT_MS,
    );
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length > 100_000) return; // keep reading, keep nothing
      output += text;
      const port = said.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < 10_000) complaint += text;
    });
    child.on('error', error => fail(`${name} could not be started.`, error));
    child.on('close', code => fail(`${name} ended with code ${code} before it listened.`));
  });
}

/** Ties process and folder to us, however we end; resolves when both are gone. */
export function ownChildProcess(child: ChildProcess, folder: string): Promise<void> {
  const atExit = () => {
    killProcess(child);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', atExit);
  const releaseGuard = guardAgainstSuddenDeath(child, folder);
  return new Promise(resolve => {
    let over = false;
    const finish = () => {
      if (over) return;
      over = true;
      process.off('exit', atExit);
      releaseGuard();
      rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(resolve, resolve);
    };
    child.once('exit', finish);
    child.once('error', () => {
      if (child.pid === undefined) finish(); // never started: there will be no exit
    });
  });
}

/**
 * A signal ends Node without its exit handlers, and then the node would stay. A shell in its own session waits for the end
 * of a pipe that only we hold, and then does what we could not.
 */
function guardAgainstSuddenDeath(child: ChildProcess, folder: string): () => void {
  if (process.platform === 'win32' || child.pid === undefined) return () => {};
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$0"; rm -rf -- "$1"', String(child.pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => {}); // no shell: the exit handler still covers an orderly end
  guard.stdin?.on('error', () => {});
  guard.unref();
  (guard.stdin as { unref?(): void } | null)?.unref?.(); // a pipe has it, its type does not say so
  return () => guard.kill('SIGKILL');
}

/** A test node keeps nothing worth saving, and on SIGTERM it may take its time. */
export function killProcess(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
