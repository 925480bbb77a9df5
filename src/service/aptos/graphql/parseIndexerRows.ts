// Rows of the indexer's tables as our rows: what its columns do not say gets the stand-ins of the official bridge views.
import type { Hex } from '../../../base/hex.ts';
import { isJsonObject, parseU64 } from '../fullnode/fullnodeClient.ts';
import type {
  CoinActivity,
  TokenActivity,
  TokenData,
  TokenOwnership,
  TokenProperties,
  TokenStandard,
} from '../models.ts';
import type { Json, JsonObject } from '../transaction.ts';

const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
const flag = (value: Json | undefined): boolean | null => (typeof value === 'boolean' ? value : null);
const inner = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** A whole number of any size and sign. */
function whole(value: Json | undefined): bigint | null {
  const unsigned = parseU64(value);
  if (unsigned !== null) return unsigned;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? BigInt(value) : null;
}

/** An address in its long form. */
function address(value: Json | undefined): Hex | null {
  const digits = typeof value === 'string' ? /^0x([0-9a-f]{1,64})$/i.exec(value)?.[1] : undefined;
  return digits === undefined ? null : `0x${digits.toLowerCase().padStart(64, '0')}`;
}

/** An id without its `0x`: exactly the two characters, since a hash may begin with zeros. */
const id = (value: Json | undefined): string | null => address(value)?.slice(2) ?? null;

/** `2023-03-26T21:48:41.317738`, in UTC though it does not say so, as whole seconds. */
function time(value: Json | undefined): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z?$/.test(value)) return null;
  const moment = new Date(`${value.slice(0, 19)}Z`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

const standard = (value: Json | undefined): TokenStandard => (value === 'v2' ? 'v2' : 'v1');

/** Flat properties: a value that is no text stays as JSON has it. */
const properties = (value: Json | undefined): TokenProperties | null => (isJsonObject(value) ? value : null);

function place(row: JsonObject) {
  const transactionVersion = parseU64(row['transaction_version']);
  const eventIndex = whole(row['event_index']);
  const transactionTimestamp = time(row['transaction_timestamp']);
  if (transactionVersion === null || eventIndex === null || transactionTimestamp === null) return null;
  return { transactionVersion, eventIndex: Number(eventIndex), transactionTimestamp };
}

function lastChange(row: JsonObject) {
  const lastTransactionVersion = parseU64(row['last_transaction_version']);
  const lastTransactionTimestamp = time(row['last_transaction_timestamp']);
  if (lastTransactionVersion === null || lastTransactionTimestamp === null) return null;
  return { lastTransactionVersion, lastTransactionTimestamp };
}

function collectionOf(data: JsonObject) {
  const collection = inner(data['current_collection']);
  return {
    collectionDataIdHash: id(data['collection_id']),
    collectionName: text(collection['collection_name']),
    creatorAddress: address(collection['creator_address']),
  };
}

/** A row of `fungible_asset_activities`; `coinType` still is the asset. `null` when it lacks what every row has. */
export function parseCoinActivity(row: JsonObject): CoinActivity | null {
  const at = place(row);
  const activityType = text(row['type']);
  if (at === null || activityType === null) return null;
  const ownerAddress = address(row['owner_address']);
  const isGasFee = flag(row['is_gas_fee']) === true;
  const assetType = text(row['asset_type']);
  return {
    ...at,
    activityType,
    amount: whole(row['amount']) ?? 0n,
    blockHeight: parseU64(row['block_height']),
    coinType: assetType,
    assetType,
    tokenStandard: standard(row['token_standard']),
    entryFunctionIdStr: text(row['entry_function_id_str']),
    eventAccountAddress: ownerAddress,
    eventCreationNumber: isGasFee ? -1n : 0n,
    eventSequenceNumber: 0n,
    isGasFee,
    isTransactionSuccess: flag(row['is_transaction_success']) !== false,
    ownerAddress,
  };
}

/** A row of `token_activities_v2`. */
export function parseTokenActivity(row: JsonObject): TokenActivity | null {
  const at = place(row);
  const transferType = text(row['type']);
  const tokenDataIdHash = id(row['token_data_id']);
  if (at === null || transferType === null || tokenDataIdHash === null) return null;
  const data = inner(row['current_token_data']);
  return {
    ...at,
    ...collectionOf(data),
    tokenStandard: standard(row['token_standard']),
    eventAccountAddress: address(row['event_account_address']),
    eventCreationNumber: 0n,
    eventSequenceNumber: 0n,
    fromAddress: address(row['from_address']),
    toAddress: address(row['to_address']),
    name: text(data['token_name']),
    propertyVersion: whole(row['property_version_v1']) ?? 0n,
    tokenAmount: whole(row['token_amount']) ?? 0n,
    tokenDataIdHash,
    transferType,
  };
}

/** A row of `current_token_datas_v2`; all may be changed, as the official view had it for want of a column. */
export function parseTokenData(row: JsonObject): TokenData | null {
  const at = lastChange(row);
  const tokenDataIdHash = id(row['token_data_id']);
  if (at === null || tokenDataIdHash === null) return null;
  const royalty = inner(row['current_royalty_v1']);
  return {
    ...at,
    ...collectionOf(row),
    tokenStandard: standard(row['token_standard']),
    tokenDataIdHash,
    name: text(row['token_name']),
    description: text(row['description']),
    metadataUri: text(row['token_uri']),
    defaultProperties: properties(row['token_properties']),
    largestPropertyVersion: whole(row['largest_property_version_v1']),
    maximum: whole(row['maximum']),
    supply: whole(row['supply']),
    payeeAddress: address(royalty['payee_address']),
    royaltyPointsNumerator: whole(royalty['royalty_points_numerator']),
    royaltyPointsDenominator: whole(royalty['royalty_points_denominator']),
    maximumMutable: true,
    uriMutable: true,
    descriptionMutable: true,
    propertiesMutable: true,
    royaltyMutable: true,
  };
}

/** A row of `current_token_ownerships_v2`. */
export function parseTokenOwnership(row: JsonObject): TokenOwnership | null {
  const at = lastChange(row);
  const tokenDataIdHash = id(row['token_data_id']);
  const ownerAddress = address(row['owner_address']);
  if (at === null || tokenDataIdHash === null || ownerAddress === null) return null;
  const data = inner(row['current_token_data']);
  const tokenStandard = standard(row['token_standard']);
  const mutated = properties(row['token_properties_mutated_v1']);
  return {
    ...at,
    ...collectionOf(data),
    tokenStandard,
    tokenDataIdHash,
    ownerAddress,
    amount: whole(row['amount']) ?? 0n,
    name: text(data['token_name']),
    propertyVersion: whole(row['property_version_v1']) ?? 0n,
    tableType: text(row['table_type_v1']) ?? (tokenStandard === 'v2' ? '0x1::object::ObjectCore' : null),
    tokenProperties: tokenStandard === 'v2' ? properties(data['token_properties']) : mutated,
  };
}
