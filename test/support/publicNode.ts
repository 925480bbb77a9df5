// A real Anvil that behaves like a provider's node of a public chain: limited ranges, no old state, rate limits.
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import type { Anvil } from './chain/anvil.ts';
import { startFilledAnvil } from './chain/filledAnvil.ts';
import type { TestChain } from './chain/testChain.ts';
import {
  forwardTo,
  notFound,
  type ScriptedCall,
  type ScriptedReply,
  type ScriptedRpcNode,
  startScriptedRpcNode,
} from './scriptedRpcNode.ts';

export interface PublicNodeOptions {
  /** Blocks that one `eth_getLogs` may span, and the error for more. */
  readonly range?: { readonly blocks: number; message(blocks: number): string };
  /** Logs that one answer may hold; more is refused without saying how many blocks would do. */
  readonly results?: number;
  /** Newest blocks whose state the node has; all when absent. */
  readonly states?: number;
  /** Every so many HTTP requests one is refused with status 429. */
  readonly limitEvery?: number;
  /** Without `blockTimestamp` in logs, as older nodes. */
  readonly untimed?: boolean;
  /** Changes or holds back answers; `undefined` leaves them as they are. */
  override?(call: ScriptedCall, honest: () => Promise<ScriptedReply>): Promise<ScriptedReply> | undefined;
}

interface Range {
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
}

const STATE_METHODS: Readonly<Record<string, number>> = { eth_getCode: 1, eth_getBalance: 1, eth_call: 1 };

/** In front of the node at `url`; the options are read at each call, so that a test may change them. */
export function startPublicNode(url: string, options: PublicNodeOptions = {}): Promise<ScriptedRpcNode> {
  const forward = forwardTo(url);
  const headNow = async () =>
    Number(((await forward({ method: 'eth_blockNumber', params: [] })) as { result: Hex }).result);

  const honest = async (call: ScriptedCall): Promise<ScriptedReply> => {
    const { method, params } = call;
    const { range, results, states, untimed = false } = options;
    if (method === 'web3_clientVersion') return { result: 'Geth/v1.16.5-stable/linux-amd64/go1.25.1' };
    if (!method.startsWith('eth_')) return notFound;
    const at = STATE_METHODS[method];
    const block = at === undefined ? undefined : params[at];
    if (
      states !== undefined &&
      typeof block === 'string' &&
      /^0x/.test(block) &&
      Number(block) <= (await headNow()) - states
    )
      return { error: { code: -32000, message: 'missing trie node 5f3c (path ) state is not available' } };
    if (method !== 'eth_getLogs') return forward(call);
    const { fromBlock, toBlock } = params[0] as Range;
    if (range !== undefined && Number(toBlock) - Number(fromBlock) + 1 > range.blocks)
      return { error: { code: -32005, message: range.message(range.blocks) } };
    const reply = await forward(call);
    if (!('result' in reply)) return reply;
    const logs = reply.result as readonly Readonly<Record<string, unknown>>[];
    if (results !== undefined && logs.length > results)
      return { error: { code: -32005, message: `query returned more than ${results} results` } };
    return untimed ? { result: logs.map(({ blockTimestamp: _, ...log }) => log) } : reply;
  };
  return startScriptedRpcNode({
    answer: call => options.override?.(call, () => honest(call)) ?? honest(call),
    exchange({ number, send }) {
      if (options.limitEvery === undefined || number % options.limitEvery !== 0) return false;
      send({ error: { code: 429, message: 'Too Many Requests' } }, 429, { 'retry-after': '0' });
      return true;
    },
  });
}

export interface PublicChain {
  readonly anvil: Anvil;
  readonly chain: TestChain;
}

/** The filled test chain under Ethereum's chain id, with empty blocks behind it up to `height`. */
export async function startPublicChain(height: number): Promise<PublicChain> {
  const { anvil, chain } = await startFilledAnvil({ chainId: 1 });
  await anvil.rpc('anvil_mine', [toQuantity(height - chain.head.number), toQuantity(12)]);
  return { anvil, chain };
}
