// One page of who owns what: the index's owner rows as the description's records, with metadata when it is asked for.

import type { nftOwner } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import type { CursorKey } from '../../api/wire/cursor.ts';
import type { Log } from '../../base/log.ts';
import type { HandlerContext } from '../handler.ts';
import type { TokenMedia } from '../metadata/fetchMedia.ts';
import type { NormalizedMetadata } from '../metadata/normalizeMetadata.ts';
import type { TokenMetadata } from '../metadata/tokenMetadata.ts';
import { serializeNftKey } from '../store/rows.ts';
import type { MetadataSyncTimes, NftKey, OwnerRow } from '../store/rows.ts';
import type { OwnerKey, Store, StoreInfo } from '../store/store.ts';
import { describeTokens } from './describeTokens.ts';
import type { Listing } from './listing.ts';
import { computeTokenHash } from './tokenHash.ts';
import { decodeLogPosition, encodeLogPosition } from './transfersPage.ts';

// When the metadata of a page's NFTs was last read: noted in the index, which keeps it over restarts.
type SyncTimes = { readonly [Which in 'tokenUri' | 'metadata']: Date | null };

const dateOf = (time: number | null | undefined) => (time == null ? null : new Date(time));

/** By the order of the keys. `found` is what was read of them just now, nothing or by their order. Rejects with the faults of reading. */
export async function updateMetadataSyncs(
  store: Pick<Store, 'readMetadataSyncs' | 'writeMetadataSyncs'>,
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

export type OwnerRecord = InferRecord<typeof nftOwner>;

export const getSyncStatus = (synced: boolean) => (synced ? 'SYNCED' : 'SYNCING');

export interface MetadataInput {
  readonly normalizeMetadata?: boolean | undefined;
  readonly mediaItems?: boolean | undefined;
}

export function encodeOwnerKey({ changedAt: changed, owner, token, tokenId }: OwnerKey): CursorKey {
  return [...encodeLogPosition(changed), owner, token, tokenId.toString(36)];
}

export function decodeOwnerKey(key: CursorKey): OwnerKey {
  const [blockNumber = 0, logIndex = 0, position = 0, owner, token, tokenId] = key;
  return {
    changedAt: decodeLogPosition([blockNumber, logIndex, position]),
    owner: `0x${String(owner).slice(2)}`,
    token: `0x${String(token).slice(2)}`,
    tokenId: idIn(String(tokenId)),
  };
}

/** Base 36, so that 256 bits take 50 characters of the cursor. */
function idIn(text: string): bigint {
  let id = 0n;
  for (const digit of text) id = id * 36n + BigInt(Number.parseInt(digit, 36) || 0);
  return id;
}

/** The rows' records; rows are those that the page shows. */
export async function readOwnerRecords(
  { node, indexed }: Listing,
  rows: readonly OwnerRow[],
  { normalizeMetadata = false, mediaItems = false }: MetadataInput,
  { metadata, getTrust: marks, log }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<readonly OwnerRecord[]> {
  const { store } = indexed;
  const asked = normalizeMetadata || mediaItems;
  const [tokenOf, found] = await Promise.all([
    describeTokens(
      store,
      rows.map(row => row.token),
      marks,
    ),
    asked && rows.length > 0 ? metadata.fetch(node, rows, { media: mediaItems }, signal) : [],
  ]);
  const times = await updateMetadataSyncs(store, rows, found, log);
  return rows.map((row, index): OwnerRecord => {
    const { row: token, spamReason: spam, isVerified: verified } = tokenOf(row.token);
    const fetched: TokenMetadata | undefined = found[index];
    return {
      tokenAddress: row.token,
      tokenId: row.tokenId,
      contractType: row.standard,
      ownerOf: row.owner,
      blockNumber: row.changedAt.blockNumber,
      blockNumberMinted: mintedBlockOf(row, store.info),
      normalizedMetadata: normalizeMetadata && fetched !== undefined ? presentMetadata(fetched.normalized) : null,
      media: mediaItems && fetched?.media ? presentMedia(fetched.media) : null,
      amount: row.amount,
      name: token?.name ?? null,
      symbol: token?.symbol ?? null,
      tokenHash: computeTokenHash(row.token, row.tokenId),
      lastTokenUriSync: times[index]?.tokenUri ?? null,
      lastMetadataSync: times[index]?.metadata ?? null,
      possibleSpam: spam !== null,
      verifiedCollection: verified,
      tokenUri: fetched?.tokenUri ?? null,
      metadata: fetched?.document ?? null,
      minterAddress: null,
    };
  });
}

/** A wallet's own history has no mints to others: of an id that many may hold, the first one may be theirs. */
function mintedBlockOf({ standard, mintedBlock }: OwnerRow, { scope: subject }: StoreInfo): number | null {
  return subject?.kind === 'wallet' && standard === 'ERC1155' ? null : mintedBlock;
}

/** As hosts write it: all fields, whatever the metadata holds. */
function presentMetadata(metadata: NormalizedMetadata) {
  return {
    name: metadata.name,
    description: metadata.description,
    animation_url: metadata.animationUrl,
    external_link: metadata.externalLink,
    image: metadata.image,
    attributes: metadata.attributes.map(attribute => ({
      trait_type: attribute.traitType,
      value: attribute.value,
      display_type: attribute.displayType,
      max_value: attribute.maxValue,
      trait_count: attribute.traitCount,
      order: attribute.order,
    })),
  };
}

/** As hosts write it; the three sizes are all the picture itself, whose measures are not known. */
function presentMedia({ originalUrl, status, updatedAt, type, previewUrl }: TokenMedia) {
  const preview = { height: null, width: null, url: previewUrl };
  return {
    original_media_url: originalUrl,
    status,
    updatedAt: updatedAt.toISOString(),
    ...(type !== null && { mimetype: type }),
    ...(previewUrl !== null && { media_collection: { low: preview, medium: preview, high: preview } }),
  };
}
