// What tokens count their amounts in: each one is told as soon as its chain has answered, and none holds up another.

import type { TokenUnit } from '../../api/lookups.ts';
import { sanitizeText } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import { type AmountUnit, MAX_UNIT_DECIMALS } from '../../protocol/amountUnits.ts';
import type { Question } from '../../protocol/messages.ts';
import type { DataPorts } from './inspectorPorts.ts';
import type { PostResponse } from './pageRequests.ts';

/** As long as symbols are; longer ones are text of somebody else's. */
const LONGEST_SYMBOL = 24;

/** Without a letter or a sign of its own it would read as more digits of the amount before it, as would `000 USD`. */
const reads = (symbol: string): boolean => /[\p{L}\p{So}\p{Sc}]/u.test(symbol) && !/^[\p{N}\p{P}\s]+\s/u.test(symbol);

/** Amounts of an ERC-20 alone have decimals: an ERC-721 with a `decimals()` still has ids. */
export function toUnit({ standard, symbol, decimals }: TokenUnit): AmountUnit | null {
  if (standard !== 'ERC20' || decimals === null || decimals > MAX_UNIT_DECIMALS) return null;
  const plain = sanitizeText(symbol ?? '', LONGEST_SYMBOL);
  return { symbol: reads(plain) ? plain : null, decimals };
}

/** A contract that does not answer has no unit: its amounts stay the numbers that they are. */
export async function postUnits(
  { chain, contracts }: Extract<Question, { readonly kind: 'units' }>,
  { lookup }: Pick<DataPorts, 'lookup'>,
  say: PostResponse,
  signal: AbortSignal,
): Promise<void> {
  const one = async (contract: string) => {
    const found = await lookup('tokenUnit', { chain, address: contract as Hex }, signal).catch(() => null);
    say({ type: 'units', units: { [contract]: found === null ? null : toUnit(found) } });
  };
  await Promise.all(contracts.map(one));
}
