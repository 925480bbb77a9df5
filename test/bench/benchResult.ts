// Results of benchmarks as rows, and how they are measured: medians of interleaved runs.

export interface BenchRow {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Bounds of the value; absent for rows that only inform. */
  readonly target?: { readonly max?: number | undefined; readonly min?: number };
}

export interface BenchResult {
  readonly title: string;
  readonly rows: readonly BenchRow[];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Median milliseconds of each side, measured alternately under the same conditions; `ratio` is the median over pairs. */
export async function measureInTurn(
  runs: number,
  ours: (run: number) => Promise<unknown>,
  theirs: (run: number) => Promise<unknown>,
): Promise<{ readonly ours: number; readonly theirs: number; readonly ratio: number }> {
  const times: { ours: number; theirs: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const pair = { ours: 0, theirs: 0 };
    // The order alternates, so that caches favor neither side.
    const order = run % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
    for (const side of order) {
      const start = performance.now();
      await (side === 'ours' ? ours(run) : theirs(run));
      pair[side] = performance.now() - start;
    }
    times.push(pair);
  }
  return {
    ours: median(times.map(time => time.ours)),
    theirs: median(times.map(time => time.theirs)),
    ratio: median(times.map(time => time.ours / time.theirs)),
  };
}

/**
 * The longest time in milliseconds for which this thread is busy while `work` is in progress. CPU time between two ticks
 * of a timer is measured, so that other programs do not count.
 */
export async function measureLongestTask(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const sample = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, (now.user - before.user + now.system - before.system) / 1_000);
    before = now;
  };
  const timer = setInterval(sample, 4);
  try {
    await work;
  } finally {
    clearInterval(timer);
    sample();
  }
  return longest;
}

export function meetsTarget({ value, target }: BenchRow): boolean {
  return (target?.max === undefined || value <= target.max) && (target?.min === undefined || value >= target.min);
}

function formatTarget({ target }: BenchRow): string {
  if (target?.max !== undefined) return `at most ${target.max}`;
  return target?.min === undefined ? '' : `at least ${target.min}`;
}

export function printBench({ title, rows }: BenchResult): void {
  console.log(`\n${title}`);
  for (const row of rows) {
    const value = `${row.value.toFixed(row.value < 10 ? 2 : 1)} ${row.unit}`;
    const verdict = row.target === undefined ? '' : meetsTarget(row) ? 'ok' : 'MISSED';
    console.log(`  ${row.what.padEnd(58)} ${value.padStart(12)}  ${formatTarget(row).padEnd(15)} ${verdict}`);
  }
}
