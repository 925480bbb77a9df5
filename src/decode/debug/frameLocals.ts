// Where the locals of one frame are on the stack at one step, in code of the legacy generator without the optimizer.
import type { ContractDeclarations, FunctionDeclaration, LocalVariable } from '../../api/contractDeclarations.ts';
import type { SourceFunction, Statement } from '../source/solidityOutline.ts';
import { isMove } from './debugCode.ts';
import { type DebugIndex, type RunningFunction, STOP } from './debugIndex.ts';
import { FunctionLocals, findDeclaration, type PlacedVariable, type RunningDeclaration } from './debugLocals.ts';
import type { MachineState } from './debugMachine.ts';
import type { DebugFrame } from './debugStack.ts';

/** What the frame's contract declares, and the EVM at a step. */
export interface FrameContext {
  readonly declarations: ContractDeclarations;
  stateAt(step: number): Promise<MachineState> | null;
}

/** Variables with the stack that has them. */
interface PlacedLocals {
  readonly variables: readonly PlacedVariable[];
  readonly state: MachineState;
}

const JUMP = 0x56;

export class FrameLocals {
  readonly #index: DebugIndex;
  readonly #context: FrameContext;
  readonly #step: number;
  readonly #shown: DebugFrame;
  readonly #isInnermost: boolean;

  constructor(index: DebugIndex, context: FrameContext, step: number, shown: DebugFrame, isInnermost: boolean) {
    this.#index = index;
    this.#context = context;
    this.#step = step;
    this.#shown = shown;
    this.#isInnermost = isInnermost;
  }

