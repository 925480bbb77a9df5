// The gas of a traced transaction by line and function. Every unit is somewhere: the sum is that of the receipt.

import {
  type FixedGas,
  type FunctionGas,
  type GasShare,
  type GasTreeEntry,
  type GasTreeLine,
  MAX_GAS_TREE_ENTRIES,
  type SourceGas,
  type TransactionGas,
} from '../../api/transactionGas.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';
import type { TaskPacer } from '../../base/taskPacer.ts';
import { getStepCosts, STEPS_PER_CHECK, type StepCosts } from '../trace/stepCosts.ts';
import type { Trace, TraceFrame } from '../trace/trace.ts';
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import { type ActiveFunction, InternalCalls, toSourceFunction } from './internalCalls.ts';
import type { SourceFunction } from './solidityOutline.ts';
import type { SourceText } from './sourceText.ts';
import type { FindProgram } from './traceStack.ts';

class Tally {
  gas = 0;
  helpers = 0;
  coldAccess = 0;
  memory = 0;

  add(gas: number, coldAccess: number, memory: number, isHelper = false): void {
    this.gas += gas;
    if (isHelper) this.helpers += gas;
    this.coldAccess += coldAccess;
    this.memory += memory;
  }

  share(): GasShare {
    return { gas: this.gas, helpers: this.helpers, coldAccess: this.coldAccess, memory: this.memory };
  }
}

/** The lines of one source that ran, and those that have code. */
class SourceTally {
  readonly source: SourceText;
  readonly lines = new Map<number, Tally>();
  readonly withCode = new Set<number>();

  constructor(source: SourceText) {
    this.source = source;
  }

  toGas(): SourceGas {
    const { path, file, isChanged } = this.source.built;
    const lines = [...this.lines].sort(([a], [b]) => a - b);
    return {
      source: path,
      file,
      isChanged,
      lines: lines.map(([line, tally]) => ({ line, ...tally.share() })),
      unreached: [...this.withCode].filter(line => !this.lines.has(line)).sort((a, b) => a - b),
    };
  }
}

interface FunctionTally {
  /** Differs from that of other functions, also of those with the same name. */
  readonly key: string;
  readonly definition: SourceFunction;
  readonly source: SourceText;
  readonly own: Tally;
  calls: number;
  total: number;
}

class TreeNode {
  readonly contract: string | null;
  readonly tally: FunctionTally | null;
  readonly address: Hex;
  readonly children = new Map<string, TreeNode>();
  /** By the tally of each line. */
  readonly lines = new Map<Tally, number>();
  calls = 0;
  own = 0;

  constructor(contract: string | null, tally: FunctionTally | null, address: Hex) {
    this.contract = contract;
    this.tally = tally;
    this.address = address;
  }

  add(gas: number, line: Tally | null): void {
    this.own += gas;
    if (line !== null) this.lines.set(line, (this.lines.get(line) ?? 0) + gas);
  }

  get total(): number {
    return [...this.children.values()].reduce((sum, child) => sum + child.total, this.own);
  }
}

/** One run of a function, with the functions around it: each of them once. */
interface FunctionRun {
  readonly node: TreeNode;
  readonly tallies: readonly FunctionTally[];
  /** The last statement that ran, to which helper code counts. */
  lastSite: SourceSite | null;
}

/** The code of one call. */
interface FrameCode {
  readonly program: ContractProgram;
  /** Functions that it can run: the optimizer shares code with others. `null` where that is not known. */
  readonly reachable: ReadonlySet<SourceFunction> | null;
}

const hasSteps = ({ firstStep, endStep }: TraceFrame): boolean => endStep > firstStep;

const nameOf = ({ kind, name }: SourceFunction): string => (name === '' ? kind : name);

class TransactionTally {
  readonly #trace: Trace;
  readonly #findProgram: FindProgram;
  #costs: StepCosts = { gas: new Float64Array(), memory: new Map(), coldAccess: new Map(), codeDeposits: new Map() };
  readonly #inner: ReadonlyMap<number, readonly TraceFrame[]>;
  readonly #pacer: TaskPacer;
  /** By path and text: several builds may have another text of one path. */
  readonly #sources = new Map<string, SourceTally>();
  readonly #sourcesOf = new Map<SourceText, SourceTally>();
  readonly #linesOf = new Map<SourceSite, Tally>();
  /** By source and place: programs have functions of their own. */
  readonly #functions = new Map<string, FunctionTally>();
  readonly #functionsOf = new Map<SourceFunction, FunctionTally>();
  readonly #unmapped = new Map<string, Tally>();
  readonly #unknown = new Map<Hex, Tally>();
  readonly #programs = new Set<ContractProgram>();
  #treeSize = 0;
  #codeDeposit = 0;

  constructor(trace: Trace, findProgram: FindProgram, pacer: TaskPacer) {
    this.#trace = trace;
    this.#findProgram = findProgram;
    this.#pacer = pacer;
    this.#inner = Map.groupBy(trace.frames, ({ parent }) => parent);
  }

