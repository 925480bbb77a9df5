// The variables of a frame at a step: state, locals, arguments, what the code can read of its message, and the EVM itself.

import {
  ASSEMBLY_TYPE,
  type ContractDeclarations,
  type ImmutableVariable,
  type SolidityType,
  type StorageVariable,
  type TypeIndex,
} from '../../api/contractDeclarations.ts';
import {
  type DebugMemory,
  type DebugReference,
  type DebugScope,
  type DebugVariable,
  plainVariable,
} from '../../api/debugSession.ts';
import { toByteCount, toWordCount } from '../../base/formatByteCount.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { bytesToHex, type Hex, toWordHex } from '../../base/hex.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import type { DecodedValue } from '../decodeValues.ts';
import { formatMappingKey } from '../source/slotNames.ts';
import {
  cleanWord,
  formatStored,
  getMappingPlace,
  getType,
  isValueType,
  listPlaces,
  type NamedPlace,
  parseMappingKey,
  readImmutable,
  readStorageValue,
  type StoragePlace,
  type Types,
  toStored,
} from '../source/storageValues.ts';
import type { Trace, TraceFrame } from '../trace/trace.ts';
import { DataReader } from './dataValues.ts';
import type { DebugCode } from './debugCode.ts';
import type { DebugIndex } from './debugIndex.ts';
import type { PlacedVariable } from './debugLocals.ts';
import { type DebugMachine, type MachineState, StorageAtStep } from './debugMachine.ts';
import type { DebugFrame } from './debugStack.ts';
import { FrameLocals } from './frameLocals.ts';
import { getLastStep, readSourceMemory } from './frameMemory.ts';
import { getArgumentAmounts, getStateAmount, toNative } from './variableAmounts.ts';

/** Members of a value that are read at once where the client does not say. */
const MAX_MEMBERS = 100;
/** One more than are shown tells that there are more. */
const MAX_PREVIEWED = 6;
/** Where memory that code allocates begins. */
const FIRST_IMMUTABLE = 0x80;

const VIA_IR = localizable('not available in code that was compiled via-IR: an unoptimized build shows it');

/** A state variable, or a constant of a file. */
interface DeclaredName {
  readonly name: string;
  readonly contract: string | null;
}

const toHex = (value: bigint, bytes: number): Hex => `0x${value.toString(16).padStart(2 * bytes, '0')}`;

/** Larger words of inline assembly are rather addresses and hashes than numbers. */
const MAX_DECIMAL = 1n << 128n;
const formatAssemblyWord = (word: bigint): string =>
  word < MAX_DECIMAL ? `${word}` : toHex(word, word >> 160n === 0n ? 20 : 32);

/** One frame of the stack at one step. */
export class FrameVariables {
  readonly #index: DebugIndex;
  readonly #machine: DebugMachine | null;
  readonly #step: number;
  readonly #shown: DebugFrame;
  readonly #isInnermost: boolean;
  readonly #storages = new Map<boolean, StorageAtStep>();
  readonly frame: TraceFrame;
  readonly #code: DebugCode | null;
  readonly declarations: ContractDeclarations | null;

  constructor(index: DebugIndex, machine: DebugMachine | null, step: number, shown: DebugFrame, isInnermost: boolean) {
    this.#index = index;
    this.#machine = machine;
    this.#step = step;
    this.#shown = shown;
    this.#isInnermost = isInnermost;
    this.frame = index.trace.frames[shown.frame] as TraceFrame;
    this.#code = index.codeOf(this.frame);
    this.declarations = this.#code?.program.declarations ?? null;
  }

  scopes(): readonly DebugScope[] {
    const declarations = this.declarations;
    // An empty scope would be the one that an editor opens by itself.
    const hasLocals =
      declarations?.by === 'ast' && this.#shown.definition !== null && this.#frameLocals(declarations).all().length > 0;
    const hasArguments = this.#code?.program.argumentsOf(this.frame) ?? null;
    return [
      ...(hasLocals ? (['locals'] as const) : []),
      ...(hasArguments !== null && hasArguments.length > 0 ? (['arguments'] as const) : []),
      ...(declarations !== null ? (['state'] as const) : []),
      'context',
      'machine',
    ];
  }

