// A process that indexes a contract, a wallet and sales of a public chain, which can be killed in the middle.
import { once } from 'node:events';
import { Client } from 'pg';
import type { Hex } from '../../src/base/hex.ts';
import { parsePostgresUrl } from '../../src/service/store/postgres/postgresUrl.ts';
import { bundleProgram } from './bundle.ts';
import { type PublicChain, startPublicNode } from './publicNode.ts';
import { startProcess } from './startProcess.ts';

const PROGRAM = 'test/service/scopedIndexesChild.ts';

/**
 * Indexes into the store: to the end, or until `killedAt` responses to `eth_getLogs` were sent and the process is killed while
 * it works on the last of them. Resolves with whether it came to the end.
 */
export async function runIndexing(
  { anvil, chain }: PublicChain,
  store: string,
  killedAt = Number.NaN,
): Promise<boolean> {
  const killed = Promise.withResolvers<void>();
  let responses = 0;
  const node = await startPublicNode(anvil.url, {
    range: { blocks: 8, message: blocks => `exceed maximum block range: ${blocks}` },
    override({ method, params }, honest) {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: Hex; toBlock?: Hex };
      if (method !== 'eth_getLogs' || Number(toBlock) - Number(fromBlock) >= 8) return undefined;
      if (++responses === killedAt) killed.resolve();
      return honest();
    },
  });
  const args = [await bundleProgram(PROGRAM), node.url, store, chain.contracts.apes, chain.accounts.alice];
  const child = await startProcess(process.execPath, args);
  child.stderr.pipe(process.stderr);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  const ended = once(child, 'close');
  void killed.promise.then(async () => {
    await new Promise(resolve => setTimeout(resolve, (killedAt * 7) % 30)); // anywhere in what it does with the response
    child.kill('SIGKILL');
  });
  await ended;
  await node.stop();
  return output.endsWith('indexed\n');
}

/** In PostgreSQL the next process would wait for seconds until those of the killed one expire. */
export async function endLeases(store: string): Promise<void> {
  if (!store.startsWith('postgres:')) return;
  const client = new Client({ connectionString: store });
  await client.connect();
  await client.query(`UPDATE "${parsePostgresUrl(store).schema}".lease SET expires = '-infinity'`);
  await client.end();
}
