// Reads of NFT transfers, ERC-20 transfers and trades from the SQLite index: which index serves which filters.

import { packInteger, unpackInteger } from '../encoding.ts';
import {
  type Erc20TransferRecord,
  type TradeRecord,
  type TransferRecord,
  toErc20TransferRow,
  toTradeRow,
  toTransferRow,
} from '../records.ts';
import type { Erc20TransferRow, LogPosition } from '../rows.ts';
import type { BlockRange, Erc20TransferQuery, MintQuery, OrderedPageQuery, TransferQuery } from '../store.ts';
import type { AddressTable, SqliteIndex, SqliteRead } from './addressTable.ts';
import { readFirstBlockAt } from './blockReads.ts';
import { countInRange, JOIN_TRANSACTION, selectPage } from './rowIds.ts';
import { IS_MINT } from './schema.ts';
import { addConditions, findAddressIds, MAX_BRANCHES, placeholders, type UnionBranch } from './unionQuery.ts';

/** As it is stored. */
type Integer = number | Uint8Array;

const WITH_TRANSACTION = { columns: 'r.*, m.block, m.tx_index, m.tx, m.value', join: JOIN_TRANSACTION };

/** Both sides of a wallet; a transfer to oneself is in one branch only. */
function getWalletBranches(wallet: number, direction: TransferQuery['direction']): readonly UnionBranch[] {
  const values = [wallet];
  const sent: UnionBranch = { index: 'transfer_sender', where: ['r.sender = ?'], values };
  const received: UnionBranch = {
    index: 'transfer_recipient',
    where: ['r.recipient = ?', 'r.sender <> r.recipient'],
    values,
  };
  const toOneself: UnionBranch = { index: 'transfer_self', where: ['r.sender = ?', 'r.sender = r.recipient'], values };
  if (direction === 'from') return [sent];
  return direction === 'to' ? [received, toOneself] : [sent, received];
}

function getTransferBranches(addresses: AddressTable, query: TransferQuery): readonly UnionBranch[] {
  const contract = query.contract === undefined ? undefined : addresses.find(query.contract);
  const wallet = query.wallet === undefined ? undefined : addresses.find(query.wallet);
  const contracts = query.contracts === undefined ? undefined : findAddressIds(addresses, query.contracts);
  if (contract === null || wallet === null || contracts?.length === 0) return [];
  const tokenId = query.tokenId === undefined ? undefined : packInteger(query.tokenId);
  if (contract !== undefined && tokenId !== undefined) {
    const branch: UnionBranch = {
      index: 'transfer_token_id',
      where: ['r.token = ?', 'r.token_id = ?'],
      values: [contract, tokenId],
    };
    if (wallet === undefined) return [branch];
    if (query.direction === 'from') return [addConditions(branch, ['+r.sender = ?'], [wallet])];
    if (query.direction === 'to') return [addConditions(branch, ['+r.recipient = ?'], [wallet])];
    return [addConditions(branch, ['(+r.sender = ? OR +r.recipient = ?)'], [wallet, wallet])];
  }
  const branches: readonly UnionBranch[] =
    wallet !== undefined
      ? getWalletBranches(wallet, query.direction).map(branch =>
          contract === undefined ? branch : addConditions(branch, ['+r.token = ?'], [contract]),
        )
      : contract !== undefined
        ? [{ index: 'transfer_token', where: ['r.token = ?'], values: [contract] }]
        : [{ index: null, where: [], values: [] }];
  return branches
    .map(branch => (tokenId === undefined ? branch : addConditions(branch, ['+r.token_id = ?'], [tokenId])))
    .map(branch =>
      contracts === undefined ? branch : addConditions(branch, [`+r.token IN (${placeholders(contracts)})`], contracts),
    );
}

export const readTransfers: SqliteRead<'readTransfers'> = ({ connection, addresses }, query, page) => {
  const records = selectPage<TransferRecord & { readonly amount: Integer; readonly value: Integer | null }>(
    connection,
    { table: 'transfer', ...WITH_TRANSACTION },
    getTransferBranches(addresses, query),
    query,
    page,
  );
  return records.map(record => {
    const value = record.value === null ? null : unpackInteger(record.value);
    return toTransferRow(record, { amount: unpackInteger(record.amount), value }, addresses.resolve);
  });
};

export const countTransfers: SqliteRead<'countTransfers'> = ({ connection, addresses }, query) =>
  countInRange(connection, 'transfer', getTransferBranches(addresses, query), query);

const selectErc20Transfers = (
  { connection, addresses }: SqliteIndex,
  branches: readonly UnionBranch[],
  range: BlockRange,
  page: OrderedPageQuery<LogPosition>,
): readonly Erc20TransferRow[] =>
  selectPage<Erc20TransferRecord & { readonly amount: Integer }>(
    connection,
    { table: 'erc20_transfer', ...WITH_TRANSACTION },
    branches,
    range,
    page,
  ).map(record => toErc20TransferRow(record, unpackInteger(record.amount), addresses.resolve));

