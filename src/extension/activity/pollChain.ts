// One round of requests for everything that is watched on a chain: what is new since the block that was read last.
import type { Chain } from '../../api/chains.ts';
import type { AddressSummary, ChainStatus } from '../../api/lookups.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, isAddress } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { Client, PageRecord } from '../../client/client.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import {
  type Activity,
  type ActivityLog,
  addReads,
  type BlockPosition,
  resetChain,
  type WatchRead,
} from '../../view/activity/activityLog.ts';
import {
  type ActivityTextContext,
  describeActivity,
  describeBalanceChange,
  type TransactionRecords,
} from '../../view/activity/activityText.ts';
import { getWatchKey, type Watch } from '../../view/activity/watch.ts';
import { isMinedHere } from '../worker/configuredChains.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface PollPorts {
  readonly client: Pick<Client, 'call' | 'pages'>;
  readonly lookup: WorkerClient['lookup'];
  /** Before a request that needs the index of the chain: false when the user has paused it, which the request would undo. */
  mayRequestIndex(selector: string): boolean;
  /** Notes that the node refused a request, and whether it did so in an earlier round: once may be by chance. */
  isRefusedAgain(request: string): boolean;
  loadRegistry(): Promise<AbiRegistry>;
  /** Why a transaction failed, in one sentence; `null` where that is not known. */
  describeFailure(selector: string, hash: Hex, signal: AbortSignal): Promise<string | null>;
  /** Where in the workspace's source a transaction of a chain of this machine failed; `null` where that is not known. Never rejects. */
  findFailurePlace(selector: string, hash: Hex, signal: AbortSignal): Promise<string | null>;
  /** Learns what the contracts of a chain of this machine are called in the workspace's build. Never rejects. */
  learnNames(selector: string, addresses: readonly string[], signal: AbortSignal): Promise<void>;
  createTextContext(selector: string, chain: Chain, registry: AbiRegistry): ActivityTextContext;
}

const PAGE_SIZE = 100;
/** Of each list, in one round. Blocks that have more are read in several rounds. */
const MAX_PAGES = 10;
/** Nodes that drop old states have those of more blocks. */
const RECENT_BLOCKS = 64;
/** Several nodes behind one URL are not further apart. */
const MAX_HEAD_DISTANCE = 64;
/** Failures of one watch whose reasons are read in one round. */
const MAX_REASONS = 20;
const MAX_REASON_LENGTH = 300;
/** Watches that are read at once. */
const CONCURRENCY = 4;

type WithHash = { readonly transactionHash: Hex | null };

interface Located {
  readonly hash: Hex;
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly time: number | null;
}

type BlockFields = {
  readonly blockNumber: number | bigint | null;
  readonly blockTimestamp: Date | null;
  readonly transactionIndex?: number | bigint | null;
};

const locate = (hash: Hex, { blockNumber, blockTimestamp, transactionIndex }: BlockFields): Located => ({
  hash,
  blockNumber: Number(blockNumber),
  transactionIndex: Number(transactionIndex ?? 0),
  time: blockTimestamp?.getTime() ?? null,
});

