// Undo when something else has changed since: only what the change took or altered is put back.
import type { Entry } from './entry.ts';
import { type Shelf, sameEntry } from './shelf.ts';

const sameThing = (left: Entry, right: Entry) =>
  left.address === right.address && left.chains.join() === right.chains.join();

/** `now` with the change from `before` to `after` taken back, as far as `now` still shows it. */
export function putBack(before: Shelf, after: Shelf, now: Shelf): Shelf {
  const lost = before.entries.filter(entry => !after.entries.some(kept => sameEntry(kept, entry)));
  const made = after.entries.filter(entry => !before.entries.some(old => sameEntry(old, entry)));
  const rest = now.entries.filter(entry => !made.some(one => sameEntry(one, entry)));
  // What somebody has saved for the same address in the meantime counts.
  const back = lost.filter(entry => !rest.some(one => sameThing(one, entry)));
  const folders = now.folders.filter(folder => before.folders.includes(folder) || !after.folders.includes(folder));
  const returned = before.folders.filter(folder => !after.folders.includes(folder) && !now.folders.includes(folder));
  return { entries: [...rest, ...back], folders: [...folders, ...returned] };
}
