// Measures the extension host's main thread: profile, CPU time, garbage collection and timer delays.
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { type ExtensionWork, measureExtensionWork, type ThreadSample } from './extensionWork.ts';

/** Milliseconds. */
export interface ThreadMeasures {
  readonly seconds: number;
  /** Work of the extension's bundles. */
  readonly own: ExtensionWork;
  /** Number of garbage collections, and the longest. */
  readonly collected: number;
  readonly longestCollection: number;
  /** Longest CPU time of the thread between two samples. */
  readonly longest: number;
  /** Number of samples after more than 5 ms of CPU time. */
  readonly over: number;
  /** CPU time in percent of the elapsed time. */
  readonly busy: number;
  /** Maximum and 99th percentile of timer delays. */
  readonly latest: number;
  readonly late99: number;
}

const SAMPLE_INTERVAL_MS = 1;
const BLOCKED_MS = 5;
const PROFILE_INTERVAL_US = 200;

/** Samples the thread's CPU time with a timer. */
function startSampling(): { end(): readonly ThreadSample[] } {
  const samples: ThreadSample[] = [];
  const takeSample = () => {
    const { user, system } = process.threadCpuUsage();
    samples.push({ at: Number(process.hrtime.bigint() / 1_000n), spent: user + system });
  };
  takeSample();
  const timer = setInterval(takeSample, SAMPLE_INTERVAL_MS);
  return {
    end() {
      clearInterval(timer);
      takeSample();
      return samples;
    },
  };
}

/** Records the durations of garbage collections. */
function observeGarbageCollection(): { end(): Pick<ThreadMeasures, 'collected' | 'longestCollection'> } {
  const pauses: number[] = [];
  const record = (entries: readonly PerformanceEntry[]) => pauses.push(...entries.map(({ duration }) => duration));
  const observer = new PerformanceObserver(list => record(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    end() {
      record(observer.takeRecords());
      observer.disconnect();
      return { collected: pauses.length, longestCollection: Math.max(0, ...pauses) };
    },
  };
}

/** Starts measuring; the returned function ends it. `bundles` is the folder of the extension's bundles. */
export async function monitorThread(bundles: string): Promise<() => Promise<ThreadMeasures>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: PROFILE_INTERVAL_US });
  await session.post('Profiler.start');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const collections = observeGarbageCollection();
  const sampling = startSampling();
  delay.enable();
  return async () => {
    delay.disable();
    const samples = sampling.end();
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    const spent = samples.slice(1).map((sample, i) => (sample.spent - (samples[i]?.spent ?? 0)) / 1_000);
    const ms = ((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)) / 1_000;
    return {
      seconds: ms / 1_000,
      own: measureExtensionWork(profile, samples, bundles),
      ...collections.end(),
      longest: Math.max(...spent),
      over: spent.filter(each => each > BLOCKED_MS).length,
      busy: (100 * spent.reduce((sum, each) => sum + each, 0)) / ms,
      latest: delay.max / 1e6,
      late99: delay.percentile(99) / 1e6,
    };
  };
}
