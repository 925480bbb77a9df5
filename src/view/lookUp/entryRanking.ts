// Finds saved entries by input, best first; fast enough to run at every keystroke over thousands of entries.
import type { SavedEntry } from '../../addressBook/entry.ts';

export interface EntryRanking {
  /** At most `limit` entries, best first; in their own order without input. */
  rank(typed: string, limit: number): readonly SavedEntry[];
}

/** Longer input is not a name. */
const MAX_QUERY_LENGTH = 120;

interface Indexed {
  readonly entry: SavedEntry;
  readonly name: string;
  /** Tags and folder. */
  readonly rest: string;
  readonly at: number;
}

const isWordStart = (text: string, at: number): boolean => at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1));

/** Whether `text` contains all characters of `wanted` in this order. */
function isSubsequence(wanted: string, text: string): boolean {
  let from = 0;
  for (const character of wanted) {
    const at = text.indexOf(character, from);
    if (at < 0) return false;
    from = at + character.length;
  }
  return true;
}

/** Lower is better; -1 when it does not match. */
function score({ name, rest, entry }: Indexed, wanted: string, isHex: boolean): number {
  if (name === wanted) return 0;
  const at = name.indexOf(wanted);
  if (at === 0) return 1;
  if (at > 0) return isWordStart(name, at) ? 2 : 4;
  if (isHex) {
    const digits = wanted.startsWith('0x') ? wanted : `0x${wanted}`;
    if (entry.address.startsWith(digits)) return 3;
    if (wanted.length >= 4 && entry.address.endsWith(wanted)) return 5;
    if (wanted.startsWith('0x')) return -1;
  }
  if (rest.includes(wanted)) return 6;
  const words = wanted.split(/\s+/);
  if (words.length > 1 && words.every(word => name.includes(word) || rest.includes(word))) return 7;
  return wanted.length >= 3 && isSubsequence(wanted, name) ? 8 : -1;
}

export function createEntryRanking(entries: readonly SavedEntry[]): EntryRanking {
  const indexed = entries.map((entry, at): Indexed => {
    const rest = [...entry.tags, entry.folder].join(' ').toLowerCase();
    return { entry, name: entry.name.toLowerCase(), rest, at };
  });
  return {
    rank(typed, limit) {
      const wanted = typed.trim().toLowerCase();
      if (wanted === '') return entries.slice(0, limit);
      if (wanted.length > MAX_QUERY_LENGTH) return [];
      const isHex = /^(?:0x)?[0-9a-f]+$/.test(wanted);
      const found: { readonly item: Indexed; readonly score: number }[] = [];
      for (const item of indexed) {
        const value = score(item, wanted, isHex);
        if (value >= 0) found.push({ item, score: value });
      }
      found.sort((a, b) => a.score - b.score || a.item.name.length - b.item.name.length || a.item.at - b.item.at);
      return found.slice(0, limit).map(({ item }) => item.entry);
    },
  };
}
