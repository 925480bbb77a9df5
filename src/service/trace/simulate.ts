// Runs a call that is not on the chain on the state of the chain, in our own EVM: it is never signed and never sent.

import {
  MAX_TRANSACTION_GAS,
  type PinnedSimulation,
  type Simulation,
  type SimulationContext,
} from '../../api/traceTarget.ts';
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  isHash,
  parseQuantity,
  toLowerHex,
  toQuantity,
  ZERO_HASH,
} from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { type EvmNode, isDevelopmentChain, type NodeState } from '../evm/evmNode.ts';
import { requireObject } from '../evm/responseFields.ts';
import { compareWithNode, type NodeOutcome } from './compareWithNode.ts';
import { OverriddenSource } from './overriddenSource.ts';
import { parseReplayBlock } from './parseReplayInput.ts';
import type { Replay, ReplayInput } from './replay/replayTransaction.ts';
import type { ReplayBlock, ReplayTransaction } from './replay/replayTypes.ts';
import type { StateSource } from './replay/stateSource.ts';
import { ParentStateSource } from './stateSources.ts';
import { hasMetSizeLimit, listHardforks, loadEvm } from './traceByReplay.ts';

/** EIP-1559. */
const ELASTICITY = 2n;
const BASE_FEE_DENOMINATOR = 8n;

/** In the block after `simulation.block`: in the one that is there, else in the one that the node would make next. */
export async function pinSimulation(
  node: EvmNode,
  state: NodeState,
  simulation: Simulation,
  signal: AbortSignal | undefined,
): Promise<PinnedSimulation> {
  const block = simulation.block ?? state.headNumber;
  const next = block >= state.headNumber ? 'pending' : toQuantity(block + 1);
  const [parent, nextHeader] = await Promise.all([
    fetchBlock(node, block, signal),
    node.rpc.send('eth_getBlockByNumber', [next, false], signal).then(({ result }) => (isObject(result) ? result : {})),
  ]);
  const isNext = parseQuantity(nextHeader['number']) === BigInt(block) + 1n;
  const header = isNext ? nextHeader : {};
  const beneficiary = header['miner'];
  const baseFee = parseQuantity(header['baseFeePerGas']) ?? getNextBaseFee(parent);
  const now = BigInt(Math.floor(Date.now() / 1_000));
  const earliest = parent.timestamp + 1n;
  return {
    ...simulation,
    block,
    context: {
      parentHash: parent.hash,
      time: Number(parseQuantity(header['timestamp']) ?? (now > earliest ? now : earliest)),
      gasLimit: toQuantity(parseQuantity(header['gasLimit']) ?? parent.gasLimit),
      feeRecipient: typeof beneficiary === 'string' ? toLowerHex(beneficiary as Hex) : parent.beneficiary,
      prevRandao: isHash(header['mixHash']) ? header['mixHash'] : bytesToHex(parent.prevRandao),
      ...(baseFee !== null && { baseFeePerGas: toQuantity(baseFee) }),
    },
  };
}

async function fetchBlock(node: EvmNode, number: number, signal: AbortSignal | undefined): Promise<FetchedParent> {
  const result = await node.rpc.request('eth_getBlockByNumber', [toQuantity(number), false], signal);
  if (result === null) throw new HexLensError('not-found', localizable('Block not found on {0}', node.selector));
  return node.validate('eth_getBlockByNumber', () => {
    const wire = requireObject(result, 'the block');
    return { ...parseReplayBlock(wire, null), gasUsed: parseQuantity(wire['gasUsed']) ?? 0n };
  });
}

type FetchedParent = ReplayBlock & { readonly gasUsed: bigint };

/** EIP-1559: by how full the block before is. */
function getNextBaseFee({ baseFee, gasLimit, gasUsed }: FetchedParent): bigint | null {
  const target = gasLimit / ELASTICITY;
  if (baseFee === null || target === 0n || gasUsed === target) return baseFee;
  if (gasUsed < target) return baseFee - (baseFee * (target - gasUsed)) / target / BASE_FEE_DENOMINATOR;
  const growth = (baseFee * (gasUsed - target)) / target / BASE_FEE_DENOMINATOR;
  return baseFee + (growth > 0n ? growth : 1n);
}

export interface SimulatedCall {
  readonly replay: Replay;
  readonly time: Date;
  /** It gave the result of the node's own `eth_call`. */
  readonly isConfirmed: boolean;
  readonly notes: readonly LocalizableText[];
}

