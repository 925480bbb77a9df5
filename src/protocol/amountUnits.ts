// What amounts are counted in, as the contracts themselves say: asked after the rows are there, a few contracts per page.

/** A token's symbol, made harmless, and its decimals. */
export interface AmountUnit {
  readonly symbol: string | null;
  readonly decimals: number;
}

/** Lower-case address of a contract -> its unit; `null` for what is no ERC-20, or does not say its decimals. */
export type AmountUnits = Readonly<Record<string, AmountUnit | null>>;

/** Contracts that one page asks for: more tokens than anybody tells apart in one list. */
export const MAX_UNITS_PER_PAGE = 24;

/** More decimals than a token with an honest amount has: what claims them stays a raw number. */
export const MAX_UNIT_DECIMALS = 36;
