// Reads of transfers and trades from the PostgreSQL index, each one statement, so that it sees whole batches only.
import type { Hex } from '../../../base/hex.ts';
import { packNumber, unpackAmount, unpackNumber } from '../encoding.ts';
import {
  type Erc20TransferRecord,
  type TradeRecord,
  type TransferRecord,
  toErc20TransferRow,
  toTradeRow,
  toTransferRow,
} from '../records.ts';
import type { Erc20TransferRow, LogPosition } from '../rows.ts';
import type { BlockRange, MintQuery, OrderedPageQuery, TransferQuery } from '../store.ts';
import type { PostgresIndex, PostgresRead } from './addressTable.ts';
import { clampBlockNumber, countRowsWhere, isAnyOf, type SqlCondition, selectPage } from './conditions.ts';
import { ZERO_ADDRESS_ID } from './schema.ts';

export const getRangeConditions = ({ fromBlock, toBlock }: BlockRange): readonly SqlCondition[] => [
  ...(fromBlock === undefined ? [] : [{ sql: 'block >= $?', values: [clampBlockNumber(fromBlock)] }]),
  ...(toBlock === undefined ? [] : [{ sql: 'block <= $?', values: [clampBlockNumber(toBlock)] }]),
];

const COUNT_ROWS = ['transfer', 'erc20_transfer', 'trade'].map(
  table => `(SELECT count(*)::integer FROM @${table} WHERE chain = $1 AND block >= $2 AND block <= $3) AS ${table}`,
);

export const countRows: PostgresRead<'countRows'> = async ({ queries, chain }, fromBlock, toBlock) => {
  const values = [chain, clampBlockNumber(fromBlock), clampBlockNumber(toBlock)];
  const [row] = await queries.query<{ transfer: number; erc20_transfer: number; trade: number }>(
    `SELECT ${COUNT_ROWS.join(', ')}`,
    values,
  );
  return {
    transfers: row?.transfer ?? 0,
    erc20Transfers: row?.erc20_transfer ?? 0,
    trades: row?.trade ?? 0,
  };
};

/** `operator` is 0 when there is none. */
type PostgresTransfer = TransferRecord & {
  readonly operator: number;
  readonly amount: Buffer;
  readonly value: Buffer | null;
};

/**
 * The conditions of one select per index that is read; the two sides of a wallet have no row in common. None when one of the
 * addresses is not in the index.
 */
async function getTransferBranches(
  { queries, addresses }: PostgresIndex,
  query: TransferQuery,
): Promise<readonly (readonly SqlCondition[])[]> {
  const { wallet, direction = 'both', contract, contracts, tokenId } = query;
  const filtered = [wallet, contract].filter(address => address !== undefined);
  const ids = await addresses.find(queries, [...filtered, ...(contracts ?? [])]);
  if (filtered.some(address => !ids.has(address))) return [];
  const contractIds = contracts?.map(address => ids.get(address)).filter(id => id !== undefined);
  if (contractIds?.length === 0) return [];
  const conditions: readonly SqlCondition[] = [
    ...(contract === undefined ? [] : [{ sql: 'token = $?', values: [ids.get(contract)] }]),
    ...(contractIds === undefined ? [] : [isAnyOf('token', contractIds)]),
    ...(tokenId === undefined ? [] : [{ sql: 'token_id = $?', values: [packNumber(tokenId)] }]),
    ...getRangeConditions(query),
  ];
  if (wallet === undefined) return [conditions];
  const sent: SqlCondition = { sql: 'sender = $?', values: [ids.get(wallet)] };
  const received: SqlCondition = { sql: 'recipient = $?', values: [ids.get(wallet)] };
  if (direction === 'from') return [[sent, ...conditions]];
  if (direction === 'to') return [[received, ...conditions]];
  return [
    [sent, ...conditions],
    [received, { sql: 'sender <> recipient', values: [] }, ...conditions],
  ];
}

export const readTransfers: PostgresRead<'readTransfers'> = async (index, query, page) => {
  const { queries, addresses } = index;
  const branches = await getTransferBranches(index, query);
  const records = await selectPage<PostgresTransfer>(index, 'transfer', 'position', branches, page);
  const ids = records.flatMap(({ token, sender, recipient, operator }) => [token, sender, recipient, operator]);
  const toAddress = await addresses.resolve(
    queries,
    ids.filter(id => id !== 0),
  );
  return records.map(record => {
    const value = record.value === null ? null : unpackNumber(record.value);
    return toTransferRow(record, { amount: unpackAmount(record.amount), value }, toAddress);
  });
};

export const countTransfers: PostgresRead<'countTransfers'> = async (index, query) => {
  const branches = await getTransferBranches(index, query);
  return branches.length === 0 ? 0 : countRowsWhere(index, 'transfer', branches);
};

type PostgresErc20Transfer = Erc20TransferRecord & { readonly amount: Buffer };

async function selectErc20Transfers(
  index: PostgresIndex,
  branches: readonly (readonly SqlCondition[])[],
  page: OrderedPageQuery<LogPosition>,
): Promise<readonly Erc20TransferRow[]> {
  const { queries, addresses } = index;
  const records = await selectPage<PostgresErc20Transfer>(index, 'erc20_transfer', 'log', branches, page);
  const toAddress = await addresses.resolve(
    queries,
    records.flatMap(({ token, sender, recipient }) => [token, sender, recipient]),
  );
  return records.map(record => toErc20TransferRow(record, unpackAmount(record.amount), toAddress));
}

