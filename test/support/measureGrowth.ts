// How much more processor time a larger input takes: about the factor of the sizes when the work is linear.

import { measureRunCpuMs } from './cpuTime.ts';

/** What a measurement may be wrong by, in milliseconds: some systems count the time of a thread in ticks of up to ten. */
const PRECISION_MS = 10;
/** Collecting garbage is part of a measurement, and may be most of it; the least of some has little of that. */
const MIN_ROUNDS = 3;
const MAX_ROUNDS = 6;

/**
 * The processor time of a large input per that of as many small ones as are in it: about 1 for linear work, up to 7 where the
 * large input does not fit in the caches of a processor, and about `factor` for quadratic work.
 *
 * @param create Makes the input of a size.
 * @param size Of the smaller input; large enough that `factor` of them take some milliseconds.
 */
export function measureGrowth<T>(
  create: (size: number) => T,
  run: (input: T) => void,
  size: number,
  factor = 64,
): number {
  const [small, large] = [create(size), create(size * factor)];
  const runSmall = () => {
    for (let count = 0; count < factor; count++) run(small);
  };
  runSmall(); // while its code is not optimized, it takes longer
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const getGrowth = () => largeMs / Math.max(PRECISION_MS, smallMs);
  // In turn, since a machine may be slower for seconds; twice as long is linear.
  for (let round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && getGrowth() > 2); round++) {
    smallMs = Math.min(smallMs, measureRunCpuMs(runSmall));
    largeMs = Math.min(
      largeMs,
      measureRunCpuMs(() => run(large)),
    );
  }
  return getGrowth();
}