  /**
   * Scopes whose names can be used in expressions. In a function of the source a name is that of its own variable: the
   * arguments of the call may belong to a function around it, and a parameter may have another value by now.
   */
  namedScopes(): readonly DebugScope[] {
    return this.scopes().filter(scope => scope !== 'arguments' || this.#shown.definition === null);
  }

  async list(reference: DebugReference, from = 0, count = MAX_MEMBERS): Promise<readonly DebugVariable[]> {
    switch (reference.kind) {
      case 'scope':
        return this.#scope(reference.scope);
      case 'group':
        return this.#group(reference.group);
      case 'plain':
        return reference.members.slice(from, from + count);
      case 'value':
        return this.#members(reference, from, count);
    }
  }

  /** With the first members of those that have any. */
  withPreviews(variables: readonly DebugVariable[]): Promise<readonly DebugVariable[]> {
    return Promise.all(variables.map(each => this.#withPreview(each)));
  }

  async #withPreview(variable: DebugVariable): Promise<DebugVariable> {
    const { reference, value, type } = variable;
    const isStack = reference?.kind === 'group' && reference.group === 'stack';
    // Several results of a function have all of them as value.
    const hasValue = reference?.kind === 'plain' && value !== type;
    if (reference === null || isStack || hasValue) return variable;
    return { ...variable, preview: await this.list(reference, 0, MAX_PREVIEWED) };
  }

  #scope(scope: DebugScope): Promise<readonly DebugVariable[]> | readonly DebugVariable[] {
    switch (scope) {
      case 'locals':
        return this.#locals();
      case 'state':
        return this.#state();
      case 'arguments':
        return this.#arguments();
      case 'context':
        return this.#context();
      case 'machine':
        return this.#machineValues();
    }
  }

  #arguments(): readonly DebugVariable[] {
    const { program } = this.#code ?? {};
    if (program === undefined) return [];
    return this.#withAmounts((program.argumentsOf(this.frame) ?? []).map(toArgument));
  }

