// Reads the calls inside transactions that were indexed without them, since their node executes them again for that.
import type { Clock } from '../../base/clock.ts';
import { isFault, toFault } from '../../base/errors.ts';
import { toLowerHex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { mayTrace, traceBlock } from '../evm/internalTransactions.ts';
import { describeNode } from '../evm/nodeFaults.ts';
import { toBlockRecord } from '../evm/toBlockRecord.ts';
import { getInternalRecipients } from '../indexer/fetchTransactions.ts';
import { type InternalRecipients, MAX_TRANSACTION_INDEX, type TransactionPosition } from '../store/rows.ts';
import type { BlockRange, Store } from '../store/store.ts';
import { fetchCallsOfBlock } from '../trace/replayedCalls.ts';

export interface CompleteInternalRecipientsDeps {
  readonly node: EvmNode;
  readonly store: Pick<Store, 'readUntracedTransactions' | 'writeInternalRecipients'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a page waits after the first blocks; the next one continues. */
const MAX_TRACING_MS = 1_500;
/** The first blocks get more, so that every page comes further; what the node has not traced by then is left out. */
export const MAX_FIRST_ROUND_MS = 20_000;
const TRANSACTIONS_PER_READ = 32;
const MAX_CONCURRENT_BLOCKS = 4;
/** A node that can not trace so many blocks on end is not asked for the others of the page. */
const MAX_REFUSED_BLOCKS = 32;

export interface PageBlocks {
  readonly range: BlockRange;
  readonly isOldestFirst: boolean;
  /** Only transactions beyond this one in the order of the page. */
  readonly after: TransactionPosition | undefined;
}

export interface CompletedRecipients {
  /** What can not be read, one sentence; `null` when nothing. */
  readonly problem: string | null;
  /** The first transaction in the order of the page whose calls a later page has to read; `null` when there is none. */
  readonly pendingFrom: TransactionPosition | null;
}

interface BlockTraces {
  readonly block: number;
  readonly recipients: readonly InternalRecipients[];
  readonly problem: string | null;
  /** The node may trace it in a moment. */
  readonly isUnreachable?: boolean;
}

/**
 * Stores the internal recipients of a page's transactions, as far as the node traces them in a moment. Rejects with
 * `cancelled` and the faults of the store's reads.
 */
export async function completeInternalRecipients(
  { node, store, clock, log }: CompleteInternalRecipientsDeps,
  { range, isOldestFirst, after }: PageBlocks,
  signal: AbortSignal | undefined,
): Promise<CompletedRecipients> {
  const { untraceable } = node.cache;
  const deadline = clock.now() + MAX_TRACING_MS;
  let problem: string | null = null;
  const finish = (pendingFrom: TransactionPosition | null = null): CompletedRecipients => ({
    problem:
      problem === null
        ? null
        : `Transactions that only paid or created the address by a call inside them may be missing: ${problem}.`,
    pendingFrom,
  });
  let isFirstRound = true;
  let refusedBlocks = 0;
  for (let position = after; ; ) {
    const untraced = await store.readUntracedTransactions(range, {
      limit: TRANSACTIONS_PER_READ,
      isOldestFirst,
      after: position,
    });
    if (untraced.length === 0) return finish();
    if (!mayTrace(node) && !node.rpc.isLoopback) {
      problem ??= `${describeNode(node.selector)} does not trace`;
      return finish();
    }
    const blocks = [...new Set(untraced.map(({ blockNumber }) => blockNumber))].slice(0, MAX_CONCURRENT_BLOCKS);
    const getReason = (block: number) =>
      untraced.flatMap(one => (one.blockNumber === block ? (untraceable.get(one.transactionHash) ?? []) : []))[0];
    const asked = blocks.filter(block => getReason(block) === undefined);
    const traced = new Map<number, BlockTraces>();
    if (asked.length > 0) {
      const ms = isFirstRound ? MAX_FIRST_ROUND_MS : deadline - clock.now();
      if (ms > 0) for (const one of await traceBlocks(node, asked, clock, ms, signal)) traced.set(one.block, one);
      try {
        await store.writeInternalRecipients([...traced.values()].flatMap(({ recipients }) => recipients));
      } catch (error) {
        log.debug(`Calls inside transactions could not be stored: ${error}`);
        problem = 'the calls inside them could not be stored';
        return finish();
      }
    }
    for (const block of blocks) {
      const ofBlock = untraced.filter(({ blockNumber }) => blockNumber === block);
      const one = traced.get(block);
      const isLate = one === undefined && asked.includes(block);
      if (isLate && !isFirstRound) return finish(ofBlock[0]);
      const reason = getReason(block) ?? (isLate ? `block ${block} takes too long to trace` : one?.problem) ?? null;
      if (reason !== null && asked.includes(block) && one?.isUnreachable !== true)
        for (const { transactionHash } of ofBlock) untraceable.set(transactionHash, reason);
      problem ??= reason;
      refusedBlocks = reason === null ? 0 : refusedBlocks + 1;
      if (refusedBlocks >= MAX_REFUSED_BLOCKS) return finish();
    }
    if (asked.length > 0) isFirstRound = false;
    // The rest of the last block was traced with it.
    position = { blockNumber: blocks.at(-1) ?? 0, transactionIndex: isOldestFirst ? MAX_TRANSACTION_INDEX : 0 };
  }
}

/** Without the blocks that took longer than `ms`. */
async function traceBlocks(
  node: EvmNode,
  blocks: readonly number[],
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<readonly BlockTraces[]> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  clock.sleep(ms, stop.signal).then(
    () => stop.abort(),
    () => {},
  );
  try {
    const traced = await mapConcurrently(blocks, MAX_CONCURRENT_BLOCKS, block =>
      traceRecipients(node, block, either).catch((error: unknown) => {
        if (signal?.aborted || !stop.signal.aborted) throw error;
        return [];
      }),
    );
    return traced.flat();
  } finally {
    stop.abort();
  }
}

async function traceRecipients(node: EvmNode, block: number, signal: AbortSignal | undefined): Promise<BlockTraces> {
  try {
    const found = await fetchBlock(node, block, signal);
    if (found === null) {
      // A reorg removed it, or the node is behind.
      const problem = `${describeNode(node.selector)} does not have block ${block} at the moment`;
      return { block, recipients: [], problem, isUnreachable: true };
    }
    const { transactions = [] } = node.validate('eth_getBlockByNumber', () => toBlockRecord(found, 0, () => null));
    // On this machine, a node without a tracer gives the state fast enough to run its blocks again.
    const traces = await (node.rpc.isLoopback
      ? fetchCallsOfBlock(node, await node.getState(signal), found, signal)
      : traceBlock(node, found.header, found.hashes, signal));
    const recipients = (transactions ?? []).flatMap((transaction, transactionIndex) => {
      const frames = traces.frames[transactionIndex];
      const hash = found.hashes[transactionIndex];
      if (frames === null || frames === undefined || hash === undefined) return [];
      const { fromAddress, toAddress, receiptContractAddress } = transaction;
      const own = [fromAddress, toAddress ?? receiptContractAddress].map(one =>
        one === null ? null : toLowerHex(one),
      );
      const internalRecipients = getInternalRecipients(frames, own);
      return { blockNumber: block, transactionIndex, transactionHash: toLowerHex(hash), internalRecipients };
    });
    return { block, recipients, problem: traces.problem?.replace(/^\w+; /, '') ?? null };
  } catch (error) {
    if (signal?.aborted || isFault(error, 'cancelled')) throw error;
    const problem = toFault(error).message.replace(/\.$/, '');
    return { block, recipients: [], problem, isUnreachable: isFault(error, 'node-unreachable') };
  }
}
