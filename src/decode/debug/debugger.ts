// Answers the requests of a debugger about one traced transaction.

import type { SolidityType } from '../../api/contractDeclarations.ts';
import type {
  DebugInstruction,
  DebugOpened,
  DebugPlace,
  DebugRequests,
  DebugSessionRequest,
  DebugStackFrame,
  DebugVariable,
} from '../../api/debugSession.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import { bytesToHex } from '../../base/hex.ts';
import { localizable, localize } from '../../base/localize.ts';
import { type AbiItem, readAbi } from '../abiItem.ts';
import { fromByteText } from '../source/solidityTokens.ts';
import type { SourceText } from '../source/sourceText.ts';
import type { FindProgram } from '../source/traceStack.ts';
import type { Trace } from '../trace/trace.ts';
import { findUnitsAtLine, isNamed, isSameSource, listWrites } from './breakpoints.ts';
import { DebugCalls } from './debugCalls.ts';
import { listInstructions, type SourceUnit } from './debugCode.ts';
import { type ExpressionScope, evaluateExpression, isTrue } from './debugExpression.ts';
import { DebugFailures, type Failure } from './debugFailures.ts';
import type { KnownCode } from './debugIndex.ts';
import { DebugIndex, STOP } from './debugIndex.ts';
import type { DebugMachine } from './debugMachine.ts';
import { DebugRun, type RunSession } from './debugRun.ts';
import { type DebugFrame, stackAt } from './debugStack.ts';
import { DebugSteps } from './debugSteps.ts';
import { FrameVariables } from './debugVariables.ts';
import { getOpcodeName } from './opcodes.ts';

/** Bytes of memory, and instructions, that one request reads at most. */
const MAX_BYTES = 1 << 20;
const MAX_INSTRUCTIONS = 10_000;
const MAX_LOG_VALUES = 20;

type Handlers = {
  readonly [Kind in DebugSessionRequest['kind']]: (
    input: DebugRequests[Kind]['input'],
    signal: AbortSignal | undefined,
  ) => DebugRequests[Kind]['output'] | Promise<DebugRequests[Kind]['output']>;
};

export class Debugger implements RunSession {
  readonly index: DebugIndex;
  readonly steps: DebugSteps;
  /** Known once the first request is answered. */
  failures: readonly Failure[] = [];
  readonly #failures: DebugFailures;
  readonly #machine: DebugMachine | null;
  /** By number of the session; sources of several builds that are the same are one. */
  readonly #sources: SourceText[] = [];
  readonly #handlers: Handlers;

