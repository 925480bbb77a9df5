// Reads of blocks, transfers and mints from the PostgreSQL index, each one statement, so that it sees whole runs only.
import type { Hex } from '../../base/hex.ts';
import { packHex, packNumber, unpackHex, unpackNftStandard, unpackNumber } from './encoding.ts';
import type { Queries } from './postgresPool.ts';
import { type Condition, conditions, inSet, place, placeOrder } from './postgresSql.ts';
import type { BlockRow, MintRow, Place, TransferRow } from './rows.ts';
import type { BlockRange, Coverage, MintQuery, Slice, TransferQuery } from './store.ts';

interface BlockRecord {
  readonly number: string;
  readonly hash: Buffer;
  readonly parent: Buffer;
  readonly time: string;
}

const BLOCK = 'SELECT number, hash, parent, time FROM block WHERE chain = $1';

const blockRow = ({ number, hash, parent, time }: BlockRecord): BlockRow => ({
  number: Number(number),
  hash: unpackHex(hash),
  parentHash: unpackHex(parent),
  time: Number(time),
});

async function oneBlock(queries: Queries, sql: string, values: readonly unknown[]): Promise<BlockRow | null> {
  const [record] = await queries.all<BlockRecord>(sql, values);
  return record === undefined ? null : blockRow(record);
}

export const headOf = (queries: Queries, chain: number) =>
  oneBlock(queries, `${BLOCK} ORDER BY number DESC LIMIT 1`, [chain]);

export async function coverageOf(queries: Queries, chain: number): Promise<Coverage | null> {
  const [found] = await queries.all<BlockRecord & { readonly first: string }>(
    `SELECT number, hash, parent, time, coalesce(
       (SELECT covered_from FROM chain WHERE id = $1), (SELECT min(number) FROM block WHERE chain = $1)) AS first
     FROM block WHERE chain = $1 ORDER BY number DESC LIMIT 1`,
    [chain],
  );
  return found === undefined ? null : { from: Number(found.first), to: blockRow(found) };
}

export const blockAt = (queries: Queries, chain: number, number: number) =>
  oneBlock(queries, `${BLOCK} AND number = $2`, [chain, number]);

export async function blocksDown(queries: Queries, chain: number, fromBlock: number, limit: number) {
  const sql = `${BLOCK} AND number <= $2 ORDER BY number DESC LIMIT $3`;
  return (await queries.all<BlockRecord>(sql, [chain, fromBlock, limit])).map(blockRow);
}

export const firstBlockAt = (queries: Queries, chain: number, time: number) =>
  oneBlock(queries, `${BLOCK} AND time >= $2 ORDER BY time, number LIMIT 1`, [chain, time]);

interface TransferRecord {
  readonly block: string;
  readonly log: number;
  readonly position: number;
  readonly tx: Buffer;
  readonly tx_index: number;
  readonly token: Buffer;
  readonly token_id: Buffer;
  readonly standard: number;
  readonly sender: Buffer;
  readonly recipient: Buffer;
  readonly amount: string;
  readonly operator: Buffer | null;
  readonly value: string | null;
}

const transferRow = (record: TransferRecord): TransferRow => ({
  blockNumber: Number(record.block),
  logIndex: record.log,
  position: record.position,
  transactionHash: unpackHex(record.tx),
  transactionIndex: record.tx_index,
  token: unpackHex(record.token),
  tokenId: unpackNumber(record.token_id),
  standard: unpackNftStandard(record.standard),
  from: unpackHex(record.sender),
  to: unpackHex(record.recipient),
  amount: BigInt(record.amount),
  operator: record.operator === null ? null : unpackHex(record.operator),
  value: record.value === null ? null : BigInt(record.value),
});

const rangeConditions = ({ fromBlock, toBlock }: BlockRange): readonly Condition[] => [
  ...(fromBlock === undefined ? [] : [{ sql: 'block >= $?', values: [fromBlock] }]),
  ...(toBlock === undefined ? [] : [{ sql: 'block <= $?', values: [toBlock] }]),
];

