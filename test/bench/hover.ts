// Hover latency through the real worker against the bare JSON-RPC calls that the same hover needs.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { WorkerConnection } from '../../src/client/workerConnection.ts';
import { renderTransactionSummary } from '../../src/view/hover/summaryHover.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { allHoverParts } from '../support/hoverParts.ts';
import { type BenchResult, type BenchRow, measureInTurn, median } from './benchResult.ts';
import { createHoverLayers } from './hoverSteps.ts';

const worker = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/worker.js');

type Call = readonly [method: string, ...params: unknown[]];

const transactionCalls = (hash: Hex): readonly Call[] => [
  ['eth_getTransactionByHash', hash],
  ['eth_getTransactionReceipt', hash],
  ['eth_getBlockByHash', hash, false], // it may be a block hash
];

/** ERC-1967: the storage slot with the implementation of a proxy. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

const accountCalls = (address: Hex): readonly Call[] => [
  ['eth_getBalance', address, 'latest'],
  ['eth_getTransactionCount', address, 'latest'],
  ['eth_getCode', address, 'latest'],
  ['eth_getStorageAt', address, IMPLEMENTATION_SLOT, 'latest'],
];

const STEP_RUNS = 300;

/**
 * Cold: literals that were never looked up. Warm: the same literal again, including its Markdown.
 *
 * @param options `steps`: also what each layer adds.
 */
export async function runHoverBench({
  steps: hasSteps = false,
}: {
  readonly steps?: boolean;
} = {}): Promise<BenchResult> {
  const anvil = await startAnvil();
  const pool = new Pool(anvil.url);
  const link = new WorkerConnection({ start: () => new Worker(worker), clock: systemClock, log: silentLog });
  try {
    const chain = await fillChain(anvil);
    link.configure({ ...defaultConfiguration, nodes: { local: anvil.url } });
    const post = async (body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await pool.request({ path: '/', method: 'POST', headers, body: JSON.stringify(body) });
      return response.body.json();
    };
    const calls = (wanted: readonly Call[]) =>
      wanted.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    /** Each call in a request of its own, concurrently, as libraries do by default. */
    const single = (wanted: readonly Call[]) => Promise.all(calls(wanted).map(post));
    /** All calls in one JSON-RPC batch: the fastest way. */
    const batch = (wanted: readonly Call[]) => post(calls(wanted));
    const blocks = await anvil.batch<{ transactions: Hex[] }>(
      Array.from({ length: chain.head.number }, (_, i) => ({
        method: 'eth_getBlockByNumber',
        params: [`0x${(i + 1).toString(16)}`, false],
      })),
    );
    const hashes = blocks.flatMap(block => block.transactions);
    const runs = Math.min(150, Math.floor(hashes.length / 2));
    const hashAt = (i: number) => hashes[i] as Hex;
    const address = (from: number, i: number): Hex => `0x${(from + i).toString(16).padStart(40, '1')}`;
    const lookUpHash = (hash: Hex) => link.lookup('hashSummary', { chain: 'local', hash });
    const lookUpAddress = (of: Hex) => link.lookup('addressSummary', { chain: 'local', address: of });
    // The first calls of both sides open connections and compile code, which later hovers do not. Until the batches are
    // measured, both have sent as many requests: code gets faster with each of the first thousand.
    for (let i = 0; i < 100; i++) {
      await lookUpHash(`0x${i.toString(16).padStart(64, '0')}`);
      await batch(transactionCalls(`0x${i.toString(16).padStart(64, '1')}`));
      await lookUpAddress(address(9_000_000, i));
      await batch(accountCalls(address(9_500_000, i)));
    }
    const batches = {
      transaction: await measureInTurn(
        runs,
        i => lookUpHash(hashAt(runs + i)),
        i => batch(transactionCalls(hashAt(runs + i))),
      ),
      account: await measureInTurn(
        runs,
        i => lookUpAddress(address(3_000_000, i)),
        i => batch(accountCalls(address(4_000_000, i))),
      ),
    };
    const singles = {
      transaction: await measureInTurn(
        runs,
        i => lookUpHash(hashAt(i)),
        i => single(transactionCalls(hashAt(i))),
      ),
      account: await measureInTurn(
        runs,
        i => lookUpAddress(address(1_000_000, i)),
        i => single(accountCalls(address(2_000_000, i))),
      ),
    };
    const steps: BenchRow[] = [];
    if (hasSteps) {
      const layers = createHoverLayers(anvil.url);
      try {
        const toCalls = (wanted: readonly Call[]) => wanted.map(([method, ...params]) => ({ method, params }));
        const account = {
          name: 'account',
          runs: STEP_RUNS,
          getSubject: (index: number) => address(5_000_000, index),
          getCalls: (of: Hex) => toCalls(accountCalls(of)),
          lookUp: (from: Parameters<Parameters<typeof layers.measure>[0]['lookUp']>[0], of: Hex) =>
            from.lookup('addressSummary', { chain: 'local', address: of }),
        };
        await layers.measure(
          { ...account, getSubject: index => address(6_000_000, index) },
          of => batch(accountCalls(of)),
          lookUpAddress,
        );
        steps.push(...(await layers.measure(account, of => batch(accountCalls(of)), lookUpAddress)));
      } finally {
        await layers.stop();
      }
    }
    const warm: number[] = [];
    const context = {
      parts: allHoverParts,
      now: 1_700_000_000_000,
      getName: () => null,
      chain: 'local',
      getCallText: () => null,
      getToken: () => null,
      getEventText: () => null,
    };
    for (let i = 0; i < 300; i++) {
      const start = performance.now();
      const summary = await link.lookup('hashSummary', { chain: 'local', hash: chain.transactions.mintApe });
      if (summary.kind === 'transaction') renderTransactionSummary(summary, context);
      warm.push(performance.now() - start);
    }
    return {
      title: 'Hover (through the worker, real Anvil)',
      rows: [
        { what: 'transaction, cold', value: singles.transaction.ours, unit: 'ms' },
        {
          what: 'transaction, cold, against the bare calls, one request each',
          value: singles.transaction.ratio,
          unit: 'x',
          target: { max: 1.3 },
        },
        {
          what: 'transaction, cold, against the bare calls in one batch',
          value: batches.transaction.ratio,
          unit: 'x',
          target: { max: 1.2 },
        },
        { what: 'account, cold', value: singles.account.ours, unit: 'ms' },
        {
          what: 'account, cold, against the bare calls, one request each',
          value: singles.account.ratio,
          unit: 'x',
          target: { max: 1.3 },
        },
        {
          what: 'account, cold, against the bare calls in one batch',
          value: batches.account.ratio,
          unit: 'x',
          target: { max: 1.3 },
        },
        ...steps,
        { what: 'transaction, warm, median', value: median(warm), unit: 'ms', target: { max: 2 } },
      ],
    };
  } finally {
    await link.stop();
    await pool.close();
    await anvil.stop();
  }
}
