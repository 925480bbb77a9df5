// What a debugger reads of the EVM at a step: stack, memory and storage as they were then.
import type { Hex } from '../../base/hex.ts';
import type { Trace } from '../trace/trace.ts';

export interface MachineState {
  /** The top is last. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
}

/** A message that changes nothing. */
export interface DebugCall {
  readonly caller: Hex;
  readonly to: Hex;
  readonly data: Hex;
  /** In place of the code at `to`, which may be a proxy; `null` where that runs. */
  readonly code: Uint8Array | null;
}

export interface DebugCallResult {
  readonly output: Hex;
  readonly isSuccessful: boolean;
  /** It failed because it would have changed the state. */
  readonly isChange: boolean;
}

/** The run of the transaction. */
export interface DebugMachine {
  /** Before the step. */
  stateAt(step: number): Promise<MachineState>;
  /** A word of storage before the transaction; `null` where it is not known. */
  storageBefore(address: Hex, slot: bigint): Promise<bigint | null>;
  /** On the state before the step. Rejects with `bad-input` where that is not known. */
  callAt(step: number, call: DebugCall): Promise<DebugCallResult>;
  accountAt(step: number, address: Hex): Promise<{ readonly balance: bigint; readonly code: Hex }>;
  /** What the code can read of transaction and block. */
  readonly environment: readonly {
    readonly group: 'tx' | 'block';
    readonly name: string;
    readonly value: string;
    readonly type: string;
  }[];
}

/** Storage of one account as it is before a step: what was written and not undone until then, else as before the transaction. */
export class StorageAtStep {
  readonly #trace: Trace;
  readonly #machine: DebugMachine | null;
  readonly #address: Hex;
  readonly #isTransient: boolean;
  readonly #isNew: boolean;
  /** By slot. */
  readonly #words = new Map<bigint, bigint>();
  readonly #missing = new Set<bigint>();

  constructor(trace: Trace, machine: DebugMachine | null, step: number, address: Hex, isTransient: boolean) {
    this.#trace = trace;
    this.#machine = machine;
    this.#address = address;
    this.#isTransient = isTransient;
    this.#isNew = trace.frames.some(frame => frame.isCreation && frame.address === address);
    this.#apply(step);
  }

  #apply(step: number): void {
    const { frames, writes } = this.#trace;
    const isUndone = (index: number): boolean => {
      for (let frame = frames[index]; frame !== undefined; frame = frames[frame.parent])
        if (frame.status !== 'success' && frame.endStep <= step) return true;
      return false;
    };
    for (const write of writes) {
      if (write.address !== this.#address || write.isTransient !== this.#isTransient) continue;
      // The first write tells what was there before.
      if (!this.#words.has(write.slot)) this.#words.set(write.slot, write.oldValue);
      if (write.step < step && !isUndone(write.frame)) this.#words.set(write.slot, write.newValue);
    }
  }

  /** `undefined` where it is not known yet: `resolve` asks for it. */
  readonly read = (slot: bigint): bigint | undefined => {
    const known = this.#words.get(slot);
    if (known !== undefined) return known;
    if (this.#isTransient || this.#isNew) return 0n;
    this.#missing.add(slot);
    return undefined;
  };

  /** Runs `use` until all words that it reads and that can be known are. */
  async resolve<T>(use: () => T): Promise<T> {
    const unknown = new Set<bigint>();
    for (;;) {
      this.#missing.clear();
      const result = use();
      const missing = [...this.#missing].filter(slot => !unknown.has(slot));
      if (missing.length === 0 || this.#machine === null) return result;
      const machine = this.#machine;
      const words = await Promise.all(missing.map(slot => machine.storageBefore(this.#address, slot)));
      for (const [i, slot] of missing.entries()) {
        const word = words[i] ?? null;
        if (word === null) unknown.add(slot);
        else this.#words.set(slot, word);
      }
    }
  }
}
