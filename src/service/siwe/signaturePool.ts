// Recovers the keys of sign-ins that come at the same time in threads of their own: recovering takes longer than all the rest.
import { availableParallelism } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { JOB_BYTES, KEY_BYTES, type KeyRecovery, SIGNATURE_BYTES } from './keyRecovery.ts';
import type { SignatureEngine } from './signatureEngine.ts';

const MAX_THREADS = 4;
/** Jobs that wait for one thread; more are done on this thread, which would wait for it otherwise. */
const MAX_WAITING_JOBS = 16;
/** Milliseconds without a job for two after which the threads end. */
const IDLE_MS = 60_000;

interface Job {
  readonly signature: Uint8Array;
  readonly digest: Uint8Array;
  resolve(key: Uint8Array | null): void;
  reject(error: unknown): void;
}

export interface SignaturePoolDeps {
  /** Of this thread. */
  readonly engine: SignatureEngine;
  /** One less than the cores of the machine when absent. */
  readonly maxThreads?: number;
}

/** A thread with the jobs that it has not answered, in order. */
class SignatureThread {
  readonly #worker = new Worker(
    join(dirname(import.meta.filename), `signatureThread${extname(import.meta.filename)}`),
    { name: 'hexlens-signatures' },
  );
  readonly #jobs: Job[] = [];
  readonly #onEnd: (unanswered: readonly Job[]) => void;
  /** Its engine is loaded and tested. */
  #isReady = false;

  constructor(onEnd: (unanswered: readonly Job[]) => void) {
    this.#onEnd = onEnd;
    this.#worker.unref();
    this.#worker.on('message', (keys: Uint8Array | null) => {
      if (keys === null) this.#isReady = true;
      else this.#answer(keys);
    });
    this.#worker.on('error', () => {}); // 'exit' follows
    this.#worker.on('exit', () => this.#onEnd(this.#jobs.splice(0)));
  }

  get freePlaces(): number {
    return this.#isReady ? MAX_WAITING_JOBS - this.#jobs.length : 0;
  }

  run(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    const bytes = new Uint8Array(jobs.length * JOB_BYTES);
    for (const [index, { signature, digest }] of jobs.entries()) {
      bytes.set(signature, index * JOB_BYTES);
      bytes.set(digest, index * JOB_BYTES + SIGNATURE_BYTES);
    }
    this.#jobs.push(...jobs);
    this.#worker.ref(); // until it has answered
    this.#worker.postMessage(bytes);
  }

  end(): void {
    void this.#worker.terminate();
  }

  #answer(keys: Uint8Array): void {
    const answered = this.#jobs.splice(0, keys.length / KEY_BYTES);
    if (this.#jobs.length === 0) this.#worker.unref();
    for (const [index, job] of answered.entries()) {
      const key = keys.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
      job.resolve(key[0] === 0 ? null : key); // an uncompressed key begins with 4
    }
  }
}

export class SignaturePool implements KeyRecovery {
  readonly #engine: SignatureEngine;
  readonly #maxThreads: number;
  /** Of this turn of the event loop. */
  #jobs: Job[] = [];
  #threads: SignatureThread[] = [];
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ engine, maxThreads = Math.min(MAX_THREADS, availableParallelism() - 1) }: SignaturePoolDeps) {
    this.#engine = engine;
    this.#maxThreads = maxThreads;
  }

  recoverPublicKey(signature: Uint8Array, digest: Uint8Array): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ signature, digest, resolve, reject });
      if (this.#jobs.length === 1) setImmediate(() => this.#runJobs());
    });
  }

  /** The threads end; jobs that come later are done on this one. */
  close(): void {
    clearTimeout(this.#idleTimer);
    for (const thread of this.#threads.splice(0)) thread.end();
  }

  #runJobs(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    // A single one is done sooner here than a thread is woken.
    if (jobs.length > 1 && this.#maxThreads > 0) {
      this.#keepThreads();
      const waiting = jobs.length;
      for (const [index, thread] of this.#threads.entries()) {
        const share =
          Math.ceil((waiting * (index + 1)) / this.#threads.length) -
          Math.ceil((waiting * index) / this.#threads.length);
        thread.run(jobs.splice(0, Math.min(share, thread.freePlaces)));
      }
    }
    this.#runHere(jobs);
  }

  #runHere(jobs: readonly Job[]): void {
    for (const { signature, digest, resolve, reject } of jobs)
      try {
        resolve(this.#engine.recoverPublicKey(signature, digest));
      } catch (error) {
        reject(error);
      }
  }

  /** Starts the threads, which load their engines meanwhile, and ends them when they are idle for long. */
  #keepThreads(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.close(), IDLE_MS).unref();
    while (this.#threads.length < this.#maxThreads) {
      const thread: SignatureThread = new SignatureThread(unanswered => {
        this.#threads = this.#threads.filter(other => other !== thread);
        this.#runHere(unanswered);
      });
      this.#threads.push(thread);
    }
  }
}
