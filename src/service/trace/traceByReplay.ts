// Traces a transaction by running it again on the state before it, and checks the result against the chain.
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { isHex, parseQuantity, toQuantity } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { lazy } from '../../base/lazy.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { type EvmNode, isDevelopmentChain, type NodeState } from '../evm/evmNode.ts';
import { InvalidResponseError, requireObject, requireTransactions, type WireObject } from '../evm/responseFields.ts';
import { findDifference, type ReplayDifference } from './checkReplay.ts';
import { parseReplayBlock, parseReplayTransaction } from './parseReplayInput.ts';
import type { Replay } from './replay/replayTransaction.ts';
import type { Hardfork, ReplayBlock, ReplayTransaction } from './replay/replayTypes.ts';
import type { StateSource } from './replay/stateSource.ts';
import { createPrestateSource, ParentStateSource } from './stateSources.ts';

/** The EVM is loaded with the first trace. */
export const loadEvm = lazy(() => import('./replay/replayTransaction.ts'));

/**
 * Without `prestateTracer`, so many earlier transactions of a block are run at most before the one that is traced: each needs
 * some ten requests, which a node on this machine answers at once.
 */
export const MAX_EARLIER_TRANSACTIONS = { loopback: 100, remote: 10 } as const;
/** On a chain whose hardforks are unknown, the newest ones are tried. */
const MAX_HARDFORKS = 4;

export type ReplayOutcome =
  | { readonly replay: Replay; readonly notes: readonly LocalizableText[] }
  /** Why there is none, as a sentence. */
  | { readonly problem: LocalizableText };

interface MinedTransaction {
  readonly wire: WireObject;
  readonly receipt: WireObject;
}

/** The state before the transaction, or before its block; then with the transactions in between. */
interface Start {
  readonly source: StateSource;
  readonly earlier: readonly ReplayTransaction[];
}

/** Rejects with `cancelled`, and when the node cannot be reached. */
export async function traceByReplay(
  node: EvmNode,
  state: NodeState,
  mined: MinedTransaction,
  signal: AbortSignal | undefined,
): Promise<ReplayOutcome> {
  const transaction = node.validate('eth_getTransactionByHash', () =>
    parseReplayTransaction(mined.wire, mined.receipt),
  );
  if (transaction === null)
    return {
      problem: localizable('Transactions of this type run by rules of their chain, which HexLens does not know.'),
    };
  const [block, prestate, returnData] = await Promise.all([
    fetchBlock(node, mined, signal),
    traceWith(node, transaction, { tracer: 'prestateTracer' }, signal),
    traceWith(node, transaction, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }, signal),
    // While the node is at work.
    loadEvm(),
  ]);
  const attempt = new ReplayAttempt(node, state, mined, block, transaction, parseReturnData(returnData), signal);
  const source = prestate === null ? null : createPrestateSource(node, block, prestate, signal);
  const replay = source === null ? null : await attempt.run({ source, earlier: [] });
  if (replay !== null) return { replay, notes: [] };
  return attempt.runFromParent();
}

async function fetchBlock(
  node: EvmNode,
  { wire, receipt }: MinedTransaction,
  signal: AbortSignal | undefined,
): Promise<ReplayBlock> {
  const result = await node.rpc.request('eth_getBlockByHash', [wire['blockHash'], false], signal);
  return fetchReplayBlock(node, result, receipt, signal);
}

/** What a replay needs of the block that the node sent; `receipt` is one of its transactions, of one with blobs if any has. */
export async function fetchReplayBlock(
  node: EvmNode,
  result: unknown,
  receipt: WireObject,
  signal: AbortSignal | undefined,
): Promise<ReplayBlock> {
  const block = node.validate('eth_getBlockByHash', () =>
    parseReplayBlock(requireObject(result, 'the block'), receipt),
  );
  const hasExcess = isObject(result) && (parseQuantity(result['excessBlobGas']) ?? 0n) > 0n;
  if (!hasExcess || receipt['blobGasPrice'] !== undefined) return block;
  // How fast the price of blobs grows changes between hardforks too, and differs between chains.
  const history = await node.rpc.send('eth_feeHistory', ['0x1', toQuantity(block.number), []], signal);
  const fees = isObject(history.result) ? history.result['baseFeePerBlobGas'] : null;
  return { ...block, blobBaseFee: (Array.isArray(fees) ? parseQuantity(fees[0]) : null) ?? block.blobBaseFee };
}

/** The result of a tracer; `null` where the node has none. */
async function traceWith(
  node: EvmNode,
  { hash }: ReplayTransaction,
  options: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!node.rpc.isAvailable('debug_traceTransaction')) return null;
  const { result } = await node.rpc.send('debug_traceTransaction', [hash, options], signal);
  return result ?? null;
}

/** What the transaction returned; some nodes leave out what a failed one did. */
function parseReturnData(result: unknown): string | null {
  const output = isObject(result) && isHex(result['from']) ? result['output'] : null;
  return isHex(output) && output.length > 2 ? output : null;
}

const DIFFERENCES: Readonly<Record<ReplayDifference, LocalizableText>> = {
  gas: localizable('gas used'),
  status: localizable('status'),
  logs: localizable('logs'),
  contract: localizable('created contract'),
  returnData: localizable('returned data'),
};

/** Those that the block may have been run by, the most probable one first. */
export async function listHardforks({ chain }: NodeState, block: ReplayBlock): Promise<readonly Hardfork[]> {
  const { getHardforkAt } = await loadEvm();
  const known = getHardforkAt(chain.id, block.number, block.timestamp);
  return known === null ? block.hardforks.slice(0, MAX_HARDFORKS) : [known];
}

