// How much more processor time a larger input takes: about the factor of the sizes when the work is linear.

import { measureCpuMs } from './cpuTime.ts';

/** What a measurement may be wrong by, in milliseconds: some systems count the time of a thread in ticks of up to ten. */
const PRECISION_MS = 10;

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
  const smallMs = measureCpuMs(() => {
    for (let count = 0; count < factor; count++) run(small);
  }, PRECISION_MS);
  const basis = Math.max(PRECISION_MS, smallMs);
  return measureCpuMs(() => run(large), 2 * basis) / basis; // twice as long is linear
}
