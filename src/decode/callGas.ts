// What the gas of calls says about which of them can be inside which.

export interface CallGas {
  readonly gas: bigint | null;
  readonly gasUsed: bigint | null;
}

/** The gas of a call, without that of the calls inside it so far; `null` while unknown. */
export interface FrameGas {
  gasLeft: bigint | null;
  gasUsedAlone: bigint | null;
}

/** What a call gets for free when it sends value. */
const STIPEND = 2_300n;

/**
 * Whether a frame can have made the call: it used at least as much gas, and passes on at most 63/64 of what it has left (EIP-150).
 * That tells the calls of a contract that calls itself from calls inside of them.
 */
export function canContain({ gasLeft, gasUsedAlone }: FrameGas, { gas, gasUsed }: CallGas): boolean {
  const isUsedWithin = gasUsedAlone === null || gasUsed === null || gasUsed <= gasUsedAlone;
  return isUsedWithin && (gasLeft === null || gas === null || gas <= gasLeft - gasLeft / 64n + STIPEND);
}

/** Notes that the frame made the call. */
export function subtractCall(frame: FrameGas, { gasUsed }: CallGas): void {
  if (gasUsed === null) return;
  if (frame.gasLeft !== null) frame.gasLeft -= gasUsed;
  if (frame.gasUsedAlone !== null) frame.gasUsedAlone -= gasUsed;
}
