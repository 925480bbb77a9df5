// Owners and collections as they stood at a block: what changed since is undone, so that pages keep while the chain grows.
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { LogPosition } from '../store/logPosition.ts';
import type { OwnerRow, TransferRow } from '../store/rows.ts';
import type { CollectionRow, OwnerKey, OwnerQuery, PageQuery, Store, TransferQuery } from '../store/store.ts';

/**
 * The list as of block `at`. Where more has happened since than can be undone in a moment, it is today's list of what has
 * not changed since.
 */
export async function readOwnersAtBlock(
  store: Store,
  query: OwnerQuery,
  at: number,
  { limit, after = aboveBlock(at) }: PageQuery<OwnerKey>,
): Promise<readonly OwnerRow[]> {
  return undisturbed(store, async () => {
    const changes = await changesSince(store, query, at);
    const rows = await store.queryOwners(query, { limit: limit + changes.size, after });
    const restored = await Promise.all([...changes.values()].map(change => restore(store, change, at)));
    const unchanged = rows.filter(row => !changes.has(nameOf(row)));
    const back = restored.filter(row => row !== null && compareOwners(row, after) > 0);
    return [...unchanged, ...back.filter(row => row !== null)].sort(compareOwners).slice(0, limit);
  });
}

/** The same of a wallet's collections. */
export async function readCollectionsAtBlock(
  store: Store,
  owner: Hex,
  at: number,
  { limit, after = { changedAt: aboveBlock(at).changedAt, token: HIGHEST } }: PageQuery<CollectionRow>,
): Promise<readonly CollectionRow[]> {
  return undisturbed(store, async () => {
    const tokens = new Set([...(await changesSince(store, { owner }, at)).values()].map(change => change.token));
    const rows = await store.queryCollections(owner, { limit: limit + tokens.size, after });
    const restored = await Promise.all(
      [...tokens].map(async (token): Promise<CollectionRow | null> => {
        const [newest] = await readOwnersAtBlock(store, { owner, tokens: [token] }, at, { limit: 1 });
        return newest === undefined ? null : { token, changedAt: newest.changedAt };
      }),
    );
    const back = restored.filter(row => row !== null && compareCollections(row, after) > 0).filter(row => row !== null);
    const unchanged = rows.filter(row => !tokens.has(row.token));
    return [...unchanged, ...back].sort(compareCollections).slice(0, limit);
  });
}

const HIGHEST: Hex = `0x${'f'.repeat(40)}`;
/** Amounts that are undone for one page at most. */
const MOST_CHANGES = 500;
const CHUNK = 500;
const ATTEMPTS = 5;

/** Where the list as of block `at` begins: behind everything above the block. */
const aboveBlock = (at: number): OwnerKey => ({
  changedAt: { blockNumber: at + 1, logIndex: 0, batchIndex: 0 },
  owner: HIGHEST,
  token: HIGHEST,
  tokenId: (1n << 256n) - 1n,
});

/** Reads until no block came in the middle of it. */
async function undisturbed<T>(store: Store, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const before = await store.readHead();
    const value = await read();
    if (attempt === ATTEMPTS || (await store.readHead())?.hash === before?.hash) return value;
  }
}

interface Change extends Pick<TransferRow, 'token' | 'tokenId' | 'standard'> {
  readonly owner: Hex;
  /** What came in less what went out. */
  readonly net: bigint;
}

type Held = Pick<OwnerKey, 'owner' | 'token' | 'tokenId'>;
const nameOf = ({ owner, token, tokenId }: Held) => `${owner} ${token} ${tokenId}`;

