// Cells as text: exact, with the decimals and the form of numbers and times that the user chose.

import { plainText, shortHex, shortMoveType } from '../../../base/displayText.ts';
import { formatAmount, formatExact, formatInteger, formatUnits } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { Unit, Units } from '../../../protocol/amountUnits.ts';
import type { Names } from '../../../protocol/hexNames.ts';
import type { Cell, Column } from '../../../protocol/table.ts';
import { relativeTime, utcTime } from '../../../view/formatTime.ts';
import { exactAmount, shortAmount } from './tokenAmount.ts';

export interface Preferences {
  readonly time: 'relative' | 'local' | 'utc';
  readonly numbers: 'decimal' | 'hex';
}

export interface FormatContext {
  readonly preferences: Preferences;
  readonly names: Names;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Of the tokens in these rows, as far as they are known. */
  readonly units?: Units;
}

const two = (value: number) => String(value).padStart(2, '0');

/** `2023-11-14 23:13:20` on this machine's clock. */
export function localTime(time: Date): string {
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

export function timeText(milliseconds: number, { time }: Preferences, now: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return '';
  if (time === 'local') return localTime(date);
  return time === 'utc' ? utcTime(date) : relativeTime(date, now);
}

const isWhole = (text: string) => /^-?\d+$/.test(text);
const hexOf = (text: string) => {
  const value = BigInt(text);
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
};

/** The name of a method: `transfer`, or its selector where nothing or too much is known. */
export function methodText(selector: string, names: Names): string {
  if (selector === '') return t('Transfer');
  if (selector === 'create') return t('Create contract');
  const bare = new Set((names.methods[selector] ?? []).map(signature => signature.slice(0, signature.indexOf('('))));
  const [only] = bare;
  return bare.size === 1 && only !== undefined ? only : selector;
}

/** The name of an event without its types, or its shortened topic. */
export function eventText(topic: string, names: Names): string {
  const bare = new Set((names.events[topic] ?? []).map(signature => signature.slice(0, signature.indexOf('('))));
  const [only] = bare;
  return bare.size === 1 && only !== undefined ? only : shortHex(topic);
}

export function statusText(status: Cell): string {
  return status === null ? t('Pending') : status === 1 ? t('Success') : t('Failed');
}

/** The address that 32 bytes hold, as far as one can tell: 12 zero bytes before it, and not so many more that it is a number. */
export const addressInWord = (word: string): string | null =>
  /^0x0{24}(?!0{8})[0-9a-f]{40}$/i.test(word) ? `0x${word.slice(26)}` : null;

function wordText(word: string, names: Names): string {
  const address = addressInWord(word);
  if (address !== null) return plainText(names.addresses[address.toLowerCase()] ?? '') || shortHex(address);
  // Longer numbers than these say nothing at a glance.
  if (/^0x0{48}/.test(word)) return formatInteger(BigInt(word));
  return /^0x0{32}/.test(word) ? magnitude(BigInt(word)) : shortHex(word);
}

/** `≈ 1.3e21`: a number whose digits nobody counts at a glance. */
function magnitude(value: bigint): string {
  const digits = value.toString();
  const shown = `${digits[0] ?? ''}.${digits.slice(1, 4)}`.replace(/\.?0+$/, '');
  return `≈ ${shown}e${digits.length - 1}`;
}

/** As it stands in a row: one line, shortened where it is long. `unit` is that of a `tokenAmount`; without it, nobody knows the amount. */
export function cellText(
  column: Column,
  cell: Cell,
  { preferences, names, now }: FormatContext,
  unit: Unit | null = null,
): string {
  if (column.kind === 'status') return statusText(cell);
  if (cell === null) return '';
  const text = String(cell);
  switch (column.kind) {
    case 'address':
    case 'aptos':
      return plainText(names.addresses[text.toLowerCase()] ?? '') || shortHex(text);
    case 'transaction':
    case 'blockHash':
      return shortHex(text);
    case 'hex':
      return text.length === 66
        ? wordText(text, names)
        : text.length > 66
          ? `${shortHex(text)} (${t('{0} bytes', (text.length - 2) / 2)})`
          : shortHex(text);
    case 'word':
      return wordText(text, names);
    case 'topic':
      return eventText(text, names);
    case 'method':
      return methodText(text, names);
    case 'time':
      return typeof cell === 'number' ? timeText(cell, preferences, now) : text;
    case 'coin':
      if (!isWhole(text)) return text;
      return preferences.numbers === 'hex'
        ? hexOf(text)
        : `${formatAmount(BigInt(text), column.decimals ?? 18)} ${column.unit ?? ''}`;
    case 'tokenAmount':
      if (unit === null || !isWhole(text)) return '';
      return preferences.numbers === 'hex' ? hexOf(text) : shortAmount(BigInt(text), unit);
    case 'block':
    case 'number':
    case 'amount':
      if (!isWhole(text)) return plainText(text);
      return preferences.numbers === 'hex' ? hexOf(text) : formatInteger(BigInt(text));
    case 'tokenId':
      if (!isWhole(text)) return plainText(text);
      if (preferences.numbers === 'hex') return hexOf(text);
      return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text;
    case 'flag':
      return cell === true ? t('Yes') : t('No');
    case 'text':
      return plainText(shortMoveType(text), 200);
    default:
      return plainText(text, 200);
  }
}

/** Everything there is to say about a cell, for a tooltip. */
export function fullText(
  column: Column,
  cell: Cell,
  { names }: Pick<FormatContext, 'names'>,
  unit: Unit | null = null,
): string {
  if (cell === null) return '';
  const text = String(cell);
  switch (column.kind) {
    case 'time': {
      const date = new Date(Number(cell));
      return Number.isNaN(date.getTime()) ? text : `${localTime(date)} (${t('local')})\n${utcTime(date)}`;
    }
    case 'coin':
      return isWhole(text) ? `${formatExact(BigInt(text), column.decimals ?? 18)} ${column.unit ?? ''}` : text;
    case 'tokenAmount':
      return unit === null || !isWhole(text) ? text : `${exactAmount(BigInt(text), unit)}\n${text}`;
    case 'topic':
      return [...(names.events[text] ?? []), text].join('\n');
    case 'method':
      return [...(names.methods[text] ?? []), text].filter(line => line !== '').join('\n');
    case 'address':
    case 'aptos':
      return [plainText(names.addresses[text.toLowerCase()] ?? ''), text].filter(line => line !== '').join('\n');
    case 'status':
      return statusText(cell);
    default:
      return plainText(text, 500);
  }
}

/** What copying a cell gives: the value itself, exact. */
export function copyText({ kind, decimals }: Column, cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  if (kind === 'time' && typeof cell === 'number') return new Date(cell).toISOString();
  return kind === 'coin' && isWhole(text) ? formatUnits(BigInt(text), decimals ?? 18) : text;
}

/** Columns that stand at the right edge, digit under digit. */
export const isNumeric = ({ kind }: Column): boolean =>
  kind === 'amount' ||
  kind === 'coin' ||
  kind === 'tokenAmount' ||
  kind === 'number' ||
  kind === 'block' ||
  kind === 'tokenId';

export const isMono = ({ kind }: Column): boolean =>
  kind === 'address' ||
  kind === 'transaction' ||
  kind === 'blockHash' ||
  kind === 'hex' ||
  kind === 'word' ||
  kind === 'aptos' ||
  isNumeric({ kind } as Column);
