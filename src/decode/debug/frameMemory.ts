// Up to which step a frame ran, and which memory the code of its source had then.
import type { Trace, TraceFrame } from '../trace/trace.ts';
import type { DebugCode } from './debugCode.ts';
import type { MachineState } from './debugMachine.ts';

const CODECOPY = 0x39;

/** The last step of the frame until `step`; of a caller, the step of the call that it waits for. */
export function getLastStep({ steps, frames }: Trace, step: number, frame: TraceFrame): number {
  let at = step;
  let running = frames[steps.frame[at] as number];
  while (running !== undefined && running.index !== frame.index) {
    at = running.callStep;
    running = frames[running.parent];
  }
  return at;
}

/** That of the statements: behind them, a deployment copies the new contract's code over the memory of its constructor. */
export async function readSourceMemory(
  { steps }: Trace,
  code: DebugCode | null,
  frame: TraceFrame,
  lastStep: number,
  stateAt: (step: number) => Promise<MachineState> | null,
): Promise<Uint8Array | null> {
  if (frame.isCreation && code !== null) {
    const isOfStatement = (step: number) => code.unitAt(steps.pc[step] as number) >= 0;
    for (let at = lastStep - 1; at >= frame.firstStep && steps.frame[at] === frame.index && !isOfStatement(at); at--) {
      if (steps.op[at] !== CODECOPY) continue;
      const state = await stateAt(at);
      // Arguments of a constructor are copied to another place.
      if (state?.stack.at(-1) === 0n) return state.memory;
    }
  }
  return (await stateAt(lastStep))?.memory ?? null;
}
