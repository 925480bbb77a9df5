// Finds saved entries and tokens by input, best first; fast enough to run at every keystroke over thousands of entries.
import type { SavedEntry } from '../../addressBook/entry.ts';

/** What is found by name. */
export type RankedEntry = Pick<SavedEntry, 'name' | 'address' | 'tags' | 'folder'>;

export interface EntryRanking<Entry extends RankedEntry = SavedEntry> {
  /** At most `limit` entries, best first; in their own order without input. */
  rank(typed: string, limit: number): readonly Entry[];
}

/** Longer input is not a name. */
const MAX_QUERY_LENGTH = 120;

interface Indexed<Entry extends RankedEntry> {
  readonly entry: Entry;
  readonly name: string;
  /** Tags and folder. */
  readonly rest: string;
  readonly at: number;
}

const isWordStart = (text: string, at: number): boolean => at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1));

/** Whether `text` contains all characters of `wanted` in this order. */
function isSubsequence(query: string, text: string): boolean {
  let from = 0;
  for (const character of query) {
    const at = text.indexOf(character, from);
    if (at < 0) return false;
    from = at + character.length;
  }
  return true;
}

/** Lower is better; -1 when it does not match. */
function score({ name, rest, entry }: Indexed<RankedEntry>, query: string, isHex: boolean): number {
  if (name === query) return 0;
  const at = name.indexOf(query);
  if (at === 0) return 1;
  if (at > 0) return isWordStart(name, at) ? 2 : 4;
  if (isHex) {
    const digits = query.startsWith('0x') ? query : `0x${query}`;
    if (entry.address.startsWith(digits)) return 3;
    if (query.length >= 4 && entry.address.endsWith(query)) return 5;
    if (query.startsWith('0x')) return -1;
  }
  if (rest.includes(query)) return 6;
  const words = query.split(/\s+/);
  if (words.length > 1 && words.every(word => name.includes(word) || rest.includes(word))) return 7;
  return query.length >= 3 && isSubsequence(query, name) ? 8 : -1;
}

export function createEntryRanking<Entry extends RankedEntry>(entries: readonly Entry[]): EntryRanking<Entry> {
  const indexed = entries.map((entry, at): Indexed<Entry> => {
    const rest = [...entry.tags, entry.folder].join(' ').toLowerCase();
    return { entry, name: entry.name.toLowerCase(), rest, at };
  });
  return {
    rank(typed, limit) {
      const query = typed.trim().toLowerCase();
      if (query === '') return entries.slice(0, limit);
      if (query.length > MAX_QUERY_LENGTH) return [];
      const isHex = /^(?:0x)?[0-9a-f]+$/.test(query);
      const found: { readonly item: Indexed<Entry>; readonly score: number }[] = [];
      for (const item of indexed) {
        const value = score(item, query, isHex);
        if (value >= 0) found.push({ item, score: value });
      }
      found.sort((a, b) => a.score - b.score || a.item.name.length - b.item.name.length || a.item.at - b.item.at);
      return found.slice(0, limit).map(({ item }) => item.entry);
    },
  };
}
