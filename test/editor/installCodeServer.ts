// Installs a VS Code server and workbench from the npm package code-server in .vscode-host, once per clone.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModuleStub, moduleStubs } from './moduleStubs.ts';
import { root } from './paths.ts';
import { asProgram, isAlive, onTermination, runQuietly } from './processes.ts';

const packageName = 'code-server';

interface Release {
  /** Of VS Code. */
  readonly version: string;
  readonly packageVersion: string;
  // The tarball has an editor that runs code as the developer, so its integrity is verified before it is unpacked.
  readonly integrity: string;
  /** The Node that runs the server and the extensions; the project's own when absent. */
  readonly nodeVersion?: string;
}

const releases: Readonly<Record<'newest' | 'floor', Release>> = {
  newest: {
    version: '1.139.1',
    packageVersion: '4.139.1',
    integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
  },
  /** The oldest that `engines` in package.json allows, with the oldest Node of such a desktop VS Code. */
  floor: {
    version: '1.103.2',
    packageVersion: '4.103.2',
    integrity: 'sha512-dbYFASiePozmAfA2e3BYE7r83CdZ7LMDEAzKhLVRJwFbnd4zAaFlsxvBNrLAkunDJUaEqbtawsBfbtDZu6SXnQ==',
    nodeVersion: '22.15.1',
  },
};

/** Set to `floor` for the oldest supported VS Code; processes that this one starts use the same. */
export const EDITOR_VARIABLE = 'HEXLENS_TEST_EDITOR';
const getRelease = (): Release => releases[process.env[EDITOR_VARIABLE] === 'floor' ? 'floor' : 'newest'];

export const getVSCodeVersion = (): string => getRelease().version;

/** Increase it when the steps below change, so that installations of an older recipe are replaced. */
const recipe = 4;

/** Run-time dependencies of server, extension host and workbench; their versions are from VS Code's lockfile. */
const neededModules = [
  'cookie',
  'minimist',
  'ws',
  'yauzl',
  'yazl',
  'vscode-regexpp',
  '@vscode/proxy-agent',
  'http-proxy-agent',
  'https-proxy-agent',
  '@vscode/iconv-lite-umd',
  'jschardet',
  'vscode-textmate',
  'vscode-oniguruma',
  '@parcel/watcher',
  // The integrated terminal: processes on the server's side, the screen on the page's.
  'node-pty',
  '@xterm/headless',
  '@xterm/addon-serialize',
  '@xterm/addon-unicode11',
  '@xterm/xterm',
  '@xterm/addon-clipboard',
  '@xterm/addon-progress',
  '@xterm/addon-search',
] as const;

/** Large built-in extensions that HexLens does not need. */
const leftOutExtensions = ['copilot', 'mermaid-markdown-features'] as const;

/** Has the program itself, without an install script. */
const nodePackage = `node-${process.platform}-${process.arch}`;

const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'] as const;
/** By default npm retries for more than a minute before it reports that it cannot connect. */
const npmPatience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'] as const;

/**
 * Built-in extensions that must exist, because VS Code would otherwise request them from the web, but must not start:
 * TypeScript's needs 23 MB more, and the others start in every window.
 */
const mutedExtensions = [
  ...['typescript-language-features', 'git', 'git-base', 'github', 'merge-conflict', 'emmet', 'npm'],
  'debug-auto-launch',
] as const;

export interface VSCodeServer {
  readonly version: string;
  /** Absolute path of `out/server-main.js`. */
  readonly main: string;
  /** Absolute path of the Node that runs it, where it is not the project's own. */
  readonly node: string | undefined;
}

export interface SetupOptions {
  /** Installation folder of the server; `.vscode-host` in the repository when not given. */
  readonly directory?: string;
  /** Receives one line per step, unless the server is already installed. */
  readonly progress?: (line: string) => void;
}

/**
 * The installed server; downloaded from npm if it is missing (about 105 MB, 10 seconds).
 *
 * Each caller builds in a folder of its own and renames it into place, so two processes that start at once both end
 * with one good copy and no lock can be left behind by one that was killed.
 */
export async function ensureVSCodeServer(options: SetupOptions = {}): Promise<VSCodeServer> {
  const directory = options.directory ?? process.env['VSCODE_HOST_DIR'] ?? join(root, '.vscode-host');
  const progress = options.progress ?? (() => {});
  const { version, nodeVersion } = getRelease();
  const target = join(directory, `vscode-${version}-${recipe}`);
  const server = {
    version,
    main: join(target, 'out', 'server-main.js'),
    node: nodeVersion === undefined ? undefined : join(target, 'node_modules', nodePackage, 'bin', 'node'),
  };
  if (existsSync(server.main)) return server;
  if (process.platform === 'win32') {
    throw new Error('The npm-hosted VS Code runs on Linux and macOS only. On Windows use desktop VS Code: --desktop.');
  }

  await mkdir(directory, { recursive: true });
  await removeLeftovers(directory);
  const workspace = await mkdtemp(join(directory, `building-${process.pid}-`));
  const remove = () => rm(workspace, { recursive: true, force: true });
  const forget = onTermination(remove);
  try {
    progress(`Fetching VS Code ${version} from npm (about 105 MB, once)…`);
    const vscode = join(workspace, 'vscode');
    await unpackEditor(workspace, vscode);
    progress('Installing the modules the VS Code server needs…');
    await installModules(vscode);
    await Promise.all(moduleStubs.map(stub => writeModuleStub(vscode, stub)));
    await Promise.all(mutedExtensions.map(name => mute(join(vscode, 'extensions', name))));
    await moveIntoPlace(vscode, target);
    return server;
  } finally {
    forget();
    await remove();
  }
}