/** Both ends inclusive. */
export interface Blocks {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Why there are no records: `cut`: there are more pages than are read at once; `behind`: the index does not reach the head,
 * so that transfers would be missed.
 */
type Unread = 'cut' | 'behind';

/** What was found of a watch in some blocks. */
interface WatchRecords {
  readonly activities: readonly Activity[];
  readonly transactions: readonly PageRecord<'walletTransactions'>[];
  /** Of the whole address; `null` for a watched event. */
  readonly summary: AddressSummary | null;
}

type ListId = 'walletTransactions' | 'walletErc20Transfers' | 'walletNftTransfers' | 'contractLogs';
type ListInput = { readonly address: Hex; readonly chain: string; readonly topic0?: Hex };

interface ReadContext extends PollPorts {
  readonly status: ChainStatus & { readonly chain: Chain; readonly head: number };
  readonly signal: AbortSignal;
  /** Blocks that the node refuses to read, and that are left out. */
  skip(blocks: Blocks): void;
}

async function readPages<Id extends ListId>(
  id: Id,
  input: ListInput,
  blocks: Blocks,
  { client, signal }: ReadContext,
): Promise<readonly PageRecord<Id>[] | Unread> {
  // A single block can not be divided.
  const maxPages = blocks.fromBlock === blocks.toBlock ? Number.POSITIVE_INFINITY : MAX_PAGES;
  const pages = client.pages<ListId>(id, { ...input, ...blocks, limit: PAGE_SIZE }, { signal, maxPages });
  const records: PageRecord<ListId>[] = [];
  for (;;) {
    const step = await pages.next();
    if (step.done) return step.value === 'max-pages' ? 'cut' : (records as PageRecord<Id>[]);
    if (step.value.indexComplete === false) return 'behind';
    records.push(...step.value.result);
  }
}

/** Some nodes read only the newest blocks, such as those that drop old states: what they refuse is skipped. */
async function readList<Id extends ListId>(
  id: Id,
  input: ListInput,
  blocks: Blocks,
  context: ReadContext,
): Promise<readonly PageRecord<Id>[] | Unread> {
  try {
    return await readPages(id, input, blocks, context);
  } catch (error) {
    const request = [context.status.selector, id, input.address, input.topic0, blocks.fromBlock].join(' ');
    if (!isFault(error, 'node-error') || !context.isRefusedAgain(request)) throw error;
    const { head } = context.status;
    const firstRecent = head - RECENT_BLOCKS + 1;
    if (blocks.fromBlock >= firstRecent) throw error;
    const areAllOld = blocks.toBlock < firstRecent;
    const recentBlocks = { fromBlock: firstRecent, toBlock: areAllOld ? head : blocks.toBlock };
    // Rejects when the node refuses its newest blocks too: then nothing is skipped.
    const recent = await readPages(id, input, recentBlocks, context);
    context.skip({ fromBlock: blocks.fromBlock, toBlock: recentBlocks.fromBlock - 1 });
    return areAllOld ? [] : recent;
  }
}

/** What was read of the chain counts without what can not be read beside it. */
function ignoreFault(error: unknown): null {
  if (isFault(error, 'cancelled')) throw error;
  return null;
}

/** A contract is paid by the calls of others, which are not reported one by one. */
const isWallet = ({ codeSize, delegate }: AddressSummary) => codeSize === 0 || delegate !== null;

/** The balance after a block; `null` where it can not be read: the node may not have it any more. */
async function readBalance(
  address: Hex,
  block: number,
  { client, status, signal }: ReadContext,
): Promise<{ readonly balance: bigint; readonly time: number | null } | null> {
  const input = { walletAddresses: [address], chain: status.selector, toBlock: block };
  const [read] = (await client.call('walletBalances', input, { signal }).catch(ignoreFault)) ?? [];
  const balance = read?.walletBalances?.[0]?.balance ?? null;
  return balance === null ? null : { balance, time: read?.blockTimestamp?.getTime() ?? null };
}

async function readWatch(
  { address, topic0 }: Watch,
  blocks: Blocks,
  context: ReadContext,
): Promise<WatchRecords | Unread> {
  const { status, lookup, loadRegistry, learnNames, createTextContext, mayRequestIndex, signal } = context;
  const { selector, chain } = status;
  const list = { address, chain: selector };
  const isWhole = topic0 === null;
  // Otherwise a wallet's transfers are in an index of its own, which would read its whole history first.
  const hasIndex = isWhole && status.isIndexedWhole === true;
  if (hasIndex && !mayRequestIndex(selector)) return 'behind';
  const nftTransfers = hasIndex ? await readList('walletNftTransfers', list, blocks, context) : [];
  // Transfers of tokens and transactions are of the same index.
  if (typeof nftTransfers === 'string') return nftTransfers;
  const summary = isWhole ? await lookup('addressSummary', { chain: selector, address }, signal) : null;
  const logsInput = { ...list, ...(topic0 !== null && { topic0 }) };
  const [transactions, erc20Transfers, logs] = await Promise.all([
    isWhole ? readList('walletTransactions', list, blocks, context) : [],
    hasIndex ? readList('walletErc20Transfers', list, blocks, context) : [],
    summary?.codeSize === 0 ? [] : readList('contractLogs', logsInput, blocks, context),
  ]);
  if (typeof transactions === 'string') return transactions;
  if (typeof erc20Transfers === 'string') return erc20Transfers;
  if (typeof logs === 'string') return logs;
  const found = new Map<Hex, Located>();
  const note = <R extends BlockFields>(hash: Hex | null, record: R) => {
    if (hash !== null && !found.has(hash)) found.set(hash, locate(hash, record));
  };
  for (const record of transactions) note(record.hash, record);
  for (const record of [...erc20Transfers, ...nftTransfers, ...logs]) note(record.transactionHash, record);
  if (found.size === 0) return { activities: [], transactions, summary };
  // Amounts of a token that does not answer stay raw numbers.
  const unit =
    logs.length === 0 ? null : await lookup('tokenUnit', { chain: selector, address }, signal).catch(() => null);
  const records = [...transactions, ...erc20Transfers, ...nftTransfers, ...logs];
  await learnNames(
    selector,
    records.flatMap(record => Object.values(record).filter(isAddress)),
    signal,
  );
  const base = createTextContext(selector, chain, await loadRegistry());
  const getUnit = (token: string) => (unit !== null && token === address ? toAmountUnit(unit) : null);
  const textContext = { ...base, format: { ...base.format, getUnit } };
  const isOf = (hash: Hex) => (record: WithHash) => record.transactionHash === hash;
  const activities = [...found.values()]
    .sort((a, b) => b.blockNumber - a.blockNumber || b.transactionIndex - a.transactionIndex)
    .flatMap(({ hash, blockNumber, time }) => {
      const records: TransactionRecords = {
        transaction: transactions.find(record => record.hash === hash) ?? null,
        erc20Transfers: erc20Transfers.filter(isOf(hash)),
        nftTransfers: nftTransfers.filter(isOf(hash)),
        logs: logs.filter(isOf(hash)),
      };
      const text = describeActivity(records, textContext);
      return text === null ? [] : [{ ...text, chain: selector, hash, blockNumber, time }];
    });
  return { activities: await addReasons(activities, context), transactions, summary };
}

/** Only of a chain of this machine, where tracing costs nothing. */
async function addReasons(
  activities: readonly Activity[],
  { status, describeFailure, findFailurePlace, signal }: ReadContext,
): Promise<readonly Activity[]> {
  const failed = activities
    .filter(({ isFailed, blockNumber }) => isFailed && isMinedHere(status, blockNumber))
    .slice(0, MAX_REASONS);
  if (failed.length === 0) return activities;
  return mapConcurrently(activities, CONCURRENCY, async activity => {
    if (!failed.includes(activity)) return activity;
    const [reason, place] = await Promise.all([
      describeFailure(status.selector, activity.hash, signal).catch(ignoreFault),
      findFailurePlace(status.selector, activity.hash, signal),
    ]);
    return {
      ...activity,
      ...(reason !== null && { reason: sanitizeText(reason, MAX_REASON_LENGTH) }),
      ...(place !== null && { place: sanitizeText(place, MAX_REASON_LENGTH) }),
    };
  });
}

/**
 * Many nodes of public chains find only what a wallet sent. What it got shows in its balance, which is compared with that
 * of the block that was read last.
 */
async function readBalanceChange(
  { address }: Watch,
  from: BlockPosition,
  to: BlockPosition,
  { transactions }: WatchRecords,
  context: ReadContext,
): Promise<{ readonly to: BlockPosition; readonly activities: readonly Activity[] }> {
  const read = await readBalance(address, to.number, context);
  if (read === null) return { to, activities: [] };
  const { selector, chain } = context.status;
  const text =
    from.balance === undefined
      ? null
      : describeBalanceChange(
          {
            wallet: address,
            before: BigInt(from.balance),
            after: read.balance,
            fromBlock: from.number,
            toBlock: to.number,
          },
          transactions,
          chain,
        );
  const activity = { chain: selector, hash: to.hash as Hex, wallet: address, blockNumber: to.number, time: read.time };
  return {
    to: { ...to, balance: String(read.balance) },
    activities: text === null ? [] : [{ ...text, ...activity }],
  };
}

export interface PolledChain {
  /** Adds what was read to the log, which may have changed meanwhile. */
  apply(log: ActivityLog): ActivityLog;
  /** Everything is read up to the head; otherwise the same head must be polled again. */
  readonly isComplete: boolean;
  /** Why some watches were not read; `null` when all were. They stay where they are. */
  readonly fault: unknown;
  /** Blocks that the node refuses to read; `null` when there are none. */
  readonly skipped: Blocks | null;
}

type LogState = Pick<ActivityLog, 'positions' | 'genesis'>;

/** One round over the watches of a chain. */
class PollRound {
  readonly #log: LogState;
  readonly #context: ReadContext;
  /** The chain is another one than when the log was written. */
  readonly #isReset: boolean;
  /** By number, so that watches share the requests. */
  readonly #hashes = new Map<number, Promise<string | null>>();
  /** The last fault. */
  #fault: unknown = null;
  /** Blocks that the node refuses to read. */
  #skipped: Blocks | null = null;

