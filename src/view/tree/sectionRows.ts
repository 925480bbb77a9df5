// From an operation's answer to the rows of a section: which maker fits which operation, and whether more follows.
import type { OperationId, Output } from '../../api/operations/operations.ts';
import type { Page } from '../../api/wire/reply.ts';
import {
  createAptosNftRow,
  createAptosNftTransferRow,
  createCoinTransferRow,
  createCreatedNftRow,
} from './aptosRows.ts';
import { createBalanceRows, createLogRow, createMintRow, createTradeRow } from './evmRows.ts';
import { createCollectionRow, createNftRow, createOwnerRow, createTokenRow, createTransferRow } from './nftRows.ts';
import type { RowContext, TreeRow, TreeSection } from './treeRow.ts';

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
type Maker<Id extends ShownId> = (
  record: RecordOfAnswer<Id>,
  context: RowContext,
) => TreeRow | null | readonly TreeRow[];

const makers: { readonly [Id in ShownId]: Maker<Id> } = {
  walletBalances: createBalanceRows,
  walletNfts: createNftRow,
  walletNftCollections: createCollectionRow,
  walletNftTransfers: createTransferRow,
  contractNftTransfers: createTransferRow,
  tokenNftTransfers: createTransferRow,
  nftOwners: createOwnerRow,
  contractLogs: createLogRow,
  nftLowestPrice: createTradeRow,
  erc20Mints: createMintRow,
  aptosWalletCoinTransfers: createCoinTransferRow,
  aptosWalletNfts: (record, context) => createAptosNftRow(record, context, false),
  aptosWalletNftTransfers: createAptosNftTransferRow,
  aptosNftsByCreators: createCreatedNftRow,
  aptosCollectionOwners: (record, context) => createAptosNftRow(record, context, true),
};

const isShown = (id: OperationId): id is ShownId => Object.hasOwn(makers, id);

/** What one answer adds to a section. */
export interface SectionPage {
  readonly rows: readonly TreeRow[];
  /** For the next page; `null` on the last. */
  readonly cursor: string | null;
  /** Of all pages; `null` when nobody counted. */
  readonly total: number | null;
  /** The contracts involved are still being indexed: what is shown is not all. */
  readonly isSyncing: boolean;
}

function recordsOf(output: unknown): readonly unknown[] {
  if (Array.isArray(output)) return output;
  const { result } = output as { readonly result?: unknown };
  return Array.isArray(result) ? result : [output];
}

/** The rows of an answer of the section's operation; records without what makes them one are left out. */
export function toSectionPage(
  { request: question, as }: TreeSection,
  output: unknown,
  context: RowContext,
): SectionPage {
  const id = question.operation;
  if (!isShown(id)) throw new RangeError(`${id} is shown by no section.`);
  // The table gives each operation the maker of its own record.
  const make = (as === 'tokens' ? createTokenRow : makers[id]) as (
    record: unknown,
    context: RowContext,
  ) => ReturnType<Maker<ShownId>>;
  const rows = recordsOf(output).flatMap(record => make(record, context) ?? []);
  const page = output as Partial<Page<unknown>>;
  return {
    rows,
    cursor: page.cursor ?? null,
    total: page.total ?? null,
    isSyncing: page.status === 'SYNCING' || page.indexComplete === false,
  };
}

/** Rows one after the other, each key once: lists shift while they are read. */
export function appendRows(before: readonly TreeRow[], after: readonly TreeRow[]): readonly TreeRow[] {
  const known = new Set(before.map(({ key }) => key));
  const fresh = after.filter(({ key }) => {
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
  return fresh.length === 0 ? before : [...before, ...fresh];
}
