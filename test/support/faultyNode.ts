// A gateway in front of a real node with one named fault at a time, for tests of what the service promises of such nodes.
import type { Hex } from '../../src/base/hex.ts';
import {
  forwardTo,
  type NodeScript,
  type ScriptedCall,
  type ScriptedReply,
  type ScriptedRpcNode,
  startScriptedRpcNode,
} from './scriptedRpcNode.ts';

/** The reply instead of the honest one; `undefined` leaves the honest one. `count` counts the calls of each method. */
export type Fault = (
  call: ScriptedCall,
  honest: (call?: ScriptedCall) => Promise<ScriptedReply>,
  count: number,
) => Promise<ScriptedReply | undefined> | ScriptedReply | undefined;

export interface FaultyNode extends ScriptedRpcNode {
  /** In place of the fault before; `null` for none. */
  setFault(fault: Fault | null): void;
}

export interface FaultyNodeOptions {
  readonly fault?: Fault;
  /** What the node says that it is; a public node when absent, so that its blocks count as final some time. */
  readonly client?: string | null;
  /** Takes over whole HTTP requests; `false` leaves them to the node. */
  readonly exchange?: NodeScript['exchange'];
}

export async function startFaultyNode(
  url: string,
  {
    fault: first = () => undefined,
    exchange,
    client = 'Geth/v1.16.5-stable/linux-amd64/go1.25.1',
  }: FaultyNodeOptions = {},
): Promise<FaultyNode> {
  const forward = forwardTo(url);
  let fault: Fault | null = first;
  const counts = new Map<string, number>();
  const node = await startScriptedRpcNode({
    ...(exchange !== undefined && { exchange }),
    async answer(call) {
      const count = (counts.get(call.method) ?? 0) + 1;
      counts.set(call.method, count);
      const honest = async (asked = call): Promise<ScriptedReply> =>
        asked.method === 'web3_clientVersion' && client !== null ? { result: client } : forward(asked);
      return (await fault?.(call, honest, count)) ?? honest();
    },
  });
  return {
    ...node,
    setFault(next) {
      fault = next;
      counts.clear();
    },
  };
}

export const isLogsCall = ({ method }: ScriptedCall): boolean => method === 'eth_getLogs';

/** The first `times` calls of the method get this error. */
export const refuse =
  (method: string, times: number, message: string, code = -32000): Fault =>
  (call, _honest, count) =>
    call.method === method && count <= times ? { error: { code, message } } : undefined;

/** The node of the same chain that has only the blocks up to `head`. */
export const stopAt =
  (head: number): Fault =>
  async ({ method, params }, honest) => {
    const isAbove = (block: unknown) =>
      typeof block === 'string' && /^0x[0-9a-f]{1,8}$/i.test(block) && Number(block) > head;
    const top: Hex = `0x${head.toString(16)}`;
    if (method === 'eth_blockNumber') return { result: top };
    if (method === 'eth_getBlockByNumber') {
      if (params[0] === 'latest') return honest({ method, params: [top, params[1]] });
      return isAbove(params[0]) ? { result: null } : honest();
    }
    return method === 'eth_getLogs' && isAbove((params[0] as { toBlock?: unknown }).toBlock)
      ? { result: [] }
      : honest();
  };
