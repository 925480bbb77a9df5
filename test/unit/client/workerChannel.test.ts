// The channel with a real worker: replies, faults, cancellation, and workers that exit during a call.
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import type { WorkerEvent } from '../../../src/api/workerProtocol.ts';
import { HexLensError, toPlainFault } from '../../../src/base/errors.ts';
import { localizable, setTranslations } from '../../../src/base/localize.ts';
import { faultFromReply } from '../../../src/client/client.ts';
import { WorkerChannel } from '../../../src/client/workerConnection.ts';
import { serveWorkerPort } from '../../../src/worker/serveBackend.ts';
import { expectFault } from './expectFault.ts';
import { request, startWorker } from './workerSetup.ts';

describe('WorkerChannel with a worker', () => {
  const open = () => {
    const events: WorkerEvent[] = [];
    const worker = startWorker();
    const port = new WorkerChannel(worker, { onEvent: event => events.push(event) });
    const body = async (path: string) => (await port.send(request(path))).body;
    return { worker, port, events, body };
  };

  test('passes replies unchanged, many at a time', async () => {
    const { port, body } = open();
    expect(await body('/large')).toHaveLength(1_000);
    const all = await Promise.all(Array.from({ length: 50 }, () => port.send(request('/thread'))));
    expect(new Set(all.map(reply => reply.body)).size).toBe(1);
  });

  test('passes dates and bigints of lookups', async () => {
    const { port } = open();
    expect(await port.lookup('chainStatus', { chain: 'local' })).toEqual({
      selector: 'local',
      head: 1,
      headTime: new Date(0),
      total: 1n,
    });
  });

  test('passes every field of a fault', async () => {
    const { body } = open();
    expect(await expectFault(body('/fault'))).toMatchObject({
      code: 'rate-limited',
      message: 'Too many.',
      fix: 'Wait.',
      details: 'detail',
      retryAfterMs: 7,
      issues: [{ field: 'a', message: 'b' }],
    });
  });

  test.each(['/plain', '/function'])(
    'turns an unexpected error in the worker into an internal fault: %s',
    async path => {
      const { body } = open();
      const fault = await expectFault(body(path));
      expect(fault.code).toBe('internal');
      expect(fault.message).toBe('Something went wrong inside HexLens.');
      expect(await body('/thread')).toBeGreaterThan(0);
    },
  );

  test('applies a configuration, and logs one that the worker rejects', async () => {
    const { port, body, events } = open();
    port.notify('configure', { ...defaultConfiguration, timeoutMs: 99 });
    port.notify('configure', { ...defaultConfiguration, timeoutMs: 13 });
    expect(await body('/configuration')).toMatchObject({ timeoutMs: 99 });
    expect(events).toEqual([
      { type: 'log', level: 'error', message: 'The configuration was rejected: timeoutMs must not be 13.' },
    ]);
  });

  test('passes log lines and progress as events', async () => {
    const { body, events } = open();
    await body('/events');
    expect(events).toEqual([
      { type: 'log', level: 'warn', message: 'from the worker' },
      {
        type: 'progress',
        progress: { task: 'sync', kind: 'index', chain: 'local', address: null, done: 1, total: null, isRunning: true },
      },
    ]);
  });

  test('rejects at once when a call is cancelled, and aborts it in the worker', async () => {
    const { port, body } = open();
    const controller = new AbortController();
    const hanging = port.send(request('/hang'), { signal: controller.signal });
    expect(await body('/aborted')).toBe(0);
    controller.abort();
    expect((await expectFault(hanging)).code).toBe('cancelled');
    expect(await body('/aborted')).toBe(1);
    expect((await expectFault(port.send(request('/thread'), { signal: AbortSignal.abort() }))).code).toBe('cancelled');
  });

  test('rejects an input that cannot be cloned with an internal fault', async () => {
    const { port } = open();
    const input = { chain: (() => 'local') as unknown as string };
    expect((await expectFault(port.lookup('chainStatus', input))).code).toBe('internal');
  });

  test.each([
    ['exits', '/die', undefined],
    ['throws', '/throw', 'RangeError: out of luck'],
  ])('rejects pending and later calls when the worker %s', async (_name, path, details) => {
    const { port } = open();
    const pending = [
      port.send(request('/hang')),
      port.lookup('chainStatus', { chain: 'hang' }),
      port.send(request(path)),
    ].map(expectFault);
    for (const fault of await Promise.all(pending)) {
      expect(fault).toMatchObject({
        code: 'backend-stopped',
        message: 'The HexLens service stopped before it responded.',
        details,
      });
    }
    expect((await expectFault(port.send(request('/thread')))).code).toBe('backend-stopped');
  });
});

