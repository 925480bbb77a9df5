// Caches which coin a fungible asset is paired with, as the fullnode reports it.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../base/clock.ts';
import type { Hex } from '../../../base/hex.ts';
import { mapConcurrently } from '../../../base/mapConcurrently.ts';
import { APT_METADATA_ADDRESS } from '../address.ts';
import { getPairedMetadataAddress } from '../derivedIds.ts';
import { APT_COIN_TYPE, parseTypeInfo } from '../moveType.ts';
import type { FullnodeClient } from './fullnodeClient.ts';

const MAX_CONCURRENT_REQUESTS = 8;
/** A pair is permanent, but an asset without a paired coin may get one at any time. */
const MISSING_PAIR_TTL_MS = 10 * 60_000;
const MAX_CACHED_PAIRS = 20_000;
/** Coin types may be long: limited by characters, at most 6 MB. */
const MAX_CACHED_COIN_TYPE_CHARACTERS = 4 * 1024 * 1024;

export type PairedCoins = ReturnType<typeof createPairedCoins>;

export function createPairedCoins(fullnode: FullnodeClient | null, clock: Clock) {
  const coinTypeCache = new LRUCache<Hex, string>({
    max: MAX_CACHED_PAIRS,
    maxSize: MAX_CACHED_COIN_TYPE_CHARACTERS,
    sizeCalculation: coinType => coinType.length,
  });
  /** Metadata without a paired coin, with the time of the request. */
  const missingCache = new LRUCache<Hex, number>({ max: MAX_CACHED_PAIRS });
  const isKnownMissing = (metadata: Hex) =>
    clock.now() - (missingCache.get(metadata) ?? Number.NEGATIVE_INFINITY) < MISSING_PAIR_TTL_MS;
  return {
    /** The coin type; `null` when the asset has no paired coin, or when it has not been fetched. */
    getCoinType: (metadata: Hex): string | null =>
      metadata === APT_METADATA_ADDRESS ? APT_COIN_TYPE : (coinTypeCache.get(metadata) ?? null),
    /** Fetches the pairs that are not cached. A failed request leaves them unknown. Rejects only with `cancelled`. */
    async fetchMissing(metadatas: Iterable<Hex>, signal: AbortSignal | undefined) {
      if (fullnode === null) return;
      const missing = [...new Set(metadatas)].filter(
        metadata => metadata !== APT_METADATA_ADDRESS && !coinTypeCache.has(metadata) && !isKnownMissing(metadata),
      );
      let hasFailed = false;
      await mapConcurrently(missing, MAX_CONCURRENT_REQUESTS, async metadata => {
        if (hasFailed) return;
        try {
          const pair = await fullnode.fetchResource(metadata, '0x1::coin::PairedCoinType', undefined, signal);
          const coinType = pair === null ? null : parseTypeInfo(pair['type']);
          if (coinType === null || getPairedMetadataAddress(coinType) !== metadata)
            missingCache.set(metadata, clock.now());
          else coinTypeCache.set(metadata, coinType);
        } catch (error) {
          if (signal?.aborted) throw error;
          hasFailed = true; // rows then have the metadata address instead of a coin type
        }
      });
    },
  };
}