function getErc20TransferBranches(addresses: AddressTable, query: Erc20TransferQuery): readonly UnionBranch[] {
  const contracts = query.contracts === undefined ? undefined : findAddressIds(addresses, query.contracts);
  if (query.wallet === undefined) {
    if (contracts === undefined) return [{ index: null, where: [], values: [] }];
    return contracts.map(contract => ({ index: 'erc20_transfer_token', where: ['r.token = ?'], values: [contract] }));
  }
  const wallet = addresses.find(query.wallet);
  if (wallet === null || contracts?.length === 0) return [];
  const isReceived = 'r.sender <> r.recipient';
  if (contracts !== undefined && 2 * contracts.length <= MAX_BRANCHES)
    return contracts.flatMap((contract): readonly UnionBranch[] => [
      { index: 'erc20_transfer_sender_token', where: ['r.sender = ?', 'r.token = ?'], values: [wallet, contract] },
      {
        index: 'erc20_transfer_recipient_token',
        where: ['r.recipient = ?', 'r.token = ?', `+${isReceived}`],
        values: [wallet, contract],
      },
    ]);
  const sides: readonly UnionBranch[] = [
    { index: 'erc20_transfer_sender', where: ['r.sender = ?'], values: [wallet] },
    { index: 'erc20_transfer_recipient', where: ['r.recipient = ?', isReceived], values: [wallet] },
  ];
  if (contracts === undefined) return sides;
  return sides.map(branch => addConditions(branch, [`+r.token IN (${placeholders(contracts)})`], contracts));
}

export const readErc20Transfers: SqliteRead<'readErc20Transfers'> = (index, query, page) =>
  selectErc20Transfers(index, getErc20TransferBranches(index.addresses, query), query, page);

/** Steps from one token to the next, however many transfers of each the wallet has. */
const toNextTokens = (side: 'sender' | 'recipient') => `
  WITH RECURSIVE next (token) AS (
    SELECT (SELECT min(token) FROM erc20_transfer INDEXED BY erc20_transfer_${side}_token WHERE ${side} = ?1)
    UNION ALL
    SELECT (SELECT min(r.token) FROM erc20_transfer AS r INDEXED BY erc20_transfer_${side}_token
      WHERE r.${side} = ?1 AND r.token > next.token) FROM next WHERE next.token IS NOT NULL)
  SELECT token FROM next WHERE token IS NOT NULL`;

export const readErc20Tokens: SqliteRead<'readErc20Tokens'> = ({ connection, addresses }, wallet) => {
  const id = addresses.find(wallet);
  if (id === null) return [];
  const sides = (['sender', 'recipient'] as const).flatMap(side =>
    connection.all<{ token: number }>(toNextTokens(side), id),
  );
  return [...new Set(sides.map(({ token }) => token))].map(token => addresses.resolve(token));
};

function getMintBranches(addresses: AddressTable, query: MintQuery): readonly UnionBranch[] {
  const contracts = query.contracts === undefined ? undefined : findAddressIds(addresses, query.contracts);
  const wallets = query.wallets === undefined ? undefined : findAddressIds(addresses, query.wallets);
  if (contracts?.length === 0 || wallets?.length === 0) return [];
  const indexed =
    contracts !== undefined && contracts.length <= MAX_BRANCHES
      ? contracts.map(
          (contract): UnionBranch => ({
            index: 'erc20_transfer_sender_token',
            where: ['r.token = ?', `r.${IS_MINT}`],
            values: [contract],
          }),
        )
      : wallets !== undefined && wallets.length <= MAX_BRANCHES
        ? wallets.map(
            (wallet): UnionBranch => ({
              index: 'erc20_transfer_minted',
              where: ['r.recipient = ?', `r.${IS_MINT}`],
              values: [wallet],
            }),
          )
        : [{ index: 'erc20_transfer_sender', where: [`r.${IS_MINT}`], values: [] }];
  const filters = [
    { column: 'token', ids: contracts, not: '' },
    { column: 'recipient', ids: wallets, not: '' },
    { column: 'token', ids: findAddressIds(addresses, query.excludedContracts ?? []), not: 'NOT' },
    { column: 'recipient', ids: findAddressIds(addresses, query.excludedWallets ?? []), not: 'NOT' },
  ];
  return indexed.map(first =>
    filters.reduce((branch, { column, ids, not }) => {
      const isServedByIndex = not === '' && first.where[0] === `r.${column} = ?`;
      if (ids === undefined || isServedByIndex || (not === 'NOT' && ids.length === 0)) return branch;
      return addConditions(branch, [`+r.${column} ${not} IN (${placeholders(ids)})`], ids);
    }, first),
  );
}

export const readMints: SqliteRead<'readMints'> = (index, query, page) =>
  selectErc20Transfers(index, getMintBranches(index.addresses, query), query, page);

export const countMints: SqliteRead<'countMints'> = ({ connection, addresses }, query) =>
  countInRange(connection, 'erc20_transfer', getMintBranches(addresses, query), query);

export const readLowestTrade: SqliteRead<'readLowestTrade'> = (index, query) => {
  const { connection, addresses } = index;
  const contract = addresses.find(query.contract);
  const firstBlock = readFirstBlockAt(index, query.fromTime);
  if (contract === null || firstBlock === null) return null;
  const record = connection.get<TradeRecord>(
    `SELECT * FROM trade INDEXED BY trade_price WHERE token = ? AND block >= ?
     ORDER BY price, block DESC, id DESC LIMIT 1`,
    contract,
    firstBlock.number,
  );
  return record === undefined ? null : toTradeRow(record, addresses.resolve);
};
