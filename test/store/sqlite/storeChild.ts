// A process of its own with a SQLite store: `write <folder> <seed>` goes on until it is killed, `index <folder>` says which
// indexes it makes, `leave <folder>` closes while it makes them, `try <folder>` says what came of it.
import { setTimeout as after } from 'node:timers/promises';
import { toPlainFault } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { address, createBatch, createDice, createNextBlocks, genesis } from '../generatedChain.ts';

/** Every batch has so many blocks, and rollbacks take back whole batches: a head elsewhere is half a batch. */
export const PER_BATCH = 3;

const HIGHEST = 240;

async function write(folder: string, seed: number): Promise<never> {
  const roll = createDice(seed);
  const store = await createSqliteStoreOpener({ folder, log: silentLog })({
    chainId: 31_337,
    genesisHash: genesis.hash,
  });
  // The secondary indexes are made at the first read: some processes die over that.
  let reads = roll(2) === 0 ? 0 : roll(20);
  // A line for each step that was taken.
  for (; ; process.stdout.write('step\n')) {
    const head = await store.readHead();
    const height = (head?.number ?? -1) + 1;
    if (height > HIGHEST) await store.rollBackTo(height - 1 - PER_BATCH * (height / PER_BATCH - roll(5)));
    else if (height > 0 && roll(4) === 0)
      await store.rollBackTo(height - 1 - PER_BATCH * (1 + roll(Math.min(6, height / PER_BATCH))));
    else await store.applyBatch(createBatch(createNextBlocks(head, PER_BATCH, `${roll(1_000)}`)));
    if (reads-- === 0) await store.countTransfers({});
  }
}

/** Makes the indexes, a line for each when it is there; then stays until it is killed. */
async function index(folder: string): Promise<never> {
  const log = { ...silentLog, debug: (message: string) => process.stdout.write(`${message}\n`) };
  const store = await createSqliteStoreOpener({ folder, log })({ chainId: 31_337, genesisHash: genesis.hash });
  process.stdout.write('begins\n');
  await store.prepareReads?.();
  process.stdout.write('done\n');
  for (;;) await after(60_000);
}

/** Closes the store while its indexes are made; nothing else keeps the process. */
async function leave(folder: string): Promise<void> {
  const store = await createSqliteStoreOpener({ folder, log: silentLog })({
    chainId: 31_337,
    genesisHash: genesis.hash,
  });
  const made = store.prepareReads?.();
  await store.countTransfers({ wallet: address('a', 1) });
  await store.close();
  await made;
  console.log('closed');
}

/** Writes until something is refused, or a thousand blocks; prints the fault, or null. */
async function attempt(folder: string): Promise<void> {
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
  if (task === 'index') await index(folder);
  else if (task === 'leave') await leave(folder);
  else await (task === 'write' ? write(folder, Number(seed)) : attempt(folder));
}
