// History of look-ups per chain. A restarted dev chain has its own history.

/** Where the history of a workspace is stored. */
export const HISTORY_KEY = 'hexlens.lookUpHistory';

export interface LookUpHistoryEntry {
  /** What to type to find it again. */
  readonly value: string;
  /** One line for the list: `Block 17`, a saved name. */
  readonly label: string;
}

/** By chain (`getHistoryKey`), the last used chain first; newest entries first. */
export type LookUpHistory = readonly { readonly chain: string; readonly entries: readonly LookUpHistoryEntry[] }[];

const MAX_STORED_ENTRIES = 30;
const MAX_CHAINS = 12;

/** The selector of a public chain; of one on this machine with its genesis block, `null` while that is unknown. */
export function getHistoryKey(
  chain: { readonly selector: string; readonly isOnLoopback: boolean },
  genesis: string | null,
) {
  if (!chain.isOnLoopback) return chain.selector;
  return genesis === null ? null : `${chain.selector} ${genesis}`;
}

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxLength;

/** Invalid parts of the stored value are ignored. */
export function parseHistory(stored: unknown): LookUpHistory {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MAX_CHAINS).flatMap((one: unknown) => {
    if (one === null || typeof one !== 'object') return [];
    const { chain, entries } = one as Readonly<Record<string, unknown>>;
    if (!isText(chain, 200) || !Array.isArray(entries)) return [];
    const valid = entries.slice(0, MAX_STORED_ENTRIES).flatMap((entry: unknown): LookUpHistoryEntry[] => {
      if (entry === null || typeof entry !== 'object') return [];
      const { value, label } = entry as Readonly<Record<string, unknown>>;
      return isText(value, 300) && isText(label, 300) ? [{ value, label }] : [];
    });
    return [{ chain, entries: valid }];
  });
}

export function addHistoryEntry(history: LookUpHistory, chain: string, entry: LookUpHistoryEntry): LookUpHistory {
  const before = history.find(one => one.chain === chain)?.entries ?? [];
  const entries = [entry, ...before.filter(({ value }) => value !== entry.value)].slice(0, MAX_STORED_ENTRIES);
  return [{ chain, entries }, ...history.filter(one => one.chain !== chain)].slice(0, MAX_CHAINS);
}

export function removeHistoryEntry(history: LookUpHistory, chain: string, value: string): LookUpHistory {
  return history.map(one =>
    one.chain === chain ? { chain, entries: one.entries.filter(entry => entry.value !== value) } : one,
  );
}

export function getHistoryEntries(history: LookUpHistory, chain: string): readonly LookUpHistoryEntry[] {
  return history.find(one => one.chain === chain)?.entries ?? [];
}
