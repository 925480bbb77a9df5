// Reads of NFT transfers and ERC-20 mints from the SQLite index: which index answers which filters.

import { packNumber, unpackHex, unpackNftStandard, unpackNumber } from '../encoding.ts';
import type { MintRow, Place, TransferRow } from '../rows.ts';
import type { MintQuery, Slice, TransferQuery } from '../store.ts';
import type { Addresses } from './addressTable.ts';
import { type Numbers, numbersOf } from './blockReads.ts';
import type { Connection } from './connection.ts';
import { type Arm, countArms, known, MOST_ARMS, narrowed, questionMarks, selectArms } from './unionQuery.ts';

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

const within = (arm: Arm, { from, before }: Numbers): Arm => narrowed(arm, ['r.id >= ?', 'r.id < ?'], [from, before]);

/** Both sides of a wallet; a transfer to oneself is in one arm only. */
function walletArms(wallet: number, direction: TransferQuery['direction']): readonly Arm[] {
  const values = [wallet];
  const sent: Arm = { index: 'transfer_sender', where: ['sender = ?'], values };
  const received: Arm = { index: 'transfer_recipient', where: ['recipient = ?', 'sender <> recipient'], values };
  const toOneself: Arm = { index: 'transfer_self', where: ['sender = ?', 'sender = recipient'], values };
  if (direction === 'from') return [sent];
  return direction === 'to' ? [received, toOneself] : [sent, received];
}

function transferArms(addresses: Addresses, query: TransferQuery): readonly Arm[] {
  const token = query.token === undefined ? undefined : addresses.find(query.token);
  const wallet = query.wallet === undefined ? undefined : addresses.find(query.wallet);
  if (token === null || wallet === null) return [];
  const tokenId = query.tokenId === undefined ? undefined : packNumber(query.tokenId);
  if (token !== undefined && tokenId !== undefined) {
    const arm: Arm = {
      index: 'transfer_token_id',
      where: ['token = ?', 'token_id = ?'],
      values: [token, tokenId],
    };
    if (wallet === undefined) return [arm];
    if (query.direction === 'from') return [narrowed(arm, ['+sender = ?'], [wallet])];
    if (query.direction === 'to') return [narrowed(arm, ['+recipient = ?'], [wallet])];
    return [narrowed(arm, ['(+sender = ? OR +recipient = ?)'], [wallet, wallet])];
  }
  const arms: readonly Arm[] =
    wallet !== undefined
      ? walletArms(wallet, query.direction).map(arm =>
          token === undefined ? arm : narrowed(arm, ['+token = ?'], [token]),
        )
      : token !== undefined
        ? [{ index: 'transfer_token', where: ['token = ?'], values: [token] }]
        : [{ index: null, where: [], values: [] }];
  return tokenId === undefined ? arms : arms.map(arm => narrowed(arm, ['+token_id = ?'], [tokenId]));
}

export function readTransfers(
  connection: Connection,
  addresses: Addresses,
  query: TransferQuery,
  slice: Slice<Place>,
): readonly TransferRow[] {
  const numbers = numbersOf(connection, 'transfer', query, slice.after);
  const arms = transferArms(addresses, query).map(arm => within(arm, numbers));
  const records = selectArms<TransferRecord>(
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
    token: addresses.address(record.token),
    tokenId: unpackNumber(record.token_id),
    standard: unpackNftStandard(record.standard),
    from: addresses.address(record.sender),
    to: addresses.address(record.recipient),
    amount: BigInt(record.amount),
    operator: record.operator === null ? null : addresses.address(record.operator),
    value: record.value === null ? null : BigInt(record.value),
  }));
}

export function countTransfers(connection: Connection, addresses: Addresses, query: TransferQuery): number {
  const numbers = numbersOf(connection, 'transfer', query);
  return countArms(
    connection,
    'transfer',
    transferArms(addresses, query).map(arm => within(arm, numbers)),
  );
}

function mintArms(addresses: Addresses, query: MintQuery): readonly Arm[] {
  const tokens = query.tokens === undefined ? undefined : known(addresses, query.tokens);
  const wallets = query.wallets === undefined ? undefined : known(addresses, query.wallets);
  if (tokens?.length === 0 || wallets?.length === 0) return [];
  const leads =
    tokens !== undefined && tokens.length <= MOST_ARMS
      ? tokens.map((token): Arm => ({ index: 'mint_token', where: ['token = ?'], values: [token] }))
      : wallets !== undefined && wallets.length <= MOST_ARMS
        ? wallets.map((wallet): Arm => ({ index: 'mint_recipient', where: ['recipient = ?'], values: [wallet] }))
        : [{ index: null, where: [], values: [] }];
  // Unary plus: the index that leads is chosen, these only filter what it finds.
  const filters = [
    { column: 'token', list: tokens, not: '' },
    { column: 'recipient', list: wallets, not: '' },
    { column: 'token', list: known(addresses, query.notTokens ?? []), not: 'NOT' },
    { column: 'recipient', list: known(addresses, query.notWallets ?? []), not: 'NOT' },
  ];
  return leads.map(lead =>
    filters.reduce(
      (arm, { column, list, not }) =>
        list === undefined || (not === 'NOT' && list.length === 0) || (lead.where[0] === `${column} = ?` && not === '')
          ? arm
          : narrowed(arm, [`+${column} ${not} IN (${questionMarks(list)})`], list),
      lead,
    ),
  );
}

export function readMints(
  connection: Connection,
  addresses: Addresses,
  query: MintQuery,
  slice: Slice<Place>,
): readonly MintRow[] {
  const numbers = numbersOf(connection, 'mint', query, slice.after);
  const arms = mintArms(addresses, query).map(arm => within(arm, numbers));
  const records = selectArms<MintRecord>(
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
    token: addresses.address(record.token),
    to: addresses.address(record.recipient),
    amount: BigInt(record.amount),
  }));
}

export function countMints(connection: Connection, addresses: Addresses, query: MintQuery): number {
  const numbers = numbersOf(connection, 'mint', query);
  return countArms(
    connection,
    'mint',
    mintArms(addresses, query).map(arm => within(arm, numbers)),
  );
}
