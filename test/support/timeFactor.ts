// How much longer than usual tests may wait: HEXLENS_TEST_TIME_FACTOR=3 for a machine that is slow or busy.

const factor = Number(process.env['HEXLENS_TEST_TIME_FACTOR'] ?? 1);

/** Limits only end what hangs, so they are generous already. */
export const scaleLimit = (milliseconds: number): number => milliseconds * (factor > 0 ? factor : 1);

/** For a vitest test or hook. */
export const TEST_LIMIT_MS = scaleLimit(240_000);
/** For one state in it: shorter, so that the last value is reported before the test ends. */
export const STATE_LIMIT_MS = TEST_LIMIT_MS / 2;
