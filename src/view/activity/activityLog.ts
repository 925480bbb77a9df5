// The activity of what is watched: transactions by chain, which are new, and up to which block each watch was read.

import { type Hex, isAddress, isHex } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import type { RowColor } from '../tree/treeRow.ts';

export interface BlockPosition {
  readonly number: number;
  readonly hash: string;
  /** What the wallet had after the block, in decimal digits of the smallest unit; absent where that was not read. */
  readonly balance?: string;
}

/** Texts from a chain are sanitized. Addresses are named where they are shown, since names change. */
export interface ActivityText {
  /** `null` where a contract did something: it is `to`. */
  readonly from: string | null;
  /** `null` for a contract that was created, if it failed. */
  readonly to: string | null;
  /** `12 MFT`, `1.5 ETH`, `deposit`, `FeeTaken 12 …`. */
  readonly what: string;
  /** Name or selector of the function that was called; empty when it is not known. */
  readonly method: string;
  readonly isFailed: boolean;
  /** Why it failed, in one sentence; absent where that is not known. */
  readonly reason?: string;
  /** Where in the source it failed, as `src/Vault.sol:41`; absent where that is not known. */
  readonly place?: string;
  /** Everything that it moved or emitted, where `what` has only the first of it. */
  readonly details?: readonly string[];
  readonly icon: string;
  readonly color: RowColor | null;
}

/** One transaction, or a change of a balance whose transactions the node can not find. */
export interface Activity extends ActivityText {
  readonly chain: string;
  /** The hash of the transaction; for a balance, of the block after which it was read. */
  readonly hash: Hex;
  /** The wallet whose balance changed; absent for a transaction. */
  readonly wallet?: Hex;
  readonly blockNumber: number;
  /** Milliseconds since the Unix epoch; `null` when unknown. */
  readonly time: number | null;
}

export interface ActivityItem extends Activity {
  /** Keys of the watches that it concerns; empty when its block was undone: it is not shown until it is mined again. */
  readonly watches: readonly string[];
  /** `cleared` is not shown, and remembered so that a reorganization does not report it again. */
  readonly state: 'new' | 'seen' | 'cleared';
}

/** Up to where a watch was read on a chain: the newest block first, older ones to find where a reorganization begins. */
export type Positions = readonly BlockPosition[];

export interface ActivityLog {
  /** Newest first. */
  readonly items: readonly ActivityItem[];
  /** By chain, then by the key of the watch. */
  readonly positions: Readonly<Record<string, Readonly<Record<string, Positions>>>>;
  /** Hash of block 0 by chain: another one is another chain. */
  readonly genesis: Readonly<Record<string, string>>;
}

export const EMPTY_LOG: ActivityLog = { items: [], positions: {}, genesis: {} };

/** Older ones are dropped. */
export const MAX_ITEMS = 200;
export const MAX_POSITIONS = 16;

/** Unique among activities. */
export const getActivityId = ({ chain, hash, wallet }: Pick<Activity, 'chain' | 'hash' | 'wallet'>): string =>
  [chain, hash, ...(wallet === undefined ? [] : [wallet])].join(' ');

const compareItems = (a: ActivityItem, b: ActivityItem) =>
  (b.time ?? 0) - (a.time ?? 0) || (a.chain === b.chain ? b.blockNumber - a.blockNumber : 0);

export const getShownItems = ({ items }: ActivityLog): readonly ActivityItem[] =>
  items.filter(({ state, watches }) => state !== 'cleared' && watches.length > 0);

/** A row of the list: one activity, or failures of the same kind. */
export type ActivityGroup = readonly [ActivityItem, ...ActivityItem[]];

/** The error without its values, which are other ones each time: `Reverted: StalePrice`. */
export const getFailureKind = ({ reason }: ActivityText): string | null => reason?.split('(', 1)[0] ?? null;

const getFailureKey = (item: ActivityItem) => JSON.stringify([item.chain, item.to, item.method, getFailureKind(item)]);

/** Failures of one function for one reason are one group, of any sender, where the newest of them is; all else stays by itself. */
export function groupFailures(items: readonly ActivityItem[]): readonly ActivityGroup[] {
  const failures = new Map<string, ActivityItem[]>();
  for (const item of items) {
    if (!item.isFailed) continue;
    const key = getFailureKey(item);
    failures.set(key, [...(failures.get(key) ?? []), item]);
  }
  return items.flatMap((item): readonly ActivityGroup[] => {
    if (!item.isFailed) return [[item]];
    const [first, ...others] = failures.get(getFailureKey(item)) ?? [];
    return first === item ? [[first, ...others]] : [];
  });
}

export const countNew = (log: ActivityLog): number => getShownItems(log).filter(({ state }) => state === 'new').length;

/** How many new items were not in the log before, not even as undone. */
export function countFound(before: ActivityLog, after: ActivityLog): number {
  const known = new Set(before.items.map(getActivityId));
  return getShownItems(after).filter(item => item.state === 'new' && !known.has(getActivityId(item))).length;
}

