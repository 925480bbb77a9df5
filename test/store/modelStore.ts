// The store as plainly as it can be said: lists in memory, everything worked out from them at every question.
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import type { LogPosition } from '../../src/service/store/logPosition.ts';
import type {
  BlockBatch,
  MetadataSyncTimes,
  MintRow,
  OwnerRow,
  TokenRow,
  TransferRow,
} from '../../src/service/store/rows.ts';
import { serializeNftKey } from '../../src/service/store/rows.ts';
import type {
  BlockRange,
  CollectionRow,
  OwnerKey,
  PageQuery,
  Store,
  StoreInfo,
} from '../../src/service/store/store.ts';

const comparePlaces = (a: LogPosition, b: LogPosition) =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex || a.batchIndex - b.batchIndex;

const newestFirst = (a: LogPosition, b: LogPosition) => comparePlaces(b, a);

const compare = (a: string | bigint, b: string | bigint) => (a < b ? -1 : a > b ? 1 : 0);

const inOwnerOrder = (a: OwnerKey, b: OwnerKey) =>
  newestFirst(a.changedAt, b.changedAt) ||
  compare(a.owner, b.owner) ||
  compare(a.token, b.token) ||
  compare(a.tokenId, b.tokenId);

function page<Row, Key>(
  rows: readonly Row[],
  order: (a: Key, b: Key) => number,
  key: (row: Row) => Key,
  { limit, after }: PageQuery<Key>,
): readonly Row[] {
  const sorted = rows.toSorted((a, b) => order(key(a), key(b)));
  return sorted.filter(row => after === undefined || order(key(row), after) > 0).slice(0, limit);
}

/** Who owns what after these transfers, oldest first, one after the other. */
export function computeOwners(transfers: readonly TransferRow[]): readonly OwnerRow[] {
  let owners: OwnerRow[] = [];
  const minted = new Map<string, number>();
  for (const row of transfers.toSorted(comparePlaces)) {
    const { token, tokenId, standard, from, to, blockNumber, logIndex, batchIndex } = row;
    const id = `${token} ${tokenId}`;
    const changed = { blockNumber, logIndex, batchIndex };
    const several = standard === 'ERC1155';
    if (from === ZERO_ADDRESS && to !== ZERO_ADDRESS && (!several || row.amount > 0n) && !minted.has(id))
      minted.set(id, blockNumber);
    // A contract that speaks two standards about one id has owners of either kind.
    const ofId = (owner: OwnerRow) =>
      owner.token === token && owner.tokenId === tokenId && (owner.standard === 'ERC1155') === several;
    const amountOf = (wallet: Hex) => owners.find(owner => ofId(owner) && owner.owner === wallet)?.amount ?? 0n;
    const set = (wallet: Hex, amount: bigint) => {
      if (wallet === ZERO_ADDRESS || amount === amountOf(wallet)) return;
      owners = owners.filter(owner => !(ofId(owner) && owner.owner === wallet));
      if (amount > 0n)
        owners.push({ token, tokenId, standard, owner: wallet, amount, changedAt: changed, mintedBlock: null });
    };
    if (several) {
      if (from === to) continue;
      const left = amountOf(from) - row.amount;
      set(from, left > 0n ? left : 0n);
      set(to, amountOf(to) + row.amount);
    } else {
      owners = owners.filter(owner => !ofId(owner) || owner.owner === to);
      set(to, 1n);
    }
  }
  return owners.map(owner => ({ ...owner, mintedBlock: minted.get(`${owner.token} ${owner.tokenId}`) ?? null }));
}

