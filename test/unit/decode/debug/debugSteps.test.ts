import { beforeAll, describe, expect, test } from 'vitest';
import type { DebugOperation } from '../../../../src/api/debugSession.ts';
import { findUnitsAtLine } from '../../../../src/decode/debug/breakpoints.ts';
import type { SourceUnit } from '../../../../src/decode/debug/debugCode.ts';
import { DebugFailures } from '../../../../src/decode/debug/debugFailures.ts';
import { DebugIndex, STOP } from '../../../../src/decode/debug/debugIndex.ts';
import { stackAt } from '../../../../src/decode/debug/debugStack.ts';
import { DebugSteps } from '../../../../src/decode/debug/debugSteps.ts';
import { measureCpuMs } from '../../../support/cpuTime.ts';
import { DebugChain, type TracedRun } from '../../../support/source/debugChain.ts';
import { createSourceProject, type SourceProject } from '../../../support/source/sourceProject.ts';

const OPTIMIZER = { enabled: true, runs: 200 };
const NO_STOPS = { units: new Set<number>(), isFunctionStop: () => false, steps: [], instructions: new Map() };

/** A transaction that is debugged; places are the markers of the source. */
class Session {
  readonly index: DebugIndex;
  readonly steps: DebugSteps;
  readonly failures: DebugFailures;

  constructor({ trace, findProgram }: TracedRun) {
    this.failures = new DebugFailures(trace, findProgram);
    this.index = new DebugIndex(trace, findProgram);
    this.steps = new DebugSteps(this.index);
  }

  /** The marker of the line at a step; the code where the line has none. */
  placeAt(step: number): string {
    const unit = this.index.units[this.index.stops.unit[this.index.stopAt(step)] as number] as SourceUnit;
    const [from, to] = unit.source.lineRange(unit.start);
    const line = unit.source.text(from, to).trim();
    return /\/\/~(\w+)/.exec(line)?.[1] ?? line;
  }

  /** The places of `operation` again and again, from the first statement to the end. */
  walk(operation: DebugOperation): readonly string[] {
    const places: string[] = [];
    for (let at: number | null = this.steps.first; at !== null; at = this.steps.move(at, operation, 'statement'))
      places.push(this.placeAt(at));
    return places;
  }

  /** Goes to the first statement of a line, and then by the operations. */
  follow(marker: string, ...operations: readonly DebugOperation[]): readonly string[] {
    const places: string[] = [];
    let at = this.find(marker);
    for (const operation of operations) {
      at = this.steps.move(at, operation, 'statement') ?? -1;
      places.push(at < 0 ? 'end' : this.placeAt(at));
    }
    return places;
  }

  find(marker: string): number {
    const { step, length } = this.index.stops;
    const found = [...step.subarray(0, length)].find(each => this.placeAt(each) === marker);
    if (found === undefined) throw new Error(`nothing stops at ${marker}`);
    return found;
  }

  stackAt(step: number): readonly string[] {
    return stackAt(this.index, step).map(({ contract, functionName, source, range, isInferred }) => {
      const name = [contract, functionName].filter(part => part !== null).join('.');
      const line = source === null || range === null ? '' : source.text(...source.lineRange(range.start));
      return `${name} ${/\/\/~(\w+)/.exec(line)?.[1] ?? line.trim()}${isInferred ? ' (inferred)' : ''}`;
    });
  }
}

const LOOP = ['for', 'sum', 'for', 'sum', 'for', 'left', 'while', 'while', 'while', 'while', 'while', 'total'];
const NESTED = ['before', 'first', 'doubled', 'returnDoubled', 'first', 'second', 'doubled', 'returnDoubled', 'second'];

