// The code of one contract with its source: what a program counter was compiled from, which function a call enters.

import type { ContractDeclarations } from '../../api/contractDeclarations.ts';
import type { ContractBuild } from '../../api/transactionStack.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { bytesToHex, type Hex, hexToBytes } from '../../base/hex.ts';
import { type AbiItem, getAbiFields, readAbi } from '../abiItem.ts';
import { getAmountTokens } from '../amountTokens.ts';
import { type DecodedValue, decodeValues } from '../decodeValues.ts';
import { CallGraph } from './callGraph.ts';
import type { SourceContract, SourceFunction } from './solidityOutline.ts';
import { SourceMap, type SourceRange } from './sourceMap.ts';
import { SourceText } from './sourceText.ts';

/** A place inside a function of the source. */
export interface SourceSite {
  readonly source: SourceText;
  readonly definition: SourceFunction;
  /** Offsets in bytes. */
  readonly start: number;
  readonly end: number;
}

const PUSH4 = 0x63;
const PUSH32 = 0x7f;
const PANIC = [0x4e, 0x48, 0x7b, 0x71];

/** The types of a list; tuples, which may have others inside, stay whole. */
function splitTypes(list: string): readonly string[] {
  let [depth, from] = [0, 0];
  const types: string[] = [];
  for (let at = 0; at <= list.length; at++) {
    const character = list[at];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      types.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return list === '' ? [] : types;
}

const normalizeType = (type: string): string => type.replace(/^(u?int)(?=$|\[)/, '$1256');

export class ContractProgram {
  readonly name: string;
  /** Path of its source, as the compiler named it. */
  readonly path: string;
  readonly map: SourceMap;
  readonly pipeline: ContractBuild['pipeline'];
  readonly #code: Uint8Array;
  readonly #abi: readonly AbiItem[];
  /** Sources whose text is known, by source id. */
  readonly #sources: ReadonlyMap<number, SourceText>;
  readonly isCreation: boolean;
  readonly graph: CallGraph | null;
  /** Only where they were asked for, and the build has them. */
  readonly declarations: ContractDeclarations | null;
  /** Signatures by selector without `0x`. */
  readonly #signatures: ReadonlyMap<string, string>;
  readonly contract: SourceContract | null;
  /** What was found by program counter: code in a loop is looked up once. */
  readonly #entries = new Map<number, SourceFunction | null>();
  readonly #sites = new Map<number, SourceSite | null>();

  /** `code`: runtime code, or the code that creates the contract. */
  constructor(build: ContractBuild, code: Uint8Array, isCreation: boolean) {
    this.name = build.name;
    this.path = build.path;
    this.map = new SourceMap(code, isCreation ? build.creationMap : build.runtimeMap);
    this.#code = code;
    this.isCreation = isCreation;
    this.declarations = build.declarations ?? null;
    this.pipeline = build.pipeline;
    this.#abi = readAbi(build.abi, build.name);
    this.#sources = new Map(
      build.sources.flatMap(built =>
        built.text === null ? [] : [[built.id, new SourceText(built, built.text)] as const],
      ),
    );
    const isFunction = ({ kind }: AbiItem) => kind === 'function';
    this.#signatures = new Map([
      ...this.#abi.filter(isFunction).map(({ hash, canonical }) => [hash.slice(2, 10), canonical] as const),
      ...Object.entries(build.methodIdentifiers).map(([signature, selector]) => [selector, signature] as const),
    ]);
    const files = this.map.files();
    const used = [...this.#sources].filter(([id]) => files.has(id)).map(([, source]) => source);
    const own = this.ownSource();
    const sources = own === null ? used : [own, ...used.filter(source => source !== own)];
    this.contract = own?.outline.contracts.find(({ name }) => name === build.name) ?? null;
    this.graph = this.contract === null ? null : new CallGraph(this.contract, this.#withBases(sources));
  }

  /** With the sources of bases of which no instruction has its place: the optimizer inlines whole functions. */
  #withBases(sources: readonly SourceText[]): readonly SourceText[] {
    const found = [...sources];
    for (const { outline } of found) {
      const names = new Map<string, string>(outline.aliases);
      for (const base of outline.contracts.flatMap(({ bases }) => bases)) {
        const name = names.get(base.name) ?? base.name;
        const defines = (source: SourceText) => source.outline.contracts.some(each => each.name === name);
        if (found.some(defines)) continue;
        const pattern = new RegExp(`\\b(?:contract|interface)\\s+${name.replaceAll('$', '\\$')}\\b`);
        const source = this.sources().find(each => pattern.test(each.bytes) && defines(each));
        if (source !== undefined) found.push(source);
      }
    }
    return found;
  }

  /** The source of the contract itself; `null` where its text is not known. */
  ownSource(): SourceText | null {
    return [...this.#sources.values()].find(({ built }) => built.path === this.path) ?? null;
  }

  /** Sources whose text is known. */
  sources(): readonly SourceText[] {
    return [...this.#sources.values()];
  }

  source(range: SourceRange): SourceText | null {
    return this.#sources.get(range.file) ?? null;
  }

  /** The function that is compiled from exactly this range: the code of its first instruction. */
  functionAtEntry(pc: number): SourceFunction | null {
    return getOrInsert(this.#entries, pc, () => this.#findFunctionAtEntry(pc));
  }

  #findFunctionAtEntry(pc: number): SourceFunction | null {
    const range = this.map.range(pc);
    return range === null ? null : (this.source(range)?.functionOf(range.start, range.end) ?? null);
  }

  /** `null` for code of no statement: generated, of a whole function or contract, or without a source. */
  siteAt(pc: number): SourceSite | null {
    return getOrInsert(this.#sites, pc, () => this.#findSite(pc));
  }

  /** Whether code without a statement may be of one: via-IR gives what it generates the place of the contract. */
  isHelper(pc: number): boolean {
    return this.map.range(pc) === null || this.pipeline.isViaIR;
  }

  /** Whether the instruction has the selector of `Panic(uint256)`. */
  pushesPanic(pc: number): boolean {
    const op = this.#code[pc];
    return (op === PUSH4 || op === PUSH32) && PANIC.every((byte, i) => this.#code[pc + 1 + i] === byte);
  }

  /** The places of all instructions, whether they run or not. */
  sites(): readonly SourceSite[] {
    return this.map.counters().flatMap(pc => this.siteAt(pc) ?? []);
  }

  #findSite(pc: number): SourceSite | null {
    const range = this.map.range(pc);
    const source = range === null ? null : this.source(range);
    if (range === null || source === null) return null;
    const { start, end } = range;
    const found = source.functionAt(start, end);
    // A public variable has a getter, and a value that the constructor sets.
    const isValue = this.isCreation && found?.kind === 'getter';
    const definition = (isValue ? null : found) ?? this.#initializer(source, start, end);
    if (definition === null || (definition.start >= start && definition.end <= end)) return null;
    return { source, definition, start, end };
  }

  /** Values of state variables are set by the constructor. */
  #initializer(source: SourceText, start: number, end: number): SourceFunction | null {
    if (!this.isCreation || this.graph === null) return null;
    const contract = source.outline.contracts.find(each => each.start < start && end <= each.end);
    return contract === undefined ? null : this.graph.constructorOf(contract);
  }

  /** The function that a message enters; `null` where the contract has none for it. */
  entry(input: Hex): SourceFunction | null {
    if (this.graph === null || this.contract === null) return null;
    if (this.isCreation) return this.graph.constructorOf(this.contract);
    const signature = input.length >= 10 ? this.#signatures.get(input.slice(2, 10)) : undefined;
    if (signature !== undefined) return this.#functionOf(signature);
    const receive = input === '0x' ? this.graph.inherited(({ kind }) => kind === 'receive') : null;
    return receive ?? this.graph.inherited(({ kind }) => kind === 'fallback');
  }

  /** Name of the function that a message calls; `undefined` where this contract has none for it. */
  calledName(input: Hex): string | undefined {
    const signature = this.#signatures.get(input.slice(2, 10));
    return signature?.slice(0, signature.indexOf('('));
  }

  /**
   * Whether the arguments of a message are what the function's types allow; true where the types are not known. False for an
   * enum: its members are not counted.
   */
  hasValidArguments(input: Hex, { parameterTypes }: SourceFunction): boolean {
    const item = this.#abi.find(({ kind, hash }) => kind === 'function' && input.startsWith(hash.slice(0, 10)));
    if (item === undefined) return true;
    const isEnum = item.inputs.some(
      ({ type }, i) => type === 'uint8' && parameterTypes[i]?.startsWith('uint') === false,
    );
    return !isEnum && decodeValues(getAbiFields(item), hexToBytes(`0x${input.slice(10)}`)) !== null;
  }

  /** The arguments of a message, or of a creation; `null` where the ABI does not have them. */
  argumentsOf(frame: { readonly input: Uint8Array }): readonly DecodedValue[] | null {
    if (this.isCreation) return null;
    const input = bytesToHex(frame.input);
    const item = this.#abi.find(({ kind, hash }) => kind === 'function' && input.startsWith(hash.slice(0, 10)));
    return item === undefined ? null : decodeValues(getAbiFields(item), frame.input.subarray(4));
  }

  /** The amounts among them: value -> address of its token, or `NATIVE_COIN`. */
  amountsOf(frame: { readonly input: Uint8Array; readonly address: Hex }): ReadonlyMap<DecodedValue, string> {
    const values = this.argumentsOf(frame);
    const input = bytesToHex(frame.input.subarray(0, 4));
    const item = this.#abi.find(({ kind, hash }) => kind === 'function' && hash.startsWith(input));
    if (values === null || item === undefined) return new Map();
    return getAmountTokens({ item, values, isFromWorkspace: true }, frame.address);
  }

  /** Functions of the ABI. */
  functions(): readonly AbiItem[] {
    return this.#abi.filter(({ kind }) => kind === 'function');
  }

  /** Whether the contract has a function with this signature. */
  hasFunction(signature: string): boolean {
    return this.#abi.some(({ kind, canonical }) => kind === 'function' && canonical === signature);
  }

  /** The name of an error of this contract; `null` where it has none with that selector (without `0x`). */
  errorName(selector: string): string | null {
    return this.#abi.find(({ kind, hash }) => kind === 'error' && hash.startsWith(selector, 2))?.name ?? null;
  }

  #functionOf(signature: string): SourceFunction | null {
    const [name = '', list = ''] = signature.slice(0, -1).split(/\((.*)/s);
    const types = splitTypes(list);
    const isNamed = (definition: SourceFunction) =>
      definition.name === name && (definition.kind === 'function' || definition.kind === 'getter');
    const equal = ({ parameterTypes, kind }: SourceFunction) =>
      kind === 'getter' ||
      (parameterTypes.length === types.length && parameterTypes.every((type, i) => normalizeType(type) === types[i]));
    const sameCount = ({ parameterTypes }: SourceFunction) => parameterTypes.length === types.length;
    const { graph } = this;
    return (
      graph?.inherited(each => isNamed(each) && equal(each)) ??
      graph?.inherited(each => isNamed(each) && sameCount(each)) ??
      null
    );
  }
}
