// When the metadata of a page's NFTs was last read: noted in the index, which keeps it over restarts.
import type { Log } from '../../base/log.ts';
import type { TokenMetadata } from '../metadata/tokenMetadata.ts';
import { serializeNftKey } from '../store/ownershipState.ts';
import type { MetadataSyncTimes, NftKey } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

type SyncTimes = { readonly [Which in 'tokenUri' | 'metadata']: Date | null };

const dateOf = (time: number | null | undefined) => (time == null ? null : new Date(time));

/** By the order of the keys. `found` is what was read of them just now, nothing or by their order. Rejects with the faults of reading. */
export async function updateMetadataSyncs(
  store: Pick<Store, 'metadataSyncs' | 'noteMetadataSyncs'>,
  keys: readonly NftKey[],
  found: readonly TokenMetadata[],
  log: Log,
): Promise<readonly SyncTimes[]> {
  const read = keys.flatMap(({ token, tokenId }, index): readonly MetadataSyncTimes[] => {
    const times = found[index]?.readAt;
    return times == null || times.tokenUriSyncedAt === null ? [] : [{ token, tokenId, ...times }];
  });
  // A page is worth more than the note of when: a full disk must not cost it.
  if (read.length > 0)
    await store.writeMetadataSyncs(read).catch(error => log.debug(`When metadata was read is not kept: ${error}`));
  const now = new Map(read.map(sync => [serializeNftKey(sync), sync]));
  const before = new Map((await store.readMetadataSyncs(keys)).map(sync => [serializeNftKey(sync), sync]));
  return keys.map(key => {
    const [last, kept] = [now.get(serializeNftKey(key)), before.get(serializeNftKey(key))];
    return {
      tokenUri: dateOf(last?.tokenUriSyncedAt ?? kept?.tokenUriSyncedAt),
      metadata: dateOf(last?.metadataSyncedAt ?? kept?.metadataSyncedAt),
    };
  });
}
