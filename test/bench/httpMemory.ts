// The service's memory under minutes of load: resident memory, and the heap after garbage collection. The first minutes
// fill caches and let V8 grow its heap; the last is compared with the first one after them.
import { readFile } from 'node:fs/promises';
import type { ServeProcess } from '../service/cliProcess.ts';
import { type BenchRow, median } from './benchResult.ts';
import { type LoadRequest, runHttpLoad } from './httpLoad.ts';
import { openLiveHeap } from './liveHeap.ts';

interface MemoryRun {
  /** Must have been started with `INSPECTABLE`. */
  readonly server: ServeProcess;
  readonly key: string;
  /** One request of each list in turn. */
  readonly lists: readonly (readonly LoadRequest[])[];
  readonly minutes: number;
}

/** The run is divided into this many parts: of a minute each when it lasts ten. */
const PARTS = 10;
/** Parts that warm up. Garbage is collected after the first, so that the heap has grown again by the end. */
const WARM = 2;
/** In shorter runs memory only informs: V8 still grows its heap. */
const MIN_MINUTES = 5;
const REQUEST_COUNT = 3_000;
const SAMPLE_MS = 500;

/** Resident bytes of a process, in MB. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1000;
}

/** Samples memory until `work` has ended. */
async function sampleDuring<T>(pid: number, work: Promise<T>): Promise<{ readonly value: T; readonly samples: Seen }> {
  const resident = [await residentMb(pid)];
  let longest = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - before - SAMPLE_MS);
    before = now;
    void residentMb(pid).then(mb => resident.push(mb));
  }, SAMPLE_MS);
  try {
    return { value: await work, samples: { resident: median(resident), pauseMs: longest } };
  } finally {
    clearInterval(timer);
  }
}

interface Seen {
  /** MB, the median of the part. */
  readonly resident: number;
  /** Longest time for which the machine did not let this process run. */
  readonly pauseMs: number;
}

export async function measureMemoryUnderLoad({ server, key, lists, minutes }: MemoryRun): Promise<readonly BenchRow[]> {
  const { url } = server.ready;
  const pid = server.child.pid ?? 0;
  const requests = Array.from({ length: REQUEST_COUNT }, (_, index): LoadRequest => {
    const list = lists[index % lists.length] ?? [];
    return list[Math.floor(index / lists.length) % list.length] ?? { method: 'GET', path: '/health' };
  });
  const seconds = Math.max(1, Math.round((minutes * 60) / PARTS));
  const heap = await openLiveHeap(server);
  const parts: Seen[] = [];
  let warmHeap = Number.NaN;
  let [total, stalled] = [0, 0];
  try {
    for (let part = 1; part <= PARTS; part++) {
      const { value, samples } = await sampleDuring(pid, runHttpLoad({ url, requests, seconds, key }));
      parts.push(samples);
      total += value.total;
      stalled += value.stalled;
      const at = `${((part * seconds) / 60).toFixed(1)} min`;
      console.log(
        `  ${at}: ${samples.resident.toFixed(1)} MB resident, ${value.total} responses, ${value.stalled} stalled`,
      );
      if (part === 1) warmHeap = await heap.bytes();
    }
    const lastHeap = await heap.bytes();
    const [first, last] = [parts[WARM]?.resident ?? Number.NaN, parts.at(-1)?.resident ?? Number.NaN];
    const from = ((WARM * seconds) / 60).toFixed(1);
    const to = ((PARTS * seconds) / 60).toFixed(1);
    const isLong = minutes >= MIN_MINUTES;
    return [
      { what: `responses in ${to} min of mixed load`, value: total, unit: '' },
      { what: 'requests without a response (a stalled machine)', value: stalled, unit: '' },
      { what: 'longest pause of the machine', value: Math.max(...parts.map(({ pauseMs }) => pauseMs)), unit: 'ms' },
      { what: `resident memory after ${from} min`, value: first, unit: 'MB' },
      {
        what: `after ${to} min, against that`,
        value: last / first,
        unit: 'x',
        ...(isLong && { target: { max: 1.1 } }),
      },
      { what: `heap without garbage after ${(seconds / 60).toFixed(1)} min`, value: warmHeap / 1e6, unit: 'MB' },
      { what: `after ${to} min, against that`, value: lastHeap / warmHeap, unit: 'x', target: { max: 1.1 } },
    ];
  } finally {
    heap.close();
  }
}
