// The time limits of all tests, which wait for states: a limit only ends what hangs, so it is generous.

/** `HEXLENS_TEST_TIME_FACTOR=3` triples every limit, for machines that are slow or busy. */
const factor = readFactor(process.env['HEXLENS_TEST_TIME_FACTOR']);

export const scaleLimit = (milliseconds: number): number => milliseconds * factor;

/** For a test or hook. */
export const TEST_LIMIT_MS = scaleLimit(240_000);
/** For a step of `npm test`, such as all end-to-end tests. */
export const STEP_LIMIT_MS = 10 * TEST_LIMIT_MS;
/** After so many failures the rest of a step is left out: when a fault makes tests wait for their limits, it would take hours. */
export const MAX_FAILURES = 10;
/** For one state in it: shorter, so that the last value is reported before the test ends. */
export const STATE_LIMIT_MS = TEST_LIMIT_MS / 2;

function readFactor(text: string | undefined): number {
  const number = Number(text ?? 1);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error(`HEXLENS_TEST_TIME_FACTOR is "${text}": it must be a number above 0, such as 3.`);
}
