// The variables of a contract as rows of text, at one or two blocks.
import type { TypeIndex } from '../../api/contractDeclarations.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { StateEntry } from '../../decode/source/contractState.ts';
import { formatPath } from '../../decode/source/slotNames.ts';
import { formatNamedKey, formatStateText, type ValueFormat } from './stateTable.ts';

/** What has members, as the page asks for them. */
export interface StatePlace {
  readonly type: TypeIndex;
  readonly slot: Hex;
  readonly offset: number;
  /** The way to it, without names of addresses. */
  readonly path: string;
}

export interface ContractStateRow {
  /** The last part of the way to it: `amount`, `[Alice]`, `[3]`. */
  readonly label: string;
  /** All of it, and the values as storage has them. */
  readonly title: string;
  readonly type: string;
  /** By block; empty for what only has members. */
  readonly values: readonly string[];
  readonly differs: boolean;
  readonly place: StatePlace | null;
  /** Of a mapping: keys of this type can be entered. */
  readonly keyType: string | null;
  /** Of an array: the index of an element can be entered. */
  readonly isArray: boolean;
  /** `null`: not read yet. */
  readonly members: readonly ContractStateRow[] | null;
  /** Index after the last element that is listed, in decimal, where more follow. */
  readonly next: string | null;
}

/** Further than a screen shows. */
const MAX_VALUE_LENGTH = 4_000;

/** The first one or two names of the way to a variable, as `isTokenAmount` wants them. */
const toNames = (path: string) =>
  (/^[\w$]+(?:\.[\w$]+)?/.exec(path)?.[0] ?? '').split('.').map(name => ({ kind: 'name', name }) as const);

const formatCount = (length: bigint): string =>
  length === 1n ? t('1 element') : t('{0} elements', formatInteger(length));

/** `parent`: the way to what the entries are in, where their own begins there. */
export function toContractStateRow(entry: StateEntry, parent: string, format: ValueFormat): ContractStateRow {
  const { path, type, values, lengths, textLengths, place, differs, keyType, members, from, more, absentAt } = entry;
  const last = path.at(-1) ?? { kind: 'name', name: '' };
  const own = formatPath(path);
  const full = parent === '' ? own : `${parent}${path[0]?.kind === 'name' ? '.' : ''}${own}`;
  const isArray = lengths.length > 0;
  const toText = (value: string | null, block: number): string => {
    if (absentAt?.includes(block) === true) return '';
    const length = lengths[block];
    if (isArray) return length === null || length === undefined ? '' : formatCount(length);
    if (value === null) return place === null ? t('not known') : '';
    const cut = textLengths[block] ?? null;
    const text = formatStateText(value, { type, path: toNames(full) }, format).slice(0, MAX_VALUE_LENGTH);
    return cut === null ? text : `${text} ${t('({0} bytes)', formatInteger(cut))}`;
  };
  const label = last.kind === 'key' ? `[${formatNamedKey(last.key, last.type, format)}]` : formatPath([last]);
  const listed = BigInt(members?.length ?? 0);
  return {
    label: last.kind === 'name' ? last.name : label,
    title: `${type} ${full}${place === null ? values.map(value => `\n${value ?? ''}`).join('') : ''}`,
    type,
    values: values.map(toText),
    differs,
    keyType,
    isArray,
    place:
      place === null
        ? null
        : { type: place.type, slot: `0x${place.slot.toString(16)}`, offset: place.offset, path: full },
    members: members?.map(each => toContractStateRow(each, parent, format)) ?? null,
    next: more > 0n ? (from + listed).toString() : null,
  };
}

/** What is in the code, not in storage. */
export const toFixedRow = (
  label: string,
  type: string,
  kind: string,
  value: string | null,
  blocks: number,
): ContractStateRow => ({
  label,
  type: `${type} ${kind}`,
  title: `${type} ${label}`,
  differs: false,
  place: null,
  keyType: null,
  values: Array.from({ length: blocks }, () => value ?? t('not known')),
  isArray: false,
  members: null,
  next: null,
});