export const markSeen = (log: ActivityLog): ActivityLog => ({
  ...log,
  items: log.items.map(item => (item.state === 'new' ? { ...item, state: 'seen' } : item)),
});

export const clearItems = (log: ActivityLog): ActivityLog => ({
  ...log,
  items: log.items.map(item => ({ ...item, state: 'cleared' })),
});

/** Without what only this watch has found. */
export function removeWatch(log: ActivityLog, key: string): ActivityLog {
  const items = log.items
    .map(item => ({ ...item, watches: item.watches.filter(other => other !== key) }))
    .filter(({ watches }, index) => watches.length > 0 || log.items[index]?.watches.length === 0);
  const positions = Object.fromEntries(
    Object.entries(log.positions).map(([chain, { [key]: _removed, ...others }]) => [chain, others]),
  );
  return { ...log, items, positions };
}

export interface WatchRead {
  readonly key: string;
  /** The newest block that was read before and is still part of the chain; `null` on the first read of the watch. */
  readonly from: BlockPosition | null;
  readonly to: BlockPosition;
  readonly activities: readonly Activity[];
}

/** Adds what was read of a chain. What was found in blocks after `from` before and is not there any more was undone. */
export function addReads(log: ActivityLog, chain: string, reads: readonly WatchRead[]): ActivityLog {
  const items = new Map(log.items.map(item => [getActivityId(item), item]));
  const positions: Record<string, Positions> = { ...log.positions[chain] };
  for (const { key, from, to, activities } of reads) {
    for (const [id, item] of items)
      if (item.chain === chain && from !== null && item.blockNumber > from.number)
        items.set(id, { ...item, watches: item.watches.filter(other => other !== key) });
    for (const activity of activities) {
      const id = getActivityId(activity);
      const before = items.get(id);
      const watches = [...new Set([...(before?.watches ?? []), key])];
      // Another watch may have seen more of the transaction, such as the call that made a transfer.
      const isPoorer = before?.blockNumber === activity.blockNumber && activity.method === '';
      items.set(id, { ...(isPoorer ? before : activity), state: before?.state ?? 'new', watches });
    }
    const older = (positions[key] ?? []).filter(({ number }) => number < (from?.number ?? 0));
    const all = [to, ...(from === null || from.number === to.number ? [] : [from]), ...older];
    const first = all.at(-1);
    // The first one stays: it says where watching began.
    positions[key] =
      all.length <= MAX_POSITIONS || first === undefined ? all : [...all.slice(0, MAX_POSITIONS - 1), first];
  }
  return {
    ...log,
    items: [...items.values()].sort(compareItems).slice(0, MAX_ITEMS),
    positions: { ...log.positions, [chain]: positions },
  };
}

/** Forgets what is known of a chain that was reset. Its watches are to be read from its first block on. */
export const resetChain = (log: ActivityLog, chain: string): ActivityLog => ({
  ...log,
  items: log.items.filter(item => item.chain !== chain),
  positions: { ...log.positions, [chain]: {} },
});

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);

const isPosition = (value: unknown): value is BlockPosition =>
  isObject(value) &&
  Number.isSafeInteger(value['number']) &&
  isText(value['hash']) &&
  (value['balance'] === undefined || (isText(value['balance']) && /^\d{1,78}$/.test(value['balance'])));

const isItem = (value: unknown): value is ActivityItem =>
  isObject(value) &&
  [value['chain'], value['icon'], value['what'], value['method']].every(isText) &&
  [value['from'], value['to'], value['color']].every(isTextOrNull) &&
  typeof value['isFailed'] === 'boolean' &&
  [value['reason'], value['place']].every(text => text === undefined || isText(text)) &&
  (value['details'] === undefined || (Array.isArray(value['details']) && value['details'].every(isText))) &&
  isText(value['hash']) &&
  isHex(value['hash']) &&
  (value['wallet'] === undefined || (isText(value['wallet']) && isAddress(value['wallet']))) &&
  Number.isSafeInteger(value['blockNumber']) &&
  (value['time'] === null || Number.isFinite(value['time'])) &&
  ['new', 'seen', 'cleared'].some(state => state === value['state']) &&
  Array.isArray(value['watches']) &&
  value['watches'].every(isText);

/** The stored log of a former session, without what another version wrote in another form. */
export function parseActivityLog(value: unknown): ActivityLog {
  if (!isObject(value)) return EMPTY_LOG;
  const { items, positions, genesis } = value;
  return {
    items: Array.isArray(items) ? items.filter(isItem).slice(0, MAX_ITEMS) : [],
    positions: Object.fromEntries(
      Object.entries(isObject(positions) ? positions : {}).map(([chain, byKey]) => [
        chain,
        Object.fromEntries(
          Object.entries(isObject(byKey) ? byKey : {}).flatMap(([key, list]) =>
            Array.isArray(list) && list.length > 0 && list.every(isPosition) ? [[key, list]] : [],
          ),
        ),
      ]),
    ),
    genesis: Object.fromEntries(
      Object.entries(isObject(genesis) ? genesis : {}).flatMap(([chain, hash]) =>
        isText(hash) ? [[chain, hash]] : [],
      ),
    ),
  };
}
