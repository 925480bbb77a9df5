// Places of an optimized run in the run of an unoptimized build of the same source.
import { describe, expect, test } from 'vitest';
import type { Debugger } from '../../../../src/decode/debug/debugger.ts';
import { findSamePlace } from '../../../../src/decode/debug/samePlace.ts';
import { DebugChain, openDebugger } from '../../../support/source/debugChain.ts';
import { createSourceProject } from '../../../support/source/sourceProject.ts';

const OPTIMIZER = { optimizer: { enabled: true, runs: 200 } };

interface Runs {
  readonly real: Debugger;
  readonly other: Debugger;
}

async function runBoth(
  settings: object,
  run: (chain: DebugChain) => Promise<Parameters<typeof openDebugger>[0]>,
  file: string,
): Promise<Runs> {
  const open = async (used: object) => {
    const session = openDebugger(await run(new DebugChain(await createSourceProject('solc', [file], used))));
    await session.opened();
    return session;
  };
  return { real: await open(settings), other: await open({}) };
}

/** Every place that stepping in reaches. */
function listSteps({ steps }: Debugger): readonly number[] {
  const found: number[] = [];
  for (let at: number | null = steps.first; at !== null; at = steps.move(at, 'stepIn', 'statement')) found.push(at);
  return found;
}

/** The marker of the line, and names of the functions that run. */
async function placeAt(session: Debugger, step: number): Promise<string> {
  const reply = await session.handle({ kind: 'stack', step });
  const frames = 'frames' in reply ? reply.frames : [];
  const line = session.source(0)?.bytes.split('\n')[frames[0]?.place?.start.line ?? -1] ?? '';
  return `${/\/\/~(\w+)/.exec(line)?.[1]} in ${frames.map(({ functionName }) => functionName).join()}`;
}

/** What Sort.sol sorts, which is in memory. */
async function sortedAt(session: Debugger, step: number): Promise<string> {
  const reply = await session.handle({
    kind: 'memory',
    step,
    frame: 0,
    memory: { area: 'memory', offset: 0 },
    count: 4096,
  });
  const words =
    ('data' in reply ? reply.data : '')
      .slice(2)
      .match(/.{64}/g)
      ?.map(word => Number(BigInt(`0x${word}`))) ?? [];
  const at = words.findIndex(
    (word, i) =>
      word === 3 &&
      words
        .slice(i + 1, i + 4)
        .toSorted()
        .join() === '1,2,3',
  );
  return words.slice(at + 1, at + 4).join();
}

const walkWith = (settings: object, name: string, value: bigint) =>
  runBoth(settings, chain => chain.deploy('Sums').deploy('Walk', [3n]).traceCall('Walk', name, [value]), 'Walk.sol');

describe.each([
  ['legacy with the optimizer', OPTIMIZER],
  ['via-IR', { viaIR: true }],
  ['via-IR with the optimizer', { viaIR: true, ...OPTIMIZER }],
])('places of a run that is %s', (_, settings) => {
  const sort = () =>
    runBoth(settings, chain => chain.deploy('Sort').traceCall('Sort', 'run', [[3n, 1n, 2n]]), 'Sort.sol');
  const walk = (name: string, value: bigint) => walkWith(settings, name, value);

  test('are the same statement in an unoptimized build, with the same memory and functions, in loops and recursions too', async () => {
    const { real, other } = await sort();
    const steps = listSteps(real);
    let certain = 0;
    for (const step of steps) {
      const found = findSamePlace(real, other, step);
      if (!found.isCertain) continue;
      certain++;
      const [expected, actual] = [
        [real, step],
        [other, found.step],
      ] as const;
      expect([await placeAt(...actual), await sortedAt(...actual)]).toEqual([
        await placeAt(...expected),
        await sortedAt(...expected),
      ]);
    }
    expect(certain / steps.length).toBeGreaterThanOrEqual(0.9);
  });

  test('are the failure where it failed, also where the code that reverts has no line of its own', async () => {
    const { real, other } = await walk('nested', 400n);
    const { step, isCertain } = findSamePlace(real, other, real.failures[0]?.step ?? -1);
    expect([other.failures[0]?.step, isCertain]).toEqual([step, true]);
    expect(await placeAt(other, step)).toBe('tooMuch in nested');
  });

  test('are the end at the end', async () => {
    const { real, other } = await walk('loop', 2n);
    expect(findSamePlace(real, other, real.steps.last)).toEqual({ step: other.steps.last, isCertain: true });
  });

  test('are in the same call of another contract, step by step where that was not compiled again', async () => {
    const { real, other } = await walk('linked', 3n);
    const [step] = listSteps(real).slice(1);
    const found = findSamePlace(real, other, step ?? -1);
    expect([await placeAt(other, found.step), found.isCertain]).toEqual(['outside in outside,linked', true]);
    expect(findSamePlace(real, real, (step ?? -1) + 7)).toEqual({ step: (step ?? -1) + 7, isCertain: true });
  });
});

test('places that are not certain are the nearest one before in the same call that is, and say so', async () => {
  const { real, other } = await walkWith({ viaIR: true, ...OPTIMIZER }, 'nested', 4n);
  const places: string[] = [];
  for (const step of listSteps(real)) {
    const { step: found, isCertain } = findSamePlace(real, other, step);
    places.push(`${await placeAt(real, step)}: ${await placeAt(other, found)}${isCertain ? '' : ' (nearest)'}`);
  }
  // The optimizer has joined both calls of `twice`, and runs the second line of the modifier with the write of the total.
  expect(places).toEqual([
    'before in counted,nested: before in counted,nested',
    'doubled in twice,nested: before in counted,nested (nearest)',
    'add in _add,nested: add in _add,nested',
    'before in counted,nested: before in counted,nested (nearest)',
    'if in nested: if in nested',
    'setTotal in nested: setTotal in nested',
  ]);
});
