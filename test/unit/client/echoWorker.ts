// A real worker whose behavior is chosen by each request's path.
import { parentPort, threadId } from 'node:worker_threads';
import type { Configuration } from '../../../src/api/configuration.ts';
import type { LookupOutput } from '../../../src/api/lookups.ts';
import type { WireReply, WireRequest } from '../../../src/api/wire/request.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { serveWorkerPort } from '../../../src/worker/serveBackend.ts';

if (parentPort === null) throw new Error('This file runs in a worker.');
let configuration: Configuration | undefined;
let aborted = 0;

const reply = (body: unknown): WireReply => ({ status: 200, headers: {}, body });

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      aborted++;
      reject(new HexLensError('cancelled', 'The request was cancelled.'));
    });
  });

async function handleRequest({ path }: WireRequest, { signal }: { readonly signal: AbortSignal }): Promise<WireReply> {
  if (path === '/thread') return reply(threadId);
  if (path === '/configuration') return reply(configuration);
  if (path === '/aborted') return reply(aborted);
  if (path === '/hang') return untilAborted(signal);
  if (path === '/die') process.exit(3);
  if (path === '/throw') setImmediate(() => Promise.reject(new RangeError('out of luck')));
  if (path === '/throw') return untilAborted(signal);
  if (path === '/large')
    return reply(Array.from({ length: 1_000 }, (_, i) => ({ index: i, value: 'x'.repeat(1_000) })));
  if (path === '/function') return reply(() => 1);
  if (path === '/plain') throw new TypeError('out of luck');
  if (path === '/events') {
    server.notify('log', [{ level: 'warn', message: 'from the worker' }]);
    server.notify('progress', {
      task: 'sync',
      kind: 'index',
      chain: 'local',
      address: null,
      done: 1,
      total: null,
      isRunning: true,
    });
    return reply(null);
  }
  throw new HexLensError('rate-limited', 'Too many.', {
    fix: 'Wait.',
    details: 'detail',
    retryAfterMs: 7,
    issues: [{ field: 'a', message: 'b' }],
  });
}

const server = serveWorkerPort(parentPort, {
  calls: {
    serveHttp: async endpoint => {
      if (endpoint?.port === 1) throw new HexLensError('bad-input', 'Port 1 may not be used by you.');
      return endpoint === null ? null : `http://127.0.0.1:${endpoint.port}`;
    },
    request: handleRequest,
  },
  notifications: {
    configure(next) {
      if (next.timeoutMs === 13) throw new HexLensError('bad-input', 'timeoutMs must not be 13.');
      configuration = next;
    },
    pauseTask() {},
    resumeTask() {},
  },
  async lookup(_id, input) {
    const chain = 'chain' in input ? input.chain : '';
    if (chain === 'hang') return new Promise(() => {});
    // The test asks for chainStatus only.
    return { selector: chain, head: 1, headTime: new Date(0), total: 1n } as unknown as LookupOutput<typeof _id>;
  },
  async stop() {
    if (configuration?.timeoutMs === 14) await new Promise(() => {});
  },
});
