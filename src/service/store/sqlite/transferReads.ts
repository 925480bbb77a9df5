// Reads of NFT transfers, ERC-20 transfers and trades from the SQLite index: which index serves which filters.

import type { Hex } from '../../../base/hex.ts';
import { packNumber, unpackNumber } from '../encoding.ts';
import {
  type Erc20TransferRecord,
  type TradeRecord,
  type TransferRecord,
  toErc20TransferRow,
  toTradeRow,
  toTransferRow,
} from '../records.ts';
import type { Erc20TransferRow, LogPosition, TradeRow, TransferRow } from '../rows.ts';
import type {
  Erc20TransferQuery,
  MintQuery,
  OrderedPageQuery,
  PageQuery,
  TradeQuery,
  TransferQuery,
} from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import { readFirstBlockAt } from './blockReads.ts';
import type { SqliteConnection } from './connection.ts';
import { findRowIdRange, type RowIdRange } from './rowIds.ts';
import { IS_MINT } from './schema.ts';
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
  const contract = query.contract === undefined ? undefined : addresses.find(query.contract);
  const wallet = query.wallet === undefined ? undefined : addresses.find(query.wallet);
  const contracts = query.contracts === undefined ? undefined : findAddressIds(addresses, query.contracts);
  if (contract === null || wallet === null || contracts?.length === 0) return [];
  const tokenId = query.tokenId === undefined ? undefined : packNumber(query.tokenId);
  if (contract !== undefined && tokenId !== undefined) {
    const branch: UnionBranch = {
      index: 'transfer_token_id',
      where: ['token = ?', 'token_id = ?'],
      values: [contract, tokenId],
    };
    if (wallet === undefined) return [branch];
    if (query.direction === 'from') return [addConditions(branch, ['+sender = ?'], [wallet])];
    if (query.direction === 'to') return [addConditions(branch, ['+recipient = ?'], [wallet])];
    return [addConditions(branch, ['(+sender = ? OR +recipient = ?)'], [wallet, wallet])];
  }
  const branches: readonly UnionBranch[] =
    wallet !== undefined
      ? getWalletBranches(wallet, query.direction).map(branch =>
          contract === undefined ? branch : addConditions(branch, ['+token = ?'], [contract]),
        )
      : contract !== undefined
        ? [{ index: 'transfer_token', where: ['token = ?'], values: [contract] }]
        : [{ index: null, where: [], values: [] }];
  return branches
    .map(branch => (tokenId === undefined ? branch : addConditions(branch, ['+token_id = ?'], [tokenId])))
    .map(branch =>
      contracts === undefined ? branch : addConditions(branch, [`+token IN (${placeholders(contracts)})`], contracts),
    );
}

export function readTransfers(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: TransferQuery,
  page: OrderedPageQuery<LogPosition>,
): readonly TransferRow[] {
  const rowIds = findRowIdRange(connection, 'transfer', query, page.after, page.isOldestFirst);
  const branches = getTransferBranches(addresses, query).map(branch => inRange(branch, rowIds));
  const records = selectUnion<TransferRecord & { readonly amount: string; readonly value: string | null }>(
    connection,
    { table: 'transfer', columns: 'r.*', order: page.isOldestFirst ? 'id' : 'id DESC' },
    branches,
    page.limit,
  );
  return records.map(record => {
    const value = record.value === null ? null : BigInt(record.value);
    return toTransferRow(record, { amount: BigInt(record.amount), value }, addresses.resolve);
  });
}

export function countTransfers(connection: SqliteConnection, addresses: AddressTable, query: TransferQuery): number {
  const rowIds = findRowIdRange(connection, 'transfer', query);
  const branches = getTransferBranches(addresses, query).map(branch => inRange(branch, rowIds));
  return countUnion(connection, 'transfer', branches);
}

function selectErc20Transfers(
  connection: SqliteConnection,
  addresses: AddressTable,
  branches: readonly UnionBranch[],
  { limit, isOldestFirst = false }: OrderedPageQuery<LogPosition>,
): readonly Erc20TransferRow[] {
  const records = selectUnion<Erc20TransferRecord>(
    connection,
    { table: 'erc20_transfer', columns: 'r.*', order: isOldestFirst ? 'id' : 'id DESC' },
    branches,
    limit,
  );
  return records.map(record => toErc20TransferRow(record, unpackNumber(record.amount), addresses.resolve));
}

