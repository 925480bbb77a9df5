// Runs the npm-hosted VS Code server for one test run or one `npm start`: own folders, own port, own token.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { STATE_LIMIT_MS } from '../support/timeLimits.ts';
import { ensureVSCodeServer } from './installCodeServer.ts';
import { editorLogs, root } from './paths.ts';
import { onTermination, runQuietly, stopProcessGroup } from './processes.ts';

const maxOutputLines = 200;

/** Disables the marketplace: with empty URLs VS Code sends no requests. */
const noGallery = JSON.stringify({
  serviceUrl: '',
  itemUrl: '',
  resourceUrlTemplate: '',
  controlUrl: '',
  recommendationsUrl: '',
});

export interface ServerOptions {
  /** User settings, written before the server starts. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** User key bindings, as in keybindings.json. */
  readonly keybindings?: readonly Readonly<Record<string, unknown>>[];
  /** Packed extension that is installed first, as a user would. */
  readonly install?: string;
  /** Where extensions are (to be) installed; a folder of this run when not given. */
  readonly extensionsFolder?: string;
  /**
   * Allows `extensionDevelopmentPath` and `extensionTestsPath` in the URL. It also hides notification toasts, so it is
   * off by default.
   */
  readonly testDriver?: boolean;
  /** False: workspaces open in Restricted Mode until trusted. */
  readonly trustEverything?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Receives the server's output line by line. */
  readonly onOutput?: (text: string) => void;
  readonly progress?: (line: string) => void;
}

/** What another process needs to open windows of a server. */
export interface ServerAddress {
  readonly port: number;
  readonly token: string;
  /** Folder of the data and logs of the server. */
  readonly folder: string;
}

/** A running server, as every process sees it. */
export interface EditorHost {
  readonly address: ServerAddress;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** URL that opens `workspace` (absolute path) in a browser, including the token. */
  workbenchUrl(workspace: string, payload?: readonly (readonly [string, string])[]): string;
  /** The URI of a local file in the workbench. */
  uri(path: string): string;
  /**
   * Copies the logs of server and extension host to a folder below out/test-results/editor-logs, to read after a failure.
   * It never fails: the failure of the test is the one to report.
   */
  saveLogs(): Promise<string>;
}

/** A server that this process has started. */
export interface EditorServer extends EditorHost {
  readonly pid: number;
  /** The last lines of the server's output. */
  output(): string;
  /** Resolves when the server has ended, by {@link stop} or by itself. */
  readonly ended: Promise<unknown>;
  /** Ends the server and deletes its folder. */
  stop(): Promise<void>;
}

