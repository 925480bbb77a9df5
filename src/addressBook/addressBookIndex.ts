// Saved entries of all storages, found by address or id without searching.
import { type AddressBookConfiguration, type AddressFacts, isForChain } from '../api/configuration.ts';
import { type Entry, isAptosEntryAddress, normalizeEntryAddress, type SavedEntry } from './entry.ts';

/** What the names of an address book may replace. */
export interface NamePolicy {
  /** Until the user trusts the workspace, its names are shown only where they are marked as its own. */
  readonly isWorkspaceTrusted: boolean;
  /** The name of an address that is the same everywhere, such as Permit2; `null` for others. */
  getWellKnownName(address: string): string | null;
}

/** Entries of one address, those for the chain first; in their own order if the chain is unknown. */
export function sortByChain(entries: readonly SavedEntry[], chain: string | null): readonly SavedEntry[] {
  if (chain === null || entries.length < 2) return entries;
  const isOfChain = ({ chains }: SavedEntry) => isForChain(chains, chain);
  return [...entries.filter(isOfChain), ...entries.filter(entry => !isOfChain(entry))];
}

const none: readonly SavedEntry[] = [];

/** `storages`: the entries of each, the ones whose names win first. */
export function createAddressBookIndex(
  storages: readonly (readonly SavedEntry[])[],
  { isWorkspaceTrusted, getWellKnownName }: NamePolicy,
) {
  const entries = storages.flat();
  const isTrusted = ({ storage }: SavedEntry) => isWorkspaceTrusted || storage.kind === 'personal';
  const byId = new Map(entries.map(entry => [entry.id, entry]));
  const byAddress = Map.groupBy(entries, ({ address }) => address);
  const getByAddress = (address: string) => {
    const normalized = normalizeEntryAddress(address);
    if (normalized === null) return none;
    const matches = byAddress.get(normalized);
    if (matches !== undefined || isAptosEntryAddress(normalized)) return matches ?? none;
    // Forty digits are read as EVM, but an Aptos account may be written that short.
    return byAddress.get(`0x${normalized.slice(2).padStart(64, '0')}`) ?? none;
  };
  return {
    entries,
    /** Entries whose names may be shown without saying where they are stored. */
    trustedEntries: isWorkspaceTrusted ? entries : entries.filter(isTrusted),
    getById: (id: string): SavedEntry | undefined => byId.get(id),
    /** Takes any spelling of the address. Entries of the storages that come first are first. */
    getByAddress,
    /** The name of a trusted entry. */
    getName(address: string, chain?: string): string | null {
      const match = getByAddress(address).find(
        entry => isTrusted(entry) && (chain === undefined || isForChain(entry.chains, chain)),
      );
      if (match === undefined || match.storage.kind === 'personal') return match?.name ?? null;
      // A file that others write must not give a well-known contract another name without showing the real one.
      const wellKnown = getWellKnownName(match.address);
      return wellKnown === null || wellKnown === match.name ? match.name : `${wellKnown} (${match.name})`;
    },
  };
}

/**
 * What the service needs of the address book: names for its `*_label` fields, the trust in tokens and their logos, by
 * address. Entries are validated, so no address is a key of Object.prototype.
 */
export function toAddressBookConfiguration(entries: readonly Entry[]): AddressBookConfiguration {
  const facts: Record<string, AddressFacts[]> = {};
  for (const { address, name, chains, trust, logo } of entries) {
    facts[address] ??= [];
    facts[address].push({ name, chains, ...(trust !== null && { trust }), ...(logo !== undefined && { logo }) });
  }
  return facts;
}
