// The way most book files are read: plain JSON without a fault needs no place of anything, and a third of the time.

import type { Shelf } from './addressBookState.ts';
import type { BookChecksums } from './checksumCache.ts';
import type { Entry } from './entry.ts';
import { chainsMeet, isAptosAddress } from './entryAddress.ts';
import { folderOf } from './folders.ts';
import { type JudgedEntry, judgeEntry } from './validateEntry.ts';

/** Judgements by the JSON of their entry: most of a file is as it was when it is read again. */
export type JudgedPlain = Map<string, JudgedEntry>;

/** `null` when anything is to be said of the file: comments, faults, entries twice, another version. */
export function readPlainBookFile(
  text: string,
  newest: number,
  {
    before,
    now,
    checksums,
  }: { readonly before: JudgedPlain; readonly now: JudgedPlain; readonly checksums: BookChecksums },
): Shelf | null {
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
    const judged = before.get(key) ?? judgeEntry(value);
    now.set(key, judged);
    const { entry, issues } = judged;
    if (entry === null || issues.length > 0) return null;
    const { address } = value as { readonly address: string };
    if (!isAptosAddress(entry.address) && checksums.isWrong(address)) return null;
    const others = known.get(entry.address);
    if (others?.some(other => chainsMeet(other.chains, entry.chains))) return null;
    if (others === undefined) known.set(entry.address, [entry]);
    else others.push(entry);
    entries.push(entry);
  }
  return { entries, folders: [...new Set(folders.map(folderOf))].filter(folder => folder !== '') };
}
