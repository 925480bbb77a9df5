// What the address book keeps of one address.

// Addresses as the book keeps them: one form each, so that any spelling finds the entry.
const ADDRESS = /^0x([0-9a-f]{1,64})$/;

/**
 * `0x` and 40 digits for what has 40 (EVM), `0x` and 64 for every other length (Aptos, padded), in lower case; `null`
 * when the text is no address. An Aptos address that was shortened to exactly 40 digits is taken for an EVM one.
 */
export function normalizeEntryAddress(text: string): string | null {
  const digits = ADDRESS.exec(text.trim().toLowerCase())?.[1];
  if (digits === undefined) return null;
  return `0x${digits.length === 40 ? digits : digits.padStart(64, '0')}`;
}

export function isAptosEntryAddress(canonical: string): boolean {
  return canonical.length === 66;
}

/** No chain named is every chain, so two entries of one address only stand side by side when both name different ones. */
export function haveCommonChain(left: readonly string[], right: readonly string[]): boolean {
  return left.length === 0 || right.length === 0 || left.some(chain => right.includes(chain));
}

/** `collection` is an NFT contract, `aptos` an account or object of Aptos. */
export const entryKinds = ['wallet', 'contract', 'collection', 'aptos'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Names of VS Code's chart colours, which every theme defines. */
export const entryColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
export type EntryColor = (typeof entryColors)[number];

/** The user's word on a token contract. */
export const trustLevels = ['verified', 'spam'] as const;
export type EntryTrust = (typeof trustLevels)[number];

export interface Entry {
  /** Lower case: `0x` and 40 digits (EVM) or 64 digits (Aptos, padded). */
  readonly address: string;
  readonly kind: EntryKind;
  /** What it is called everywhere; one line, never empty. */
  readonly name: string;
  /** Canonical selectors of the chains (or Aptos networks) it is meant for; empty: all of them. */
  readonly chains: readonly string[];
  /** Folders from the outermost, joined by `/`; empty at the top. */
  readonly folder: string;
  readonly tags: readonly string[];
  readonly notes: string;
  readonly color: EntryColor | null;
  /** The user's word on a token contract: beats every rule of ours. */
  readonly mark: EntryTrust | null;
}

/** `personal`: this user's own, in every window. `workspace`: the committed file of a workspace folder. */
export type BookStorage = { readonly kind: 'personal' } | { readonly kind: 'workspace'; readonly folder: string };

export interface SavedEntry extends Entry {
  /** Stable while the entry exists; unique over both places. */
  readonly id: string;
  readonly storage: BookStorage;
}

// An entry without what goes without saying: how it is kept, in the file and in the global state.
/** Fields that are empty, or what they would be anyway, are left out. */
export function toStoredEntry(entry: Entry): Partial<Entry> {
  const { address, kind, name, chains, folder, tags, notes, color, mark } = entry;
  return {
    address,
    name,
    ...(kind !== (isAptosEntryAddress(address) ? 'aptos' : 'wallet') && { kind }),
    ...(chains.length > 0 && { chains }),
    ...(folder !== '' && { folder }),
    ...(tags.length > 0 && { tags }),
    ...(notes !== '' && { notes }),
    ...(color !== null && { color }),
    ...(mark !== null && { mark }),
  };
}
