// Time from a mined block to the first answer that contains it, on a development chain and behind a gateway that lags.
import { setTimeout } from 'node:timers/promises';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { apesAbi, encodeData } from '../support/chain/contractAbis.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { startFaultyNode, stopAt } from '../support/faultyNode.ts';
import { type BenchResult, type BenchRow, median } from './benchResult.ts';

/** One of so many is beyond the 99th percentile. */
const BLOCKS = 100;
/** A client asks again so long after an answer without the block. */
const POLL_MS = 50;
/** The nodes behind a load balancer do not all have a new block at once: for so long some say that there is none. */
const GATEWAY_LAG_MS = 500;

const toPercentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

async function measureLatencies(isPublic: boolean): Promise<readonly number[]> {
  const anvil = await startAnvil(isPublic ? { chainId: 1 } : {});
  const { accounts, contracts } = await fillChain(anvil, { blocks: 24 });
  let minedAt = Number.NEGATIVE_INFINITY;
  let calls = 0;
  const gateway = await startFaultyNode(anvil.url, {
    ...(!isPublic && { client: null }),
    async fault(call, honest, count) {
      const isLate = isPublic && performance.now() - minedAt < GATEWAY_LAG_MS && calls++ % 2 === 0;
      if (!isLate) return undefined;
      return stopAt(Number(await anvil.rpc<Hex>('eth_blockNumber')) - 1)(call, honest, count);
    },
  });
  const backend = createNodeBackend({ log: silentLog });
  const chain = isPublic ? 'eth' : 'local';
  backend.configure({ ...defaultConfiguration, nodes: { [chain]: isPublic ? gateway.url : anvil.url } });
  const request = encodeRequest('contractNftTransfers', { chain, address: contracts.apes, limit: 1 });
  const readNewest = async (): Promise<number> => {
    const { status, body } = await backend.call(request, { forProgram: true });
    const { result } = body as { readonly result?: readonly { readonly block_number: string }[] };
    return status === 200 ? Number(result?.[0]?.block_number ?? -1) : -1;
  };
  try {
    const latencies: number[] = [];
    while ((await readNewest()) < 0);
    for (let block = 0; block < BLOCKS; block++) {
      const data = encodeData(apesAbi.mint, [accounts.alice, 700_000n + BigInt(block)]);
      const { number } = await mineBlock(anvil, [{ from: accounts.deployer, to: contracts.apes, data }]);
      minedAt = performance.now();
      while ((await readNewest()) < number) await setTimeout(POLL_MS);
      latencies.push(performance.now() - minedAt);
    }
    return latencies;
  } finally {
    await backend.stop();
    await gateway.stop();
    await anvil.stop();
  }
}

const toRows = (where: string, latencies: readonly number[], [medianMs, p99Ms]: readonly number[]): BenchRow[] => [
  { what: `${where}: median`, value: median(latencies), unit: 'ms', target: { max: medianMs } },
  { what: `${where}: 99th percentile`, value: toPercentile(latencies, 0.99), unit: 'ms', target: { max: p99Ms } },
];

export async function runHeadLatencyBench(): Promise<BenchResult> {
  return {
    title: `From a mined block to the answer with its transfer, ${BLOCKS} blocks`,
    rows: [
      ...toRows('development chain', await measureLatencies(false), [300, 1_000]),
      ...toRows('public chain, gateway with lag', await measureLatencies(true), [2_000, 10_000]),
    ],
  };
}
