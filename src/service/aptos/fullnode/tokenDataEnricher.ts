// What of a token may still be changed, and royalties of objects: the indexer has no columns for them, the node has.
import { type HexLensError, isFault, toFault } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { createLru } from '../../../base/lru.ts';
import { mapConcurrently } from '../../evm/rpcClient.ts';
import { asAddress, asBoolean, asString, asUnsigned, getField } from '../jsonFields.ts';
import type { TokenData } from '../models.ts';
import type { Json } from '../transaction.ts';
import type { Enriched } from './activityEnricher.ts';
import type { FullnodeClient } from './fullnodeClient.ts';

type Details = Partial<TokenData>;

export type EnrichTokenDatas = (
  rows: readonly TokenData[],
  signal: AbortSignal | undefined,
) => Promise<Enriched<TokenData>>;

const AT_ONCE = 8;
/** Flags, an address and two numbers each: 10 MB. */
const KEPT = { maxEntries: 20_000 };

/** Rejects with `cancelled` only. */
export function createTokenDataEnricher(node: FullnodeClient | null): EnrichTokenDatas {
  /** By token and the version of its last change: until the next change they are the same. */
  const kept = createLru<string, Details>(KEPT);

  return async (rows, signal) => {
    if (node === null) return { rows, partialReason: standIns('No node is configured for this network', rows.length) };
    const resources = new Map<string, Promise<Json>>();
    const resource = (address: Hex, type: string): Promise<Json> => {
      const key = `${address} ${type}`;
      const reading = resources.get(key) ?? node.fetchResource(address, type, undefined, signal);
      resources.set(key, reading);
      return reading;
    };
    let down: HexLensError | null = null;
    const details = await mapConcurrently(rows, AT_ONCE, async row => {
      const key = `${row.tokenDataIdHash} ${row.lastTransactionVersion}`;
      const known = kept.get(key);
      if (known !== undefined || down !== null) return known ?? null;
      try {
        const found =
          row.tokenStandard === 'v1' ? await detailsV1(row, resource, node, signal) : await detailsV2(row, resource);
        kept.set(key, found);
        return found;
      } catch (error) {
        const fault = toFault(error);
        if (signal?.aborted || isFault(fault, 'cancelled')) throw fault;
        down = fault;
        return null;
      }
    });
    const missing = details.filter(found => found === null).length;
    const fault = down as HexLensError | null; // assigned in callbacks, which the compiler does not follow
    return {
      rows: rows.map((row, index) => ({ ...row, ...details[index] })),
      partialReason:
        missing === 0 ? null : standIns((fault?.message ?? 'The node is silent').replace(/\.$/, ''), missing),
    };
  };
}

const standIns = (why: string, count: number) =>
  `${why}: in ${count} record${count === 1 ? '' : 's'} what may be changed is the indexer's stand-in (true).`;

async function detailsV1(
  { creatorAddress, collectionName, name }: TokenData,
  resource: (address: Hex, type: string) => Promise<Json>,
  node: FullnodeClient,
  signal: AbortSignal | undefined,
): Promise<Details> {
  const collections = creatorAddress === null ? null : await resource(creatorAddress, '0x3::token::Collections');
  const handle = asString(getField(collections ?? undefined, 'token_data', 'handle'));
  const item =
    handle === null
      ? null
      : await node.fetchTableItem(
          {
            handle,
            keyType: '0x3::token::TokenDataId',
            valueType: '0x3::token::TokenData',
            key: { creator: creatorAddress, collection: collectionName, name },
          },
          signal,
        );
  const mutable = (field: string) => asBoolean(getField(item ?? undefined, 'mutability_config', field));
  return {
    maximumMutable: mutable('maximum'),
    uriMutable: mutable('uri'),
    descriptionMutable: mutable('description'),
    propertiesMutable: mutable('properties'),
    royaltyMutable: mutable('royalty'),
  };
}

async function detailsV2(
  { collectionDataIdHash, tokenDataIdHash }: TokenData,
  resource: (address: Hex, type: string) => Promise<Json>,
): Promise<Details> {
  const collection: Hex = `0x${collectionDataIdHash ?? '0'}`;
  const [mutability, own, shared] = await Promise.all([
    resource(collection, '0x4::aptos_token::AptosCollection'),
    resource(`0x${tokenDataIdHash}`, '0x4::royalty::Royalty'),
    resource(collection, '0x4::royalty::Royalty'),
  ]);
  const flag = (field: string) => asBoolean(getField(mutability ?? undefined, field));
  const royalty = own ?? shared ?? undefined;
  return {
    maximumMutable: null,
    uriMutable: flag('mutable_token_uri'),
    descriptionMutable: flag('mutable_token_description'),
    propertiesMutable: flag('mutable_token_properties'),
    royaltyMutable: flag('mutable_royalty'),
    payeeAddress: asAddress(getField(royalty, 'payee_address')),
    royaltyPointsNumerator: asUnsigned(getField(royalty, 'numerator')),
    royaltyPointsDenominator: asUnsigned(getField(royalty, 'denominator')),
  };
}
