import { beforeAll, describe, expect, test } from 'vitest';
import type {
  DebugBreakpoint,
  DebugRequests,
  DebugScope,
  DebugSessionRequest,
  DebugVariable,
} from '../../../../src/api/debugSession.ts';
import { localize } from '../../../../src/base/localize.ts';
import type { Debugger } from '../../../../src/decode/debug/debugger.ts';
import { DebugChain, openDebugger } from '../../../support/source/debugChain.ts';
import { createSourceProject, type SourceProject } from '../../../support/source/sourceProject.ts';

/** Requests of a client to a session. */
class Client {
  readonly #debugger: Debugger;
  readonly text: string;

  /** The last step. */
  readonly last: number;

  constructor(session: Debugger) {
    this.#debugger = session;
    this.last = session.steps.last;
    this.text = session.source(0)?.bytes ?? '';
  }

  request<Kind extends DebugSessionRequest['kind']>(
    kind: Kind,
    input: DebugRequests[Kind]['input'],
  ): Promise<DebugRequests[Kind]['output']> {
    return this.#debugger.handle({ kind, ...input } as never) as Promise<DebugRequests[Kind]['output']>;
  }

  lineOf(marker: string): number {
    return this.text.slice(0, this.text.indexOf(`//~${marker}`)).split('\n').length - 1;
  }

  breakpointAt(marker: string, fields: Partial<DebugBreakpoint> = {}): DebugBreakpoint {
    return { id: 1, at: { kind: 'statement', source: 0, line: this.lineOf(marker) }, ...fields };
  }

  /** Runs to the line, for the `hit`th time. */
  async runTo(marker: string, fields: Partial<DebugBreakpoint> = {}): Promise<number> {
    const breakpoints = [this.breakpointAt(marker, fields)];
    const { step } = await this.request('run', { step: 0, isBack: false, breakpoints, filters: [] });
    if (step === null) throw new Error(`nothing stops at ${marker}`);
    return step;
  }

  stepOut(step: number): number {
    return this.#debugger.steps.move(step, 'stepOut', 'statement') ?? this.last;
  }

  async read(step: number, scope: DebugScope, frame = 0): Promise<Readonly<Record<string, string>>> {
    const { variables } = await this.request('variables', { step, frame, reference: { kind: 'scope', scope } });
    return Object.fromEntries(variables.map(({ name, value }) => [name, localize(value)]));
  }

  async members(step: number, expression: string): Promise<Readonly<Record<string, string>>> {
    const { variable } = await this.request('evaluate', { step, frame: 0, expression });
    if (variable.reference === null) return {};
    const { variables } = await this.request('variables', { step, frame: 0, reference: variable.reference });
    return Object.fromEntries(variables.map(({ name, value }) => [name, localize(value)]));
  }

  async evaluate(step: number, expression: string, frame = 0): Promise<string> {
    const { variable } = await this.request('evaluate', { step, frame, expression });
    return localize((variable as DebugVariable).value);
  }
}

