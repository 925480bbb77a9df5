// The one time limit of the suites: tests wait for states, and it only ends what hangs.
import { scaleLimit } from '../../support/timeFactor.ts';

/** For a test or hook. */
export const TEST_LIMIT_MS = scaleLimit(120_000);
/** For one state: shorter, so that the last value is reported before the test ends. */
export const STATE_LIMIT_MS = TEST_LIMIT_MS / 2;
