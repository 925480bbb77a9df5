// Reads of NFT transfers, ERC-20 mints and trades from the SQLite index: which index serves which filters.
import { packNumber, unpackHex, unpackNftStandard, unpackNumber } from '../encoding.ts';
import type { LogPosition, MintRow, TradeRow, TransferRow } from '../rows.ts';
import type { MintQuery, PageQuery, TradeQuery, TransferQuery } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import { readFirstBlockAt } from './blockReads.ts';
import type { SqliteConnection } from './connection.ts';
import { findRowIdRange, type RowIdRange } from './rowIds.ts';
import {
  addConditions,
  countUnion,
  findAddressIds,
  MAX_BRANCHES,
  placeholders,
  selectUnion,
  type UnionBranch,
} from './unionQuery.ts';

const inRange = (branch: UnionBranch, { from, before }: RowIdRange): UnionBranch =>
  addConditions(branch, ['r.id >= ?', 'r.id < ?'], [from, before]);

interface TransferRecord {
  readonly block: number;
  readonly log: number;
  readonly position: number;
  readonly tx: Uint8Array;
  readonly tx_index: number;
  readonly token: number;
  readonly token_id: Uint8Array;
  readonly standard: number;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: string;
  readonly operator: number | null;
  readonly value: string | null;
}

/** Both sides of a wallet; a transfer to oneself is in one branch only. */
function getWalletBranches(wallet: number, direction: TransferQuery['direction']): readonly UnionBranch[] {
  const values = [wallet];
  const sent: UnionBranch = { index: 'transfer_sender', where: ['sender = ?'], values };
  const received: UnionBranch = {
    index: 'transfer_recipient',
    where: ['recipient = ?', 'sender <> recipient'],
    values,
  };
  const toOneself: UnionBranch = { index: 'transfer_self', where: ['sender = ?', 'sender = recipient'], values };
  if (direction === 'from') return [sent];
  return direction === 'to' ? [received, toOneself] : [sent, received];
}

function getTransferBranches(addresses: AddressTable, query: TransferQuery): readonly UnionBranch[] {
  const token = query.token === undefined ? undefined : addresses.find(query.token);
  const wallet = query.wallet === undefined ? undefined : addresses.find(query.wallet);
  if (token === null || wallet === null) return [];
  const tokenId = query.tokenId === undefined ? undefined : packNumber(query.tokenId);
  if (token !== undefined && tokenId !== undefined) {
    const branch: UnionBranch = {
      index: 'transfer_token_id',
      where: ['token = ?', 'token_id = ?'],
      values: [token, tokenId],
    };
    if (wallet === undefined) return [branch];
    if (query.direction === 'from') return [addConditions(branch, ['+sender = ?'], [wallet])];
    if (query.direction === 'to') return [addConditions(branch, ['+recipient = ?'], [wallet])];
    return [addConditions(branch, ['(+sender = ? OR +recipient = ?)'], [wallet, wallet])];
  }
  const branches: readonly UnionBranch[] =
    wallet !== undefined
      ? getWalletBranches(wallet, query.direction).map(branch =>
          token === undefined ? branch : addConditions(branch, ['+token = ?'], [token]),
        )
      : token !== undefined
        ? [{ index: 'transfer_token', where: ['token = ?'], values: [token] }]
        : [{ index: null, where: [], values: [] }];
  return tokenId === undefined ? branches : branches.map(branch => addConditions(branch, ['+token_id = ?'], [tokenId]));
}

export function readTransfers(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: TransferQuery,
  page: PageQuery<LogPosition>,
): readonly TransferRow[] {
  const rowIds = findRowIdRange(connection, 'transfer', query, page.after);
  const branches = getTransferBranches(addresses, query).map(branch => inRange(branch, rowIds));
  const records = selectUnion<TransferRecord>(
    connection,
    { table: 'transfer', columns: 'r.*', order: 'id DESC' },
    branches,
    page.limit,
  );
  return records.map(record => ({
    blockNumber: record.block,
    logIndex: record.log,
    batchIndex: record.position,
    transactionHash: unpackHex(record.tx),
    transactionIndex: record.tx_index,
    token: addresses.resolve(record.token),
    tokenId: unpackNumber(record.token_id),
    standard: unpackNftStandard(record.standard),
    from: addresses.resolve(record.sender),
    to: addresses.resolve(record.recipient),
    amount: BigInt(record.amount),
    operator: record.operator === null ? null : addresses.resolve(record.operator),
    value: record.value === null ? null : BigInt(record.value),
  }));
}