  constructor(log: LogState, status: ReadContext['status'], ports: PollPorts, signal: AbortSignal) {
    this.#log = log;
    const knownGenesis = log.genesis[status.selector];
    const { genesisHash } = status;
    this.#isReset = genesisHash !== undefined && knownGenesis !== undefined && knownGenesis !== genesisHash;
    this.#context = { ...ports, status, signal, skip: blocks => this.#skip(blocks) };
  }

  async run(watches: readonly Watch[]): Promise<PolledChain> {
    const { selector, head, genesisHash } = this.#context.status;
    const to = await this.#toPosition(head);
    const reads = await mapConcurrently(watches, CONCURRENCY, watch => this.#read(watch, to));
    const started = reads.filter(read => read !== null);
    return {
      apply: current => {
        const before = this.#isReset ? resetChain(current, selector) : current;
        const genesis = genesisHash === undefined ? before.genesis : { ...before.genesis, [selector]: genesisHash };
        return addReads({ ...before, genesis }, selector, started);
      },
      isComplete: reads.every(read => read !== null && read.to.number >= head),
      fault: this.#fault,
      skipped: this.#skipped,
    };
  }

  #skip({ fromBlock, toBlock }: Blocks): void {
    this.#skipped = {
      fromBlock: Math.min(fromBlock, this.#skipped?.fromBlock ?? fromBlock),
      toBlock: Math.max(toBlock, this.#skipped?.toBlock ?? toBlock),
    };
  }

  #fetchHash(number: number): Promise<string | null> {
    const { status, lookup, signal } = this.#context;
    if (number === status.head && status.headHash !== undefined) return Promise.resolve(status.headHash);
    const fetched =
      this.#hashes.get(number) ??
      lookup('blockSummary', { chain: status.selector, block: number }, signal).then(block =>
        block.kind === 'block' ? block.hash : null,
      );
    this.#hashes.set(number, fetched);
    return fetched;
  }

