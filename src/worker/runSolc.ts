// Finds the compiler of a version that Foundry or Hardhat downloaded, or that a project has, and runs it on standard JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { RunCompiler } from '../api/compiler.ts';
import { localizable } from '../base/localize.ts';

/** Where compilers may be. */
export interface CompilerPlaces {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folders of the project, the innermost first. */
  readonly folders: readonly string[];
}

/** As in build information, which the project's files give: it becomes part of paths. */
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?(?:\+commit\.[\da-f]{8})?$/;
const EXECUTABLE = process.platform === 'win32' ? '.exe' : '';
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
/** Runs `soljson.js`, which is the compiler as npm and Hardhat have it, in a process of its own. */
const RUN_SOLJSON = `const load = require;
const compiler = load(process.argv[1]);
const compile = compiler.cwrap('solidity_compile', 'string', ['string', 'number', 'number']);
const version = compiler.cwrap('solidity_version', 'string', []);
if (process.argv[2] === '--version') console.log(version());
else {
  const chunks = [];
  process.stdin.on('data', chunk => chunks.push(chunk));
  process.stdin.on('end', () => process.stdout.write(compile(Buffer.concat(chunks).toString(), 0, 0)));
}`;

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

const toCommand = (path: string): Command =>
  path.endsWith('.js') ? { command: process.execPath, args: ['-e', RUN_SOLJSON, path] } : { command: path, args: [] };

/** What it printed; `null` where it cannot be run. */
async function run(
  { command, args }: Command,
  own: string,
  input: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const child = spawn(command, [...args, own], { env, signal, stdio: ['pipe', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_OUTPUT_BYTES) child.kill();
    else chunks.push(chunk);
  });
  // It may end before it has read all.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0 ? Buffer.concat(chunks) : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** The compiler that a Foundry project names by its path. */
async function listConfigured(folder: string): Promise<readonly string[]> {
  const settings = (await readText(join(folder, 'foundry.toml'))).split('\n').map(line => line.trim());
  const setting = settings.find(line => /^solc(?:_version)? ?=/.test(line)) ?? '';
  const path = setting
    .slice(setting.indexOf('=') + 1)
    .trim()
    .replace(/^["']|["']$/g, '');
  return /[/\\]/.test(path) ? [isAbsolute(path) ? path : join(folder, path)] : [];
}

/** Compilers of Foundry are in a folder named after their version. */
function listFoundry({ home, env }: CompilerPlaces, version: string): readonly string[] {
  const roots = [
    join(home, '.svm'),
    join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'svm'),
    join(home, 'Library', 'Application Support', 'svm'),
    ...(env['APPDATA'] === undefined ? [] : [join(env['APPDATA'], 'svm')]),
  ];
  return roots.map(root => join(root, version, `solc-${version}${EXECUTABLE}`));
}

/** Those of Hardhat have their whole version in the name. */
async function listHardhat({ home, env }: CompilerPlaces, longVersion: string): Promise<readonly string[]> {
  const roots = [
    join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'hardhat-nodejs'),
    join(home, 'Library', 'Caches', 'hardhat-nodejs'),
    ...(env['LOCALAPPDATA'] === undefined ? [] : [join(env['LOCALAPPDATA'], 'hardhat-nodejs', 'Cache')]),
  ];
  const found: string[] = [];
  for (const root of roots)
    for (const compilers of ['compilers-v3', 'compilers-v2'])
      for (const platform of await readdir(join(root, compilers)).catch(() => []))
        for (const name of await readdir(join(root, compilers, platform)).catch(() => []))
          if (name.includes(`-v${longVersion}`) && /(?:\d|\.exe|\.js)$|[\da-f]{8}$/.test(name))
            found.push(join(root, compilers, platform, name));
  return found;
}

/** Every compiler that may be of the version, the most probable first. */
async function listCandidates(places: CompilerPlaces, longVersion: string): Promise<readonly string[]> {
  const [version = ''] = longVersion.split('+');
  const configured = await Promise.all(places.folders.map(listConfigured));
  const packages = places.folders.map(folder => join(folder, 'node_modules', 'solc', 'soljson.js'));
  const hardhat = await listHardhat(places, longVersion);
  const paths = [...configured.flat(), ...listFoundry(places, version), ...hardhat, ...packages];
  const exists = await Promise.all(
    paths.map(path =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return [...paths.filter((_, i) => exists[i]), `solc${EXECUTABLE}`];
}

/** Runs compilers that are installed; none is downloaded. `toPlaces`: for the path of an artifact. */
export function createSolcRunner(toPlaces: (artifact: string) => CompilerPlaces, signal: AbortSignal): RunCompiler {
  const known = new Map<string, Promise<Command | null>>();
  const find = async (places: CompilerPlaces, version: string): Promise<Command | null> => {
    if (!VERSION.test(version)) return null;
    for (const path of await listCandidates(places, version)) {
      const command = toCommand(path);
      const printed = await run(command, '--version', '', signal);
      if (printed?.toString().includes(version) === true) return command;
    }
    return null;
  };
  return async ({ version, input, artifact }) => {
    const places = toPlaces(artifact);
    const key = `${version} ${places.folders.join()}`;
    const found = known.get(key) ?? find(places, version);
    known.set(key, found);
    const command = await found;
    if (command === null)
      return {
        problem: localizable('solc {0} is not installed: neither Foundry, Hardhat nor the project has it', version),
      };
    const output = await run(command, '--standard-json', input, signal);
    return output === null ? { problem: localizable('solc {0} could not be run', version) } : { output };
  };
}
