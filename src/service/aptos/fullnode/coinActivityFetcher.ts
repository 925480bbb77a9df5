// Rows of a transaction from the node alone: what the transaction does not say of its asset stores is read as it was before.
import type { Hex } from '../../../base/hex.ts';
import { eachAtOnce } from '../../evm/rpcClient.ts';
import { addressOf, at, referenceOf } from '../jsonFields.ts';
import type { CoinActivity } from '../models.ts';
import { type KnownStore, type Memory, noMemory } from '../processors/priorState.ts';
import { transactionRows } from '../processors/processTransaction.ts';
import type { PlacedTransaction, RestTransaction } from '../transaction.ts';
import { metadataOf, withCoin } from './activityEnricher.ts';
import type { Fullnode } from './fullnodeClient.ts';
import { u64 } from './fullnodeClient.ts';
import type { Pairs } from './pairedCoins.ts';

export interface RestRows {
  /** In the order of events, the gas row first. Rejects with `cancelled` only. */
  coins(placed: PlacedTransaction, signal: AbortSignal | undefined): Promise<readonly CoinActivity[]>;
}

const AT_ONCE = 4;

export function createRestRows(node: Fullnode, pairs: Pairs): RestRows {
  async function storeBefore(store: Hex, version: bigint, signal: AbortSignal | undefined): Promise<KnownStore> {
    const read = async (type: string): Promise<RestTransaction | null> => {
      try {
        return await node.resource(store, type, version - 1n, signal);
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
      owner: addressOf(at(core ?? undefined, 'owner')),
      metadata: referenceOf(at(asset ?? undefined, 'metadata')),
    };
  }

  return {
    async coins(placed, signal) {
      const unknown = new Set<Hex>();
      const asking: Memory = {
        ...noMemory,
        coinOf: pairs.coinOf,
        store(address) {
          unknown.add(address);
          return null;
        },
      };
      let rows = transactionRows(placed, asking).coinActivities;
      const version = u64(placed.transaction['version']);
      if (unknown.size > 0 && version !== null && version > 0n) {
        const stores = new Map<Hex, KnownStore>();
        await eachAtOnce([...unknown], AT_ONCE, async store => {
          stores.set(store, await storeBefore(store, version, signal));
        });
        rows = transactionRows(placed, { ...asking, store: address => stores.get(address) ?? null }).coinActivities;
      }
      await pairs.learn(
        rows.flatMap(row => metadataOf(row) ?? []),
        signal,
      );
      return rows.map(row => withCoin(row, pairs));
    },
  };
}
