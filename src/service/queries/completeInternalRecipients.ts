// Reads the calls inside transactions that were indexed without them, since their node executes them again for that.
import type { Clock } from '../../base/clock.ts';
import { isFault, toFault } from '../../base/errors.ts';
import { toLowerHex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { fetchFramesOfBlock, mayTrace } from '../evm/internalTransactions.ts';
import { toBlockRecord } from '../evm/toBlockRecord.ts';
import { getInternalRecipients } from '../indexer/transactionReader.ts';
import { type InternalRecipients, MAX_TRANSACTION_INDEX, type TransactionPosition } from '../store/rows.ts';
import type { BlockRange, Store } from '../store/store.ts';

export interface CompleteInternalRecipientsDeps {
  readonly node: EvmNode;
  readonly store: Pick<Store, 'readUntracedTransactions' | 'writeInternalRecipients'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a page waits; the next one continues. */
export const MAX_TRACING_MS = 1_500;
const TRANSACTIONS_PER_ROUND = 32;
const MAX_CONCURRENT_BLOCKS = 4;
/** Blocks that the node refuses to trace, after which a page goes without. */
const MAX_UNTRACED_BLOCKS = 4;

const MISSING = 'Transactions that only paid or created the address by a call inside them may be missing';

interface BlockTraces {
  readonly recipients: readonly InternalRecipients[];
  readonly problem: string | null;
}

/**
 * Stores the internal recipients of a range's transactions, as far as the node traces them in a moment. Resolves with what
 * is missing then, one sentence; `null` when nothing is. Rejects with `cancelled` and the faults of the store.
 */
export async function completeInternalRecipients(
  { node, store, clock, log }: CompleteInternalRecipientsDeps,
  range: BlockRange,
  isOldestFirst: boolean,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const deadline = clock.now() + MAX_TRACING_MS;
  const problems: string[] = [];
  for (let after: TransactionPosition | undefined; ; ) {
    const untraced = await store.readUntracedTransactions(range, {
      limit: TRANSACTIONS_PER_ROUND,
      isOldestFirst,
      after,
    });
    const last = untraced.at(-1);
    if (last === undefined) break;
    if (!mayTrace(node)) problems.push(`the node of ${node.selector} (${node.rpc.host}) does not trace`);
    else if (clock.now() >= deadline)
      return `${MISSING}: the calls inside those of block ${untraced[0]?.blockNumber} and ${isOldestFirst ? 'later' : 'earlier'} ones are still being read, request the page again.`;
    if (!mayTrace(node) || problems.length >= MAX_UNTRACED_BLOCKS) break;
    const blocks = [...new Set(untraced.map(({ blockNumber }) => blockNumber))];
    const traced = await mapConcurrently(blocks, MAX_CONCURRENT_BLOCKS, block => traceBlock(node, block, signal));
    problems.push(...traced.flatMap(({ problem }) => problem ?? []));
    const recipients = traced.flatMap(one => one.recipients);
    // A full disk must not make the page fail: the calls are only read again.
    await store
      .writeInternalRecipients(recipients)
      .catch(error => log.debug(`Calls inside transactions could not be stored: ${error}`));
    // The rest of the last block was traced with it.
    after = { blockNumber: last.blockNumber, transactionIndex: isOldestFirst ? MAX_TRANSACTION_INDEX : 0 };
  }
  const [problem] = problems;
  return problem === undefined ? null : `${MISSING}: ${problem}.`;
}

async function traceBlock(node: EvmNode, number: number, signal: AbortSignal | undefined): Promise<BlockTraces> {
  try {
    const block = await fetchBlock(node, number, signal);
    if (block === null) return { recipients: [], problem: null }; // a reorg removed it
    const { transactions = [] } = node.validate('eth_getBlockByNumber', () => toBlockRecord(block, 0, () => null));
    const traces = await fetchFramesOfBlock(
      node,
      block.header,
      (transactions ?? []).map(({ toAddress, receiptContractAddress }, index) => ({
        hash: block.hashes[index] ?? '0x',
        contract: toAddress ?? receiptContractAddress,
      })),
      signal,
    );
    const recipients = (transactions ?? []).flatMap((transaction, transactionIndex) => {
      const frames = traces.frames[transactionIndex];
      const hash = block.hashes[transactionIndex];
      if (frames === null || frames === undefined || hash === undefined) return [];
      const { fromAddress, toAddress, receiptContractAddress } = transaction;
      const own = [fromAddress, toAddress ?? receiptContractAddress].map(one =>
        one === null ? null : toLowerHex(one),
      );
      const internalRecipients = getInternalRecipients(frames, own);
      return { blockNumber: number, transactionIndex, transactionHash: toLowerHex(hash), internalRecipients };
    });
    return { recipients, problem: traces.problem?.replace(/^\w+; /, '') ?? null };
  } catch (error) {
    if (signal?.aborted || isFault(error, 'cancelled')) throw error;
    return { recipients: [], problem: toFault(error).message.replace(/\.$/, '') };
  }
}
