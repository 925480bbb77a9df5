// The debug adapter, driven by the client of VS Code's own tests of adapters, over a socket.
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LaunchArguments } from '../../../src/extension/debug/debugHost.ts';
import { AdapterClient, FILE, TRANSACTION } from '../../support/source/adapterClient.ts';
import { DebugChain } from '../../support/source/debugChain.ts';
import { createSourceProject, type SourceProject } from '../../support/source/sourceProject.ts';

/** By capability: the request that an editor sends because of it, and what is read of its response. */
const REQUESTS: Readonly<Record<string, readonly [command: string, args: object, expected: object | undefined]>> = {
  supportsConfigurationDoneRequest: ['configurationDone', {}, undefined],
  supportsStepBack: ['reverseContinue', { threadId: 1 }, undefined],
  supportsSteppingGranularity: ['next', { threadId: 1, granularity: 'line' }, undefined],
  supportsDisassembleRequest: [
    'disassemble',
    { memoryReference: '0x100000000', instructionCount: 1 },
    { instructions: [{ instruction: 'PUSH1 0x80' }] },
  ],
  supportsInstructionBreakpoints: [
    'setInstructionBreakpoints',
    { breakpoints: [{ instructionReference: '0x100000000' }] },
    { breakpoints: [{ verified: true }] },
  ],
  supportsReadMemoryRequest: [
    'readMemory',
    { memoryReference: JSON.stringify({ area: 'code', offset: 0, step: 0, index: 0 }), count: 2 },
    { data: 'YIA=' }, // 0x6080
  ],
  supportsEvaluateForHovers: ['evaluate', { expression: 'total + 1', context: 'hover' }, { result: '4' }],
  supportsDataBreakpoints: ['dataBreakpointInfo', { name: 'total' }, { accessTypes: ['write'], canPersist: true }],
  supportsExceptionInfoRequest: ['exceptionInfo', { threadId: 1 }, { breakMode: 'always' }],
  supportsGotoTargetsRequest: ['gotoTargets', { source: { path: FILE }, line: 1 }, { targets: [{ line: 1 }] }],
  supportsLoadedSourcesRequest: ['loadedSources', {}, { sources: [{ path: FILE }] }],
  supportsTerminateRequest: ['terminate', {}, undefined],
  supportsRestartRequest: ['restart', {}, undefined],
  supportsConditionalBreakpoints: [
    'setBreakpoints',
    { source: { path: FILE }, breakpoints: [{ line: 1, condition: 'total == 3' }] },
    { breakpoints: [{ verified: true }] },
  ],
  supportsHitConditionalBreakpoints: [
    'setBreakpoints',
    { source: { path: FILE }, breakpoints: [{ line: 1, hitCondition: '2' }] },
    { breakpoints: [{ verified: true }] },
  ],
  supportsLogPoints: [
    'setBreakpoints',
    { source: { path: FILE }, breakpoints: [{ line: 1, logMessage: '{total}' }] },
    { breakpoints: [{ verified: true }] },
  ],
  supportsFunctionBreakpoints: [
    'setFunctionBreakpoints',
    { breakpoints: [{ name: 'Walk.nested' }] },
    { breakpoints: [{ verified: true }] },
  ],
  supportsCompletionsRequest: ['completions', { text: 'tot', column: 4 }, { targets: [{ label: 'total' }] }],
};

