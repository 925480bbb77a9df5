// When the metadata of a page's NFTs was last read: noted in the index, which keeps it over restarts.
import type { Log } from '../../base/log.ts';
import type { TokenMetadata } from '../metadata/tokenMetadata.ts';
import { idKey } from '../store/ownershipState.ts';
import type { MetadataSync, NftKey } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

type SyncTimes = { readonly [Which in 'tokenUri' | 'metadata']: Date | null };

const dateOf = (time: number | null | undefined) => (time == null ? null : new Date(time));

/** By the order of the keys. `found` is what was read of them just now, nothing or by their order. Rejects with the faults of reading. */
export async function metadataSyncs(
  store: Pick<Store, 'metadataSyncs' | 'noteMetadataSyncs'>,
  keys: readonly NftKey[],
  found: readonly TokenMetadata[],
  log: Log,
): Promise<readonly SyncTimes[]> {
  const read = keys.flatMap(({ token, tokenId }, index): readonly MetadataSync[] => {
    const times = found[index]?.read;
    return times == null || times.tokenUri === null ? [] : [{ token, tokenId, ...times }];
  });
  // A page is worth more than the note of when: a full disk must not cost it.
  if (read.length > 0)
    await store.noteMetadataSyncs(read).catch(error => log.debug(`When metadata was read is not kept: ${error}`));
  const now = new Map(read.map(sync => [idKey(sync), sync]));
  const before = new Map((await store.metadataSyncs(keys)).map(sync => [idKey(sync), sync]));
  return keys.map(key => {
    const [last, kept] = [now.get(idKey(key)), before.get(idKey(key))];
    return { tokenUri: dateOf(last?.tokenUri ?? kept?.tokenUri), metadata: dateOf(last?.metadata ?? kept?.metadata) };
  });
}
