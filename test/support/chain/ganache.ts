// Starts a real Ganache, in its last published version, on a free loopback port: a chain of the Shanghai hard fork.
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toQuantity } from '../../../src/base/hex.ts';
import { startProcess } from '../startProcess.ts';
import { BLOCK_INTERVAL, DEFAULT_GAS_LIMIT, GENESIS_TIMESTAMP, TEST_MNEMONIC } from './anvil.ts';
import { createJsonRpc } from './jsonRpc.ts';
import { killProcess, ownChildProcess, waitForListeningPort } from './ownedProcess.ts';
import type { CodeVersion, NodeOptions, TestNode } from './testNode.ts';

/** The newest that Ganache supports. */
export const GANACHE_EVM: CodeVersion = 'shanghai';

/** Its command does not accept port 0; its library does. */
const PROGRAM = `
  const ganache = require(process.argv[1]);
  const server = ganache.server(JSON.parse(process.argv[2]));
  server.listen(0, '127.0.0.1').then(() => console.log('Listening on 127.0.0.1:' + server.address().port));`;

/** A block is ordered by price: earlier transactions pay more. */
const MAX_GAS_PRICE = 20_000_000_000;
const PRICE_STEP = 1_000_000;

/** An empty chain 1337 that mines only on request, like that of `startAnvil`. Rejects with `node-unreachable`. */
export async function startGanache({
  chainId = 1337,
  forkUrl,
}: NodeOptions & { readonly forkUrl?: string } = {}): Promise<TestNode> {
  const library = createRequire(import.meta.url).resolve('ganache');
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-ganache-'));
  const child = await startProcess(
    process.execPath,
    ['-e', PROGRAM, library, JSON.stringify(options(folder, chainId, forkUrl))],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, USERPROFILE: folder, TMPDIR: folder, TEMP: folder },
    },
  );
  const ended = ownChildProcess(child, folder);
  try {
    const port = await waitForListeningPort(child, 'Ganache', /Listening on 127\.0\.0\.1:(\d+)/);
    const url = `http://127.0.0.1:${port}`;
    const node = createJsonRpc(url);
    await node.rpc('miner_stop');
    return {
      ...node,
      url,
      port,
      pid: child.pid ?? 0,
      ended,
      async mine() {
        const { timestamp } = await node.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
        await node.rpc('evm_mine', [Number(timestamp) + BLOCK_INTERVAL]);
      },
      inOrder({ method, params = [] }, index) {
        const { gasPrice, ...rest } = params[0] as Readonly<Record<string, unknown>>;
        const price = toQuantity(MAX_GAS_PRICE - index * PRICE_STEP);
        // The tip is the whole fee: then the price does not depend on the block's base fee.
        const fees =
          gasPrice === undefined ? { maxFeePerGas: price, maxPriorityFeePerGas: price } : { gasPrice: price };
        return { method, params: [{ ...rest, ...fees }] };
      },
      async stop() {
        killProcess(child);
        await ended;
      },
    };
  } catch (error) {
    killProcess(child);
    await ended;
    throw error;
  }
}

const options = (folder: string, chainId: number, forkUrl: string | undefined) => ({
  wallet: { mnemonic: TEST_MNEMONIC, totalAccounts: 10, defaultBalance: 10_000 },
  ...(forkUrl !== undefined && { fork: { url: forkUrl } }),
  chain: {
    chainId,
    ...(forkUrl === undefined && { networkId: chainId }),
    hardfork: GANACHE_EVM,
    time: new Date(GENESIS_TIMESTAMP * 1000),
  },
  miner: { blockGasLimit: toQuantity(DEFAULT_GAS_LIMIT) },
  database: { dbPath: join(folder, 'chain') },
  logging: { quiet: true },
});
