// Reads of blocks, transfers and mints from the PostgreSQL index, each one statement, so that it sees whole runs only.
import type { Hex } from '../../../base/hex.ts';
import { packNumber, unpackAmount, unpackHex, unpackNftStandard, unpackNumber } from '../encoding.ts';
import type { BlockRow, LogPosition, MintRow, TransferRow } from '../rows.ts';
import type { BlockRange, Coverage, MintQuery, PageQuery, TransferQuery } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import {
  clampBlockNumber,
  isAnyOf,
  NEWEST_FIRST,
  numberConditions,
  positionCondition,
  type SqlCondition,
} from './conditions.ts';
import type { QueryRunner } from './database.ts';

interface BlockRecord {
  readonly number: number;
  readonly hash: Buffer;
  readonly parent: Buffer;
  readonly time: string;
}

const BLOCK = 'SELECT number, hash, parent, time FROM block WHERE chain = $1';

const blockRow = ({ number, hash, parent, time }: BlockRecord): BlockRow => ({
  number,
  hash: unpackHex(hash),
  parentHash: unpackHex(parent),
  timestamp: Number(time),
});

async function oneBlock(queries: QueryRunner, sql: string, values: readonly unknown[]): Promise<BlockRow | null> {
  const [record] = await queries.query<BlockRecord>(sql, values);
  return record === undefined ? null : blockRow(record);
}

export const readHead = (queries: QueryRunner, chain: number) =>
  oneBlock(queries, `${BLOCK} ORDER BY number DESC LIMIT 1`, [chain]);

export async function readCoverage(queries: QueryRunner, chain: number): Promise<Coverage | null> {
  const [found] = await queries.query<BlockRecord & { readonly first: string | number }>(
    `SELECT number, hash, parent, time, coalesce(
       (SELECT covered_from FROM chain WHERE id = $1), (SELECT min(number) FROM block WHERE chain = $1)) AS first
     FROM block WHERE chain = $1 ORDER BY number DESC LIMIT 1`,
    [chain],
  );
  return found === undefined ? null : { fromBlock: Number(found.first), head: blockRow(found) };
}

export const readBlock = (queries: QueryRunner, chain: number, number: number) =>
  oneBlock(queries, `${BLOCK} AND number = $2::bigint`, [chain, number]);

export async function readBlocksDownFrom(queries: QueryRunner, chain: number, fromBlock: number, limit: number) {
  const sql = `${BLOCK} AND number <= $2::bigint ORDER BY number DESC LIMIT $3`;
  return (await queries.query<BlockRecord>(sql, [chain, fromBlock, limit])).map(blockRow);
}

export const readFirstBlockAt = (queries: QueryRunner, chain: number, time: number) =>
  oneBlock(queries, `${BLOCK} AND time >= $2 ORDER BY time, number LIMIT 1`, [chain, time]);

interface TransferRecord {
  readonly block: number;
  readonly log: number;
  readonly position: number;
  readonly tx: Buffer;
  readonly tx_index: number;
  readonly token: number;
  readonly token_id: Buffer;
  readonly standard: number;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: Buffer;
  /** 0 when there is none. */
  readonly operator: number;
  readonly value: Buffer | null;
}

const transferRow = (record: TransferRecord, address: (id: number) => Hex): TransferRow => ({
  blockNumber: record.block,
  logIndex: record.log,
  batchIndex: record.position,
  transactionHash: unpackHex(record.tx),
  transactionIndex: record.tx_index,
  token: address(record.token),
  tokenId: unpackNumber(record.token_id),
  standard: unpackNftStandard(record.standard),
  from: address(record.sender),
  to: address(record.recipient),
  amount: unpackAmount(record.amount),
  operator: record.operator === 0 ? null : address(record.operator),
  value: record.value === null ? null : unpackNumber(record.value),
});

const rangeConditions = ({ fromBlock, toBlock }: BlockRange): readonly SqlCondition[] => [
  ...(fromBlock === undefined ? [] : [{ sql: 'block >= $?', values: [clampBlockNumber(fromBlock)] }]),
  ...(toBlock === undefined ? [] : [{ sql: 'block <= $?', values: [clampBlockNumber(toBlock)] }]),
];

const lower = (address: Hex) => address.toLowerCase() as Hex;

/**
 * One list of conditions per index that is read: both sides of a wallet have no row in common. `null` when the index
 * never saw one of the addresses.
 */
async function transferArms(
  queries: QueryRunner,
  addresses: AddressTable,
  query: TransferQuery,
): Promise<readonly (readonly SqlCondition[])[] | null> {
  const { wallet, direction = 'both', token, tokenId } = query;
  const asked = [wallet, token].filter(address => address !== undefined);
  const known = await addresses.find(queries, asked);
  const numbers = new Map(asked.map(address => [address, known.get(lower(address))]));
  if (asked.some(address => numbers.get(address) === undefined)) return null;
  const number = (address: Hex) => [numbers.get(address)];
  const rest: readonly SqlCondition[] = [
    ...(token === undefined ? [] : [{ sql: 'token = $?', values: number(token) }]),
    ...(tokenId === undefined ? [] : [{ sql: 'token_id = $?', values: [packNumber(tokenId)] }]),
    ...rangeConditions(query),
  ];
  if (wallet === undefined) return [rest];
  const sent: SqlCondition = { sql: 'sender = $?', values: number(wallet) };
  const received: SqlCondition = { sql: 'recipient = $?', values: number(wallet) };
  if (direction === 'from') return [[sent, ...rest]];
  if (direction === 'to') return [[received, ...rest]];
  return [
    [sent, ...rest],
    [received, { sql: 'sender <> recipient', values: [] }, ...rest],
  ];
}

