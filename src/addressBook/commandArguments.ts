// Arguments of the address book's commands. They come from hovers, menus and other extensions and are not trusted.

import { parseWrittenChain } from '../api/chainNames.ts';
import { type EntryKind, entryKinds, splitChainAddress } from './entry.ts';

/** Argument of `hexlens.saveAddress`: defaults of the form, which the user can change. */
export interface SaveRequest {
  readonly address: string;
  readonly name?: string;
  readonly kind?: EntryKind;
  /** Canonical selector. */
  readonly chain?: string;
  readonly folder?: string;
}

const getProperty = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 1_000 ? value : undefined;

/** `null` when there is no address in it; `gno:0x…` has its chain too. */
export function parseSaveRequest(argument: unknown): SaveRequest | null {
  const written = asText(argument) ?? asText(getProperty(argument, 'address'));
  const split = splitChainAddress(written ?? '');
  const prefix = split?.chain ?? null;
  const named = prefix === null ? undefined : (parseWrittenChain(prefix) ?? null);
  if (written === undefined || split === null || named === null) return null;
  const [name, chain = named, folder] = [
    getProperty(argument, 'name'),
    getProperty(argument, 'chain'),
    getProperty(argument, 'folder'),
  ].map(asText);
  const kind = entryKinds.find(one => one === getProperty(argument, 'kind'));
  return {
    address: prefix === null ? written.trim() : split.address,
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(chain !== undefined && { chain }),
    ...(folder !== undefined && { folder }),
  };
}

/** The argument is an id, or an object with `entryId`, `entry.id` or `id`. */
function findEntryIds(argument: unknown, isKnownId: (id: string) => boolean): readonly string[] {
  if (Array.isArray(argument)) return argument.flatMap(item => findEntryIds(item, isKnownId));
  const candidates = [
    argument,
    getProperty(argument, 'entryId'),
    getProperty(getProperty(argument, 'entry'), 'id'),
    getProperty(argument, 'id'),
  ];
  const found = candidates.find(candidate => typeof candidate === 'string' && isKnownId(candidate));
  return typeof found === 'string' ? [found] : [];
}

/** Ids in the arguments of a command. A tree view passes the clicked item first and, if several are selected, all of them second. */
export function parseEntryIds(args: readonly unknown[], isKnownId: (id: string) => boolean): readonly string[] {
  const selected = findEntryIds(args[1], isKnownId);
  const [clicked] = findEntryIds(args[0], isKnownId);
  const useSelection = selected.length > 0 && (clicked === undefined || selected.includes(clicked));
  return [...new Set(useSelection ? selected : findEntryIds(args[0], isKnownId))];
}