  async run(fixed: FixedGas): Promise<TransactionGas> {
    this.#costs = await getStepCosts(this.#trace, this.#pacer);
    const [root] = this.#trace.frames;
    const { transaction, data, accessList, authorizations, refund, floor } = fixed;
    const beside = transaction + data + accessList + authorizations + floor - refund;
    const tree = root === undefined ? null : await this.#addFrame(root, null, []);
    for (const program of this.#programs) {
      await this.#pacer.pause();
      this.#addCodeLines(program);
    }
    const lines = this.#listTreeLines();
    const functions = [...this.#functions.values()].sort((a, b) => b.own.gas - a.own.gas);
    return {
      kind: 'gas',
      gasUsed: beside + (root?.gasUsed ?? 0),
      fixed,
      sources: [...this.#sources.values()].map(source => source.toGas()),
      functions: functions.map(toFunctionGas),
      codeDeposit: this.#codeDeposit,
      unmapped: [...this.#unmapped].map(([contract, tally]) => ({ contract, ...tally.share() })),
      unknown: [...this.#unknown].map(([address, tally]) => ({ address, ...tally.share() })),
      tree: tree === null ? null : toEntry(tree, new Map(functions.map((each, index) => [each, index])), lines),
    };
  }

  /** The steps of one call, with those of the calls inside it. `outside`: functions of callers, for their totals. */
  async #addFrame(frame: TraceFrame, parent: TreeNode | null, outside: readonly FunctionTally[]): Promise<TreeNode> {
    await this.#pacer.pause();
    const inner = this.#inner.get(frame.index) ?? [];
    const program = this.#findProgram(frame);
    const entry = program?.entry(bytesToHex(frame.input)) ?? null;
    const active = program === null ? null : new InternalCalls(program, entry);
    const reachable = entry === null ? null : (program?.graph?.reachable(entry) ?? null);
    const code = program === null ? null : { program, reachable };
    if (program !== null) this.#programs.add(program);
    const root = this.#child(parent, program, entry, frame.address);
    if (root !== parent) root.calls++;
    const runs = new Map<ActiveFunction, FunctionRun>();
    const find = (at: ActiveFunction): FunctionRun =>
      getOrInsert(runs, at, () => {
        const outer =
          at.caller === null ? { node: root, tallies: outside, lastSite: null } : find(toSourceFunction(at.caller));
        const tally = at.definition === null || program === null ? null : this.#function(program, at.definition);
        if (tally !== null) tally.calls++;
        const isNew = tally !== null && !outer.tallies.includes(tally);
        const tallies = isNew ? [...outer.tallies, tally] : outer.tallies;
        if (at.caller === null) return { node: root, tallies, lastSite: null };
        const node = this.#child(outer.node, program, at.definition, frame.address);
        if (node !== outer.node) node.calls++;
        return { node, tallies, lastSite: null };
      });
    const { steps } = this.#trace;
    let hasLeft = false;
    const stepCalls = new Map(inner.filter(hasSteps).map(call => [call.callStep, call]));
    for (let step = frame.firstStep; step < frame.endStep; ) {
      if ((step & STEPS_PER_CHECK) === STEPS_PER_CHECK) await this.#pacer.pause();
      const call = stepCalls.get(step);
      const next = call?.endStep ?? step + 1;
      const pc = steps.pc[step] as number;
      const target = next < frame.endStep ? (steps.pc[next] as number) : -1;
      const running = active?.next(steps.op[step] as number, pc, target) ?? null;
      const at = running === null ? null : find(toSourceFunction(running));
      const gas = this.#costs.gas[step] as number;
      const line = this.#addStep(step, frame, code, at, running?.definition === null);
      if (at !== null && active?.hasLeft === true && !hasLeft) {
        hasLeft = true;
        at.lastSite = null;
      }
      (at?.node ?? root).add(gas, line);
      const tallies = at?.tallies ?? outside;
      for (const tally of tallies) tally.total += gas;
      if (call !== undefined) await this.#addFrame(call, at?.node ?? root, tallies);
      step = next;
    }
    return root;
  }

  /** The line that it is of. */
  #addStep(
    step: number,
    frame: TraceFrame,
    code: FrameCode | null,
    run: FunctionRun | null,
    isGenerated: boolean,
  ): Tally | null {
    const pc = this.#trace.steps.pc[step] as number;
    const deposit = this.#costs.codeDeposits.get(step) ?? 0;
    const gas = (this.#costs.gas[step] as number) - deposit;
    this.#codeDeposit += deposit;
    const memory = this.#costs.memory.get(step) ?? 0;
    // A halt takes all gas that is left, whatever the instruction costs.
    const isHalt = frame.status === 'exceptional' && step === frame.endStep - 1;
    const cold = isHalt ? 0 : (this.#costs.coldAccess.get(step) ?? 0);
    const program = code?.program ?? null;
    const place = program?.siteAt(pc) ?? null;
    const isShared = place !== null && code?.reachable?.has(place.definition) === false;
    const own = isShared ? null : place;
    const isHelper = isShared || isGenerated || program?.isHelper(pc) === true;
    if (run !== null && (own !== null || !isHelper)) run.lastSite = own;
    const site = own ?? run?.lastSite ?? null;
    const line = site === null ? null : this.#line(site);
    if (program === null) getOrInsert(this.#unknown, frame.codeAddress, () => new Tally()).add(gas, cold, memory);
    else if (site === null) getOrInsert(this.#unmapped, program.name, () => new Tally()).add(gas, cold, memory);
    else {
      line?.add(gas, cold, memory, own === null);
      this.#function(program, site.definition).own.add(gas, cold, memory, own === null);
    }
    return line;
  }

  #source(source: SourceText): SourceTally {
    return getOrInsert(this.#sourcesOf, source, () =>
      getOrInsert(this.#sources, `${source.built.path} ${source.bytes}`, () => new SourceTally(source)),
    );
  }

  #line(site: SourceSite): Tally {
    const { source, start } = site;
    return getOrInsert(this.#linesOf, site, () =>
      getOrInsert(this.#source(source).lines, source.lineAt(start), () => new Tally()),
    );
  }

  /** Where the line of a tally is. */
  #listTreeLines(): ReadonlyMap<Tally, Omit<GasTreeLine, 'gas'>> {
    return new Map(
      [...this.#sources.values()].flatMap(({ lines }, source) =>
        [...lines].map(([line, tally]) => [tally, { source, line }] as const),
      ),
    );
  }

  #function(program: ContractProgram, definition: SourceFunction): FunctionTally {
    return getOrInsert(this.#functionsOf, definition, () => {
      const { source } = this.#source((program.graph?.getSource(definition) ?? program.ownSource()) as SourceText);
      const key = `${source.built.path} ${definition.start} ${definition.end} ${source.bytes.length}`;
      return getOrInsert(this.#functions, key, () => ({
        key,
        definition,
        source,
        own: new Tally(),
        calls: 0,
        total: 0,
      }));
    });
  }

  /** Of equal calls of one caller there is one. When the tree is full, what is inside counts to the caller. */
  #child(
    parent: TreeNode | null,
    program: ContractProgram | null,
    definition: SourceFunction | null,
    address: Hex,
  ): TreeNode {
    const contract = definition?.contract?.name ?? program?.name ?? null;
    const tally = definition === null || program === null ? null : this.#function(program, definition);
    const create = () => {
      this.#treeSize++;
      return new TreeNode(contract, tally, address);
    };
    if (parent === null) return create();
    const key = `${contract} ${tally?.key} ${address}`;
    if (this.#treeSize >= MAX_GAS_TREE_ENTRIES && !parent.children.has(key)) return parent;
    return getOrInsert(parent.children, key, create);
  }

  #addCodeLines(program: ContractProgram): void {
    for (const { source, start } of program.sites()) this.#source(source).withCode.add(source.lineAt(start));
  }
}

