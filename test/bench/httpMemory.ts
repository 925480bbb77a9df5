// What the service's memory does under minutes of load: resident as the system sees it, and the heap after garbage was
// collected. The first minutes fill caches and let V8 grow; the last is compared with the first one after them.
import { readFile } from 'node:fs/promises';
import type { ServeProcess } from '../service/cliProcess.ts';
import { type BenchRow, median } from './benchResult.ts';
import { type LoadRequest, runHttpLoad } from './httpLoad.ts';
import { openLiveHeap } from './liveHeap.ts';

interface MemoryRun {
  /** Started with `INSPECTABLE`. */
  readonly server: ServeProcess;
  readonly key: string;
  /** Asked in turn, one of each. */
  readonly lists: readonly (readonly LoadRequest[])[];
  readonly minutes: number;
}

/** The run is cut into so many pieces: of a minute each, when it lasts ten. */
const PIECES = 10;
/** Pieces that warm up. Garbage is collected after the first of them, so that the heap has grown again when they end. */
const WARM = 2;
/** Shorter ones inform only: V8 has not stopped growing. */
const LEAST_MINUTES = 5;
const QUESTIONS = 3_000;
const SAMPLE_MS = 500;

/** Resident bytes of a process, in MB. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1000;
}

/** Looks every now and then until `work` has ended. */
async function sampled<T>(pid: number, work: Promise<T>): Promise<{ readonly value: T; readonly seen: Seen }> {
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
    return { value: await work, seen: { resident: median(resident), pauseMs: longest } };
  } finally {
    clearInterval(timer);
  }
}

interface Seen {
  /** MB, the median of the piece. */
  readonly resident: number;
  /** Longest that this process was not let run: then it is the machine that stalled. */
  readonly pauseMs: number;
}

export async function measureMemoryUnderLoad({ server, key, lists, minutes }: MemoryRun): Promise<readonly BenchRow[]> {
  const { url } = server.ready;
  const pid = server.child.pid ?? 0;
  const questions = Array.from({ length: QUESTIONS }, (_, index): LoadRequest => {
    const list = lists[index % lists.length] ?? [];
    return list[Math.floor(index / lists.length) % list.length] ?? { method: 'GET', path: '/health' };
  });
  const seconds = Math.max(1, Math.round((minutes * 60) / PIECES));
  const heap = await openLiveHeap(server);
  const pieces: Seen[] = [];
  let warmHeap = Number.NaN;
  let [total, stalled] = [0, 0];
  try {
    for (let piece = 1; piece <= PIECES; piece++) {
      const { value, seen } = await sampled(pid, runHttpLoad({ url, questions, seconds, key }));
      pieces.push(seen);
      total += value.total;
      stalled += value.stalled;
      const at = `${((piece * seconds) / 60).toFixed(1)} min`;
      console.log(`  ${at}: ${seen.resident.toFixed(1)} MB resident, ${value.total} answers, ${value.stalled} stalled`);
      if (piece === 1) warmHeap = await heap.bytes();
    }
    const lastHeap = await heap.bytes();
    const [first, last] = [pieces[WARM]?.resident ?? Number.NaN, pieces.at(-1)?.resident ?? Number.NaN];
    const from = ((WARM * seconds) / 60).toFixed(1);
    const to = ((PIECES * seconds) / 60).toFixed(1);
    const judged = minutes >= LEAST_MINUTES;
    return [
      { what: `answers in ${to} min of mixed load`, value: total, unit: '' },
      { what: 'requests without an answer (a stalled machine)', value: stalled, unit: '' },
      { what: 'longest pause of the machine', value: Math.max(...pieces.map(({ pauseMs }) => pauseMs)), unit: 'ms' },
      { what: `resident memory after ${from} min`, value: first, unit: 'MB' },
      {
        what: `after ${to} min, against it`,
        value: last / first,
        unit: 'x',
        ...(judged && { target: { most: 1.1 } }),
      },
      { what: `heap without garbage after ${(seconds / 60).toFixed(1)} min`, value: warmHeap / 1e6, unit: 'MB' },
      { what: `after ${to} min, against it`, value: lastHeap / warmHeap, unit: 'x', target: { most: 1.1 } },
    ];
  } finally {
    heap.close();
  }
}
