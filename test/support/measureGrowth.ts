// How much more processor time a larger input takes: about the factor of the sizes when the work is linear.

import { measureRunCpuMs } from './cpuTime.ts';

/** What a measurement may be wrong by, in milliseconds: some systems count the time of a thread in ticks of up to ten. */
const PRECISION_MS = 10;
const ROUNDS = 5;

/**
 * The processor time of a large input per that of as many small ones as are in it: about 1 for linear work, about `factor`
 * for quadratic work.
 *
 * @param create Makes the input of a size.
 * @param size Of the smaller input; large enough that it takes some milliseconds.
 */
export function measureGrowth<T>(
  create: (size: number) => T,
  run: (input: T) => void,
  size: number,
  factor = 16,
): number {
  const [small, large] = [create(size), create(size * factor)];
  const runSmall = () => {
    for (let count = 0; count < factor; count++) run(small);
  };
  runSmall(); // while its code is not optimized, it takes longer
  let growth = Number.POSITIVE_INFINITY;
  // In turn, since a machine may be slower for seconds; twice as long is linear.
  for (let round = 0; round < ROUNDS && growth > 2; round++) {
    const basis = Math.max(PRECISION_MS, measureRunCpuMs(runSmall));
    growth = Math.min(growth, measureRunCpuMs(() => run(large)) / basis);
  }
  return growth;
}
