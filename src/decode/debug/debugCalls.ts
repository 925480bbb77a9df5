// Calls view functions for the console of a debugger, on the state as it is at a step: nothing is sent, and nothing changes.
import { type DebugVariable, plainVariable } from '../../api/debugSession.ts';
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import type { AbiItem } from '../abiItem.ts';
import { decodeCallResult, encodeCall } from '../encodeCall.ts';
import type { ContractProgram } from '../source/contractProgram.ts';
import type { TraceFrame } from '../trace/trace.ts';
import { type CallArgument, type CalledContract, fail } from './debugExpression.ts';
import type { DebugIndex } from './debugIndex.ts';
import type { DebugMachine } from './debugMachine.ts';
import { toArgument } from './debugVariables.ts';

const ERROR = '0x08c379a0';
const PANIC = '0x4e487b71';

interface EncodedCall {
  readonly item: AbiItem;
  readonly data: Hex;
  /** How many arguments have the type of their parameter. */
  readonly fit: number;
}

/** Calls from one frame of the stack at one step. */
export class DebugCalls {
  readonly #index: DebugIndex;
  readonly #machine: DebugMachine;
  readonly #step: number;
  readonly #frame: TraceFrame;
  /** Functions of contracts whose builds the transaction did not run. */
  readonly #known: readonly AbiItem[];

  constructor(index: DebugIndex, machine: DebugMachine, step: number, frame: TraceFrame, known: readonly AbiItem[]) {
    this.#index = index;
    this.#machine = machine;
    this.#step = step;
    this.#frame = frame;
    this.#known = known;
  }

  account(address: Hex): Promise<{ readonly balance: bigint; readonly code: Hex }> {
    return this.#machine.accountAt(this.#step, address);
  }

  /** `to`: `null` for the contract of the frame, with its storage also where its code runs by delegatecall. */
  async call(to: CalledContract | null, name: string, args: readonly CallArgument[]): Promise<DebugVariable> {
    const programs = to === null ? this.#programsOf([this.#frame]) : this.#programsOfContract(to);
    const declared = programs.flatMap(program => program.functions());
    const items = declared.some(each => each.name === name) ? declared : to === null ? [] : this.#known;
    const cast = to === null && args.length === 1 ? toContract(name, args[0] as CallArgument) : null;
    if (cast !== null && !items.some(each => each.name === name)) return cast;
    const { item, data } = chooseCall(name, items, args);
    if (item.isReadOnly !== true)
      return fail(localizable('{0} changes the state: only view and pure functions are called.', item.canonical));
    const { output, isSuccessful, isChange } = await this.#machine.callAt(this.#step, {
      data,
      ...(to === null
        ? { caller: this.#frame.caller, to: this.#frame.address, code: this.#frame.code }
        : { caller: this.#frame.address, to: to.address, code: null }),
    });
    if (isChange) return fail(localizable('{0} would change the state.', item.canonical));
    if (!isSuccessful) return fail(localizable('{0} fails: {1}', item.canonical, this.#describe(output, programs)));
    return toResult(item, output);
  }

  #programsOf(frames: readonly TraceFrame[]): readonly ContractProgram[] {
    return [...new Set(frames.flatMap(frame => this.#index.codeOf(frame)?.program ?? []))];
  }

  /** What ran at the address, of a proxy that of the implementation too; then what has the name of its type. */
  #programsOfContract({ address, type }: CalledContract): readonly ContractProgram[] {
    const ran = this.#programsOf(this.#index.trace.frames.filter(each => each.address === address));
    const named = this.#index.codes().flatMap(({ program }) => (program.name === type ? program : []));
    return [...new Set([...ran, ...named])];
  }

  #describe(output: Hex, programs: readonly ContractProgram[]): string {
    const fields = output.startsWith(ERROR) ? 'string' : output.startsWith(PANIC) ? 'uint256' : null;
    if (fields !== null) {
      const item = { outputs: [{ name: '', type: fields }] } as unknown as AbiItem;
      const [value] = decodeCallResult(item, `0x${output.slice(10)}`) ?? [];
      if (typeof value?.value === 'string')
        return fields === 'string' ? JSON.stringify(value.value) : `Panic(0x${BigInt(value.value).toString(16)})`;
    }
    const selector = output.slice(2, 10);
    if (selector.length < 8) return output;
    const all = [...programs, ...this.#index.codes().map(({ program }) => program)];
    return all.map(program => program.errorName(selector)).find(found => found !== null) ?? output;
  }
}

/** `IERC20(token)`: the address, as a contract. */
function toContract(name: string, { value }: CallArgument): DebugVariable | null {
  return typeof value === 'string' && /^0x[\da-f]{40}$/i.test(value) ? plainVariable(name, value, name) : null;
}

/** Of several functions with the name the one that the arguments fit best. */
function chooseCall(name: string, items: readonly AbiItem[], args: readonly CallArgument[]): EncodedCall {
  const named = new Map(items.flatMap(item => (item.name === name ? [[item.canonical, item] as const] : [])));
  if (named.size === 0)
    return fail(localizable('There is no "{0}" that can be called: only external and public functions can.', name));
  const calls: EncodedCall[] = [];
  let problem: HexLensError | null = null;
  for (const item of named.values()) {
    try {
      const data = encodeCall(
        item,
        args.map(({ value }) => value),
      );
      const fit = item.inputs.filter(({ type }, i) => type === args[i]?.type).length;
      calls.push({ item, data, fit });
    } catch (error) {
      if (!isFault(error, 'bad-input')) throw error;
      problem ??= toFault(error);
    }
  }
  const best = calls.filter(({ fit }) => fit === Math.max(...calls.map(each => each.fit)));
  const [found, other] = best;
  if (found === undefined) throw problem ?? new HexLensError('bad-input', localizable('There is no "{0}".', name));
  if (other !== undefined)
    return fail(localizable('Both {0} and {1} fit: cast the arguments.', found.item.canonical, other.item.canonical));
  return found;
}

function toResult(item: AbiItem, output: Hex): DebugVariable {
  if (output === '0x' && (item.outputs?.length ?? 0) > 0)
    return fail(localizable('{0} returned nothing: there may be no code at the address.', item.canonical));
  const values = decodeCallResult(item, output);
  if (values === null) return plainVariable(item.name, output, 'bytes');
  const members = values.map((each, i) => toArgument(each.name === '' ? { ...each, name: `[${i}]` } : each));
  const [only] = members;
  if (members.length === 1 && only !== undefined) return { ...only, name: item.name };
  const text = members.map(({ value }) => value).join(', ');
  return { ...plainVariable(item.name, `(${text})`), reference: { kind: 'plain', members } };
}
