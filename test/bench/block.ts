// A block of 1,000 transactions through the embedded service against a bare fetch and parse of the same calls.

import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import { systemClock } from '../../src/base/clock.ts';
import { toQuantity } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { Service } from '../../src/service/service.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { mineBusyBlock } from '../support/chain/chainLoad.ts';
import { type BenchResult, measureInTurn } from './benchResult.ts';

const TRANSACTIONS = 1_000;
const WARM_UP = 4;
const RUNS = 15;

/** Both sides use the same HTTP client and connections; ours validates, converts and encodes the responses. */
export async function runBlockBench(): Promise<BenchResult> {
  const anvil = await startAnvil();
  const http = createUndiciHttp(defaultProxyConfiguration);
  const service = new Service({ endpoints: { nodes: { local: anvil.url } }, http, clock: systemClock, log: silentLog });
  try {
    const { number, logs } = await mineBusyBlock(anvil, TRANSACTIONS);
    const height = toQuantity(number);
    const bare = async (method: string, params: readonly unknown[]): Promise<unknown> => {
      const response = await http.send({
        method: 'POST',
        url: anvil.url,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        logLabel: method,
      });
      return JSON.parse(response.body);
    };
    const plainCalls = () =>
      Promise.all([bare('eth_getBlockByNumber', [height, true]), bare('eth_getBlockReceipts', [height])]);
    const tracedCalls = async () => {
      await plainCalls();
      await bare('trace_block', [height]);
    };
    const plainRequest = encodeRequest('block', { block: number });
    const tracedRequest = encodeRequest('block', { block: number, include: 'internal_transactions' });
    const ask = async (request: typeof plainRequest) => {
      const { status, body } = await service.handle(request);
      const { transactions } = body as { transactions: readonly { logs: readonly unknown[] }[] };
      const found = transactions.reduce((sum, transaction) => sum + transaction.logs.length, 0);
      if (status !== 200 || transactions.length !== TRANSACTIONS || found !== logs)
        throw new Error(`The service gave ${transactions.length} transactions and ${found} logs.`);
    };
    for (let run = 0; run < WARM_UP; run++) {
      await ask(tracedRequest);
      await tracedCalls();
    }
    const plain = await measureInTurn(RUNS, () => ask(plainRequest), plainCalls);
    const traced = await measureInTurn(RUNS, () => ask(tracedRequest), tracedCalls);
    return {
      title: `Block of ${TRANSACTIONS} transactions and ${logs} logs`,
      rows: [
        { what: 'bare calls: block and receipts, fetched and parsed', value: plain.theirs, unit: 'ms' },
        { what: 'service: block', value: plain.ours, unit: 'ms' },
        { what: 'service against bare calls', value: plain.ratio, unit: 'x', target: { max: 1.5 } },
        { what: 'bare calls with trace_block', value: traced.theirs, unit: 'ms' },
        { what: 'service: block with internal transactions', value: traced.ours, unit: 'ms' },
        { what: 'service against bare calls, traced', value: traced.ratio, unit: 'x', target: { max: 1.5 } },
      ],
    };
  } finally {
    await service.stop();
    await http.stop();
    await anvil.stop();
  }
}
