// The tables of an operation's reply: a block is one row and lists of transactions, logs and inner calls.
import { type OperationId, type Output, operations } from '../api/operations/operations.ts';
import {
  block as blockRecord,
  chainBalances,
  internalTransaction,
  transactionLog,
  transaction as transactionRecord,
  walletBalance,
} from '../api/records/evmRecords.ts';
import type { AnyRecord } from '../api/records/record.ts';
import type { Page, ReplyShape } from '../api/wire/reply.ts';
import { getLogAmount } from '../decode/amountUnits.ts';
import { getFieldLabel } from './fieldLabels.ts';
import type { ListInfo } from './messages.ts';
import { arrangeColumns, type Coin, toColumns, toRow } from './recordColumns.ts';
import type { Table, TableColumn, TableRow } from './table.ts';

type Block = Output<'block'>;
type Transaction = Output<'transaction'>;
type Log = Output<'contractLogs'>['result'][number] | NonNullable<Transaction['logs']>[number];

export interface ReplyTables {
  readonly tables: readonly Table[];
  readonly listInfo: ListInfo | null;
}

function table(name: string, columns: readonly TableColumn[], records: readonly object[]): Table {
  return { name, columns, rows: records.map(record => toRow(columns, record)) };
}

/** Most telling first: what people look for in a list of transactions. */
const TRANSACTION_KEYS = [
  'transactionIndex',
  'receiptStatus',
  'hash',
  'method',
  'fromAddress',
  'toAddress',
  'value',
  'receiptGasUsed',
  'gasPrice',
  'fee',
  'logCount',
];

/** The same as a list of facts, which has room for all of them. */
const TRANSACTION_FACTS = [
  'hash',
  'receiptStatus',
  'blockNumber',
  'blockTimestamp',
  'fromAddress',
  'toAddress',
  'receiptContractAddress',
  'method',
  'value',
  'fee',
  'gasPrice',
  'gas',
  'receiptGasUsed',
  'nonce',
  'transactionIndex',
  'logCount',
];

function transactionColumns(coin: Coin): readonly TableColumn[] {
  const ours: readonly TableColumn[] = [
    { key: 'method', label: getFieldLabel('method'), kind: 'method' },
    { key: 'fee', label: getFieldLabel('fee'), kind: 'coin', decimals: coin.decimals, unit: coin.symbol },
    { key: 'logCount', label: getFieldLabel('logs'), kind: 'number' },
  ];
  return arrangeColumns(
    [...toColumns(transactionRecord, coin, ['logs', 'internalTransactions']), ...ours],
    TRANSACTION_KEYS,
  );
}

/** Whether an input may be a call of what its selector is known for. */
type MayCall = (input: string) => boolean;

/** `create` for a creation, `''` for a call without a selector. */
function methodOf({ toAddress, input }: Transaction, mayCall: MayCall): string {
  if (toAddress === null) return 'create';
  return selectorOf(input, mayCall);
}

/** `0x00000000…` is data that only begins like a call. */
function selectorOf(input: string | null, mayCall: MayCall): string {
  if (input === null || input.length < 10) return '';
  return mayCall(input) ? input.slice(0, 10) : `${input.slice(0, 10)}…`;
}

function transactionRow(columns: readonly TableColumn[], transaction: Transaction, mayCall: MayCall): TableRow {
  const { receiptGasUsed, gasPrice, logs } = transaction;
  const fee = receiptGasUsed === null || gasPrice === null ? null : receiptGasUsed * gasPrice;
  return toRow(columns, {
    ...transaction,
    method: methodOf(transaction, mayCall),
    fee,
    logCount: logs?.length ?? null,
  });
}

const LOG_KEYS = ['logIndex', 'address', 'topic0', 'amount', 'topic1', 'topic2', 'topic3', 'data', 'transactionHash'];

const withAmount = (columns: readonly TableColumn[]): readonly TableColumn[] => [
  ...columns,
  { key: 'amount', label: getFieldLabel('amount'), kind: 'tokenAmount' },
];

/** With what it moved or approved, where its topics say that it is a token's. */
const measured = (log: Log): object => {
  const { topic0, topic1, topic2, topic3, data } = log;
  return { ...log, amount: getLogAmount([topic0, topic1, topic2, topic3], data) };
};

