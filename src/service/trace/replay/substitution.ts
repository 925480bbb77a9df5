// Runs other code than that of the chain, on a state that stays the chain's: what an unoptimized build would have done.
import type { EVM, Message } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { HexLensError } from '../../../base/errors.ts';
import { type Hex, hexToBytes } from '../../../base/hex.ts';
import { localizable } from '../../../base/localize.ts';
import type { TraceFrame } from '../../../decode/trace/trace.ts';
import { hashCode } from '../hashCode.ts';
import type { ReplayState } from './replayState.ts';

export interface SubstitutedRun {
  /** Runtime codes by the hash of those that they replace. */
  readonly runtime: ReadonlyMap<Hex, Uint8Array>;
  /** Codes that create contracts, likewise. */
  readonly creation: ReadonlyMap<Hex, Uint8Array>;
  /** Calls of the transaction as it was: what it created, at which addresses. */
  readonly frames: readonly TraceFrame[];
  /** More steps than this are not run. */
  readonly maxSteps: number;
}

/** More than any code uses, and a number that is exact also in floating point. */
export const LIFTED_GAS_LIMIT = 2n ** 52n;

interface PatchedEvm {
  _loadCode(message: Message): Promise<void>;
  _generateAddress(message: Message): Promise<Address>;
  readonly _opcodeMap: { gasHandler: (state: unknown, gas: bigint, common: unknown) => bigint | Promise<bigint> }[];
}

export class Substitution {
  readonly #run: SubstitutedRun;
  /** A step that costs more would have ended the transaction. */
  readonly #gasLimit: bigint;
  /** Calls that were begun until now. */
  #frame = -1;
  #steps = 0;

  constructor(run: SubstitutedRun, gasLimit: bigint) {
    this.#run = run;
    this.#gasLimit = gasLimit;
  }

  /** Before anything else listens to the EVM. */
  attach(evm: EVM, state: ReplayState): void {
    const patched = evm as unknown as PatchedEvm;
    evm.events.on('beforeMessage', message => this.#onBeforeMessage(message));
    const [load, generate] = [patched._loadCode.bind(evm), patched._generateAddress.bind(evm)];
    patched._loadCode = async message => {
      await load(message);
      if (message.code instanceof Uint8Array && message.code.length > 0)
        message.code = this.#run.runtime.get(hashCode(message.code)) ?? message.code;
    };
    // CREATE2 takes the hash of the code, which is another one.
    patched._generateAddress = async message => {
      const real = this.#run.frames[this.#frame];
      return real?.isCreation === true && real.address.length === 42
        ? new Address(hexToBytes(real.address))
        : generate(message);
    };
    // The code of what it creates is the chain's: contracts that read it see no other one.
    const created = new Map<string, Uint8Array>(
      this.#run.frames.flatMap(({ isCreation, status, address, output }) =>
        isCreation && status === 'success' ? [[address, output] as const] : [],
      ),
    );
    state.replaceCodes(address => created.get(address) ?? null);
  }

  /** After everything else: gas is counted as before, and nothing is paid. */
  liftGas(evm: EVM): void {
    const { _opcodeMap: entries } = evm as unknown as PatchedEvm;
    for (const [op, entry] of entries.entries()) {
      const { gasHandler } = entry;
      const lift = (gas: bigint): bigint => (gas > this.#gasLimit ? 2n * LIFTED_GAS_LIMIT : 0n);
      entries[op] = {
        ...entry,
        gasHandler: (state, gas, common) => {
          if (++this.#steps > this.#run.maxSteps)
            throw new HexLensError('too-large', localizable('The unoptimized code takes too many steps.'));
          const cost = gasHandler(state, gas, common);
          return typeof cost === 'bigint' ? lift(cost) : cost.then(lift);
        },
      };
    }
  }

  #onBeforeMessage(message: Message): void {
    this.#frame++;
    if (message.to !== undefined) return;
    const { data } = message;
    message.data = this.#run.creation.get(hashCode(data)) ?? data;
  }
}
