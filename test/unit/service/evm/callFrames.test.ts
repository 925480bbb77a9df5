// Call traces in the formats of nodes: flattened in the order of execution, rejected when they are malformed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { parseCallTracer, parseParityTraces } from '../../../../src/service/evm/callFrames.ts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(address) as [Hex, Hex, Hex, Hex];
const block: Hex = `0x${'11'.repeat(32)}`;

describe('callTracer', () => {
  it('returns parents before children, without the root', () => {
    const root = {
      type: 'CALL',
      from: a,
      to: b,
      calls: [
        {
          type: 'DELEGATECALL',
          from: b,
          to: c,
          value: '0x5',
          gas: '0x9',
          gasUsed: '0x3',
          calls: [{ type: 'STATICCALL', from: b, to: d }],
        },
        { type: 'CREATE2', from: b, error: 'out of gas', input: '0x60' },
      ],
    };
    expect(parseCallTracer(root)).toEqual([
      // Its value is that of the call around it: it transfers none.
      {
        depth: 1,
        type: 'DELEGATECALL',
        from: b,
        to: c,
        value: 0n,
        gas: 9n,
        gasUsed: 3n,
        input: '0x',
        output: '0x',
        error: null,
        isReverted: false,
      },
      {
        depth: 2,
        type: 'STATICCALL',
        from: b,
        to: d,
        value: 0n,
        gas: null,
        gasUsed: null,
        input: '0x',
        output: '0x',
        error: null,
        isReverted: false,
      },
      {
        depth: 1,
        type: 'CREATE2',
        from: b,
        to: null,
        value: 0n,
        gas: null,
        gasUsed: null,
        input: '0x60',
        output: '0x',
        error: 'out of gas',
        isReverted: true,
      },
    ]);
    expect(parseCallTracer({ type: 'CALL', from: a, to: b })).toEqual([]);
  });

  it('marks the calls inside a failed one as reverted', () => {
    const failed = {
      ...{ type: 'CALL', from: a, to: b, error: 'execution reverted' },
      calls: [{ type: 'CALL', from: b, to: c, value: '0x1' }],
    };
    const parse = (root: object) => parseCallTracer(root)?.map(({ to, isReverted }) => [to, isReverted]);
    expect(parse({ type: 'CALL', from: a, to: b, calls: [failed, { type: 'CALL', from: b, to: d }] })).toEqual([
      [b, true],
      [c, true],
      [d, false],
    ]);
    expect(parse(failed)).toEqual([[c, true]]);
  });

  it.each([
    ['null', null],
    ['opcodes', { gas: 21_000, failed: false, returnValue: '', structLogs: [] }],
    ['an error', { error: 'Resource not found' }],
    ['a type that is none', { type: '<b>', from: a }],
    ['calls that are no list', { type: 'CALL', from: a, calls: {} }],
    ['a child that is none', { type: 'CALL', from: a, calls: [null] }],
  ])('rejects %s', (_name, value) => {
    expect(parseCallTracer(value)).toBeNull();
  });

  it('rejects a tree deeper than the EVM allows, without a stack overflow', () => {
    let deep: object = { type: 'CALL', from: a, to: b };
    for (let i = 0; i < 50_000; i++) deep = { type: 'CALL', from: a, to: b, calls: [deep] };
    expect(parseCallTracer(deep)).toBeNull();
  });
});

