// The tables of an operation's reply: a block is one row and lists of transactions, logs and internal transactions.
import { type OperationId, type Output, operations } from '../api/operations/operations.ts';
import {
  block as blockRecord,
  chainBalances,
  contractLog,
  erc20Balance,
  erc20Mint,
  erc20Transfer,
  internalTransaction,
  transactionLog,
  transaction as transactionRecord,
  walletBalance,
  walletTransaction,
} from '../api/records/evmRecords.ts';
import type { AnyRecord } from '../api/records/record.ts';
import { getRecordFee } from '../api/transactionFee.ts';
import type { Page, ReplyShape } from '../api/wire/reply.ts';
import { getLogAmount } from '../decode/amountTokens.ts';
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

function createTable(name: string, columns: readonly TableColumn[], records: readonly object[]): Table {
  return { name, columns, rows: records.map(record => toRow(columns, record)) };
}

const TRANSACTION_LIST_COLUMNS = [
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

/** Fields of a single transaction, which has room for more of them. */
const TRANSACTION_PAGE_FIELDS = [
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

/** All columns that a list of transactions can have. */
function transactionFields(record: AnyRecord, coin: Coin): readonly TableColumn[] {
  const computed: readonly TableColumn[] = [
    { key: 'method', label: getFieldLabel('method'), kind: 'method' },
    { key: 'fee', label: getFieldLabel('fee'), kind: 'coin', decimals: coin.decimals, unit: coin.symbol },
    { key: 'logCount', label: getFieldLabel('logs'), kind: 'number' },
  ];
  return [...toColumns(record, coin, ['logs', 'internalTransactions']), ...computed];
}

const transactionColumns = (coin: Coin): readonly TableColumn[] =>
  arrangeColumns(transactionFields(transactionRecord, coin), TRANSACTION_LIST_COLUMNS);

/** Whether calldata has the form of a call with arguments (see `Decoder.isPossibleCall`). */
type IsPossibleCall = (input: string) => boolean;

/** `create` for a creation, `''` for a call without a selector. */
function getMethod({ toAddress, input }: Transaction, isPossibleCall: IsPossibleCall): string {
  if (toAddress === null) return 'create';
  return getSelector(input, isPossibleCall);
}

/** With an ellipsis where the data only begins like a call. */
function getSelector(input: string | null, isPossibleCall: IsPossibleCall): string {
  if (input === null || input.length < 10) return '';
  return isPossibleCall(input) ? input.slice(0, 10) : `${input.slice(0, 10)}…`;
}

/** Receipts of nodes name the address of a failed creation too, where no contract is. */
const getCreatedContract = ({ receiptContractAddress, receiptStatus }: Transaction) =>
  receiptStatus === 0 ? null : receiptContractAddress;

function toTransactionRow(
  columns: readonly TableColumn[],
  transaction: Transaction,
  isPossibleCall: IsPossibleCall,
): TableRow {
  const { logs } = transaction;
  const fee = getRecordFee(transaction);
  return toRow(columns, {
    ...transaction,
    receiptContractAddress: getCreatedContract(transaction),
    method: getMethod(transaction, isPossibleCall),
    // A fee in a token is not one of the coin: its columns are among the details.
    fee: fee === null || fee.token === null ? (fee?.amount ?? null) : 0n,
    logCount: logs?.length ?? null,
  });
}

const LOG_COLUMNS = [
  'logIndex',
  'address',
  'topic0',
  'amount',
  'topic1',
  'topic2',
  'topic3',
  'data',
  'transactionHash',
];

const addAmountColumn = (columns: readonly TableColumn[]): readonly TableColumn[] => [
  ...columns,
  { key: 'amount', label: getFieldLabel('amount'), kind: 'tokenAmount' },
];

/** Adds the amount of a token's transfer or approval. */
const addAmount = (log: Log): object => {
  const { topic0, topic1, topic2, topic3, data } = log;
  return { ...log, amount: getLogAmount([topic0, topic1, topic2, topic3], data) };
};

const createLogTable = (transactions: readonly Transaction[], coin: Coin): Table =>
  createTable(
    'logs',
    arrangeColumns(addAmountColumn(toColumns(transactionLog, coin)), LOG_COLUMNS),
    transactions.flatMap(({ logs }) => (logs ?? []).map(addAmount)),
  );

/** The transaction itself as the first of its calls. */
const toRootCall = (transaction: Transaction): object => ({
  ...transaction,
  transactionHash: transaction.hash,
  type: transaction.toAddress === null ? 'create' : 'call',
  from: transaction.fromAddress,
  to: transaction.toAddress ?? getCreatedContract(transaction),
  gasUsed: transaction.receiptGasUsed,
  // In the language of nodes, which the exports have too.
  error: transaction.receiptStatus === 0 ? 'failed' : null,
  isRoot: true,
});

/**
 * In execution order, transaction by transaction, with the transactions themselves. The inspector shows it as a tree of calls
 * (`callTreeView.ts`); exports have all columns.
 */
function createInternalTable(transactions: readonly Transaction[], coin: Coin, isPossibleCall: IsPossibleCall): Table {
  const computed: readonly TableColumn[] = [
    { key: 'method', label: getFieldLabel('method'), kind: 'method' },
    { key: 'isRoot', label: '', kind: 'flag', detailOnly: true },
  ];
  const toCall = (call: { readonly input?: string | null }) => ({
    ...call,
    method: getSelector(call.input ?? null, isPossibleCall),
  });
  return createTable(
    'internal',
    [...toColumns(internalTransaction, coin), ...computed],
    transactions.flatMap(transaction => {
      const { internalTransactions } = transaction;
      return internalTransactions === null ? [] : [toRootCall(transaction), ...internalTransactions].map(toCall);
    }),
  );
}

function createBlockTables(block: Block, coin: Coin, isPossibleCall: IsPossibleCall): readonly Table[] {
  const record = toColumns(blockRecord, coin, ['transactions']);
  const columns = transactionColumns(coin);
  const transactions = block.transactions ?? [];
  return [
    createTable('record', record, [block]),
    {
      name: 'transactions',
      columns,
      rows: transactions.map(transaction => toTransactionRow(columns, transaction, isPossibleCall)),
    },
    createLogTable(transactions, coin),
    createInternalTable(transactions, coin, isPossibleCall),
  ];
}

function createTransactionTables(
  transaction: Transaction,
  coin: Coin,
  isPossibleCall: IsPossibleCall,
): readonly Table[] {
  const fields = arrangeColumns(transactionColumns(coin), TRANSACTION_PAGE_FIELDS);
  return [
    { name: 'record', columns: fields, rows: [toTransactionRow(fields, transaction, isPossibleCall)] },
    createLogTable([transaction], coin),
    createInternalTable([transaction], coin, isPossibleCall),
  ];
}

/** One row per wallet, chain by chain; the sums are rows of `record`. */
function createBalanceTables(chains: Output<'walletBalances'>, coin: Coin): readonly Table[] {
  const record = toColumns(chainBalances, coin, ['walletBalances', 'totalBalanceFormatted']);
  const wallets = toColumns(walletBalance, coin, ['balanceFormatted']);
  return [
    createTable('record', record, chains),
    createTable(
      'wallets',
      wallets,
      chains.flatMap(chain => chain.walletBalances ?? []),
    ),
  ];
}

/** Columns of lists; records that are not here show all fields that are not only details. */
const LIST_COLUMNS: ReadonlyMap<AnyRecord, readonly string[]> = new Map<AnyRecord, readonly string[]>([
  [
    contractLog,
    ['blockNumber', 'topic0', 'amount', 'topic1', 'topic2', 'topic3', 'data', 'transactionHash', 'blockTimestamp'],
  ],
  [
    walletTransaction,
    ['receiptStatus', 'hash', 'method', 'fromAddress', 'toAddress', 'value', 'fee', 'blockNumber', 'blockTimestamp'],
  ],
  [
    erc20Transfer,
    ['blockNumber', 'fromAddress', 'toAddress', 'value', 'tokenName', 'address', 'transactionHash', 'blockTimestamp'],
  ],
  [
    erc20Mint,
    ['blockNumber', 'toWallet', 'value', 'tokenName', 'contractAddress', 'transactionHash', 'blockTimestamp'],
  ],
  [erc20Balance, ['tokenAddress', 'balance', 'name', 'possibleSpam', 'verifiedContract']],
]);

export function toReplyTables<Id extends OperationId>(
  id: Id,
  output: Output<Id>,
  coin: Coin,
  isPossibleCall: IsPossibleCall = () => true,
): ReplyTables {
  const reply: ReplyShape<AnyRecord> = operations[id].reply;
  const only = (tables: readonly Table[]): ReplyTables => ({ tables, listInfo: null });
  // `output` is that of `id`, which TypeScript cannot narrow by.
  const { record } = reply;
  if (record === blockRecord) return only(createBlockTables(output as Block, coin, isPossibleCall));
  if (record === transactionRecord) return only(createTransactionTables(output as Transaction, coin, isPossibleCall));
  if (record === chainBalances) return only(createBalanceTables(output as Output<'walletBalances'>, coin));
  const isLogs = record === contractLog;
  const isTransactions = record === walletTransaction;
  const fields = isTransactions
    ? transactionFields(walletTransaction, coin)
    : isLogs
      ? addAmountColumn(toColumns(record, coin))
      : toColumns(record, coin);
  const shown = LIST_COLUMNS.get(record);
  const columns = shown === undefined ? fields : arrangeColumns(fields, shown);
  if (reply.shape === 'record') return only([createTable('record', columns, [output])]);
  if (reply.shape === 'array') return only([createTable('rows', columns, output as readonly object[])]);
  const { result, cursor, total, status, indexComplete } = output as Page<object>;
  const toListRow = (row: object) => {
    if (isTransactions) return toTransactionRow(columns, row as Transaction, isPossibleCall);
    return toRow(columns, isLogs ? addAmount(row as Log) : row);
  };
  return {
    tables: [{ name: 'rows', columns, rows: result.map(toListRow) }],
    listInfo: { cursor, total, isSyncing: status === 'SYNCING' || indexComplete === false },
  };
}