export async function readTransfers(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  query: TransferQuery,
  { limit, after }: PageQuery<LogPosition>,
): Promise<readonly TransferRow[]> {
  const found = await transferArms(queries, addresses, query);
  if (found === null) return [];
  const arms = found.map(arm => (after === undefined ? arm : [...arm, positionCondition.before(after)]));
  const { sql, values } = numberConditions(
    chain,
    arms,
    where => `(SELECT * FROM transfer WHERE ${where} ${NEWEST_FIRST} LIMIT ${limit})`,
  );
  const records = await queries.query<TransferRecord>(
    `SELECT * FROM (${sql.join(' UNION ALL ')}) AS r ${NEWEST_FIRST} LIMIT ${limit}`,
    values,
  );
  const ids = records.flatMap(({ token, sender, recipient, operator }) => [token, sender, recipient, operator]);
  const address = await addresses.resolve(
    queries,
    ids.filter(id => id !== 0),
  );
  return records.map(record => transferRow(record, address));
}

export async function countTransfers(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  query: TransferQuery,
): Promise<number> {
  const arms = await transferArms(queries, addresses, query);
  if (arms === null) return 0;
  const { sql, values } = numberConditions(chain, arms, where => `(SELECT count(*) FROM transfer WHERE ${where})`);
  const [row] = await queries.query<{ n: string }>(`SELECT ${sql.join(' + ')} AS n`, values);
  return Number(row?.n ?? 0);
}

interface MintRecord {
  readonly block: number;
  readonly log: number;
  readonly tx: Buffer;
  readonly tx_index: number;
  readonly token: number;
  readonly recipient: number;
  readonly amount: Buffer;
}

/** `null` when the index never saw any of the addresses that it is to be one of. */
async function mintConditions(
  queries: QueryRunner,
  addresses: AddressTable,
  query: MintQuery,
): Promise<readonly SqlCondition[] | null> {
  const { tokens, excludedTokens: notTokens = [], wallets, excludedWallets: notWallets = [] } = query;
  const known = await addresses.find(queries, [...(tokens ?? []), ...notTokens, ...(wallets ?? []), ...notWallets]);
  const numbers = (list: readonly Hex[]) =>
    list.map(address => known.get(lower(address))).filter(id => id !== undefined);
  const [some, none] = [tokens && numbers(tokens), numbers(notTokens)];
  const [someone, nobody] = [wallets && numbers(wallets), numbers(notWallets)];
  if (some?.length === 0 || someone?.length === 0) return null;
  return [
    ...(some === undefined ? [] : [isAnyOf('token', some)]),
    ...(someone === undefined ? [] : [isAnyOf('recipient', someone)]),
    ...(none.length === 0 ? [] : [isAnyOf('token', none, 'NOT')]),
    ...(nobody.length === 0 ? [] : [isAnyOf('recipient', nobody, 'NOT')]),
    ...rangeConditions(query),
  ];
}

export async function readMints(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  query: MintQuery,
  { limit, after }: PageQuery<LogPosition>,
): Promise<readonly MintRow[]> {
  const rest = await mintConditions(queries, addresses, query);
  if (rest === null) return [];
  const block = clampBlockNumber(after?.blockNumber ?? 0);
  const before = { sql: 'block <= $? AND (block, log) < ($?, $?)', values: [block, block, after?.logIndex] };
  const arm = after === undefined ? rest : [...rest, before];
  const { sql, values } = numberConditions(chain, [arm], where => `SELECT * FROM mint WHERE ${where}`);
  const records = await queries.query<MintRecord>(`${sql[0]} ORDER BY block DESC, log DESC LIMIT ${limit}`, values);
  const address = await addresses.resolve(
    queries,
    records.flatMap(({ token, recipient }) => [token, recipient]),
  );
  return records.map(record => ({
    blockNumber: record.block,
    logIndex: record.log,
    transactionHash: unpackHex(record.tx),
    transactionIndex: record.tx_index,
    token: address(record.token),
    to: address(record.recipient),
    amount: unpackAmount(record.amount),
  }));
}

export async function countMints(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  query: MintQuery,
): Promise<number> {
  const found = await mintConditions(queries, addresses, query);
  if (found === null) return 0;
  const { sql, values } = numberConditions(chain, [found], where => `SELECT count(*) AS n FROM mint WHERE ${where}`);
  const [row] = await queries.query<{ n: string }>(sql[0] ?? '', values);
  return Number(row?.n ?? 0);
}
