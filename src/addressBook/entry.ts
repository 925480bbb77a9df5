// One entry of the address book, and the normal form of its address.

/** `collection` is an NFT contract, `aptos` an account or object of Aptos. */
export const entryKinds = ['wallet', 'contract', 'collection', 'aptos'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Names of VS Code's chart colors, which every theme defines. */
export const entryColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
export type EntryColor = (typeof entryColors)[number];

/** The user's verdict on a token contract; it overrides the spam rules. */
export const trustLevels = ['verified', 'spam'] as const;
export type EntryTrust = (typeof trustLevels)[number];

export interface Entry {
  /** Lower case: `0x` and 40 digits (EVM) or 64 digits (Aptos, padded). */
  readonly address: string;
  readonly kind: EntryKind;
  /** One line, never empty. */
  readonly name: string;
  /** Canonical selectors of the chains (or Aptos networks) that the entry is limited to; empty: all of them. An unknown name matches no chain. */
  readonly chains: readonly string[];
  /** Folders from the outermost, joined by `/`; empty at the top. */
  readonly folder: string;
  readonly tags: readonly string[];
  readonly notes: string;
  readonly color: EntryColor | null;
  /** Stored as `mark` in files and in the global state. */
  readonly trust: EntryTrust | null;
  /** https URL of a token's image, for replies of the service; not shown by the extension. */
  readonly logo?: string;
  /** Path of the contract's ABI below the folder that has the address book, with `/`; only read there. */
  readonly abi?: string;
}

/** `personal`: the user's global state, shared by all windows. `workspace`: the committed file of a workspace folder. */
export type AddressBookStorage =
  | { readonly kind: 'personal' }
  | { readonly kind: 'workspace'; readonly folder: string };

export interface SavedEntry extends Entry {
  /** Stable while the entry exists; unique across all storages. */
  readonly id: string;
  readonly storage: AddressBookStorage;
}

const ADDRESS = /^0x([0-9a-f]{1,64})$/;

/**
 * The one form in which entries hold an address: lower case, `0x` and 40 digits (EVM) or 64 (Aptos, padded). `null` when
 * the text is not an address. 40 digits always mean EVM, even if an Aptos address was shortened to that length.
 */
export function normalizeEntryAddress(text: string): string | null {
  const digits = ADDRESS.exec(text.trim().toLowerCase())?.[1];
  if (digits === undefined) return null;
  return `0x${digits.length === 40 ? digits : digits.padStart(64, '0')}`;
}

const CHAIN_ADDRESS = /^(?:([\w:-]{1,60}):)?(0x[0-9a-f]{1,64})(?:@([\w:-]{1,60}))?$/i;

/**
 * An address, normalized, and the chain that is written with it: `gno:0x…` (EIP-3770), `eip155:100:0x…` (CAIP-10), `0x…@base`.
 * `chain` is as it is written; `null` where none is.
 */
export function splitChainAddress(text: string): { readonly address: string; readonly chain: string | null } | null {
  const [, before, written = '', after] = CHAIN_ADDRESS.exec(text.trim()) ?? [];
  const address = normalizeEntryAddress(written);
  return address === null ? null : { address, chain: before ?? after ?? null };
}

/** Takes a normalized address. */
export function isAptosEntryAddress(address: string): boolean {
  return address.length === 66;
}

/** An empty list means every chain. Two entries of one address can coexist only if they have no chain in common. */
export function haveCommonChain(left: readonly string[], right: readonly string[]): boolean {
  return left.length === 0 || right.length === 0 || left.some(chain => right.includes(chain));
}

/** An entry as it is written to files and to the global state: defaults are left out. */
export interface StoredEntry extends Partial<Omit<Entry, 'trust'>> {
  readonly mark?: EntryTrust;
}

export function toStoredEntry(entry: Entry): StoredEntry {
  const { address, kind, name, chains, folder, tags, notes, color, trust, logo, abi } = entry;
  return {
    address,
    name,
    ...(kind !== (isAptosEntryAddress(address) ? 'aptos' : 'wallet') && { kind }),
    ...(chains.length > 0 && { chains }),
    ...(folder !== '' && { folder }),
    ...(tags.length > 0 && { tags }),
    ...(notes !== '' && { notes }),
    ...(color !== null && { color }),
    ...(trust !== null && { mark: trust }),
    ...(logo !== undefined && { logo }),
    ...(abi !== undefined && { abi }),
  };
}