describe('the debug adapter', () => {
  let project: SourceProject;
  let chain: DebugChain;
  let client: AdapterClient;
  beforeAll(async () => {
    project = await createSourceProject('solc', ['Walk.sol'], {});
    chain = new DebugChain(project).deploy('Sums').deploy('Walk', [3n]);
  });
  afterEach(() => client.stop());
  const connect = async (name: string, args: readonly unknown[], isInWorkspace = true, failing?: string) => {
    client = await AdapterClient.connect(await chain.traceCall('Walk', name, args), isInWorkspace, failing);
    return client;
  };

  test('lets the editor show why a launch failed', async () => {
    await connect('nested', [4n], true, 'open');
    // The client only rejects with the message: the whole response decides what the editor shows.
    const dap = client.dap as unknown as {
      doSend(command: string, args: object, callback: (response: DebugProtocol.Response) => void): void;
    };
    const response = await new Promise<DebugProtocol.Response>(resolve =>
      dap.doSend('launch', { transaction: TRANSACTION, chain: 'local' }, resolve),
    );
    const error = { variables: { _text: 'The node is {_gone}.' }, showUser: true };
    expect(response).toMatchObject({ success: false, message: 'The node is {_gone}.', body: { error } });
  });

  test('answers each request that its capabilities promise', async () => {
    await connect('nested', [4n]);
    const { body } = await client.dap.initializeRequest();
    const promised = Object.keys(body ?? {}).filter(each => each.startsWith('supports'));
    expect(Object.keys(REQUESTS)).toEqual(promised);
    await client.launch();
    for (const [capability, [command, args, expected]] of Object.entries(REQUESTS)) {
      const response = await client.dap.customRequest(command, args);
      expect([capability, response.success]).toEqual([capability, true]);
      if (expected !== undefined) expect([capability, response.body]).toMatchObject([capability, expected]);
    }
  });

  test('steps by lines where the editor or the launch configuration says so', async () => {
    await connect('nested', [4n]);
    await client.launch([], { steppingGranularity: 'line' });
    await client.next();
    const byLine = () => client.stopAfter(() => client.dap.customRequest('next', { threadId: 1, granularity: 'line' }));
    expect(await byLine()).toEqual(['step', 'second']);
    expect(await client.next()).toEqual(['step', 'if']);
    expect(await client.stepBack()).toEqual(['step', 'second']);
  });

  test('ends where the editor asks for it', async () => {
    await connect('nested', [4n]);
    await client.launch();
    await Promise.all([client.dap.waitForEvent('terminated'), client.dap.customRequest('terminate')]);
  });

  test('pauses a run whose conditions take long, where it began', async () => {
    await connect('spin', [3_000n]);
    await client.launch([{ line: client.lineOf('spinCall'), condition: 'i == 3000' }]);
    await client.dap.continueRequest({ threadId: 1 });
    expect(await client.stopAfter(() => client.dap.customRequest('pause', { threadId: 1 }))).toEqual([
      'pause',
      'spinFor',
    ]);
    expect(await client.next()).toEqual(['step', 'spinCall']);
  });

  test('steps back by an instruction from where a statement was stepped over', async () => {
    await connect('nested', [4n]);
    await client.launch();
    await client.next();
    const position = async () => (await client.dap.stackTraceRequest({ threadId: 1 })).body.stackFrames[0];
    const back = () =>
      client.stopAfter(() => client.dap.customRequest('stepBack', { threadId: 1, granularity: 'instruction' }));
    const before = await position();
    await back();
    const after = await position();
    const distance = Number(before?.instructionPointerReference) - Number(after?.instructionPointerReference);
    expect([before?.line, Math.abs(distance)]).toEqual([client.lineOf('first'), 1]);
  });

  test('shows no characters of the chain that hide or reorder text', async () => {
    await connect('store', [7n, 'A\u202eda  B']);
    await client.launch();
    expect(await client.read('Arguments of the Call')).toEqual({ amount: '7', name: '"A·da  B"' });
    await client.stepIn();
    const wrong = client.dap.evaluateRequest({ expression: 'items[msg.sender][name]' });
    await expect(wrong).rejects.toThrow('[A·da  B]');
  });

  test('stops at entry, and steps in, over, out and back', async () => {
    await connect('nested', [4n]);
    expect(await client.launch()).toEqual(['entry', 'before']);
    expect(await client.next()).toEqual(['step', 'first']);
    expect(await client.stepIn()).toEqual(['step', 'doubled']);
    expect(await client.stepOut()).toEqual(['step', 'first']);
    expect(await client.next()).toEqual(['step', 'second']);
    expect(await client.stepBack()).toEqual(['step', 'first']);
    expect(await client.stepBack()).toEqual(['step', 'doubled']);
    expect(await client.stepBack()).toEqual(['step', 'first']);
    expect(await client.stepBack()).toEqual(['step', 'before']);
    expect(await client.stepBack()).toEqual(['entry', 'before']);
  });

  test('stops at the end of the transaction before it terminates, so that one can go back', async () => {
    await connect('nested', [4n]);
    await client.launch();
    expect((await client.continue())[0]).toBe('step');
    expect((await client.stepBack())[0]).toBe('step');
    expect(await client.reverse()).toEqual(['entry', 'before']);
    await client.continue();
    await Promise.all([client.dap.waitForEvent('terminated'), client.dap.continueRequest({ threadId: 1 })]);
  });

  test('stops at the failure of a transaction, and says why', async () => {
    await connect('nested', [400n]);
    await client.launch();
    expect(await client.continue()).toEqual(['exception', 'tooMuch']);
    const info = await client.dap.customRequest('exceptionInfo', { threadId: 1 });
    expect(info.body).toMatchObject({ description: 'TooMuch', breakMode: 'always' });
    // To the beginning of the statement first.
    expect(await client.stepBack()).toEqual(['step', 'tooMuch']);
    expect(await client.stepBack()).toEqual(['step', 'if']);
  });

  test('gives the stack of a failure a second time once the editor asks for the exception at the frame of the first time', async () => {
    await connect('nested', [400n]);
    await client.launch([], { stopOnEntry: false });
    const answered: string[] = [];
    const read = async (name: string, startFrame: number, levels: number) => {
      await client.dap.stackTraceRequest({ threadId: 1, startFrame, levels });
      answered.push(name);
    };
    await read('first', 0, 20);
    const again = read('again', 0, 20);
    await read('rest', 1, 20);
    await client.dap.exceptionInfoRequest({ threadId: 1 });
    answered.push('exception');
    await again;
    expect(answered).toEqual(['first', 'rest', 'exception', 'again']);
  });

  test('stops at failures that were caught only with their filter', async () => {
    await connect('attempt', [400n]);
    await client.launch([], { stopOnEntry: false }, ['reverts', 'caughtReverts']);
    const { body } = await client.dap.stackTraceRequest({ threadId: 1 });
    expect(body.stackFrames.map(({ name }) => name)).toEqual(['Walk.nested', 'Walk.attempt']);
    await client.dap.setExceptionBreakpointsRequest({ filters: ['reverts'] });
    expect((await client.reverse())[0]).toBe('entry');
    expect((await client.continue())[0]).toBe('step');
  });

  test('begins at a frame of the stack at the failure', async () => {
    await connect('nested', [400n]);
    expect(await client.launch([], { startFrame: 0 })).toEqual(['entry', 'tooMuch']);
  });

  test('begins at the step at which another session of the transaction was', async () => {
    await connect('loop', [3n]);
    await client.launch([{ line: client.lineOf('sum'), condition: 'i == 2' }]);
    await client.continue();
    const { step } = (await client.dap.customRequest('position')).body;
    await client.stop();
    await connect('loop', [3n]);
    expect(await client.launch([], { startStep: step, stopOnEntry: false })).toEqual(['entry', 'sum']);
    expect(await client.read('Locals')).toMatchObject({ i: '2' });
    expect(await client.reverse()).toEqual(['entry', 'for']);
  });

  test('begins at the failure where its stack could not be read', async () => {
    client = await AdapterClient.connect(await chain.traceCall('Walk', 'nested', [400n]), true, 'stack');
    expect(await client.launch([], { startFrame: 0 })).toEqual(['entry', 'tooMuch']);
  });

  test('sends no private key that a launch configuration names as transaction or has in a call', async () => {
    await connect('nested', [4n]);
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'; // of the first development account
    const simulation = { from: TRANSACTION.slice(0, 42), to: null, data: `0x01020304${key.slice(2)}` };
    await client.dap.initializeRequest();
    for (const args of [{ transaction: key }, { transaction: null, simulation }])
      await expect(client.dap.launchRequest({ chain: 'local', ...args } as LaunchArguments)).rejects.toThrow(/key/);
  });

  test('stops at breakpoints with conditions and hit counts, forward and back', async () => {
    await connect('loop', [5n]);
    const [line, while_] = [client.lineOf('sum'), client.lineOf('while')];
    const breakpoints = [
      { line, condition: 'i == 3' },
      { line: while_, hitCondition: '= 2' },
    ];
    await client.launch(breakpoints);
    expect(await client.continue()).toEqual(['breakpoint', 'sum']);
    expect(await client.read('Locals')).toMatchObject({ i: '3', sum: '3' });
    expect(await client.continue()).toEqual(['breakpoint', 'while']);
    expect(await client.reverse()).toEqual(['breakpoint', 'sum']);
    expect(await client.reverse()).toEqual(['entry', 'for']);
  });

  test('verifies breakpoints at the nearest statement, and says where there is none', async () => {
    await connect('loop', [1n]);
    await client.launch();
    const set = (path: string, line: number) =>
      client.dap.setBreakpointsRequest({ source: { path }, breakpoints: [{ line }] });
    const [nearest] = (await set(FILE, client.lineOf('sum') + 1)).body.breakpoints;
    expect(nearest).toMatchObject({ verified: true, line: client.lineOf('left') });
    const [other] = (await set('/project/contracts/Other.sol', 3)).body.breakpoints;
    expect(other?.verified).toBe(false);
  });

  test('writes messages of breakpoints that do not stop', async () => {
    await connect('loop', [2n]);
    const outputs: string[] = [];
    client.dap.on('output', ({ body }: DebugProtocol.OutputEvent) => outputs.push(body.output));
    await client.launch([{ line: client.lineOf('sum'), logMessage: 'i={i}' }]);
    await client.continue();
    expect(outputs).toEqual(['i=0\n', 'i=1\n']);
  });

  test('stops on functions, and where a state variable is written', async () => {
    await connect('nested', [4n]);
    await client.launch();
    await client.dap.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'Walk._add' }] });
    expect(await client.continue()).toEqual(['function breakpoint', 'add']);
    await client.dap.setFunctionBreakpointsRequest({ breakpoints: [] });
    const info = await client.dap.customRequest('dataBreakpointInfo', { name: 'total' });
    await client.dap.customRequest('setDataBreakpoints', { breakpoints: [{ dataId: info.body.dataId }] });
    expect(await client.continue()).toEqual(['data breakpoint', 'setTotal']);
  });

  test('answers backwards who wrote a state variable', async () => {
    await connect('nested', [4n]);
    await client.launch();
    const info = await client.dap.customRequest('dataBreakpointInfo', { name: 'total' });
    const end = await client.continue();
    await client.dap.customRequest('setDataBreakpoints', { breakpoints: [{ dataId: info.body.dataId }] });
    expect(info.body.description).toBe('total');
    expect(end[0]).toBe('step');
    expect(await client.reverse()).toEqual(['data breakpoint', 'setTotal']);
  });

  test('lists the sources of the transaction', async () => {
    await connect('nested', [4n]);
    await client.launch();
    const { body } = await client.dap.customRequest('loadedSources', {});
    expect(body.sources.map(({ path }: { path: string }) => path)).toEqual([FILE]);
  });

  test('shows state, message and the EVM, and evaluates expressions', async () => {
    await connect('nested', [4n]);
    await client.launch();
    await client.next();
    expect(await client.read('State Variables')).toMatchObject({ calls: '1', total: '3', values: '(0) []' });
    expect(await client.read('Arguments of the Call')).toEqual({ value: '4' });
    expect(Number((await client.read('EVM'))['gas'])).toBeGreaterThan(0);
    const evaluate = async (expression: string, context: string) =>
      (await client.dap.evaluateRequest({ expression, context })).body.result;
    expect(await evaluate('value * 2 + calls', 'watch')).toBe('9');
    expect(await evaluate('0x01020304', 'repl')).toBe('pay()');
    await expect(evaluate('missing', 'hover')).rejects.toThrow('There is no variable "missing" here');
  });

  test('says which breakpoints nothing in the transaction can hit', async () => {
    await connect('nested', [4n]);
    await client.launch();
    const functions = [{ name: 'Walk._add' }, { name: 'Walk.missing' }];
    const set = (await client.dap.setFunctionBreakpointsRequest({ breakpoints: functions })).body.breakpoints;
    expect(set.map(({ verified }) => verified)).toEqual([true, false]);
    expect(set[1]?.message).toContain('write it as');
    const idOf = async (name: string) => (await client.dap.customRequest('dataBreakpointInfo', { name })).body.dataId;
    const dataIds = [await idOf('total'), await idOf('start'), 'nothing'];
    const data = { breakpoints: dataIds.map(dataId => ({ dataId })) };
    const writes = (await client.dap.customRequest('setDataBreakpoints', data)).body.breakpoints;
    expect(writes).toEqual([
      { id: expect.any(Number), verified: true },
      { id: expect.any(Number), verified: false, message: 'The transaction does not write it.' },
      { verified: false, message: 'This is no value in storage.' },
    ]);
    const instructions = { breakpoints: [{ instructionReference: '0x100000001' }, { instructionReference: 'none' }] };
    const places = (await client.dap.customRequest('setInstructionBreakpoints', instructions)).body.breakpoints;
    expect(places.map(({ verified }: DebugProtocol.Breakpoint) => verified)).toEqual([false, false]);
  });

  test('completes names and members', async () => {
    await connect('nested', [4n]);
    await client.launch();
    await client.stepIn();
    const complete = async (text: string) => {
      const { body } = await client.dap.customRequest('completions', { text, column: text.length + 1, frameId: 0 });
      return body.targets.map(({ label }: DebugProtocol.CompletionItem) => label);
    };
    expect(await complete('va')).toEqual(['value', 'values']);
    expect(await complete('total + msg.s')).toEqual(['sender', 'sig']);
    expect(await complete('missing.')).toEqual([]);
  });

  test('refuses what would change the transaction', async () => {
    await connect('nested', [4n]);
    await client.launch();
    const message = 'The transaction is mined: nothing in it can be changed.';
    const set = { variablesReference: 1, name: 'value', value: '5' };
    await expect(client.dap.customRequest('setVariable', set)).rejects.toThrow(message);
    await expect(client.dap.customRequest('setExpression', { expression: 'value', value: '5' })).rejects.toThrow(
      message,
    );
    await expect(client.dap.customRequest('restartFrame', { frameId: 1 })).rejects.toThrow(message);
  });

  test.each([
    [
      { isUsed: true, contracts: ['Walk', 'Sums'] },
      'Values are from an unoptimized build of Walk, Sums, which did the same; gas is that of the transaction.',
      `Transaction ${TRANSACTION} (values from an unoptimized build)`,
    ],
    [
      { isUsed: false, reason: 'it makes other calls' },
      'The unoptimized build is not used: it makes other calls. You step in the code of the chain.',
      `Transaction ${TRANSACTION}`,
    ],
  ] as const)('says first where values come from', async (substitution, banner, thread) => {
    const run = await chain.traceCall('Walk', 'nested', [4n]);
    client = await AdapterClient.connect(run, true, undefined, substitution);
    const outputs: string[] = [];
    client.dap.on('output', ({ body }: DebugProtocol.OutputEvent) => outputs.push(body.output));
    await client.launch([], { build: 'unoptimized' });
    expect(outputs[0]).toBe(`${banner}\n`);
    expect((await client.dap.threadsRequest()).body.threads[0]?.name).toBe(thread);
  });

  test('goes to statements, and starts again', async () => {
    await connect('loop', [2n]);
    await client.launch();
    const line = client.lineOf('total');
    const { body } = await client.dap.customRequest('gotoTargets', { source: { path: FILE }, line });
    const go = () => client.dap.customRequest('goto', { threadId: 1, targetId: body.targets[0].id });
    expect(await client.stopAfter(go)).toEqual(['goto', 'total']);
    expect(await client.stopAfter(() => client.dap.customRequest('restart'))).toEqual(['entry', 'for']);
  });

  test('disassembles, steps by instructions and stops at them', async () => {
    await connect('loop', [2n]);
    await client.launch();
    const { body } = await client.dap.stackTraceRequest({ threadId: 1 });
    const memoryReference = body.stackFrames[0]?.instructionPointerReference ?? '';
    const args = { memoryReference, instructionOffset: -2, instructionCount: 6 };
    const { instructions } = (await client.dap.customRequest('disassemble', args)).body;
    expect(instructions).toHaveLength(6);
    expect(instructions[2].address).toBe(memoryReference);
    const ahead = { instructionReference: instructions[4].address };
    await client.dap.customRequest('setInstructionBreakpoints', { breakpoints: [ahead] });
    expect((await client.continue())[0]).toBe('instruction breakpoint');
    await client.stopAfter(() => client.dap.customRequest('stepBack', { threadId: 1, granularity: 'instruction' }));
    const after = await client.dap.stackTraceRequest({ threadId: 1 });
    expect(after.body.stackFrames[0]?.instructionPointerReference).toBe(instructions[3].address);
  });

  test('reads the memory of a step', async () => {
    await connect('nested', [4n]);
    await client.launch();
    const { body } = await client.dap.evaluateRequest({ expression: 'calldata' });
    const { memoryReference } = body;
    const read = await client.dap.customRequest('readMemory', { memoryReference, offset: 4, count: 32 });
    expect(Buffer.from(read.body.data, 'base64').at(-1)).toBe(4);
  });

  test('opens the text of the build where the file is another one', async () => {
    await connect('nested', [4n], false);
    await client.launch();
    const { body } = await client.dap.stackTraceRequest({ threadId: 1 });
    const source = body.stackFrames[0]?.source;
    expect(source).toMatchObject({ name: 'Walk.sol', origin: 'as it was built' });
    const reference = source?.sourceReference ?? 0;
    const { content } = (await client.dap.sourceRequest({ sourceReference: reference })).body;
    expect(content).toBe(client.text);
    const line = client.lineOf('setTotal');
    const set = await client.dap.setBreakpointsRequest({
      ...{ source: { sourceReference: reference }, breakpoints: [{ line }] },
    });
    expect(set.body.breakpoints).toMatchObject([{ verified: true, line }]);
    expect(await client.continue()).toEqual(['breakpoint', 'setTotal']);
  });
});
