// The steps of a trace as typed arrays that grow: 17 bytes a step.
import type { TraceColumns } from './trace.ts';

const FIRST_CAPACITY = 1 << 14;

export class StepColumns implements TraceColumns {
  length = 0;
  pc = new Uint32Array(FIRST_CAPACITY);
  gas = new Float64Array(FIRST_CAPACITY);
  op = new Uint8Array(FIRST_CAPACITY);
  frame = new Uint32Array(FIRST_CAPACITY);

  /** @returns the index of the new step. */
  add(pc: number, gas: number, op: number, frame: number): number {
    const step = this.length;
    if (step === this.pc.length) this.#grow();
    this.pc[step] = pc;
    this.gas[step] = gas;
    this.op[step] = op;
    this.frame[step] = frame;
    this.length++;
    return step;
  }

  #grow(): void {
    const capacity = 2 * this.pc.length;
    const { pc, gas, op, frame } = this;
    this.pc = new Uint32Array(capacity);
    this.gas = new Float64Array(capacity);
    this.op = new Uint8Array(capacity);
    this.frame = new Uint32Array(capacity);
    this.pc.set(pc);
    this.gas.set(gas);
    this.op.set(op);
    this.frame.set(frame);
  }
}
