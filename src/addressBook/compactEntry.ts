// An entry without what goes without saying: how it is kept, in the file and in the global state.

import type { Entry } from './entry.ts';
import { isAptosEntryAddress } from './entryAddress.ts';

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
