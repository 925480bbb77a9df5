// Starts a real Anvil on a free loopback port; its process and files end with this process.
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HexLensError } from '../../../src/base/errors.ts';
import { startAtFreePort } from '../freePort.ts';
import { startProcess } from '../startProcess.ts';
import { createJsonRpc, type JsonRpc } from './jsonRpc.ts';
import { killProcess, ownChildProcess, waitForListeningPort } from './ownedProcess.ts';
import type { Mining, TestNode } from './testNode.ts';

export interface AnvilOptions {
  /** TCP port on 127.0.0.1; 0 (the default) takes a free one, at which another node can be started later. */
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

export interface Anvil extends TestNode {
  /** The folder with its old states; deleted when it ends. */
  readonly folder: string;
}

/** The mnemonic of every Hardhat and Foundry chain: its keys are public. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';
export const GENESIS_TIMESTAMP = 1_700_000_000;
export const BLOCK_INTERVAL = 12;
export const DEFAULT_GAS_LIMIT = 30_000_000;

/**
 * An empty chain that mines only on request (`evm_mine`), 12 seconds per block from 1700000000 on, transactions in the
 * order of arrival: the same calls give the same hashes. Rejects with `no-node` when the executable is missing and with
 * `node-unreachable` when it does not start (port in use, invalid argument), with its output in `details`.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  if ((options.port ?? 0) !== 0) return startAnvilAt(options);
  return startAtFreePort(port => startAnvilAt({ ...options, port }));
}

/** The Anvil of another process, which mines only on request from now on. */
export async function connectToAnvil(url: string): Promise<JsonRpc & Mining> {
  const rpc = createJsonRpc(url);
  await rpc.rpc('evm_setAutomine', [false]);
  return { ...rpc, ...mining(rpc) };
}

async function startAnvilAt(options: AnvilOptions): Promise<Anvil> {
  const binary = options.binary ?? anvilBinary();
  if (!existsSync(binary)) throw binaryMissing(binary);
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-anvil-'));
  const child = await startProcess(binary, anvilArguments(options, folder));
  const ended = ownChildProcess(child, folder);
  try {
    const port = await waitForListeningPort(child, 'Anvil', /Listening on 127\.0\.0\.1:(\d+)/);
    const url = `http://127.0.0.1:${port}`;
    const rpc = createJsonRpc(url);
    // Its log has every call: it would fill the pipe and block the node while our event loop is busy.
    await rpc.rpc('anvil_setLoggingEnabled', [false]);
    await rpc.rpc('anvil_setBlockTimestampInterval', [BLOCK_INTERVAL]);
    const stop = async () => {
      killProcess(child);
      await ended;
    };
    return { ...rpc, ...mining(rpc), url, port, pid: child.pid ?? 0, folder, ended, stop };
  } catch (error) {
    killProcess(child);
    await ended;
    throw error;
  }
}

const mining = (rpc: JsonRpc): Mining => ({
  async mine() {
    await rpc.rpc('evm_mine');
  },
});

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

/** The executable itself: npm's wrapper does not always pass signals on. */
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
