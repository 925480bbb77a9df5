// Cells as text: exact, with the decimals and the number and time formats that the user chose.

import { LONE_SURROGATE, sanitizeText, shortenHex, shortenMoveType } from '../../../base/displayText.ts';
import {
  formatAmount,
  formatFullAmount,
  formatInteger,
  formatTokenAmount,
  formatUnits,
} from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { AmountUnit, AmountUnits } from '../../../protocol/amountUnits.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import { toPlainText } from '../../../protocol/linkedText.ts';
import { getRowUnit } from '../../../protocol/rowUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import { formatBlockAge, formatRelativeTime, formatUtcTime } from '../../../view/formatTime.ts';

const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]|(?![\n\t])\p{Cc}/gu;

/** For untrusted text: replaces each character that hides or reorders text by `·`, keeps line breaks, and shortens to `limit` characters. */
export function toVisibleText(text: string, limit = Number.POSITIVE_INFINITY): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(LONE_SURROGATE, '·')
    .replace(INVISIBLE, '·');
}

/** The class of a number, with its unit: it is not broken over lines. */
export const getNumberClass = (text: string): string => (/^[-−]?\d[\d.,’\s]*(?: \S+)?$/.test(text) ? 'number' : '');

export interface Preferences {
  readonly time: 'relative' | 'local' | 'utc';
  readonly numbers: 'decimal' | 'hex';
}

export interface FormatContext {
  readonly preferences: Preferences;
  readonly names: HexNames;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Of the tokens in these rows, as far as they are known. */
  readonly units?: AmountUnits;
}

const padTwo = (value: number) => String(value).padStart(2, '0');

/** `2023-11-14 23:13:20` on this machine's clock. */
export function formatLocalTime(time: Date): string {
  const day = `${time.getFullYear()}-${padTwo(time.getMonth() + 1)}-${padTwo(time.getDate())}`;
  return `${day} ${padTwo(time.getHours())}:${padTwo(time.getMinutes())}:${padTwo(time.getSeconds())}`;
}

/** In local time and UTC; once where they are the same. */
export const formatExactTimes = (time: Date): readonly string[] =>
  time.getTimezoneOffset() === 0 ? [formatUtcTime(time)] : [formatLocalTime(time), formatUtcTime(time)];

/** Moments that may be to come; all others are of what a chain has. */
const FUTURE_TIME = /expir|notBefore/i;

/** `3 minutes ago`; `key` is the field's. */
export const formatAge = (time: Date, now: number, key: string): string =>
  FUTURE_TIME.test(key) ? formatRelativeTime(time, now) : formatBlockAge(time, now);

export function formatTime(milliseconds: number, { time }: Preferences, now: number, key = ''): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return '';
  if (time === 'local') return formatLocalTime(date);
  return time === 'utc' ? formatUtcTime(date) : formatAge(date, now, key);
}

const isInteger = (text: string) => /^-?\d+$/.test(text);
const toHex = (text: string) => {
  const value = BigInt(text);
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
};

/** The name of a function: `transfer`, or its selector where it is unknown or ambiguous. */
export function formatMethod(selector: string, names: HexNames): string {
  if (selector === '') return t('Transfer');
  if (selector === 'create') return t('Create contract');
  const bare = new Set((names.methods[selector] ?? []).map(signature => signature.slice(0, signature.indexOf('('))));
  const [only] = bare;
  return bare.size === 1 && only !== undefined ? only : selector;
}

/** The name of an event without its types, or its shortened topic. */
function formatEvent(topic: string, names: HexNames): string {
  const bare = new Set((names.events[topic] ?? []).map(signature => signature.slice(0, signature.indexOf('('))));
  const [only] = bare;
  return bare.size === 1 && only !== undefined ? only : shortenHex(topic);
}

export function formatStatus(status: TableCell): string {
  return status === null ? t('Pending') : status === 1 ? t('Success') : t('Failed');
}

/** The address in 32 bytes: after 12 zero bytes, and not after so many more that it is a number. `null` otherwise. */
export const findAddressInWord = (word: string): string | null =>
  /^0x0{24}(?!0{8})[0-9a-f]{40}$/i.test(word) ? `0x${word.slice(26)}` : null;

function formatWord(word: string, names: HexNames): string {
  const address = findAddressInWord(word);
  if (address !== null) return sanitizeText(names.addresses[address.toLowerCase()] ?? '') || shortenHex(address);
  // Longer numbers are shortened to their magnitude.
  if (/^0x0{48}/.test(word)) return formatInteger(BigInt(word));
  return /^0x0{32}/.test(word) ? formatMagnitude(BigInt(word)) : shortenHex(word);
}

/** `≈ 1.3e21`. */
function formatMagnitude(value: bigint): string {
  const digits = value.toString();
  const shown = `${digits[0] ?? ''}.${digits.slice(1, 4)}`.replace(/\.0+$|(?<!0)0+$/, '');
  return `≈ ${shown}e${digits.length - 1}`;
}

