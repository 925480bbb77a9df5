// Rows of a transaction from the node alone: what the transaction does not say of its asset stores is read as it was before.
import type { Hex } from '../../../base/hex.ts';
import { mapConcurrently } from '../../evm/rpcClient.ts';
import { asAddress, asObjectAddress, getField } from '../jsonFields.ts';
import type { CoinActivity } from '../models.ts';
import { emptyPriorState, type FungibleStore, type PriorState } from '../processors/priorState.ts';
import { processTransaction } from '../processors/processTransaction.ts';
import type { RestTransaction, TransactionInBlock } from '../transaction.ts';
import { getUnpairedMetadata, withPairedCoin } from './activityEnricher.ts';
import type { FullnodeClient } from './fullnodeClient.ts';
import { parseU64 } from './fullnodeClient.ts';
import type { PairedCoins } from './pairedCoins.ts';

export interface CoinActivityFetcher {
  /** In the order of events, the gas row first. Rejects with `cancelled` only. */
  fetchCoinActivities(placed: TransactionInBlock, signal: AbortSignal | undefined): Promise<readonly CoinActivity[]>;
}

const AT_ONCE = 4;

export function createCoinActivityFetcher(node: FullnodeClient, pairs: PairedCoins): CoinActivityFetcher {
  async function storeBefore(store: Hex, version: bigint, signal: AbortSignal | undefined): Promise<FungibleStore> {
    const read = async (type: string): Promise<RestTransaction | null> => {
      try {
        return await node.fetchResource(store, type, version - 1n, signal);
      } catch (error) {
        if (signal?.aborted) throw error;
        return null; // older state is pruned sooner than transactions: the row has no owner then
      }
    };
    const [core, asset] = await Promise.all([
      read('0x1::object::ObjectCore'),
      read('0x1::fungible_asset::FungibleStore'),
    ]);
    return {
      owner: asAddress(getField(core ?? undefined, 'owner')),
      metadata: asObjectAddress(getField(asset ?? undefined, 'metadata')),
    };
  }

  return {
    async fetchCoinActivities(placed, signal) {
      const unknown = new Set<Hex>();
      const asking: PriorState = {
        ...emptyPriorState,
        getPairedCoin: pairs.getCoinType,
        getFungibleStore(address) {
          unknown.add(address);
          return null;
        },
      };
      let rows = processTransaction(placed, asking).coinActivities;
      const version = parseU64(placed.transaction['version']);
      if (unknown.size > 0 && version !== null && version > 0n) {
        const stores = new Map<Hex, FungibleStore>();
        await mapConcurrently([...unknown], AT_ONCE, async store => {
          stores.set(store, await storeBefore(store, version, signal));
        });
        rows = processTransaction(placed, {
          ...asking,
          getFungibleStore: address => stores.get(address) ?? null,
        }).coinActivities;
      }
      await pairs.fetchMissing(
        rows.flatMap(row => getUnpairedMetadata(row) ?? []),
        signal,
      );
      return rows.map(row => withPairedCoin(row, pairs));
    },
  };
}