describe('WorkerChannel with a MessageChannel', () => {
  const idle = {
    calls: { request: async () => ({ status: 200, headers: {}, body: null }), serveHttp: async () => null },
    lookup: () => Promise.reject(new HexLensError('internal', 'Not used.')),
    notifications: { configure() {}, pauseTask() {}, resumeTask() {} },
    stop: async () => {},
  };

  test('localizes faults of lookups, statuses and replies on this side', async () => {
    const { port1, port2 } = new MessageChannel();
    const fault = new HexLensError('no-node', localizable('No node for {0}.', 'eth'), { fix: localizable('Add one.') });
    const problem = 'No node for eth. Add one.';
    const status = { selector: 'eth', source: 'node', chain: null, head: null, headTime: null, client: null } as const;
    const server = serveWorkerPort(port2, {
      ...idle,
      calls: {
        ...idle.calls,
        request: async () => ({ status: 400, headers: {}, body: { message: problem }, fault: toPlainFault(fault) }),
      },
      async lookup(id): Promise<never> {
        if (id !== 'aptosStatus') throw fault;
        return { ...status, problem, fault: toPlainFault(fault) } as never; // the same for all look-ups of a status
      },
    });
    setTranslations({ 'No node for {0}.': 'Kein Node für {0}.', 'Add one.': 'Einen hinzufügen.' });
    try {
      const event = new Promise<WorkerEvent>(resolve => {
        new WorkerChannel(port1, { onEvent: resolve });
        server.notify('headChange', 'eth');
      });
      const german = 'Kein Node für eth. Einen hinzufügen.';
      expect(await event).toEqual({ type: 'headChange', chain: 'eth' });
      const port = new WorkerChannel(port1);
      expect(await port.lookup('aptosStatus', { network: 'local' })).toEqual({ ...status, problem: german });
      expect(await expectFault(port.lookup('chainStatus', { chain: 'eth' }))).toMatchObject({
        code: 'no-node',
        message: 'Kein Node für eth.',
        fix: 'Einen hinzufügen.',
      });
      const reply = await port.send(request('/here'));
      expect(reply.body).toEqual({ message: problem });
      expect(faultFromReply(reply).message).toBe(german);
    } finally {
      setTranslations(undefined);
      port1.close();
    }
  });

  test('handles calls until it is stopped, then closes the port', async () => {
    const { port1, port2 } = new MessageChannel();
    let stops = 0;
    serveWorkerPort(port2, {
      ...idle,
      calls: {
        ...idle.calls,
        request: async ({ path }) =>
          path === '/hang' ? new Promise(() => {}) : { status: 200, headers: {}, body: path },
      },
      lookup: () => Promise.reject(new HexLensError('no-node', 'None.')),
      async stop() {
        stops++;
      },
    });
    const port = new WorkerChannel(port1);
    expect((await port.send(request('/here'))).body).toBe('/here');
    expect((await expectFault(port.lookup('chainStatus', { chain: 'eth' }))).code).toBe('no-node');
    const hanging = expectFault(port.send(request('/hang')));
    port.notify('stop', null);
    expect((await hanging).code).toBe('backend-stopped');
    await port.exited;
    expect(stops).toBe(1);
  });

  test('stops and aborts running calls when the port is closed', async () => {
    const { port1, port2 } = new MessageChannel();
    const aborted: unknown[] = [];
    const stopped = new Promise<void>(resolve => {
      serveWorkerPort(port2, {
        ...idle,
        calls: {
          ...idle.calls,
          request: (_request, { signal }) =>
            new Promise(() => {
              signal.addEventListener('abort', () => aborted.push(signal.reason));
              port1.close();
            }),
        },
        lookup: () => new Promise(() => {}),
        stop: async () => resolve(),
      });
    });
    void new WorkerChannel(port1).send(request('/hang')).catch(() => {});
    await stopped;
    expect(aborted).toHaveLength(1);
  });
});
