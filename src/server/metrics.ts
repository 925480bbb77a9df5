// What Prometheus reads: requests by operation and status, how long they took, how far the indexes of chains are.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { IndexStatus } from '../service/indexer/indexes.ts';
import type { CompletedRequest } from './app.ts';

export interface Metrics {
  observe(observed: CompletedRequest): void;
  /** The text format of Prometheus. */
  render(): Promise<{ readonly type: string; readonly text: string }>;
}

export interface MetricsDeps {
  indexStates(): readonly IndexStatus[];
  /** The process does nothing else, so that its memory and CPU are the service's. */
  readonly ownsProcess: boolean;
}

/** Seconds: from answers out of memory to what the slowest node may take. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

export function createMetrics({ indexStates, ownsProcess }: MetricsDeps): Metrics {
  const registry = new Registry();
  const requests = new Counter({
    name: 'hexlens_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['operation', 'status', 'key'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'hexlens_request_seconds',
    help: 'Seconds from the headers of a request to its answer.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const gauge = (name: string, help: string, read: (state: IndexStatus) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['chain'],
      registers: [registry],
      collect() {
        this.reset();
        for (const state of indexStates()) {
          const value = read(state);
          if (value !== null) this.set({ chain: state.chain }, value);
        }
      },
    });
  gauge(
    'hexlens_chain_head',
    "The chain's newest block when its node was last looked at.",
    ({ nodeHead: head }) => head,
  );
  gauge('hexlens_index_block', 'The newest block in the index of the chain.', ({ indexedBlock: indexed }) => indexed);
  gauge(
    'hexlens_index_synced',
    '1 when the index has every block of the chain, else 0.',
    ({ nodeHead: head, indexedBlock: indexed, fault }) =>
      Number(fault === null && head !== null && indexed !== null && indexed >= head),
  );
  if (ownsProcess) collectDefaultMetrics({ register: registry });
  return {
    observe({ operation, status, durationMs: ms, keyName: caller }) {
      // What is no operation of ours has one name, so that nobody makes up new ones.
      const name = operation ?? 'none';
      requests.inc({ operation: name, status, key: caller ?? 'none' });
      seconds.observe({ operation: name }, ms / 1000);
    },
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
