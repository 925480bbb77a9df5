// A child process with a SQLite store: `write <folder> <seed>` writes until it is killed, `index <folder>` prints each index
// it builds, `close <folder>` closes while it builds them, `try <folder>` prints the fault of a write.
import { setTimeout as sleep } from 'node:timers/promises';
import { toPlainFault } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { address, createBatch, createDice, createNextBlocks, genesis } from '../generatedChain.ts';

/** Batches and rollbacks are multiples of this: another height would mean half a batch. */
export const BLOCKS_PER_BATCH = 3;

const MAX_HEIGHT = 240;

async function write(folder: string, seed: number): Promise<never> {
  const dice = createDice(seed);
  const store = await createSqliteStoreOpener({ folder, log: silentLog })({
    chainId: 31_337,
    genesisHash: genesis.hash,
  });
  // The secondary indexes are built at the first read: some processes are killed during that.
  let readIn = dice(2) === 0 ? 0 : dice(20);
  // A line for each completed step.
  for (; ; process.stdout.write('step\n')) {
    const head = await store.readHead();
    const height = (head?.number ?? -1) + 1;
    if (height > MAX_HEIGHT)
      await store.rollBackTo(height - 1 - BLOCKS_PER_BATCH * (height / BLOCKS_PER_BATCH - dice(5)));
    else if (height > 0 && dice(4) === 0)
      await store.rollBackTo(height - 1 - BLOCKS_PER_BATCH * (1 + dice(Math.min(6, height / BLOCKS_PER_BATCH))));
    else await store.applyBatch(createBatch(createNextBlocks(head, BLOCKS_PER_BATCH, `${dice(1_000)}`)));
    if (readIn-- === 0) await store.countTransfers({});
  }
}

/** Builds the indexes, with a line for each, then waits to be killed. */
async function buildIndexes(folder: string): Promise<never> {
  const log = { ...silentLog, debug: (message: string) => process.stdout.write(`${message}\n`) };
  const store = await createSqliteStoreOpener({ folder, log })({ chainId: 31_337, genesisHash: genesis.hash });
  process.stdout.write('started\n');
  await store.prepareReads?.();
  process.stdout.write('done\n');
  for (;;) await sleep(60_000);
}

/** Closes the store while its indexes are built; nothing else keeps the process alive. */
async function closeWhileBuilding(folder: string): Promise<void> {
  const store = await createSqliteStoreOpener({ folder, log: silentLog })({
    chainId: 31_337,
    genesisHash: genesis.hash,
  });
  const building = store.prepareReads?.();
  await store.countTransfers({ wallet: address('a', 1) });
  await store.close();
  await building;
  console.log('closed');
}

/** Writes a thousand blocks, or until a write is rejected; prints the fault, or null. */
async function tryToWrite(folder: string): Promise<void> {
  try {
    const store = await createSqliteStoreOpener({ folder, log: silentLog })({
      chainId: 31_337,
      genesisHash: genesis.hash,
    });
    for (let batch = 0; batch < 100; batch++)
      await store.applyBatch(createBatch(createNextBlocks(await store.readHead(), 10)));
    await store.close();
    console.log('null');
  } catch (error) {
    console.log(JSON.stringify(toPlainFault(error)));
  }
}

if (import.meta.main) {
  const [task, folder = '', seed = '0'] = process.argv.slice(2);
  if (task === 'index') await buildIndexes(folder);
  else if (task === 'close') await closeWhileBuilding(folder);
  else await (task === 'write' ? write(folder, Number(seed)) : tryToWrite(folder));
}
