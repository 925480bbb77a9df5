// The logs of one block that has more than one response should: read as they arrive, so that the response is never in memory.
import { toQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { ChainLog } from './chainLog.ts';
import { type IndexLogFilter, parseFilteredLogs } from './logFilters.ts';
import { LogsStream } from './readLogsBody.ts';

/** What each filter finds; `null` where a response has another form than nodes usually write, and in browsers. */
export async function fetchLogsOfLargeBlock(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  block: number,
  signal: AbortSignal,
): Promise<readonly (readonly ChainLog[])[] | null> {
  if (typeof Buffer === 'undefined') return null;
  const number = toQuantity(block);
  const answers: (readonly ChainLog[])[] = [];
  for (const filter of filters) {
    const stream = new LogsStream();
    const params = [{ fromBlock: number, toBlock: number, ...filter }];
    await node.rpc.sendStreamed('eth_getLogs', params, bytes => stream.add(bytes), signal);
    const found = stream.end();
    if (found === undefined) return null;
    answers.push(node.validate('eth_getLogs', () => parseFilteredLogs(found.value.result, filter, block, block)));
  }
  return answers;
}
