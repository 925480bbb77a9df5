// An index over a real node for the indexer's tests: its store's whole content, and that of a fresh index to compare with.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, vi } from 'vitest';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Hex } from '../../src/base/hex.ts';
import type { Log } from '../../src/base/log.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { type ChainIndex, createChainIndex, type IndexPosition } from '../../src/service/indexer/chainIndex.ts';
import type {
  BlockRow,
  Erc20TransferRow,
  LocatedTransaction,
  OwnerRow,
  TokenRow,
  TradeRow,
  TransferRow,
} from '../../src/service/store/rows.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { OpenStore, Store } from '../../src/service/store/store.ts';
import { type Anvil, type AnvilOptions, startAnvil } from './chain/anvil.ts';
import { type FilledAnvilOptions, startFilledAnvil } from './chain/filledAnvil.ts';
import type { TestChain } from './chain/testChain.ts';
import { readUntil } from './readUntil.ts';
import { STATE_LIMIT_MS, scaleLimit } from './timeLimits.ts';
import { withTimeouts } from './withTimeouts.ts';

/** Everything in a store, newest first. */
export interface StoreContent {
  readonly blocks: readonly BlockRow[];
  readonly transfers: readonly TransferRow[];
  readonly owners: readonly OwnerRow[];
  readonly erc20Transfers: readonly Erc20TransferRow[];
  readonly mints: readonly Erc20TransferRow[];
  readonly tokens: readonly TokenRow[];
  /** Those of each address that a transfer names. */
  readonly transactions: Readonly<Record<Hex, readonly LocatedTransaction[]>>;
  /** The lowest trade of each token that moved. */
  readonly trades: readonly TradeRow[];
}

/** Long, because a busy node takes its time. */
export const NODE_TIMEOUT_MS = scaleLimit(60_000);
const ALL = { limit: 1_000_000 } as const;

/** Without the values of transactions: how many of them were read depends on how far behind the index was. */
export async function readStoreContent(store: Store): Promise<StoreContent> {
  const head = await store.readHead();
  const transfers = (await store.readTransfers({}, ALL)).map(row => ({ ...row, value: null }));
  const erc20Transfers = await store.readErc20Transfers({}, ALL);
  const addresses = [...new Set([...transfers, ...erc20Transfers].map(row => row.tokenAddress))].sort();
  const trades = await Promise.all(addresses.map(token => store.readLowestTrade({ contract: token, fromTime: 0 })));
  const wallets = new Set(
    [...transfers, ...erc20Transfers].flatMap(({ tokenAddress, from, to }) => [tokenAddress, from, to]),
  );
  const transactions = await Promise.all(
    [...wallets].map(async wallet => [wallet, await store.readTransactions({ wallet }, ALL)] as const),
  );
  return {
    transactions: Object.fromEntries(transactions),
    blocks: head === null ? [] : await store.readBlocksDownFrom(head.number, ALL.limit),
    transfers,
    owners: await store.readOwners({}, ALL),
    erc20Transfers,
    mints: await store.readMints({}, ALL),
    tokens: [...(await store.readTokens(addresses)).values()].sort((a, b) =>
      a.tokenAddress.localeCompare(b.tokenAddress),
    ),
    trades: trades.filter(trade => trade !== null),
  };
}

export interface IndexOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  /** A folder of one's own: default in memory. */
  readonly folder?: string | null;
  /** Instead of SQLite. */
  readonly open?: OpenStore;
  /** Milliseconds until a request to the node, of which the body is given, is given up. */
  readonly getTimeoutMs?: (body: string) => number;
}

export interface IndexFixture {
  anvil(options?: AnvilOptions): Promise<Anvil>;
  /** With the filled test chain. */
  filledAnvil(options?: FilledAnvilOptions): Promise<{ anvil: Anvil; chain: TestChain }>;
  folder(): Promise<string>;
  index(url: string, options?: IndexOptions): Promise<ChainIndex>;
  /** What an index that never saw anything else holds of the chain. */
  readFreshContent(url: string): Promise<StoreContent>;
  /** Something else to be ended after the test. */
  atEnd(stop: () => Promise<unknown>): void;
  /** Ends everything before the test does. */
  clear(): Promise<void>;
}

/** To be called once per test file, outside of tests: everything ends after the test it was made in. */
export function createIndexFixture(): IndexFixture {
  const http = createUndiciHttp(defaultProxyConfiguration);
  const stops: (() => Promise<unknown>)[] = [];
  const clear = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  afterEach(clear);
  afterAll(() => http.stop());

  const makeIndex = async (url: string, options: IndexOptions = {}) => {
    const { clock = systemClock, log = silentLog, folder = null, getTimeoutMs = () => NODE_TIMEOUT_MS } = options;
    const node = await createEvmNodes({
      nodes: { local: url },
      http: withTimeouts(http, getTimeoutMs),
      clock,
      log,
      timeoutMs: NODE_TIMEOUT_MS,
    }).find('local');
    return createChainIndex({ node, open: options.open ?? createSqliteStoreOpener({ folder, log }), clock, log });
  };
  return {
    clear,
    atEnd(stop) {
      stops.push(stop);
    },
    async anvil(options) {
      const anvil = await startAnvil(options);
      stops.push(() => anvil.stop());
      return anvil;
    },
    async filledAnvil(options) {
      const filled = await startFilledAnvil(options);
      stops.push(() => filled.anvil.stop());
      return filled;
    },
    async folder() {
      const folder = await mkdtemp(join(tmpdir(), 'hexlens-sync-'));
      stops.push(() => rm(folder, { recursive: true, force: true }));
      return folder;
    },
    async index(url, options) {
      const index = await makeIndex(url, options);
      stops.push(() => index.stop());
      return index;
    },
    async readFreshContent(url) {
      const index = await makeIndex(url);
      try {
        return await readStoreContent(await waitUntilSynced(index));
      } finally {
        await index.stop();
      }
    },
  };
}

/** The position of the index once it is at the node's head, however long that takes. */
export const waitForHead = (index: ChainIndex): Promise<IndexPosition> =>
  readUntil(
    () => index.current(),
    ({ isSynced }) => isSynced,
  );

/** The store once it is at the node's head. */
export const waitUntilSynced = async (index: ChainIndex): Promise<Store> => (await waitForHead(index)).store;

/** The same after a fault. On a busy machine a call returns the fault of the run before, while the next one is under way. */
export const waitUntilRecovered = (index: ChainIndex): Promise<Store> =>
  vi.waitFor(() => waitUntilSynced(index), { timeout: STATE_LIMIT_MS });

export const lower = (hex: Hex) => hex.toLowerCase() as Hex;
