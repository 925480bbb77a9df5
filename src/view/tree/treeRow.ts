// A row of the address tree: texts, icon, facts for the tooltip, what it copies and opens.

import type { TreeRowKind } from '../../api/operations/operation.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { DecodedItemFormat } from '../../decode/formatDecodedItem.ts';
import { formatBlockAge, formatUtcTime } from '../formatTime.ts';

/** An operation with its parameters: what a section fetches, and what the inspector opens. */
export interface OperationRequest {
  readonly operation: OperationId;
  readonly parameters: InputTexts;
}

/** A list that is fetched when it is expanded. */
export interface TreeSection {
  /** Unique among its siblings. */
  readonly key: string;
  readonly title: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly request: OperationRequest;
  /** How the records become rows. */
  readonly rows: TreeRowKind;
  /** Not shown while it is empty, where finding out costs nothing. */
  readonly omittedIfEmpty: boolean;
}

export type RowTarget =
  | { readonly kind: 'transaction'; readonly hash: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'operation'; readonly request: OperationRequest };

/** Names of theme colors that every theme defines. */
export type RowColor =
  | 'charts.red'
  | 'charts.orange'
  | 'charts.yellow'
  | 'charts.green'
  | 'charts.blue'
  | 'charts.purple';

/** `value` is untrusted and must be shown as plain text. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface TreeRow {
  /** Stable across refreshes, so that the selection is preserved; unique in the section. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** For screen readers: texts that are not shortened. */
  readonly accessibilityLabel: string;
  readonly icon: string;
  readonly color: RowColor | null;
  readonly facts: readonly Fact[];
  readonly copyText: string;
  readonly target: RowTarget | null;
  /** The lists below it. */
  readonly sections?: readonly TreeSection[];
  /** The event of a log, which can be watched. */
  readonly event?: { readonly address: string; readonly topic0: string; readonly event: string | null };
}

/** What rows need besides their record. */
export interface RowContext {
  /** Milliseconds. */
  readonly now: number;
  /** Canonical selector of the chain, or the Aptos network. */
  readonly chain: string;
  /** Symbol of the chain's native coin. */
  readonly coin: string;
  readonly decimals: number;
  /** Address of the entry, from whose side transfers are described. */
  readonly ownAddress: string;
  /** Saved name of an address; `null` when it has none. */
  getName(address: string): string | null;
  /** How logs and calls are decoded. */
  readonly format: DecodedItemFormat;
  /** Where in the source transactions failed, by hash; absent where that is not known. */
  readonly places?: ReadonlyMap<string, string>;
}

/** The saved name, or the short form. */
export const formatAddress = (address: string, { getName }: Pick<RowContext, 'getName'>): string =>
  getName(address) ?? toShortDisplayAddress(address);

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

export const formatAge = (time: Date | null, now: number): string => (time === null ? '' : formatBlockAge(time, now));

export const formatMoment = (time: Date | null): string | null => (time === null ? null : formatUtcTime(time));

/** `null` for a single token. */
export const formatQuantity = (amount: bigint | null): string | null =>
  amount === null || amount === 1n ? null : `× ${formatInteger(amount)}`;

export const textIfTrue = (flag: boolean | null, yes: string): string | null => (flag === true ? yes : null);

export const formatOptionalInteger = (value: bigint | number | null): string | null =>
  value === null ? null : formatInteger(value);

export const formatOptionalAddress = (address: string | null, names: Pick<RowContext, 'getName'>): string | null =>
  address === null ? null : formatFullAddress(address, names);
