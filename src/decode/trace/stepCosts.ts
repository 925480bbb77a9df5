// What each step of a trace cost, and what of it was paid for the first access to something (EIP-2929) and for more memory.
import type { TaskPacer } from '../../base/taskPacer.ts';
import type { Trace } from './trace.ts';

export interface StepCosts {
  /** Without the gas of calls inside, which their own steps have. */
  readonly gas: Float64Array;
  /** Gas for more memory, by step; those that paid none are left out. */
  readonly memory: ReadonlyMap<number, number>;
  /** What was paid more for first accesses, by step. */
  readonly coldAccess: ReadonlyMap<number, number>;
  /** Gas for storing the code of a new contract, by the last step of its creation. */
  readonly codeDeposits: ReadonlyMap<number, number>;
}

/** Gas for a memory of so many words. */
const getMemoryCost = (words: number): number => 3 * words + Math.floor((words * words) / 512);

const CODE_BYTE_COST = 200;

/** Steps between two looks at the clock, as a mask. */
export const STEPS_PER_CHECK = (1 << 14) - 1;

export async function getStepCosts(
  { steps, frames, memorySizes = [], coldAccesses = [] }: Trace,
  pacer: TaskPacer,
): Promise<StepCosts> {
  const gas = new Float64Array(steps.length);
  const memory = new Map<number, number>();
  /** The last step of each frame so far, and the words of its memory. */
  const lastSteps = new Int32Array(frames.length).fill(-1);
  const words = new Float64Array(frames.length);
  let nextSize = 0;
  for (let step = 0; step < steps.length; step++) {
    if ((step & STEPS_PER_CHECK) === STEPS_PER_CHECK) await pacer.pause();
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
  const coldAccess = new Map<number, number>();
  for (const each of coldAccesses) coldAccess.set(each.step, (coldAccess.get(each.step) ?? 0) + each.gas);
  return { gas, memory, coldAccess, codeDeposits };
}
