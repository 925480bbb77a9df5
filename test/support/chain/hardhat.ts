// Starts the real node of Hardhat 3 on a free loopback port, offline, in a project folder of its own.
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startProcess } from '../startProcess.ts';
import { BLOCK_INTERVAL, DEFAULT_GAS_LIMIT, GENESIS_TIMESTAMP, TEST_MNEMONIC } from './anvil.ts';
import { createJsonRpc } from './jsonRpc.ts';
import { killProcess, ownChildProcess, waitForListeningPort } from './ownedProcess.ts';
import type { NodeOptions, TestNode } from './testNode.ts';

/** Why Hardhat's node can not run on this machine; `null` when it can. Its EVM is native code, not built for all platforms. */
export function findMissingHardhatPackage(): string | null {
  try {
    const fromHere = createRequire(import.meta.url);
    createRequire(fromHere.resolve('hardhat/package.json'))('@nomicfoundation/edr');
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
  }
}

/** An empty chain 31337 that mines only on request, like that of `startAnvil`. Rejects with `node-unreachable`. */
export async function startHardhat({ chainId = 31337 }: NodeOptions = {}): Promise<TestNode> {
  const home = dirname(createRequire(import.meta.url).resolve('hardhat/package.json'));
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-hardhat-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(home, join(folder, 'node_modules', 'hardhat'), 'junction');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'node', type: 'module', private: true }));
  const config = join(folder, 'hardhat.config.js');
  await writeFile(
    config,
    `export default ${JSON.stringify({ networks: { node: { ...network, chainId } } }, null, 2)};\n`,
  );
  const args = ['--config', config, 'node', '--hostname', '127.0.0.1', '--port', '0'];
  const child = await startProcess(process.execPath, [join(home, 'dist', 'src', 'cli.js'), ...args], {
    cwd: folder,
    // A home folder of its own, so that it reads and leaves no settings; and offline.
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      USERPROFILE: folder,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_DATA_HOME: folder,
      CI: 'true',
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      NO_COLOR: '1',
    },
  });
  const ended = ownChildProcess(child, folder);
  try {
    const port = await waitForListeningPort(child, 'Hardhat', /http:\/\/127\.0\.0\.1:(\d+)/);
    const url = `http://127.0.0.1:${port}`;
    const node = createJsonRpc(url);
    return {
      ...node,
      url,
      port,
      pid: child.pid ?? 0,
      ended,
      async mine() {
        const { timestamp } = await node.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
        await node.rpc('evm_setNextBlockTimestamp', [Number(timestamp) + BLOCK_INTERVAL]);
        await node.rpc('evm_mine');
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

const network = {
  type: 'edr-simulated',
  mining: { auto: false, mempool: { order: 'fifo' } },
  initialDate: new Date(GENESIS_TIMESTAMP * 1000).toISOString(),
  blockGasLimit: DEFAULT_GAS_LIMIT,
  accounts: { mnemonic: TEST_MNEMONIC },
};
