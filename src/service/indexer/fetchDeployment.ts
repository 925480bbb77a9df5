// The block in which a contract was deployed, by bisection on its code.
import { type Hex, isHex, parseSafeQuantity, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getLimitOfFault } from '../evm/logLimit.ts';
import { TRANSFER_TOPICS } from './logFilters.ts';

export interface Deployment {
  /** There is nothing of the contract below this block. */
  readonly block: number;
  /** False when the node has too little old state to tell: then `block` may be far too low. */
  readonly isExact: boolean;
}

/** Blocks per round: 20 million blocks take eight rounds. */
const PROBES_PER_ROUND = 7;
/** Blocks at which code is looked for when there is none at the head: a contract that destroyed itself had some before. */
const DESTROYED_PROBES = 31;

/**
 * A contract without code at `head` may have destroyed itself: then its first log tells, where the node searches the whole
 * chain, and otherwise any block may have some. Rejects with `node-error` when the node returns no code at all.
 */
export async function fetchDeployment(
  node: EvmNode,
  address: Hex,
  head: number,
  signal: AbortSignal,
): Promise<Deployment> {
  const toCodeCall = (block: number) => ({ method: 'eth_getCode', params: [address, toQuantity(block)] });
  const findLastBlockWithCode = async (): Promise<number | null> => {
    const blocks = spreadBetween(-1, head, DESTROYED_PROBES);
    const responses = await node.rpc.sendAll(blocks.map(toCodeCall), signal);
    return blocks.findLast((_, index) => hasCode(responses[index]?.result)) ?? null;
  };
  const [headResponse] = await node.rpc.sendAll([toCodeCall(head)], signal);
  const lastWithCode = hasCode(node.getResult('eth_getCode', headResponse)) ? head : await findLastBlockWithCode();
  if (lastWithCode === null) return findDeploymentByLogs(node, address, head, signal);
  // Invariant: no code at `absent`, code at `present`; the node cannot tell at `unknown` and below, down to `absent`.
  let absent = -1;
  let unknown = -1;
  let present = lastWithCode;
  for (;;) {
    const low = Math.max(absent, unknown);
    const probes = spreadBetween(low, present, PROBES_PER_ROUND);
    if (probes.length === 0)
      return low === absent ? { block: present, isExact: true } : { block: absent + 1, isExact: false };
    const responses = await node.rpc.sendAll(probes.map(toCodeCall), signal);
    for (const [index, block] of probes.entries()) {
      const response = responses[index];
      if (response === undefined || response.error !== undefined || !isHex(response.result)) unknown = block;
      else if (hasCode(response.result)) {
        present = block;
        break;
      } else absent = block;
    }
  }
}

/** The block of the first NFT log of a contract whose code is not there any more. */
async function findDeploymentByLogs(
  node: EvmNode,
  address: Hex,
  head: number,
  signal: AbortSignal,
): Promise<Deployment> {
  const filter = { address, topics: [TRANSFER_TOPICS], fromBlock: toQuantity(0), toBlock: toQuantity(head) };
  const [nonce, logs] = await Promise.all([
    node.rpc.send('eth_getTransactionCount', [address, toQuantity(head)], signal),
    node.rpc.send('eth_getLogs', [filter], signal).catch(error => {
      if (getLimitOfFault(error) !== null) return null;
      throw error;
    }),
  ]);
  if (Array.isArray(logs?.result)) {
    const blocks = logs.result.map((log: unknown) => parseSafeQuantity((log as { blockNumber?: unknown }).blockNumber));
    return { block: Math.min(head, ...blocks.filter(block => block !== null)), isExact: true };
  }
  // The account of a destroyed contract is gone, with its nonce; one that has sent transactions never was a contract.
  const isAccount = (parseSafeQuantity(nonce.result) ?? 0) > 0;
  return isAccount ? { block: head, isExact: true } : { block: 0, isExact: false };
}

const hasCode = (result: unknown) => isHex(result) && result.length > 2;

/** Blocks strictly between the two, ascending and evenly spread; empty when there are none. */
function spreadBetween(low: number, high: number, maxCount: number): readonly number[] {
  const inside = high - low - 1;
  const count = Math.min(maxCount, inside);
  return Array.from({ length: count }, (_, index) => low + Math.ceil(((index + 1) * (inside + 1)) / (count + 1)));
}