function toFunctionGas({ definition, source, own, calls, total }: FunctionTally): FunctionGas {
  const { path, file } = source.built;
  return {
    contract: definition.contract?.name ?? null,
    functionName: nameOf(definition),
    parameterTypes: definition.parameterTypes,
    source: path,
    file,
    calls,
    // A modifier runs as part of the function that has it.
    total: Math.max(total, own.gas),
    line: source.lineAt(definition.start),
    ...own.share(),
  };
}

/** Of one function; the others are few. */
const MAX_TREE_LINES = 100;

function toEntry(
  node: TreeNode,
  functions: ReadonlyMap<FunctionTally | null, number>,
  places: ReadonlyMap<Tally, Omit<GasTreeLine, 'gas'>>,
): GasTreeEntry {
  const { contract, tally: of, address, calls, total } = node;
  const children = [...node.children.values()]
    .map(each => toEntry(each, functions, places))
    .sort((a, b) => b.total - a.total);
  const lines = [...node.lines]
    .flatMap(([tally, gas]) => {
      const place = places.get(tally);
      return place === undefined || gas === 0 ? [] : [{ ...place, gas }];
    })
    .sort((a, b) => b.gas - a.gas)
    .slice(0, MAX_TREE_LINES);
  return { contract, function: functions.get(of) ?? null, address, calls, total, lines, children };
}

/** `null` for a trace that is no replay: what its transaction paid beside the steps is not known. */
export async function toTransactionGas(
  trace: Trace,
  findProgram: FindProgram,
  pacer: TaskPacer,
): Promise<TransactionGas | null> {
  const { fixedGas } = trace;
  return fixedGas === undefined ? null : new TransactionTally(trace, findProgram, pacer).run(fixedGas);
}
