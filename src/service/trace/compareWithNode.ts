// What the node itself says of a simulated call, by `eth_call` and `eth_estimateGas`: neither signs or sends anything.
import type { PinnedSimulation } from '../../api/traceTarget.ts';
import { bytesToHex, type Hex, isHex, parseQuantity, toLowerHex, toQuantity } from '../../base/hex.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { isRevert, type RpcError, type RpcResponse, toPrintable } from '../evm/rpcMessage.ts';
import { toRevertData } from '../lookups/contractCalls.ts';
import type { Replay } from './replay/replayTransaction.ts';

/** How nodes say that the EVM halted a call. */
const HALTED =
  /out of gas|outofgas|invalid opcode|invalidfe|jump|stack (?:under|over|limit)|write protection|halt|evm error|vm exception/i;
/** Instructions that read the block that a call is in: COINBASE to GASLIMIT, BASEFEE, BLOBBASEFEE. */
const isBlockOpcode = (op: number): boolean => (op >= 0x41 && op <= 0x45) || op === 0x48 || op === 0x4a;

type CallOutcome =
  | { readonly kind: 'returned'; readonly data: Hex }
  /** `data`: `null` where the node does not tell it. */
  | { readonly kind: 'failed'; readonly data: Hex | null };

export class NodeOutcome {
  readonly #call: CallOutcome | null;
  readonly #estimate: bigint | null;
  /** The node took the block of the simulation. */
  readonly #isSameBlock: boolean;
  /** Why the node gave nothing to compare with. */
  readonly problem: LocalizableText | null;

  constructor(
    call: CallOutcome | null,
    estimate: bigint | null,
    isSameBlock: boolean,
    problem: LocalizableText | null,
  ) {
    this.#call = call;
    this.#estimate = estimate;
    this.#isSameBlock = isSameBlock;
    this.problem = problem;
  }

  get isKnown(): boolean {
    return this.#call !== null;
  }

  findDifference(replay: Replay): LocalizableText | null {
    const call = this.#call;
    if (call === null) return null;
    const output = bytesToHex(replay.frames[0]?.output ?? new Uint8Array(0));
    const isSame = replay.isSuccessful
      ? call.kind === 'returned' && (replay.frames[0]?.isCreation === true || call.data === output)
      : call.kind === 'failed' && (call.data === null || call.data === output);
    if (!isSame) return this.#describe(replay, call);
    const estimate = this.#estimate;
    return estimate === null || !replay.isSuccessful || estimate >= replay.gasUsed
      ? null
      : localizable(
          'The node estimates {0} gas, which is less than the {1} gas of this simulation.',
          String(estimate),
          String(replay.gasUsed),
        );
  }

  #describe({ steps }: Replay, { kind }: CallOutcome): LocalizableText {
    const readsBlock = steps.op.subarray(0, steps.length).some(isBlockOpcode);
    if (!this.#isSameBlock && readsBlock)
      return localizable(
        'The node’s own eth_call gave something else: it runs in another block than this simulation, and the contract reads the block.',
      );
    return kind === 'returned'
      ? localizable('The node’s own eth_call succeeded and gave something else than this simulation.')
      : localizable('The node’s own eth_call failed in another way than this simulation.');
  }
}

export async function compareWithNode(
  node: EvmNode,
  simulation: PinnedSimulation,
  gasLimit: bigint,
  signal: AbortSignal | undefined,
): Promise<NodeOutcome> {
  const { from, to, data, value, gasPrice, block, context, overrides } = simulation;
  const { time, feeRecipient, prevRandao, baseFeePerGas } = context;
  const call = {
    from,
    data,
    gas: toQuantity(gasLimit),
    ...(to !== null && { to }),
    ...(value !== undefined && { value }),
    ...(gasPrice !== undefined && { gasPrice }),
  };
  const at = toQuantity(block);
  const state = overrides ?? {};
  const blockOverrides = {
    number: toQuantity(block + 1),
    time: toQuantity(time),
    gasLimit: context.gasLimit,
    feeRecipient,
    prevRandao,
    ...(baseFeePerGas !== undefined && { baseFeePerGas }),
  };
  const hasOverrides = overrides !== undefined;
  const [inBlock, plain, estimated] = await Promise.all([
    node.rpc.send('eth_call', [call, at, state, blockOverrides], signal),
    node.rpc.send('eth_call', hasOverrides ? [call, at, state] : [call, at], signal),
    hasOverrides ? null : node.rpc.send('eth_estimateGas', [call, at], signal),
  ]);
  const estimate = parseQuantity(estimated?.result);
  const own = parseOutcome(inBlock);
  const outcome = own ?? parseOutcome(plain);
  const problem =
    outcome === null
      ? localizable('The node did not confirm it by eth_call: {0}', toPrintable(plain.error?.message ?? 'no result'))
      : null;
  return new NodeOutcome(outcome, estimate, own !== null, problem);
}

function parseOutcome({ result, error }: RpcResponse): CallOutcome | null {
  if (error === undefined) return isHex(result) ? { kind: 'returned', data: toLowerHex(result) } : null;
  return isEvmFailure(error) ? { kind: 'failed', data: toRevertData(error) } : null;
}

const isEvmFailure = (error: RpcError): boolean => isRevert(error) || HALTED.test(error.message);
