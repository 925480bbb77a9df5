// Recovers the accounts of sign-ins that come at the same time in threads of their own: it takes longer than all the rest.
import { availableParallelism } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Hex } from '../../base/hex.ts';
import type { KeyRecovery } from './keyRecovery.ts';
import { recoverAddress, type SignatureEngine } from './signatureEngine.ts';
import { getPreviousInSlot, SignatureQueue } from './signatureQueue.ts';

const MAX_THREADS = 4;
/** Jobs in the queue for each thread; where there are more, this thread does one in each turn of its event loop. */
const MAX_QUEUED_PER_THREAD = 8;
/** Milliseconds without two jobs at the same time after which the threads end. */
const IDLE_MS = 60_000;

interface Job {
  readonly signature: Uint8Array;
  readonly digest: Uint8Array;
  resolve(address: Hex | null): void;
  reject(error: unknown): void;
}

export interface SignaturePoolDeps {
  /** Of this thread. */
  readonly engine: SignatureEngine;
  /** One less than the cores of the machine when absent. */
  readonly maxThreads?: number;
}

/** Threads that share a queue. When one of them ends, all do, because which job it had taken is not known. */
class SignatureThreads {
  readonly #queue = new SignatureQueue();
  /** By their numbers in the queue, those that have no result. */
  readonly #jobs = new Map<number, Job>();
  readonly #workers: readonly Worker[];
  /** Threads whose engine is loaded and tested. */
  #readyCount = 0;

  /** @param onEnd Gets the jobs that have no result. */
  constructor(count: number, onEnd: (jobs: readonly Job[]) => void) {
    const path = join(dirname(import.meta.filename), `signatureThread${extname(import.meta.filename)}`);
    this.#workers = Array.from({ length: count }, () => {
      const worker = new Worker(path, { name: 'hexlens-signatures', workerData: this.#queue.memory });
      worker.unref();
      worker.on('message', (message: 'ready' | 'done') => {
        if (message === 'ready') this.#readyCount++;
        else this.resolveDone(true);
      });
      worker.on('error', () => {}); // 'exit' follows
      worker.on('exit', () => {
        this.end();
        const jobs = [...this.#jobs.values()];
        this.#jobs.clear();
        onEnd(jobs);
      });
      return worker;
    });
  }

  get isBusy(): boolean {
    return this.#jobs.size > 0;
  }

  get isOverloaded(): boolean {
    return this.#queue.length > MAX_QUEUED_PER_THREAD * this.#readyCount;
  }

  get isReady(): boolean {
    return this.#readyCount > 0;
  }

  /** Takes the jobs for which there is room out of the list. */
  add(jobs: Job[]): void {
    if (this.#jobs.size === 0) for (const worker of this.#workers) worker.ref(); // until the jobs are done
    let added = 0;
    for (const job of jobs) {
      const number = this.#queue.nextNumber;
      if (this.#jobs.has(getPreviousInSlot(number))) break;
      this.#jobs.set(number, job);
      this.#queue.add(job.signature, job.digest);
      added++;
    }
    jobs.splice(0, added);
    if (added > 0) this.#queue.wakeThreads();
  }

  /** A job that no thread has begun. */
  takeBack(): Job | undefined {
    const number = this.#queue.take();
    if (number === null) return undefined;
    const job = this.#jobs.get(number);
    this.#jobs.delete(number);
    return job;
  }

  /** @param isWaiting Whether threads are to report what they have done from now on. */
  resolveDone(isWaiting: boolean): void {
    this.#queue.setWaiting(isWaiting); // before looking: nothing can be done in between without a message
    for (const [number, job] of this.#jobs) {
      if (!this.#queue.isTaken(number)) break;
      const address = this.#queue.getResult(number);
      if (address === undefined) continue;
      this.#jobs.delete(number);
      job.resolve(address);
    }
    if (this.#jobs.size === 0) for (const worker of this.#workers) worker.unref();
  }

  end(): void {
    for (const worker of this.#workers) void worker.terminate();
  }
}

export class SignaturePool implements KeyRecovery {
  readonly #engine: SignatureEngine;
  readonly #maxThreads: number;
  /** Of this turn of the event loop, and those for which the queue had no room. */
  readonly #jobs: Job[] = [];
  #isScheduled = false;
  #threads: SignatureThreads | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ engine, maxThreads = Math.min(MAX_THREADS, availableParallelism() - 1) }: SignaturePoolDeps) {
    this.#engine = engine;
    this.#maxThreads = maxThreads;
  }

  recoverAddress(signature: Uint8Array, digest: Uint8Array): Promise<Hex | null> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ signature, digest, resolve, reject });
      this.#schedule();
    });
  }

  /** The threads end; jobs that come later are done on this one. */
  close(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    this.#threads?.end();
    this.#threads = null;
  }

  /** For the end of this turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#runJobs();
    });
  }

  #runJobs(): void {
    // A single one is done sooner here than a thread is woken.
    const areMany = this.#jobs.length > 1 || this.#threads?.isBusy === true;
    const threads = areMany && this.#maxThreads > 0 ? this.#keepThreads() : null;
    if (!threads?.isReady) {
      this.#runHere(this.#jobs.splice(0));
      return;
    }
    threads.add(this.#jobs);
    const job = threads.isOverloaded ? threads.takeBack() : undefined;
    if (job !== undefined) this.#runHere([job]);
    const isOverloaded = threads.isOverloaded || this.#jobs.length > 0;
    threads.resolveDone(!isOverloaded);
    if (isOverloaded) this.#schedule();
  }

  #runHere(jobs: readonly Job[]): void {
    for (const { signature, digest, resolve, reject } of jobs)
      try {
        resolve(recoverAddress(this.#engine, signature, digest));
      } catch (error) {
        reject(error);
      }
  }

  /** Starts the threads, which load their engines meanwhile, and ends them when they are idle for long. */
  #keepThreads(): SignatureThreads {
    this.#idleTimer = this.#idleTimer?.refresh() ?? setTimeout(() => this.close(), IDLE_MS).unref();
    if (this.#threads !== null) return this.#threads;
    const threads = new SignatureThreads(this.#maxThreads, unfinished => {
      if (this.#threads === threads) this.#threads = null;
      this.#runHere(unfinished);
    });
    this.#threads = threads;
    return threads;
  }
}
