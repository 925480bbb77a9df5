// A writing process is killed many times at random moments: the index has whole batches, and owners match transfers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { bundleProgram } from '../../support/bundle.ts';
import { scaleRounds } from '../../support/rounds.ts';
import { createTestLog } from '../../support/testClock.ts';
import { expectSameResults } from '../compareStores.ts';
import { createBatch, createDice, genesis } from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';
import { STORE_CHILD } from './indexFileFixture.ts';
import { BLOCKS_PER_BATCH } from './storeChild.ts';

const KILLS = scaleRounds(12);
const info = { chainId: 31_337, genesisHash: genesis.hash };

it(`has whole batches after each of ${KILLS} kills`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-kill-'));
  const log = createTestLog();
  const heads = new Set<string>();
  const dice = createDice(31_337);
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const child = spawn(process.execPath, [await bundleProgram(STORE_CHILD), 'write', folder, `${kill}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      const steps = 1 + dice(12);
      let stepsDone = 0;
      for await (const _ of createInterface({ input: child.stdout })) if (++stepsDone === steps) break;
      // Any moment is fine: killing at random moments is what is tested.
      await after(dice(8));
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);

      const store = await createSqliteStoreOpener({ folder, log })(info);
      const head = await store.readHead();
      const number = head?.number ?? -1;
      expect((number + 1) % BLOCKS_PER_BATCH).toBe(0);
      const blocks = (await store.readBlocksDownFrom(number, number + 1)).toReversed();
      expect(blocks.length).toBe(number + 1);
      for (const [index, block] of blocks.slice(1).entries()) expect(block.parentHash).toBe(blocks[index]?.hash);
      const model = createModelStore(info);
      await model.applyBatch(createBatch(blocks));
      await expectSameResults(store, model, kill, 2);
      await store.close();
      heads.add(head?.hash ?? '');
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  // The processes made progress: not all were killed in the same state.
  expect(heads.size).toBeGreaterThan(KILLS / 2);
  expect(log.of('warn')).toEqual([]);
});