/** Starts a server on a free loopback port; it ends with this process however that ends. */
export async function startServer(options: ServerOptions = {}): Promise<EditorServer> {
  const { main, node = projectNode() } = await ensureVSCodeServer(
    options.progress === undefined ? {} : { progress: options.progress },
  );
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-editor-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const token = randomBytes(16).toString('hex');
  try {
    const extensions = options.extensionsFolder ?? join(folder, 'extensions');
    const tokenFile = join(folder, 'token');
    for (const needed of [join(folder, 'tmp'), extensions]) await mkdir(needed, { recursive: true });
    await writeUserData(folder, options);
    await writeFile(tokenFile, token, { mode: 0o600 });
    if (options.install !== undefined) await installExtension(options.install, extensions);

    const args = [
      ...['--require', join(import.meta.dirname, 'end-with-parent.cjs'), main],
      ...['--host', '127.0.0.1', '--port', '0', '--connection-token-file', tokenFile],
      ...['--server-data-dir', folder, '--extensions-dir', extensions, '--accept-server-license-terms'],
      ...['--telemetry-level', 'off', '--disable-experiments', '--disable-update-check'],
      ...['--disable-getting-started-override', '--disable-websocket-compression'],
      ...(options.testDriver ? ['--enable-smoke-test-driver'] : []),
      ...(options.trustEverything === false ? [] : ['--disable-workspace-trust']),
    ];
    const child = spawn(node, args, {
      env: { ...serverEnvironment(folder), ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own: Ctrl+C in the terminal reaches only us, and stop() reaches all of it.
      detached: true,
    });
    const ended = new Promise(resolve => child.once('exit', resolve));
    const forget = onTermination(stop);
    let stopping: Promise<void> | undefined;
    function stop(): Promise<void> {
      stopping ??= stopProcessGroup(child).then(removeFolder).finally(forget);
      return stopping;
    }
    const lines: string[] = [];
    const port = await listening(child, lines, options.onOutput).catch(async error => {
      await stop();
      throw error;
    });
    return {
      ...editorHost({ port, token, folder }),
      pid: child.pid ?? 0,
      output: () => lines.join(''),
      ended,
      stop,
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/** The server at an address, which may be of another process. */
export function editorHost(address: ServerAddress): EditorHost {
  const { port, token, folder } = address;
  const origin = `http://127.0.0.1:${port}`;
  return {
    address,
    origin,
    workbenchUrl(workspace, payload = []) {
      const pairs = [['tkn', token] as const, ['folder', workspace] as const];
      const extras = payload.length === 0 ? [] : [['payload', JSON.stringify(payload)] as const];
      // Slashes and colons are valid in a query, and unescaped they are readable.
      const readable = (value: string) => encodeURIComponent(value).replace(/%2F/g, '/').replace(/%3A/g, ':');
      return `${origin}/?${[...pairs, ...extras].map(([name, value]) => `${name}=${readable(value)}`).join('&')}`;
    },
    uri: path => `vscode-remote://127.0.0.1:${port}${path}`,
    async saveLogs() {
      // Several servers may fail at once.
      const logs = join(editorLogs, basename(folder));
      await cp(join(folder, 'data', 'logs'), logs, { recursive: true }).catch((error: Error) =>
        console.error(`The logs of the editor could not be copied: ${error.message}`),
      );
      return logs;
    },
  };
}

/** Where settings and key bindings are. */
export const userFolder = (folder: string): string => join(folder, 'data', 'User');

/** Replaces what a user has done so far (settings, key bindings, files of extensions) by these settings. */
export async function writeUserData(
  folder: string,
  { settings = {}, keybindings = [] }: Pick<ServerOptions, 'settings' | 'keybindings'>,
): Promise<void> {
  const user = userFolder(folder);
  await rm(user, { recursive: true, force: true });
  await mkdir(user, { recursive: true });
  await writeFile(join(user, 'settings.json'), JSON.stringify(settings, null, 2));
  await writeFile(join(user, 'keybindings.json'), JSON.stringify(keybindings, null, 2));
}

/** Resolves with the port when the server listens; rejects with its output if it exits or times out. */
function listening(child: ChildProcess, lines: string[], onOutput?: (text: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`The VS Code server ${what}. It printed:\n${lines.join('')}`));
    const timer = setTimeout(() => fail(`did not start within ${STATE_LIMIT_MS / 1000} s`), STATE_LIMIT_MS);
    const read = (text: string) => {
      lines.push(text);
      if (lines.length > maxOutputLines) lines.shift();
      onOutput?.(text);
      const port = /agent listening on (\d+)/.exec(text)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('error', error => fail(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${signal ?? `code ${code}`}`);
    });
  });
}

/** Everything the server writes goes to its folder, sockets and temporary files included, so that it can be deleted. */
function serverEnvironment(folder: string): NodeJS.ProcessEnv {
  const { XDG_RUNTIME_DIR: _sockets, ...inherited } = process.env;
  return {
    ...inherited,
    TMPDIR: join(folder, 'tmp'),
    EXTENSIONS_GALLERY: noGallery,
    CS_TELEMETRY_URL: 'http://127.0.0.1:9/',
    HEXLENS_HOST_FOLDER: folder,
  };
}

/** Installs a packed extension into `extensionsFolder`, as `code --install-extension` would. */
export async function installExtension(vsix: string, extensionsFolder: string): Promise<void> {
  const { main, node = projectNode() } = await ensureVSCodeServer();
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-install-'));
  try {
    const places = ['--server-data-dir', folder, '--extensions-dir', extensionsFolder];
    const args = [main, '--accept-server-license-terms', ...places, '--install-extension', vsix, '--force'];
    await mkdir(join(folder, 'tmp'));
    const output = await runQuietly(node, args, { env: serverEnvironment(folder) }).catch((error: Error) => error);
    if (output instanceof Error || !/successfully installed/.test(output)) {
      throw new Error(`${vsix} could not be installed. ${output instanceof Error ? output.message : output.trim()}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A Node that can run the VS Code server and TypeScript files: this one, or the one the project installs. */
export function projectNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  throw new Error(`Node ${process.versions.node} is too old for VS Code's server. Run npm ci, which brings Node 24.`);
}
