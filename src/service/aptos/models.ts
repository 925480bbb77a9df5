// The rows behind the seven Aptos operations, named after the models of the official indexer.
import type { Hex } from '../../base/hex.ts';

/**
 * In all rows, addresses are in their long form (`0x1` too), ids have 64 digits without `0x`, addresses within type
 * strings are in their short form, and times are whole seconds. Names are untrusted text from the chain.
 */
export type AptosTokenStandard = 'v1' | 'v2';

/** The position of an activity in the ledger. Lists are sorted newest first: descending by both fields. */
export interface ActivityKey {
  readonly transactionVersion: bigint;
  /** Index of the event in its transaction; -1 for the gas fee, which is the last row of its transaction in lists. */
  readonly eventIndex: number;
}

/** One event of a coin or fungible asset, or the gas fee of a user transaction: a row of the legacy table `coin_activities`. */
export interface CoinActivity extends ActivityKey {
  readonly activityType: string;
  /** In the smallest unit of the asset; a u64. */
  readonly amount: bigint;
  /** `null` when the source does not provide it. */
  readonly blockHeight: bigint | null;
  /** The coin type; for a fungible asset that of its paired coin, or else the metadata address. `null` when unknown. */
  readonly coinType: string | null;
  /** The coin type (`v1`) or the address of the metadata object (`v2`). */
  readonly assetType: string | null;
  readonly tokenStandard: AptosTokenStandard;
  readonly entryFunctionIdStr: string | null;
  readonly eventAccountAddress: Hex | null;
  /** -1 for the gas fee. */
  readonly eventCreationNumber: bigint | null;
  /** For the gas fee, the sequence number of the transaction: 2^64 - 1 for an orderless transaction. */
  readonly eventSequenceNumber: bigint | null;
  readonly isGasFee: boolean;
  readonly isTransactionSuccess: boolean;
  readonly ownerAddress: Hex | null;
  readonly transactionTimestamp: Date;
}

/** What rows of a token say of it and of its collection. */
export interface TokenNames {
  readonly tokenStandard: AptosTokenStandard;
  readonly collectionDataIdHash: string | null;
  readonly collectionName: string | null;
  readonly creatorAddress: Hex | null;
  readonly name: string | null;
}

/** One event of a token: a row of the legacy table `token_activities`, where `coin_amount` was always null. */
export interface TokenActivity extends ActivityKey, TokenNames {
  readonly eventAccountAddress: Hex | null;
  readonly eventCreationNumber: bigint | null;
  readonly eventSequenceNumber: bigint | null;
  readonly fromAddress: Hex | null;
  readonly toAddress: Hex | null;
  readonly propertyVersion: bigint;
  readonly tokenAmount: bigint;
  readonly tokenDataIdHash: string;
  readonly transactionTimestamp: Date;
  readonly transferType: string;
}

/** Property names and values. Every value is text, whatever its Move type; a value that cannot be decoded stays hex. */
export type TokenProperties = Readonly<Record<string, unknown>>;

/** Token datas are sorted by last transaction version, descending, then by id. */
export interface TokenDataKey {
  readonly lastTransactionVersion: bigint;
  readonly tokenDataIdHash: string;
}

/** The current state of a token: a row of the legacy table `current_token_datas`. */
export interface TokenData extends TokenDataKey, TokenNames {
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

/** Ownerships are sorted by last transaction version, descending, then by token, property version and owner. */
export interface OwnershipKey extends TokenDataKey {
  readonly propertyVersion: bigint;
  readonly ownerAddress: Hex;
}

/** A current owner of a token and the amount, which is never 0: a row of the legacy table `current_token_ownerships`. */
export interface TokenOwnership extends OwnershipKey, TokenNames {
  readonly amount: bigint;
  /** `0x3::token::TokenStore`, or `0x1::object::ObjectCore` for objects. */
  readonly tableType: string | null;
  readonly tokenProperties: TokenProperties | null;
  readonly lastTransactionTimestamp: Date;
}
