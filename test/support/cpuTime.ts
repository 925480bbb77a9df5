// CPU time instead of time on the clock: what else the machine does hardly changes it.

const RUNS = 5;

/** Milliseconds of this thread: other threads of the process, which collect its garbage or write files, do not count. */
function getCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** CPU time of one run, in milliseconds. */
export function measureRunCpuMs(run: () => unknown): number {
  const before = getCpuMs();
  run();
  return getCpuMs() - before;
}

/**
 * CPU time of the fastest of several runs, in milliseconds: a run may be slowed down by what it shares a processor with. Where
 * a run took no more than `enoughMs`, there are no further ones.
 */
export function measureCpuMs(run: () => unknown, enoughMs = 0): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < RUNS && fastest > enoughMs; count++) fastest = Math.min(fastest, measureRunCpuMs(run));
  return fastest;
}

/** The same for work that takes turns with other work of this thread. */
export async function measureAsyncCpuMs(run: () => Promise<unknown>, runs = RUNS): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < runs; count++) {
    const before = getCpuMs();
    await run();
    fastest = Math.min(fastest, getCpuMs() - before);
  }
  return fastest;
}
