// From an operation's answer to the rows of a section: which maker fits which operation, and whether more follows.
import type { OperationId, Output } from '../../api/operations/operations.ts';
import type { Page } from '../../api/wire/reply.ts';
import { aptosNftRow, aptosNftTransferRow, coinTransferRow, createdNftRow } from './aptosRows.ts';
import { balanceRows, logRow, mintRow, tradeRow } from './evmRows.ts';
import { collectionRow, nftRow, ownerRow, tokenRow, transferRow } from './nftRows.ts';
import type { Row, RowContext, Section } from './treeRow.ts';

/** Operations that a section can ask. */
export const shownOperations = [
  'walletBalances',
  'walletNfts',
  'walletNftCollections',
  'walletNftTransfers',
  'contractNftTransfers',
  'tokenNftTransfers',
  'nftOwners',
  'contractLogs',
  'nftLowestPrice',
  'erc20Mints',
  'aptosWalletCoinTransfers',
  'aptosWalletNfts',
  'aptosWalletNftTransfers',
  'aptosNftsByCreators',
  'aptosCollectionOwners',
] as const satisfies readonly OperationId[];

type ShownId = (typeof shownOperations)[number];
type RecordOfAnswer<Id extends ShownId> =
  Output<Id> extends Page<infer R> ? R : Output<Id> extends readonly (infer R)[] ? R : Output<Id>;
type Maker<Id extends ShownId> = (record: RecordOfAnswer<Id>, context: RowContext) => Row | null | readonly Row[];

const makers: { readonly [Id in ShownId]: Maker<Id> } = {
  walletBalances: balanceRows,
  walletNfts: nftRow,
  walletNftCollections: collectionRow,
  walletNftTransfers: transferRow,
  contractNftTransfers: transferRow,
  tokenNftTransfers: transferRow,
  nftOwners: ownerRow,
  contractLogs: logRow,
  nftLowestPrice: tradeRow,
  erc20Mints: mintRow,
  aptosWalletCoinTransfers: coinTransferRow,
  aptosWalletNfts: (record, context) => aptosNftRow(record, context, false),
  aptosWalletNftTransfers: aptosNftTransferRow,
  aptosNftsByCreators: createdNftRow,
  aptosCollectionOwners: (record, context) => aptosNftRow(record, context, true),
};

const isShown = (id: OperationId): id is ShownId => Object.hasOwn(makers, id);

/** What one answer adds to a section. */
export interface Answer {
  readonly rows: readonly Row[];
  /** For the next page; `null` on the last. */
  readonly cursor: string | null;
  /** Of all pages; `null` when nobody counted. */
  readonly total: number | null;
  /** The contracts involved are still being indexed: what is shown is not all. */
  readonly syncing: boolean;
}

function recordsOf(output: unknown): readonly unknown[] {
  if (Array.isArray(output)) return output;
  const { result } = output as { readonly result?: unknown };
  return Array.isArray(result) ? result : [output];
}

/** The rows of an answer of the section's operation; records without what makes them one are left out. */
export function answerOf({ question, as }: Section, output: unknown, context: RowContext): Answer {
  const id = question.operation;
  if (!isShown(id)) throw new RangeError(`${id} is shown by no section.`);
  // The table gives each operation the maker of its own record.
  const make = (as === 'tokens' ? tokenRow : makers[id]) as (
    record: unknown,
    context: RowContext,
  ) => ReturnType<Maker<ShownId>>;
  const rows = recordsOf(output).flatMap(record => make(record, context) ?? []);
  const page = output as Partial<Page<unknown>>;
  return {
    rows,
    cursor: page.cursor ?? null,
    total: page.total ?? null,
    syncing: page.status === 'SYNCING' || page.indexComplete === false,
  };
}

/** Rows one after the other, each key once: lists shift while they are read. */
export function appendRows(before: readonly Row[], after: readonly Row[]): readonly Row[] {
  const known = new Set(before.map(({ key }) => key));
  const fresh = after.filter(({ key }) => {
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
  return fresh.length === 0 ? before : [...before, ...fresh];
}
