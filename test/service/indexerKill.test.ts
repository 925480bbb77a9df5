// An indexing process that is killed repeatedly: owners and transfers always agree, and in the end nothing is missing.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import { bundleProgram } from '../support/bundle.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import { computeOwners, toOwnerLine } from '../support/computeOwners.ts';
import { createIndexFixture, readStoreContent, type StoreContent } from '../support/indexFixture.ts';
import { type StartedProcess, startProcess } from '../support/startProcess.ts';

const stage = createIndexFixture();
const CHILD = 'test/service/indexerChild.ts';
const LOGS = 16_000;
const KILLS = 4;

interface Running {
  readonly child: StartedProcess;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
  /** Resolves when it has begun to store, or is at the head. */
  readonly begun: Promise<void>;
}

async function run(url: string, folder: string, storedBefore: number, atHead: 'end' | 'hold'): Promise<Running> {
  const args = [await bundleProgram(CHILD), url, folder, atHead];
  const child = await startProcess(process.execPath, args, { stdin: 'pipe' });
  child.stderr.pipe(process.stderr);
  let begin = () => {};
  const begun = new Promise<void>(resolve => {
    begin = resolve;
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    const last = /at (\d+)\n(?!.*at \d)/s.exec(text);
    if (text.endsWith('there\n') || (last !== null && Number(last[1]) > storedBefore)) begin();
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    begin();
    return code ?? signal;
  });
  return { child, ended, begun };
}

async function left(folder: string, info: { chainId: number; genesisHash: Hex }): Promise<StoreContent> {
  const store = await createSqliteStoreOpener({ folder, log: silentLog })(info);
  try {
    return await readStoreContent(store);
  } finally {
    await store.close();
  }
}

it('loses at most the batch in flight when it is killed at any moment', async () => {
  const { anvil, chain } = await stage.filledAnvil({ blocks: 20 });
  await emitLogs(anvil, LOGS);
  const folder = await stage.folder();
  let stored = -1;
  for (let kills = 0; kills < KILLS; kills++) {
    const { child, ended, begun } = await run(anvil.url, folder, stored, 'hold');
    await begun;
    await new Promise(resolve => setTimeout(resolve, (kills * 37) % 120)); // anywhere in what it does next
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    const content = await left(folder, { chainId: chain.chainId, genesisHash: chain.genesisHash });
    expect(content.owners.map(toOwnerLine).sort()).toEqual(computeOwners(content.transfers));
    const head = content.blocks[0]?.number ?? -1;
    expect(content.blocks).toHaveLength(head + 1);
    expect(content.transfers[0]?.blockNumber ?? -1).toBeLessThanOrEqual(head);
    expect(head).toBeGreaterThanOrEqual(stored);
    stored = head;
  }
  expect(stored).toBeGreaterThanOrEqual(0);
  const { ended } = await run(anvil.url, folder, stored, 'end');
  expect(await ended).toBe(0);
  const content = await left(folder, { chainId: chain.chainId, genesisHash: chain.genesisHash });
  const fresh = await stage.readFreshContent(anvil.url);
  expect(content.transfers).toHaveLength(fresh.transfers.length);
  expect(content).toEqual(fresh);
});
