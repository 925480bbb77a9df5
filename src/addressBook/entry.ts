// What the address book keeps of one address.

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
