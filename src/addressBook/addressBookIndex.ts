// Saved entries of all places as one list, found by address or id without searching.

import type { AddressBookConfiguration } from '../api/configuration.ts';
import { type Entry, isAptosEntryAddress, normalizeEntryAddress, type SavedEntry } from './entry.ts';

// What the service is told of the book: a name per address for its `*_label` fields, and the user's word on tokens.
/** `entries` in the order in which they count. Addresses are checked by the judge, so none is a prototype's key. */
export function toBookConfiguration(entries: readonly Entry[]): AddressBookConfiguration {
  const labels: Record<string, string> = {};
  const marks: Record<string, 'verified' | 'spam'> = {};
  for (const { address, name, mark } of entries) {
    labels[address] ??= name;
    if (mark !== null) marks[address] ??= mark;
  }
  return { labels, trust: marks };
}

export interface AddressBookIndex {
  readonly entries: readonly SavedEntry[];
  byId(id: string): SavedEntry | undefined;
  /** The workspace's entries first. */
  byAddress(address: string): readonly SavedEntry[];
  getName(address: string, chain?: string): string | null;
}

/** Entries of one address, those for the chain in front; all as they were where the chain is not known. */
export function sortByChain(entries: readonly SavedEntry[], chain: string | null): readonly SavedEntry[] {
  if (chain === null || entries.length < 2) return entries;
  const fits = ({ chains }: SavedEntry) => chains.length === 0 || chains.includes(chain);
  return [...entries.filter(fits), ...entries.filter(entry => !fits(entry))];
}

const none: readonly SavedEntry[] = [];

/** `places` in the order in which their names count. */
export function createAddressBookIndex(places: readonly (readonly SavedEntry[])[]): AddressBookIndex {
  const entries = places.flat();
  const ids = new Map(entries.map(entry => [entry.id, entry]));
  const addresses = new Map<string, SavedEntry[]>();
  for (const entry of entries) {
    const list = addresses.get(entry.address);
    if (list === undefined) addresses.set(entry.address, [entry]);
    else list.push(entry);
  }
  const byAddress = (address: string) => {
    const canonical = normalizeEntryAddress(address);
    if (canonical === null) return none;
    const found = addresses.get(canonical);
    if (found !== undefined || isAptosEntryAddress(canonical)) return found ?? none;
    // Forty digits are read as EVM, but an Aptos account may be written that short.
    return addresses.get(`0x${canonical.slice(2).padStart(64, '0')}`) ?? none;
  };
  return {
    entries,
    byId: id => ids.get(id),
    byAddress,
    getName(address, chain) {
      const found = byAddress(address);
      const fits = found.find(({ chains }) => chain === undefined || chains.length === 0 || chains.includes(chain));
      return fits?.name ?? null;
    },
  };
}