  async #toPosition(number: number): Promise<BlockPosition> {
    return { number, hash: (await this.#fetchHash(number)) ?? '' };
  }

  /** The newest block that was read and still is part of the chain; `null` for a new watch. */
  async #findStart(key: string): Promise<BlockPosition | null> {
    const { selector, head, genesisHash, isLocal } = this.#context.status;
    const positions = this.#log.positions[selector]?.[key] ?? [];
    const first = positions.at(-1);
    if (first === undefined) return null;
    if (this.#isReset) return { number: 0, hash: genesisHash ?? '' };
    // Several nodes behind one URL do not have the same head: an older one undoes nothing.
    const [newest = first] = positions;
    const distance = newest.number - head;
    if (distance > 0 && distance <= MAX_HEAD_DISTANCE && isLocal !== true) return newest;
    for (const position of positions)
      if (position.number <= head && (await this.#fetchHash(position.number)) === position.hash) return position;
    // Undone to below the block where watching began: how far is not known, so only what is certainly new counts.
    return this.#toPosition(Math.max(0, Math.min(head, first.number - 1)));
  }

  /** `null` when a new watch could not be read. */
  async #read(watch: Watch, to: BlockPosition): Promise<WatchRead | null> {
    const { head } = this.#context.status;
    const key = getWatchKey(watch);
    let from: BlockPosition | null = null;
    try {
      from = await this.#findStart(key);
      if (from !== null && from.number < head) return { key, from, ...(await this.#readAfter(watch, from)) };
      const start = from ?? to;
      const isFirstBalance = start.balance === undefined && start.number === head;
      const read = isFirstBalance ? await this.#readFirstBalance(watch) : null;
      const end = read === null ? start : { ...start, balance: read.balance.toString() };
      return { key, from, to: end, activities: [] };
    } catch (error) {
      this.#fault = error;
      return from === null ? null : { key, from, to: from, activities: [] };
    }
  }

  /** The activities of the blocks after `from`, as many as can be read in one round. */
  async #readAfter(watch: Watch, from: BlockPosition): Promise<Pick<WatchRead, 'to' | 'activities'>> {
    const { head } = this.#context.status;
    for (let toBlock = head; toBlock > from.number; toBlock = Math.floor((from.number + toBlock) / 2)) {
      const records = await readWatch(watch, { fromBlock: from.number + 1, toBlock }, this.#context);
      if (records === 'behind') break;
      if (records === 'cut') continue;
      const position = await this.#toPosition(toBlock);
      if (!this.#comparesBalance(records.summary)) return { to: position, activities: records.activities };
      const balance = await readBalanceChange(watch, from, position, records, this.#context);
      return { to: balance.to, activities: [...records.activities, ...balance.activities] };
    }
    return { to: from, activities: [] };
  }

  #comparesBalance(summary: AddressSummary | null): boolean {
    return summary !== null && isWallet(summary) && this.#context.status.isIndexedWhole !== true;
  }

  async #readFirstBalance({ address, topic0 }: Watch): ReturnType<typeof readBalance> {
    const { status, lookup, signal } = this.#context;
    if (topic0 !== null || status.isIndexedWhole === true) return null;
    const summary = await lookup('addressSummary', { chain: status.selector, address }, signal).catch(ignoreFault);
    return this.#comparesBalance(summary) ? readBalance(address, status.head, this.#context) : null;
  }
}

/** Reads what is new since the log, of each watch by itself. Rejects when the node does not have its head. */
export async function pollChain(
  log: LogState,
  watches: readonly Watch[],
  status: ChainStatus,
  ports: PollPorts,
  signal: AbortSignal,
): Promise<PolledChain> {
  const { chain, head } = status;
  if (chain === null || head === null)
    return { apply: current => current, isComplete: true, fault: null, skipped: null };
  return new PollRound(log, { ...status, chain, head }, ports, signal).run(watches);
}
