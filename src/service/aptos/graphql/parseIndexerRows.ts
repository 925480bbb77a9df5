// Parses rows of the indexer's tables. What their columns lack gets the placeholders of the official legacy views.
import { asAddress, asBoolean, asObject, asString, type JsonObject, type JsonValue, parseU64 } from '../jsonFields.ts';
import type { AptosTokenStandard, CoinActivity, TokenActivity, TokenData, TokenOwnership } from '../models.ts';

const NO_FIELDS: JsonObject = {};
const asRelation = (value: JsonValue): JsonObject => asObject(value) ?? NO_FIELDS;

/** An integer of any size and sign. */
function asInteger(value: JsonValue): bigint | null {
  const unsigned = parseU64(value);
  if (unsigned !== null) return unsigned;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? BigInt(value) : null;
}

/** An id without its `0x`. Leading zeros belong to the hash. */
const asIdHash = (value: JsonValue): string | null => asAddress(value)?.slice(2) ?? null;

/** `2023-03-26T21:48:41.317738` in UTC, truncated to whole seconds. */
function asTimestamp(value: JsonValue): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z?$/.test(value)) return null;
  const timestamp = new Date(`${value.slice(0, 19)}Z`);
  return Number.isNaN(timestamp.getTime()) ? null : timestamp;
}

const asTokenStandard = (value: JsonValue): AptosTokenStandard => (value === 'v2' ? 'v2' : 'v1');

function parseActivityKey(row: JsonObject) {
  const transactionVersion = parseU64(row['transaction_version']);
  const eventIndex = asInteger(row['event_index']);
  const transactionTimestamp = asTimestamp(row['transaction_timestamp']);
  if (transactionVersion === null || eventIndex === null || transactionTimestamp === null) return null;
  return { transactionVersion, eventIndex: Number(eventIndex), transactionTimestamp };
}

function parseLastChange(row: JsonObject) {
  const lastTransactionVersion = parseU64(row['last_transaction_version']);
  const lastTransactionTimestamp = asTimestamp(row['last_transaction_timestamp']);
  if (lastTransactionVersion === null || lastTransactionTimestamp === null) return null;
  return { lastTransactionVersion, lastTransactionTimestamp };
}

function parseCollection(data: JsonObject) {
  const collection = asRelation(data['current_collection']);
  return {
    collectionDataIdHash: asIdHash(data['collection_id']),
    collectionName: asString(collection['collection_name']),
    creatorAddress: asAddress(collection['creator_address']),
  };
}

/** A row of `fungible_asset_activities`, with the asset type as its coin type; `null` when a required column is missing. */
export function parseCoinActivity(row: JsonObject): CoinActivity | null {
  const key = parseActivityKey(row);
  const activityType = asString(row['type']);
  if (key === null || activityType === null) return null;
  const ownerAddress = asAddress(row['owner_address']);
  const isGasFee = asBoolean(row['is_gas_fee']) === true;
  const assetType = asString(row['asset_type']);
  return {
    ...key,
    activityType,
    amount: asInteger(row['amount']) ?? 0n,
    blockHeight: parseU64(row['block_height']),
    coinType: assetType,
    assetType,
    tokenStandard: asTokenStandard(row['token_standard']),
    entryFunctionIdStr: asString(row['entry_function_id_str']),
    eventAccountAddress: ownerAddress,
    eventCreationNumber: isGasFee ? -1n : 0n,
    eventSequenceNumber: 0n,
    isGasFee,
    isTransactionSuccess: asBoolean(row['is_transaction_success']) !== false,
    ownerAddress,
  };
}

/** A row of `token_activities_v2`. */
export function parseTokenActivity(row: JsonObject): TokenActivity | null {
  const key = parseActivityKey(row);
  const transferType = asString(row['type']);
  const tokenDataIdHash = asIdHash(row['token_data_id']);
  if (key === null || transferType === null || tokenDataIdHash === null) return null;
  const data = asRelation(row['current_token_data']);
  return {
    ...key,
    ...parseCollection(data),
    tokenStandard: asTokenStandard(row['token_standard']),
    eventAccountAddress: asAddress(row['event_account_address']),
    eventCreationNumber: 0n,
    eventSequenceNumber: 0n,
    fromAddress: asAddress(row['from_address']),
    toAddress: asAddress(row['to_address']),
    name: asString(data['token_name']),
    propertyVersion: asInteger(row['property_version_v1']) ?? 0n,
    tokenAmount: asInteger(row['token_amount']) ?? 0n,
    tokenDataIdHash,
    transferType,
  };
}

/** A row of `current_token_datas_v2`. Like the official view, it has `true` for all mutability flags, which have no column. */
export function parseTokenData(row: JsonObject): TokenData | null {
  const lastChange = parseLastChange(row);
  const tokenDataIdHash = asIdHash(row['token_data_id']);
  if (lastChange === null || tokenDataIdHash === null) return null;
  const royalty = asRelation(row['current_royalty_v1']);
  return {
    ...lastChange,
    ...parseCollection(row),
    tokenStandard: asTokenStandard(row['token_standard']),
    tokenDataIdHash,
    name: asString(row['token_name']),
    description: asString(row['description']),
    metadataUri: asString(row['token_uri']),
    defaultProperties: asObject(row['token_properties']),
    largestPropertyVersion: asInteger(row['largest_property_version_v1']),
    maximum: asInteger(row['maximum']),
    supply: asInteger(row['supply']),
    payeeAddress: asAddress(royalty['payee_address']),
    royaltyPointsNumerator: asInteger(royalty['royalty_points_numerator']),
    royaltyPointsDenominator: asInteger(royalty['royalty_points_denominator']),
    maximumMutable: true,
    uriMutable: true,
    descriptionMutable: true,
    propertiesMutable: true,
    royaltyMutable: true,
  };
}

/** A row of `current_token_ownerships_v2`. */
export function parseTokenOwnership(row: JsonObject): TokenOwnership | null {
  const lastChange = parseLastChange(row);
  const tokenDataIdHash = asIdHash(row['token_data_id']);
  const ownerAddress = asAddress(row['owner_address']);
  if (lastChange === null || tokenDataIdHash === null || ownerAddress === null) return null;
  const data = asRelation(row['current_token_data']);
  const tokenStandard = asTokenStandard(row['token_standard']);
  const mutated = asObject(row['token_properties_mutated_v1']);
  return {
    ...lastChange,
    ...parseCollection(data),
    tokenStandard,
    tokenDataIdHash,
    ownerAddress,
    amount: asInteger(row['amount']) ?? 0n,
    name: asString(data['token_name']),
    propertyVersion: asInteger(row['property_version_v1']) ?? 0n,
    tableType: asString(row['table_type_v1']) ?? (tokenStandard === 'v2' ? '0x1::object::ObjectCore' : null),
    tokenProperties: tokenStandard === 'v2' ? asObject(data['token_properties']) : mutated,
  };
}
