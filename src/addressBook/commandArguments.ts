// Arguments of the book's commands, from hovers, menus, other features and other extensions: read, never trusted.

import { type EntryKind, entryKinds, normalizeEntryAddress } from './entry.ts';

/** What `hexlens.saveAddress` can be told besides the address; everything is only offered, the user decides. */
export interface SaveRequest {
  readonly address: string;
  readonly name?: string;
  readonly kind?: EntryKind;
  /** Canonical selector. */
  readonly chain?: string;
  readonly folder?: string;
}

const property = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 1_000 ? value : undefined;

/** `null` when there is no address in it. */
export function parseSaveRequest(argument: unknown): SaveRequest | null {
  const address = text(argument) ?? text(property(argument, 'address'));
  if (address === undefined || normalizeEntryAddress(address) === null) return null;
  const [name, chain, folder] = [
    property(argument, 'name'),
    property(argument, 'chain'),
    property(argument, 'folder'),
  ].map(text);
  const kind = entryKinds.find(known => known === property(argument, 'kind'));
  return {
    address: address.trim(),
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(chain !== undefined && { chain }),
    ...(folder !== undefined && { folder }),
  };
}

/** An id, or what carries one: `entryId`, or `entry` with an `id`, or an `id` of its own. */
function idsIn(argument: unknown, known: (id: string) => boolean): readonly string[] {
  if (Array.isArray(argument)) return argument.flatMap(item => idsIn(item, known));
  const candidates = [
    argument,
    property(argument, 'entryId'),
    property(property(argument, 'entry'), 'id'),
    property(argument, 'id'),
  ];
  const found = candidates.find(candidate => typeof candidate === 'string' && known(candidate));
  return typeof found === 'string' ? [found] : [];
}

/** Ids in the arguments of a command. A tree passes the clicked node first and, with several selected, all of them next. */
export function parseEntryIds(args: readonly unknown[], known: (id: string) => boolean): readonly string[] {
  const selected = idsIn(args[1], known);
  const [clicked] = idsIn(args[0], known);
  const several = selected.length > 0 && (clicked === undefined || selected.includes(clicked));
  return [...new Set(several ? selected : idsIn(args[0], known))];
}
