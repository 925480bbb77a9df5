// What the seven Aptos operations are made of: coin activities, token activities, token datas and token ownerships.
import type { Hex } from '../../base/hex.ts';

/**
 * In all rows: addresses are `0x` and 64 digits, lower case (`0x1` too); ids have 64 digits and no `0x`; inside type
 * strings addresses are stripped of leading zeros; times are whole seconds. Names are hostile text, as the chain has them.
 */
export type TokenStandard = 'v1' | 'v2';

/** Where in the chain something happened; newest first is descending in both. */
export interface ActivityKey {
  readonly transactionVersion: bigint;
  /** Of the event within the transaction; -1 is the gas row, which is the last of its transaction when newest is first. */
  readonly eventIndex: number;
}

/** One event of a coin or fungible asset, or the gas of one user transaction: a row of the legacy `coin_activities`. */
export interface CoinActivity extends ActivityKey {
  readonly activityType: string;
  /** In the asset's smallest unit; unsigned 64 bits. */
  readonly amount: bigint;
  /** `null` only where the source does not know it. */
  readonly blockHeight: bigint | null;
  /** What the record shows: the coin type, of a paired asset its coin's, else the metadata address; `null` when nobody can tell. */
  readonly coinType: string | null;
  /** What moved: a coin type (`v1`) or the address of a metadata object (`v2`). */
  readonly assetType: string | null;
  readonly tokenStandard: TokenStandard;
  readonly entryFunctionIdStr: string | null;
  readonly eventAccountAddress: Hex | null;
  /** -1 for gas. */
  readonly eventCreationNumber: bigint | null;
  /** For gas the transaction's sequence number; of orderless transactions that is 2^64 - 1. */
  readonly eventSequenceNumber: bigint | null;
  readonly isGasFee: boolean;
  readonly isTransactionSuccess: boolean;
  readonly ownerAddress: Hex | null;
  readonly transactionTimestamp: Date;
}

/** One event of a token: a row of the legacy `token_activities`. `coin_amount` was always null there. */
export interface TokenActivity extends ActivityKey {
  readonly tokenStandard: TokenStandard;
  readonly collectionDataIdHash: string | null;
  readonly collectionName: string | null;
  readonly creatorAddress: Hex | null;
  readonly eventAccountAddress: Hex | null;
  readonly eventCreationNumber: bigint | null;
  readonly eventSequenceNumber: bigint | null;
  readonly fromAddress: Hex | null;
  readonly toAddress: Hex | null;
  readonly name: string | null;
  readonly propertyVersion: bigint;
  readonly tokenAmount: bigint;
  readonly tokenDataIdHash: string;
  readonly transactionTimestamp: Date;
  readonly transferType: string;
}

/** Flat properties: every value as text, whatever its Move type; what can not be decoded stays hex. */
export type TokenProperties = Readonly<Record<string, unknown>>;

/** Token datas are ordered by last change, newest first, then by id. */
export interface TokenDataKey {
  readonly lastTransactionVersion: bigint;
  readonly tokenDataIdHash: string;
}

/** What a token is now: a row of the legacy `current_token_datas`. */
export interface TokenData extends TokenDataKey {
  readonly tokenStandard: TokenStandard;
  readonly collectionDataIdHash: string | null;
  readonly collectionName: string | null;
  readonly creatorAddress: Hex | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly metadataUri: string | null;
  readonly defaultProperties: TokenProperties | null;
  readonly largestPropertyVersion: bigint | null;
  readonly maximum: bigint | null;
  readonly supply: bigint | null;
  readonly payeeAddress: Hex | null;
  readonly royaltyPointsNumerator: bigint | null;
  readonly royaltyPointsDenominator: bigint | null;
  readonly maximumMutable: boolean | null;
  readonly uriMutable: boolean | null;
  readonly descriptionMutable: boolean | null;
  readonly propertiesMutable: boolean | null;
  readonly royaltyMutable: boolean | null;
  readonly lastTransactionTimestamp: Date;
}

/** Ownerships are ordered by last change, newest first, then by token, property version and owner. */
export interface OwnershipKey extends TokenDataKey {
  readonly propertyVersion: bigint;
  readonly ownerAddress: Hex;
}

/** Who holds how much of a token now, never none: a row of the legacy `current_token_ownerships`. */
export interface TokenOwnership extends OwnershipKey {
  readonly tokenStandard: TokenStandard;
  readonly amount: bigint;
  readonly collectionDataIdHash: string | null;
  readonly collectionName: string | null;
  readonly creatorAddress: Hex | null;
  readonly name: string | null;
  /** `0x3::token::TokenStore`; of objects `0x1::object::ObjectCore`. */
  readonly tableType: string | null;
  readonly tokenProperties: TokenProperties | null;
  readonly lastTransactionTimestamp: Date;
}
