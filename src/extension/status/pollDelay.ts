// How often the status of local chains is polled while it is shown.

const REACHABLE_DELAY_MS = 3_000;
/** Short too, because a local node is often restarted soon and an unused port costs almost nothing. */
const UNREACHABLE_DELAY_MS = 4_000;

export const getPollDelayMs = (isReachable: boolean): number =>
  isReachable ? REACHABLE_DELAY_MS : UNREACHABLE_DELAY_MS;
