// The connection with real workers: started at first need, configured first, restarted with back-off, stopped.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import type { Log } from '../../../src/base/log.ts';
import {
  INITIAL_RESTART_DELAY_MS,
  MAX_RESTART_DELAY_MS,
  MAX_RESTARTS,
  STOP_GRACE_MS,
  WorkerConnection,
  type WorkerLike,
} from '../../../src/client/workerConnection.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { expectFault } from './expectFault.ts';
import { request, startWorker } from './workerSetup.ts';

describe('WorkerConnection', () => {
  interface Setup {
    readonly start?: () => WorkerLike;
    readonly mode?: 'instant' | 'manual';
  }

  function connect({ start = startWorker, mode = 'instant' }: Setup = {}) {
    const clock = createFakeClock(mode);
    const lines: string[] = [];
    const write = (level: string) => (message: string) => lines.push(`${level} ${message}`);
    const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    const workers: WorkerLike[] = [];
    const connection = new WorkerConnection({
      clock,
      log,
      start() {
        const worker = start();
        workers.push(worker);
        return worker;
      },
    });
    onTestFinished(() => {
      const stopping = connection.stop();
      clock.advance(STOP_GRACE_MS);
      return stopping;
    });
    const body = async (path: string, signal?: AbortSignal) =>
      (await connection.transport.send(request(path), { signal })).body;
    return { connection, clock, lines, workers, body };
  }

  test('starts the worker with the first request and configures it first', async () => {
    const { connection, workers, body } = connect();
    connection.configure({ ...defaultConfiguration, timeoutMs: 1 });
    connection.configure({ ...defaultConfiguration, timeoutMs: 2 });
    expect(workers).toHaveLength(0);
    expect(await body('/configuration')).toMatchObject({ timeoutMs: 2 });
    expect(workers).toHaveLength(1);
    connection.configure({ ...defaultConfiguration, timeoutMs: 3 });
    expect(await body('/configuration')).toMatchObject({ timeoutMs: 3 });
    expect(workers).toHaveLength(1);
  });

  test('lets requests wait for the first configuration, unless they are cancelled', async () => {
    const { connection, workers, body } = connect();
    const controller = new AbortController();
    const cancelled = expectFault(body('/thread', controller.signal));
    const waiting = body('/configuration');
    controller.abort();
    expect((await cancelled).code).toBe('cancelled');
    expect(workers).toHaveLength(0);
    connection.configure(defaultConfiguration);
    expect(await waiting).toEqual(defaultConfiguration);
  });

  test('starts one worker for several requests at once', async () => {
    const { connection, workers, body } = connect();
    connection.configure(defaultConfiguration);
    await Promise.all([body('/thread'), body('/thread'), connection.lookup('chainStatus', { chain: 'local' })]);
    expect(workers).toHaveLength(1);
  });

  test('writes log lines to the log and passes other events to listeners', async () => {
    const { connection, lines, body } = connect();
    connection.configure(defaultConfiguration);
    const events: unknown[] = [];
    const listening = connection.onEvent(event => events.push(event));
    await body('/events');
    expect(lines).toEqual(['warn from the worker']);
    expect(events).toEqual([
      {
        type: 'progress',
        progress: {
          task: 'sync',
          kind: 'index',
          chain: 'local',
          address: null,
          done: 1,
          total: null,
          isRunning: true,
        },
      },
    ]);
    listening.dispose();
    await body('/events');
    expect(events).toHaveLength(1);
  });

  test('reports running tasks as ended when the worker exits', async () => {
    const { connection, body } = connect();
    connection.configure(defaultConfiguration);
    const running: unknown[] = [];
    connection.onEvent(event => event.type === 'progress' && running.push(event.progress.isRunning));
    await body('/events');
    await connection.restart();
    expect(running).toEqual([true, false]);
    await body('/events');
    await body('/die').catch(() => {});
    expect(running).toEqual([true, false, true, false]);
  });

  test('replaces a worker that dies after a delay and configures the new one', async () => {
    const { connection, clock, lines, workers, body } = connect({ mode: 'manual' });
    connection.configure({ ...defaultConfiguration, timeoutMs: 5 });
    const first = await body('/thread');
    const hanging = expectFault(body('/hang'));
    expect((await expectFault(body('/throw'))).code).toBe('backend-stopped');
    expect((await hanging).code).toBe('backend-stopped');
    await expect.poll(() => clock.sleeps).toEqual([INITIAL_RESTART_DELAY_MS]);
    expect(workers).toHaveLength(1);
    const next = body('/configuration');
    clock.advance(INITIAL_RESTART_DELAY_MS);
    expect(await next).toMatchObject({ timeoutMs: 5 });
    expect(await body('/thread')).not.toBe(first);
    expect(workers).toHaveLength(2);
    expect(lines).toEqual([
      `error The service stopped unexpectedly (RangeError: out of luck). It restarts in ${INITIAL_RESTART_DELAY_MS} ms.`,
    ]);
  });

  test('replaces a dead worker without a request, since it watches the chains', async () => {
    const { connection, workers, body } = connect();
    connection.configure(defaultConfiguration);
    await expectFault(body('/die'));
    await expect.poll(() => workers.length).toBe(2);
  });

  test('doubles the delay for a worker that keeps dying, then restarts it on demand only', async () => {
    const dying = () => {
      const worker = startWorker();
      worker.postMessage({ type: 'call', id: 0, method: 'request', params: request('/die') });
      return worker;
    };
    const { connection, clock, workers, body, lines } = connect({ start: dying });
    connection.configure(defaultConfiguration);
    expect((await expectFault(body('/hang'))).code).toBe('backend-stopped');
    await expect.poll(() => lines.length).toBe(MAX_RESTARTS + 1);
    expect(clock.sleeps).toEqual(Array.from({ length: MAX_RESTARTS }, (_, i) => INITIAL_RESTART_DELAY_MS * 2 ** i));
    expect(lines.at(-1)).toBe('error The service stopped unexpectedly. It restarts with the next request.');
    expect(workers).toHaveLength(MAX_RESTARTS + 1);
    expect((await expectFault(body('/hang'))).code).toBe('backend-stopped');
    expect(clock.sleeps.at(-1)).toBe(Math.min(MAX_RESTART_DELAY_MS, INITIAL_RESTART_DELAY_MS * 2 ** MAX_RESTARTS));
    expect(workers).toHaveLength(MAX_RESTARTS + 2);
  });

  test('rejects when the worker cannot be started, and tries again', async () => {
    let broken = true;
    const start = () => {
      if (broken) throw new Error('Cannot find module');
      return startWorker();
    };
    const { connection, lines, body } = connect({ start, mode: 'instant' });
    connection.configure(defaultConfiguration);
    const fault = await expectFault(body('/thread'));
    expect(fault).toMatchObject({
      code: 'backend-stopped',
      message: 'The HexLens service could not be started.',
      details: 'Error: Cannot find module',
    });
    await expect.poll(() => lines.length).toBe(MAX_RESTARTS + 1);
    broken = false;
    expect(await body('/thread')).toBeGreaterThan(0);
  });

  test('resets the restart delay after a response', async () => {
    const { connection, clock, body } = connect();
    connection.configure(defaultConfiguration);
    for (let i = 0; i < 3; i++) {
      await body('/thread');
      await expectFault(body('/die'));
    }
    await body('/thread');
    expect(clock.sleeps).toEqual([INITIAL_RESTART_DELAY_MS, INITIAL_RESTART_DELAY_MS, INITIAL_RESTART_DELAY_MS]);
  });

  test('restart ends the worker, and the next request starts another at once', async () => {
    const { connection, clock, workers, lines, body } = connect({ mode: 'manual' });
    connection.configure(defaultConfiguration);
    const first = await body('/thread');
    const hanging = expectFault(body('/hang'));
    await connection.restart();
    expect(await hanging).toMatchObject({ code: 'backend-stopped', message: 'The HexLens service was restarted.' });
    expect(workers).toHaveLength(1);
    expect(await body('/thread')).not.toBe(first);
    expect(clock.sleeps).toEqual([STOP_GRACE_MS]);
    expect(lines).toEqual([]);
  });

  test('restart skips a restart delay that is running', async () => {
    const { connection, clock, body } = connect({ mode: 'manual' });
    connection.configure(defaultConfiguration);
    await expectFault(body('/die'));
    await expect.poll(() => clock.sleeps).toEqual([INITIAL_RESTART_DELAY_MS]);
    await connection.restart();
    expect(await body('/thread')).toBeGreaterThan(0);
  });

  test('stop ends the worker for good and logs nothing', async () => {
    const { connection, workers, lines, body } = connect({ mode: 'manual' });
    connection.configure(defaultConfiguration);
    await body('/thread');
    const hanging = expectFault(body('/hang'));
    const exited = once(workers[0] as Worker, 'exit');
    await connection.stop();
    await exited;
    expect(await hanging).toMatchObject({ code: 'backend-stopped', message: 'HexLens is closing.' });
    expect((await expectFault(body('/thread'))).code).toBe('backend-stopped');
    expect(workers).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  test('terminates a worker that does not exit within the grace period', async () => {
    const { connection, clock, workers, body } = connect({ mode: 'manual' });
    connection.configure({ ...defaultConfiguration, timeoutMs: 14 });
    await body('/thread');
    const exited = once(workers[0] as Worker, 'exit');
    const stopping = connection.stop();
    await expect.poll(() => clock.sleeps).toEqual([STOP_GRACE_MS]);
    clock.advance(STOP_GRACE_MS);
    await stopping;
    await exited;
  });

  test('stop rejects requests that wait for a restart or a configuration', async () => {
    const waiting = connect({ mode: 'manual' });
    const unconfigured = expectFault(waiting.body('/thread'));
    await waiting.connection.stop();
    expect((await unconfigured).message).toBe('HexLens is closing.');

    const dead = connect({ mode: 'manual' });
    dead.connection.configure(defaultConfiguration);
    await expectFault(dead.body('/die'));
    await expect.poll(() => dead.clock.sleeps).toEqual([INITIAL_RESTART_DELAY_MS]);
    const next = expectFault(dead.body('/thread'));
    await dead.connection.stop();
    expect(await next).toMatchObject({ code: 'backend-stopped', message: 'HexLens is closing.' });
    expect(dead.workers).toHaveLength(1);
  });
});
