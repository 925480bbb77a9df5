// The functions of Solidity that run inside one call between contracts, each with the place of its call of the next one.
import type { FailureReason } from '../../api/transactionStack.ts';
import type { HaltReason } from '../../api/transactionTrace.ts';
import type { Hex } from '../../base/hex.ts';
import type { CallEdge } from './callGraph.ts';
import { findCheckedOperator } from './checkedOperator.ts';
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import { FailureSearch, type FoundSite, movesOnly } from './failureSite.ts';
import { type ActiveFunction, followInternalCalls, type OwnSteps, toSourceFunction } from './internalCalls.ts';
import { type RevertEvidence, toRevertEvidence } from './revertEvidence.ts';
import type { SourceFunction, Span } from './solidityOutline.ts';
import type { SourceText } from './sourceText.ts';

/** A call between contracts, as the trace has it. */
export interface TracedCall {
  /** In the trace. */
  readonly index: number;
  readonly address: Hex;
  readonly isCreation: boolean;
  readonly value: bigint;
  readonly input: Hex;
  readonly output: Hex;
  readonly status: 'success' | 'reverted' | 'exceptional';
  readonly haltReason: HaltReason | null;
  /** The step of the calling instruction in the caller's steps. */
  readonly callIndex: number;
  readonly steps: OwnSteps;
  /** The last call that it made, which alone can be the reason of a failure. */
  readonly lastCall: TracedCall | null;
  /** `null`: no build is known for the code. */
  readonly program: ContractProgram | null;
}

/** A running function, with its place in the source. */
export interface SourceFrame {
  /** The contract whose source has the function; `null` for a free function, and where no build is known. */
  readonly contract: string | null;
  /** `null`: no build is known for this code. */
  readonly functionName: string | null;
  /** `TracedCall.index` of the call that it belongs to. */
  readonly call: number;
  /** `null` where the function is not known. */
  readonly definition: SourceFunction | null;
  /** The account whose code or storage is used. */
  readonly address: Hex;
  readonly source: SourceText | null;
  /** Offsets in bytes; `null`: the function is known, the line is not. */
  readonly range: { readonly start: number; readonly end: number } | null;
  readonly isInferred: boolean;
}

const OP = {
  EXTCODESIZE: 0x3b,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  JUMPI: 0x57,
  JUMPDEST: 0x5b,
};
/** CALLDATACOPY, CODECOPY, EXTCODECOPY, RETURNDATACOPY, MSTORE, MSTORE8, MCOPY, and calls, which return data there. */
const WRITES_TO_MEMORY: ReadonlySet<number> = new Set([
  0x37, 0x39, 0x3c, 0x3e, 0x52, 0x53, 0x5e, 0xf1, 0xf2, 0xf4, 0xfa,
]);
/** Steps between a check for code or returned data and the revert. */
const CALL_CHECK_STEPS = 14;
const RETURN_CHECK_STEPS = 60;
const LOW_LEVEL_CALLS = ['call', 'delegatecall', 'staticcall', 'callcode', 'transfer', 'send', 'functionCall'];

const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

export const unknownFrame = ({ index, address }: TracedCall): SourceFrame => ({
  call: index,
  contract: null,
  functionName: null,
  definition: null,
  address,
  source: null,
  range: null,
  isInferred: false,
});

export interface CallFailure {
  readonly frames: readonly SourceFrame[];
  readonly reason: FailureReason;
}

const isNoModifier = ({ definition }: ActiveFunction): boolean => definition?.kind !== 'modifier';

const invokes = ({ invocations }: SourceFunction, { kind, name }: SourceFunction): boolean =>
  kind === 'modifier' && invocations.some(each => each.name === name);

export class CallStack {
  readonly #call: TracedCall;
  readonly #program: ContractProgram;
  readonly #active: readonly ActiveFunction[];

  constructor(call: TracedCall, program: ContractProgram) {
    this.#call = call;
    this.#program = program;
    this.#active = followInternalCalls(program, call.steps, program.entry(call.input));
  }

