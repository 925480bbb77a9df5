// How much more processor time a larger input takes: about the factor of the sizes when the work is linear.

import { measureCpuMs } from './cpuTime.ts';

/**
 * The growth of processor time per growth of the input: about 1 for linear work, about `factor` for quadratic work.
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
  const smallMs = measureCpuMs(() => run(small));
  // One millisecond is what a measurement may be wrong by.
  return measureCpuMs(() => run(large)) / Math.max(1, smallMs) / factor;
}