/** Otherwise it is the same run without the limit. */
export const hasMetSizeLimit = ({ frames }: Replay): boolean =>
  frames.some(({ haltReason }) => haltReason?.endsWith('SizeLimit'));

/** Runs one transaction from several starts under several hardforks, until one run agrees with the chain. */
class ReplayAttempt {
  readonly #node: EvmNode;
  readonly #state: NodeState;
  readonly #mined: MinedTransaction;
  readonly #block: ReplayBlock;
  readonly #transaction: ReplayTransaction;
  readonly #returnData: string | null;
  readonly #signal: AbortSignal | undefined;
  #difference: LocalizableText | null = null;

  constructor(
    node: EvmNode,
    state: NodeState,
    mined: MinedTransaction,
    block: ReplayBlock,
    transaction: ReplayTransaction,
    returnData: string | null,
    signal: AbortSignal | undefined,
  ) {
    this.#node = node;
    this.#state = state;
    this.#mined = mined;
    this.#block = block;
    this.#transaction = transaction;
    this.#returnData = returnData;
    this.#signal = signal;
  }

  /** `null` when no run agrees. */
  async run(start: Start): Promise<Replay | null> {
    const { replayTransaction } = await loadEvm();
    for (const hardfork of await listHardforks(this.#state, this.#block))
      for (const hasCodeSizeLimit of isDevelopmentChain(this.#state) ? [true, false] : [true]) {
        const replay = await this.#runOnce(replayTransaction, start, hardfork, hasCodeSizeLimit);
        if (replay === null) continue;
        const difference = findDifference(replay, this.#mined.receipt, this.#returnData);
        if (difference === null) return replay;
        this.#difference = DIFFERENCES[difference];
        if (!hasMetSizeLimit(replay)) break;
      }
    return null;
  }

  async #runOnce(
    replayTransaction: typeof import('./replay/replayTransaction.ts').replayTransaction,
    { source, earlier }: Start,
    hardfork: Hardfork,
    hasCodeSizeLimit: boolean,
  ): Promise<Replay | null> {
    try {
      return await replayTransaction(
        {
          source,
          earlier,
          hardfork,
          hasCodeSizeLimit,
          chainId: this.#state.chain.id,
          block: this.#block,
          transaction: this.#transaction,
        },
        this.#signal,
      );
    } catch (error) {
      if (error instanceof HexLensError) throw error;
      // The EVM does not know something of this chain: never a reason to show nothing at all.
      return null;
    }
  }

  /** From the state of the block before, by methods that every node has. */
  async runFromParent(): Promise<ReplayOutcome> {
    const index = Number(parseQuantity(this.#mined.receipt['transactionIndex']) ?? 0n);
    const { isLoopback } = this.#node.rpc;
    const maxEarlier = isLoopback ? MAX_EARLIER_TRANSACTIONS.loopback : MAX_EARLIER_TRANSACTIONS.remote;
    if (index > maxEarlier)
      return {
        problem: localizable(
          'The node has no prestateTracer, and more than {0} transactions come before this one in its block.',
          maxEarlier,
        ),
      };
    const source = new ParentStateSource(this.#node, this.#block, this.#signal);
    try {
      const earlier = index === 0 ? [] : await this.#fetchEarlier();
      if (earlier === null)
        return { problem: localizable('The block has transactions of a type that HexLens cannot run.') };
      if (!isLoopback) await Promise.all([...earlier, this.#transaction].map(each => source.prefetch(each)));
      const replay = await this.run({ source, earlier });
      if (replay === null) return { problem: this.#describeDifference() };
      const notes =
        index === 0
          ? []
          : index === 1
            ? [localizable('The earlier transaction of the block was run before it.')]
            : [localizable('{0} earlier transactions of the block were run before it.', index)];
      return { replay, notes };
    } catch (error) {
      if (isFault(error, 'cancelled', 'node-unreachable')) throw error;
      const { message } = toFault(error);
      return {
        problem: localizable(
          'The node did not give the state before the transaction: {0} An archive node keeps it, and Anvil without --prune-history. With --steps-tracing Anvil needs none.',
          message,
        ),
      };
    }
  }

  #describeDifference(): LocalizableText {
    return this.#difference === null
      ? localizable('The transaction cannot be run again by the rules of Ethereum.')
      : localizable(
          'Run again by the rules of Ethereum, the transaction gives something else than the chain has ({0}): that run is not shown.',
          this.#difference,
        );
  }

  /** `null` when one of them is of an unknown type. */
  async #fetchEarlier(): Promise<readonly ReplayTransaction[] | null> {
    const result = await this.#node.rpc.request('eth_getBlockByHash', [this.#block.hash, true], this.#signal);
    return this.#node.validate('eth_getBlockByHash', () => {
      const all = requireTransactions(requireObject(result, 'the block'));
      const index = all.findIndex(({ hash }) => hash === this.#transaction.hash);
      if (index < 0) throw new InvalidResponseError('it lacks the transaction');
      const earlier = all.slice(0, index).map(wire => parseReplayTransaction(wire, getPrice(wire, this.#block)));
      return earlier.includes(null) ? null : earlier.filter(transaction => transaction !== null);
    });
  }
}

/** What a transaction of EIP-1559 paid per gas, in place of its receipt. */
function getPrice(wire: WireObject, { baseFee }: ReplayBlock): WireObject | null {
  const maxFee = parseQuantity(wire['maxFeePerGas']);
  const priority = parseQuantity(wire['maxPriorityFeePerGas']);
  if (maxFee === null || priority === null || baseFee === null) return null;
  const isCapped = baseFee + priority > maxFee;
  return { effectiveGasPrice: toQuantity(isCapped ? maxFee : baseFee + priority) };
}