describe('trace_block', () => {
  const trace = (traceAddress: readonly number[], rest: object = {}) => ({
    type: 'call',
    action: { callType: 'call', from: a, to: b, value: `0x${traceAddress.length}`, gas: '0x1', input: '0x' },
    result: { gasUsed: '0x2', output: '0x03' },
    blockHash: block,
    transactionHash: '0x01',
    traceAddress,
    ...rest,
  });

  it('is sorted by trace address, parents first, without roots and rewards', () => {
    const order = [[1, 10], [], [1], [0, 0], [0], [1, 2], [10], [2]];
    const frames = parseParityTraces(
      [...order.map(path => trace(path)), trace([], { type: 'reward', transactionHash: null })],
      block,
    );
    expect([...(frames ?? [])].map(([hash]) => hash)).toEqual(['0x01']);
    expect(frames?.get('0x01')?.calls.map(frame => frame.value)).toEqual([1n, 2n, 1n, 2n, 2n, 1n, 1n]);
  });

  it('returns creations, destructions and failures', () => {
    const frames = parseParityTraces(
      [
        trace([]),
        trace([0], {
          type: 'create',
          action: { from: a, init: '0x60', value: '0x1', gas: '0x9' },
          result: { address: c, code: '0x00', gasUsed: '0x4' },
        }),
        trace([1], { type: 'suicide', action: { address: c, balance: '0x7', refundAddress: d }, result: null }),
        trace([2], { error: 'Reverted', result: null }),
        trace([3], { error: 'Out of gas' }),
        trace([4], { error: 'Bad instruction', result: null }),
        trace([5], { error: 'OutOfFunds' }),
        trace([6], { error: 'OutOfFunds', result: null }),
      ],
      block,
    )?.get('0x01')?.calls;
    expect(
      frames?.slice(4).map(({ gasUsed }) => gasUsed),
      'a halt takes all, what never began nothing',
    ).toEqual([1n, 2n, 0n]);
    expect(frames?.slice(0, 4)).toEqual([
      {
        depth: 1,
        type: 'CREATE',
        from: a,
        to: c,
        value: 1n,
        gas: 9n,
        gasUsed: 4n,
        input: '0x60',
        output: '0x00',
        error: null,
        isReverted: false,
      },
      {
        depth: 1,
        type: 'SELFDESTRUCT',
        from: c,
        to: d,
        value: 7n,
        gas: 0n,
        gasUsed: 0n,
        input: '0x',
        output: '0x',
        error: null,
        isReverted: false,
      },
      {
        depth: 1,
        type: 'CALL',
        from: a,
        to: b,
        value: 1n,
        gas: 1n,
        gasUsed: null,
        input: '0x',
        output: '0x',
        error: 'execution reverted',
        isReverted: true,
      },
      {
        depth: 1,
        type: 'CALL',
        from: a,
        to: b,
        value: 1n,
        gas: 1n,
        gasUsed: 2n,
        input: '0x',
        output: '0x03',
        error: 'Out of gas',
        isReverted: true,
      },
    ]);
  });

  it('marks the calls inside a failed one as reverted', () => {
    const failed = { error: 'Reverted', result: null };
    const parse = (traces: readonly object[]) =>
      parseParityTraces(traces, block)
        ?.get('0x01')
        ?.calls.map(({ isReverted }) => isReverted);
    const inner = [trace([0]), trace([1], failed), trace([1, 0]), trace([1, 0, 0], failed), trace([1, 1]), trace([2])];
    expect(parse([trace([]), ...inner])).toEqual([false, true, true, true, true, false]);
    expect(parse([trace([], failed), ...inner])).toEqual([true, true, true, true, true, true]);
    expect(parse([trace([]), trace([1]), trace([10]), trace([1, 0], failed)])).toEqual([false, true, false]);
  });

  it('leaves out a transaction without its own call', () => {
    expect(parseParityTraces([trace([0])], block)?.size).toBe(0);
  });

  it('rejects traces of another block', () => {
    expect(parseParityTraces([trace([])], `0x${'22'.repeat(32)}`)).toBeNull();
    expect(parseParityTraces({}, block)).toBeNull();
    expect(parseParityTraces([{ blockHash: block, transactionHash: '0x01' }], block)).toBeNull();
  });
});

it('never throw, whatever a node sends', () => {
  fc.assert(
    fc.property(fc.anything(), value => {
      parseCallTracer(value);
      parseParityTraces(value, block);
      parseParityTraces([value], block);
    }),
    { seed: 1, numRuns: 500 },
  );
});
