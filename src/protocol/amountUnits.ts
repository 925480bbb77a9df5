// Units of token amounts, fetched from the tokens' contracts after the rows are shown.
import type { TokenUnit } from '../api/lookups.ts';
import { sanitizeText } from '../base/displayText.ts';
import { MAX_TOKEN_DECIMALS, type TokenAmountUnit } from '../base/formatUnits.ts';
import { parseAmountToken } from '../decode/amountTokens.ts';
import { NATIVE_COIN } from '../decode/seaportTrade.ts';

export type AmountUnit = TokenAmountUnit;

/** Lower-case address of a contract, as `parseAmountToken` reads it, or `NATIVE_COIN` -> its unit; `null` for one that is no ERC-20 or does not return its decimals. */
export type AmountUnits = Readonly<Record<string, AmountUnit | null>>;

/** The text names a token contract (lower-case address) or the chain's coin. */
export const isAmountToken = (text: string): boolean =>
  text === NATIVE_COIN || /^0x[0-9a-f]{40}$/.test(parseAmountToken(text).contract);

/** Contracts that one page fetches units of: more tokens than a reader tells apart in one list. */
export const MAX_UNITS_PER_PAGE = 24;

const MAX_SYMBOL_LENGTH = 24;

/** A symbol without a letter or a sign of its own, or one like `000 USD`, would read as more digits of the amount. */
const isUnambiguousSymbol = (symbol: string): boolean =>
  /[\p{L}\p{So}\p{Sc}]/u.test(symbol) && !/^[\p{N}\p{P}\s]+\s/u.test(symbol);

const NO_UNIT = { symbol: null, decimals: null };

/**
 * Only amounts of an ERC-20 have decimals: an ERC-721 with a `decimals()` still has ids. `token`: what the amount is of, as
 * `getAmountTokens` names it.
 */
export function toAmountUnit({ standard, underlying, ...own }: Omit<TokenUnit, 'kind'>, token = ''): AmountUnit | null {
  const isOwn = standard === 'ERC20' && !parseAmountToken(token).isAsset;
  const { symbol, decimals } = (isOwn ? own : underlying) ?? NO_UNIT;
  if (decimals === null || decimals > MAX_TOKEN_DECIMALS) return null;
  const plain = sanitizeText(symbol ?? '', MAX_SYMBOL_LENGTH);
  return { symbol: isUnambiguousSymbol(plain) ? plain : null, decimals };
}
