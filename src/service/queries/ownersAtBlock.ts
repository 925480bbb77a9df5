// Owners and collections as of a block: later changes are undone, so that pages stay stable while the chain grows.
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import { compareLogPositions, type LogPosition, type OwnerRow, type TransferRow } from '../store/rows.ts';
import {
  type CollectionRow,
  compareOwnerKeys,
  type OwnerKey,
  type OwnerQuery,
  type PageQuery,
  type StoreReader,
  type TransferQuery,
} from '../store/store.ts';

/**
 * The owners as of block `atBlock`. Where too many tokens have changed hands since then to be undone quickly, those are
 * left out of the present list.
 */
export async function readOwnersAtBlock(
  store: StoreReader,
  query: OwnerQuery,
  atBlock: number,
  { limit, after = getKeyAbove(atBlock) }: PageQuery<OwnerKey>,
): Promise<readonly OwnerRow[]> {
  return readWithoutNewBlocks(store, async () => {
    const changes = await readChangesAfter(store, query, atBlock);
    const rows = await store.readOwners(query, { limit: limit + changes.size, after });
    const restored = await Promise.all([...changes.values()].map(change => restore(store, change, atBlock)));
    const unchanged = rows.filter(row => !changes.has(getHoldingName(row)));
    const added = restored.filter(row => row !== null).filter(row => compareOwnerKeys(row, after) > 0);
    return [...unchanged, ...added].sort(compareOwnerKeys).slice(0, limit);
  });
}

/** The same for a wallet's collections. */
export async function readCollectionsAtBlock(
  store: StoreReader,
  owner: Hex,
  atBlock: number,
  { limit, after = { changedAt: getKeyAbove(atBlock).changedAt, tokenAddress: MAX_ADDRESS } }: PageQuery<CollectionRow>,
): Promise<readonly CollectionRow[]> {
  return readWithoutNewBlocks(store, async () => {
    const tokens = new Set(
      [...(await readChangesAfter(store, { owner }, atBlock)).values()].map(change => change.tokenAddress),
    );
    const rows = await store.readCollections(owner, { limit: limit + tokens.size, after });
    const restored = await Promise.all(
      [...tokens].map(async (token): Promise<CollectionRow | null> => {
        const [newest] = await readOwnersAtBlock(store, { owner, contracts: [token] }, atBlock, { limit: 1 });
        return newest === undefined ? null : { tokenAddress: token, changedAt: newest.changedAt };
      }),
    );
    const added = restored.filter(row => row !== null).filter(row => compareCollections(row, after) > 0);
    const unchanged = rows.filter(row => !tokens.has(row.tokenAddress));
    return [...unchanged, ...added].sort(compareCollections).slice(0, limit);
  });
}

const MAX_ADDRESS: Hex = `0x${'f'.repeat(40)}`;
/** Changed amounts that are undone for one page. */
const MAX_CHANGES = 500;
/** Transfers per read. */
const CHUNK_SIZE = 500;
const MAX_ATTEMPTS = 5;

/** Where the list as of block `atBlock` begins: after everything above the block. */
const getKeyAbove = (atBlock: number): OwnerKey => ({
  changedAt: { blockNumber: atBlock + 1, transactionIndex: 0, place: 0, batchIndex: 0 },
  owner: MAX_ADDRESS,
  tokenAddress: MAX_ADDRESS,
  tokenId: (1n << 256n) - 1n,
});

/** Repeats `read` until no block was added meanwhile. */
async function readWithoutNewBlocks<T>(store: StoreReader, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const before = await store.readHead();
    const value = await read();
    if (attempt === MAX_ATTEMPTS || (await store.readHead())?.hash === before?.hash) return value;
  }
}

interface AmountChange extends Pick<TransferRow, 'tokenAddress' | 'tokenId' | 'standard'> {
  readonly owner: Hex;
  /** Received minus sent. */
  readonly net: bigint;
}

type Holding = Pick<OwnerKey, 'owner' | 'tokenAddress' | 'tokenId'>;
const getHoldingName = ({ owner, tokenAddress, tokenId }: Holding) => `${owner} ${tokenAddress} ${tokenId}`;

