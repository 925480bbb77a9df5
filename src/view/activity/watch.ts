// What the user watches: an address, or one event of a contract.
import { type Hex, isAddress } from '../../base/hex.ts';

/**
 * Stored per workspace and user (`workspaceState`), not in the address book: whom one watches is a personal choice, which
 * must not appear in the team's file, and on development chains the same address is another contract in each project.
 */
export interface Watch {
  /** In lower case. */
  readonly address: Hex;
  /** Only logs with this topic; `null` watches the whole address. */
  readonly topic0: Hex | null;
  /** Name of the event; untrusted text. */
  readonly event: string | null;
  /** Selector of the chain; `null`: the chains of the saved entry, else all configured ones. */
  readonly chain: string | null;
}

/** More are refused. */
export const MAX_WATCHES = 50;

/** Unique among watches. */
export const getWatchKey = ({ address, topic0, chain }: Pick<Watch, 'address' | 'topic0' | 'chain'>): string =>
  [address, topic0 ?? '', chain ?? ''].join(' ');

const isTopic = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 200;

/** Validates a stored watch or the argument of a command; `null` when it is none. */
export function parseWatch(value: unknown): Watch | null {
  const { address, topic0, event, chain } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof address !== 'string' || !isAddress(address)) return null;
  // Without its topic it would be the whole address.
  if (topic0 !== undefined && topic0 !== null && !isTopic(topic0)) return null;
  return {
    address: address.toLowerCase() as Hex,
    topic0: (topic0?.toLowerCase() ?? null) as Hex | null,
    event: isText(event) ? event : null,
    chain: isText(chain) ? chain : null,
  };
}

/** Chains of saved entries by address, `null` for all: a removed entry does not widen what is watched. */
export type EntryChains = Map<string, readonly string[] | null>;

export function parseEntryChains(value: unknown): EntryChains {
  const entries = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
  return new Map(
    entries.flatMap(([address, chains]) =>
      chains === null || (Array.isArray(chains) && chains.every(isText)) ? [[address, chains]] : [],
    ),
  );
}

/** The list without the watch, or with it where it was missing; unchanged when there is no room for another one. */
export function changeWatches(watches: readonly Watch[], watch: Watch, isWatched: boolean): readonly Watch[] {
  const others = watches.filter(other => getWatchKey(other) !== getWatchKey(watch));
  if (!isWatched) return others;
  return others.length < watches.length || watches.length >= MAX_WATCHES ? watches : [...watches, watch];
}
