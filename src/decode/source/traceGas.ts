// The gas of a traced transaction by line and function. Every unit is somewhere: the sum is that of the receipt.
import {
  type FixedGas,
  type FunctionGas,
  type GasShare,
  type GasTreeEntry,
  MAX_GAS_TREE_ENTRIES,
  type SourceGas,
  type TransactionGas,
} from '../../api/transactionGas.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';
import { getColdAccess, getStepCosts, type StepCosts } from '../trace/stepCosts.ts';
import type { Trace, TraceFrame } from '../trace/trace.ts';
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import { type ActiveFunction, followInternalCalls, toSourceFunction } from './internalCalls.ts';
import type { SourceFunction } from './solidityOutline.ts';
import type { SourceText } from './sourceText.ts';
import { type FindProgram, selectOwnSteps } from './traceStack.ts';

class Tally {
  gas = 0;
  coldAccess = 0;
  memory = 0;

  add(gas: number, coldAccess: number, memory: number): void {
    this.gas += gas;
    this.coldAccess += coldAccess;
    this.memory += memory;
  }

  share(): GasShare {
    return { gas: this.gas, coldAccess: this.coldAccess, memory: this.memory };
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
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
      ...{ source: path, file, isChanged },
      lines: lines.map(([line, tally]) => ({ line, ...tally.share() })),
      unreached: [...this.withCode].filter(line => !this.lines.has(line)).sort((a, b) => a - b),
    };
  }
}

interface FunctionTally {
  readonly definition: SourceFunction;
  readonly source: SourceText;
  readonly own: Tally;
  calls: number;
  total: number;
}

class TreeNode {
  readonly contract: string | null;
  readonly functionName: string | null;
  readonly address: Hex;
  readonly children = new Map<string, TreeNode>();
  calls = 0;
  own = 0;

  constructor(contract: string | null, functionName: string | null, address: Hex) {
    this.contract = contract;
    this.functionName = functionName;
    this.address = address;
  }

  get total(): number {
    return [...this.children.values()].reduce((sum, child) => sum + child.total, this.own);
  }
}

/** One run of a function, with the functions around it: each of them once. */
interface FunctionRun {
  readonly node: TreeNode;
  readonly tallies: readonly FunctionTally[];
}

const nameOf = ({ kind, name }: SourceFunction): string => (name === '' ? kind : name);

class TransactionTally {
  readonly #trace: Trace;
  readonly #findProgram: FindProgram;
  readonly #costs: StepCosts;
  readonly #inner: ReadonlyMap<number, readonly TraceFrame[]>;
  /** By step, which frame is called there with ether. */
  readonly #valueCalls: ReadonlySet<number>;
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

  constructor(trace: Trace, findProgram: FindProgram) {
    this.#trace = trace;
    this.#findProgram = findProgram;
    this.#costs = getStepCosts(trace);
    this.#inner = Map.groupBy(trace.frames, ({ parent }) => parent);
    this.#valueCalls = new Set(trace.frames.flatMap(({ value, callStep }) => (value > 0n ? [callStep] : [])));
  }

