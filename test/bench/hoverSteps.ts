// What each layer between a hover and the node adds to the bare calls in one batch.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { JsonRpcClient } from '../../src/service/evm/rpcClient.ts';
import type { RpcCall } from '../../src/service/evm/rpcMessage.ts';
import { Service } from '../../src/service/service.ts';
import type { Backend } from '../../src/worker/backend.ts';
import { createEgress, createEgressPolicy } from '../../src/worker/egress.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { type BenchRow, median } from './benchResult.ts';

type LookUp<Subject> = (subject: Subject) => Promise<unknown>;

/** One kind of hover: its subjects are looked up once each. */
interface HoverKind<Subject> {
  readonly name: string;
  readonly getCalls: (subject: Subject) => readonly RpcCall[];
  readonly lookUp: (service: Service | Backend, subject: Subject) => Promise<unknown>;
  readonly getSubject: (index: number) => Subject;
  readonly runs: number;
}

/** Closed after the bench. */
export interface HoverLayers {
  measure<Subject>(
    kind: HoverKind<Subject>,
    bare: LookUp<Subject>,
    throughWorker: LookUp<Subject>,
  ): Promise<readonly BenchRow[]>;
  stop(): Promise<void>;
}

export function createHoverLayers(url: string): HoverLayers {
  const configuration = { ...defaultConfiguration, nodes: { local: url } };
  const port = createUndiciHttp(defaultConfiguration.proxy);
  const policy = createEgressPolicy(configuration);
  const http = createEgress({ http: port, getPolicy: () => policy, log: silentLog });
  const rpc = (over: typeof http) =>
    new JsonRpcClient({
      ...{ selector: 'local', url, http: over, clock: systemClock },
      log: silentLog,
      timeoutMs: 9_000,
    });
  const [overPort, overEgress] = [rpc(port), rpc(http)];
  const service = new Service({ endpoints: { nodes: { local: url } }, http, clock: systemClock, log: silentLog });
  const backend = createNodeBackend({ log: silentLog });
  backend.configure(configuration);
  const thread = new Worker(join(import.meta.dirname, 'bareBatchWorker.ts'), { workerData: url });
  const sendFromThread = (calls: readonly RpcCall[]) =>
    new Promise(resolve => {
      thread.once('message', resolve);
      thread.postMessage(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
    });
  return {
    async measure({ name, getCalls, lookUp, getSubject, runs }, bare, throughWorker) {
      const steps: readonly (readonly [what: string, run: typeof bare])[] = [
        ['the bare batch', bare],
        ['the bare batch from a thread of its own', subject => sendFromThread(getCalls(subject))],
        ['with HTTP port and JSON-RPC client', subject => overPort.sendAll(getCalls(subject))],
        ['with egress', subject => overEgress.sendAll(getCalls(subject))],
        ['with the lookup', subject => lookUp(service, subject)],
        ['with cache and deduplication', subject => lookUp(backend, subject)],
        ['with the worker thread', throughWorker],
      ];
      const times = steps.map((): number[] => []);
      let next = 0;
      for (let run = 0; run < runs; run++)
        for (let turn = 0; turn < steps.length; turn++) {
          // Another one begins each time, so that no step always follows the same one.
          const index = (turn + run) % steps.length;
          const subject = getSubject(next++);
          const start = performance.now();
          await steps[index]?.[1](subject);
          times[index]?.push(performance.now() - start);
        }
      const medians = times.map(median);
      return steps.flatMap(([what], index) => [
        { what: `${name}: ${what}`, value: medians[index] ?? 0, unit: 'ms' },
        ...(index === 0
          ? []
          : [{ what: '... against the bare batch', value: (medians[index] ?? 0) / (medians[0] ?? 1), unit: 'x' }]),
      ]);
    },
    async stop() {
      await Promise.all([service.stop(), backend.stop(), thread.terminate()]);
      await port.stop();
    },
  };
}
