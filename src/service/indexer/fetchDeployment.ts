// The block in which a contract came to be, by bisection on its code; or from where on to look, where old state is gone.
import { type Hex, isHex, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';

export interface Deployment {
  /** There is nothing of the contract below this block. */
  readonly block: number;
  /** False when the node has too little old state to tell: then `block` may be far too low. */
  readonly isExact: boolean;
}

const CODE = 'eth_getCode';
/** Blocks asked at once: 20 million of them take eight rounds. */
const PROBES = 7;

/** Blocks at which a contract without code is looked for: what destroyed itself had some in between. */
const GRAVES = 31;

/**
 * A contract that has no code at `head`, and had none at any of the blocks that are tried, begins there. Rejects with
 * `node-error` when the node gives no code at all.
 */
export async function fetchDeployment(
  node: EvmNode,
  address: Hex,
  head: number,
  signal: AbortSignal,
): Promise<Deployment> {
  const codeAt = (block: number) => ({ method: CODE, params: [address, toQuantity(block)] });
  const lastSeen = async (): Promise<number | null> => {
    const blocks = between(-1, head, GRAVES);
    const answers = await node.rpc.sendAll(blocks.map(codeAt), signal);
    return blocks.findLast((_, index) => hasCode(answers[index]?.result)) ?? null;
  };
  const [now] = await node.rpc.sendAll([codeAt(head)], signal);
  const alive = hasCode(node.getResult(CODE, now)) ? head : await lastSeen();
  if (alive === null) return { block: head, isExact: true };
  // Invariant: without code at `absent`, nobody knows at `unknown` and below (down to `absent`), with code at `present`.
  let absent = -1;
  let unknown = -1;
  let present = alive;
  for (;;) {
    const low = Math.max(absent, unknown);
    const probes = between(low, present);
    if (probes.length === 0)
      return low === absent ? { block: present, isExact: true } : { block: absent + 1, isExact: false };
    const answers = await node.rpc.sendAll(probes.map(codeAt), signal);
    for (const [index, block] of probes.entries()) {
      const answer = answers[index];
      if (answer === undefined || answer.error !== undefined || !isHex(answer.result)) unknown = block;
      else if (hasCode(answer.result)) {
        present = block;
        break;
      } else absent = block;
    }
  }
}

const hasCode = (result: unknown) => isHex(result) && result.length > 2;

/** Blocks strictly between the two, ascending and evenly spread; empty when there are none. */
function between(low: number, high: number, most = PROBES): readonly number[] {
  const inside = high - low - 1;
  const count = Math.min(most, inside);
  return Array.from({ length: count }, (_, index) => low + Math.ceil(((index + 1) * (inside + 1)) / (count + 1)));
}