/** One line, shortened where it is long. `unit` is that of a `tokenAmount`, which is empty without it. */
export function formatCell(
  column: TableColumn,
  cell: TableCell,
  { preferences, names, now }: FormatContext,
  unit: AmountUnit | null = null,
): string {
  if (column.kind === 'status') return formatStatus(cell);
  if (cell === null) return '';
  const text = String(cell);
  switch (column.kind) {
    case 'address':
    case 'aptos':
      return sanitizeText(names.addresses[text.toLowerCase()] ?? '') || shortenHex(text);
    case 'transaction':
    case 'blockHash':
      return shortenHex(text);
    case 'hex':
      return text.length === 66
        ? formatWord(text, names)
        : text.length > 66
          ? `${shortenHex(text)} (${t('{0} bytes', (text.length - 2) / 2)})`
          : shortenHex(text);
    case 'word':
      return formatWord(text, names);
    case 'topic':
      return formatEvent(text, names);
    case 'method':
      return formatMethod(text, names);
    case 'time':
      return typeof cell === 'number' ? formatTime(cell, preferences, now, column.key) : text;
    case 'coin':
      if (!isInteger(text)) return text;
      return preferences.numbers === 'hex'
        ? toHex(text)
        : `${formatAmount(BigInt(text), column.decimals ?? 18)} ${column.unit ?? ''}`;
    case 'tokenAmount':
      if (unit === null || !isInteger(text)) return '';
      return preferences.numbers === 'hex' ? toHex(text) : formatTokenAmount(BigInt(text), unit, 6);
    case 'block':
    case 'number':
    case 'amount':
      if (!isInteger(text)) return sanitizeText(text);
      return preferences.numbers === 'hex' ? toHex(text) : formatInteger(BigInt(text));
    case 'tokenId':
      if (!isInteger(text)) return sanitizeText(text);
      if (preferences.numbers === 'hex') return toHex(text);
      return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text;
    case 'flag':
      return cell === true ? t('Yes') : t('No');
    case 'linkedText':
      return sanitizeText(toPlainText(text), 200);
    case 'text':
      return sanitizeText(shortenMoveType(text), 200);
    default:
      return sanitizeText(text, 200);
  }
}

/** The full value of a cell, for a tooltip. */
export function formatFullCell(
  column: TableColumn,
  cell: TableCell,
  { names }: Pick<FormatContext, 'names'>,
  unit: AmountUnit | null = null,
): string {
  if (cell === null) return '';
  const text = String(cell);
  switch (column.kind) {
    case 'time': {
      const date = new Date(Number(cell));
      if (Number.isNaN(date.getTime())) return text;
      const [first = '', second] = formatExactTimes(date);
      return second === undefined ? first : `${first} (${t('local')})\n${second}`;
    }
    case 'coin':
      return isInteger(text) ? `${formatFullAmount(BigInt(text), column.decimals ?? 18)} ${column.unit ?? ''}` : text;
    case 'tokenAmount':
      return unit === null || !isInteger(text) ? text : `${formatTokenAmount(BigInt(text), unit)}\n${text}`;
    case 'topic':
      return [...(names.events[text] ?? []), text].join('\n');
    case 'method':
      return [...(names.methods[text] ?? []), text].filter(line => line !== '').join('\n');
    case 'address':
    case 'aptos':
      return [sanitizeText(names.addresses[text.toLowerCase()] ?? ''), text].filter(line => line !== '').join('\n');
    case 'linkedText':
      return sanitizeText(toPlainText(text), 500);
    case 'status':
      return formatStatus(cell);
    default:
      return sanitizeText(text, 500);
  }
}

/** The exact value, for the clipboard. */
export function formatCellForClipboard({ kind, decimals }: TableColumn, cell: TableCell): string {
  if (cell === null) return '';
  const text = String(cell);
  if (kind === 'time' && typeof cell === 'number') return new Date(cell).toISOString();
  if (kind === 'linkedText') return toPlainText(text);
  return kind === 'coin' && isInteger(text) ? formatUnits(BigInt(text), decimals ?? 18) : text;
}

/** Columns that are aligned to the right. */
export const isNumericColumn = ({ kind }: TableColumn): boolean =>
  kind === 'amount' ||
  kind === 'coin' ||
  kind === 'tokenAmount' ||
  kind === 'number' ||
  kind === 'block' ||
  kind === 'tokenId';

export const isMonospaceColumn = ({ kind }: TableColumn): boolean =>
  kind === 'address' ||
  kind === 'transaction' ||
  kind === 'blockHash' ||
  kind === 'hex' ||
  kind === 'word' ||
  kind === 'aptos' ||
  isNumericColumn({ kind } as TableColumn);

/** The tooltip of a cell of `row`. */
export function formatCellTooltip(
  column: TableColumn,
  columns: readonly TableColumn[],
  row: TableRow,
  format: FormatContext,
): string {
  const unit = column.kind === 'tokenAmount' ? getRowUnit(columns, row, format.units) : null;
  return formatFullCell(column, row[columns.indexOf(column)] ?? null, format, unit);
}

/** CSS class of a transaction's status. */
export const getStatusClass = (status: TableCell): string => (status === null ? 'wait' : status === 1 ? 'ok' : 'bad');

/** CSS classes of a cell. Names shown instead of hex are not monospace. */
export function getCellClass(column: TableColumn, text: string): string {
  if (isNumericColumn(column)) return 'cell number mono';
  return isMonospaceColumn(column) && /^[\d<-]/.test(text) ? 'cell mono' : 'cell';
}

/** The elements in a cell: none, text, a link, a chip, a chip with a dot. */
export type CellShape = 'empty' | 'plain' | 'link' | 'links' | 'method' | 'status';

export function getCellShape({ kind }: TableColumn, cell: TableCell, isLinked: boolean): CellShape {
  if (kind === 'status') return 'status';
  if (cell === null) return 'empty';
  if (kind === 'method') return 'method';
  if (kind === 'linkedText') return 'links';
  return isLinked ? 'link' : 'plain';
}
