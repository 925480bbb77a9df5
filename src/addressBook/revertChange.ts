// Undo when something else has changed since: only what the change took or altered is put back.

import type { AddressBookState } from './addressBookState.ts';
import type { Entry } from './entry.ts';
import { haveCommonChain } from './entryAddress.ts';

const whole = (entry: Entry) => JSON.stringify(entry);

/** `now` with the change from `before` to `after` taken back, as far as `now` still shows it. */
export function revertChange(
  before: AddressBookState,
  after: AddressBookState,
  now: AddressBookState,
): AddressBookState {
  const [old, kept] = [new Set(before.entries.map(whole)), new Set(after.entries.map(whole))];
  const rest = now.entries.filter(entry => old.has(whole(entry)) || !kept.has(whole(entry)));
  // What somebody has saved for the same address in the meantime counts.
  const fresh = rest.filter(entry => !old.has(whole(entry)));
  const since = Map.groupBy(fresh, ({ address }) => address);
  const taken = ({ address, chains }: Entry) =>
    since.get(address)?.some(other => haveCommonChain(other.chains, chains));
  const back = before.entries.filter(entry => !kept.has(whole(entry)) && !taken(entry));
  const folders = now.folders.filter(folder => before.folders.includes(folder) || !after.folders.includes(folder));
  const returned = before.folders.filter(folder => !after.folders.includes(folder) && !now.folders.includes(folder));
  return { entries: [...rest, ...back], folders: [...folders, ...returned] };
}
