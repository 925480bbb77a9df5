// Faults of the catalog by chance: a node that fails, lags, repeats itself and forgets, differently with every seed.
import type { Hex } from '../../src/base/hex.ts';
import { type Fault, type FaultyNodeOptions, isLogsCall, stopAt } from './faultyNode.ts';
import type { ScriptedExchange } from './scriptedRpcNode.ts';

export interface Random {
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number from 0 to `limit` - 1. */
  nextBelow(limit: number): number;
  pick<T>(list: readonly T[]): T;
}

type Log = Readonly<Record<string, unknown>>;

const EXCHANGE_FAULTS: readonly ((exchange: ScriptedExchange, random: Random) => void | Promise<void>)[] = [
  ({ send }) => send({ error: 'slow down' }, 429, { 'retry-after': '0' }),
  ({ sendText }) => sendText('Internal Server Error', 500),
  ({ sendText }) => sendText('<html>busy</html>'),
  async ({ honest, sendHalf }) => sendHalf(JSON.stringify(await honest())),
  async ({ honest, send }) => {
    const body = await honest();
    const change = (entry: unknown) => ({ ...(entry as object), id: 987_654 });
    send(Array.isArray(body) ? body.map(change) : change(body));
  },
  async ({ honest, send }) => {
    const body = await honest();
    send(Array.isArray(body) ? body.reverse() : body);
  },
  async ({ honest, send }, random) => {
    const body = await honest();
    send(Array.isArray(body) ? body.slice(0, random.nextBelow(body.length)) : body);
  },
];

const changeLogs =
  (change: (logs: readonly Log[]) => readonly unknown[]): Fault =>
  async (_call, honest) => {
    const reply = await honest();
    return 'result' in reply && Array.isArray(reply.result) ? { result: change(reply.result) } : reply;
  };

const LOGS_FAULTS: readonly Fault[] = [
  changeLogs(() => []),
  changeLogs(logs => [...logs, ...logs]),
  changeLogs(logs => logs.toReversed()),
  changeLogs(logs => logs.map(log => ({ ...log, blockNumber: '0xfffff' }))),
  changeLogs(logs => logs.map(log => ({ ...log, blockHash: null }))),
  changeLogs(logs => logs.map(log => ({ ...log, removed: true }))),
  () => ({ error: { code: -32005, message: 'query returned more than 10000 results' } }),
  () => ({ error: { code: -32602, message: 'BlockOutOfRangeError: block height is 4 but requested was 20' } }),
  ({ params }) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: Hex; toBlock?: Hex };
    return Number(toBlock) - Number(fromBlock) >= 5
      ? { error: { code: -32005, message: 'block range too large, maximum is 5' } }
      : undefined;
  },
];

const ANY_FAULTS: readonly Fault[] = [
  () => ({ error: { code: -32005, message: 'rate limit exceeded' } }),
  () => ({ error: { code: -32000, message: 'header not found' } }),
  () => ({ error: { code: -32603, message: 'Internal error' } }),
  () => ({ error: { code: -32000, message: 'missing trie node' } }),
];

/** Answers that a node gives for what it does not have, or no longer has. */
const NULL_METHODS: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
]);

/**
 * @param fetchHeight The height of the chain behind the gateway: of some requests the gateway knows fewer blocks.
 */
export function createRandomFaults(
  random: Random,
  fetchHeight: () => Promise<number>,
): Required<Pick<FaultyNodeOptions, 'fault' | 'exchange'>> & { stop(): void } {
  let isStopped = false;
  return {
    stop() {
      isStopped = true;
    },
    async exchange(exchange) {
      if (isStopped || !random.chance(0.06)) return false;
      await random.pick(EXCHANGE_FAULTS)(exchange, random);
      return true;
    },
    async fault(call, honest, count) {
      if (isStopped) return undefined;
      if (random.chance(0.03)) {
        const lag = stopAt(Math.max(0, (await fetchHeight()) - 1 - random.nextBelow(6)));
        return lag(call, honest, count);
      }
      if (random.chance(0.01)) return random.pick(ANY_FAULTS)(call, honest, count);
      if (isLogsCall(call)) return random.chance(0.15) ? random.pick(LOGS_FAULTS)(call, honest, count) : undefined;
      if (NULL_METHODS.has(call.method) && random.chance(0.01)) return { result: null };
      return undefined;
    },
  };
}
