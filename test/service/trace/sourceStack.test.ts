// The stacks of transactions that failed, in every kind of build: the same lines in each.
import { describe, expect, test } from 'vitest';
import { SourceBuilds } from '../../../src/decode/source/sourceBuilds.ts';
import {
  DEPOT,
  EXCHANGE,
  findSourceOf,
  LEDGER,
  MARKET,
  MERGED,
  OLD,
  openSuite,
  runSuite,
  STAKING,
  TWINS,
  WALLET,
} from '../../support/source/scenarioSuites.ts';
import type { Compiler, CompilerSettings } from '../../support/source/sourceProject.ts';

const OPTIMIZER = { enabled: true, runs: 200 };

interface Build {
  readonly title: string;
  readonly compiler: Compiler;
  readonly settings: CompilerSettings;
}

describe('lines of Solidity', () => {
  test.each<Build & { readonly whole: readonly number[] }>([
    { title: 'legacy', compiler: 'solc', settings: {}, whole: [48, 34, 50, 51, 51, 34, 22] },
    {
      title: 'legacy with the optimizer',
      compiler: 'solc',
      settings: { optimizer: OPTIMIZER },
      whole: [48, 34, 50, 51, 51, 34, 22],
    },
    { title: 'via-IR', compiler: 'solc', settings: { viaIR: true }, whole: [48, 34, 50, 51, 51, 34, 22] },
    {
      title: 'via-IR with the optimizer',
      compiler: 'solc',
      settings: { viaIR: true, optimizer: OPTIMIZER },
      whole: [47, 33, 49, 51, 48, 28, 17],
    },
  ])('$title: finds whole stacks, and no wrong line that is not marked as inferred', async build => {
    const { compiler, settings, whole } = build;
    const results = await Promise.all(
      [LEDGER, MARKET, STAKING, WALLET, EXCHANGE, DEPOT, MERGED].map(suite => runSuite(suite, compiler, settings)),
    );
    expect(results.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(results.map(result => result.whole)).toEqual(whole);
    expect(results[0]?.last).toBe(LEDGER.scenarios.length);
  });

  test.each<Build>([
    { title: 'solc 0.8.19, legacy', compiler: 'solc-0.8.19', settings: {} },
    { title: 'solc 0.8.37, legacy with the optimizer', compiler: 'solc-0.8.37', settings: { optimizer: OPTIMIZER } },
  ])('$title: finds the same stacks', async ({ compiler, settings }) => {
    expect(await runSuite(LEDGER, compiler, settings)).toEqual({ whole: 48, last: 48, wrong: [], mismatches: [] });
  });

  test('says why a call reverted without data', async () => {
    const { project, sender } = await openSuite(LEDGER, 'solc', { optimizer: OPTIMIZER });
    const reasonOf = async (name: string) => {
      const scenario = LEDGER.scenarios.find(each => each.name === name);
      if (scenario === undefined) throw new Error(`There is no scenario ${name}`);
      return (await findSourceOf(await sender.trace(LEDGER.contract, scenario), project))?.stack?.reason;
    };
    expect(await reasonOf('call to an address without code')).toBe('noCode');
    expect(await reasonOf('return data that is too short')).toBe('shortReturnData');
    expect(await reasonOf('require with a string')).toBe('reverted');
  });

  test('legacy with the optimizer for size: finds the same stacks, though more code is merged', async () => {
    const settings = { optimizer: { enabled: true, runs: 1 } };
    expect(await runSuite(DEPOT, 'solc', settings)).toEqual({ whole: 34, last: 34, wrong: [], mismatches: [] });
    expect(await runSuite(TWINS, 'solc', settings)).toEqual({ whole: 53, last: 53, wrong: [], mismatches: [] });
  });

  test('via-IR: finds each of two equal functions', async () => {
    expect(await runSuite(TWINS, 'solc', { viaIR: true })).toEqual({ whole: 53, last: 53, wrong: [], mismatches: [] });
  });

  test('is certain of a call through a clone, whose code is in no build', async () => {
    const { project, sender } = await openSuite(MERGED, 'solc', {});
    const source = await findSourceOf(
      await sender.trace('Merged', { to: 'merged', call: 'through', args: [1n] }),
      project,
    );
    expect(source?.stack?.frames.map(({ functionName, isInferred }) => [functionName, isInferred])).toEqual([
      ['through', false],
      [null, false],
      ['refuse', false],
    ]);
  });

  test('two compilers in one transaction: each frame has the lines of its own build', async () => {
    const outer = await openSuite(MERGED, 'solc', { optimizer: OPTIMIZER });
    const inner = await openSuite(MERGED, 'solc-0.8.37', {}, outer.chain);
    const files = new Map([
      ...outer.project.files,
      ...[...inner.project.files].map(([path, bytes]) => [`inner/${path}`, bytes] as const),
    ]);
    const builds = new SourceBuilds({ read: async path => files.get(path) ?? null });
    const artifacts = [...files.keys()].filter(path => /artifacts\/contracts\/.*(?<!\.dbg)\.json$/.test(path));
    await builds.update(new Map(artifacts.map(path => [path, '1'])));
    outer.sender.values['other'] = inner.sender.values['merged'] ?? '0x';
    const call = { to: 'merged', call: 'forward', args: ['$other', '$refuseTwo'] };
    const source = await findSourceOf(await outer.sender.trace('Merged', call), { builds });
    const { lineOf } = outer.project;
    expect(source?.stack?.frames.map(({ location }) => `${location?.file}:${(location?.start.line ?? 0) + 1}`)).toEqual(
      [lineOf('mgForward'), lineOf('mgDelegate'), `inner/${lineOf('mgRefuseTwo')}`],
    );
  });

  test('lists the functions that were called inside contracts, with their depth and the place of the call', async () => {
    const { project, sender } = await openSuite(MARKET, 'solc', { optimizer: OPTIMIZER });
    const trace = await sender.trace('Market', { to: 'market', call: 'scale(uint256,uint256)', args: [5n, 2n] });
    const source = await findSourceOf(trace, project, true);
    expect(source?.stack).toBeNull();
    const calls = source?.internalCalls?.map(({ contract, functionName, depth, callSite }) => {
      const place = callSite === null ? null : `${callSite.file}:${callSite.start.line + 1}`;
      return [`${contract}.${functionName}`, depth, place];
    });
    expect(calls).toEqual([
      ['Market.scale', 1, project.lineOf('scaleTwo')],
      ['Market._strict', 2, project.lineOf('scale')],
    ]);
  });

  test.each<readonly [string, CompilerSettings]>([
    ['legacy', {}],
    ['legacy with the optimizer', { optimizer: OPTIMIZER }],
    ['via-IR', { viaIR: true }],
  ])('%s: a log and a storage write are of the function inside the contract that was running', async (_, settings) => {
    const { project, sender } = await openSuite(LEDGER, 'solc', settings);
    const trace = await sender.trace('Ledger', { to: 'ledger', call: 'deposit', args: [50n] });
    const calls = (await findSourceOf(trace, project, true))?.internalCalls ?? [];
    const nameAt = (step: number) =>
      calls.findLast(each => each.step < step && step < each.endStep)?.functionName ?? null;
    expect(trace.logs.map(({ step }) => nameAt(step))).toEqual(['_credit']);
    // `count++` is in the hook, all else behind it in the function that calls the hook.
    expect(trace.writes.map(({ step }) => nameAt(step))).toEqual(['hook', ...Array(4).fill('_credit')]);
    expect(calls.filter(({ step, endStep }) => endStep <= step)).toEqual([]);
  });

  // From 0.6.3 on, reverts that the compiler adds have no place in the source.
  test.each(['solc-0.6', 'solc-0.6.3'] as const)(
    '%s: finds the stacks of contracts without custom errors and panics',
    async compiler => {
      const right = { whole: 11, last: 11, wrong: [], mismatches: [] };
      for (const settings of [{}, { optimizer: OPTIMIZER }])
        expect(await runSuite(OLD, compiler, settings)).toEqual(right);
    },
  );
});
