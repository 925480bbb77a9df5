// Owner rows of a page as records of the API, with token metadata when the client wants it.
import { md5 } from '@noble/hashes/legacy.js';
import type { nftOwner } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { type CursorKey, encodeCursorTokenId, parseCursorAddress, parseCursorTokenId } from '../../api/wire/cursor.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { HandlerContext } from '../handler.ts';
import type { CurrentIndex } from '../indexer/indexes.ts';
import type { TokenMedia } from '../metadata/fetchMedia.ts';
import type { NormalizedMetadata } from '../metadata/normalizeMetadata.ts';
import type { TokenMetadata } from '../metadata/tokenMetadata.ts';
import { type MetadataSyncTimes, type NftKey, type OwnerRow, serializeNftKey } from '../store/rows.ts';
import type { OwnerKey, Store, StoreInfo } from '../store/store.ts';
import { describeTokens } from './describeTokens.ts';
import { decodeLogPosition, encodeLogPosition, getSyncStatus, type Listing, LOG_POSITION_FIELDS } from './listing.ts';

/**
 * The `token_hash` of an NFT, as hosts compute it: MD5 of the lower-case address followed by the decimal id, in hex without
 * `0x`. A name, not a security feature.
 */
export function computeTokenHash(token: Hex, tokenId: bigint): string {
  return bytesToHex(md5(new TextEncoder().encode(`${token.toLowerCase()}${tokenId}`))).slice(2);
}

type OwnerRecord = InferRecord<typeof nftOwner>;

interface MetadataInput {
  readonly normalizeMetadata?: boolean | undefined;
  readonly mediaItems?: boolean | undefined;
}

function encodeOwnerKey({ changedAt, owner, tokenAddress, tokenId }: OwnerKey): CursorKey {
  return [...encodeLogPosition(changedAt), owner, tokenAddress, encodeCursorTokenId(tokenId)];
}

export function decodeOwnerKey(key: CursorKey): OwnerKey {
  const [owner, token, tokenId] = key.slice(LOG_POSITION_FIELDS);
  return {
    changedAt: decodeLogPosition(key),
    owner: parseCursorAddress(owner),
    tokenAddress: parseCursorAddress(token),
    tokenId: parseCursorTokenId(tokenId),
  };
}

/** The page of `shown`, the first of `rows`: `rows` has one more where there are more. */
export async function finishOwners(
  listing: Listing<CurrentIndex>,
  {
    rows,
    shown,
    total,
  }: { readonly rows: readonly OwnerRow[]; readonly shown: readonly OwnerRow[]; readonly total: number | null },
  input: MetadataInput,
  context: HandlerContext,
  signal: AbortSignal | undefined,
) {
  return listing.finish({
    rows,
    total,
    records: await readOwnerRecords(listing, shown, input, context, signal),
    encodeKey: encodeOwnerKey,
    extra: { status: getSyncStatus(listing.source.isSynced) },
    isUncacheable: input.normalizeMetadata === true || input.mediaItems === true,
  });
}