  /** The frames at the last step, with the reason of the failure. */
  failure(): CallFailure {
    const { steps, status } = this.#call;
    const last = steps.length - 1;
    if (last < 0) return { frames: this.#entryOnly(), reason: 'reverted' };
    if (status === 'exceptional') {
      const reason = this.#call.haltReason === 'outOfGas' ? 'outOfGas' : 'halted';
      return { frames: this.#framesAt(last, this.#halt(last)), reason };
    }
    if (this.#call.output === '0x') {
      const special = this.#failureWithoutData(last);
      if (special !== null) return special;
    }
    return { frames: this.#framesAt(last, this.#evidence(last)), reason: 'reverted' };
  }

  /** The frames at the call of another contract. */
  callSite(inner: TracedCall): readonly SourceFrame[] {
    const names = inner.isCreation
      ? [inner.program?.name]
      : [...[inner, inner.lastCall].map(each => each?.program?.calledName(inner.input)), ...LOW_LEVEL_CALLS];
    const opcode = this.#call.steps.op[inner.callIndex] as number;
    return this.#framesAt(inner.callIndex, { kind: 'call', names: names.filter(name => name !== undefined), opcode });
  }

  /**
   * Whether statements behind the one with the call were executed, such as those of a `catch` clause; `null` where the
   * statement of the call is not known.
   */
  #continuesAfter(inner: TracedCall): boolean | null {
    const { steps } = this.#call;
    const search = this.#search(steps.length - 1);
    const site = this.#program.siteAt(steps.pc[inner.callIndex] ?? -1);
    if (site === null) return null;
    const [statement] = site.source.statementsAt(site.definition, site.start, site.end);
    for (let i = inner.callIndex + 1; i < steps.length; i++) {
      const at = search.siteAt(i);
      if (at === null || at.definition !== site.definition || movesOnly(steps.op[i] as number)) continue;
      if (!contains(statement ?? site, at) || statement?.children.some(child => contains(child, at)) === true)
        return true;
    }
    return false;
  }

  /**
   * Whether the failure of the last call that it made is its own failure, passed on. Where it went on with other statements,
   * equal data may come from an error of its own: a statement after the call that fits it exactly decides. `null`: unclear.
   */
  passesOn(inner: TracedCall): boolean | null {
    const { output } = this.#call;
    const continues = this.#continuesAfter(inner);
    if (output === '0x') return continues === null ? null : !continues;
    const last = this.#call.steps.length - 1;
    if (this.#isOwnPanic(last)) return false;
    if (continues !== true || this.#returnsCopy(inner)) return true;
    const own = this.#search(last).find(this.#evidence(last));
    return own === null || own.isInferred || own.index <= inner.callIndex;
  }

  /** Whether the block of the last step writes the data of a panic itself. */
  #isOwnPanic(last: number): boolean {
    const { op, pc } = this.#call.steps;
    for (let i = last; i >= 0 && op[i] !== OP.JUMPI; i--) {
      if (this.#program.pushesPanic(pc[i] as number)) return true;
      if (op[i] === OP.JUMPDEST) break;
    }
    return false;
  }

  /** Whether nothing was written to memory after the data of the failed call was copied there. */
  #returnsCopy(inner: TracedCall): boolean {
    const { op, length } = this.#call.steps;
    const copy = op.lastIndexOf(OP.RETURNDATACOPY);
    return copy > inner.callIndex && !op.subarray(copy + 1, length).some(each => WRITES_TO_MEMORY.has(each));
  }

  #evidence(last: number): RevertEvidence {
    const { op, pc } = this.#call.steps;
    const operator = findCheckedOperator(op, last, index => this.#program.map.jump(pc[index] as number));
    return toRevertEvidence(this.#call.output, selector => this.#program.errorName(selector), operator);
  }

  #halt(index: number): RevertEvidence {
    return { kind: 'halt', opcode: this.#call.steps.op[index] as number };
  }

  #lastIndexOf(opcode: number, last: number, within: number): number {
    for (let i = last; i >= Math.max(0, last - within); i--) if (this.#call.steps.op[i] === opcode) return i;
    return -1;
  }

  #failureWithoutData(last: number): CallFailure | null {
    const search = this.#search(last);
    const dispatch = this.#dispatchFailure(last, search);
    if (dispatch !== null) return { frames: this.#entryOnly(), reason: dispatch };
    const codeCheck = this.#lastIndexOf(OP.EXTCODESIZE, last, CALL_CHECK_STEPS);
    if (codeCheck >= 0) return { frames: this.#framesAt(codeCheck, this.#halt(codeCheck)), reason: 'noCode' };
    const named = search.find({ kind: 'empty' });
    if (named !== null && !named.isInferred) return null;
    const inner = this.#call.lastCall;
    const isDecoding =
      inner?.status === 'success' &&
      (this.#lastIndexOf(OP.RETURNDATASIZE, last, RETURN_CHECK_STEPS) > inner.callIndex ||
        this.#continuesAfter(inner) === false);
    // Where a result is decoded, compilers since 0.8.10 do not look for code before the call.
    const hasNoCode = inner?.steps.length === 0 && inner.output === '0x';
    if (isDecoding) return { frames: this.callSite(inner), reason: hasNoCode ? 'noCode' : 'shortReturnData' };
    return null;
  }

  /** Why the call failed before the first statement of its function; `null` where it did not. */
  #dispatchFailure(last: number, search: FailureSearch): FailureReason | null {
    const { isCreation } = this.#program;
    const active = toSourceFunction(this.#active[last] as ActiveFunction);
    if (active.caller !== null || search.lastSite() !== null || this.#call.lastCall !== null) return null;
    const { input, value } = this.#call;
    if (isCreation) return value > 0n && active.definition?.isPayable === false ? 'notPayable' : null;
    if (active.definition === null) return input === '0x' ? 'noReceive' : 'unknownFunction';
    if (value > 0n && !active.definition.isPayable) return 'notPayable';
    return this.#program.hasValidArguments(input, active.definition) ? null : 'invalidCalldata';
  }

  #search(last: number): FailureSearch {
    return new FailureSearch(this.#program, this.#call.steps, this.#active, last);
  }

  #frame(
    definition: SourceFunction,
    source: SourceText | null,
    range: SourceFrame['range'],
    isInferred: boolean,
  ): SourceFrame {
    const { contract, name } = definition;
    return {
      contract: contract?.name ?? null,
      functionName: name,
      call: this.#call.index,
      definition,
      address: this.#call.address,
      source,
      range,
      isInferred,
    };
  }

  #entryOnly(): readonly SourceFrame[] {
    const entry = this.#program.entry(this.#call.input);
    const { name } = this.#program;
    if (entry === null) {
      const source = this.#program.ownSource();
      return [{ ...unknownFrame(this.#call), contract: name, source }];
    }
    const { start, end } = entry;
    return [
      this.#frame(entry, this.#program.graph?.getSource(entry) ?? this.#program.ownSource(), { start, end }, false),
    ];
  }

  /** The functions that run at a step, the outermost first, each with the place of its call of the next one. */
  #framesAt(index: number, evidence: RevertEvidence): readonly SourceFrame[] {
    const site = this.#findSite(index, evidence);
    const running = this.#withoutLeft(this.#runningAt(index), site);
    // A function that the one before cannot call: the optimizer merged it with one that is not found.
    let isInferred = false;
    const frames = running.flatMap(({ definition }, i) => {
      if (definition === null) return [];
      const before = running[i - 1]?.definition ?? null;
      isInferred ||=
        before !== null &&
        before.kind !== 'modifier' &&
        this.#program.graph?.reachable(before).has(definition) === false;
      const next = running[i + 1];
      const called = next === undefined ? null : this.#callerSite(next);
      if (next !== undefined && called?.definition === definition)
        isInferred ||=
          this.#search(next.callStep).isOutOfContext(called, next.callStep) ||
          this.#search(next.callStep).isContradicted(called, next.callStep) ||
          this.#callsSimilar(called, next.definition);
      const found = this.#framesOf(definition, next, site, index);
      return isInferred ? found.map(frame => ({ ...frame, isInferred })) : found;
    });
    return frames.length === 0 ? this.#entryOnly() : frames;
  }

  /** The optimizer may inline the body of a function in its modifier, and then the place tells which of both runs. */
  #withoutLeft(running: readonly ActiveFunction[], site: SourceSite | null): readonly ActiveFunction[] {
    return running.filter(({ definition }, i) => {
      const next = running[i + 1];
      const at = next === undefined ? site : this.#callerSite(next);
      const isLeft = at !== null && this.#program.graph?.reachable(definition as SourceFunction).has(at.definition);
      return definition?.kind !== 'modifier' || isLeft !== false;
    });
  }

  /** Whether the statement calls another function too that is similar: the optimizer may merge both calls. */
  #callsSimilar({ source, definition, start, end }: SourceSite, target: SourceFunction | null): boolean {
    const { graph, pipeline } = this.#program;
    const [statement] = source.statementsAt(definition, start, end);
    if (graph === null || !pipeline.isOptimized || target === null || statement === undefined) return false;
    const tokens = graph.getTokens(target);
    return graph
      .edges(definition)
      .some(
        each =>
          each.target !== target &&
          contains(statement, each.call) &&
          graph.areSimilar(tokens, graph.getTokens(each.target)),
      );
  }

  /** The frame of a running function, and those of functions that were inlined in the innermost one. */
  #framesOf(
    definition: SourceFunction,
    next: ActiveFunction | undefined,
    site: FoundSite | null,
    index: number,
  ): readonly SourceFrame[] {
    if (next !== undefined) return this.#callTo(next, definition);
    if (site !== null) return this.#descend(definition, site, site.isInferred, index);
    const { kind, start, end } = definition;
    return [this.#frame(definition, this.#getSource(definition), kind === 'getter' ? { start, end } : null, false)];
  }

  #findSite(index: number, evidence: RevertEvidence): FoundSite | null {
    const search = this.#search(index);
    const own = search.siteAt(index);
    const isCertain = own !== null && (evidence.kind === 'halt' || evidence.kind === 'call');
    const found = search.find(evidence) ?? (isCertain ? { ...own, index, isInferred: evidence.kind === 'call' } : null);
    return found !== null && evidence.kind === 'halt' && this.#isOfUnknownPlace(index)
      ? { ...found, isInferred: true }
      : found;
  }

  /** Whether the step has no place, nor is it in a function that the compiler generated and that a statement called. */
  #isOfUnknownPlace(index: number): boolean {
    const { pc } = this.#call.steps;
    if (!this.#program.pipeline.isOptimized || this.#program.siteAt(pc[index] as number) !== null) return false;
    let at = this.#active[index] as ActiveFunction;
    while (at.definition === null && at.caller?.definition === null) at = at.caller;
    return at.definition !== null || this.#program.siteAt(pc[at.callStep] ?? -1) === null;
  }

  /**
   * The functions of the source that run, the outermost first. With via-IR a function calls its first modifier, each
   * modifier the next one, and the last one the body, which is the function again: what leads there is left out.
   */
  #runningAt(index: number): ActiveFunction[] {
    const running: ActiveFunction[] = [];
    for (let at: ActiveFunction | null = this.#active[index] ?? null; at !== null; at = at.caller) {
      if (at.definition !== null) running.unshift(at);
    }
    const isShown = running.map(({ definition }, i) => {
      if (definition === null || this.#isOnlyInBetween(running, i)) return false;
      const owner =
        definition.kind === 'modifier' ? running.slice(0, i).findLast(isNoModifier)?.definition : definition;
      const next = running[i + 1]?.definition;
      const inner = running.slice(i + 1).find(isNoModifier)?.definition;
      const isInvoked = (each: SourceFunction | null | undefined) => each && owner && invokes(owner, each);
      if (isInvoked(definition)) return !isInvoked(next) && inner !== owner && !this.#isArgument(running[i + 1], owner);
      if (next === definition && this.#isBodyOf(definition, running[i + 1] as ActiveFunction)) return false;
      // The function whose modifier it is was inlined.
      if (inner && invokes(inner, definition)) return false;
      return !isInvoked(next) || inner !== definition;
    });
    // The body was called where the function was, whose modifiers are left out.
    const toCalled = (each: ActiveFunction, i: number): ActiveFunction => {
      const first = running.findLastIndex((_, before) => before < i && isShown[before] === true) + 1;
      const called = running.slice(first, i).find(({ definition }) => {
        if (definition === null || each.definition === null) return false;
        return definition === each.definition || invokes(each.definition, definition);
      });
      return called === undefined ? each : { ...each, caller: called.caller, callStep: called.callStep };
    };
    return running.map(toCalled).filter((_, i) => isShown[i]);
  }

  /** Whether it is the body of the function, which a modifier that was inlined there calls. */
  #isBodyOf(definition: SourceFunction, { callStep }: ActiveFunction): boolean {
    const site = this.#program.siteAt(this.#call.steps.pc[callStep] ?? -1);
    return site !== null && invokes(definition, site.definition);
  }

  /** Whether it is a constructor that gives its base no arguments, which the one of a more derived contract does. */
  #isOnlyInBetween(running: readonly ActiveFunction[], index: number): boolean {
    const [definition, base] = [running[index]?.definition, running[index + 1]?.definition];
    if (definition?.kind !== 'constructor' || base?.kind !== 'constructor' || base.parameterTypes.length === 0)
      return false;
    const hasArguments = (from: SourceFunction | null) =>
      from !== null &&
      this.#program.graph?.edges(from).some(({ call, target }) => target === base && call.argumentCount > 0);
    return hasArguments(definition) !== true && running.slice(0, index).some(each => hasArguments(each.definition));
  }

  /** Whether the function is called in the header of `owner`: an argument of a modifier is computed inside of it. */
  #isArgument(called: ActiveFunction | undefined, owner: SourceFunction | null | undefined): boolean {
    if (called === undefined) return false;
    const site = this.#program.siteAt(this.#call.steps.pc[called.callStep] ?? -1);
    return (
      site !== null &&
      site.definition === owner &&
      site.definition.invocations.some(invocation => contains(invocation, site))
    );
  }

  #callTo(next: ActiveFunction, definition: SourceFunction): readonly SourceFrame[] {
    const target = next.definition as SourceFunction;
    // The compiler places a modifier's call of the next one at its `_`.
    const invocation = this.#program.graph
      ?.edges(definition)
      .find(each => each.target === target && target.kind === 'modifier');
    if (invocation !== undefined) return this.#alongWay(definition, [invocation], false);
    const site = this.#callerSite(next);
    const ways = this.#program.graph?.paths(definition, target) ?? [];
    const around = this.#callAround(ways, site);
    if (around !== null && site?.definition === definition) {
      const other = this.#otherCall(ways, around, next);
      return this.#alongWay(definition, [other ?? around], other !== null);
    }
    const way = this.#chooseWay(ways, next.callStep);
    const [only] = ways.length === 1 && way?.length === 1 ? way : [];
    const inner = site === null ? null : this.#callWithin(definition, site, next);
    if (inner !== null) return inner;
    // The compiler may give the jump the place of the statement before.
    const isElsewhere = only !== undefined && site !== null && !contains(site, only.call) && !contains(only.call, site);
    if (site !== null && !isElsewhere && (site.definition !== definition || way === null || way.length === 1)) {
      const call = this.#callOf(site, target);
      return this.#descend(definition, call ?? site, call !== site, next.callStep);
    }
    if (way === null) return [this.#frame(definition, this.#getSource(definition), null, false)];
    const isCertain = way.length === 1 && ways.length === 1;
    return this.#alongWay(definition, way, !isCertain);
  }

  /** The optimizer merges the ends of calls: the one of which an argument was computed before. */
  #otherCall(ways: readonly (readonly CallEdge[])[], around: CallEdge, next: ActiveFunction): CallEdge | null {
    const others = ways.flatMap(way => (way.length === 1 && way[0]?.call !== around.call ? way : []));
    if (others.length === 0 || !this.#program.pipeline.isOptimized) return null;
    const search = this.#search(next.callStep);
    for (let i = next.callStep; i >= 0 && this.#active[i]?.definition !== next.definition; i--) {
      const at = search.siteAt(i);
      const isCall = this.#program.map.jump(this.#call.steps.pc[i] as number) === 'in';
      if (at !== null && (isCall || !movesOnly(this.#call.steps.op[i] as number)) && !contains(around.call, at))
        return others.find(({ call }) => contains(call, at)) ?? null;
    }
    return null;
  }

  /** The place if it can be the one of a call that leads to the function, else the only such call; `null`: none or several. */
  #callOf(site: SourceSite, target: SourceFunction): SourceSite | null {
    const { graph } = this.#program;
    const { definition } = site;
    if (graph === null || !contains(definition, site)) return site;
    const leading = graph.edges(definition).filter(each => graph.reachable(each.target).has(target));
    if (leading.some(({ call }) => contains(site, call) || contains(call, site))) return site;
    const [only, ...others] = leading.filter(each => each.target === target);
    return only === undefined || others.length > 0 ? null : { ...site, start: only.call.start, end: only.call.end };
  }

  /** The compiler may give a jump in a block the place of the `if` around it: the call in it that leads to the function. */
  #callWithin(definition: SourceFunction, site: SourceSite, { definition: target, callStep }: ActiveFunction) {
    const ways = this.#program.graph?.paths(site.definition, target as SourceFunction) ?? [];
    const within = ways.filter(([first]) => first !== undefined && contains(site, first.call));
    const way = this.#chooseWay(within, callStep);
    const [first] = way ?? [];
    if (way === null || first === undefined) return null;
    const isInferred = within.some(each => each[0]?.call !== first.call);
    const { start, end } = first.call;
    return [
      ...this.#descend(definition, { ...site, start, end }, isInferred, callStep),
      ...this.#alongWay(site.definition, way, true).slice(1),
    ];
  }

  /** The place of the call of a function, that of a function which the compiler generated between them included. */
  #callerSite(next: ActiveFunction): SourceSite | null {
    for (let at = next; ; at = at.caller) {
      const site = this.#search(at.callStep).siteAt(at.callStep);
      if (site !== null || at.caller === null || at.caller.definition !== null) return site;
    }
  }

  /** The smallest call around the place: that of a jump may be an argument. */
  #callAround(ways: readonly (readonly CallEdge[])[], site: SourceSite | null): CallEdge | null {
    const direct = ways.flatMap(way => (way.length === 1 ? way : []));
    const around = direct.filter(({ call }) => site !== null && contains(call, site));
    const size = ({ call: { start, end } }: CallEdge) => end - start;
    return around.sort((a, b) => size(a) - size(b))[0] ?? null;
  }

  #getSource(definition: SourceFunction): SourceText | null {
    return this.#program.graph?.getSource(definition) ?? this.#program.ownSource();
  }