export function countTransfers(connection: SqliteConnection, addresses: AddressTable, query: TransferQuery): number {
  const rowIds = findRowIdRange(connection, 'transfer', query);
  const branches = getTransferBranches(addresses, query).map(branch => inRange(branch, rowIds));
  return countUnion(connection, 'transfer', branches);
}

interface MintRecord {
  readonly block: number;
  readonly log: number;
  readonly tx: Uint8Array;
  readonly tx_index: number;
  readonly token: number;
  readonly recipient: number;
  readonly amount: string;
}

function getMintBranches(addresses: AddressTable, query: MintQuery): readonly UnionBranch[] {
  const tokens = query.tokens === undefined ? undefined : findAddressIds(addresses, query.tokens);
  const wallets = query.wallets === undefined ? undefined : findAddressIds(addresses, query.wallets);
  if (tokens?.length === 0 || wallets?.length === 0) return [];
  const indexed =
    tokens !== undefined && tokens.length <= MAX_BRANCHES
      ? tokens.map((token): UnionBranch => ({ index: 'mint_token', where: ['token = ?'], values: [token] }))
      : wallets !== undefined && wallets.length <= MAX_BRANCHES
        ? wallets.map(
            (wallet): UnionBranch => ({ index: 'mint_recipient', where: ['recipient = ?'], values: [wallet] }),
          )
        : [{ index: null, where: [], values: [] }];
  const filters = [
    { column: 'token', ids: tokens, not: '' },
    { column: 'recipient', ids: wallets, not: '' },
    { column: 'token', ids: findAddressIds(addresses, query.excludedTokens ?? []), not: 'NOT' },
    { column: 'recipient', ids: findAddressIds(addresses, query.excludedWallets ?? []), not: 'NOT' },
  ];
  return indexed.map(first =>
    filters.reduce((branch, { column, ids, not }) => {
      const isServedByIndex = not === '' && first.where[0] === `${column} = ?`;
      if (ids === undefined || isServedByIndex || (not === 'NOT' && ids.length === 0)) return branch;
      return addConditions(branch, [`+${column} ${not} IN (${placeholders(ids)})`], ids);
    }, first),
  );
}

export function readMints(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: MintQuery,
  page: PageQuery<LogPosition>,
): readonly MintRow[] {
  const rowIds = findRowIdRange(connection, 'mint', query, page.after);
  const branches = getMintBranches(addresses, query).map(branch => inRange(branch, rowIds));
  const records = selectUnion<MintRecord>(
    connection,
    { table: 'mint', columns: 'r.*', order: 'id DESC' },
    branches,
    page.limit,
  );
  return records.map(record => ({
    blockNumber: record.block,
    logIndex: record.log,
    transactionHash: unpackHex(record.tx),
    transactionIndex: record.tx_index,
    token: addresses.resolve(record.token),
    to: addresses.resolve(record.recipient),
    amount: BigInt(record.amount),
  }));
}

export function countMints(connection: SqliteConnection, addresses: AddressTable, query: MintQuery): number {
  const rowIds = findRowIdRange(connection, 'mint', query);
  const branches = getMintBranches(addresses, query).map(branch => inRange(branch, rowIds));
  return countUnion(connection, 'mint', branches);
}

interface TradeRecord {
  readonly block: number;
  readonly log: number;
  readonly tx: Uint8Array;
  readonly token: number;
  readonly token_ids: string;
  readonly seller: number;
  readonly buyer: number;
  readonly marketplace: number;
  readonly price: Uint8Array;
}

export function readLowestTrade(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: TradeQuery,
): TradeRow | null {
  const token = addresses.find(query.token);
  const marketplaces = query.marketplaces === undefined ? undefined : findAddressIds(addresses, query.marketplaces);
  const firstBlock = readFirstBlockAt(connection, query.fromTime);
  if (token === null || firstBlock === null || marketplaces?.length === 0) return null;
  const filter = marketplaces === undefined ? '' : `AND marketplace IN (${placeholders(marketplaces)})`;
  const record = connection.get<TradeRecord>(
    `SELECT * FROM trade INDEXED BY trade_price WHERE token = ? AND block >= ? ${filter}
     ORDER BY price, block DESC, id DESC LIMIT 1`,
    token,
    firstBlock.number,
    ...(marketplaces ?? []),
  );
  if (record === undefined) return null;
  return {
    blockNumber: record.block,
    logIndex: record.log,
    transactionHash: unpackHex(record.tx),
    token: addresses.resolve(record.token),
    tokenIds: record.token_ids === '' ? [] : record.token_ids.split(',').map(BigInt),
    seller: addresses.resolve(record.seller),
    buyer: addresses.resolve(record.buyer),
    marketplace: addresses.resolve(record.marketplace),
    price: unpackNumber(record.price),
  };
}