  /** Arguments of the message, also where they are parameters of the function that it entered. */
  #withAmounts(variables: readonly DebugVariable[]): readonly DebugVariable[] {
    const { program } = this.#code ?? {};
    const amounts = program === undefined ? new Map<string, string>() : getArgumentAmounts(program, this.frame);
    return variables.map(each => {
      const amountOf = amounts.get(each.name);
      return amountOf === undefined ? each : { ...each, amountOf };
    });
  }

  #context(): readonly DebugVariable[] {
    const groups = ['msg', ...(this.#machine === null ? [] : ['tx', 'block'])] as const;
    return [
      ...groups.map(group => ({ ...plainVariable(group, ''), reference: { kind: 'group', group } as DebugReference })),
      plainVariable('this', this.frame.address, 'address'),
    ];
  }

  #group(group: 'msg' | 'tx' | 'block' | 'stack'): Promise<readonly DebugVariable[]> | readonly DebugVariable[] {
    if (group === 'stack') return this.#stack();
    if (group !== 'msg')
      return (this.#machine?.environment ?? [])
        .filter(each => each.group === group)
        .map(({ name, value, type }) => {
          const variable = plainVariable(name, value, type);
          return /^(?:gasprice|basefee|blobbasefee)$/.test(name) ? toNative(variable) : variable;
        });
    const { caller, value, input } = this.frame;
    return [
      plainVariable('sender', caller, 'address'),
      toNative(plainVariable('value', value.toString(), 'uint256')),
      { ...plainVariable('data', bytesToHex(input), 'bytes'), memory: { area: 'calldata', offset: 0 } },
      plainVariable('sig', bytesToHex(input.subarray(0, 4)), 'bytes4'),
    ];
  }

  async #stack(): Promise<readonly DebugVariable[]> {
    const { stack } = (await this.#stateAt(this.#shown.step)) ?? { stack: [] };
    return stack.toReversed().map((word, i) => plainVariable(`${i}`, toWordHex(word)));
  }

  get #lastStep(): number {
    return getLastStep(this.#index.trace, this.#step, this.frame);
  }

  #stateAt(step: number): Promise<MachineState> | null {
    return this.#machine?.stateAt(step) ?? null;
  }

  async #machineValues(): Promise<readonly DebugVariable[]> {
    const { steps, isSubstituted } = this.#index.trace;
    const { gasLimit, gasUsed } = this.frame;
    const gas = isSubstituted
      ? [plainVariable('gas limit of the call', `${gasLimit}`), plainVariable('gas used by the call', `${gasUsed}`)]
      : [plainVariable('gas', (steps.gas[this.#shown.step] ?? 0).toString())];
    const state = await this.#stateAt(this.#shown.step);
    const bytes = (name: string, data: Uint8Array, area: 'memory' | 'calldata' | 'returndata'): DebugVariable => ({
      ...plainVariable(name, toByteCount(data.length), 'bytes'),
      memory: { area, offset: 0 },
    });
    return [
      ...gas,
      ...(state === null
        ? []
        : [
            {
              ...plainVariable('stack', toWordCount(state.stack.length)),
              reference: { kind: 'group', group: 'stack' } as const,
              count: state.stack.length,
            },
            bytes('memory', await this.bytes('memory'), 'memory'),
          ]),
      bytes('calldata', this.frame.input, 'calldata'),
      bytes('returndata', this.#returnData(), 'returndata'),
    ];
  }

  /** What the last call that it made returned. */
  #returnData(): Uint8Array {
    const { frames } = this.#index.trace;
    const calls = frames.filter(({ parent, endStep }) => parent === this.frame.index && endStep <= this.#lastStep);
    const returned = calls.at(-1);
    const isCreated = returned?.isCreation === true && returned.status === 'success';
    return returned === undefined || isCreated ? new Uint8Array(0) : returned.output;
  }

  async bytes(area: DebugMemory['area']): Promise<Uint8Array> {
    switch (area) {
      case 'memory':
        return (await this.#stateAt(this.#lastStep))?.memory ?? new Uint8Array(0);
      case 'calldata':
        return this.frame.input;
      case 'returndata':
        return this.#returnData();
      case 'code':
        return this.frame.code;
    }
  }

  /** For values of the source: see {@link readSourceMemory}. */
  async #sourceMemory(): Promise<Uint8Array> {
    const stateAt = (step: number) => this.#stateAt(step);
    const read = await readSourceMemory(this.#index.trace, this.#code, this.frame, this.#lastStep, stateAt);
    return read ?? new Uint8Array(0);
  }

  /** As it is now, also for callers: what they called may have written. */
  #storage(isTransient: boolean): StorageAtStep {
    return getOrInsert(
      this.#storages,
      isTransient,
      () => new StorageAtStep(this.#index.trace, this.#machine, this.#step, this.frame.address, isTransient),
    );
  }

  async #state(): Promise<readonly DebugVariable[]> {
    const { declarations } = this;
    if (declarations === null) return [];
    const isDeclared = ({ contract }: DeclaredName) => contract !== null;
    return this.#declared(isDeclared, each => this.#nameInFrame(each));
  }

  /** State variables that one contract declares, also those that the function cannot name; `null`: constants of files. */
  declaredBy(contract: string | null): Promise<readonly DebugVariable[]> {
    return this.#declared(
      each => each.contract === contract,
      ({ name }) => name,
    );
  }

  async #declared(
    isWanted: (declared: DeclaredName) => boolean,
    toName: (declared: DeclaredName) => string,
  ): Promise<readonly DebugVariable[]> {
    const { declarations } = this;
    if (declarations === null) return [];
    const { storage, transient, immutables, constants } = declarations;
    const named = <T extends DeclaredName>(list: readonly T[]): readonly T[] =>
      list.filter(isWanted).map(each => ({ ...each, name: toName(each) }));
    const isViaIR = this.#code?.program.pipeline.isViaIR !== false;
    const memory = this.frame.isCreation && immutables.length > 0 ? await this.#sourceMemory() : this.frame.code;
    return [
      ...(await this.#stored(named(storage), false)),
      ...(await this.#stored(named(transient), true)),
      ...immutables.flatMap((each, i) =>
        isWanted(each) ? [this.#immutable({ ...each, name: toName(each) }, i, memory, isViaIR)] : [],
      ),
      ...named(constants).flatMap(({ name, type, value }) => {
        if (value === null) return [];
        if (typeof value === 'bigint') return [this.#value(name, type, value)];
        return [plainVariable(name, JSON.stringify(value), this.#typeText(type))];
      }),
    ];
  }

  /** Private variables of several bases may have one name: it means that of the function's contract. */
  #nameInFrame({ name, contract }: DeclaredName): string {
    const { storage, transient, immutables, constants } = this.declarations as ContractDeclarations;
    const declaring = [storage, transient, immutables, constants]
      .flat()
      .flatMap(each => (each.name === name && each.contract !== null ? [each.contract] : []));
    if (declaring.length < 2) return name;
    const order = (this.#code?.program.graph?.linearized ?? []).map(each => each.name);
    const visible = order
      .slice(Math.max(0, order.indexOf(this.#shown.contract ?? '')))
      .find(each => declaring.includes(each));
    return contract === visible ? name : `${contract}.${name}`;
  }

  /** From the code; the legacy code generator has them at the beginning of memory until the code is there. */
  #immutable(
    { name, type, references: [first] }: ImmutableVariable,
    index: number,
    memory: Uint8Array,
    isViaIR: boolean,
  ): DebugVariable {
    const missing = (text: LocalizableText) => plainVariable(name, text, this.#typeText(type));
    const { isCreation } = this.frame;
    if (isCreation && isViaIR) return missing(VIA_IR);
    const start = isCreation ? FIRST_IMMUTABLE + 32 * index : first?.start;
    if (start === undefined) return missing(localizable('not available: the code does not read it'));
    const word = readImmutable(this.declarations?.types ?? [], type, memory.subarray(start), isCreation);
    const isKnown = isCreation ? this.#machine !== null : start + 32 <= memory.length;
    return isKnown && word !== null ? this.#value(name, type, word) : missing(localizable('not available here'));
  }

  #stored(variables: readonly StorageVariable[], isTransient: boolean): Promise<readonly DebugVariable[]> {
    const storage = this.#storage(isTransient);
    const { program } = this.#code ?? {};
    const amountOf = (name: string) =>
      program === undefined ? null : getStateAmount(name, program, this.frame.address);
    return storage.resolve(() =>
      variables.map(each => this.#storedValue(each.name, each, storage, isTransient, amountOf(each.name))),
    );
  }

  /** A variable in storage. */
  #storedValue(
    name: string,
    place: StoragePlace,
    { read }: StorageAtStep,
    isTransient: boolean,
    amountOf: string | null = null,
  ): DebugVariable {
    const types = this.declarations?.types ?? [];
    const { kind, text, bytes } = getType(types, place.type);
    const { value, count } = readStorageValue(types, place, read);
    const isText = kind === 'string';
    const hasMembers = kind === 'struct' || kind === 'array' || kind === 'mapping';
    const pointer =
      kind === 'function' && value !== null ? this.#pointerName(getType(types, place.type), BigInt(value)) : null;
    const shown = value === null ? null : isText ? JSON.stringify(value) : (pointer ?? value);
    const isAmount = amountOf !== null && (kind === 'uint' || kind === 'mapping');
    return {
      name,
      type: text,
      memory: null,
      ...(isAmount && { amountOf }),
      value: shown ?? (hasMembers ? describeMembers(text, kind === 'array' ? count : null) : localizable('not known')),
      count: kind === 'array' && count !== null ? Number(count) : null,
      reference: hasMembers
        ? {
            kind: 'value',
            location: isTransient ? 'transient' : 'storage',
            type: place.type,
            length: null,
            at: toWordHex(place.slot),
            offset: place.offset,
            ...(isAmount && { amountOf }),
          }
        : null,
      slot: hasMembers
        ? null
        : { address: this.frame.address, slot: toWordHex(place.slot), isTransient, offset: place.offset, bytes },
    };
  }

  /** A value in a word: on the stack or in the code. */
  #value(name: string, index: TypeIndex, word: bigint): DebugVariable {
    const types = this.declarations?.types ?? [];
    const type = getType(types, index);
    if (type.text === ASSEMBLY_TYPE) return plainVariable(name, formatAssemblyWord(word), type.text);
    const stored = toStored(types, index, word);
    if (stored === null) return plainVariable(name, toWordHex(word), type.text);
    return plainVariable(name, this.#pointerName(type, stored) ?? formatStored(types, index, stored), type.text);
  }

  /** The function that a value of a function type leads to; `null` where it is none, or not known. */
  #pointerName(type: SolidityType, stored: bigint): string | null {
    if (type.kind !== 'function' || this.#code === null) return null;
    const { program } = this.#code;
    if (!type.isExternal) {
      // Code that creates a contract has the place in the contract's code too, in the low half.
      const pc = Number(this.frame.isCreation ? stored >> 32n : stored & 0xffff_ffffn);
      const found = program.pipeline.isViaIR || pc === 0 ? null : program.functionAtEntry(pc);
      return found === null ? null : [found.contract?.name, found.name].filter(part => part !== undefined).join('.');
    }
    const address = toHex(stored >> 32n, 20);
    const selector = toHex(stored & 0xffff_ffffn, 4);
    const frame = this.#index.trace.frames.find(each => each.address === address && !each.isCreation);
    const called = (frame === undefined ? null : this.#index.codeOf(frame))?.program.calledName(selector);
    return `${address}.${called ?? (address === this.frame.address ? program.calledName(selector) : undefined) ?? selector}`;
  }

  /** A value in memory or calldata. */
  #dataValue(
    name: string,
    location: 'memory' | 'calldata',
    place: { readonly type: TypeIndex; readonly at: number; readonly length: number | null },
    reader: DataReader,
  ): DebugVariable {
    const { type, value, count } = reader.read(place);
    const hasMembers = type.kind === 'struct' || type.kind === 'array';
    const shown = value !== null && type.kind === 'string' ? JSON.stringify(value) : value;
    return {
      name,
      type: type.text,
      slot: null,
      value: shown ?? (hasMembers ? describeMembers(type.text, count) : localizable('not known')),
      count: type.kind === 'array' ? count : null,
      memory: { area: location, offset: place.at },
      reference: hasMembers
        ? {
            kind: 'value',
            location,
            type: place.type,
            at: toWordHex(BigInt(place.at)),
            offset: 0,
            length: place.length === null ? null : toWordHex(BigInt(place.length)),
          }
        : null,
    };
  }

  /** What a mapping has under a key, or an array at an index; `null` where it has none such. */
  async element(reference: DebugReference, name: string, key: string): Promise<DebugVariable | null> {
    if (reference.kind !== 'value') {
      const members = await this.list(reference);
      const byPosition = reference.kind === 'plain' && /^\d+$/.test(key) ? members[Number(key)] : undefined;
      return members.find(each => each.name === `[${key}]`) ?? byPosition ?? null;
    }
    const types = this.declarations?.types ?? [];
    const type = getType(types, reference.type);
    if (type.kind !== 'mapping') {
      if (!/^\d{1,15}$/.test(key)) return null;
      return (await this.list(reference, Number(key), 1)).find(each => each.name === `[${key}]`) ?? null;
    }
    const bytes = parseMappingKey(types, type.key, toBytesKey(getType(types, type.key), key));
    const place = { type: reference.type, slot: BigInt(reference.at), offset: reference.offset };
    const found = bytes === null ? null : getMappingPlace(types, place, bytes);
    if (found === null) return null;
    const isTransient = reference.location === 'transient';
    const storage = this.#storage(isTransient);
    return storage.resolve(() => this.#storedValue(name, found, storage, isTransient, reference.amountOf));
  }

  async #members(
    { location, type, at, offset, length, amountOf }: Extract<DebugReference, { kind: 'value' }>,
    from: number,
    count: number,
  ): Promise<readonly DebugVariable[]> {
    const types = this.declarations?.types ?? [];
    if (location === 'storage' || location === 'transient') {
      const isTransient = location === 'transient';
      const storage = this.#storage(isTransient);
      const place = { type, slot: BigInt(at), offset };
      const list = () =>
        getType(types, type).kind === 'mapping'
          ? listSeenKeys(types, place, this.#index.trace.preimages).slice(from, from + count)
          : listPlaces(types, place, storage.read, { from: BigInt(from), count });
      return storage.resolve(() =>
        list().map(each => this.#storedValue(each.name, each, storage, isTransient, amountOf)),
      );
    }
    const reader = await this.#reader(location);
    const place = { type, at: Number(at), length: length === null ? null : Number(length) };
    return reader.list(place, from, count).map(({ name, ...each }) => this.#dataValue(name, location, each, reader));
  }

  async #reader(location: 'memory' | 'calldata'): Promise<DataReader> {
    const types = this.declarations?.types ?? [];
    if (location === 'calldata') return new DataReader(types, this.frame.input, false);
    return new DataReader(types, await this.#sourceMemory(), true);
  }

  #frameLocals(declarations: ContractDeclarations): FrameLocals {
    const context = { declarations, stateAt: (step: number) => this.#stateAt(step) };
    return new FrameLocals(this.#index, context, this.#step, this.#shown, this.#isInnermost);
  }

  async #locals(): Promise<readonly DebugVariable[]> {
    const { declarations } = this;
    if (declarations === null) return [];
    const { pipeline } = this.#code?.program ?? {};
    const locals = this.#frameLocals(declarations);
    const missing = (text: LocalizableText) =>
      locals.all().map(({ name, type }) => plainVariable(name, text, this.#typeText(type)));
    const isOptimized = pipeline === undefined || pipeline.isOptimized || this.#shown.isInferred;
    if (isOptimized) return missing(localizable('optimized out: an unoptimized build shows it'));
    if (pipeline.isViaIR) return missing(VIA_IR);
    const state = await this.#stateAt(this.#shown.step);
    if (state === null) return missing(localizable('not available: the node gave no stack'));
    const placed = await locals.place(state);
    if (placed === null) return missing(localizable('not available here'));
    const reader = { memory: await this.#reader('memory'), calldata: await this.#reader('calldata') };
    const storage = { storage: this.#storage(false), transient: this.#storage(true) };
    const values: DebugVariable[] = [];
    for (const each of placed.variables) values.push(await this.#local(each, placed.state, reader, storage));
    const isEntry = this.#code?.program.entry(bytesToHex(this.frame.input)) === this.#shown.definition;
    return isEntry ? this.#withAmounts(values) : values;
  }

  #typeText(type: TypeIndex): string {
    return getType(this.declarations?.types ?? [], type).text;
  }

  async #local(
    { variable, at, words }: PlacedVariable,
    { stack }: MachineState,
    reader: Readonly<Record<'memory' | 'calldata', DataReader>>,
    storage: Readonly<Record<'storage' | 'transient', StorageAtStep>>,
  ): Promise<DebugVariable> {
    const types = this.declarations?.types ?? [];
    const { name, type: index, location } = variable;
    const type = getType(types, index);
    const word = stack[at] ?? 0n;
    if (location === 'storage' || location === 'transient') {
      const used = storage[location];
      const place = { type: index, slot: word, offset: 0 };
      return used.resolve(() => this.#storedValue(name, place, used, location === 'transient'));
    }
    if (type.kind === 'function' && type.isExternal)
      return this.#value(name, index, ((word << 32n) | (stack[at + 1] ?? 0n)) << 64n);
    if (location === 'stack' || isValueType(type)) return this.#value(name, index, cleanWord(types, index, word));
    const length = words === 2 ? Number(stack[at + 1] ?? 0n) : null;
    return this.#dataValue(name, location, { type: index, at: Number(word), length }, reader[location]);
  }
}

/** A literal text is a key of fixed bytes too, as in Solidity. */
function toBytesKey({ kind, bytes }: SolidityType, key: string): string {
  const text = new TextEncoder().encode(key);
  if (kind !== 'fixedBytes' || key.startsWith('0x') || text.length > bytes) return key;
  return bytesToHex(text).padEnd(2 + 2 * bytes, '0');
}

/** What a mapping has under the keys whose hashes the transaction computed. */
function listSeenKeys(types: Types, place: StoragePlace, preimages: Trace['preimages']): readonly NamedPlace[] {
  const type = getType(types, place.type);
  const slot = toWordHex(place.slot).slice(2);
  const found = new Map<string, NamedPlace>();
  for (const { input, hash } of type.kind === 'mapping' ? preimages : []) {
    const key = input.subarray(0, Math.max(0, input.length - 32));
    if (type.kind !== 'mapping' || bytesToHex(input.subarray(key.length)).slice(2) !== slot) continue;
    const text = formatMappingKey(types, type.key, key);
    const isText = getType(types, type.key).kind === 'string';
    const name = `[${isText && text !== null ? JSON.stringify(text) : text}]`;
    if (text !== null) found.set(name, { name, type: type.value, slot: hash, offset: 0 });
  }
  return [...found.values()];
}

const describeMembers = (type: string, count: number | bigint | null): string =>
  count === null ? type : type.replace(/\[\]$/, `[${count}]`);

/** A value that the ABI decodes. */
export function toArgument({ name, type, value }: DecodedValue): DebugVariable {
  if (typeof value === 'string') return plainVariable(name, type === 'string' ? JSON.stringify(value) : value, type);
  const members = value.map((each, i) => toArgument(each.name === '' ? { ...each, name: `[${i}]` } : each));
  return {
    ...plainVariable(name, type, type),
    reference: { kind: 'plain', members },
    count: type.endsWith(']') ? members.length : null,
  };
}
