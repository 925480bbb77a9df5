// Completes token datas from the indexer with the mutability flags and object royalties that only the fullnode has.
import { LRUCache } from 'lru-cache';
import { type HexLensError, isFault, toFault } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { mapConcurrently } from '../../../base/mapConcurrently.ts';
import { asAddress, asBoolean, asString, asUnsigned, getField, type Json } from '../jsonFields.ts';
import type { TokenData } from '../models.ts';
import type { Enriched } from './activityEnricher.ts';
import type { FullnodeClient } from './fullnodeClient.ts';

type TokenDetails = Partial<TokenData>;
type FetchResource = (address: Hex, type: string) => Promise<Json>;

/** Rejects only with `cancelled`. */
export type EnrichTokenDatas = (
  rows: readonly TokenData[],
  signal: AbortSignal | undefined,
) => Promise<Enriched<TokenData>>;

const MAX_CONCURRENT_TOKENS = 8;
/** Some flags, an address and two numbers each: at most 10 MB. */
const MAX_CACHED_TOKENS = 20_000;

export function createTokenDataEnricher(fullnode: FullnodeClient | null): EnrichTokenDatas {
  /** The key contains the version of the token's last change: until the next one, its details stay the same. */
  const detailsCache = new LRUCache<string, TokenDetails>({ max: MAX_CACHED_TOKENS });

  return async (rows, signal) => {
    if (fullnode === null)
      return { rows, partialReason: describePlaceholders('No node is configured for this network', rows.length) };
    const resources = new Map<string, Promise<Json>>();
    const fetchResource: FetchResource = (address, type) => {
      const key = `${address} ${type}`;
      const request = resources.get(key) ?? fullnode.fetchResource(address, type, undefined, signal);
      resources.set(key, request);
      return request;
    };
    let failure: HexLensError | null = null;
    const details = await mapConcurrently(rows, MAX_CONCURRENT_TOKENS, async row => {
      const key = `${row.tokenDataIdHash} ${row.lastTransactionVersion}`;
      const cached = detailsCache.get(key);
      if (cached !== undefined || failure !== null) return cached ?? null;
      try {
        const fetched =
          row.tokenStandard === 'v1'
            ? await fetchTokenV1Details(row, fetchResource, fullnode, signal)
            : await fetchObjectTokenDetails(row, fetchResource);
        detailsCache.set(key, fetched);
        return fetched;
      } catch (error) {
        const fault = toFault(error);
        if (signal?.aborted || isFault(fault, 'cancelled')) throw fault;
        failure = fault;
        return null;
      }
    });
    const missingCount = details.filter(fetched => fetched === null).length;
    const fault = failure as HexLensError | null; // assigned in a callback, which narrowing does not see
    const reason = (fault?.message ?? 'The node did not respond').replace(/\.$/, '');
    return {
      rows: rows.map((row, index) => ({ ...row, ...details[index] })),
      partialReason: missingCount === 0 ? null : describePlaceholders(reason, missingCount),
    };
  };
}

const describePlaceholders = (reason: string, count: number) =>
  `${reason}: in ${count} record${count === 1 ? '' : 's'} the mutability flags are the indexer's placeholders (true).`;

async function fetchTokenV1Details(
  { creatorAddress, collectionName, name }: TokenData,
  fetchResource: FetchResource,
  fullnode: FullnodeClient,
  signal: AbortSignal | undefined,
): Promise<TokenDetails> {
  const collections = creatorAddress === null ? null : await fetchResource(creatorAddress, '0x3::token::Collections');
  const handle = asString(getField(collections, 'token_data', 'handle'));
  const tokenData =
    handle === null
      ? null
      : await fullnode.fetchTableItem(
          {
            handle,
            keyType: '0x3::token::TokenDataId',
            valueType: '0x3::token::TokenData',
            key: { creator: creatorAddress, collection: collectionName, name },
          },
          signal,
        );
  const isMutable = (field: string) => asBoolean(getField(tokenData, 'mutability_config', field));
  return {
    maximumMutable: isMutable('maximum'),
    uriMutable: isMutable('uri'),
    descriptionMutable: isMutable('description'),
    propertiesMutable: isMutable('properties'),
    royaltyMutable: isMutable('royalty'),
  };
}

async function fetchObjectTokenDetails(
  { collectionDataIdHash, tokenDataIdHash }: TokenData,
  fetchResource: FetchResource,
): Promise<TokenDetails> {
  const collection: Hex = `0x${collectionDataIdHash ?? '0'}`;
  const [aptosCollection, tokenRoyalty, collectionRoyalty] = await Promise.all([
    fetchResource(collection, '0x4::aptos_token::AptosCollection'),
    fetchResource(`0x${tokenDataIdHash}`, '0x4::royalty::Royalty'),
    fetchResource(collection, '0x4::royalty::Royalty'),
  ]);
  const isMutable = (field: string) => asBoolean(getField(aptosCollection, field));
  const royalty = tokenRoyalty ?? collectionRoyalty;
  return {
    maximumMutable: null,
    uriMutable: isMutable('mutable_token_uri'),
    descriptionMutable: isMutable('mutable_token_description'),
    propertiesMutable: isMutable('mutable_token_properties'),
    royaltyMutable: isMutable('mutable_royalty'),
    payeeAddress: asAddress(getField(royalty, 'payee_address')),
    royaltyPointsNumerator: asUnsigned(getField(royalty, 'numerator')),
    royaltyPointsDenominator: asUnsigned(getField(royalty, 'denominator')),
  };
}
