// Units of token amounts, fetched from the tokens' contracts after the rows are shown.

/** A token's symbol, sanitized, and its decimals. */
export interface AmountUnit {
  readonly symbol: string | null;
  readonly decimals: number;
}

/** Lower-case address of a contract -> its unit; `null` for one that is no ERC-20 or does not return its decimals. */
export type AmountUnits = Readonly<Record<string, AmountUnit | null>>;

/** Contracts that one page fetches units of: more tokens than a reader tells apart in one list. */
export const MAX_UNITS_PER_PAGE = 24;

/** Tokens that claim more decimals than this are not trusted: their amounts stay raw numbers. */
export const MAX_UNIT_DECIMALS = 36;
