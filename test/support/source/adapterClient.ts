// A client of the debug adapter, as an editor is one: over a socket, with the client of VS Code's own tests of adapters.
import { createServer, type Server } from 'node:net';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugSubstitution, SendDebugRequest } from '../../../src/api/debugSession.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import type { LaunchArguments } from '../../../src/extension/debug/debugHost.ts';
import { TransactionDebugSession } from '../../../src/extension/debug/transactionDebugSession.ts';
import { openDebugger, type TracedRun } from './debugChain.ts';

export const TRANSACTION = `0x${'ab'.repeat(32)}` as const;
export const FILE = '/project/contracts/Walk.sol';

/** A client that is connected to an adapter of one transaction. */
export class AdapterClient {
  readonly #server: Server;
  readonly dap: DebugClient;
  readonly text: string;

  private constructor(server: Server, dap: DebugClient, text: string) {
    this.#server = server;
    this.dap = dap;
    this.text = text;
  }

  /** `isInWorkspace`: the file has the text of the build. `failing`: requests of this kind are rejected the first time. */
  static async connect(
    run: TracedRun,
    isInWorkspace = true,
    failing?: string,
    substitution: DebugSubstitution | null = null,
    known: readonly { readonly name: string }[] = [],
  ): Promise<AdapterClient> {
    const session = openDebugger(run);
    const send = (async (kind: string, input: object, signal?: AbortSignal) => {
      fail(kind);
      return kind === 'close' ? {} : session.handle({ kind, ...input } as never, signal);
    }) as SendDebugRequest;
    const failures = new Set([failing]);
    const fail = (kind: string) => {
      if (failures.delete(kind)) throw new HexLensError('node-unreachable', 'The node is {_gone}.');
    };
    const server = createServer(socket => {
      const adapter = new TransactionDebugSession({
        open: async ({ startStep }) => {
          fail('open');
          const start = startStep === undefined ? null : { step: startStep, isCertain: true };
          const coin = { symbol: 'ETH', decimals: 18 };
          const opened = { ...(await session.opened()), coin, substitution, start };
          return { opened, send };
        },
        toPath: () => (isInWorkspace ? FILE : null),
        describeError: async data => (data.startsWith('0x') && data.length > 10 ? 'TooMuch' : null),
        functionsNamed: async names => known.filter(({ name }) => names.has(name)),
        describeHex: async data => (data === '0x01020304' ? 'pay()' : null),
        formatAmount: async () => null,
        nameOf: async () => null,
      });
      adapter.setRunAsServer(true);
      adapter.start(socket, socket);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const dap = new DebugClient('', '', 'hexlens');
    await dap.start(typeof address === 'object' ? (address?.port ?? 0) : 0);
    return new AdapterClient(server, dap, session.source(0)?.bytes ?? '');
  }

  async stop(): Promise<void> {
    await this.dap.stop();
    await new Promise(resolve => this.#server.close(resolve));
  }

  /** From 1, as editors count. */
  lineOf(marker: string): number {
    return this.text.split('\n').findIndex(line => line.endsWith(`//~${marker}`)) + 1;
  }

  /** The marker of the line where it stopped. */
  async #place(): Promise<string> {
    const { body } = await this.dap.stackTraceRequest({ threadId: 1 });
    const line = this.text.split('\n')[(body.stackFrames[0]?.line ?? 0) - 1] ?? '';
    return /\/\/~(\w+)/.exec(line)?.[1] ?? line.trim();
  }

  /** Why and where it stopped after `act`. */
  async stopAfter(act: () => Promise<unknown>): Promise<readonly [reason: string, place: string]> {
    const stopped = this.dap.waitForEvent('stopped') as Promise<DebugProtocol.StoppedEvent>;
    await act();
    const { body } = await stopped;
    return [body.reason, await this.#place()];
  }

  launch(
    breakpoints: readonly DebugProtocol.SourceBreakpoint[] = [],
    args: Partial<LaunchArguments> = {},
    filters: string[] = ['reverts'],
  ): Promise<readonly [string, string]> {
    return this.stopAfter(async () => {
      const { dap } = this;
      const initialized = dap.waitForEvent('initialized');
      await dap.initializeRequest();
      await dap.launchRequest({ transaction: TRANSACTION, chain: 'local', ...args } as LaunchArguments);
      await initialized;
      if (breakpoints.length > 0)
        await dap.setBreakpointsRequest({ source: { path: FILE }, breakpoints: [...breakpoints] });
      await dap.setExceptionBreakpointsRequest({ filters });
      await dap.configurationDoneRequest();
    });
  }

  readonly next = () => this.stopAfter(() => this.dap.nextRequest({ threadId: 1 }));
  readonly stepIn = () => this.stopAfter(() => this.dap.stepInRequest({ threadId: 1 }));
  readonly stepOut = () => this.stopAfter(() => this.dap.stepOutRequest({ threadId: 1 }));
  readonly stepBack = () => this.stopAfter(() => this.dap.stepBackRequest({ threadId: 1 }));
  readonly continue = () => this.stopAfter(() => this.dap.continueRequest({ threadId: 1 }));
  readonly reverse = () => this.stopAfter(() => this.dap.reverseContinueRequest({ threadId: 1 }));

  /** Names of the frames, the innermost first. */
  async frames(): Promise<readonly string[]> {
    const { body } = await this.dap.stackTraceRequest({ threadId: 1 });
    return body.stackFrames.map(({ name }) => name);
  }

  /** Names and values of a scope of a frame, or of members below it by their names. */
  async read(scope: string, path: readonly string[] = [], frame = 0): Promise<Readonly<Record<string, string>>> {
    const { body } = await this.dap.stackTraceRequest({ threadId: 1 });
    const scopes = await this.dap.scopesRequest({ frameId: body.stackFrames[frame]?.id ?? 0 });
    let reference = scopes.body.scopes.find(({ name }) => name === scope)?.variablesReference ?? 0;
    for (const part of path) {
      const { variables } = (await this.dap.variablesRequest({ variablesReference: reference })).body;
      reference = variables.find(({ name }) => name === part)?.variablesReference ?? 0;
    }
    const { variables } = (await this.dap.variablesRequest({ variablesReference: reference })).body;
    return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  }

  /** What is shown behind the lines of the innermost function. */
  async inlineValues(): Promise<Readonly<Record<string, string>>> {
    const { body } = await this.dap.stackTraceRequest({ threadId: 1 });
    const { body: values } = await this.dap.customRequest('inlineValues', { frameId: body.stackFrames[0]?.id ?? 0 });
    return values;
  }

  async evaluate(expression: string, context = 'watch'): Promise<string> {
    const { body } = await this.dap.stackTraceRequest({ threadId: 1 });
    const frameId = body.stackFrames[0]?.id ?? 0;
    return (await this.dap.evaluateRequest({ expression, frameId, context })).body.result;
  }

  /** Continues until it stops at the line of a marker. */
  async runTo(marker: string): Promise<void> {
    const breakpoints = [{ line: this.lineOf(marker) }];
    await this.dap.setBreakpointsRequest({ source: { path: FILE }, breakpoints });
    const [, place] = await this.continue();
    if (place !== marker) throw new Error(`It stopped at ${place} instead of ${marker}.`);
    await this.dap.setBreakpointsRequest({ source: { path: FILE }, breakpoints: [] });
  }

  /** The markers of the places where so many steps stop. */
  async places(step: () => Promise<readonly [string, string]>, count: number): Promise<readonly string[]> {
    const places: string[] = [];
    for (let i = 0; i < count; i++) places.push((await step())[1]);
    return places;
  }
}
