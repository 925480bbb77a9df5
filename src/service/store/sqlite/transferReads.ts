// Reads of NFT transfers and ERC-20 mints from the SQLite index: which index answers which filters.

import { packNumber, unpackHex, unpackNftStandard, unpackNumber } from '../encoding.ts';
import type { LogPosition, MintRow, TransferRow } from '../rows.ts';
import type { MintQuery, PageQuery, TransferQuery } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import { findRowIdRange, type RowIdRange } from './blockReads.ts';
import type { SqliteConnection } from './connection.ts';
import {
  addConditions,
  countUnion,
  findAddressIds,
  MAX_BRANCHES,
  placeholders,
  selectUnion,
  type UnionBranch,
} from './unionQuery.ts';

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

interface MintRecord {
  readonly block: number;
  readonly log: number;
  readonly tx: Uint8Array;
  readonly tx_index: number;
  readonly token: number;
  readonly recipient: number;
  readonly amount: string;
}

const within = (arm: UnionBranch, { from, before }: RowIdRange): UnionBranch =>
  addConditions(arm, ['r.id >= ?', 'r.id < ?'], [from, before]);

/** Both sides of a wallet; a transfer to oneself is in one arm only. */
function walletArms(wallet: number, direction: TransferQuery['direction']): readonly UnionBranch[] {
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

function transferArms(addresses: AddressTable, query: TransferQuery): readonly UnionBranch[] {
  const token = query.token === undefined ? undefined : addresses.find(query.token);
  const wallet = query.wallet === undefined ? undefined : addresses.find(query.wallet);
  if (token === null || wallet === null) return [];
  const tokenId = query.tokenId === undefined ? undefined : packNumber(query.tokenId);
  if (token !== undefined && tokenId !== undefined) {
    const arm: UnionBranch = {
      index: 'transfer_token_id',
      where: ['token = ?', 'token_id = ?'],
      values: [token, tokenId],
    };
    if (wallet === undefined) return [arm];
    if (query.direction === 'from') return [addConditions(arm, ['+sender = ?'], [wallet])];
    if (query.direction === 'to') return [addConditions(arm, ['+recipient = ?'], [wallet])];
    return [addConditions(arm, ['(+sender = ? OR +recipient = ?)'], [wallet, wallet])];
  }
  const arms: readonly UnionBranch[] =
    wallet !== undefined
      ? walletArms(wallet, query.direction).map(arm =>
          token === undefined ? arm : addConditions(arm, ['+token = ?'], [token]),
        )
      : token !== undefined
        ? [{ index: 'transfer_token', where: ['token = ?'], values: [token] }]
        : [{ index: null, where: [], values: [] }];
  return tokenId === undefined ? arms : arms.map(arm => addConditions(arm, ['+token_id = ?'], [tokenId]));
}

export function readTransfers(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: TransferQuery,
  slice: PageQuery<LogPosition>,
): readonly TransferRow[] {
  const numbers = findRowIdRange(connection, 'transfer', query, slice.after);
  const arms = transferArms(addresses, query).map(arm => within(arm, numbers));
  const records = selectUnion<TransferRecord>(
    connection,
    { table: 'transfer', columns: 'r.*', order: 'id DESC' },
    arms,
    slice.limit,
  );
  return records.map(record => ({
    blockNumber: record.block,
    logIndex: record.log,
    position: record.position,
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
  const numbers = findRowIdRange(connection, 'transfer', query);
  return countUnion(
    connection,
    'transfer',
    transferArms(addresses, query).map(arm => within(arm, numbers)),
  );
}

function mintArms(addresses: AddressTable, query: MintQuery): readonly UnionBranch[] {
  const tokens = query.tokens === undefined ? undefined : findAddressIds(addresses, query.tokens);
  const wallets = query.wallets === undefined ? undefined : findAddressIds(addresses, query.wallets);
  if (tokens?.length === 0 || wallets?.length === 0) return [];
  const leads =
    tokens !== undefined && tokens.length <= MAX_BRANCHES
      ? tokens.map((token): UnionBranch => ({ index: 'mint_token', where: ['token = ?'], values: [token] }))
      : wallets !== undefined && wallets.length <= MAX_BRANCHES
        ? wallets.map(
            (wallet): UnionBranch => ({ index: 'mint_recipient', where: ['recipient = ?'], values: [wallet] }),
          )
        : [{ index: null, where: [], values: [] }];
  // Unary plus: the index that leads is chosen, these only filter what it finds.
  const filters = [
    { column: 'token', list: tokens, not: '' },
    { column: 'recipient', list: wallets, not: '' },
    { column: 'token', list: findAddressIds(addresses, query.excludedTokens ?? []), not: 'NOT' },
    { column: 'recipient', list: findAddressIds(addresses, query.excludedWallets ?? []), not: 'NOT' },
  ];
  return leads.map(lead =>
    filters.reduce(
      (arm, { column, list, not }) =>
        list === undefined || (not === 'NOT' && list.length === 0) || (lead.where[0] === `${column} = ?` && not === '')
          ? arm
          : addConditions(arm, [`+${column} ${not} IN (${placeholders(list)})`], list),
      lead,
    ),
  );
}

export function readMints(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: MintQuery,
  slice: PageQuery<LogPosition>,
): readonly MintRow[] {
  const numbers = findRowIdRange(connection, 'mint', query, slice.after);
  const arms = mintArms(addresses, query).map(arm => within(arm, numbers));
  const records = selectUnion<MintRecord>(
    connection,
    { table: 'mint', columns: 'r.*', order: 'id DESC' },
    arms,
    slice.limit,
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
  const numbers = findRowIdRange(connection, 'mint', query);
  return countUnion(
    connection,
    'mint',
    mintArms(addresses, query).map(arm => within(arm, numbers)),
  );
}
