// Timing for benchmarks: medians of interleaved runs, and tables of ratios.

export interface BenchRow {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What the value must keep to; absent for rows that only inform. */
  readonly target?: { readonly most?: number; readonly least?: number };
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

/** Milliseconds of each side, taken in turn so that both meet the same machine; the median of the ratios pair by pair. */
export async function measureInTurn(
  runs: number,
  ours: (run: number) => Promise<unknown>,
  theirs: (run: number) => Promise<unknown>,
): Promise<{ readonly ours: number; readonly theirs: number; readonly ratio: number }> {
  const times: { ours: number; theirs: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const pair = { ours: 0, theirs: 0 };
    // Who goes first changes, so that neither always finds the caches warm.
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
 * Milliseconds of its own processor time that this thread spends between two looks of a timer while something is under
 * way, at most: what the system gives to others is not ours.
 */
export async function measureLongestTask(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, (now.user - before.user + now.system - before.system) / 1_000);
    before = now;
  };
  const timer = setInterval(look, 4);
  try {
    await work;
  } finally {
    clearInterval(timer);
    look();
  }
  return longest;
}

export function meetsTarget({ value, target }: BenchRow): boolean {
  return (target?.most === undefined || value <= target.most) && (target?.least === undefined || value >= target.least);
}

function targetText({ target }: BenchRow): string {
  if (target?.most !== undefined) return `at most ${target.most}`;
  return target?.least === undefined ? '' : `at least ${target.least}`;
}

export function printBench({ title, rows }: BenchResult): void {
  console.log(`\n${title}`);
  for (const row of rows) {
    const value = `${row.value.toFixed(row.value < 10 ? 2 : 1)} ${row.unit}`;
    const verdict = row.target === undefined ? '' : meetsTarget(row) ? 'ok' : 'MISSED';
    console.log(`  ${row.what.padEnd(58)} ${value.padStart(12)}  ${targetText(row).padEnd(15)} ${verdict}`);
  }
}
