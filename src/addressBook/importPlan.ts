// What an import would change in one storage: new, updated and unchanged entries.

import { type AddressBookState, isSameEntry } from './addressBookState.ts';
import type { Entry } from './entry.ts';

export interface PlannedEntry {
  readonly state: 'new' | 'updated' | 'same';
  /** As it would be saved. */
  readonly entry: Entry;
  /** The existing entry; `null` for new ones. */
  readonly before: Entry | null;
}

/** What is planned for one entry; lists are sets until the end, so that an import takes linear time. */
class Draft {
  readonly before: Entry | null;
  readonly order: number;
  /** Index in the plan; -1 while no imported entry changes it. */
  at = -1;
  entry: Entry;
  /** Empty: all chains. */
  readonly chains: Set<string>;
  readonly #tags: Set<string>;
  readonly #noteLines: Set<string>;
  readonly #newLines: string[] = [];

  constructor(entry: Entry, before: Entry | null, order: number) {
    this.entry = entry;
    this.before = before;
    this.order = order;
    this.chains = new Set(entry.chains);
    this.#tags = new Set(entry.tags);
    this.#noteLines = new Set(entry.notes.split('\n'));
  }

  /** Non-empty fields of `incoming` win; tags, chains and notes are merged. */
  merge(incoming: Entry): void {
    const { entry } = this;
    const logo = incoming.logo ?? entry.logo;
    const abi = incoming.abi ?? entry.abi;
    if (incoming.chains.length === 0) this.chains.clear();
    else if (this.chains.size > 0) for (const chain of incoming.chains) this.chains.add(chain);
    for (const tag of incoming.tags) this.#tags.add(tag);
    // Appends the lines that are not there yet, so that an import never deletes notes that a person wrote.
    for (const line of incoming.notes.split('\n')) {
      if (line === '' || this.#noteLines.has(line)) continue;
      this.#noteLines.add(line);
      this.#newLines.push(line);
    }
    this.entry = {
      ...entry,
      kind: incoming.kind === 'wallet' ? entry.kind : incoming.kind,
      name: incoming.name,
      folder: incoming.folder || entry.folder,
      color: incoming.color ?? entry.color,
      trust: incoming.trust ?? entry.trust,
      ...(logo !== undefined && { logo }),
      ...(abi !== undefined && { abi }),
    };
  }

  toPlannedEntry(): PlannedEntry {
    const { before } = this;
    const { notes } = this.entry;
    const entry: Entry = {
      ...this.entry,
      chains: [...this.chains],
      tags: [...this.#tags],
      notes: [...(notes === '' ? [] : [notes]), ...this.#newLines].join('\n'),
    };
    return { state: before === null ? 'new' : isSameEntry(before, entry) ? 'same' : 'updated', entry, before };
  }
}

/** The drafts of one address, by what an imported entry may have in common with them. */
class AddressDrafts {
  #first: Draft | undefined;
  #onAllChains: Draft | undefined;
  readonly #byChain = new Map<string, Draft>();
  readonly #byName = new Map<string, Draft>();

  /** The first draft with a chain in common, or with the same name. */
  find({ chains, name }: Entry): Draft | undefined {
    if (chains.length === 0) return this.#first;
    const byName = this.#byName.get(name);
    const found = [
      ...chains.map(chain => this.#byChain.get(chain)),
      this.#onAllChains,
      byName?.entry.name === name ? byName : undefined,
    ];
    return found.reduce(
      (best, draft) => (draft !== undefined && (best === undefined || draft.order < best.order) ? draft : best),
      undefined,
    );
  }

  add(draft: Draft, chains: Iterable<string>): void {
    const prefer = (other: Draft | undefined) => (other !== undefined && other.order <= draft.order ? other : draft);
    this.#first = prefer(this.#first);
    if (draft.chains.size === 0) this.#onAllChains = prefer(this.#onAllChains);
    for (const chain of chains) this.#byChain.set(chain, prefer(this.#byChain.get(chain)));
    const { name } = draft.entry;
    const named = this.#byName.get(name);
    this.#byName.set(name, prefer(named?.entry.name === name ? named : undefined));
  }
}

/**
 * One planned entry per imported entry; several for one address and chain become one. An existing entry of the same address
 * and name on other chains is the same contract, so that the chains are merged.
 */
export function planImport(state: AddressBookState, incoming: readonly Entry[]): readonly PlannedEntry[] {
  const byAddress = new Map<string, AddressDrafts>();
  const planned: Draft[] = [];
  let count = 0;
  const track = (entry: Entry, before: Entry | null): Draft => {
    const draft = new Draft(entry, before, count++);
    const drafts = byAddress.get(entry.address) ?? new AddressDrafts();
    byAddress.set(entry.address, drafts);
    drafts.add(draft, entry.chains);
    return draft;
  };
  for (const entry of state.entries) track(entry, entry);
  for (const entry of incoming) {
    const drafts = byAddress.get(entry.address);
    let draft = drafts?.find(entry);
    if (draft === undefined) draft = track(entry, null);
    else {
      draft.merge(entry);
      drafts?.add(draft, entry.chains);
    }
    if (draft.at < 0) draft.at = planned.push(draft) - 1;
  }
  return planned.map(draft => draft.toPlannedEntry());
}
