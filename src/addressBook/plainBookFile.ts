// The way most book files are read: plain JSON without a fault needs no place of anything, and a third of the time.

import type { AddressBookState } from './addressBookState.ts';
import type { ChecksumCache } from './checksumCache.ts';
import type { Entry } from './entry.ts';
import { haveCommonChain, isAptosEntryAddress } from './entryAddress.ts';
import { normalizeFolder } from './folders.ts';
import { type ValidatedEntry, validateEntry } from './validateEntry.ts';

/** Judgements by the JSON of their entry: most of a file is as it was when it is read again. */
export type PlainEntryCache = Map<string, ValidatedEntry>;

/** `null` when anything is to be said of the file: comments, faults, entries twice, another version. */
export function parsePlainBookFile(
  text: string,
  newest: number,
  {
    before,
    now,
    checksums,
  }: { readonly before: PlainEntryCache; readonly now: PlainEntryCache; readonly checksums: ChecksumCache },
): AddressBookState | null {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return null;
  }
  if (root === null || typeof root !== 'object' || Array.isArray(root)) return null;
  const { version = newest, addresses = [], folders = [] } = root as Readonly<Record<string, unknown>>;
  if (version !== newest || !Array.isArray(addresses) || !Array.isArray(folders)) return null;
  if (!folders.every(folder => typeof folder === 'string')) return null;
  const entries: Entry[] = [];
  const known = new Map<string, Entry[]>();
  for (const value of addresses as readonly unknown[]) {
    const key = JSON.stringify(value);
    const judged = before.get(key) ?? validateEntry(value);
    now.set(key, judged);
    const { entry, issues } = judged;
    if (entry === null || issues.length > 0) return null;
    const { address } = value as { readonly address: string };
    if (!isAptosEntryAddress(entry.address) && checksums.isWrong(address)) return null;
    const others = known.get(entry.address);
    if (others?.some(other => haveCommonChain(other.chains, entry.chains))) return null;
    if (others === undefined) known.set(entry.address, [entry]);
    else others.push(entry);
    entries.push(entry);
  }
  return { entries, folders: [...new Set(folders.map(normalizeFolder))].filter(folder => folder !== '') };
}
