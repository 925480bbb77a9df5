// Texts of rows: names and short forms of addresses, token ids, amounts and times.
import { checksumAddress } from '../../base/checksumAddress.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { isAddress } from '../../base/hex.ts';
import { formatRelativeTime, formatUtcTime } from '../formatTime.ts';
import type { Fact, RowContext } from './treeRow.ts';

/** An EVM address with its checksum; any other text unchanged. */
export const toDisplayAddress = (address: string): string => (isAddress(address) ? checksumAddress(address) : address);

/** The saved name, or the short form. */
export const formatAddress = (address: string, { getName }: Pick<RowContext, 'getName'>): string =>
  getName(address) ?? shortenHex(toDisplayAddress(address));

/** Name and full address. */
export function formatFullAddress(address: string, { getName }: Pick<RowContext, 'getName'>): string {
  const name = getName(address);
  return name === null ? toDisplayAddress(address) : `${name} (${toDisplayAddress(address)})`;
}

/** `#12`; ids of 256 bits are shortened in the middle. */
export function formatTokenId(id: bigint): string {
  const digits = id.toString();
  return `#${digits.length > 14 ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits}`;
}

/** Text from a chain, sanitized; `null` when nothing readable is in it. */
export function toReadableName(text: string | null, limit = 48): string | null {
  const clean = text === null ? '' : sanitizeText(text, limit);
  return clean === '' || /^·+$/.test(clean) ? null : clean;
}

/** Facts without empty values. */
export const toFacts = (facts: readonly (readonly [name: string, value: string | null])[]): readonly Fact[] =>
  facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]));

export const formatAge = (time: Date | null, now: number): string =>
  time === null ? '' : formatRelativeTime(time, now);

export const formatMoment = (time: Date | null): string | null => (time === null ? null : formatUtcTime(time));

/** `null` for a single token. */
export const formatQuantity = (amount: bigint | null): string | null =>
  amount === null || amount === 1n ? null : `× ${formatInteger(amount)}`;

export const textIfTrue = (flag: boolean | null, yes: string): string | null => (flag === true ? yes : null);

export const formatOptionalInteger = (value: bigint | number | null): string | null =>
  value === null ? null : formatInteger(value);

export const formatOptionalAddress = (address: string | null, names: Pick<RowContext, 'getName'>): string | null =>
  address === null ? null : formatFullAddress(address, names);
