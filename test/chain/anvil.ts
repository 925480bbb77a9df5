// Starts a real Anvil on a free loopback port and makes sure that neither its process nor its files outlive us.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HexLensError } from '../../src/base/errors.ts';
import { createJsonRpc, type JsonRpc } from './jsonRpc.ts';

export interface AnvilOptions {
  /** TCP port on 127.0.0.1; 0 (the default) lets the system choose a free one. */
  readonly port?: number;
  /** Gas a block may use; default 30,000,000. Another value gives other block hashes. */
  readonly gasLimit?: number;
  /** Default 31337. Another value gives other transaction hashes. */
  readonly chainId?: number;
  /** Blocks per epoch: `safe` is the head minus this, `finalized` the head minus twice this; default 8. */
  readonly slotsInAnEpoch?: number;
  /** Unix seconds of block 0; default 1700000000. Another value gives another genesis hash: a different chain. */
  readonly timestamp?: number;
  /** Further command line arguments of anvil. */
  readonly args?: readonly string[];
  /** Path of the executable; default: the one of the npm package @foundry-rs/anvil. */
  readonly binary?: string;
}

export interface Anvil extends JsonRpc {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The folder it keeps old states in; deleted when it ends. */
  readonly folder: string;
  /** Resolves when the process has ended, whoever ended it, and the folder is gone. */
  readonly ended: Promise<void>;
  /** Ends the process by its id and deletes its folder; resolves when both are done. May be called twice. */
  stop(): Promise<void>;
}

/** The mnemonic of every Hardhat and Foundry chain: its keys are public, and worth nothing. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';
export const GENESIS_TIMESTAMP = 1_700_000_000;
export const BLOCK_INTERVAL = 12;
export const DEFAULT_GAS_LIMIT = 30_000_000;

const START_TIMEOUT_MS = 30_000;

/**
 * An empty chain that mines only when told (`evm_mine`), 12 seconds per block from 1700000000 on, transactions in the
 * order they came: the same calls give the same hashes. Rejects with `no-node` when the executable is missing and with
 * `node-unreachable` when it does not come up (port taken, bad argument), with its own words in `details`.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const binary = options.binary ?? anvilBinary();
  if (!existsSync(binary)) throw binaryMissing(binary);
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-anvil-'));
  const child = spawn(binary, anvilArguments(options, folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = ownProcess(child, folder);
  try {
    const port = await listeningPort(child);
    const url = `http://127.0.0.1:${port}`;
    const rpc = createJsonRpc(url);
    // Its log names every call; unread it would fill the pipe and block the node while our event loop is busy.
    await rpc.rpc('anvil_setLoggingEnabled', [false]);
    await rpc.rpc('anvil_setBlockTimestampInterval', [BLOCK_INTERVAL]);
    const stop = async () => {
      end(child);
      await ended;
    };
    return { ...rpc, url, port, pid: child.pid ?? 0, folder, ended, stop };
  } catch (error) {
    end(child);
    await ended;
    throw error;
  }
}

function anvilArguments(options: AnvilOptions, folder: string): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(options.port ?? 0)],
    ...['--chain-id', String(options.chainId ?? 31337), '--hardfork', 'osaka'],
    ...['--mnemonic', TEST_MNEMONIC, '--timestamp', String(options.timestamp ?? GENESIS_TIMESTAMP)],
    ...['--gas-limit', String(options.gasLimit ?? DEFAULT_GAS_LIMIT)],
    ...['--slots-in-an-epoch', String(options.slotsInAnEpoch ?? 8)],
    ...['--no-mining', '--order', 'fifo', '--cache-path', folder, '--color', 'never'],
    ...(options.args ?? []),
  ];
}

/** The executable itself, not npm's wrapper: a signal to the wrapper would not always reach it. */
function anvilBinary(): string {
  const require = createRequire(import.meta.url);
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  const wanted = `@foundry-rs/anvil-${process.platform}-${arch}/bin/${name}`;
  try {
    return require.resolve(wanted);
  } catch {
    throw binaryMissing(wanted);
  }
}

function binaryMissing(path: string): HexLensError {
  return new HexLensError('no-node', `There is no Anvil at ${path}.`, {
    fix: 'Run npm ci with optional dependencies (the npm package @foundry-rs/anvil brings one binary per platform).',
  });
}

/** Reads the port from Anvil's own words, so that the choice of a free one has no gap another process could use. */
function listeningPort(child: ChildProcess): Promise<number> {
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
    const timer = setTimeout(() => fail(`Anvil did not listen within ${START_TIMEOUT_MS / 1000} s.`), START_TIMEOUT_MS);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length > 100_000) return; // keep reading, keep nothing
      output += text;
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < 10_000) complaint += text;
    });
    child.on('error', error => fail('Anvil could not be started.', error));
    child.on('close', code => fail(`Anvil ended with code ${code} before it listened.`));
  });
}

/** Ties process and folder to us, however we end; resolves when both are gone. */
function ownProcess(child: ChildProcess, folder: string): Promise<void> {
  const atExit = () => {
    end(child);
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
 * A signal ends Node without its exit handlers, and then Anvil would stay. A shell in its own session waits for the end
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

/** Anvil keeps nothing worth saving, and on SIGTERM it may take its time. */
function end(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
