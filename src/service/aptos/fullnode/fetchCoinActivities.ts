// Coin activities of transactions and of whole blocks from a fullnode alone.
import type { Hex } from '../../../base/hex.ts';
import { mapConcurrently } from '../../../base/mapConcurrently.ts';
import { compareActivitiesNewestFirst, isAfterKey } from '../activityFilters.ts';
import type { AptosPage, AptosPageRequest } from '../aptosSource.ts';
import { asAddress, asObjectAddress, getField, parseU64 } from '../jsonFields.ts';
import type { ActivityKey, CoinActivity } from '../models.ts';
import { emptyPriorState, type FungibleStore, type PriorState } from '../processors/priorState.ts';
import { processTransaction } from '../processors/processTransaction.ts';
import type { RestTransaction, TransactionInBlock } from '../restTransaction.ts';
import { getUnpairedMetadata, withPairedCoin } from './activityEnricher.ts';
import { type FullnodeClient, MAX_TRANSACTIONS_PER_PAGE, type RestBlock } from './fullnodeClient.ts';
import type { PairedCoins } from './pairedCoins.ts';

const MAX_CONCURRENT_BLOCKS = 6;
const MAX_CONCURRENT_TRANSACTIONS = 6;
const MAX_CONCURRENT_STORES = 4;

/**
 * Coin activities of blocks, newest first. Each block is read from its end in pages, only as far as the page needs.
 * A block that does not exist yet has no rows. Rejects with the faults of the node, `removed` for a pruned block.
 */
export async function fetchBlockCoinActivities(
  fullnode: FullnodeClient,
  pairedCoins: PairedCoins,
  blockHeights: readonly bigint[],
  { after, offset, limit }: AptosPageRequest<ActivityKey>,
  signal: AbortSignal | undefined,
): Promise<AptosPage<CoinActivity>> {
  const fetched = await mapConcurrently([...new Set(blockHeights)], MAX_CONCURRENT_BLOCKS, height =>
    fullnode.fetchBlockByHeight(height, signal),
  );
  const blocks = fetched
    .filter(block => block !== null)
    .sort((a, b) => compareActivitiesNewestFirst(toLastKey(a), toLastKey(b)))
    .filter(block => after === undefined || block.firstVersion <= after.transactionVersion);
  const rows: CoinActivity[] = [];
  const neededCount = offset + limit + 1;
  for (const block of blocks) {
    // A following page begins in the transaction in which the previous page ended.
    const newest =
      after === undefined || after.transactionVersion > block.lastVersion
        ? block.lastVersion
        : after.transactionVersion;
    for (let last = newest; last >= block.firstVersion && rows.length < neededCount; ) {
      const oldest = last - BigInt(MAX_TRANSACTIONS_PER_PAGE - 1);
      const first = oldest > block.firstVersion ? oldest : block.firstVersion;
      const transactions = await fullnode.fetchTransactionRange(first, last, signal);
      const activities = await mapConcurrently(transactions, MAX_CONCURRENT_TRANSACTIONS, transaction =>
        fetchTransactionCoinActivities(fullnode, pairedCoins, { transaction, blockHeight: block.blockHeight }, signal),
      );
      rows.push(
        ...activities
          .flat()
          .sort(compareActivitiesNewestFirst)
          .filter(row => isAfterKey(row, after)),
      );
      last = first - 1n;
    }
    if (rows.length >= neededCount) break;
  }
  return { rows: rows.slice(offset, offset + limit), hasNext: rows.length >= neededCount, partialReason: null };
}

const toLastKey = ({ lastVersion }: RestBlock): ActivityKey => ({ transactionVersion: lastVersion, eventIndex: 0 });

/**
 * Coin activities of one transaction in the order of its events, the gas fee first. Fungible stores that the transaction
 * does not describe are fetched as of the version before it. Rejects only with `cancelled`.
 */
export async function fetchTransactionCoinActivities(
  fullnode: FullnodeClient,
  pairedCoins: PairedCoins,
  transactionInBlock: TransactionInBlock,
  signal: AbortSignal | undefined,
): Promise<readonly CoinActivity[]> {
  const missingStores = new Set<Hex>();
  const priorState: PriorState = {
    ...emptyPriorState,
    getPairedCoin: pairedCoins.getCoinType,
    getFungibleStore(address) {
      missingStores.add(address);
      return null;
    },
  };
  let { coinActivities } = processTransaction(transactionInBlock, priorState);
  const version = parseU64(transactionInBlock.transaction['version']);
  if (missingStores.size > 0 && version !== null && version > 0n) {
    const stores = new Map<Hex, FungibleStore>();
    await mapConcurrently([...missingStores], MAX_CONCURRENT_STORES, async store => {
      stores.set(store, await fetchFungibleStore(fullnode, store, version - 1n, signal));
    });
    const completePriorState = { ...priorState, getFungibleStore: (address: Hex) => stores.get(address) ?? null };
    ({ coinActivities } = processTransaction(transactionInBlock, completePriorState));
  }
  await pairedCoins.fetchMissing(
    coinActivities.flatMap(activity => getUnpairedMetadata(activity) ?? []),
    signal,
  );
  return coinActivities.map(activity => withPairedCoin(activity, pairedCoins));
}

/** The owner and the asset of a store at a ledger version; `null` for what the node no longer has. */
async function fetchFungibleStore(
  fullnode: FullnodeClient,
  store: Hex,
  version: bigint,
  signal: AbortSignal | undefined,
): Promise<FungibleStore> {
  const fetchResource = async (type: string): Promise<RestTransaction | null> => {
    try {
      return await fullnode.fetchResource(store, type, version, signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      return null; // nodes prune old state earlier than transactions
    }
  };
  const [objectCore, fungibleStore] = await Promise.all([
    fetchResource('0x1::object::ObjectCore'),
    fetchResource('0x1::fungible_asset::FungibleStore'),
  ]);
  return {
    owner: asAddress(getField(objectCore, 'owner')),
    metadata: asObjectAddress(getField(fungibleStore, 'metadata')),
  };
}
