// What each step of a trace cost, and what of it was paid for the first access to something (EIP-2929) and for more memory.
import type { Trace } from './trace.ts';

export interface StepCosts {
  /** Without the gas of calls inside, which their own steps have. */
  readonly gas: Float64Array;
  /** Gas for more memory, by step; those that paid none are left out. */
  readonly memory: ReadonlyMap<number, number>;
  /** Gas for storing the code of a new contract, by the last step of its creation. */
  readonly codeDeposits: ReadonlyMap<number, number>;
}

/** Gas for a memory of so many words. */
const getMemoryCost = (words: number): number => 3 * words + Math.floor((words * words) / 512);

const CODE_BYTE_COST = 200;

export function getStepCosts({ steps, frames, memorySizes = [] }: Trace): StepCosts {
  const gas = new Float64Array(steps.length);
  const memory = new Map<number, number>();
  /** The last step of each frame so far, and the words of its memory. */
  const lastSteps = new Int32Array(frames.length).fill(-1);
  const words = new Float64Array(frames.length);
  let nextSize = 0;
  for (let step = 0; step < steps.length; step++) {
    const frame = steps.frame[step] as number;
    const last = lastSteps[frame] as number;
    if (last >= 0) gas[last] = (steps.gas[last] as number) - (steps.gas[step] as number);
    lastSteps[frame] = step;
    const size = memorySizes[nextSize];
    if (size?.step !== step) continue;
    nextSize++;
    const before = words[frame] as number;
    if (size.words <= before) continue;
    if (last >= 0) memory.set(last, getMemoryCost(size.words) - getMemoryCost(before));
    words[frame] = size.words;
  }
  const codeDeposits = new Map<number, number>();
  for (const { index, gasLimit, gasUsed, callStep, firstStep, endStep, isCreation, status, output } of frames) {
    const last = lastSteps[index] as number;
    if (last >= 0 && isCreation && status === 'success') codeDeposits.set(last, CODE_BYTE_COST * output.length);
    if (last >= 0) gas[last] = (steps.gas[last] as number) - (gasLimit - gasUsed);
    // A precompile has no steps: its gas is that of the call.
    if (callStep >= 0 && endStep > firstStep) gas[callStep] = (gas[callStep] as number) - gasUsed;
  }
  return { gas, memory, codeDeposits };
}

const SLOAD = 0x54;
const SSTORE = 0x55;
const COLD_READ = { cost: 2_100, extra: 2_000 } as const;
/** SSTORE of a cold slot: unchanged, changed again, changed, set. */
const COLD_WRITES: ReadonlySet<number> = new Set([2_200, 5_000, 22_100]);
const COLD_WRITE_EXTRA = 2_100;
const COLD_ACCOUNT = { cost: 2_600, extra: 2_500 } as const;
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, DELEGATECALL, STATICCALL. */
const ACCOUNT_READS: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xf4, 0xfa]);
/** CALL, CALLCODE. */
const VALUE_CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2]);
/** What a call with value costs more, without the 2,300 that the called contract gets. */
const CALL_VALUE_COST = 6_700;
/** What a call with value costs more that creates the account. */
const NEW_ACCOUNT_COST = 25_000;

/** What the first access cost more than the next ones. `cost`: without memory; `hasValue`: a call that sends ether. */
export function getColdAccess(op: number, cost: number, hasValue: boolean): number {
  if (op === SLOAD) return cost >= COLD_READ.cost ? COLD_READ.extra : 0;
  if (op === SSTORE) return COLD_WRITES.has(cost) ? COLD_WRITE_EXTRA : 0;
  const canSend = VALUE_CALLS.has(op);
  if (!canSend && !ACCOUNT_READS.has(op)) return 0;
  // DELEGATECALL keeps the value of its caller, and sends nothing.
  const withoutValue = cost - (canSend && hasValue ? CALL_VALUE_COST : 0);
  const access = withoutValue - (canSend && hasValue && withoutValue >= NEW_ACCOUNT_COST ? NEW_ACCOUNT_COST : 0);
  return access >= COLD_ACCOUNT.cost ? COLD_ACCOUNT.extra : 0;
}