async function unpackEditor(workspace: string, vscode: string): Promise<void> {
  const { packageVersion, integrity: expected } = getRelease();
  const spec = `${packageName}@${packageVersion}`;
  const packed = await npm(['pack', spec, '--json', '--loglevel=error'], workspace, `download ${spec}`);
  const { filename, integrity } = readPackReport(packed);
  if (integrity !== expected) {
    throw new Error(
      `npm delivered a different ${spec} than the one this project was tested with (${integrity}). ` +
        'Check which registry npm uses: npm config get registry.',
    );
  }
  await mkdir(vscode);
  const inTarball = 'package/lib/vscode';
  await runQuietly('tar', [
    ...['-xzf', join(workspace, filename), '-C', vscode, '--strip-components=3'],
    ...leftOutExtensions.map(name => `--exclude=${inTarball}/extensions/${name}`),
    inTarball,
  ]).catch(error => {
    throw new Error(`Cannot unpack ${filename}: ${error.message} Is there room for 300 MB in ${workspace}?`);
  });
}

function readPackReport(json: string): { filename: string; integrity: string } {
  const report: unknown = JSON.parse(json);
  const first: unknown = Array.isArray(report) ? report[0] : Object.values(report as object)[0];
  const { filename, integrity } = first as { filename?: unknown; integrity?: unknown };
  if (typeof filename !== 'string' || typeof integrity !== 'string') {
    throw new Error(`npm pack returned unexpected output: ${json.slice(0, 200)}`);
  }
  return { filename, integrity };
}

async function installModules(vscode: string): Promise<void> {
  const { nodeVersion } = getRelease();
  const lockPath = join(vscode, 'npm-shrinkwrap.json');
  const manifestPath = join(vscode, 'package.json');
  const lock = JSON.parse(await readFile(lockPath, 'utf8')) as { packages: Record<string, { version: string }> };
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Record<string, unknown>;
  const version = (name: string) => lock.packages[`node_modules/${name}`]?.version ?? 'latest';
  delete manifest['overrides'];
  delete manifest['allowScripts'];
  manifest['dependencies'] = {
    ...Object.fromEntries(neededModules.map(name => [name, version(name)])),
    // One platform (6 MB) in place of @vscode/ripgrep-universal (56 MB).
    '@vscode/ripgrep': '1.18.0',
    ...(nodeVersion !== undefined && { [nodePackage]: nodeVersion }),
  };
  await writeFile(manifestPath, JSON.stringify(manifest, null, 2));
  await rm(lockPath);
  await npm(['install', ...npmFlags], vscode, 'install the modules of the VS Code server');
}

async function writeModuleStub(vscode: string, { name, source }: ModuleStub): Promise<void> {
  const folder = join(vscode, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }));
  await writeFile(join(folder, 'index.js'), source);
}

async function mute(extension: string): Promise<void> {
  const path = join(extension, 'package.json');
  const { name, publisher, version, engines } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  await writeFile(path, JSON.stringify({ name, publisher, version, engines }));
}

async function moveIntoPlace(built: string, target: string): Promise<void> {
  try {
    await rename(built, target);
  } catch (error) {
    // Another process was faster; its copy is used.
    if (!existsSync(join(target, 'out', 'server-main.js'))) throw error;
  }
}

/** Deletes folders of killed installations; those of running processes are left. */
async function removeLeftovers(directory: string): Promise<void> {
  for (const entry of await readdir(directory)) {
    const owner = /^building-(\d+)-/.exec(entry)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) {
      await rm(join(directory, entry), { recursive: true, force: true });
    }
  }
}

async function npm(args: readonly string[], cwd: string, purpose: string): Promise<string> {
  try {
    return await runQuietly('npm', [...args, ...npmPatience], { cwd });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const summary = /"summary": "(.*)"/.exec(text)?.[1] ?? text;
    throw new Error(`npm could not ${purpose}: ${summary} (To see whether npm reaches its registry: npm ping)`);
  }
}

await asProgram(import.meta.url, async () => {
  const server = await ensureVSCodeServer({ progress: line => console.log(line) });
  console.log(`VS Code ${server.version} is ready: ${server.main}`);
});
