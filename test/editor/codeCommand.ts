// Emulates the command line of desktop VS Code with the npm-hosted server and Chromium.
import { existsSync, fstatSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import { STEP_LIMIT_MS } from '../support/timeLimits.ts';
import { installExtension, startServer } from './editorServer.ts';
import { getVSCodeVersion } from './installCodeServer.ts';
import { screenshots } from './paths.ts';
import { onTermination } from './processes.ts';
import { makePagesQuick, smallViewport } from './quickPage.ts';
import { quietSettings } from './quietSettings.ts';
import { launchBrowser, openWorkbench, startExtensionHost } from './workbench.ts';

/** Ends what hangs: each test has a limit of its own. */
const timeoutMs = Number(process.env['VSCODE_HOST_TIMEOUT'] ?? STEP_LIMIT_MS);
const verbose = Boolean(process.env['VSCODE_HOST_VERBOSE']);

/** Lines that the workbench logs in every run, regardless of the tests. */
const noise =
  /^%ccode\/|^\[?(Creating a socket|Ignoring fetching additional|Updating additional builtin|Canceled: Canceled|Resolv|ChatModel|AgentHost|AccountPolicy|reconnection|Service Worker|Timed out waiting for authentication|Creation of workbench contribution)/;

const flagsWithValue = new Set(['extensions-dir', 'user-data-dir', 'install-extension', 'profile']);

interface CommandLine {
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly paths: readonly string[];
}

function parse(args: readonly string[]): CommandLine {
  const flags = new Map<string, string[]>();
  const paths: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === undefined) paths.push(arg);
    else {
      const taken = value ?? (flagsWithValue.has(name) ? (args[++index] ?? '') : '');
      flags.set(name, [...(flags.get(name) ?? []), taken]);
    }
  }
  return { flags, paths };
}

async function run(args: readonly string[]): Promise<number> {
  const { flags, paths } = parse(args);
  if (flags.has('version')) {
    console.log(`${getVSCodeVersion()}\nnpm-hosted\n${process.arch}`);
    return 0;
  }
  const extensions = flags.get('install-extension');
  if (extensions !== undefined) return install(extensions, flags.get('extensions-dir')?.[0]);
  return openAndTest(flags, paths);
}

async function install(extensions: readonly string[], folder: string | undefined): Promise<number> {
  if (folder === undefined) throw new Error('--install-extension needs --extensions-dir here.');
  for (const extension of extensions) {
    await installExtension(resolve(extension), resolve(folder));
    console.log(`Installed ${extension}`);
  }
  return 0;
}

async function openAndTest(flags: CommandLine['flags'], paths: readonly string[]): Promise<number> {
  const given = paths.map(path => resolve(path)).find(path => existsSync(path));
  const ownFolder = given === undefined ? await mkdtemp(join(tmpdir(), 'hexlens-workspace-')) : undefined;
  const extensionsFolder = flags.get('extensions-dir')?.[0];
  const settings = { ...quietSettings, ...(await profileSettings(flags.get('user-data-dir')?.[0])) };
  const log = (line: string) => console.log(line);
  const launching = launchBrowser(log); // both take seconds
  launching.catch(() => {}); // reported where it is awaited
  const server = await startServer({
    settings,
    testDriver: true,
    trustEverything: flags.has('disable-workspace-trust'),
    ...(extensionsFolder === undefined ? {} : { extensionsFolder: resolve(extensionsFolder) }),
    ...(verbose ? { onOutput: (text: string) => process.stdout.write(text) } : {}),
    progress: log,
  });
  try {
    const browser = await launching;
    onTermination(() => browser.close());
    const remote = (path: string) => server.uri(resolve(path));
    const payload = ['extensionDevelopmentPath', 'extensionTestsPath'].flatMap(flag =>
      (flags.get(flag) ?? []).map(path => [flag, remote(path)] as const),
    );
    const workspace = given ?? ownFolder ?? tmpdir();
    const context = await browser.newContext();
    await makePagesQuick(context);
    let hasPrinted = false;
    const onLog = (type: string, args: readonly unknown[]) => {
      if (forward(type, args)) hasPrinted = true;
    };
    const { page, exitCode } = await openWorkbench(context, server, {
      workspace,
      payload,
      onLog,
      viewport: smallViewport,
    });
    const load = async () => page.reload().then(() => {});
    await startExtensionHost(() => hasPrinted || page.isClosed(), load);
    const closed = new Promise<number>(done => page.once('close', () => done(1)));
    const code = await Promise.race([exitCode, closed, timedOut()]);
    if (code === timeoutExitCode) {
      const picture = join(screenshots, 'editor-timeout.png');
      await page.screenshot({ path: picture }).catch(() => {});
      console.error(`The tests did not end within ${timeoutMs / 1000} s; what VS Code showed is in ${picture}.`);
    }
    if (code !== 0) console.error(`The logs of the editor are in ${await server.saveLogs()}.`);
    await browser.close();
    return code;
  } finally {
    await server.stop();
    if (ownFolder !== undefined) await rm(ownFolder, { recursive: true, force: true });
  }
}

/** From the data folder, as desktop VS Code does. */
async function profileSettings(userData: string | undefined): Promise<Record<string, unknown>> {
  if (userData === undefined) return {};
  const path = join(userData, 'User', 'settings.json');
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>) : {};
}

/** Mocha prints with console.log in the extension host, which the workbench forwards. False for lines that are not printed. */
function forward(type: string, args: readonly unknown[]): boolean {
  if (typeof args[0] === 'string' && args[0].startsWith('%ccode/')) return false;
  const line = format(...args);
  if (!verbose && noise.test(line)) return false;
  (type === 'error' ? process.stderr : process.stdout).write(`${line}\n`);
  return true;
}

const timeoutExitCode = 124;

function timedOut(): Promise<number> {
  return new Promise(done => setTimeout(done, timeoutMs, timeoutExitCode).unref());
}

// The test tool holds the other end of this pipe without writing; when it closes, this process ends.
const stdin = fstatSync(0);
if (stdin.isSocket() || stdin.isFIFO()) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
}

try {
  process.exit(await run(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
