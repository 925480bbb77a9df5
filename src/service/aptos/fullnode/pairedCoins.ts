// Which coin a fungible asset is paired with, as the node says it: asked once, and again later where there was none.
import type { Clock } from '../../../base/clock.ts';
import type { Hex } from '../../../base/hex.ts';
import { createLru } from '../../../base/lru.ts';
import { mapConcurrently } from '../../evm/rpcClient.ts';
import { APT_METADATA_ADDRESS } from '../address.ts';
import { getPairedMetadataAddress } from '../derivedIds.ts';
import { APT_COIN_TYPE, normalizeMoveType } from '../moveType.ts';
import type { Json } from '../transaction.ts';
import type { FullnodeClient } from './fullnodeClient.ts';
import { isJsonObject } from './fullnodeClient.ts';

export interface PairedCoins {
  /** `null` when there is no pair, or when nobody has asked yet. */
  getCoinType(metadata: Hex): string | null;
  /** Asks for those that are not known; what can not be had stays unknown. Rejects with `cancelled` only. */
  fetchMissing(metadatas: Iterable<Hex>, signal: AbortSignal | undefined): Promise<void>;
  /** A coin type that exists: its metadata follows from it. Normalised. */
  add(coinType: string): void;
}

const AT_ONCE = 8;
/** A pair that does not exist may be made at any time, one that exists is for good. */
const NONE_FOR_MS = 10 * 60_000;
/** The names of coins may be long: they are weighed by their characters. 6 MB of each at most. */
const KEPT = { maxEntries: 20_000, maxWeight: 4 * 1024 * 1024 };

export function createPairedCoins(node: FullnodeClient | null, clock: Clock): PairedCoins {
  const coins = createLru<Hex, string>(KEPT);
  const none = createLru<Hex, number>(KEPT);
  const note = (coinType: string) => coins.set(getPairedMetadataAddress(coinType), coinType, coinType.length);
  const isNone = (metadata: Hex) => clock.now() - (none.get(metadata) ?? Number.NEGATIVE_INFINITY) < NONE_FOR_MS;
  note(APT_COIN_TYPE);
  return {
    getCoinType: metadata => (metadata === APT_METADATA_ADDRESS ? APT_COIN_TYPE : (coins.get(metadata) ?? null)),
    add: note,
    async fetchMissing(metadatas, signal) {
      if (node === null) return;
      const wanted = [...new Set(metadatas)].filter(
        metadata => metadata !== APT_METADATA_ADDRESS && coins.get(metadata) === undefined && !isNone(metadata),
      );
      let silent = false;
      await mapConcurrently(wanted, AT_ONCE, async metadata => {
        if (silent) return;
        try {
          const pair = await node.fetchResource(metadata, '0x1::coin::PairedCoinType', undefined, signal);
          const coin = pair === null ? null : coinIn(pair['type']);
          if (coin === null || getPairedMetadataAddress(coin) !== metadata) none.set(metadata, clock.now());
          else coins.set(metadata, coin);
        } catch (error) {
          if (signal?.aborted) throw error;
          silent = true; // the rows are shown with the asset's own address
        }
      });
    },
  };
}

/** `{account_address, module_name, struct_name}`, names as hex of their text. */
function coinIn(value: Json | undefined): string | null {
  if (!isJsonObject(value)) return null;
  const { account_address: account, module_name: module, struct_name: struct } = value;
  const names = [module, struct].map(hex =>
    typeof hex === 'string' ? Buffer.from(hex.slice(2), 'hex').toString() : '',
  );
  if (typeof account !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(account) || names.includes('')) return null;
  return normalizeMoveType(`${account}::${names.join('::')}`);
}
