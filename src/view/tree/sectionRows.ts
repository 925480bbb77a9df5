// Turns an operation's reply into the rows of a section.
import type { TreeRowKind } from '../../api/operations/operation.ts';
import type { OperationId, Output } from '../../api/operations/operations.ts';
import type { Page } from '../../api/wire/reply.ts';
import type { ReplyNotes } from '../../api/wire/replyNotes.ts';
import {
  createAptosNftRow,
  createAptosNftTransferRow,
  createCoinTransferRow,
  createCreatedNftRow,
} from './aptosRows.ts';
import { createErc20BalanceRow, createErc20TransferRow, createMintRow } from './erc20Rows.ts';
import { createBalanceRows, createLogRow, createTradeRow, createTransactionRow } from './evmRows.ts';
import { createCollectionRow, createNftRow, createOwnerRow, createTokenRow, createTransferRow } from './nftRows.ts';
import type { RowContext, TreeRow, TreeSection } from './treeRow.ts';

type CreateRows<R> = (record: R, context: RowContext) => TreeRow | null | readonly TreeRow[];

/** Records of an operation: of its pages, of its list, or the one that it returns. */
type RecordIn<Id extends OperationId> =
  Output<Id> extends Page<infer R> ? R : Output<Id> extends readonly (infer R)[] ? R : Output<Id>;

interface RowRecords {
  readonly balance: RecordIn<'walletBalances'>;
  readonly nft: RecordIn<'walletNfts'>;
  readonly collection: RecordIn<'walletNftCollections'>;
  readonly transfer: RecordIn<'walletNftTransfers'>;
  readonly token: RecordIn<'contractNftTransfers'>;
  readonly owner: RecordIn<'nftOwners'>;
  readonly log: RecordIn<'contractLogs'>;
  readonly trade: RecordIn<'nftLowestPrice'>;
  readonly mint: RecordIn<'erc20Mints'>;
  readonly transaction: RecordIn<'walletTransactions'>;
  readonly erc20Balance: RecordIn<'walletErc20Balances'>;
  readonly erc20Transfer: RecordIn<'walletErc20Transfers'>;
  readonly aptosCoinTransfer: RecordIn<'aptosWalletCoinTransfers'>;
  readonly aptosNft: RecordIn<'aptosWalletNfts'>;
  readonly aptosNftOwner: RecordIn<'aptosCollectionOwners'>;
  readonly aptosNftTransfer: RecordIn<'aptosWalletNftTransfers'>;
  readonly aptosCreatedNft: RecordIn<'aptosNftsByCreators'>;
}

const createRows: { readonly [Kind in TreeRowKind]: CreateRows<RowRecords[Kind]> } = {
  balance: createBalanceRows,
  nft: createNftRow,
  collection: createCollectionRow,
  transfer: createTransferRow,
  token: createTokenRow,
  owner: createOwnerRow,
  log: createLogRow,
  trade: createTradeRow,
  mint: createMintRow,
  transaction: createTransactionRow,
  erc20Balance: createErc20BalanceRow,
  erc20Transfer: createErc20TransferRow,
  aptosCoinTransfer: createCoinTransferRow,
  aptosNft: (record, context) => createAptosNftRow(record, context, false),
  aptosNftOwner: (record, context) => createAptosNftRow(record, context, true),
  aptosNftTransfer: createAptosNftTransferRow,
  aptosCreatedNft: createCreatedNftRow,
};

/** What one page adds to a section. */
export interface SectionPage {
  readonly rows: readonly TreeRow[];
  /** For the next page; `null` on the last. */
  readonly cursor: string | null;
  /** Of all pages; `null` when it was not counted. */
  readonly total: number | null;
  /** The contracts involved are still being indexed: more rows may follow. */
  readonly isSyncing: boolean;
  /** What the rows lack, as the service says it. */
  readonly notes: ReplyNotes;
}

/** Those of a page or list, or the one record that a reply is. */
export function getRecords(output: unknown): readonly unknown[] {
  if (Array.isArray(output)) return output;
  const { result } = output as { readonly result?: unknown };
  return Array.isArray(result) ? result : [output];
}

/** The rows of a reply to the section's request; records without an address or id give none. */
export function toSectionPage(
  { rows: kind }: TreeSection,
  output: unknown,
  context: RowContext,
  notes: ReplyNotes = {},
): SectionPage {
  const create = createRows[kind] as CreateRows<unknown>; // the traits tie the kind of rows to the operation's records
  const rows = getRecords(output).flatMap(record => create(record, context) ?? []);
  const page = output as Partial<Page<unknown>>;
  return {
    rows,
    cursor: page.cursor ?? null,
    total: page.total ?? null,
    isSyncing: page.status === 'SYNCING' || page.indexComplete === false,
    notes,
  };
}

/** Rows one after the other, each key once: lists shift while they are read. */
export function appendRows(before: readonly TreeRow[], after: readonly TreeRow[]): readonly TreeRow[] {
  const existing = new Set(before.map(({ key }) => key));
  const added = after.filter(({ key }) => {
    if (existing.has(key)) return false;
    existing.add(key);
    return true;
  });
  return added.length === 0 ? before : [...before, ...added];
}