  get #graph() {
    return this.#code?.program.graph ?? null;
  }

  get #code() {
    const frame = this.#index.trace.frames[this.#shown.frame];
    return frame === undefined ? null : this.#index.codeOf(frame);
  }

  get #site() {
    return this.#code?.program.siteAt(this.#shown.pc) ?? null;
  }

  /** That of the instruction where it is in inline assembly: several of its statements may be in the line that is shown. */
  get #position(): number {
    const [range, statement, site] = [this.#shown.range, this.#statement, this.#site];
    const isInside = site !== null && range !== null && range.start <= site.start && site.end <= range.end;
    return isInside && statement?.kind === 'assembly' ? site.start : (range?.start ?? 0);
  }

  get #statement(): Statement | null {
    const { definition, source, range } = this.#shown;
    if (definition === null || range === null) return null;
    return source?.statementsAt(definition, range.start, range.end)[0] ?? null;
  }

  /** The function of inline assembly that runs; `null` where none does. */
  #assembly(): { readonly declaration: FunctionDeclaration; readonly running: RunningFunction } | null {
    const running = this.#index.runningAt(this.#shown.step);
    const site = running.isAssembly ? this.#site : null;
    if (site === null) return null;
    const { functions } = this.#context.declarations;
    const around = functions.filter(
      ({ source, start, end }) => source === site.source.built.id && start <= site.start && site.end <= end,
    );
    const [declaration] = around.toSorted((a, b) => b.start - a.start);
    return declaration === undefined ? null : { declaration, running };
  }

  /** The variables of the function that can be used at its place, as far as the source says. */
  all(): readonly LocalVariable[] {
    const { definition } = this.#shown;
    const assembly = this.#assembly();
    if (assembly !== null) return this.#visible(assembly.declaration, this.#site?.start ?? 0);
    const declared = this.#declarationOf(definition);
    const position = this.#position;
    // Values of state variables are set before a constructor has its arguments.
    const isOutside = definition !== null && (position < definition.start || position >= definition.end);
    if (declared === null || (definition?.kind === 'constructor' && isOutside)) return [];
    return this.#visible(declared, position);
  }

  #visible({ parameters, returns, locals }: FunctionDeclaration, position: number): readonly LocalVariable[] {
    const isVisible = ({ end, scopeEnd }: LocalVariable) => end <= position && position < scopeEnd;
    return [...parameters, ...returns, ...locals.filter(isVisible)].filter(({ name }) => name !== '');
  }

  #declarationOf(definition: SourceFunction | null): FunctionDeclaration | null {
    const source = definition === null ? null : (this.#graph?.getSource(definition) ?? null);
    if (definition === null || source === null) return null;
    return findDeclaration(this.#context.declarations, definition, source.built.id);
  }

  /** `null` where the stack is not as the source says. */
  async place(state: MachineState): Promise<PlacedLocals | null> {
    const assembly = this.#assembly();
    if (assembly !== null) return this.#placeInAssembly(assembly, state);
    const running = this.#running();
    const current = this.#declarationOf(this.#shown.definition);
    const { range, source, definition } = this.#shown;
    if (running === null || current === null || range === null || source === null || definition === null) return null;
    if (this.all().length === 0) return { variables: [], state };
    // Constructors of bases run inside that of the contract.
    const owner = definition.kind === 'constructor' ? definition : running.owner;
    const chain = this.#runningDeclarations(owner);
    if (chain === null || owner === null) return null;
    const locals = new FunctionLocals(this.#context.declarations, chain);
    const entry = await this.#entryHeight(running, owner, locals);
    if (entry === null) return null;
    const statement = this.#statement;
    const isHeader = statement !== null && statement.children.length > 0;
    const isAssembly = statement?.kind === 'assembly';
    const positions = [
      isAssembly ? this.#position : (statement?.start ?? range.start),
      ...(isHeader ? [statement.children[0]?.start ?? range.start] : []),
    ];
    const heights = positions.map(position => locals.at(entry, current, position));
    if (this.#isAtStatement()) {
      const found = heights.find(({ height }) => height === state.stack.length);
      return found === undefined ? null : { variables: named(found.variables, current), state };
    }
    // In the middle of a statement, its own values are above the variables.
    const within = isHeader && range.start > (statement.start ?? 0) ? heights.at(-1) : heights[0];
    const intact = within === undefined ? null : await this.#stackWith(within.height, running, state);
    if (within === undefined || intact === null) return null;
    return { variables: named(within.variables, current), state: intact };
  }

  /** Behind the last code of its statements: what follows has left them on the stack, or has popped them as the function ended. */
  async #stackWith(height: number, running: RunningFunction, state: MachineState): Promise<MachineState | null> {
    const { frames, steps } = this.#index.trace;
    const first = frames[running.frame]?.firstStep ?? 0;
    const isOfStatement = (step: number) =>
      steps.frame[step] === running.frame &&
      (this.#code?.unitAt(steps.pc[step] as number) ?? -1) >= 0 &&
      this.#index.runningAt(step) === running;
    let [step, at] = [this.#shown.step, this.#shown.step];
    while (at > first && !isOfStatement(at - 1)) {
      at--;
      if (steps.frame[at] === running.frame) step = at; // a call from it has a stack of its own
    }
    // Before its first statement.
    if (at === first)
      return this.#site?.definition === this.#shown.definition && height <= state.stack.length ? state : null;
    for (; step > first; step--) {
      const found = await this.#context.stateAt(step);
      if (found === null || height <= found.stack.length) return found;
      const op = steps.op[step - 1] as number;
      if (!isMove(op) && op !== JUMP) return null;
    }
    return null;
  }

  async #placeInAssembly(
    { declaration, running }: { readonly declaration: FunctionDeclaration; readonly running: RunningFunction },
    state: MachineState,
  ): Promise<PlacedLocals | null> {
    const entry = await this.#context.stateAt(running.entryStep);
    if (entry === null) return null;
    const locals = new FunctionLocals(this.#context.declarations, [{ declaration, placeholder: 0 }]);
    const found = locals.at(entry.stack.length, declaration, this.#site?.start ?? 0);
    const isPlaced = this.#isAtStatement() ? found.height === state.stack.length : found.height <= state.stack.length;
    return isPlaced ? { variables: named(found.variables, declaration), state } : null;
  }

  /** Words on the stack where the function begins, with its parameters on top. */
  async #entryHeight(running: RunningFunction, owner: SourceFunction, locals: FunctionLocals): Promise<number | null> {
    if (owner.kind === 'constructor') return this.#constructorHeight(owner, locals);
    if (running.entryStep >= 0) return (await this.#context.stateAt(running.entryStep))?.stack.length ?? null;
    if (owner.kind !== 'fallback' && owner.kind !== 'receive') return null;
    // They are entered without a jump, with the selector below or without: the first statement tells.
    const { stops, units } = this.#index;
    for (let i = 0; i < stops.length; i++) {
      if (stops.running[i] !== running.number) continue;
      const unit = units[stops.unit[i] as number];
      const declared = this.#declarationOf(unit?.definition ?? null);
      const state = await this.#context.stateAt(stops.step[i] as number);
      if (unit === undefined || declared === null || state === null) return null;
      const height = state.stack.length - locals.at(0, declared, unit.start).height;
      return height >= locals.parameterWords ? height : null;
    }
    return null;
  }

  /** The arguments of a constructor are above those of the contracts that are derived from its own, on an empty stack. */
  #constructorHeight(owner: SourceFunction, { parameterWords }: FunctionLocals): number | null {
    let height = parameterWords;
    for (const contract of this.#graph?.linearized ?? []) {
      const written = contract.functions.find(({ kind }) => kind === 'constructor');
      if (written === owner) return height;
      const chain = written === undefined ? [] : this.#runningDeclarations(written);
      if (chain === null) return null;
      if (chain.length > 0) height += new FunctionLocals(this.#context.declarations, chain).parameterWords;
    }
    return null;
  }

  #isAtStatement(): boolean {
    const { stops } = this.#index;
    const at = this.#index.stopAt(this.#step);
    const isStop = at >= 0 && stops.step[at] === this.#step && ((stops.flags[at] as number) & STOP.statement) !== 0;
    return this.#isInnermost && isStop;
  }

  #running(): RunningFunction | null {
    let at: RunningFunction | null = this.#index.runningAt(this.#shown.step);
    while (at !== null && at.definition === null && at.returnPc >= 0) at = at.caller;
    return at;
  }

  #runningDeclarations(owner: SourceFunction | null): readonly RunningDeclaration[] | null {
    const graph = this.#graph;
    if (owner === null || graph === null) return null;
    const modifiers = graph
      .edges(owner)
      .filter(({ call, target }) => owner.invocations.includes(call) && target.kind !== 'constructor')
      .map(({ target }) => target);
    const list = [owner, ...modifiers].map(definition => {
      const declaration = this.#declarationOf(definition);
      const source = graph.getSource(definition);
      const text = source?.text(definition.start, definition.end) ?? '';
      const placeholder = definition.start + Math.max(0, text.search(/\b_\s*;/));
      return declaration === null ? null : { declaration, placeholder };
    });
    return list.every(each => each !== null) ? list : null;
  }
}

/** What a function returns without a name has that of the statement; parameters without a name are of no use. */
function named(variables: readonly PlacedVariable[], { returns }: FunctionDeclaration): readonly PlacedVariable[] {
  const hasSeveral = returns.length > 1;
  return variables.flatMap(placed => {
    const { variable } = placed;
    if (variable.name !== '') return [placed];
    const at = returns.indexOf(variable);
    return at < 0 ? [] : [{ ...placed, variable: { ...variable, name: hasSeveral ? `return ${at + 1}` : 'return' } }];
  });
}
