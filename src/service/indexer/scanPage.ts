// One page of all transfers or mints of a public chain, scanned from one end of a range and held for that page only.

import { TRANSFER } from '../../api/eventTopics.ts';
import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import type { BlockHeader } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { createLogRangeSizer } from '../evm/logRangeSizer.ts';
import type { PageRange } from '../evm/pageRange.ts';
import { type MissingBlock, readWhenPresent } from '../evm/readWhenPresent.ts';
import { ChainReorganizedError } from '../evm/repeatAfterReorg.ts';
import {
  type BlockRow,
  compareLogPositions,
  type Erc20TransferRow,
  type HasLogPosition,
  type LogPosition,
  MAX_LOG_PLACE,
  MAX_TRANSACTION_INDEX,
  type TokenRow,
  type TransferRow,
} from '../store/rows.ts';
import type { BlockRange, MintQuery, OrderedPageQuery, Store, StoreInfo } from '../store/store.ts';
import type { ChainLog } from './chainLog.ts';
import { createMintFilter, type IndexLogFilter, TRANSFER_TOPICS } from './logFilters.ts';
import { findUndecidedContracts, parseTokenLogs, type TokenLogs } from './parseTokenLogs.ts';
import { fetchFilteredLogs, fetchRowBlocks } from './scopeRangeReader.ts';
import { assumeTokenKind, type TokenContractCache } from './tokenContractCache.ts';

/** What is scanned for: NFT transfers, or the ERC-20 mints of a query (whose block range is ignored). */
export type PageScan = { readonly what: 'transfers' } | { readonly what: 'mints'; readonly query: MintQuery };

export type ScanRange = PageRange<LogPosition>;

/** As much of a store as a page of transfers or mints needs. */
export type RowSource = Pick<
  Store,
  | 'readHead'
  | 'readBlock'
  | 'readTransfers'
  | 'countTransfers'
  | 'readMints'
  | 'countMints'
  | 'readTokens'
  | 'writeTransactionValues'
> & {
  /** What the rows are all of; `null` for one scanned page. */
  readonly info: StoreInfo | null;
};

export interface ScannedPage {
  /** The rows that were found. */
  readonly store: RowSource;
  /** The last block that was scanned, when time or calls ran out before there were enough rows; else `null`. */
  readonly stoppedAt: number | null;
}

/** Limits of one page: a long and sparse range is continued by the next page. */
const MAX_SCAN_RANGES = 400;
const MAX_SCAN_MS = 8_000;
/** A block of a busy chain has hundreds of transfers. */
const FIRST_RANGE_BLOCKS = 8;
/** Logs that one range should contain. */
const GOOD_RANGE_LOGS = 1_000;

export interface ScanPageDeps {
  readonly node: EvmNode;
  readonly tokenContracts: TokenContractCache;
  readonly clock: Clock;
}

export async function scanPage(
  { node, tokenContracts, clock }: ScanPageDeps,
  scan: PageScan,
  { from, to, after, isOldestFirst, limit }: ScanRange,
  signal: AbortSignal = new AbortController().signal,
): Promise<ScannedPage> {
  const filters = createFilters(scan);
  const sizer = createLogRangeSizer(node, { initialBlocks: FIRST_RANGE_BLOCKS });
  const deadline = clock.now() + MAX_SCAN_MS;
  const blocks = new Map<number, BlockRow>();
  const transfers: TransferRow[] = [];
  const mints: Erc20TransferRow[] = [];
  const compare = isOldestFirst ? compareLogPositions : compareNewestFirst;
  const isWanted = (row: HasLogPosition) => after === null || compare(row, after) > 0;
  const countWanted = () => transfers.filter(isWanted).length + mints.filter(isWanted).length;
  const left = getRangeLeft(from, to, after, isOldestFirst);
  let rangeCount = 0;
  let previous: ScannedEnds | null = null;
  while (left.to >= left.from && countWanted() <= limit) {
    if (rangeCount > 0 && (rangeCount >= MAX_SCAN_RANGES || clock.now() >= deadline)) break;
    const span = Math.min(sizer.rangeSize, left.to - left.from + 1);
    const low = isOldestFirst ? left.from : left.to - span + 1;
    const top = low + span - 1;
    const read = await readWhenPresent(
      async () => {
        const lacking: MissingBlock = { missing: top };
        const found = await fetchFilteredLogs(node, filters, sizer, low, top, signal);
        if (found === null) return lacking;
        if (found === 'no-blocks') return { found };
        const decoded = await decode(scan, found.logs, found.last.number, tokenContracts, signal);
        const rowBlocks = await fetchRowBlocks(node, found, decoded, signal);
        return rowBlocks === null ? lacking : { found, decoded, rowBlocks };
      },
      { node, method: 'eth_getLogs', clock },
      signal,
    );
    rangeCount++;
    if (isOldestFirst) left.from = top + 1;
    else left.to = low - 1;
    if (read.found === 'no-blocks') continue;
    const { found, decoded, rowBlocks } = read;
    // Ranges are read one after the other: a reorg in between would mix two forks.
    if (previous !== null && !isConnected(isOldestFirst ? [previous, found] : [found, previous]))
      throw new ChainReorganizedError();
    previous = found;
    for (const block of rowBlocks) blocks.set(block.number, block);
    transfers.push(...decoded.transfers);
    mints.push(...decoded.erc20Transfers);
    sizer.recordFound(span, found.logs.length, GOOD_RANGE_LOGS);
  }
  const isStopped = left.to >= left.from && countWanted() <= limit;
  const stoppedAt = !isStopped ? null : isOldestFirst ? left.from - 1 : left.to + 1;
  // Only contracts of rows that the page may show are called for their names.
  const shownTransfers = transfers
    .filter(isWanted)
    .sort(compare)
    .slice(0, limit + 1);
  const shownMints = mints
    .filter(isWanted)
    .sort(compare)
    .slice(0, limit + 1);
  const tokens = await tokenContracts.fetchRows(
    new Map([
      ...shownTransfers.map(row => [row.tokenAddress, row.standard] as const),
      ...shownMints.map(row => [row.tokenAddress, 'ERC20'] as const),
    ]),
    new Map(shownTransfers.map(row => [row.tokenAddress, row.tokenId])),
    to,
    signal,
  );
  return { store: createRowSource(blocks, transfers, mints, tokens), stoppedAt };
}