/** Rejects with `cancelled`, and when the node cannot be reached; a sentence says why else there is none. */
export async function simulate(
  node: EvmNode,
  state: NodeState,
  simulation: PinnedSimulation,
  signal: AbortSignal | undefined,
): Promise<SimulatedCall | { readonly problem: LocalizableText }> {
  try {
    const parent = await fetchBlock(node, simulation.block, signal);
    const { context } = simulation;
    if (parent.hash !== context.parentHash)
      return { problem: localizable('The block that it was simulated after is no longer on the chain.') };
    const block = toReplayBlock(parent, context);
    const transaction = toReplayTransaction(simulation, block);
    const reader = new ParentStateSource(node, block, signal);
    if (!node.rpc.isLoopback && simulation.overrides === undefined) await reader.prefetch(transaction);
    const source = new OverriddenSource(reader, simulation.overrides ?? {});
    const problem = await findFundsProblem(source, transaction);
    if (problem !== null) return { problem };
    return await new SimulationRun(node, state, simulation, { block, transaction, source }, signal).run();
  } catch (error) {
    if (isFault(error, 'cancelled', 'node-unreachable', 'not-found', 'too-large')) throw error;
    return { problem: localizable('The call cannot be simulated: {0}', toFault(error).message) };
  }
}

function toReplayBlock(parent: ReplayBlock, context: SimulationContext): ReplayBlock {
  const { parentHash, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas } = context;
  return {
    ...parent,
    number: parent.number + 1n,
    hash: ZERO_HASH,
    parentHash,
    timestamp: BigInt(time),
    beneficiary: feeRecipient,
    gasLimit: BigInt(gasLimit),
    baseFee: baseFeePerGas === undefined ? null : BigInt(baseFeePerGas),
    prevRandao: hexToBytes(prevRandao),
  };
}

function toReplayTransaction(simulation: Simulation, { gasLimit }: ReplayBlock): ReplayTransaction {
  const { from, to, data, value = '0x0', gas, gasPrice = '0x0' } = simulation;
  const permitted = gasLimit < MAX_TRANSACTION_GAS ? gasLimit : MAX_TRANSACTION_GAS;
  return {
    hash: ZERO_HASH,
    from: toLowerHex(from),
    to: to === null ? null : toLowerHex(to),
    nonce: null,
    gasLimit: gas === undefined ? permitted : BigInt(gas),
    gasPrice: BigInt(gasPrice),
    value: BigInt(value),
    input: hexToBytes(data),
    accessList: [],
    authorizations: [],
    blobVersionedHashes: [],
    isDeposit: false,
    mint: 0n,
  };
}

/** A transaction that its sender cannot pay is in no block. */
async function findFundsProblem(
  source: StateSource,
  { from, value, gasLimit, gasPrice }: ReplayTransaction,
): Promise<LocalizableText | null> {
  const balance = (await source.fetchAccount(from))?.balance ?? 0n;
  const cost = value + gasLimit * gasPrice;
  return balance >= cost
    ? null
    : localizable(
        'The sender has {0} wei, and the call needs {1} wei: override its balance, or send less.',
        String(balance),
        String(cost),
      );
}

type RunInput = Pick<ReplayInput, 'block' | 'transaction' | 'source'>;

/** Runs one call under several hardforks, until one run gives what the node's own `eth_call` gives. */
class SimulationRun {
  readonly #node: EvmNode;
  readonly #state: NodeState;
  readonly #simulation: PinnedSimulation;
  readonly #input: RunInput;
  readonly #signal: AbortSignal | undefined;

  constructor(
    node: EvmNode,
    state: NodeState,
    simulation: PinnedSimulation,
    input: RunInput,
    signal: AbortSignal | undefined,
  ) {
    this.#node = node;
    this.#state = state;
    this.#simulation = simulation;
    this.#input = input;
    this.#signal = signal;
  }

  async run(): Promise<SimulatedCall> {
    const { replayTransaction } = await loadEvm();
    const { block, transaction } = this.#input;
    const chainId = this.#state.chain.id;
    const outcome = compareWithNode(this.#node, this.#simulation, transaction.gasLimit, this.#signal);
    // Its rejection is handled where it is awaited, after the first run.
    outcome.catch(() => {});
    let first: { readonly replay: Replay; readonly difference: LocalizableText } | null = null;
    for (const hardfork of await listHardforks(this.#state, block))
      for (const hasCodeSizeLimit of isDevelopmentChain(this.#state) ? [true, false] : [true]) {
        const input = { ...this.#input, chainId, hardfork, hasCodeSizeLimit, earlier: [] };
        const replay = await replayTransaction(input, this.#signal);
        const compared = await outcome;
        const difference = compared.findDifference(replay);
        if (difference === null) return this.#toCall(replay, compared, []);
        first ??= { replay, difference };
        if (!hasMetSizeLimit(replay)) break;
      }
    if (first === null) throw new Error('There is no hardfork to run it under.');
    return this.#toCall(first.replay, null, [first.difference]);
  }

  #toCall(replay: Replay, outcome: NodeOutcome | null, notes: readonly LocalizableText[]): SimulatedCall {
    return {
      replay,
      time: new Date(this.#simulation.context.time * 1_000),
      isConfirmed: outcome?.isKnown === true,
      notes: outcome === null || outcome.problem === null ? notes : [outcome.problem, ...notes],
    };
  }
}