const logsOf = (transactions: readonly Transaction[], coin: Coin): Table =>
  table(
    'logs',
    arrangeColumns(withAmount(toColumns(transactionLog, coin)), LOG_KEYS),
    transactions.flatMap(({ logs }) => (logs ?? []).map(measured)),
  );

/** In execution order, transaction by transaction. */
function internalOf(transactions: readonly Transaction[], coin: Coin, mayCall: MayCall): Table {
  const method: TableColumn = { key: 'method', label: getFieldLabel('method'), kind: 'method' };
  return table(
    'internal',
    [...toColumns(internalTransaction, coin), method],
    transactions.flatMap(({ internalTransactions }) =>
      (internalTransactions ?? []).map(call => ({ ...call, method: selectorOf(call.input, mayCall) })),
    ),
  );
}

function blockTables(block: Block, coin: Coin, mayCall: MayCall): readonly Table[] {
  const record = toColumns(blockRecord, coin, ['transactions']);
  const columns = transactionColumns(coin);
  const transactions = block.transactions ?? [];
  return [
    table('record', record, [block]),
    {
      name: 'transactions',
      columns,
      rows: transactions.map(transaction => transactionRow(columns, transaction, mayCall)),
    },
    logsOf(transactions, coin),
    internalOf(transactions, coin, mayCall),
  ];
}

function transactionTables(transaction: Transaction, coin: Coin, mayCall: MayCall): readonly Table[] {
  const facts = arrangeColumns(transactionColumns(coin), TRANSACTION_FACTS);
  return [
    { name: 'record', columns: facts, rows: [transactionRow(facts, transaction, mayCall)] },
    logsOf([transaction], coin),
    internalOf([transaction], coin, mayCall),
  ];
}

/** One row per wallet, chain by chain; the sums are rows of `record`. */
function balanceTables(chains: Output<'walletBalances'>, coin: Coin): readonly Table[] {
  const record = toColumns(chainBalances, coin, ['walletBalances', 'totalBalanceFormatted']);
  const wallets = toColumns(walletBalance, coin, ['balanceFormatted']);
  return [
    table('record', record, chains),
    table(
      'wallets',
      wallets,
      chains.flatMap(chain => chain.walletBalances ?? []),
    ),
  ];
}

/** What stands in the columns of a list, by operation; the fields as they come where nothing is said. */
const ROW_KEYS: Partial<Readonly<Record<OperationId, readonly string[]>>> = {
  contractLogs: [
    'blockNumber',
    'topic0',
    'amount',
    'topic1',
    'topic2',
    'topic3',
    'data',
    'transactionHash',
    'blockTimestamp',
  ],
};

/** Columns of ours beside the record's fields, and what stands in them. */
const rowsOf = (id: OperationId, records: readonly object[]): readonly object[] =>
  id === 'contractLogs' ? (records as readonly Log[]).map(measured) : records;

export function toReplyTables<Id extends OperationId>(
  id: Id,
  output: Output<Id>,
  coin: Coin,
  mayCall: MayCall = () => true,
): ReplyTables {
  const reply: ReplyShape<AnyRecord> = operations[id].reply;
  // Each id has its own output, which the table says and TypeScript cannot narrow by.
  if (id === 'block') return { tables: blockTables(output as Block, coin, mayCall), listInfo: null };
  if (id === 'transaction') return { tables: transactionTables(output as Transaction, coin, mayCall), listInfo: null };
  if (id === 'walletBalances')
    return { tables: balanceTables(output as Output<'walletBalances'>, coin), listInfo: null };
  const fields = toColumns(reply.record, coin);
  const all = id === 'contractLogs' ? withAmount(fields) : fields;
  const keys = ROW_KEYS[id];
  const columns = keys === undefined ? all : arrangeColumns(all, keys);
  if (reply.shape === 'record') return { tables: [table('record', columns, [output])], listInfo: null };
  if (reply.shape === 'array') return { tables: [table('rows', columns, output as readonly object[])], listInfo: null };
  const { result, cursor, total, status, indexComplete } = output as Page<object>;
  return {
    tables: [table('rows', columns, rowsOf(id, result))],
    listInfo: { cursor, total, isSyncing: status === 'SYNCING' || indexComplete === false },
  };
}