  constructor(trace: Trace, findProgram: FindProgram, machine: DebugMachine | null) {
    this.index = new DebugIndex(trace, findProgram);
    this.steps = new DebugSteps(this.index);
    this.#failures = new DebugFailures(trace, findProgram);
    this.#machine = machine;
    for (const code of this.index.codes()) for (const source of code.program.sources()) this.#numberOf(source);
    this.#handlers = {
      move: ({ step, operation, granularity }) => ({ step: this.steps.move(step, operation, granularity) }),
      run: ({ step, isBack, breakpoints, filters }, signal) =>
        new DebugRun(this, breakpoints, filters, signal).from(step, isBack),
      locate: ({ source, lines }) => ({ places: lines.map(line => this.#locate(source, line)) }),
      verify: input => this.#verify(input),
      goTo: input => ({ step: this.#goTo(input) }),
      source: ({ source }) => ({ text: fromByteText(this.source(source)?.bytes ?? '') }),
      stack: async ({ step }) => ({ frames: (await this.#stackAt(step)).map(frame => this.#toFrame(frame)) }),
      exception: ({ step }) => this.#exception(step),
      scopes: async ({ step, frame }) => ({ scopes: (await this.#frameVariables(step, frame)).scopes() }),
      variables: async ({ step, frame, reference, from, count }) => {
        const variables = await this.#frameVariables(step, frame);
        return { variables: await variables.withPreviews(await variables.list(reference, from, count)) };
      },
      evaluate: async input => ({ variable: await this.#evaluate(input) }),
      memory: input => this.#memory(input),
      disassemble: input => ({ instructions: this.#disassemble(input) }),
    };
  }

  async opened(): Promise<Omit<DebugOpened, 'substitution' | 'coin' | 'start'>> {
    this.failures = await this.#failures.list();
    const failed = this.failures.findLast(({ isCaught }) => !isCaught);
    return {
      sources: this.#sources.map(({ built: { path, file, isChanged } }, id) => ({ id, path, file, isChanged })),
      steps: this.index.trace.steps.length,
      firstStep: this.steps.first,
      failedStep: failed?.step ?? null,
      hasSource: this.index.stops.length > 0,
      withoutDeclarations: [
        ...new Set(
          this.index.codes().flatMap(({ program }) => (program.declarations?.by === 'ast' ? [] : [program.name])),
        ),
      ],
      optimized: [
        ...new Set(
          this.index
            .codes()
            .flatMap(({ program: { name, pipeline } }) => (pipeline.isOptimized || pipeline.isViaIR ? [name] : [])),
        ),
      ],
    };
  }

  /** `signal` ends a run, whose conditions may take long. */
  async handle(
    request: DebugSessionRequest,
    signal?: AbortSignal,
  ): Promise<DebugRequests[DebugSessionRequest['kind']]['output']> {
    const step = 'step' in request ? request.step : 0;
    if (!Number.isInteger(step) || step < 0 || step > this.steps.last)
      throw new HexLensError('bad-input', localizable('The transaction has no step {0}.', String(step)));
    const handler = this.#handlers[request.kind] as (
      input: typeof request,
      signal: AbortSignal | undefined,
    ) => ReturnType<Handlers['move']>;
    this.failures = await this.#failures.list();
    return handler(request, signal);
  }

  #numberOf(source: SourceText): number {
    const known = this.#sources.findIndex(each => isSameSource(each, source));
    return known >= 0 ? known : this.#sources.push(source) - 1;
  }

  source(id: number): SourceText | null {
    return this.#sources[id] ?? null;
  }

  /** At a failure the data of the revert decides which functions and lines they are: the optimizer merges code that reverts. */
  async #stackAt(step: number): Promise<readonly DebugFrame[]> {
    const frames = stackAt(this.index, step);
    const [innermost] = frames;
    const failure = this.failures.find(each => each.step === step);
    if (innermost === undefined || failure === undefined) return frames;
    const found = (await this.#failures.stackOf(failure.root))?.frames ?? [];
    if ((found.at(-1)?.range ?? null) === null) {
      const { isOptimized } = this.index.codeOf(failure.frame)?.program.pipeline ?? {};
      return isOptimized ? frames.map(each => ({ ...each, isInferred: true })) : frames;
    }
    const isExplained = ({ frame }: DebugFrame) => found.some(({ call }) => call === frame);
    const running = frames.filter(isExplained);
    const explained = found.toReversed().map(({ address: _, call, ...place }) => {
      const isSame = (each: DebugFrame) => each.frame === call && each.definition === place.definition;
      const at = running.splice(0, running.findIndex(isSame) + 1).at(-1) ?? innermost;
      return { ...at, ...place, frame: call };
    });
    return [...explained, ...frames.filter(each => !isExplained(each))];
  }

  #toPlace(source: SourceText, { start, end }: { readonly start: number; readonly end: number }): DebugPlace {
    return { source: this.#numberOf(source), start: source.position(start), end: source.position(end) };
  }

  #toFrame({ source, range, ...frame }: DebugFrame): DebugStackFrame {
    const call = this.index.trace.frames[frame.frame];
    return {
      call: frame.frame,
      contract: frame.contract,
      functionName: frame.functionName,
      address: call?.address ?? '0x',
      place: source === null || range === null ? null : this.#toPlace(source, range),
      isInferred: frame.isInferred,
      step: frame.step,
      instruction: { code: call === undefined ? -1 : this.index.numberOf(call), pc: frame.pc },
    };
  }

  #locate(id: number, line: number): DebugPlace | null {
    const source = this.source(id);
    const [unit] = source === null ? [] : findUnitsAtLine(this.index, source, line);
    return source === null || unit === undefined ? null : this.#toPlace(source, this.index.units[unit] as SourceUnit);
  }

  #verify({ functions, writes, instructions }: DebugRequests['verify']['input']): DebugRequests['verify']['output'] {
    const codes = this.index.allCodes();
    const units = this.index.codes().flatMap(code => [...code.allUnits()]);
    const definitions = [...new Set(units.map(unit => (this.index.units[unit] as SourceUnit).definition))];
    return {
      functions: functions.map(name => definitions.some(definition => isNamed(definition, name))),
      writes: writes.map(slot => listWrites(this.index.trace, slot).length > 0),
      instructions: instructions.map(({ code, pc }) => {
        const known = codes[code];
        return known !== undefined && [...listInstructions(known.bytes)].includes(pc);
      }),
    };
  }

  #goTo({ source: id, line, step }: DebugRequests['goTo']['input']): number | null {
    const source = this.source(id);
    const units = new Set(source === null ? [] : findUnitsAtLine(this.index, source, line));
    const { stops } = this.index;
    const matches: number[] = [];
    for (let i = 0; i < stops.length; i++) {
      const isStatement = ((stops.flags[i] as number) & STOP.statement) !== 0;
      if (isStatement && units.has(stops.unit[i] as number)) matches.push(stops.step[i] as number);
    }
    return matches.find(each => each > step) ?? matches.findLast(each => each < step) ?? null;
  }

  #exception(step: number): DebugRequests['exception']['output'] {
    const failure = this.failures.find(each => each.step === step);
    if (failure === undefined || failure.frame.status === 'success') return { exception: null };
    const { output, status, haltReason, address } = failure.frame;
    const { isCaught } = failure;
    return {
      exception: { data: bytesToHex(output), status, haltReason: haltReason ?? null, isCaught, address },
    };
  }

  async #frameVariables(step: number, frame: number): Promise<FrameVariables> {
    const shown = (await this.#stackAt(step))[frame];
    if (shown === undefined) throw new HexLensError('bad-input', localizable('There is no such frame.'));
    return new FrameVariables(this.index, this.#machine, step, shown, frame === 0);
  }

  /** `functions`: `null` where an expression must call none. */
  async #scope(step: number, frame: number, functions: readonly AbiItem[] | null = null): Promise<ExpressionScope> {
    const variables = await this.#frameVariables(step, frame);
    const getCalls = (): DebugCalls => {
      if (functions === null)
        throw new HexLensError(
          'bad-input',
          localizable('Contracts are queried only by the debug console and watch expressions.'),
        );
      if (this.#machine === null)
        throw new HexLensError(
          'bad-input',
          localizable('Contracts cannot be called here: the node gave no state of this transaction.'),
        );
      return new DebugCalls(this.index, this.#machine, step, variables.frame, functions);
    };
    const named = (list: readonly DebugVariable[], name: string) => list.find(each => each.name === name) ?? null;
    return {
      async find(name) {
        for (const scope of variables.namedScopes()) {
          const found = named(await variables.list({ kind: 'scope', scope }), name);
          if (found !== null) return found;
        }
        const [contract, qualified] = name.split('.');
        return qualified === undefined
          ? named(await variables.declaredBy(null), name)
          : named(await variables.declaredBy(contract ?? ''), qualified);
      },
      member: async ({ reference }, name) => (reference === null ? null : named(await variables.list(reference), name)),
      element: async ({ reference }, name, key) =>
        reference === null ? null : variables.element(reference, name, key),
      members: async ({ reference }, limit) => (reference === null ? [] : variables.list(reference, 0, limit)),
      enumMembers: name => {
        const types = variables.declarations?.types ?? [];
        const isEnum = ({ kind, text }: SolidityType) =>
          kind === 'enum' && (text === name || text.endsWith(`.${name}`));
        const found = types.find(isEnum);
        return found?.kind === 'enum' ? found.members : null;
      },
      call: (to, name, args) => getCalls().call(to, name, args),
      account: address => getCalls().account(address),
    };
  }

  async #evaluate({ step, frame, expression, functions }: DebugRequests['evaluate']['input']): Promise<DebugVariable> {
    const scope = await this.#scope(step, frame, functions === undefined ? null : readAbi(functions, ''));
    const result = await evaluateExpression(expression, scope);
    const [variable] = await (await this.#frameVariables(step, frame)).withPreviews([result]);
    return variable ?? result;
  }

  async isTrue(step: number, expression: string): Promise<boolean> {
    return isTrue(expression, await this.#scope(step, 0));
  }

  async format(step: number, message: string): Promise<string> {
    const parts = message.split(/\{([^{}]*)\}/).slice(0, 2 * MAX_LOG_VALUES + 1);
    const texts = await Promise.all(parts.map((part, i) => (i % 2 === 0 ? part : this.#formatValue(step, part))));
    return texts.join('');
  }

  async #formatValue(step: number, expression: string): Promise<string> {
    try {
      return localize((await evaluateExpression(expression, await this.#scope(step, 0))).value);
    } catch (error) {
      if (isFault(error, 'bad-input')) return `{${expression}}`;
      throw error;
    }
  }

  async #memory({
    step,
    frame,
    memory,
    count,
  }: DebugRequests['memory']['input']): Promise<DebugRequests['memory']['output']> {
    const variables = await this.#frameVariables(step, frame);
    const bytes = await variables.bytes(memory.area);
    const found = bytes.subarray(Math.max(0, memory.offset), Math.max(0, memory.offset) + Math.min(count, MAX_BYTES));
    return { data: bytesToHex(found), missing: Math.max(0, count - found.length) };
  }

  /** `null` for those before the first and behind the last instruction. */
  #disassemble({
    code: number,
    pc,
    offset,
    count,
  }: DebugRequests['disassemble']['input']): readonly (DebugInstruction | null)[] {
    const known = this.index.allCodes()[number];
    const pcs = known === undefined ? [] : [...listInstructions(known.bytes)];
    const at = pcs.findIndex(each => each >= pc);
    return Array.from({ length: Math.min(count, MAX_INSTRUCTIONS) }, (_, i) => {
      const found = at < 0 ? undefined : pcs[at + offset + i];
      return known === undefined || found === undefined ? null : this.#toInstruction(known, found);
    });
  }

  #toInstruction({ number, bytes: code, debug }: KnownCode, pc: number): DebugInstruction {
    const op = code[pc] as number;
    const size = op >= 0x60 && op <= 0x7f ? op - 0x5f : 0;
    const bytes = code.subarray(pc, pc + 1 + size);
    const site = debug?.program.siteAt(pc) ?? null;
    const text = size === 0 ? getOpcodeName(op) : `${getOpcodeName(op)} ${bytesToHex(bytes.subarray(1))}`;
    const place = site === null ? null : this.#toPlace(site.source, site);
    return { code: number, pc, bytes: bytesToHex(bytes), text, place };
  }
}