describe.each([
  { title: 'legacy', settings: {} },
  { title: 'legacy with the optimizer', settings: { optimizer: OPTIMIZER } },
  { title: 'via-IR', settings: { viaIR: true } },
  { title: 'via-IR with the optimizer', settings: { viaIR: true, optimizer: OPTIMIZER } },
])('$title', ({ settings }) => {
  const isOptimized = 'optimizer' in settings;
  const isViaIR = 'viaIR' in settings;
  let project: SourceProject;
  let chain: DebugChain;
  beforeAll(async () => {
    project = await createSourceProject('solc', ['Walk.sol'], settings);
    chain = new DebugChain(project).deploy('Sums').deploy('Walk', [3n]);
  });
  const call = async (name: string, ...args: readonly unknown[]) =>
    new Session(await chain.traceCall('Walk', name, args));

  test('stops at each iteration of loops', async () => {
    const places = (await call('loop', 2n)).walk('next');
    // With via-IR the copy of a variable and the decrement of one that is checked already have no code of their own.
    const expected = isViaIR && isOptimized ? LOOP.toSpliced(6, 2) : LOOP;
    expect(places).toEqual(isViaIR && !isOptimized ? expected.filter(place => place !== 'left') : expected);
  });

  test('stops at each statement of a quicksort in memory, as often as it runs', async () => {
    const sorting = await createSourceProject('solc', ['Sort.sol'], settings);
    const places = new Session(
      await new DebugChain(sorting).deploy('Sort').traceCall('Sort', 'run', [[3n, 1n, 2n]]),
    ).walk('stepIn');
    const partition = ['pivot', 'fromLeft', 'fromRight', 'swap', 'next', 'previous'];
    const again = ['fromLeft', 'fromLeft', 'fromLeft', 'fromRight']; // 2, 1, 3: until both ends have passed each other
    expect(places.filter(place => partition.includes(place))).toEqual([...partition, ...again, ...partition]);
    const between = ['sortAll', 'isSorted', 'while', 'if', 'lower', 'upper', 'smallest'];
    expect(between.filter(place => !places.includes(place))).toEqual([]);
  });

  test.runIf(!isOptimized)('steps into functions, and through modifiers around the body', async () => {
    const session = await call('nested', 4n);
    const all = session.walk('stepIn').filter((place, i, places) => place !== '_;' && place !== places[i - 1]);
    expect(all).toEqual([
      ...(isViaIR ? NESTED.toSpliced(4, 1) : NESTED),
      ...['add', ...(isViaIR ? [] : ['second']), 'if', 'setTotal', 'returnSecond', 'after'],
    ]);
    expect(session.walk('next').filter(place => place !== '_;')).toEqual([
      ...['before', 'first', 'second', 'if', 'setTotal', 'returnSecond', 'after'],
    ]);
  });

  test.runIf(!isOptimized)('steps out into the statement of the call, and back over calls', async () => {
    const session = await call('nested', 4n);
    expect(session.follow('add', 'stepOut')).toEqual([isViaIR ? 'if' : 'second']);
    expect(session.follow('if', 'stepBack', 'stepBack')).toEqual(['second', 'first']);
    expect(session.follow('after', 'next')).toEqual(['end']);
  });

  test.runIf(!isOptimized)('shows the functions that run, across contracts and libraries', async () => {
    const nested = await call('nested', 4n);
    expect(nested.stackAt(nested.find('add'))).toEqual(['Walk._add add', 'Walk.nested second']);
    expect(nested.stackAt(nested.find('before'))[0]).toBe('Base.counted before');
    expect(nested.stackAt(nested.find('if'))).toEqual(['Walk.nested if']);
    const linked = await call('linked', 5n);
    expect(linked.stackAt(linked.find('outside'))).toEqual(['Sums.outside outside', 'Walk.linked callOutside']);
    expect(linked.follow('callOutside', 'next', 'next')).toEqual(['linkedTotal', 'returnLinked']);
    expect(linked.follow('callOutside', 'stepIn', 'stepOut')).toEqual(['outside', 'callOutside']);
  });

  test.runIf(!isOptimized)('stops in constructors, at values of variables and in base contracts first', async () => {
    const session = new Session(await new DebugChain(project).deploy('Sums').traceDeployment('Walk', [3n]));
    expect(session.walk('stepIn')).toEqual(['startValue', 'baseConstructor', 'maker', 'ownConstructor']);
  });

  test('says that functions which were inlined are concluded from the source', async () => {
    const session = await call('nested', 4n);
    const isInlined = isViaIR && isOptimized;
    const [innermost, outer] = session.stackAt(session.find('doubled'));
    expect(innermost).toBe(isInlined ? 'Sums.twice doubled (inferred)' : 'Sums.twice doubled');
    expect(outer?.startsWith('Walk.nested ')).toBe(true);
  });

  test('finds failures, and which of them were caught', async () => {
    const caught = await call('attempt', 400n);
    const [failure] = await caught.failures.list();
    expect(failure?.isCaught).toBe(true);
    expect(caught.placeAt(failure?.step ?? 0)).toBe('tooMuch');
    const failed = await (await call('nested', 400n)).failures.list();
    expect(failed.map(({ isCaught, frame }) => [isCaught, frame.depth])).toEqual([[false, 0]]);
  });

  test('does not go back into a try statement when its catch clause ends', async () => {
    const places = (await call('attempt', 400n)).walk('next');
    expect(places.slice(0, 3)).toEqual(['try', 'caught', ...(isViaIR && isOptimized ? [] : ['returnFalse'])]);
  });

  test('runs to breakpoints, also at lines without code, forward and back', async () => {
    const { index, steps, placeAt, find } = bind(await call('loop', 3n));
    const source = (index.units[0] as SourceUnit).source;
    const line = (marker: string) => source.position(source.bytes.indexOf(`//~${marker}`)).line;
    const units = new Set(findUnitsAtLine(index, source, line('sum')));
    expect([...units].map(unit => (index.units[unit] as SourceUnit).line)).toEqual([line('sum')]);
    const hits: number[] = [];
    const conditions = { ...NO_STOPS, units };
    for (let at = steps.run(steps.first, false, conditions); at !== null; at = steps.run(at, false, conditions))
      hits.push(at);
    expect(hits.map(placeAt)).toEqual(['sum', 'sum', 'sum']);
    expect(steps.run(find('total'), true, conditions)).toBe(hits.at(-1));
    // The brace below the statement of the loop.
    const [below] = findUnitsAtLine(index, source, line('sum') + 1);
    expect((index.units[below as number] as SourceUnit).line).toBeGreaterThan(line('sum'));
  });
});

