// The position of a log in a chain, and the one comparison of two positions.

/** Newest first is descending in all three. */
export interface LogPosition {
  readonly blockNumber: number;
  readonly logIndex: number;
  /** Index of the id within an ERC-1155 batch transfer; 0 for other logs. */
  readonly batchIndex: number;
}

/** A row of a log that moves a single id needs no batch index. */
export interface HasLogPosition {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly batchIndex?: number;
}

/** Negative when `a` is earlier in the chain. */
export function compareLogPositions(a: HasLogPosition, b: HasLogPosition): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex || (a.batchIndex ?? 0) - (b.batchIndex ?? 0);
}
