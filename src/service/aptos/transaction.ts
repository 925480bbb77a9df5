// A committed transaction as a fullnode's REST API gives it: only what the rules read, and nothing of it is trusted.

/**
 * JSON as the node sent it. Numbers of 64 bits and more come as strings from nodes; where a parser meets a JSON number
 * past 2^53 it gives a bigint or keeps the digits as a string, never a rounded number.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** Every field is read through `fields.ts`, which answers `null` for whatever is not of the expected shape. */
export type RestTransaction = JsonObject;

/** A transaction with the height of its block, which REST transactions do not carry. */
export interface TransactionInBlock {
  readonly transaction: RestTransaction;
  /** `null` when it is not known. */
  readonly blockHeight: bigint | null;
}