describe('variables of a legacy build', () => {
  let project: SourceProject;
  let chain: DebugChain;
  beforeAll(async () => {
    project = await createSourceProject('solc', ['Walk.sol'], {});
    chain = new DebugChain(project).deploy('Sums').deploy('Walk', [3n]);
  });
  const open = async (name: string, ...args: readonly unknown[]) =>
    new Client(openDebugger(await chain.traceCall('Walk', name, args)));

  test('are locals, parameters and results at each statement', async () => {
    const client = await open('nested', 4n);
    expect(await client.read(await client.runTo('first'), 'locals')).toEqual({ value: '4', return: '0' });
    expect(await client.read(await client.runTo('second'), 'locals')).toEqual({ value: '4', return: '0', first: '8' });
    expect(await client.read(await client.runTo('add'), 'locals')).toMatchObject({ a: '8', b: '2' });
    expect(await client.read(await client.runTo('add'), 'locals', 1)).toMatchObject({ value: '4', first: '8' });
    expect(await client.read(await client.runTo('setTotal'), 'locals')).toMatchObject({ first: '8', second: '10' });
  });

  test.each([
    ['returns a local', 'linked', [4n], { value: '4', return: '11', result: '11' }],
    ['ends after a loop', 'loop', [3n], { count: '3', sum: '3', left: '0' }],
    ['ends with inline assembly', 'store', [7n, 'ab'], { amount: '7', name: '"ab"', item: 'Walk.Item' }],
  ] as const)('are those of its last statement at the end of a function that %s', async (_, name, args, expected) => {
    const client = await open(name, ...args);
    expect(await client.read(client.last, 'locals')).toMatchObject(expected);
  });

  test('are there again when a call to another contract has returned', async () => {
    const client = await open('linked', 4n);
    const step = client.stepOut(await client.runTo('outside'));
    expect(await client.read(step, 'locals')).toMatchObject({ value: '4' });
  });

  test('are those of the constructor at the end of a deployment, not words that the code of the compiler has there', async () => {
    const client = new Client(openDebugger(await chain.traceDeployment('Walk', [3n])));
    expect(await client.read(client.last, 'locals')).toEqual({ first: '3' });
  });

  test('of a constructor are as its last statement left them, not from the code of the new contract', async () => {
    const yard = new DebugChain(await createSourceProject('solc', ['Yard.sol'], {}));
    const client = new Client(openDebugger(await yard.traceDeployment('Child', [7n, [3n, 4n]])));
    expect(await client.read(client.last, 'state')).toMatchObject({ seed: '7' });
    expect(await client.read(client.last, 'locals')).toMatchObject({ s: '7', k: 'uint256[2]' });
    expect(await client.members(client.last, 'k')).toEqual({ '[0]': '3', '[1]': '4' });
  });

  test('are those of each iteration of a loop', async () => {
    const client = await open('loop', 4n);
    expect(await client.read(await client.runTo('sum', { hitCondition: '= 3' }), 'locals')).toEqual({
      ...{ count: '4', sum: '1', i: '2' },
    });
    expect(await client.read(await client.runTo('sum', { condition: 'i == 3' }), 'locals')).toMatchObject({ sum: '3' });
    expect(await client.read(await client.runTo('total'), 'locals')).toEqual({ count: '4', sum: '6', left: '0' });
  });

  test('are those of a loop of inline assembly in each of its rounds', async () => {
    const rounds = new DebugChain(await createSourceProject('solc', ['Rounds.sol'], {})).deploy('Rounds');
    const client = new Client(openDebugger(await rounds.traceCall('Rounds', 'fold', ['0x050003'])));
    expect(await client.read(await client.runTo('byte'), 'locals')).toEqual({ data: '0x050003', sum: '0', end: '3' });
    expect(await client.read(await client.runTo('byte', { hitCondition: '= 2' }), 'locals')).toEqual({
      ...{ data: '0x050003', sum: '5', end: '3', j: '0' },
    });
  });

  test('are state variables as they are at the step', async () => {
    const client = await open('nested', 4n);
    const before = await client.read(await client.runTo('before'), 'state');
    expect(before).toMatchObject({ start: '11', calls: '0', total: '3', values: 'uint256[0]' });
    expect(await client.read(await client.runTo('first'), 'state')).toMatchObject({ calls: '1', total: '3' });
    expect(await client.read(await client.runTo('after'), 'state')).toMatchObject({ calls: '1', total: '10' });
  });

  test('are those before a call that failed, once its effects are undone', async () => {
    const client = await open('attempt', 400n);
    expect(await client.read(await client.runTo('tooMuch'), 'state')).toMatchObject({ calls: '1' });
    expect(await client.read(await client.runTo('caught'), 'state')).toMatchObject({ calls: '0' });
  });

  test('are structs, mappings and arrays in storage, memory and calldata', async () => {
    const client = await open('store', 7n, 'Ada');
    const end = await client.runTo('assembly');
    expect(await client.members(end, 'item')).toEqual({ amount: '7', isOpen: 'true', name: '"Ada"' });
    expect(await client.members(end, 'copy')).toEqual({ '[0]': '0', '[1]': '7' });
    expect(await client.members(end, 'values')).toEqual({ '[0]': '0', '[1]': '7' });
    expect(await client.read(end, 'locals')).toMatchObject({ amount: '7', name: '"Ada"' });
    expect(await client.read(end, 'arguments')).toEqual({ amount: '7', name: '"Ada"' });
    expect(await client.members(await client.runTo('isOpen'), 'item')).toMatchObject({ isOpen: 'false' });
    expect(await client.evaluate(end, 'items[msg.sender][7].name')).toBe('"Ada"');
    expect(await client.evaluate(end, 'values[1] * 3 + item.amount')).toBe('28');
    expect(await client.evaluate(end, 'copy.length')).toBe('2');
  });

  test('are evaluated in expressions', async () => {
    const client = await open('nested', 4n);
    const step = await client.runTo('add');
    const evaluate = (expression: string) => client.evaluate(step, expression);
    expect(await evaluate('a > b && total == 3')).toBe('true');
    expect(await evaluate('uint8(a - 9)')).toBe('255');
    expect(await evaluate('address(5)')).toBe(`0x${'5'.padStart(40, '0')}`);
    expect(await evaluate('(a + b) ** 2 % 7')).toBe('2');
    expect(await evaluate('1.5 ether')).toBe('1500000000000000000');
    expect(await evaluate('msg.sender == tx.origin')).toBe('true');
    await expect(evaluate('missing')).rejects.toThrow('There is no variable "missing" here');
    await expect(evaluate('a +')).rejects.toThrow('The expression is not complete.');
    await expect(evaluate('1 / (a - 8)')).rejects.toThrow('Division by zero.');
  });

  test('are those of now in the frames of callers too', async () => {
    const client = await open('attempt', 400n);
    const step = await client.runTo('first');
    expect((await client.read(step, 'state', 1))['calls']).toBe('1');
  });

  test('have the names of the function that runs, not of the call around it', async () => {
    const client = await open('nested', 4n);
    await expect(client.evaluate(await client.runTo('add'), 'value')).rejects.toThrow(
      'There is no variable "value" here',
    );
  });

  test('have a value in expressions only where it is exact', async () => {
    const client = await open('nested', 4n);
    const evaluate = (expression: string) => client.evaluate(0, expression);
    expect(await evaluate('bytes2(0x11223344)')).toBe('0x1122');
    expect(await evaluate('bytes6(0x11223344)')).toBe('0x112233440000');
    expect(await evaluate('bytes4(uint32(5))')).toBe('0x00000005');
    await expect(evaluate('1.5 + 1')).rejects.toThrow('1.5 is no whole number.');
    await expect(evaluate('1e100')).rejects.toThrow('The value is not a number.');
  });

  test('stop the run where they are written, not where a neighbor in the slot is', async () => {
    const client = await open('store', 7n, 'Ada');
    const end = await client.runTo('assembly');
    const { variable } = await client.request('evaluate', { step: end, frame: 0, expression: 'item.isOpen' });
    if (variable.slot === null) throw new Error('isOpen has no slot');
    const breakpoints: readonly DebugBreakpoint[] = [{ id: 5, at: { kind: 'write', ...variable.slot } }];
    const found = await client.request('run', { step: 0, isBack: false, breakpoints, filters: [] });
    const { frames } = await client.request('stack', { step: found.step ?? 0 });
    expect(frames[0]?.place?.start.line).toBe(client.lineOf('isOpen'));
    const whole = await client.request('evaluate', { step: end, frame: 0, expression: 'item' });
    expect(whole.variable.slot).toBeNull();
  });

  test('stop the run where they are written, forward and back', async () => {
    const client = await open('nested', 4n);
    const { variables } = await client.request('variables', {
      ...{ step: 0, frame: 0, reference: { kind: 'scope', scope: 'state' } },
    });
    const slot = variables.find(({ name }) => name === 'total')?.slot;
    if (slot === undefined || slot === null) throw new Error('total has no slot');
    const breakpoints: readonly DebugBreakpoint[] = [{ id: 5, at: { kind: 'write', ...slot } }];
    const end = await client.runTo('after');
    const found = await client.request('run', { step: end, isBack: true, breakpoints, filters: [] });
    expect(found).toMatchObject({ reason: 'data breakpoint', breakpoints: [5] });
    const { frames } = await client.request('stack', { step: found.step ?? 0 });
    expect(frames[0]?.place?.start.line).toBe(client.lineOf('setTotal'));
  });

  test('are written by breakpoints that do not stop', async () => {
    const client = await open('loop', 3n);
    const breakpoints = [client.breakpointAt('sum', { logMessage: 'i is {i}, {nothing}' })];
    const run = await client.request('run', { step: 0, isBack: false, breakpoints, filters: [] });
    expect(run).toMatchObject({
      step: null,
      messages: ['i is 0, {nothing}', 'i is 1, {nothing}', 'i is 2, {nothing}'],
    });
  });

  test.each([
    [
      { condition: 'nothing == 1' },
      'The condition “nothing == 1” could not be evaluated: There is no variable "nothing" here: the view Variables has those that there are.',
    ],
    [{ condition: 'i + 1' }, 'The condition “i + 1” could not be evaluated: The value is neither true nor false.'],
    [{ hitCondition: 'often' }, 'The hit count “often” is not understood: write it as 3, >= 3 or % 10.'],
  ])('are no condition without a word where they cannot be evaluated: %o', async (fields, message) => {
    const client = await open('loop', 3n);
    const breakpoints = [client.breakpointAt('sum', fields)];
    const run = await client.request('run', { step: 0, isBack: false, breakpoints, filters: [] });
    expect([run.step, run.messages.map(localize)]).toEqual([null, [message]]);
  });
});