  run(fixed: FixedGas): TransactionGas {
    const [root] = this.#trace.frames;
    const { transaction, data, accessList, authorizations, refund, floor } = fixed;
    const beside = transaction + data + accessList + authorizations + floor - refund;
    const tree = root === undefined ? null : this.#addFrame(root, null, []);
    for (const program of this.#programs) this.#addCodeLines(program);
    return {
      kind: 'gas',
      gasUsed: beside + (root?.gasUsed ?? 0),
      fixed,
      sources: [...this.#sources.values()].map(source => source.toGas()),
      functions: [...this.#functions.values()].map(toFunctionGas).sort((a, b) => b.gas - a.gas),
      codeDeposit: this.#codeDeposit,
      unmapped: [...this.#unmapped].map(([contract, tally]) => ({ contract, ...tally.share() })),
      unknown: [...this.#unknown].map(([address, tally]) => ({ address, ...tally.share() })),
      tree: tree === null ? null : toEntry(tree),
    };
  }

  /** The steps of one call, then those of the calls inside it. `running`: functions of callers, for their totals. */
  #addFrame(frame: TraceFrame, parent: TreeNode | null, running: readonly FunctionTally[]): TreeNode {
    const inner = this.#inner.get(frame.index) ?? [];
    const program = this.#findProgram(frame);
    const own = selectOwnSteps(this.#trace, frame, inner);
    const entry = program?.entry(bytesToHex(frame.input)) ?? null;
    const active = program === null ? null : followInternalCalls(program, own, entry);
    if (program !== null) this.#programs.add(program);
    const root = this.#child(parent, program, entry, frame.address);
    if (root !== parent) root.calls++;
    const runs = new Map<ActiveFunction, FunctionRun>();
    const find = (at: ActiveFunction): FunctionRun =>
      getOrAdd(runs, at, () => {
        const outer = at.caller === null ? { node: root, tallies: running } : find(toSourceFunction(at.caller));
        const tally = at.definition === null || program === null ? null : this.#function(program, at.definition);
        if (tally !== null) tally.calls++;
        const isNew = tally !== null && !outer.tallies.includes(tally);
        const tallies = isNew ? [...outer.tallies, tally] : outer.tallies;
        if (at.caller === null) return { node: root, tallies };
        const node = this.#child(outer.node, program, at.definition, frame.address);
        if (node !== outer.node) node.calls++;
        return { node, tallies };
      });
    const stepCalls = new Map(inner.map(call => [call.callStep, call]));
    for (let i = 0; i < own.length; i++) {
      const step = own.step[i] as number;
      const at = active === null ? null : find(toSourceFunction(active[i] as ActiveFunction));
      const gas = this.#addStep(step, frame, program, own.pc[i] as number);
      (at?.node ?? root).own += gas;
      const tallies = at?.tallies ?? running;
      for (const tally of tallies) tally.total += gas;
      const call = stepCalls.get(step);
      if (call !== undefined && call.endStep > call.firstStep) this.#addFrame(call, at?.node ?? root, tallies);
    }
    return root;
  }

  #addStep(step: number, frame: TraceFrame, program: ContractProgram | null, pc: number): number {
    const deposit = this.#costs.codeDeposits.get(step) ?? 0;
    const total = this.#costs.gas[step] as number;
    const gas = total - deposit;
    this.#codeDeposit += deposit;
    const memory = this.#costs.memory.get(step) ?? 0;
    // A halt takes all gas that is left, whatever the instruction costs.
    const isHalt = frame.status === 'exceptional' && step === frame.endStep - 1;
    const op = this.#trace.steps.op[step] as number;
    const cold = isHalt ? 0 : getColdAccess(op, gas - memory, this.#valueCalls.has(step));
    const site = program?.siteAt(pc) ?? null;
    if (program === null) getOrAdd(this.#unknown, frame.codeAddress, () => new Tally()).add(gas, cold, memory);
    else if (site === null) getOrAdd(this.#unmapped, program.name, () => new Tally()).add(gas, cold, memory);
    else {
      this.#line(site).add(gas, cold, memory);
      this.#function(program, site.definition).own.add(gas, cold, memory);
    }
    return total;
  }

  #source(source: SourceText): SourceTally {
    return getOrAdd(this.#sourcesOf, source, () =>
      getOrAdd(this.#sources, `${source.built.path} ${source.bytes}`, () => new SourceTally(source)),
    );
  }

  #line(site: SourceSite): Tally {
    const { source, start } = site;
    return getOrAdd(this.#linesOf, site, () =>
      getOrAdd(this.#source(source).lines, source.position(start).line, () => new Tally()),
    );
  }

  #function(program: ContractProgram, definition: SourceFunction): FunctionTally {
    return getOrAdd(this.#functionsOf, definition, () => {
      const { source } = this.#source((program.graph?.sourceOf(definition) ?? program.ownSource()) as SourceText);
      const key = `${source.built.path} ${definition.start} ${definition.end} ${source.bytes.length}`;
      return getOrAdd(this.#functions, key, () => ({ definition, source, own: new Tally(), calls: 0, total: 0 }));
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
    const functionName = definition === null ? null : nameOf(definition);
    const create = () => {
      this.#treeSize++;
      return new TreeNode(contract, functionName, address);
    };
    if (parent === null) return create();
    const key = `${contract} ${functionName} ${address}`;
    if (this.#treeSize >= MAX_GAS_TREE_ENTRIES && !parent.children.has(key)) return parent;
    return getOrAdd(parent.children, key, create);
  }

  #addCodeLines(program: ContractProgram): void {
    for (const { source, start } of program.sites()) this.#source(source).withCode.add(source.position(start).line);
  }
}

function toFunctionGas({ definition, source, own, calls, total }: FunctionTally): FunctionGas {
  const { path, file } = source.built;
  return {
    contract: definition.contract?.name ?? null,
    functionName: nameOf(definition),
    ...{ source: path, file, calls },
    // A modifier runs as part of the function that has it.
    total: Math.max(total, own.gas),
    line: source.position(definition.start).line,
    ...own.share(),
  };
}

function toEntry(node: TreeNode): GasTreeEntry {
  const { contract, functionName, address, calls, total } = node;
  const children = [...node.children.values()].map(toEntry).sort((a, b) => b.total - a.total);
  return { contract, functionName, address, calls, total, children };
}

/** `null` for a trace that is no replay: what its transaction paid beside the steps is not known. */
export function toTransactionGas(trace: Trace, findProgram: FindProgram): TransactionGas | null {
  const { fixedGas } = trace;
  return fixedGas === undefined ? null : new TransactionTally(trace, findProgram).run(fixedGas);
}