/** What changed above block `at`, by owner and id. Empty when it is too much to be undone. */
async function changesSince(store: Store, query: OwnerQuery, at: number): Promise<ReadonlyMap<string, Change>> {
  const { owner, tokens, tokenId } = query;
  const [only] = tokens ?? [];
  const moved: TransferQuery = {
    wallet: owner,
    token: tokens?.length === 1 ? only : undefined,
    tokenId: tokens?.length === 1 ? tokenId : undefined,
    fromBlock: at + 1,
  };
  const changes = new Map<string, Change>();
  let after: LogPosition | undefined;
  for (;;) {
    const rows = await store.queryTransfers(moved, { limit: CHUNK, after });
    for (const row of rows) {
      if (!changesAmounts(row) || tokens?.includes(row.token) === false) continue;
      if (tokenId !== undefined && row.tokenId !== tokenId) continue;
      note(changes, row, row.to, row.amount, owner);
      note(changes, row, row.from, -row.amount, owner);
    }
    after = rows.at(-1);
    if (rows.length < CHUNK || after === undefined) return changes;
    if (changes.size > MOST_CHANGES) return new Map();
  }
}

function note(changes: Map<string, Change>, row: TransferRow, side: Hex, amount: bigint, owner: Hex | undefined): void {
  if (side === ZERO_ADDRESS || (owner !== undefined && side !== owner)) return;
  const { token, tokenId, standard } = row;
  const name = nameOf({ owner: side, token, tokenId });
  const net = (changes.get(name)?.net ?? 0n) + amount;
  changes.set(name, { owner: side, token, tokenId, standard, net });
}

/** The index's own rule: a transfer to oneself, or of nothing, changes nothing. */
const changesAmounts = ({ from, to, amount }: TransferRow) => from !== to && amount > 0n;

/** The owner's row as of block `at`; `null` when it held nothing then. */
async function restore(store: Store, change: Change, at: number): Promise<OwnerRow | null> {
  const { owner, token, tokenId, standard, net } = change;
  const [now] = await store.queryOwners({ owner, tokens: [token], tokenId }, { limit: 1 });
  const amount = (now?.amount ?? 0n) - net;
  if (amount <= 0n) return null;
  const last = await lastTransfer(store, { wallet: owner, token, tokenId, toBlock: at }, changesAmounts);
  if (last === null) return null;
  const { blockNumber, logIndex, batchIndex: position } = last;
  const mintedBlock = now?.mintedBlock ?? (await mintedBlockOf(store, token, tokenId, at));
  return {
    token,
    tokenId,
    standard,
    owner,
    amount,
    changedAt: { blockNumber, logIndex, batchIndex: position },
    mintedBlock,
  };
}

async function mintedBlockOf(store: Store, token: Hex, tokenId: bigint, at: number): Promise<number | null> {
  const [anyone] = await store.queryOwners({ tokens: [token], tokenId }, { limit: 1 });
  if (anyone !== undefined) return anyone.mintedBlock;
  // Nobody holds it any more: its transfers know.
  let first: number | null = null;
  await lastTransfer(store, { token, tokenId, toBlock: at }, row => {
    if (row.from === ZERO_ADDRESS) first = row.blockNumber;
    return false;
  });
  return first;
}

/** The newest transfer that passes; `null` when none does. */
async function lastTransfer(
  store: Store,
  query: TransferQuery,
  passes: (row: TransferRow) => boolean,
): Promise<TransferRow | null> {
  let after: LogPosition | undefined;
  for (let limit = 4; ; limit = CHUNK) {
    const rows = await store.queryTransfers(query, { limit, after });
    const found = rows.find(passes);
    if (found !== undefined) return found;
    after = rows.at(-1);
    if (rows.length < limit || after === undefined) return null;
  }
}

function comparePlaces(a: LogPosition, b: LogPosition): number {
  return b.blockNumber - a.blockNumber || b.logIndex - a.logIndex || b.batchIndex - a.batchIndex;
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The index's order: negative when `a` comes first. */
function compareOwners(a: OwnerKey, b: OwnerKey): number {
  return (
    comparePlaces(a.changedAt, b.changedAt) ||
    compareText(a.owner, b.owner) ||
    compareText(a.token, b.token) ||
    (a.tokenId < b.tokenId ? -1 : a.tokenId > b.tokenId ? 1 : 0)
  );
}

function compareCollections(a: CollectionRow, b: CollectionRow): number {
  return comparePlaces(a.changedAt, b.changedAt) || compareText(a.token, b.token);
}