const compareNewestFirst = (a: HasLogPosition, b: HasLogPosition): number => compareLogPositions(b, a);

interface ScannedEnds {
  readonly first: BlockHeader;
  readonly last: BlockHeader;
}

/** Whether nothing tells that the two ranges are of different forks. */
const isConnected = ([lower, upper]: readonly [ScannedEnds, ScannedEnds]): boolean =>
  upper.first.parentHash === null || upper.first.parentHash === lower.last.hash;

/** The blocks in which rows after this position can be. */
function getRangeLeft(from: number, to: number, after: LogPosition | null, isOldestFirst: boolean) {
  if (after === null) return { from, to };
  return isOldestFirst
    ? { from: Math.max(from, getLowestBlockAfter(after)), to }
    : { from, to: Math.min(to, getHighestBlockBefore(after)) };
}

/** The position after all logs of a block means that the block was scanned to its end. */
const getLowestBlockAfter = ({ blockNumber, ...inBlock }: LogPosition): number =>
  inBlock.transactionIndex === MAX_TRANSACTION_INDEX && inBlock.place === MAX_LOG_PLACE ? blockNumber + 1 : blockNumber;

/** No log of a block comes before its first one. */
const getHighestBlockBefore = ({ blockNumber, ...inBlock }: LogPosition): number =>
  inBlock.transactionIndex === 0 && inBlock.place === 0 && inBlock.batchIndex === 0 ? blockNumber - 1 : blockNumber;

function createFilters(scan: PageScan): readonly IndexLogFilter[] {
  if (scan.what === 'transfers') return [{ topics: [TRANSFER_TOPICS] }];
  const { contracts, wallets } = scan.query;
  return [createMintFilter(contracts, wallets)];
}

/**
 * ERC-20 and old NFT contracts emit the same logs, and most transfers of a public chain are of ERC-20: among all transfers
 * of a chain only those are called that log as an ERC-721 does, among mints all are.
 */
async function decode(
  scan: PageScan,
  logs: readonly ChainLog[],
  to: number,
  tokenContracts: TokenContractCache,
  signal: AbortSignal,
): Promise<TokenLogs> {
  if (scan.what === 'transfers') {
    const undecided = findUndecidedContracts(
      logs.filter(({ topics }) => topics[0] === TRANSFER && topics.length === 4),
    );
    const getKind = await tokenContracts.fetchKinds(undecided, to, signal);
    const decoded = parseTokenLogs(logs, address => {
      const assumed = assumeTokenKind(address);
      return undecided.has(address) ? { ...getKind(address), isPunks: assumed.isPunks } : assumed;
    });
    return { ...decoded, erc20Transfers: [], trades: [] };
  }
  const decoded = parseTokenLogs(logs, await tokenContracts.fetchKinds(findUndecidedContracts(logs), to, signal));
  const { excludedContracts = [], excludedWallets = [] } = scan.query;
  const mints = decoded.erc20Transfers.filter(
    row => !excludedContracts.includes(row.tokenAddress) && !excludedWallets.includes(row.to),
  );
  return { ...decoded, transfers: [], trades: [], erc20Transfers: mints };
}

/** The rows of one scan. They match the scan's query already, so that only range, contract and page are applied. */
function createRowSource(
  blocks: ReadonlyMap<number, BlockRow>,
  transfers: readonly TransferRow[],
  mints: readonly Erc20TransferRow[],
  tokens: readonly TokenRow[],
): RowSource {
  const newest = [...blocks.values()].reduce<BlockRow | null>(
    (head, block) => (head === null || block.number > head.number ? block : head),
    null,
  );
  const tokensByAddress = new Map(tokens.map(row => [row.tokenAddress, row]));
  const select = <Row extends HasLogPosition>(
    rows: readonly Row[],
    { fromBlock = 0, toBlock = Number.POSITIVE_INFINITY }: BlockRange,
    { limit, after, isOldestFirst }: OrderedPageQuery<LogPosition>,
  ): readonly Row[] => {
    const compare = isOldestFirst ? compareLogPositions : compareNewestFirst;
    return rows
      .filter(row => row.blockNumber >= fromBlock && row.blockNumber <= toBlock)
      .filter(row => after === undefined || compare(row, after) > 0)
      .sort(compare)
      .slice(0, limit);
  };
  const getTransfersOf = (token: Hex | undefined) =>
    token === undefined ? transfers : transfers.filter(row => row.tokenAddress === token);
  return {
    info: null,
    readHead: async () => newest,
    readBlock: async number => blocks.get(number) ?? null,
    readTransfers: async (query, page) => select(getTransfersOf(query.contract), query, page),
    countTransfers: async query =>
      select(getTransfersOf(query.contract), query, { limit: Number.POSITIVE_INFINITY }).length,
    readMints: async (query, page) => select(mints, query, page),
    countMints: async query => select(mints, query, { limit: Number.POSITIVE_INFINITY }).length,
    async readTokens(addresses) {
      const rows = addresses.map(address => tokensByAddress.get(address)).filter(row => row !== undefined);
      return new Map(rows.map(row => [row.tokenAddress, row]));
    },
    async writeTransactionValues() {}, // these rows are read for one page only
  };
}