/** One list of conditions per index that is read: both sides of a wallet have no row in common. */
function transferArms(query: TransferQuery): readonly (readonly Condition[])[] {
  const { wallet, direction = 'both', token, tokenId } = query;
  const rest: readonly Condition[] = [
    ...(token === undefined ? [] : [{ sql: 'token = $?', values: [packHex(token, 20)] }]),
    ...(tokenId === undefined ? [] : [{ sql: 'token_id = $?', values: [packNumber(tokenId)] }]),
    ...rangeConditions(query),
  ];
  if (wallet === undefined) return [rest];
  const address = packHex(wallet, 20);
  const sent: Condition = { sql: 'sender = $?', values: [address] };
  const received: Condition = { sql: 'recipient = $?', values: [address] };
  if (direction === 'from') return [[sent, ...rest]];
  if (direction === 'to') return [[received, ...rest]];
  return [
    [sent, ...rest],
    [received, { sql: 'sender <> recipient', values: [] }, ...rest],
  ];
}

export async function readTransfers(
  queries: Queries,
  chain: number,
  query: TransferQuery,
  { limit, after }: Slice<Place>,
): Promise<readonly TransferRow[]> {
  const arms = transferArms(query).map(arm => (after === undefined ? arm : [...arm, place.before(after)]));
  const { sql, values } = conditions(
    chain,
    arms,
    where => `(SELECT * FROM transfer WHERE ${where} ${placeOrder} LIMIT ${limit})`,
  );
  const records = await queries.all<TransferRecord>(
    `SELECT * FROM (${sql.join(' UNION ALL ')}) AS r ${placeOrder} LIMIT ${limit}`,
    values,
  );
  return records.map(transferRow);
}

export async function countTransfers(queries: Queries, chain: number, query: TransferQuery): Promise<number> {
  const { sql, values } = conditions(
    chain,
    transferArms(query),
    where => `(SELECT count(*) FROM transfer WHERE ${where})`,
  );
  const [row] = await queries.all<{ n: string }>(`SELECT ${sql.join(' + ')} AS n`, values);
  return Number(row?.n ?? 0);
}

interface MintRecord {
  readonly block: string;
  readonly log: number;
  readonly tx: Buffer;
  readonly tx_index: number;
  readonly token: Buffer;
  readonly recipient: Buffer;
  readonly amount: string;
}

const bytesOf = (list: readonly Hex[]) => list.map(address => packHex(address, 20));

function mintConditions(query: MintQuery): readonly Condition[] {
  const { tokens, notTokens = [], wallets, notWallets = [] } = query;
  return [
    ...(tokens === undefined ? [] : [inSet('token', bytesOf(tokens))]),
    ...(wallets === undefined ? [] : [inSet('recipient', bytesOf(wallets))]),
    ...(notTokens.length === 0 ? [] : [inSet('token', bytesOf(notTokens), 'NOT')]),
    ...(notWallets.length === 0 ? [] : [inSet('recipient', bytesOf(notWallets), 'NOT')]),
    ...rangeConditions(query),
  ];
}

export async function readMints(
  queries: Queries,
  chain: number,
  query: MintQuery,
  { limit, after }: Slice<Place>,
): Promise<readonly MintRow[]> {
  const rest = mintConditions(query);
  const arm: readonly Condition[] =
    after === undefined
      ? rest
      : [...rest, { sql: '(block, log) < ($?, $?)', values: [after.blockNumber, after.logIndex] }];
  const { sql, values } = conditions(chain, [arm], where => `SELECT * FROM mint WHERE ${where}`);
  const records = await queries.all<MintRecord>(`${sql[0]} ORDER BY block DESC, log DESC LIMIT ${limit}`, values);
  return records.map(record => ({
    blockNumber: Number(record.block),
    logIndex: record.log,
    transactionHash: unpackHex(record.tx),
    transactionIndex: record.tx_index,
    token: unpackHex(record.token),
    to: unpackHex(record.recipient),
    amount: BigInt(record.amount),
  }));
}

export async function countMints(queries: Queries, chain: number, query: MintQuery): Promise<number> {
  const { sql, values } = conditions(
    chain,
    [mintConditions(query)],
    where => `SELECT count(*) AS n FROM mint WHERE ${where}`,
  );
  const [row] = await queries.all<{ n: string }>(sql[0] ?? '', values);
  return Number(row?.n ?? 0);
}