describe('code without a build', () => {
  test('is disassembled', async () => {
    const project = await createSourceProject('solc', ['Walk.sol'], {});
    const chain = new DebugChain(project).deploy('Sums').deploy('Walk', [3n]);
    const run = await chain.traceCall('Walk', 'nested', [4n]);
    const client = new Client(openDebugger({ ...run, findProgram: () => null }));
    const { frames } = await client.request('stack', { step: 1 });
    const { code = -1, pc = -1 } = frames[0]?.instruction ?? {};
    const { instructions } = await client.request('disassemble', { code, pc, offset: -1, count: 3 });
    expect(instructions.map(each => each?.text)).toEqual(['PUSH1 0x80', 'PUSH1 0x40', 'MSTORE']);
  });
});

describe('variables of an optimized build', () => {
  test('are marked as moved where the compiler does not say where they are', async () => {
    const project = await createSourceProject('solc', ['Walk.sol'], { optimizer: { enabled: true, runs: 200 } });
    const chain = new DebugChain(project).deploy('Sums').deploy('Walk', [3n]);
    const client = new Client(openDebugger(await chain.traceCall('Walk', 'loop', [3n])));
    const step = await client.runTo('sum');
    const moved = 'optimized out: an unoptimized build shows it';
    expect(await client.read(step, 'locals')).toEqual({ count: moved, sum: moved, i: moved });
    expect(await client.read(step, 'arguments')).toEqual({ count: '3' });
    expect(await client.read(step, 'state')).toMatchObject({ total: '3' });
  });
});
