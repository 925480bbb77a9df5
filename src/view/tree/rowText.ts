// Small words of the tree: names and short forms of addresses, token ids, facts without empty values.
import { checksumAddress } from '../../base/checksumAddress.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { isAddress } from '../../base/hex.ts';
import { formatRelativeTime, formatUtcTime } from '../formatTime.ts';
import type { Fact, RowContext } from './treeRow.ts';

/** EIP-55 where it is an EVM address; as it is otherwise. */
export const toDisplayAddress = (address: string): string => (isAddress(address) ? checksumAddress(address) : address);

/** The book's name, or the short form. */
export const formatAddress = (address: string, { getName: nameOf }: Pick<RowContext, 'nameOf'>): string =>
  nameOf(address) ?? shortenHex(toDisplayAddress(address));

/** Name and whole address. */
export function formatFullAddress(address: string, { getName: nameOf }: Pick<RowContext, 'nameOf'>): string {
  const name = nameOf(address);
  return name === null ? toDisplayAddress(address) : `${name} (${toDisplayAddress(address)})`;
}

/** `#12`; ids of 256 bits are shortened in the middle. */
export function formatTokenId(id: bigint): string {
  const digits = id.toString();
  return `#${digits.length > 14 ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits}`;
}

/** Text from a chain, on one line; `null` when nothing readable is in it. */
export function toReadableName(text: string | null, limit = 48): string | null {
  const clean = text === null ? '' : sanitizeText(text, limit);
  return clean === '' || /^·+$/.test(clean) ? null : clean;
}

/** Facts whose value is there. */
export const toFacts = (facts: readonly (readonly [name: string, value: string | null])[]): readonly Fact[] =>
  facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]));

export const formatAge = (time: Date | null, now: number): string =>
  time === null ? '' : formatRelativeTime(time, now);

export const formatMoment = (time: Date | null): string | null => (time === null ? null : formatUtcTime(time));

/** What is there, separated. */
export const joinParts = (...parts: readonly (string | null)[]): string =>
  parts.filter(part => part !== null && part !== '').join(' · ');

/** ERC-1155 tokens come in amounts; a single one is not worth a word. */
export const formatQuantity = (amount: bigint | null): string | null =>
  amount === null || amount === 1n ? null : `× ${formatInteger(amount)}`;

export const textIfTrue = (flag: boolean | null, yes: string): string | null => (flag === true ? yes : null);

export const formatOptionalInteger = (value: bigint | number | null): string | null =>
  value === null ? null : formatInteger(value);

/** Somebody who may be missing, in full. */
export const formatOptionalAddress = (address: string | null, names: Pick<RowContext, 'nameOf'>): string | null =>
  address === null ? null : formatFullAddress(address, names);