export const readErc20Transfers: PostgresRead<'readErc20Transfers'> = async (index, query, page) => {
  const { wallet, contracts } = query;
  const ids = await index.addresses.find(index.queries, [
    ...(wallet === undefined ? [] : [wallet]),
    ...(contracts ?? []),
  ]);
  const contractIds = contracts?.map(contract => ids.get(contract)).filter(id => id !== undefined);
  if (contractIds?.length === 0 || (wallet !== undefined && !ids.has(wallet))) return [];
  const conditions: readonly SqlCondition[] = [
    ...(contractIds === undefined ? [] : [isAnyOf('token', contractIds)]),
    ...getRangeConditions(query),
  ];
  const values = [wallet === undefined ? undefined : ids.get(wallet)];
  const branches =
    wallet === undefined
      ? [conditions]
      : [
          [{ sql: 'sender = $?', values }, ...conditions],
          [{ sql: 'recipient = $? AND sender <> recipient', values }, ...conditions],
        ];
  return selectErc20Transfers(index, branches, page);
};

/** Steps from one token to the next, however many transfers of each the wallet has. */
const toNextTokens = (side: 'sender' | 'recipient') => `
  WITH RECURSIVE next (token) AS (
    SELECT min(token) FROM @erc20_transfer WHERE chain = $1 AND ${side} = $2
    UNION ALL
    SELECT (SELECT min(r.token) FROM @erc20_transfer AS r WHERE r.chain = $1 AND r.${side} = $2 AND r.token > next.token)
    FROM next WHERE next.token IS NOT NULL)
  SELECT token FROM next WHERE token IS NOT NULL`;

export const readErc20Tokens: PostgresRead<'readErc20Tokens'> = async ({ queries, chain, addresses }, wallet) => {
  const id = (await addresses.find(queries, [wallet])).get(wallet);
  if (id === undefined) return [];
  const records = await queries.query<{ token: number }>(
    `SELECT token FROM (${toNextTokens('sender')}) AS sent UNION SELECT token FROM (${toNextTokens('recipient')}) AS received`,
    [chain, id],
  );
  const tokens = records.map(({ token }) => token);
  const toAddress = await addresses.resolve(queries, tokens);
  return tokens.map(toAddress);
};

/** `null` when none of the wanted contracts, or none of the wanted wallets, is in the index. */
async function getMintConditions(
  { queries, addresses }: PostgresIndex,
  query: MintQuery,
): Promise<readonly SqlCondition[] | null> {
  const { contracts, excludedContracts = [], wallets, excludedWallets = [] } = query;
  const ids = await addresses.find(queries, [
    ...(contracts ?? []),
    ...excludedContracts,
    ...(wallets ?? []),
    ...excludedWallets,
  ]);
  const toIds = (list: readonly Hex[]) => list.map(address => ids.get(address)).filter(id => id !== undefined);
  const contractIds = contracts && toIds(contracts);
  const walletIds = wallets && toIds(wallets);
  if (contractIds?.length === 0 || walletIds?.length === 0) return null;
  const excludedContractIds = toIds(excludedContracts);
  const excludedWalletIds = toIds(excludedWallets);
  return [
    { sql: 'sender = $?', values: [ZERO_ADDRESS_ID] },
    ...(contractIds === undefined ? [] : [isAnyOf('token', contractIds)]),
    ...(walletIds === undefined ? [] : [isAnyOf('recipient', walletIds)]),
    ...(excludedContractIds.length === 0 ? [] : [isAnyOf('token', excludedContractIds, 'NOT')]),
    ...(excludedWalletIds.length === 0 ? [] : [isAnyOf('recipient', excludedWalletIds, 'NOT')]),
    ...getRangeConditions(query),
  ];
}

export const readMints: PostgresRead<'readMints'> = async (index, query, page) => {
  const conditions = await getMintConditions(index, query);
  return conditions === null ? [] : selectErc20Transfers(index, [conditions], page);
};

export const countMints: PostgresRead<'countMints'> = async (index, query) => {
  const conditions = await getMintConditions(index, query);
  return conditions === null ? 0 : countRowsWhere(index, 'erc20_transfer', [conditions]);
};

export const readLowestTrade: PostgresRead<'readLowestTrade'> = async (
  { queries, chain, addresses },
  { contract, fromTime },
) => {
  const token = (await addresses.find(queries, [contract])).get(contract);
  if (token === undefined) return null;
  const [record] = await queries.query<TradeRecord>(
    `SELECT * FROM @trade WHERE chain = $1 AND token = $2 AND block >= (
       SELECT number FROM @block WHERE chain = $1 AND time >= $3 ORDER BY time, number LIMIT 1)
     ORDER BY price, block DESC, tx_index DESC, log DESC, ordinal DESC LIMIT 1`,
    [chain, token, fromTime],
  );
  if (record === undefined) return null;
  const { seller, buyer, marketplace } = record;
  return toTradeRow(record, await addresses.resolve(queries, [record.token, seller, buyer, marketplace]));
};