  /** Frames of the functions between the running one and the function of the site, and that of the site. */
  #descend(from: SourceFunction, site: SourceSite, isInferred: boolean, index: number): readonly SourceFrame[] {
    const { definition, source, start, end } = site;
    const last = this.#frame(definition, source, { start, end }, isInferred);
    if (definition === from) return [last];
    const ways = this.#program.graph?.paths(from, definition) ?? [];
    const way = this.#chooseWay(ways, index);
    if (way === null) return [this.#frame(from, this.#getSource(from), null, false), { ...last, isInferred: true }];
    const isModifier =
      this.#isCalledOnce(from, definition) &&
      way.length === 1 &&
      (definition.kind === 'modifier' || definition.kind === 'constructor');
    const outer = this.#alongWay(from, way, isInferred || !isModifier);
    return [...outer, { ...last, isInferred: isInferred || !isModifier }];
  }

  /** Whether all that can run has one call of the function. */
  #isCalledOnce(from: SourceFunction, target: SourceFunction): boolean {
    const { graph } = this.#program;
    const callers = [...(graph?.reachable(from) ?? [])].flatMap(each => graph?.edges(each) ?? []);
    return callers.filter(each => each.target === target).length === 1;
  }

  /** One frame for each call of the way. The running function itself is certain; those behind it are inferred. */
  #alongWay(from: SourceFunction, way: readonly CallEdge[], isInferred: boolean): readonly SourceFrame[] {
    return way.map(({ call: { start, end } }, i) => {
      const definition = i === 0 ? from : (way[i - 1]?.target as SourceFunction);
      return this.#frame(definition, this.#getSource(definition), { start, end }, isInferred);
    });
  }

  /** The way whose calls were executed last. */
  #chooseWay(ways: readonly (readonly CallEdge[])[], index: number): readonly CallEdge[] | null {
    if (ways.length < 2) return ways[0] ?? null;
    const scores = ways.map(way => Math.min(...way.map(({ call }) => this.#lastStepIn(call.start, call.end, index))));
    return ways[scores.indexOf(Math.max(...scores))] ?? null;
  }

  #lastStepIn(start: number, end: number, index: number): number {
    for (let i = index; i >= Math.max(0, index - 5000); i--) {
      const site = this.#program.siteAt(this.#call.steps.pc[i] as number);
      if (site !== null && start <= site.start && site.end <= end) return i;
    }
    return -1;
  }
}
