// One page of what happened on a public chain, whoever it concerns: read from the newest block down, and kept for that page only.
import type { Clock } from '../../base/clock.ts';
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { createLogWindow } from '../evm/logWindow.ts';
import type { LogPosition } from '../store/logPosition.ts';
import type { BlockRow, MintRow, TransferRow } from '../store/rows.ts';
import type { MintQuery, Store } from '../store/store.ts';
import { type DecodedLogs, decodeLogs, findUndecidedContracts } from './decodeLogs.ts';
import { createMintFilter, type IndexLogFilter, NFT_TRANSFER_TOPICS } from './logFilters.ts';
import { createStoreOpener } from './openStore.ts';
import { fetchFilteredLogs, fetchRowBlocks } from './scopeRangeReader.ts';
import { assumeTokenKind, type TokenContractCache } from './tokenContractCache.ts';

/** What is looked for: NFT transfers, or the ERC-20 mints of a query (whose range counts for nothing here). */
export type PageScan = { readonly what: 'transfers' } | { readonly what: 'mints'; readonly query: MintQuery };

export interface ScanRange {
  /** Both ends inclusive. */
  readonly from: number;
  readonly to: number;
  /** Only rows strictly older than this; `null` on the first page. */
  readonly before: LogPosition | null;
  /** As many rows are looked for. */
  readonly limit: number;
}

export interface ScannedPage {
  /** Holds the rows that were found, and nothing else; whoever asked closes it. */
  readonly store: Store;
  /** The lowest block that was looked at, when time or calls ran out before there were enough; else `null`. */
  readonly stoppedAt: number | null;
}

/** What one page may cost: a long and sparse range is then continued by the next page. */
export const MAX_SCAN_RANGES = 40;
export const MAX_SCAN_MS = 8_000;
/** A block of a busy chain has hundreds of transfers. */
const FIRST_SPAN = 8;

export interface ScanPageDeps {
  readonly node: EvmNode;
  readonly state: NodeState;
  readonly book: TokenContractCache;
  readonly clock: Clock;
  readonly log: Log;
}

export async function scanPage(
  { node, state, book, clock, log }: ScanPageDeps,
  scan: PageScan,
  span: ScanRange,
  signal: AbortSignal | undefined,
): Promise<ScannedPage> {
  const either = signal ?? new AbortController().signal;
  const filters = filtersOf(scan);
  const window = createLogWindow(node.cache.maxLogRange, FIRST_SPAN);
  const until = clock.now() + MAX_SCAN_MS;
  const blocks = new Map<number, BlockRow>();
  const transfers: TransferRow[] = [];
  const mints: MintRow[] = [];
  const { from, before, limit } = span;
  // Nothing is older than the first log of a block but what stands below it.
  const below = before !== null && before.logIndex === 0 && before.batchIndex === 0;
  let top = before === null ? span.to : Math.min(span.to, below ? before.blockNumber - 1 : before.blockNumber);
  const rows = () => [...transfers, ...mints].filter(row => isOlder(row, before)).length;
  for (let ranges = 0, torn = 0; top >= from && rows() <= limit; ) {
    if (ranges > 0 && (ranges >= MAX_SCAN_RANGES || clock.now() >= until)) break;
    const low = Math.max(from, top - window.blocks + 1);
    const found = await fetchFilteredLogs(node, filters, window, low, top, either);
    const decoded = found === null ? null : await decode(scan, found.logs, book, either);
    const own = found === null || decoded === null ? null : await fetchRowBlocks(node, found, decoded, either);
    if (found === null || decoded === null || own === null) {
      if (++torn > MOST_TORN)
        throw node.rpc.invalidResponse(
          'eth_getLogs',
          `it does not have block ${top} although its head is ${state.headNumber}`,
          {
            fix: 'It may be behind: try again in a moment.',
          },
        );
      await clock.sleep(TORN_MS * torn, either);
      continue;
    }
    ranges++;
    for (const block of own) blocks.set(block.number, block);
    transfers.push(...decoded.transfers);
    mints.push(...decoded.mints);
    window.recordFound(top - low + 1, found.logs.length, 1_000);
    top = low - 1;
  }
  const store = await createStoreOpener(
    { folder: null },
    log,
  )({
    chainId: state.chain.id,
    genesisHash: state.genesisHash.toLowerCase() as Hex,
    scope: { kind: 'wallet', address: ZERO_ADDRESS },
  });
  // Only contracts of rows that the page may show are asked for their names.
  const shown = <Row extends MintRow | TransferRow>(list: readonly Row[]) =>
    list
      .filter(row => isOlder(row, before))
      .sort((a, b) => compare(b, a))
      .slice(0, limit + 1);
  const samples = new Map(shown(transfers).map(row => [row.token, row.tokenId]));
  const shapes = new Map([
    ...shown(transfers).map(row => [row.token, row.standard] as const),
    ...shown(mints).map(row => [row.token, 'ERC20'] as const),
  ]);
  const tokens = await book.fetchRows(shapes, samples, either);
  const ascending = [...blocks.values()].sort((a, b) => a.number - b.number);
  if (ascending.length > 0)
    await store.applyBatch({ coveredFrom: top + 1, blocks: ascending, transfers, mints, trades: [], tokens });
  return { store, stoppedAt: top >= from && rows() <= limit ? top + 1 : null };
}

/** A node behind a load balancer may not have the newest block yet. */
const MOST_TORN = 4;
const TORN_MS = 250;

interface Located {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly batchIndex?: number;
}

/** Negative when `a` stands below `b` in the chain. */
function compare(a: Located, b: Located): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex || (a.batchIndex ?? 0) - (b.batchIndex ?? 0);
}

const isOlder = (row: Located, before: LogPosition | null) => before === null || compare(row, before) < 0;

function filtersOf(scan: PageScan): readonly IndexLogFilter[] {
  if (scan.what === 'transfers') return [{ topics: [NFT_TRANSFER_TOPICS] }];
  const { tokens, wallets } = scan.query;
  return [createMintFilter(tokens, wallets)];
}

/**
 * ERC-20 and older NFTs look alike, and most of a public chain's transfers are of coins: among all NFT transfers of a
 * chain, contracts are not asked which of the two they are. Of mints they are.
 */
async function decode(
  scan: PageScan,
  logs: Parameters<typeof decodeLogs>[0],
  book: TokenContractCache,
  signal: AbortSignal,
): Promise<DecodedLogs> {
  if (scan.what === 'transfers') return { ...decodeLogs(logs, assumeTokenKind), mints: [], trades: [] };
  const decoded = decodeLogs(logs, await book.fetchKinds(findUndecidedContracts(logs), signal));
  const { excludedTokens: notTokens = [], excludedWallets: notWallets = [] } = scan.query;
  const mints = decoded.mints.filter(row => !notTokens.includes(row.token) && !notWallets.includes(row.to));
  return { ...decoded, transfers: [], trades: [], mints };
}
