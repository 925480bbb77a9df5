// A store as simple as possible, as the oracle of tests: arrays in memory, every result computed from them.
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import {
  type BlockBatch,
  compareLogPositions,
  compareTransactionPositions,
  type Erc20TransferRow,
  type LocatedTransaction,
  type LogPosition,
  type MetadataSyncTimes,
  type OwnerRow,
  serializeNftKey,
  type TokenRow,
  type TransactionPosition,
  type TransactionRow,
  type TransferRow,
} from '../../src/service/store/rows.ts';
import type {
  BlockRange,
  CollectionRow,
  OrderedPageQuery,
  OwnerKey,
  PageQuery,
  Store,
  StoreInfo,
} from '../../src/service/store/store.ts';

const compareOldestFirst = (a: LogPosition, b: LogPosition) =>
  a.blockNumber - b.blockNumber ||
  a.transactionIndex - b.transactionIndex ||
  a.place - b.place ||
  a.batchIndex - b.batchIndex;

const compareNewestFirst = (a: LogPosition, b: LogPosition) => compareOldestFirst(b, a);

const compareValues = (a: string | bigint, b: string | bigint) => (a < b ? -1 : a > b ? 1 : 0);

const compareOwners = (a: OwnerKey, b: OwnerKey) =>
  compareNewestFirst(a.changedAt, b.changedAt) ||
  compareValues(a.owner, b.owner) ||
  compareValues(a.tokenAddress, b.tokenAddress) ||
  compareValues(a.tokenId, b.tokenId);

function page<Row, Key>(
  rows: readonly Row[],
  order: (a: Key, b: Key) => number,
  key: (row: Row) => Key,
  { limit, after }: PageQuery<Key>,
): readonly Row[] {
  const sorted = rows.toSorted((a, b) => order(key(a), key(b)));
  return sorted.filter(row => after === undefined || order(key(row), after) > 0).slice(0, limit);
}

/** The owners after these transfers, applied one by one, oldest first. */
export function computeOwners(transfers: readonly TransferRow[]): readonly OwnerRow[] {
  let owners: OwnerRow[] = [];
  const minted = new Map<string, number>();
  for (const row of transfers.toSorted(compareOldestFirst)) {
    const { tokenAddress, tokenId, standard, from, to, blockNumber, transactionIndex, place, batchIndex } = row;
    const id = `${tokenAddress} ${tokenId}`;
    const changedAt = { blockNumber, transactionIndex, place, batchIndex };
    const isErc1155 = standard === 'ERC1155';
    if (from === ZERO_ADDRESS && to !== ZERO_ADDRESS && (!isErc1155 || row.amount > 0n) && !minted.has(id))
      minted.set(id, blockNumber);
    // A contract that uses two standards for one id has owners of both kinds.
    const isSameId = (owner: OwnerRow) =>
      owner.tokenAddress === tokenAddress && owner.tokenId === tokenId && (owner.standard === 'ERC1155') === isErc1155;
    const getAmount = (wallet: Hex) => owners.find(owner => isSameId(owner) && owner.owner === wallet)?.amount ?? 0n;
    const set = (wallet: Hex, amount: bigint) => {
      if (wallet === ZERO_ADDRESS || amount === getAmount(wallet)) return;
      owners = owners.filter(owner => !(isSameId(owner) && owner.owner === wallet));
      if (amount > 0n)
        owners.push({ tokenAddress, tokenId, standard, owner: wallet, amount, changedAt, mintedBlock: null });
    };
    if (isErc1155) {
      if (from === to) continue;
      const left = getAmount(from) - row.amount;
      set(from, left > 0n ? left : 0n);
      set(to, getAmount(to) + row.amount);
    } else {
      owners = owners.filter(owner => !isSameId(owner) || owner.owner === to);
      set(to, 1n);
    }
  }
  return owners.map(owner => ({ ...owner, mintedBlock: minted.get(`${owner.tokenAddress} ${owner.tokenId}`) ?? null }));
}

