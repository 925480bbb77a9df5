// The debug adapter: translates requests of the Debug Adapter Protocol into those of a session of the service. Without vscode.
import {
  DebugSession,
  InitializedEvent,
  OutputEvent,
  StoppedEvent,
  TerminatedEvent,
  Thread,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type {
  DebugException,
  DebugFilter,
  DebugGranularity,
  DebugOperation,
  DebugRunResult,
} from '../../api/debugSession.ts';
import { listWords } from '../../api/parseSimulationJson.ts';
import { replaceHidden } from '../../base/displayText.ts';
import { formatFault, HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable, localize, t } from '../../base/localize.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { findSecretReason } from '../../view/checkDisclosure.ts';
import { BreakpointRequests } from './breakpointRequests.ts';
import { describeSession, getCapabilities, getThreadName } from './debugCapabilities.ts';
import { type DebugHost, type LaunchArguments, type OpenedSession, POSITION } from './debugHost.ts';
import { DebugSources } from './debugSources.ts';
import { FailureFocus } from './failureFocus.ts';
import { INLINE_VALUES } from './inlineValues.ts';
import { readInstructions } from './instructionReferences.ts';
import { PausableRequest } from './pausableRequest.ts';
import { ShownValues } from './shownValues.ts';

const THREAD = 1;
/** A watch expression that queries a contract runs the transaction up to the step each time. */
const MAX_WATCHED_CALL_STEP = 100_000;

/** A position that a step forward left. */
interface LeftStep {
  readonly step: number;
  readonly granularity: DebugGranularity;
}

/** What the client knows of the session. */
interface ShownSession {
  readonly values: ShownValues;
  readonly breakpoints: BreakpointRequests;
}

export class TransactionDebugSession extends DebugSession {
  readonly #host: DebugHost;
  /** One request changes the position at a time. */
  readonly #moves = new SerialQueue();
  /** The search for the next stop. */
  readonly #running = new PausableRequest();
  /** Which reads of the stack have to wait. */
  readonly #failureFocus = new FailureFocus();
  /** `null` until it is launched. */
  #session: (OpenedSession & ShownSession) | null = null;
  #launch: LaunchArguments | null = null;
  /** The position. */
  #step = 0;
  /** Positions that steps forward left, for a step back. */
  #history: LeftStep[] = [];
  /** Nothing follows: the next step ends the session. */
  #isAtEnd = false;
  /** The failures that stop a run. */
  #filters: readonly DebugFilter[] = ['reverts'];
  /** Steps to jump to, by the number that the client knows. */
  #gotoTargets: number[] = [];

  constructor(host: DebugHost) {
    super();
    this.#host = host;
    this.setDebuggerLinesStartAt1(false);
    this.setDebuggerColumnsStartAt1(false);
  }

  /** Answers a request, with the message of what went wrong where it rejects. */
  #respond<R extends DebugProtocol.Response>(response: R, work: () => Promise<R['body']>): void {
    work().then(
      body => {
        if (body !== undefined) response.body = body;
        this.sendResponse(response);
      },
      error => this.#respondError(response, error, false),
    );
  }

  /** The text is a variable, since clients replace what is in braces in the format (`Message` of the Debug Adapter Protocol). */
  #respondError(response: DebugProtocol.Response, error: unknown, showUser: boolean): void {
    const variables = { _text: replaceHidden(formatFault(error)) };
    this.sendErrorResponse(response, { id: 1, format: '{_text}', variables, showUser });
  }

  get #sources(): DebugSources {
    return new DebugSources(this.#current.opened.sources, this.#host, {
      toLine: line => this.convertDebuggerLineToClient(line),
      toColumn: column => this.convertDebuggerColumnToClient(column),
    });
  }

  get #current(): OpenedSession & ShownSession {
    if (this.#session === null) throw new Error('The session is not open.');
    return this.#session;
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = getCapabilities();
    this.sendResponse(response);
  }

  protected override launchRequest(response: DebugProtocol.LaunchResponse, args: LaunchArguments): void {
    this.#open(args).then(
      () => this.sendResponse(response),
      // VS Code shows why a launch failed only where `showUser` is not false.
      error => this.#respondError(response, error, true),
    );
  }

  async #open(args: LaunchArguments): Promise<void> {
    const { transaction, simulation } = args;
    const secret = findSecretReason(simulation === undefined ? [transaction ?? ''] : listWords(simulation));
    if (secret !== null) throw new HexLensError('bad-input', secret);
    const session = await this.#host.open(args);
    this.#session = {
      ...session,
      values: new ShownValues(this.#host, session, () => this.#sources),
      breakpoints: new BreakpointRequests(session.send, () => this.#sources),
    };
    this.#launch = args;
    const { opened, skipped = [] } = session;
    for (const note of describeSession(opened, skipped, args.build === 'unoptimized'))
      this.sendEvent(new OutputEvent(`${note}\n`));
    this.sendEvent(new InitializedEvent());
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.sendResponse(response);
    const { firstStep, failedStep, start } = this.#current.opened;
    const { startFrame, stopOnEntry } = this.#launch ?? {};
    this.#step = firstStep;
    // Without the stack it begins at the failure: a session that stops nowhere can only be ended.
    if (start !== null) this.#goTo(start.step, 'entry');
    else if (startFrame !== undefined && failedStep !== null)
      this.#startAt(startFrame, failedStep).catch(() => this.#goTo(failedStep, 'entry'));
    else if (stopOnEntry === false) this.#run(false);
    else this.#stop('entry');
  }

  /** The optimizer may have left fewer frames than the source has: then at the failure. */
  async #startAt(frame: number, failedStep: number): Promise<void> {
    const { frames } = await this.#current.send('stack', { step: failedStep });
    this.#goTo(frames.toReversed()[frame]?.step ?? failedStep, 'entry');
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    const name = getThreadName(this.#launch?.transaction ?? null, this.#current.opened.substitution);
    response.body = { threads: [new Thread(THREAD, name)] };
    this.sendResponse(response);
  }

  #stop(reason: string, text?: string, hitBreakpointIds: readonly number[] = []): void {
    this.#current.values.clear();
    this.#failureFocus.stop(reason === 'exception');
    const event = new StoppedEvent(reason, THREAD, text) as DebugProtocol.StoppedEvent;
    event.body.allThreadsStopped = true;
    const isSubstituted = this.#current.opened.substitution?.isUsed === true;
    // The name of the thread is hidden where it is the only one.
    const description = text ?? (isSubstituted ? t('Values from an unoptimized build') : undefined);
    if (description !== undefined) event.body.description = description;
    if (hitBreakpointIds.length > 0) event.body.hitBreakpointIds = [...hitBreakpointIds];
    this.sendEvent(event);
  }

  // Steps

  #granularity(granularity: DebugProtocol.SteppingGranularity | undefined): DebugGranularity {
    return granularity === undefined || granularity === 'statement'
      ? (this.#launch?.steppingGranularity ?? 'statement')
      : granularity;
  }

  /** Changes the position, after those changes that were requested before. */
  #change(work: () => void | Promise<void>): void {
    void this.#moves.run(work).catch(error => this.#fail(error));
  }

  #move(operation: DebugOperation, requested: DebugProtocol.SteppingGranularity | undefined): void {
    this.#change(async () => {
      const from = this.#step;
      const granularity = this.#granularity(requested);
      const left = operation === 'stepBack' ? this.#history.pop() : undefined;
      // A statement back is another way than an instruction back.
      const last = left?.granularity === granularity ? left.step : undefined;
      if (last === undefined && operation === 'stepBack') this.#history = [];
      const step = last ?? (await this.#current.send('move', { step: from, operation, granularity })).step;
      if (operation === 'stepBack') this.#goTo(step ?? this.#beginning(), step === null ? 'entry' : 'step');
      else if (step === null) this.#end();
      else {
        this.#history.push({ step: from, granularity });
        this.#goTo(step, 'step');
      }
    });
  }

  /** Where going back ends: never ahead of the position. */
  #beginning(): number {
    return Math.min(this.#step, this.#current.opened.firstStep);
  }

  #goTo(step: number, reason: string): void {
    this.#step = step;
    this.#isAtEnd = false;
    this.#stop(reason);
  }

  /** At the last step first, so that one can go back from there; then the session ends. */
  #end(): void {
    if (this.#isAtEnd) {
      this.sendEvent(new TerminatedEvent());
      return;
    }
    this.#history = [];
    this.#step = this.#current.opened.steps - 1;
    this.#isAtEnd = true;
    this.#stop('step', t('End of the transaction'));
  }

  /** A step that could not be made leaves the session where it is. */
  #fail(error: unknown): void {
    this.sendEvent(new OutputEvent(`${replaceHidden(formatFault(error))}\n`, 'stderr'));
    this.#stop('step');
  }

  #run(isBack: boolean): void {
    this.#change(async () => {
      if (this.#isAtEnd && !isBack) return this.#end();
      const input = { step: this.#step, isBack, breakpoints: this.#current.breakpoints.all(), filters: this.#filters };
      const result = await this.#running.run(signal => this.#current.send('run', input, signal));
      if (result === null) return this.#stop('pause');
      for (const message of result.messages)
        this.sendEvent(new OutputEvent(`${replaceHidden(localize(message))}\n`, 'stdout'));
      return this.#stopAt(result, isBack);
    });
  }

  async #stopAt({ step, reason, breakpoints }: DebugRunResult, isBack: boolean): Promise<void> {
    if (step === null || reason === null) {
      if (!isBack) return this.#end();
      this.#history = [];
      return this.#goTo(this.#beginning(), 'entry');
    }
    this.#history = [];
    this.#step = step;
    const { exception } =
      reason === 'exception' ? await this.#current.send('exception', { step }) : { exception: null };
    this.#isAtEnd = exception !== null && !exception.isCaught;
    const text = exception === null ? undefined : await this.#describe(exception);
    this.#stop(reason, text, breakpoints);
  }

  async #describe({ data, haltReason, isCaught }: DebugException): Promise<string> {
    const error = haltReason ?? (await this.#host.describeError(data)) ?? t('reverted without data');
    return isCaught ? t('{0} (caught)', error) : error;
  }

  protected override nextRequest(response: DebugProtocol.NextResponse, args: DebugProtocol.NextArguments): void {
    this.sendResponse(response);
    this.#move('next', args.granularity);
  }

  protected override stepInRequest(response: DebugProtocol.StepInResponse, args: DebugProtocol.StepInArguments): void {
    this.sendResponse(response);
    this.#move('stepIn', args.granularity);
  }

  protected override stepOutRequest(
    response: DebugProtocol.StepOutResponse,
    args: DebugProtocol.StepOutArguments,
  ): void {
    this.sendResponse(response);
    this.#move('stepOut', args.granularity);
  }

  protected override stepBackRequest(
    response: DebugProtocol.StepBackResponse,
    args: DebugProtocol.StepBackArguments,
  ): void {
    this.sendResponse(response);
    this.#move('stepBack', args.granularity);
  }

  protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
    response.body = { allThreadsContinued: true };
    this.sendResponse(response);
    this.#run(false);
  }

  protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
    this.sendResponse(response);
    this.#run(true);
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
    this.sendResponse(response);
    if (!this.#running.pause()) this.#stop('pause');
  }

  protected override restartRequest(response: DebugProtocol.RestartResponse): void {
    this.sendResponse(response);
    this.#history = [];
    this.#goTo(this.#current.opened.firstStep, 'entry');
  }

  /** The client has disconnected. */
  override shutdown(): void {
    this.#running.pause();
    void this.#session?.send('close', {}).catch(() => {});
    super.shutdown();
  }

  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    this.sendResponse(response);
    this.sendEvent(new TerminatedEvent());
  }

  protected override gotoTargetsRequest(
    response: DebugProtocol.GotoTargetsResponse,
    { source, line }: DebugProtocol.GotoTargetsArguments,
  ): void {
    this.#respond(response, async () => {
      const id = this.#sources.find(source);
      const at = this.convertClientLineToDebugger(line);
      const { step } =
        id === null ? { step: null } : await this.#current.send('goTo', { source: id, line: at, step: this.#step });
      if (step === null) return { targets: [] };
      const number = this.#gotoTargets.push(step) - 1;
      return { targets: [{ id: number, label: t('Step {0}', step), line }] };
    });
  }

  protected override gotoRequest(
    response: DebugProtocol.GotoResponse,
    { targetId }: DebugProtocol.GotoArguments,
  ): void {
    this.sendResponse(response);
    this.#history = [];
    this.#goTo(this.#gotoTargets[targetId] ?? this.#step, 'goto');
  }

  // Breakpoints

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    args: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.#respond(response, () =>
      this.#current.breakpoints.setStatements(args, line => this.convertClientLineToDebugger(line)),
    );
  }

  protected override setFunctionBreakPointsRequest(
    response: DebugProtocol.SetFunctionBreakpointsResponse,
    args: DebugProtocol.SetFunctionBreakpointsArguments,
  ): void {
    this.#respond(response, () => this.#current.breakpoints.setFunctions(args));
  }

  protected override setExceptionBreakPointsRequest(
    response: DebugProtocol.SetExceptionBreakpointsResponse,
    { filters }: DebugProtocol.SetExceptionBreakpointsArguments,
  ): void {
    this.#filters = filters.filter(filter => filter === 'reverts' || filter === 'caughtReverts');
    this.sendResponse(response);
  }

  protected override setInstructionBreakpointsRequest(
    response: DebugProtocol.SetInstructionBreakpointsResponse,
    args: DebugProtocol.SetInstructionBreakpointsArguments,
  ): void {
    this.#respond(response, () => this.#current.breakpoints.setInstructions(args));
  }

  protected override dataBreakpointInfoRequest(
    response: DebugProtocol.DataBreakpointInfoResponse,
    args: DebugProtocol.DataBreakpointInfoArguments,
  ): void {
    this.#respond(response, () => this.#current.values.dataBreakpointInfo(this.#step, args));
  }

  protected override setDataBreakpointsRequest(
    response: DebugProtocol.SetDataBreakpointsResponse,
    args: DebugProtocol.SetDataBreakpointsArguments,
  ): void {
    this.#respond(response, () => this.#current.breakpoints.setWrites(args));
  }

  protected override exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
    this.#failureFocus.end();
    this.#respond(response, async () => {
      const { exception } = await this.#current.send('exception', { step: this.#step });
      if (exception === null) return { exceptionId: 'revert', breakMode: 'always' as const };
      const description = await this.#describe(exception);
      return {
        exceptionId: exception.haltReason ?? (exception.isCaught ? t('Caught revert') : t('Revert')),
        description,
        breakMode: 'always' as const,
        details: { message: description, typeName: exception.haltReason ?? 'revert' },
      };
    });
  }

  // Sources

  protected override sourceRequest(
    response: DebugProtocol.SourceResponse,
    { sourceReference }: DebugProtocol.SourceArguments,
  ): void {
    this.#respond(response, async () => {
      const { text } = await this.#current.send('source', { source: sourceReference - 1 });
      return { content: text };
    });
  }

  protected override loadedSourcesRequest(response: DebugProtocol.LoadedSourcesResponse): void {
    response.body = { sources: this.#current.opened.sources.map(({ id }) => this.#sources.toSource(id)) };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    args: DebugProtocol.StackTraceArguments,
  ): void {
    this.#respond(response, async () => {
      await this.#failureFocus.wait(args.startFrame ?? 0, args.levels ?? 0);
      return this.#current.values.stackTrace(this.#step, args);
    });
  }

  // Variables

  protected override scopesRequest(response: DebugProtocol.ScopesResponse, args: DebugProtocol.ScopesArguments): void {
    this.#failureFocus.end();
    this.#respond(response, () => this.#current.values.scopes(args));
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    args: DebugProtocol.VariablesArguments,
  ): void {
    this.#respond(response, () => this.#current.values.variables(args));
  }

  /** Requests of the extension itself. */
  protected override customRequest(command: string, response: DebugProtocol.Response, args: unknown): void {
    if (command === POSITION) this.#respond(response, async () => ({ step: this.#step }));
    else if (command === INLINE_VALUES) {
      const { frameId } = args as { readonly frameId: number }; // our own code
      this.#respond(response, () => this.#current.values.inlineValues(frameId));
    } else super.customRequest(command, response, args);
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    { expression, frameId, context }: DebugProtocol.EvaluateArguments,
  ): void {
    this.#respond(response, async () => {
      const text = expression.trim();
      const isHexText = context === 'repl' && /^0x(?:[\da-f]{2}){4,}$/i.test(text);
      const meaning = isHexText ? await this.#host.describeHex(text as Hex) : null;
      if (meaning !== null) return { result: meaning, variablesReference: 0 };
      const mayCall = context === 'repl' || (context === 'watch' && this.#step <= MAX_WATCHED_CALL_STEP);
      return this.#current.values.evaluate(this.#step, text, frameId, mayCall);
    });
  }

  protected override completionsRequest(
    response: DebugProtocol.CompletionsResponse,
    args: DebugProtocol.CompletionsArguments,
  ): void {
    const isFromOne = {
      line: this.convertClientLineToDebugger(1) === 0,
      column: this.convertClientColumnToDebugger(1) === 0,
    };
    this.#respond(response, () => this.#current.values.complete(this.#step, args, isFromOne));
  }

  protected override readMemoryRequest(
    response: DebugProtocol.ReadMemoryResponse,
    args: DebugProtocol.ReadMemoryArguments,
  ): void {
    this.#respond(response, () => this.#current.values.readMemory(args));
  }

  // What would change the transaction

  #refuse(response: DebugProtocol.Response): void {
    this.#respond(response, async () => {
      throw new HexLensError('bad-input', localizable('The transaction is mined: nothing in it can be changed.'));
    });
  }

  protected override setVariableRequest(response: DebugProtocol.SetVariableResponse): void {
    this.#refuse(response);
  }

  protected override setExpressionRequest(response: DebugProtocol.SetExpressionResponse): void {
    this.#refuse(response);
  }

  protected override writeMemoryRequest(response: DebugProtocol.WriteMemoryResponse): void {
    this.#refuse(response);
  }

  protected override restartFrameRequest(response: DebugProtocol.RestartFrameResponse): void {
    this.#refuse(response);
  }

  protected override disassembleRequest(
    response: DebugProtocol.DisassembleResponse,
    args: DebugProtocol.DisassembleArguments,
  ): void {
    this.#respond(response, async () => {
      return { instructions: await readInstructions(args, this.#current.send, this.#sources) };
    });
  }
}
