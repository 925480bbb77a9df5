// Cells as text: exact, with the decimals and the form of numbers and times that the user chose.

import { sanitizeText, shortenHex, shortenMoveType } from '../../../base/displayText.ts';
import { formatAmount, formatFullAmount, formatInteger, formatUnits } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { AmountUnit, AmountUnits } from '../../../protocol/amountUnits.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import { formatRelativeTime, formatUtcTime } from '../../../view/formatTime.ts';
import { formatExactAmount, formatShortAmount, getRowUnit } from './tokenAmount.ts';

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

const two = (value: number) => String(value).padStart(2, '0');

/** `2023-11-14 23:13:20` on this machine's clock. */
export function formatLocalTime(time: Date): string {
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

export function formatTime(milliseconds: number, { time }: Preferences, now: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return '';
  if (time === 'local') return formatLocalTime(date);
  return time === 'utc' ? formatUtcTime(date) : formatRelativeTime(date, now);
}

const isWhole = (text: string) => /^-?\d+$/.test(text);
const hexOf = (text: string) => {
  const value = BigInt(text);
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
};

/** The name of a method: `transfer`, or its selector where nothing or too much is known. */
export function formatMethod(selector: string, names: HexNames): string {
  if (selector === '') return t('Transfer');
  if (selector === 'create') return t('Create contract');
  const bare = new Set((names.methods[selector] ?? []).map(signature => signature.slice(0, signature.indexOf('('))));
  const [only] = bare;
  return bare.size === 1 && only !== undefined ? only : selector;
}

/** The name of an event without its types, or its shortened topic. */
export function formatEvent(topic: string, names: HexNames): string {
  const bare = new Set((names.events[topic] ?? []).map(signature => signature.slice(0, signature.indexOf('('))));
  const [only] = bare;
  return bare.size === 1 && only !== undefined ? only : shortenHex(topic);
}

export function formatStatus(status: TableCell): string {
  return status === null ? t('Pending') : status === 1 ? t('Success') : t('Failed');
}

/** The address that 32 bytes hold, as far as one can tell: 12 zero bytes before it, and not so many more that it is a number. */
export const parseAddressWord = (word: string): string | null =>
  /^0x0{24}(?!0{8})[0-9a-f]{40}$/i.test(word) ? `0x${word.slice(26)}` : null;

function wordText(word: string, names: HexNames): string {
  const address = parseAddressWord(word);
  if (address !== null) return sanitizeText(names.addresses[address.toLowerCase()] ?? '') || shortenHex(address);
  // Longer numbers than these say nothing at a glance.
  if (/^0x0{48}/.test(word)) return formatInteger(BigInt(word));
  return /^0x0{32}/.test(word) ? magnitude(BigInt(word)) : shortenHex(word);
}

/** `≈ 1.3e21`: a number whose digits nobody counts at a glance. */
function magnitude(value: bigint): string {
  const digits = value.toString();
  const shown = `${digits[0] ?? ''}.${digits.slice(1, 4)}`.replace(/\.?0+$/, '');
  return `≈ ${shown}e${digits.length - 1}`;
}

/** As it stands in a row: one line, shortened where it is long. `unit` is that of a `tokenAmount`; without it, nobody knows the amount. */
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
        ? wordText(text, names)
        : text.length > 66
          ? `${shortenHex(text)} (${t('{0} bytes', (text.length - 2) / 2)})`
          : shortenHex(text);
    case 'word':
      return wordText(text, names);
    case 'topic':
      return formatEvent(text, names);
    case 'method':
      return formatMethod(text, names);
    case 'time':
      return typeof cell === 'number' ? formatTime(cell, preferences, now) : text;
    case 'coin':
      if (!isWhole(text)) return text;
      return preferences.numbers === 'hex'
        ? hexOf(text)
        : `${formatAmount(BigInt(text), column.decimals ?? 18)} ${column.unit ?? ''}`;
    case 'tokenAmount':
      if (unit === null || !isWhole(text)) return '';
      return preferences.numbers === 'hex' ? hexOf(text) : formatShortAmount(BigInt(text), unit);
    case 'block':
    case 'number':
    case 'amount':
      if (!isWhole(text)) return sanitizeText(text);
      return preferences.numbers === 'hex' ? hexOf(text) : formatInteger(BigInt(text));
    case 'tokenId':
      if (!isWhole(text)) return sanitizeText(text);
      if (preferences.numbers === 'hex') return hexOf(text);
      return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text;
    case 'flag':
      return cell === true ? t('Yes') : t('No');
    case 'text':
      return sanitizeText(shortenMoveType(text), 200);
    default:
      return sanitizeText(text, 200);
  }
}

/** Everything there is to say about a cell, for a tooltip. */
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
      return Number.isNaN(date.getTime()) ? text : `${formatLocalTime(date)} (${t('local')})\n${formatUtcTime(date)}`;
    }
    case 'coin':
      return isWhole(text) ? `${formatFullAmount(BigInt(text), column.decimals ?? 18)} ${column.unit ?? ''}` : text;
    case 'tokenAmount':
      return unit === null || !isWhole(text) ? text : `${formatExactAmount(BigInt(text), unit)}\n${text}`;
    case 'topic':
      return [...(names.events[text] ?? []), text].join('\n');
    case 'method':
      return [...(names.methods[text] ?? []), text].filter(line => line !== '').join('\n');
    case 'address':
    case 'aptos':
      return [sanitizeText(names.addresses[text.toLowerCase()] ?? ''), text].filter(line => line !== '').join('\n');
    case 'status':
      return formatStatus(cell);
    default:
      return sanitizeText(text, 500);
  }
}

/** What copying a cell gives: the value itself, exact. */
export function formatCellForClipboard({ kind, decimals }: TableColumn, cell: TableCell): string {
  if (cell === null) return '';
  const text = String(cell);
  if (kind === 'time' && typeof cell === 'number') return new Date(cell).toISOString();
  return kind === 'coin' && isWhole(text) ? formatUnits(BigInt(text), decimals ?? 18) : text;
}

/** Columns that stand at the right edge, digit under digit. */
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

// The tooltip of a cell: everything there is to say about it, with the rest of its row at hand.
export function formatCellTooltip(
  column: TableColumn,
  columns: readonly TableColumn[],
  row: TableRow,
  context: FormatContext,
): string {
  const unit = column.kind === 'tokenAmount' ? getRowUnit(columns, row, context.units) : null;
  return formatFullCell(column, row[columns.indexOf(column)] ?? null, context, unit);
}

// One cell as it is drawn: text of the chain only ever as text, links where it leads somewhere.
/** `ok`, `bad` or `wait`. */
export const getStatusClass = (status: TableCell): string => (status === null ? 'wait' : status === 1 ? 'ok' : 'bad');

/** Names that stand for hex are words, not code. */
export function getCellClass(column: TableColumn, text: string): string {
  if (isNumericColumn(column)) return 'cell number mono';
  return isMonospaceColumn(column) && /^[\d<-]/.test(text) ? 'cell mono' : 'cell';
}

/** Which elements stand in a cell: none, text, a link, a chip, a chip with a dot. */
export type CellShape = 'empty' | 'plain' | 'link' | 'method' | 'status';

export function getCellShape({ kind }: TableColumn, cell: TableCell, linked: boolean): CellShape {
  if (kind === 'status') return 'status';
  if (cell === null) return 'empty';
  if (kind === 'method') return 'method';
  return linked ? 'link' : 'plain';
}
