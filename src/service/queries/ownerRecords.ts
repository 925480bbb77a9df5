// One page of who owns what: the index's owner rows as the description's records, with metadata when it is asked for.

import type { nftOwner } from '../../api/records/evmRecords.ts';
import type { RecordOf } from '../../api/records/record.ts';
import type { CursorKey } from '../../api/wire/cursor.ts';
import type { HandlerContext } from '../handler.ts';
import type { Media } from '../metadata/fetchMedia.ts';
import type { NormalizedMetadata } from '../metadata/normalizeMetadata.ts';
import type { TokenMetadata } from '../metadata/tokenMetadata.ts';
import type { OwnerRow } from '../store/rows.ts';
import type { OwnerKey, StoreInfo } from '../store/store.ts';
import { describeTokens } from './describeTokens.ts';
import type { Listing } from './listing.ts';
import { metadataSyncs } from './metadataSyncs.ts';
import { tokenHash } from './tokenHash.ts';
import { keyOf, placeIn } from './transfersPage.ts';

export type OwnerRecord = RecordOf<typeof nftOwner>;

export const statusOf = (synced: boolean) => (synced ? 'SYNCED' : 'SYNCING');

export interface MetadataInput {
  readonly normalizeMetadata?: boolean | undefined;
  readonly mediaItems?: boolean | undefined;
}

export function ownerKeyOf({ changed, owner, token, tokenId }: OwnerKey): CursorKey {
  return [...keyOf(changed), owner, token, tokenId.toString(36)];
}

export function ownerKeyIn(key: CursorKey): OwnerKey {
  const [blockNumber = 0, logIndex = 0, position = 0, owner, token, tokenId] = key;
  return {
    changed: placeIn([blockNumber, logIndex, position]),
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
export async function ownerRecords(
  { node, indexed }: Listing,
  rows: readonly OwnerRow[],
  { normalizeMetadata = false, mediaItems = false }: MetadataInput,
  { metadata, marks, log }: HandlerContext,
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
    asked && rows.length > 0 ? metadata.read(node, rows, { media: mediaItems }, signal) : [],
  ]);
  const times = await metadataSyncs(store, rows, found, log);
  return rows.map((row, index): OwnerRecord => {
    const { row: token, spam, verified } = tokenOf(row.token);
    const fetched: TokenMetadata | undefined = found[index];
    return {
      tokenAddress: row.token,
      tokenId: row.tokenId,
      contractType: row.standard,
      ownerOf: row.owner,
      blockNumber: row.changed.blockNumber,
      blockNumberMinted: mintedBlockOf(row, store.info),
      normalizedMetadata: normalizeMetadata && fetched !== undefined ? presentMetadata(fetched.normalized) : null,
      media: mediaItems && fetched?.media ? presentMedia(fetched.media) : null,
      amount: row.amount,
      name: token?.name ?? null,
      symbol: token?.symbol ?? null,
      tokenHash: tokenHash(row.token, row.tokenId),
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
function mintedBlockOf({ standard, mintedBlock }: OwnerRow, { subject }: StoreInfo): number | null {
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
function presentMedia({ originalUrl, status, updatedAt, type, previewUrl }: Media) {
  const preview = { height: null, width: null, url: previewUrl };
  return {
    original_media_url: originalUrl,
    status,
    updatedAt: updatedAt.toISOString(),
    ...(type !== null && { mimetype: type }),
    ...(previewUrl !== null && { media_collection: { low: preview, medium: preview, high: preview } }),
  };
}
