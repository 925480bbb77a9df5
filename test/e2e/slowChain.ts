// A public chain whose node responds only up to the block that a test allows, so that indexing takes as long as needed.
import type { Hex } from '../../src/base/hex.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { startPublicChain, startPublicNode } from '../support/publicNode.ts';
import type { ScriptedRpcNode } from '../support/scriptedRpcNode.ts';

export interface SlowChain {
  readonly chain: TestChain;
  /** Height of the chain. */
  readonly height: number;
  readonly node: ScriptedRpcNode;
  /** Responds to requests for logs up to this block; later ones wait. */
  allow(block: number): void;
  /** The lowest block whose logs were requested since call number `from`. */
  lowestSince(from: number): number;
  stop(): Promise<void>;
}

interface Range {
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
}

const BLOCKS = 20;
const range = { blocks: BLOCKS, message: (blocks: number) => `Max range: ${blocks}` };

export async function startSlowChain(height: number): Promise<SlowChain> {
  const { anvil, chain } = await startPublicChain(height);
  let limit = 0;
  let waiting: (() => void)[] = [];
  const node = await startPublicNode(anvil.url, {
    range,
    async override({ method, params }, honest) {
      const { fromBlock, toBlock } = (params[0] ?? {}) as Range;
      // Too wide ranges are rejected at once.
      const late = () => Number(toBlock) > limit && Number(toBlock) - Number(fromBlock) < BLOCKS;
      while (method === 'eth_getLogs' && late()) await new Promise<void>(done => waiting.push(done));
      return honest();
    },
  });
  const allow = (block: number) => {
    limit = block;
    const released = waiting;
    waiting = [];
    for (const release of released) release();
  };
  return {
    chain,
    height,
    node,
    allow,
    lowestSince: from =>
      Math.min(
        ...node.calls
          .slice(from)
          .filter(({ method }) => method === 'eth_getLogs')
          .map(({ params }) => Number((params[0] as Range).fromBlock)),
      ),
    async stop() {
      allow(Number.POSITIVE_INFINITY);
      await node.stop();
      await anvil.stop();
    },
  };
}

/** Settings of a window with only this chain. */
export const slowSettings = ({ node }: Pick<SlowChain, 'node'>) => ({ 'hexlens.nodes': { eth: node.url } });