/** What changed above block `atBlock`, by owner and id. Empty when it is too much to undo. */
async function readChangesAfter(
  store: StoreReader,
  query: OwnerQuery,
  atBlock: number,
): Promise<ReadonlyMap<string, AmountChange>> {
  const { owner, contracts, tokenId } = query;
  const [only] = contracts ?? [];
  const transferQuery: TransferQuery = {
    wallet: owner,
    contract: contracts?.length === 1 ? only : undefined,
    tokenId: contracts?.length === 1 ? tokenId : undefined,
    fromBlock: atBlock + 1,
  };
  const changes = new Map<string, AmountChange>();
  let after: LogPosition | undefined;
  for (;;) {
    const rows = await store.readTransfers(transferQuery, { limit: CHUNK_SIZE, after });
    for (const row of rows) {
      if (!changesAmounts(row) || contracts?.includes(row.tokenAddress) === false) continue;
      if (tokenId !== undefined && row.tokenId !== tokenId) continue;
      addChange(changes, row, row.to, row.amount, owner);
      addChange(changes, row, row.from, -row.amount, owner);
    }
    after = rows.at(-1);
    if (rows.length < CHUNK_SIZE || after === undefined) return changes;
    if (changes.size > MAX_CHANGES) return new Map();
  }
}

function addChange(
  changes: Map<string, AmountChange>,
  row: TransferRow,
  side: Hex,
  amount: bigint,
  owner: Hex | undefined,
): void {
  if (side === ZERO_ADDRESS || (owner !== undefined && side !== owner)) return;
  const { tokenAddress, tokenId, standard } = row;
  const name = getHoldingName({ owner: side, tokenAddress, tokenId });
  const net = (changes.get(name)?.net ?? 0n) + amount;
  changes.set(name, { owner: side, tokenAddress, tokenId, standard, net });
}

/** The rule of the index: a transfer to oneself, or of nothing, changes no amount. */
const changesAmounts = ({ from, to, amount }: TransferRow) => from !== to && amount > 0n;

/** The owner's row as of block `atBlock`; `null` when it held nothing then. */
async function restore(store: StoreReader, change: AmountChange, atBlock: number): Promise<OwnerRow | null> {
  const { owner, tokenAddress, tokenId, standard, net } = change;
  const [now] = await store.readOwners({ owner, contracts: [tokenAddress], tokenId }, { limit: 1 });
  const amount = (now?.amount ?? 0n) - net;
  if (amount <= 0n) return null;
  const last = await findLastTransfer(
    store,
    { wallet: owner, contract: tokenAddress, tokenId, toBlock: atBlock },
    changesAmounts,
  );
  if (last === null) return null;
  const { blockNumber, transactionIndex, place, batchIndex } = last;
  const mintedBlock = now?.mintedBlock ?? (await readMintedBlock(store, tokenAddress, tokenId, atBlock));
  return {
    tokenAddress,
    tokenId,
    standard,
    owner,
    amount,
    changedAt: { blockNumber, transactionIndex, place, batchIndex },
    mintedBlock,
  };
}

async function readMintedBlock(
  store: StoreReader,
  token: Hex,
  tokenId: bigint,
  atBlock: number,
): Promise<number | null> {
  const [anyOwner] = await store.readOwners({ contracts: [token], tokenId }, { limit: 1 });
  if (anyOwner !== undefined) return anyOwner.mintedBlock;
  // The id has no owner any more: its transfers tell.
  let first: number | null = null;
  await findLastTransfer(store, { contract: token, tokenId, toBlock: atBlock }, row => {
    if (row.from === ZERO_ADDRESS) first = row.blockNumber;
    return false;
  });
  return first;
}

/** The newest transfer that passes; `null` when none does. */
async function findLastTransfer(
  store: StoreReader,
  query: TransferQuery,
  passes: (row: TransferRow) => boolean,
): Promise<TransferRow | null> {
  let after: LogPosition | undefined;
  for (let limit = 4; ; limit = CHUNK_SIZE) {
    const rows = await store.readTransfers(query, { limit, after });
    const found = rows.find(passes);
    if (found !== undefined) return found;
    after = rows.at(-1);
    if (rows.length < limit || after === undefined) return null;
  }
}

/** The order of collections in the index: negative when `a` comes first. */
function compareCollections(a: CollectionRow, b: CollectionRow): number {
  return (
    compareLogPositions(b.changedAt, a.changedAt) ||
    (a.tokenAddress < b.tokenAddress ? -1 : a.tokenAddress > b.tokenAddress ? 1 : 0)
  );
}
