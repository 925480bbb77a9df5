// A child process with an Aptos store: writes batches until it is killed.
import { silentLog } from '../../../src/base/log.ts';
import type { TransactionInBlock } from '../../../src/service/aptos/restTransaction.ts';
import { createAptosSqliteOpener } from '../../../src/service/aptos/store/aptosSqliteStore.ts';
import { collection, moduleEvent, nft, payment, user, wallet } from '../../support/aptos/fakeFullnode.ts';

export const PER_BATCH = 20;
export const info = { chainId: 4, genesisHash: `0x${'7'.repeat(64)}` } as const;
const MADE = wallet(600);

export const getOwnerAt = (version: number) => wallet(1 + (version % 7));

/** Every version pays two wallets; every third one also mints the NFT of its number, and hands on the one before. */
export function createTransactionAt(version: number): TransactionInBlock {
  const paid = payment(wallet(1), wallet(2), BigInt(version));
  const minted = user(
    getOwnerAt(version),
    [moduleEvent('0x4::collection::Mint', { token: wallet(1_000 + version), collection: MADE })],
    [collection(MADE, wallet(9), 'Apes'), ...nft(wallet(1_000 + version), getOwnerAt(version), MADE, `Ape ${version}`)],
  );
  const timestamp = String((1_700_000_000 + version) * 1_000_000);
  return {
    transaction: { ...(version % 3 === 0 ? minted : paid), version: String(version), timestamp, success: true },
    blockHeight: BigInt(Math.floor(version / 4)),
  };
}

export const createBatchFrom = (from: number, count = PER_BATCH) => {
  const transactions = Array.from({ length: count }, (_, i) => createTransactionAt(from + i));
  const last = from + count - 1;
  const height = BigInt(Math.floor(last / 4));
  return { transactions, nextVersion: BigInt(last + 1), lastHash: `0x${last.toString(16)}`, lastBlockHeight: height };
};

async function write(folder: string, perBatch: number): Promise<never> {
  const store = await createAptosSqliteOpener({ folder, log: silentLog })(info);
  for (let batch = 0; ; batch++) {
    const { nextVersion } = await store.readProgress();
    await store.writeBatch(nextVersion, createBatchFrom(Number(nextVersion), perBatch));
    // Each process gets one batch further at least, however early it is killed.
    if (batch === 0) process.stdout.write('writing\n');
    if (Number(nextVersion) % 7 === 0)
      await store.read('ownedTokens', { owners: [wallet(1)] }, { limit: 1, offset: 0 });
  }
}

if (import.meta.main) await write(process.argv[2] ?? '', Number(process.argv[3]));