export function createModelStore(info: StoreInfo): Store {
  let batches: BlockBatch = { blocks: [], transfers: [], mints: [], trades: [], tokens: [] };
  let coveredFrom: number | undefined;
  const syncs = new Map<string, MetadataSyncTimes>();

  const inRange = ({ fromBlock, toBlock }: BlockRange, { blockNumber }: { readonly blockNumber: number }) =>
    (fromBlock === undefined || blockNumber >= fromBlock) && (toBlock === undefined || blockNumber <= toBlock);
  const mintPlace = (row: MintRow): LogPosition => ({ ...row, batchIndex: 0 });

  const model = {
    info,
    readHead: async () => batches.blocks.at(-1) ?? null,
    readBlock: async number => batches.blocks.find(block => block.number === number) ?? null,
    readBlocksDownFrom: async (fromBlock, limit) =>
      batches.blocks
        .filter(block => block.number <= fromBlock)
        .toReversed()
        .slice(0, limit),
    readFirstBlockAt: async time => batches.blocks.find(block => block.timestamp >= time) ?? null,
    async readCoverage() {
      const to = batches.blocks.at(-1);
      return to === undefined ? null : { fromBlock: coveredFrom ?? batches.blocks[0]?.number ?? 0, head: to };
    },
    async applyBatch(batch) {
      if (batches.blocks.length === 0) coveredFrom = batch.coveredFrom;
      batches = {
        blocks: [...batches.blocks, ...batch.blocks],
        transfers: [...batches.transfers, ...batch.transfers],
        mints: [...batches.mints, ...batch.mints],
        trades: [...batches.trades, ...batch.trades],
        tokens: [...batches.tokens, ...batch.tokens],
      };
    },
    async rollBackTo(block) {
      const stays = (row: { readonly blockNumber: number }) => row.blockNumber <= block;
      batches = {
        blocks: batches.blocks.filter(({ number }) => number <= block),
        transfers: batches.transfers.filter(stays),
        mints: batches.mints.filter(stays),
        trades: batches.trades.filter(stays),
        tokens: batches.tokens,
      };
    },
    async queryTransfers(query, slice) {
      const { wallet, direction = 'both', token, tokenId } = query;
      const rows = batches.transfers.filter(
        row =>
          inRange(query, row) &&
          (token === undefined || row.token === token) &&
          (tokenId === undefined || row.tokenId === tokenId) &&
          (wallet === undefined ||
            (direction !== 'to' && row.from === wallet) ||
            (direction !== 'from' && row.to === wallet)),
      );
      return page(rows, newestFirst, row => row, slice);
    },
    countTransfers: async query => (await model.queryTransfers(query, { limit: Infinity })).length,
    async queryOwners({ owner, tokens, tokenId }, slice) {
      const rows = computeOwners(batches.transfers).filter(
        row =>
          (owner === undefined || row.owner === owner) &&
          (tokens === undefined || tokens.includes(row.token)) &&
          (tokenId === undefined || row.tokenId === tokenId),
      );
      return page(rows, inOwnerOrder, row => row, slice);
    },
    countOwners: async query => (await model.queryOwners(query, { limit: Infinity })).length,
    async queryCollections(owner, slice) {
      const latest = new Map<Hex, CollectionRow>();
      for (const { token, changedAt: changed } of await model.queryOwners({ owner }, { limit: Infinity }))
        if (!latest.has(token)) latest.set(token, { token, changedAt: changed });
      return page([...latest.values()], newestFirst, row => row.changedAt, {
        limit: slice.limit,
        after: slice.after?.changedAt,
      });
    },
    countCollections: async owner => (await model.queryCollections(owner, { limit: Infinity })).length,
    async queryMints(query, slice) {
      const rows = batches.mints.filter(
        row =>
          inRange(query, row) &&
          (query.tokens?.includes(row.token) ?? true) &&
          !(query.excludedTokens?.includes(row.token) ?? false) &&
          (query.wallets?.includes(row.to) ?? true) &&
          !(query.excludedWallets?.includes(row.to) ?? false),
      );
      return page(rows, newestFirst, mintPlace, slice);
    },
    countMints: async query => (await model.queryMints(query, { limit: Infinity })).length,
    async queryLowestTrade({ token, fromTime: since, marketplaces }) {
      const time = (number: number) => batches.blocks.find(block => block.number === number)?.timestamp ?? 0;
      const rows = batches.trades.filter(
        row =>
          row.token === token && time(row.blockNumber) >= since && (marketplaces?.includes(row.marketplace) ?? true),
      );
      const cheapest = rows.toSorted(
        (a, b) => compare(a.price, b.price) || b.blockNumber - a.blockNumber || b.logIndex - a.logIndex,
      );
      return cheapest[0] ?? null;
    },
    async readTokens(addresses) {
      const happened = new Set([...batches.transfers, ...batches.mints].map(row => row.token));
      const found = new Map<Hex, TokenRow>();
      for (const row of batches.tokens)
        if (addresses.includes(row.token) && happened.has(row.token)) found.set(row.token, row);
      return found;
    },
    async readMetadataSyncs(keys) {
      const wanted = new Set(keys.map(serializeNftKey));
      return [...syncs.values()].filter(sync => wanted.has(serializeNftKey(sync)));
    },
    async writeMetadataSyncs(list) {
      for (const sync of list) {
        const before = syncs.get(serializeNftKey(sync));
        const tokenUri = sync.tokenUriSyncedAt ?? before?.tokenUriSyncedAt ?? null;
        syncs.set(serializeNftKey(sync), {
          ...sync,
          tokenUriSyncedAt: tokenUri,
          metadataSyncedAt: sync.metadataSyncedAt ?? before?.metadataSyncedAt ?? null,
        });
      }
    },
    async writeTransactionValues(values) {
      const noted = (row: TransferRow) =>
        values.find(one => one.blockNumber === row.blockNumber && one.transactionHash === row.transactionHash)?.value;
      const transfers = batches.transfers.map(row => ({ ...row, value: row.value ?? noted(row) ?? null }));
      batches = { ...batches, transfers };
    },
    leaderLock: null,
    async close() {},
  } satisfies Store as Store;
  return model;
}
