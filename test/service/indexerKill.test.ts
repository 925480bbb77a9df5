// An indexing process that is killed repeatedly: owners and transfers always agree, and in the end nothing is missing.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import { bundleProgram } from '../support/bundle.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import { computeOwners, toOwnerLine } from '../support/computeOwners.ts';
import { createIndexFixture, readStoreContent, type StoreContent } from '../support/indexFixture.ts';

const stage = createIndexFixture();
const CHILD = 'test/service/indexerChild.ts';
const LOGS = 24_000;
const MAX_KILLS = 6;

interface Running {
  readonly child: ChildProcess;
  /** Resolves with true when it says that it is at the head. */
  readonly there: Promise<boolean>;
  /** Resolves when it has begun to store, or is over. */
  readonly begun: Promise<void>;
}

async function run(url: string, folder: string, storedBefore: number): Promise<Running> {
  const child = spawn(process.execPath, [await bundleProgram(CHILD), url, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let begin = () => {};
  const begun = new Promise<void>(resolve => {
    begin = resolve;
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    const last = /at (\d+)\n(?!.*at \d)/s.exec(text);
    if (last !== null && Number(last[1]) > storedBefore) begin();
  });
  const there = once(child, 'close').then(() => {
    begin();
    return text.endsWith('there\n');
  });
  return { child, there, begun };
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
  let kills = 0;
  for (;;) {
    const { child, there, begun } = await run(anvil.url, folder, stored);
    if (kills < MAX_KILLS) {
      await begun;
      await new Promise(resolve => setTimeout(resolve, (kills * 37) % 120)); // anywhere in what it does next
      child.kill('SIGKILL');
    }
    if (await there) break;
    kills++;
    const content = await left(folder, { chainId: chain.chainId, genesisHash: chain.genesisHash });
    expect(content.owners.map(toOwnerLine).sort()).toEqual(computeOwners(content.transfers));
    const head = content.blocks[0]?.number ?? -1;
    expect(content.blocks).toHaveLength(head + 1);
    expect(content.transfers[0]?.blockNumber ?? -1).toBeLessThanOrEqual(head);
    expect(head).toBeGreaterThanOrEqual(stored);
    stored = head;
    if (kills > MAX_KILLS) throw new Error('It never gets there.');
  }
  // How many kills find it still at work is up to the machine; at least one did, with part of the chain stored.
  expect(kills).toBeGreaterThanOrEqual(1);
  expect(stored).toBeGreaterThanOrEqual(0);
  const content = await left(folder, { chainId: chain.chainId, genesisHash: chain.genesisHash });
  const fresh = await stage.readFreshContent(anvil.url);
  expect(content.transfers).toHaveLength(fresh.transfers.length);
  expect(content).toEqual(fresh);
}, 120_000);