function getErc20TransferBranches(addresses: AddressTable, query: Erc20TransferQuery): readonly UnionBranch[] {
  const contracts = query.contracts === undefined ? undefined : findAddressIds(addresses, query.contracts);
  if (query.wallet === undefined) {
    if (contracts === undefined) return [{ index: null, where: [], values: [] }];
    return contracts.map(contract => ({ index: 'erc20_transfer_token', where: ['token = ?'], values: [contract] }));
  }
  const wallet = addresses.find(query.wallet);
  if (wallet === null || contracts?.length === 0) return [];
  const isReceived = 'sender <> recipient';
  if (contracts !== undefined && 2 * contracts.length <= MAX_BRANCHES)
    return contracts.flatMap((contract): readonly UnionBranch[] => [
      { index: 'erc20_transfer_sender_token', where: ['sender = ?', 'token = ?'], values: [wallet, contract] },
      {
        index: 'erc20_transfer_recipient_token',
        where: ['recipient = ?', 'token = ?', `+${isReceived}`],
        values: [wallet, contract],
      },
    ]);
  const sides: readonly UnionBranch[] = [
    { index: 'erc20_transfer_sender', where: ['sender = ?'], values: [wallet] },
    { index: 'erc20_transfer_recipient', where: ['recipient = ?', isReceived], values: [wallet] },
  ];
  if (contracts === undefined) return sides;
  return sides.map(branch => addConditions(branch, [`+token IN (${placeholders(contracts)})`], contracts));
}

export function readErc20Transfers(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: Erc20TransferQuery,
  page: OrderedPageQuery<LogPosition>,
): readonly Erc20TransferRow[] {
  const rowIds = findRowIdRange(connection, 'erc20_transfer', query, page.after, page.isOldestFirst);
  const branches = getErc20TransferBranches(addresses, query).map(branch => inRange(branch, rowIds));
  return selectErc20Transfers(connection, addresses, branches, page);
}

/** Steps from one token to the next, however many transfers of each the wallet has. */
const toNextTokens = (side: 'sender' | 'recipient') => `
  WITH RECURSIVE next (token) AS (
    SELECT (SELECT min(token) FROM erc20_transfer INDEXED BY erc20_transfer_${side}_token WHERE ${side} = ?1)
    UNION ALL
    SELECT (SELECT min(r.token) FROM erc20_transfer AS r INDEXED BY erc20_transfer_${side}_token
      WHERE r.${side} = ?1 AND r.token > next.token) FROM next WHERE next.token IS NOT NULL)
  SELECT token FROM next WHERE token IS NOT NULL`;

export function readErc20Tokens(connection: SqliteConnection, addresses: AddressTable, wallet: Hex): readonly Hex[] {
  const id = addresses.find(wallet);
  if (id === null) return [];
  const sides = (['sender', 'recipient'] as const).flatMap(side =>
    connection.all<{ token: number }>(toNextTokens(side), id),
  );
  return [...new Set(sides.map(({ token }) => token))].map(token => addresses.resolve(token));
}

function getMintBranches(addresses: AddressTable, query: MintQuery): readonly UnionBranch[] {
  const contracts = query.contracts === undefined ? undefined : findAddressIds(addresses, query.contracts);
  const wallets = query.wallets === undefined ? undefined : findAddressIds(addresses, query.wallets);
  if (contracts?.length === 0 || wallets?.length === 0) return [];
  const indexed =
    contracts !== undefined && contracts.length <= MAX_BRANCHES
      ? contracts.map(
          (contract): UnionBranch => ({
            index: 'erc20_transfer_sender_token',
            where: ['token = ?', IS_MINT],
            values: [contract],
          }),
        )
      : wallets !== undefined && wallets.length <= MAX_BRANCHES
        ? wallets.map(
            (wallet): UnionBranch => ({
              index: 'erc20_transfer_minted',
              where: ['recipient = ?', IS_MINT],
              values: [wallet],
            }),
          )
        : [{ index: 'erc20_transfer_sender', where: [IS_MINT], values: [] }];
  const filters = [
    { column: 'token', ids: contracts, not: '' },
    { column: 'recipient', ids: wallets, not: '' },
    { column: 'token', ids: findAddressIds(addresses, query.excludedContracts ?? []), not: 'NOT' },
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
): readonly Erc20TransferRow[] {
  const rowIds = findRowIdRange(connection, 'erc20_transfer', query, page.after);
  const branches = getMintBranches(addresses, query).map(branch => inRange(branch, rowIds));
  return selectErc20Transfers(connection, addresses, branches, page);
}

export function countMints(connection: SqliteConnection, addresses: AddressTable, query: MintQuery): number {
  const rowIds = findRowIdRange(connection, 'erc20_transfer', query);
  const branches = getMintBranches(addresses, query).map(branch => inRange(branch, rowIds));
  return countUnion(connection, 'erc20_transfer', branches);
}

export function readLowestTrade(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: TradeQuery,
): TradeRow | null {
  const contract = addresses.find(query.contract);
  const firstBlock = readFirstBlockAt(connection, query.fromTime);
  if (contract === null || firstBlock === null) return null;
  const record = connection.get<TradeRecord>(
    `SELECT * FROM trade INDEXED BY trade_price WHERE token = ? AND block >= ?
     ORDER BY price, block DESC, id DESC LIMIT 1`,
    contract,
    firstBlock.number,
  );
  return record === undefined ? null : toTradeRow(record, addresses.resolve);
}
