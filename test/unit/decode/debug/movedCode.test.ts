// Code that the optimizer moved away from its statement.
import { expect, test } from 'vitest';
import type { SourceUnit } from '../../../../src/decode/debug/debugCode.ts';
import { DebugIndex } from '../../../../src/decode/debug/debugIndex.ts';
import { DebugSteps } from '../../../../src/decode/debug/debugSteps.ts';
import type { Compiler } from '../../../support/source/compileSolidity.ts';
import { DebugChain, type TracedRun } from '../../../support/source/debugChain.ts';
import { type CompilerSettings, createSourceProject } from '../../../support/source/sourceProject.ts';

const OPTIMIZER = { optimizer: { enabled: true, runs: 200 } };
const BOTH = { viaIR: true, ...OPTIMIZER };
const KEY = `0x${'4b'.repeat(32)}`;

/** The markers of the lines where stepping in stops, from the first statement to the end. */
async function walk(
  settings: CompilerSettings,
  trace: (chain: DebugChain) => Promise<TracedRun>,
  file = 'Moved.sol',
  compiler: Compiler = 'solc',
): Promise<readonly string[]> {
  const chain = new DebugChain(await createSourceProject(compiler, [file], settings));
  const run = await trace(chain);
  const index = new DebugIndex(run.trace, run.findProgram);
  const steps = new DebugSteps(index);
  const places: string[] = [];
  for (let at: number | null = steps.first; at !== null; at = steps.move(at, 'stepIn', 'statement')) {
    const { source, start } = index.units[index.stops.unit[index.stopAt(at)] as number] as SourceUnit;
    const [from, to] = source.lineRange(start);
    const line = source.text(from, to).trim();
    places.push(/\/\/~(\w+)/.exec(line)?.[1] ?? line);
  }
  return places;
}

const file = (chain: DebugChain) => chain.deploy('Moved').traceCall('Moved', 'file', [6n]);
const note = (chain: DebugChain) => chain.deploy('Moved').traceCall('Moved', 'note', [KEY, [7n, 8n, 9n]]);
const tries = (chain: DebugChain) => chain.deploy('Moved').traceCall('Moved', 'tries', [9n]);
const create = (chain: DebugChain) => chain.traceDeployment('Moved');

test.each([
  ['optimized', OPTIMIZER, 'level width set bin'],
  ['compiled via-IR', { viaIR: true }, 'level width set bin'],
  ['optimized via-IR', BOTH, 'level width set bin'],
] as const)(
  'values of state variables are set in their order, also by a constructor that is not written, %s',
  async (_, settings, places) => {
    expect((await walk(settings, create)).join(' ')).toBe(places);
  },
);

test.each([
  ['optimized', OPTIMIZER, 'number place list which held mark place filed'],
  ['compiled via-IR', { viaIR: true }, 'number place list which held mark filed'],
  ['optimized via-IR', BOTH, 'number list which held mark filed'],
] as const)('a topic of an event that is prepared early is no stop, %s', async (_, settings, places) => {
  expect((await walk(settings, file)).join(' ')).toBe(places);
});

test.each([
  ['optimized', OPTIMIZER, 'found each keep each keep each keep each many'],
  ['compiled via-IR', { viaIR: true }, 'found each keep each keep each keep each many'],
  ['optimized via-IR', BOTH, 'each each each each many'],
] as const)('the end of a branch that did not run is no stop in it, %s', async (_, settings, places) => {
  expect((await walk(settings, note)).join(' ')).toBe(places);
});

test.each([
  ['optimized', OPTIMIZER],
  ['compiled via-IR', { viaIR: true }],
  ['optimized via-IR', BOTH],
] as const)('one clause of a failed call runs, %s', async (_, settings) => {
  expect((await walk(settings, tries)).join(' ')).toMatch(/^try nine try (?:reason )?after$/);
});

test.each([
  ['optimized', OPTIMIZER],
  ['compiled via-IR', { viaIR: true }],
  ['optimized via-IR', BOTH],
] as const)(
  'a continue or break whose code was merged with that of others is a stop where it ran, %s',
  async (_, settings) => {
    const values = [0n, 9n, 3n, 7n, 4n];
    const places = await walk(settings, chain => chain.deploy('Moved').traceCall('Moved', 'skim', [values, 8n]));
    const rounds = places
      .join(' ')
      // The end of a round and the next condition may be two stops.
      .split(/(?:\bloop ?)+/)
      .map(each => each.trim());
    expect(rounds).toEqual([
      '',
      expect.stringMatching(/^zero( skipped)?$/),
      expect.stringMatching(/^zero large counted( next)?$/),
      'zero large seven sum',
      expect.stringMatching(/^zero large seven( ended)?( total)?$/),
    ]);
  },
);

const LINES = ['cells', 'outer', 'line', 'inner', 'second', 'cell', 'plus', 'inner', 'outer', 'line'];

test.each([
  ['grid', [1n], 'cells outer line inner second cell plus inner outer'],
  ['split', ['0x615f'], 'parts start letter isEnd letter isEnd part next letter isEnd part next letter'],
  ['fold', ['0x05'], 'assembly {'],
] as const)(
  'of equal constants and labels, which are left once, none is a stop in a statement that does not run: %s',
  async (name, args, places) => {
    const trace = (chain: DebugChain) => chain.deploy('Rounds').traceCall('Rounds', name, args);
    expect((await walk(BOTH, trace, 'Rounds.sol')).join(' ')).toBe(places);
  },
);

test('the condition of a `do` is a stop behind the statements of its round', async () => {
  const settings = { ...OPTIMIZER, evmVersion: 'istanbul' };
  const trace = (chain: DebugChain) => chain.deploy('Rounds').traceCall('Rounds', 'chain', [[3n, 4n]]);
  const round = 'called product called step again';
  expect((await walk(settings, trace, 'Rounds.sol', 'solc-0.6')).join(' ')).toBe(`link none ${round} ${round}`);
});

test('a round of a loop that ends by `continue` is no more stops than its statements, compiled via-IR', async () => {
  const places = await walk(
    { viaIR: true },
    chain => chain.deploy('Rounds').traceCall('Rounds', 'grid', [2n]),
    'Rounds.sol',
  );
  expect(places).toEqual([...LINES, 'inner', 'second', 'cell', 'plus', 'inner', 'second', 'second', 'inner', 'outer']);
});

test.each([
  ['large', '0x050003', 'end byte value isZero fold byte value isZero byte value isZero fold byte switch large'],
  ['small', '0x05', 'end byte value isZero fold byte switch small'],
] as const)('only the case of inline assembly that runs is a stop: %s', async (_, data, places) => {
  const trace = (chain: DebugChain) => chain.deploy('Rounds').traceCall('Rounds', 'fold', [data]);
  expect((await walk({}, trace, 'Rounds.sol')).join(' ')).toBe(places);
});