const bind = (session: Session) => ({
  index: session.index,
  steps: session.steps,
  placeAt: (step: number) => session.placeAt(step),
  find: (marker: string) => session.find(marker),
});

/** The same sequence in each run. */
function* randomNumbers(max: number): Generator<number> {
  for (let state = 1; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state % max;
  }
}

test('stops at inline assembly that was compiled via-IR once, where it begins', async () => {
  const project = await createSourceProject('solc', ['Walk.sol'], { viaIR: true });
  const chain = new DebugChain(project).deploy('Sums').deploy('Walk', [3n]);
  const session = new Session(await chain.traceCall('Walk', 'store', [7n, 'Ada']));
  expect(session.walk('next').filter(place => place === 'assembly {')).toHaveLength(1);
});

describe('a transaction of a million steps', () => {
  let session: Session;
  beforeAll(async () => {
    const project = await createSourceProject('solc', ['Walk.sol'], {});
    const chain = new DebugChain(project).deploy('Sums').deploy('Walk', [3n]);
    session = new Session(await chain.traceCall('Walk', 'spin', [6_000n]));
  }, 60_000);

  test('steps forward and back within 20 ms, and runs back within 300 ms', () => {
    const { steps, index } = session;
    const { length } = index.trace.steps;
    expect(length).toBeGreaterThan(1_000_000);
    const random = randomNumbers(length);
    const durations: number[] = [];
    const operations = ['next', 'stepIn', 'stepOut', 'stepBack'] as const;
    for (let i = 0; i < 400; i++) {
      const from = random.next().value as number;
      durations.push(measureCpuMs(() => steps.move(from, operations[i % 4] as DebugOperation, 'statement'), 20));
    }
    expect(durations.toSorted((a, b) => a - b)[380]).toBeLessThan(20);
    const stops = { ...NO_STOPS, units: new Set([-1]), instructions: new Map([[0, new Set([1])]]) };
    expect(measureCpuMs(() => steps.run(length, true, stops), 300)).toBeLessThan(300);
  });

  test('comes back to where it was by a step back after a step, from a thousand places', () => {
    const { steps, index } = session;
    const { stops } = index;
    const random = randomNumbers(stops.length);
    let places = 0;
    while (places < 1_000) {
      const stop = random.next().value as number;
      const from = stops.step[stop] as number;
      const to = steps.move(from, 'next', 'statement');
      // A step back goes to statements, in the same function.
      const isStatement = ((stops.flags[stop] as number) & STOP.statement) !== 0;
      if (!isStatement || to === null || (stops.depth[index.stopAt(to)] as number) < (stops.depth[stop] as number))
        continue;
      expect(steps.move(to, 'stepBack', 'statement')).toBe(from);
      places++;
    }
  });
});