/** The records of the rows that the page shows. */
async function readOwnerRecords(
  { node, source }: Listing<CurrentIndex>,
  rows: readonly OwnerRow[],
  { normalizeMetadata = false, mediaItems = false }: MetadataInput,
  { metadata, getAddressBook, log }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<readonly OwnerRecord[]> {
  const { store } = source;
  const needsMetadata = (normalizeMetadata || mediaItems) && rows.length > 0;
  const addresses = rows.map(row => row.tokenAddress);
  const [getToken, fetched] = await Promise.all([
    describeTokens(store, addresses, getAddressBook(node.selector).getTrust),
    needsMetadata ? metadata.fetch(node, rows, { media: mediaItems }, signal) : [],
  ]);
  const syncTimes = await updateMetadataSyncs(store, rows, fetched, log);
  return rows.map((row, index): OwnerRecord => {
    const { row: token, spamReason, isVerified } = getToken(row.tokenAddress);
    const tokenMetadata: TokenMetadata | undefined = fetched[index];
    const hasNormalized = normalizeMetadata && tokenMetadata !== undefined;
    return {
      tokenAddress: row.tokenAddress,
      tokenId: row.tokenId,
      contractType: row.standard,
      ownerOf: row.owner,
      blockNumber: row.changedAt.blockNumber,
      blockNumberMinted: getMintedBlock(row, store.info),
      normalizedMetadata: hasNormalized ? toWireMetadata(tokenMetadata.normalized) : null,
      media: mediaItems && tokenMetadata?.media ? toWireMedia(tokenMetadata.media) : null,
      amount: row.amount,
      name: token?.name ?? null,
      symbol: token?.symbol ?? null,
      tokenHash: computeTokenHash(row.tokenAddress, row.tokenId),
      lastTokenUriSync: syncTimes[index]?.tokenUri ?? null,
      lastMetadataSync: syncTimes[index]?.metadata ?? null,
      possibleSpam: spamReason !== null,
      verifiedCollection: isVerified,
      tokenUri: tokenMetadata?.tokenUri ?? null,
      metadata: tokenMetadata?.document ?? null,
      minterAddress: null,
    };
  });
}

/** The index of a wallet lacks mints to others: of an ERC-1155 id the first mint may be one of them. */
function getMintedBlock({ standard, mintedBlock }: OwnerRow, { scope }: StoreInfo): number | null {
  return scope?.kind === 'wallet' && standard === 'ERC1155' ? null : mintedBlock;
}

/** All fields as hosts write them, whatever the metadata holds. */
function toWireMetadata(metadata: NormalizedMetadata) {
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

/** All three sizes are the original image, whose dimensions are not known; what is not available is `null`. */
function toWireMedia({ originalUrl, status, updatedAt, type, previewUrl }: TokenMedia) {
  const preview = { height: null, width: null, url: previewUrl };
  return {
    original_media_url: originalUrl,
    status,
    updatedAt: updatedAt.toISOString(),
    mimetype: type,
    media_collection: previewUrl === null ? null : { low: preview, medium: preview, high: preview },
  };
}

interface SyncDates {
  readonly tokenUri: Date | null;
  readonly metadata: Date | null;
}

const toDateOrNull = (time: number | null | undefined) => (time == null ? null : new Date(time));

/**
 * When the metadata of each id was last fetched, in the order of the keys. `fetched` is the metadata that was fetched just
 * now, in the same order, or empty: its times are stored.
 */
async function updateMetadataSyncs(
  store: Pick<Store, 'readMetadataSyncs' | 'writeMetadataSyncs'>,
  keys: readonly NftKey[],
  fetched: readonly TokenMetadata[],
  log: Log,
): Promise<readonly SyncDates[]> {
  const newSyncs = keys.flatMap(({ tokenAddress, tokenId }, index): readonly MetadataSyncTimes[] => {
    const times = fetched[index]?.readAt;
    return times === undefined || times.tokenUriSyncedAt === null ? [] : [{ tokenAddress, tokenId, ...times }];
  });
  // The page matters more than these times: a full disk must not make it fail.
  if (newSyncs.length > 0)
    await store
      .writeMetadataSyncs(newSyncs)
      .catch(error => log.debug(`The time at which metadata was read could not be stored: ${error}`));
  const byKey = (syncs: readonly MetadataSyncTimes[]) => new Map(syncs.map(sync => [serializeNftKey(sync), sync]));
  const current = byKey(newSyncs);
  const stored = byKey(await store.readMetadataSyncs(keys));
  return keys.map(key => {
    const name = serializeNftKey(key);
    const [now, before] = [current.get(name), stored.get(name)];
    return {
      tokenUri: toDateOrNull(now?.tokenUriSyncedAt ?? before?.tokenUriSyncedAt),
      metadata: toDateOrNull(now?.metadataSyncedAt ?? before?.metadataSyncedAt),
    };
  });
}
