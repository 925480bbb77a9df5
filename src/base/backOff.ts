// Waits before a retry: each twice as long as the one before.

export interface BackOff {
  readonly firstMs: number;
  /** No limit when absent. */
  readonly maxMs?: number;
}

/** The wait after so many failures in a row, which count from 1. */
export const getBackOffMs = (failures: number, { firstMs, maxMs = Number.POSITIVE_INFINITY }: BackOff): number =>
  Math.min(maxMs, firstMs * 2 ** (failures - 1));
