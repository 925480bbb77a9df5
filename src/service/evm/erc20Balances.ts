// ERC-20 balances of one wallet, read from the contracts at one block: by Multicall3 where it is deployed.

import { type Hex, isHex, toQuantity } from '../../base/hex.ts';
import { toBatches } from '../../base/toBatches.ts';
import { decodeArrayAt, decodeUint32At, decodeUint256At, encodeBytesArgument, encodeWord } from './abiWords.ts';
import type { BlockHeader } from './blockHeader.ts';
import { isContractFailure } from './callResult.ts';
import type { EvmNode } from './evmNode.ts';
import type { RpcCall, RpcResponse } from './rpcMessage.ts';
import { sendAtBlock, toStateFault } from './sendAtBlock.ts';

/** The same address on every chain that has it. */
const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';
const AGGREGATE3 = '0x82ad56cb'; // aggregate3((address,bool,bytes)[])
const BALANCE_OF = '0x70a08231'; // balanceOf(address)
/** Below this, calling each contract costs no more. */
const MIN_MULTICALL_TOKENS = 4;
/** Nodes limit the gas of one call: balances of so many ordinary tokens take a quarter of what Geth allows. */
const TOKENS_PER_MULTICALL = 200;
/** Enough for every honest token; one that burns all gas must not keep the node busy. */
const GAS_LIMIT = toQuantity(1_000_000);
/** A reorg between the calls makes them read two blocks: then all are read again. */
const MAX_ATTEMPTS = 3;

export interface Erc20Balances {
  readonly block: BlockHeader;
  /** Without contracts that return no balance. */
  readonly balances: ReadonlyMap<Hex, bigint>;
}

/** Rejects with the faults of the node, so that none of them is taken for a balance of zero. */
export async function fetchErc20Balances(
  node: EvmNode,
  wallet: Hex,
  tokens: readonly Hex[],
  header: BlockHeader,
  signal: AbortSignal | undefined,
): Promise<Erc20Balances> {
  let current = header;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const together = await fetchByMulticall(node, wallet, tokens, current, signal);
    // A token that burns all gas makes those after it fail too: each that failed is called alone.
    const missing = tokens.filter(token => !together.balances.has(token));
    const apart = await fetchSingly(node, wallet, missing, together.block, signal);
    if (apart.block.hash === together.block.hash || together.balances.size === 0)
      return { block: apart.block, balances: new Map([...together.balances, ...apart.balances]) };
    current = apart.block;
  }
  throw node.rpc.invalidResponse('eth_call', `block ${current.number} changes again and again`);
}

const toBalanceCall = (wallet: Hex): Hex => `${BALANCE_OF}${encodeWord(wallet)}`;

const isAnswered = ({ error }: RpcResponse) => error === undefined || isContractFailure(error);

async function fetchByMulticall(
  node: EvmNode,
  wallet: Hex,
  tokens: readonly Hex[],
  header: BlockHeader,
  signal: AbortSignal | undefined,
): Promise<Erc20Balances> {
  const balances = new Map<Hex, bigint>();
  // A development chain rarely has it, and calls to it cost nothing.
  const { isDevelopment } = await node.getState(signal);
  if (isDevelopment || tokens.length < MIN_MULTICALL_TOKENS) return { block: header, balances };
  const chunks = [...toBatches(tokens, TOKENS_PER_MULTICALL)];
  const toCalls = (block: unknown) =>
    chunks.map(chunk => toCall(MULTICALL3, encodeAggregate(chunk, toBalanceCall(wallet)), block));
  const { block, responses } = await sendAtBlock(node, header, toCalls, signal, isAnswered);
  for (const [index, chunk] of chunks.entries()) {
    const result = responses[index]?.result;
    // An address without code returns nothing.
    const words = isHex(result) ? decodeAggregate(result, chunk.length) : [];
    for (const [position, token] of chunk.entries()) {
      const balance = words[position] ?? null;
      if (balance !== null) balances.set(token, balance);
    }
  }
  return { block, balances };
}

async function fetchSingly(
  node: EvmNode,
  wallet: Hex,
  tokens: readonly Hex[],
  header: BlockHeader,
  signal: AbortSignal | undefined,
): Promise<Erc20Balances> {
  const balances = new Map<Hex, bigint>();
  if (tokens.length === 0) return { block: header, balances };
  const toCalls = (block: unknown) =>
    tokens.map(token => toCall(token, toBalanceCall(wallet), block, { gas: GAS_LIMIT }));
  const { block, responses } = await sendAtBlock(node, header, toCalls, signal, isAnswered);
  for (const [index, token] of tokens.entries()) {
    const response = responses[index];
    if (response?.error !== undefined && !isAnswered(response)) throw toStateFault(node, 'eth_call', response.error);
    const balance = isHex(response?.result) ? decodeUint256At(response.result, 0) : null;
    if (balance !== null) balances.set(token, balance);
  }
  return { block, balances };
}

const toCall = (to: Hex, data: Hex, block: unknown, options: object = {}): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data, ...options }, block],
});

/** The same call to each of the targets, each of which may fail. */
function encodeAggregate(targets: readonly Hex[], data: Hex): Hex {
  const tail = `${encodeWord(1n)}${encodeWord(96n)}${encodeBytesArgument(data)}`;
  const elementBytes = BigInt(32 + tail.length / 2);
  const offsets = targets.map((_, index) => encodeWord(32n * BigInt(targets.length) + elementBytes * BigInt(index)));
  const elements = targets.map(target => `${encodeWord(target)}${tail}`);
  return `${AGGREGATE3}${encodeWord(32n)}${encodeWord(BigInt(targets.length))}${offsets.join('')}${elements.join('')}`;
}

/** The first word that each call returned; `null` where it failed or returned less. */
function decodeAggregate(data: Hex, count: number): readonly (bigint | null)[] {
  const results = decodeArrayAt(data, 0, 32);
  if (results?.length !== count) return [];
  return Array.from({ length: count }, (_, index) => {
    const offset = decodeUint32At(data, results.start + 32 * index);
    if (offset === null) return null;
    const result = results.start + offset;
    const length = decodeUint32At(data, result + 64);
    if (decodeUint256At(data, result) !== 1n || decodeUint32At(data, result + 32) !== 64 || (length ?? 0) < 32)
      return null;
    return decodeUint256At(data, result + 96);
  });
}
