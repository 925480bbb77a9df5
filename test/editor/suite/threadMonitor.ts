// Watches the extension host's main thread: its profile, its processor time, its garbage, and how late its timers are.
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { type ExtensionWork, measureExtensionWork, type ThreadSample } from './extensionWork.ts';

/** Milliseconds. */
export interface ThreadMeasures {
  readonly seconds: number;
  /** What our own bundles did to the thread. */
  readonly own: ExtensionWork;
  /** Times that garbage was collected, whoever made it, and the longest of them. */
  readonly collected: number;
  readonly longestCollection: number;
  /** Longest work of the thread between two looks, of its own processor time: others' processes do not count. */
  readonly longest: number;
  /** Looks between which the thread worked for more than 5 ms. */
  readonly over: number;
  /** Share of the time that the thread worked, in percent. */
  readonly busy: number;
  /** How late timers were at most and in 99 of 100 cases, whoever had the processor. */
  readonly latest: number;
  readonly late99: number;
}

const TICK_MS = 1;
const BLOCKED_MS = 5;
const SAMPLE_US = 200;

/** Looks at the thread by a timer, from now on. */
function ticker(): { end(): readonly ThreadSample[] } {
  const looks: ThreadSample[] = [];
  const look = () => {
    const { user, system } = process.threadCpuUsage();
    looks.push({ at: Number(process.hrtime.bigint() / 1_000n), spent: user + system });
  };
  look();
  const timer = setInterval(look, TICK_MS);
  return {
    end() {
      clearInterval(timer);
      look();
      return looks;
    },
  };
}

/** Notes when garbage is collected, from now on. */
function collector(): { end(): Pick<ThreadMeasures, 'collected' | 'longestCollection'> } {
  const pauses: number[] = [];
  const note = (entries: readonly PerformanceEntry[]) => pauses.push(...entries.map(({ duration }) => duration));
  const observer = new PerformanceObserver(list => note(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    end() {
      note(observer.takeRecords());
      observer.disconnect();
      return { collected: pauses.length, longestCollection: Math.max(0, ...pauses) };
    },
  };
}

/** Watches the thread from now on; the result ends it. Ours are the bundles in the folder. */
export async function monitorThread(bundles: string): Promise<() => Promise<ThreadMeasures>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const collections = collector();
  const tick = ticker();
  delay.enable();
  return async () => {
    delay.disable();
    const looks = tick.end();
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    const spent = looks.slice(1).map((look, i) => (look.spent - (looks[i]?.spent ?? 0)) / 1_000);
    const ms = ((looks.at(-1)?.at ?? 0) - (looks[0]?.at ?? 0)) / 1_000;
    return {
      seconds: ms / 1_000,
      own: measureExtensionWork(profile, looks, bundles),
      ...collections.end(),
      longest: Math.max(...spent),
      over: spent.filter(each => each > BLOCKED_MS).length,
      busy: (100 * spent.reduce((sum, each) => sum + each, 0)) / ms,
      latest: delay.max / 1e6,
      late99: delay.percentile(99) / 1e6,
    };
  };
}
