// Prometheus metrics: requests by operation and status, their duration, and the progress of the indexes.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { IndexStatus } from '../service/indexer/indexes.ts';
import type { CompletedRequest } from './httpApp.ts';

export interface MetricsDeps {
  getIndexStatuses(): readonly IndexStatus[];
  /** The process runs nothing else, so that its memory and CPU are the service's. */
  readonly ownsProcess: boolean;
}

/** From cached replies to the timeout of a slow node. */
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

export function createMetrics({ getIndexStatuses, ownsProcess }: MetricsDeps) {
  const registry = new Registry();
  const requests = new Counter({
    name: 'hexlens_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['operation', 'status', 'key'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'hexlens_request_seconds',
    help: 'Seconds from the headers of a request to its response.',
    labelNames: ['operation'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  const addChainGauge = (name: string, help: string, getValue: (status: IndexStatus) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['chain'],
      registers: [registry],
      collect() {
        this.reset();
        for (const status of getIndexStatuses()) {
          const value = getValue(status);
          if (value !== null) this.set({ chain: status.chain }, value);
        }
      },
    });
  addChainGauge(
    'hexlens_chain_head',
    "The chain's newest block when its node was last queried.",
    ({ nodeHead }) => nodeHead,
  );
  addChainGauge(
    'hexlens_index_block',
    'The newest block in the index of the chain.',
    ({ indexedBlock }) => indexedBlock,
  );
  addChainGauge(
    'hexlens_index_synced',
    '1 when the index has every block of the chain, else 0.',
    ({ nodeHead, indexedBlock, fault }) =>
      Number(fault === null && nodeHead !== null && indexedBlock !== null && indexedBlock >= nodeHead),
  );
  if (ownsProcess) collectDefaultMetrics({ register: registry });
  return {
    observe({ operation, status, durationMs, keyName }: CompletedRequest) {
      // Unknown paths share one label, so that callers cannot create new ones.
      const label = operation ?? 'none';
      requests.inc({ operation: label, status, key: keyName ?? 'none' });
      seconds.observe({ operation: label }, durationMs / 1000);
    },
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