export function createModelStore(info: StoreInfo): Store {
  let batches: BlockBatch = {
    ...{ blocks: [], transactions: [], transfers: [], erc20Transfers: [], trades: [], tokens: [] },
  };
  let coveredFrom: number | undefined;
  const syncs = new Map<string, MetadataSyncTimes>();

  const inRange = ({ fromBlock, toBlock }: BlockRange, { blockNumber }: { readonly blockNumber: number }) =>
    (fromBlock === undefined || blockNumber >= fromBlock) && (toBlock === undefined || blockNumber <= toBlock);
  const toErc20Position = (row: Erc20TransferRow): LogPosition => ({ ...row, batchIndex: 0 });

  const pageTransactions = (rows: readonly TransactionRow[], slice: OrderedPageQuery<TransactionPosition>) =>
    page<TransactionRow, TransactionPosition>(
      rows,
      (a, b) => (slice.isOldestFirst === true ? 1 : -1) * compareTransactionPositions(a, b),
      row => row,
      slice,
    ).map(
      ({ blockNumber, transactionIndex, transactionHash }): LocatedTransaction => ({
        ...{ blockNumber, transactionIndex, transactionHash },
      }),
    );

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
        transactions: [...batches.transactions, ...batch.transactions],
        transfers: [...batches.transfers, ...batch.transfers],
        erc20Transfers: [...batches.erc20Transfers, ...batch.erc20Transfers],
        trades: [...batches.trades, ...batch.trades],
        tokens: [...batches.tokens, ...batch.tokens],
      };
    },
    async rollBackTo(block) {
      const isBelow = (row: { readonly blockNumber: number }) => row.blockNumber <= block;
      batches = {
        blocks: batches.blocks.filter(({ number }) => number <= block),
        transactions: batches.transactions.filter(isBelow),
        transfers: batches.transfers.filter(isBelow),
        erc20Transfers: batches.erc20Transfers.filter(isBelow),
        trades: batches.trades.filter(isBelow),
        tokens: batches.tokens,
      };
    },
    async countRows(fromBlock, toBlock) {
      const count = (rows: readonly { readonly blockNumber: number }[]) =>
        rows.filter(row => inRange({ fromBlock, toBlock }, row)).length;
      const { transfers, erc20Transfers, trades } = batches;
      return { transfers: count(transfers), erc20Transfers: count(erc20Transfers), trades: count(trades) };
    },
    async readTransactions({ wallet, ...range }, slice) {
      const rows = batches.transactions.filter(
        ({ from, to, internalRecipients }) =>
          from === wallet || to === wallet || (internalRecipients?.includes(wallet) ?? false),
      );
      return pageTransactions(
        rows.filter(row => inRange(range, row)),
        slice,
      );
    },
    async readUntracedTransactions(range, slice) {
      const rows = batches.transactions.filter(row => row.internalRecipients === null && inRange(range, row));
      return pageTransactions(rows, slice);
    },
    async readTransfers(query, slice) {
      const { wallet, direction = 'both', contract, contracts, tokenId } = query;
      const rows = batches.transfers.filter(
        row =>
          inRange(query, row) &&
          (contract === undefined || row.tokenAddress === contract) &&
          contracts?.includes(row.tokenAddress) !== false &&
          (tokenId === undefined || row.tokenId === tokenId) &&
          (wallet === undefined ||
            (direction !== 'to' && row.from === wallet) ||
            (direction !== 'from' && row.to === wallet)),
      );
      return page(rows, slice.isOldestFirst ? compareOldestFirst : compareNewestFirst, row => row, slice);
    },
    countTransfers: async query => (await model.readTransfers(query, { limit: Infinity })).length,
    async readOwners({ owner, contracts, tokenId }, slice) {
      const rows = computeOwners(batches.transfers).filter(
        row =>
          (owner === undefined || row.owner === owner) &&
          (contracts === undefined || contracts.includes(row.tokenAddress)) &&
          (tokenId === undefined || row.tokenId === tokenId),
      );
      return page(rows, compareOwners, row => row, slice);
    },
    countOwners: async query => (await model.readOwners(query, { limit: Infinity })).length,
    async readCollections(owner, slice) {
      const latest = new Map<Hex, CollectionRow>();
      for (const { tokenAddress, changedAt } of await model.readOwners({ owner }, { limit: Infinity }))
        if (!latest.has(tokenAddress)) latest.set(tokenAddress, { tokenAddress, changedAt });
      return page([...latest.values()], compareNewestFirst, row => row.changedAt, {
        limit: slice.limit,
        after: slice.after?.changedAt,
      });
    },
    countCollections: async owner => (await model.readCollections(owner, { limit: Infinity })).length,
    async readErc20Transfers(query, slice) {
      const rows = batches.erc20Transfers.filter(
        row =>
          inRange(query, row) &&
          (query.contracts?.includes(row.tokenAddress) ?? true) &&
          (query.wallet === undefined || row.from === query.wallet || row.to === query.wallet),
      );
      const compare = slice.isOldestFirst === true ? compareLogPositions : compareNewestFirst;
      return page(rows, compare, toErc20Position, slice);
    },
    async readErc20Tokens(wallet) {
      const rows = batches.erc20Transfers.filter(row => row.from === wallet || row.to === wallet);
      return [...new Set(rows.map(row => row.tokenAddress))];
    },
    async readMints(query, slice) {
      const rows = batches.erc20Transfers.filter(
        row =>
          row.from === ZERO_ADDRESS &&
          inRange(query, row) &&
          (query.contracts?.includes(row.tokenAddress) ?? true) &&
          !(query.excludedContracts?.includes(row.tokenAddress) ?? false) &&
          (query.wallets?.includes(row.to) ?? true) &&
          !(query.excludedWallets?.includes(row.to) ?? false),
      );
      return page(rows, compareNewestFirst, toErc20Position, slice);
    },
    countMints: async query => (await model.readMints(query, { limit: Infinity })).length,
    async readLowestTrade({ contract, fromTime: since }) {
      const time = (number: number) => batches.blocks.find(block => block.number === number)?.timestamp ?? 0;
      const rows = batches.trades.filter(row => row.tokenAddress === contract && time(row.blockNumber) >= since);
      const cheapest = rows.toSorted(
        (a, b) =>
          compareValues(a.price, b.price) || compareNewestFirst({ ...a, batchIndex: 0 }, { ...b, batchIndex: 0 }),
      );
      return cheapest[0] ?? null;
    },
    async readTokens(addresses) {
      const tokensWithRows = new Set([...batches.transfers, ...batches.erc20Transfers].map(row => row.tokenAddress));
      const found = new Map<Hex, TokenRow>();
      for (const row of batches.tokens)
        if (addresses.includes(row.tokenAddress) && tokensWithRows.has(row.tokenAddress))
          found.set(row.tokenAddress, row);
      return found;
    },
    async readNamedTokens(limit) {
      const tokens = await this.readTokens(batches.tokens.map(({ tokenAddress }) => tokenAddress));
      return [...tokens.values()].filter(({ name, symbol }) => (name ?? symbol) !== null).slice(0, limit);
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
      const findValue = (row: TransferRow) =>
        values.find(one => one.blockNumber === row.blockNumber && one.transactionHash === row.transactionHash)?.value;
      const transfers = batches.transfers.map(row => ({ ...row, value: row.value ?? findValue(row) ?? null }));
      batches = { ...batches, transfers };
    },
    async writeInternalRecipients(list) {
      const transactions = batches.transactions.map(row => {
        const given = list.find(
          one => one.transactionHash === row.transactionHash && compareTransactionPositions(one, row) === 0,
        );
        return { ...row, internalRecipients: row.internalRecipients ?? given?.internalRecipients ?? null };
      });
      batches = { ...batches, transactions };
    },
    leaderLock: null,
    async close() {},
  } satisfies Store as Store;
  return model;
}
