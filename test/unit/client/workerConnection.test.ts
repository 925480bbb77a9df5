// The link to the backend with real workers: started at first need, configured first, restarted with back-off, stopped.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import type { Log } from '../../../src/base/log.ts';
import {
  createWorkerConnection,
  INITIAL_RESTART_DELAY_MS,
  MAX_RESTART_DELAY_MS,
  MAX_RESTARTS,
  STOP_GRACE_MS,
  type WorkerLike,
} from '../../../src/client/workerConnection.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { expectFault } from './expectFault.ts';
import { request, startWorker } from './workerSetup.ts';

describe('backend link', () => {
  interface Setup {
    readonly start?: () => WorkerLike;
    readonly mode?: 'instant' | 'manual';
  }

  function createLink({ start = startWorker, mode = 'instant' }: Setup = {}) {
    const clock = createFakeClock(mode);
    const lines: string[] = [];
    const write = (level: string) => (message: string) => lines.push(`${level} ${message}`);
    const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    const workers: WorkerLike[] = [];
    const link = createWorkerConnection({
      clock,
      log,
      start() {
        const worker = start();
        workers.push(worker);
        return worker;
      },
    });
    onTestFinished(() => {
      const stopping = link.stop();
      clock.advance(STOP_GRACE_MS);
      return stopping;
    });
    const body = async (path: string, signal?: AbortSignal) =>
      (await link.transport.send(request(path), { signal })).body;
    return { link, clock, lines, workers, body };
  }

  test('nothing is started until something is asked; then it is configured first', async () => {
    const { link, workers, body } = createLink();
    link.configure({ ...defaultConfiguration, timeoutMs: 1 });
    link.configure({ ...defaultConfiguration, timeoutMs: 2 });
    expect(workers).toHaveLength(0);
    expect(await body('/configuration')).toMatchObject({ timeoutMs: 2 });
    expect(workers).toHaveLength(1);
    link.configure({ ...defaultConfiguration, timeoutMs: 3 });
    expect(await body('/configuration')).toMatchObject({ timeoutMs: 3 });
    expect(workers).toHaveLength(1);
  });

  test('what is asked before the first configuration waits for it, and can be cancelled', async () => {
    const { link, workers, body } = createLink();
    const controller = new AbortController();
    const cancelled = expectFault(body('/thread', controller.signal));
    const waiting = body('/configuration');
    controller.abort();
    expect((await cancelled).code).toBe('cancelled');
    expect(workers).toHaveLength(0);
    link.configure(defaultConfiguration);
    expect(await waiting).toEqual(defaultConfiguration);
  });

  test('several questions at once start one worker', async () => {
    const { link, workers, body } = createLink();
    link.configure(defaultConfiguration);
    await Promise.all([body('/thread'), body('/thread'), link.lookup('chainStatus', { chain: 'local' })]);
    expect(workers).toHaveLength(1);
  });

  test('log lines go to the log, the rest to the listeners', async () => {
    const { link, lines, body } = createLink();
    link.configure(defaultConfiguration);
    const events: unknown[] = [];
    const listening = link.onEvent(event => events.push(event));
    await body('/events');
    expect(lines).toEqual(['warn from the worker']);
    expect(events).toEqual([
      {
        type: 'progress',
        progress: { task: 'sync', what: 'index', chain: 'local', subject: null, done: 1, total: null, running: true },
      },
    ]);
    listening.dispose();
    await body('/events');
    expect(events).toHaveLength(1);
  });

  test('work that a worker was at has ended when the worker has', async () => {
    const { link, body } = createLink();
    link.configure(defaultConfiguration);
    const running: unknown[] = [];
    link.onEvent(event => event.type === 'progress' && running.push(event.progress.isRunning));
    await body('/events');
    await link.restart();
    expect(running).toEqual([true, false]);
    await body('/events');
    await body('/die').catch(() => {});
    expect(running).toEqual([true, false, true, false]);
  });

  test('a worker that dies is replaced after a wait, configured again, and answers', async () => {
    const { link, clock, lines, workers, body } = createLink({ mode: 'manual' });
    link.configure({ ...defaultConfiguration, timeoutMs: 5 });
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
      `error The backend stopped unexpectedly (RangeError: out of luck). It starts again in ${INITIAL_RESTART_DELAY_MS} ms.`,
    ]);
  });

  test('it is replaced without being asked, as it watches the chains', async () => {
    const { link, workers, body } = createLink();
    link.configure(defaultConfiguration);
    await expectFault(body('/die'));
    await expect.poll(() => workers.length).toBe(2);
  });

  test('a worker that always dies is waited for longer and longer, then only started on demand', async () => {
    const dying = () => {
      const worker = startWorker();
      worker.postMessage({ type: 'call', id: 0, request: request('/die') });
      return worker;
    };
    const { link, clock, workers, body, lines } = createLink({ start: dying });
    link.configure(defaultConfiguration);
    expect((await expectFault(body('/hang'))).code).toBe('backend-stopped');
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(MAX_RESTARTS + 1);
    expect(clock.sleeps).toEqual(Array.from({ length: MAX_RESTARTS }, (_, i) => INITIAL_RESTART_DELAY_MS * 2 ** i));
    expect(lines.at(-1)).toBe('error The backend stopped unexpectedly. It starts again when it is needed.');
    expect(workers).toHaveLength(MAX_RESTARTS + 1);
    expect((await expectFault(body('/hang'))).code).toBe('backend-stopped');
    expect(clock.sleeps.at(-1)).toBe(Math.min(MAX_RESTART_DELAY_MS, INITIAL_RESTART_DELAY_MS * 2 ** MAX_RESTARTS));
    expect(workers).toHaveLength(MAX_RESTARTS + 2);
  });

  test('a worker that can not be started is a fault, and is tried again', async () => {
    let broken = true;
    const start = () => {
      if (broken) throw new Error('Cannot find module');
      return startWorker();
    };
    const { link, lines, body } = createLink({ start, mode: 'instant' });
    link.configure(defaultConfiguration);
    const fault = await expectFault(body('/thread'));
    expect(fault).toMatchObject({
      code: 'backend-stopped',
      message: 'The HexLens backend could not be started.',
      details: 'Error: Cannot find module',
    });
    await expect.poll(() => lines.length).toBe(MAX_RESTARTS + 1);
    broken = false;
    expect(await body('/thread')).toBeGreaterThan(0);
  });

  test('an answer in between makes the next wait short again', async () => {
    const { link, clock, body } = createLink();
    link.configure(defaultConfiguration);
    for (let i = 0; i < 3; i++) {
      await body('/thread');
      await expectFault(body('/die'));
    }
    await body('/thread');
    expect(clock.sleeps).toEqual([INITIAL_RESTART_DELAY_MS, INITIAL_RESTART_DELAY_MS, INITIAL_RESTART_DELAY_MS]);
  });

  test('restart ends the worker; the next question starts another at once', async () => {
    const { link, clock, workers, lines, body } = createLink({ mode: 'manual' });
    link.configure(defaultConfiguration);
    const first = await body('/thread');
    const hanging = expectFault(body('/hang'));
    await link.restart();
    expect(await hanging).toMatchObject({ code: 'backend-stopped', message: 'The HexLens backend was restarted.' });
    expect(workers).toHaveLength(1);
    expect(await body('/thread')).not.toBe(first);
    expect(clock.sleeps).toEqual([STOP_GRACE_MS]);
    expect(lines).toEqual([]);
  });

  test('restart does not wait for a back-off that is under way', async () => {
    const { link, clock, body } = createLink({ mode: 'manual' });
    link.configure(defaultConfiguration);
    await expectFault(body('/die'));
    await expect.poll(() => clock.sleeps).toEqual([INITIAL_RESTART_DELAY_MS]);
    await link.restart();
    expect(await body('/thread')).toBeGreaterThan(0);
  });

  test('stop ends the worker for good, without a word in the log', async () => {
    const { link, workers, lines, body } = createLink({ mode: 'manual' });
    link.configure(defaultConfiguration);
    await body('/thread');
    const hanging = expectFault(body('/hang'));
    const exited = once(workers[0] as Worker, 'exit');
    await link.stop();
    await exited;
    expect(await hanging).toMatchObject({ code: 'backend-stopped', message: 'HexLens is closing.' });
    expect((await expectFault(body('/thread'))).code).toBe('backend-stopped');
    expect(workers).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  test('a worker that does not end by itself is ended when its time is over', async () => {
    const { link, clock, workers, body } = createLink({ mode: 'manual' });
    link.configure({ ...defaultConfiguration, timeoutMs: 14 });
    await body('/thread');
    const exited = once(workers[0] as Worker, 'exit');
    const stopping = link.stop();
    await expect.poll(() => clock.sleeps).toEqual([STOP_GRACE_MS]);
    clock.advance(STOP_GRACE_MS);
    await stopping;
    await exited;
  });

  test('stop answers who waits for a restart or for a configuration', async () => {
    const waiting = createLink({ mode: 'manual' });
    const unconfigured = expectFault(waiting.body('/thread'));
    await waiting.link.stop();
    expect((await unconfigured).message).toBe('HexLens is closing.');

    const dead = createLink({ mode: 'manual' });
    dead.link.configure(defaultConfiguration);
    await expectFault(dead.body('/die'));
    await expect.poll(() => dead.clock.sleeps).toEqual([INITIAL_RESTART_DELAY_MS]);
    const next = expectFault(dead.body('/thread'));
    await dead.link.stop();
    expect(await next).toMatchObject({ code: 'backend-stopped', message: 'HexLens is closing.' });
    expect(dead.workers).toHaveLength(1);
  });
});
