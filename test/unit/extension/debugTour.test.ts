// Ten contracts in the debug adapter: steps, values and lines that were written by hand before it ran.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { AdapterClient } from '../../support/source/adapterClient.ts';
import { DebugChain, type TracedRun } from '../../support/source/debugChain.ts';
import { createSourceProject, type SourceProject } from '../../support/source/sourceProject.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce';
const BOB = '0x0000000000000000000000000000000000000b0b';

describe('a debugger leads through', () => {
  let project: SourceProject;
  let client: AdapterClient;
  beforeAll(async () => {
    project = await createSourceProject('solc', ['Tour.sol'], { evmVersion: 'cancun' });
  });
  afterEach(() => client.stop());
  const chain = () => new DebugChain(project);
  const open = async (run: Promise<TracedRun>) => {
    client = await AdapterClient.connect(await run);
    return client.launch();
  };

  test('mappings, constants and units', async () => {
    expect(await open(chain().deploy('Coin').traceCall('Coin', 'mint', [BOB, 1_500_000n]))).toEqual([
      'entry',
      'supply',
    ]);
    expect(await client.places(client.next, 5)).toEqual(['cap', 'totalSupply', 'credit', 'note', 'transfer']);
    expect(await client.read('Locals')).toEqual({ to: BOB, amount: '1500000', supply: '1500000' });
    const state = await client.read('State Variables');
    expect(state).toMatchObject({ totalSupply: '1500000', decimals: '6', CAP: '1000000000', NAME: '"Tour Coin"' });
    expect(await client.read('State Variables', ['balanceOf'])).toEqual({ [`[${BOB}]`]: '1500000' });
    expect(await client.read('State Variables', ['notes'])).toEqual({ '["last"]': '1500000' });
    expect(await client.evaluate('balanceOf[to] == amount && notes["last"] > 0')).toBe('true');
    expect(await client.evaluate('supply <= CAP || missing > 0')).toBe('true');
    await expect(client.evaluate('supply > CAP || missing > 0')).rejects.toThrow('There is no variable "missing" here');
  });

  test('enums, structs, modifiers with arguments and the value of the message', async () => {
    const auction = chain().deploy('Auction').send('Auction', 'open').send('Auction', 'bid', ['0x01020304'], 11n);
    expect(await open(auction.traceCall('Auction', 'bid', ['0xa1b2c3d4'], 25n))).toEqual(['entry', 'current']);
    expect(await client.next()).toEqual(['step', 'wanted']);
    expect(await client.read('Locals')).toEqual({ wanted: 'Open', current: 'Open' });
    expect(await client.next()).toEqual(['step', 'minimum']);
    expect(await client.read('Locals')).toEqual({ minimum: '10', what: '"too little"' });
    expect(await client.places(client.next, 4)).toEqual(['offer', 'best', 'push', 'count']);
    expect(await client.read('Locals')).toMatchObject({
      tag: '0xa1b2c3d4',
      offer: '{bidder: 0x0000…11cE, amount: 25, phase: Open, tag: 0xa1b2c3d4}',
    });
    expect(await client.read('Locals', ['offer'])).toEqual({
      bidder: ALICE,
      amount: '25',
      phase: 'Open',
      tag: '0xa1b2c3d4',
    });
    expect(await client.read('State Variables', ['history', '[0]'])).toMatchObject({ amount: '11', tag: '0x01020304' });
    expect(await client.read('Message and Block', ['msg'])).toMatchObject({ sender: ALICE, sig: expect.any(String) });
    expect(await client.evaluate('msg.value >= 25 && phase == Phase.Open && msg.sender == offer.bidder')).toBe('true');
    expect(await client.evaluate('phase == Auction.Phase.Closed ? 1 : offer.amount * 2')).toBe('50');
    expect(await client.inlineValues()).toMatchObject({
      ...{ tag: '0xa1b2c3d4', phase: 'Open' },
      offer: '{bidder: 0x0000…11cE, amount: 25, phase: Open, tag: 0xa1b2c3d4}',
    });
    expect(await client.places(client.next, 3)).toEqual(['ended', 'ended', 'afterBody']);
    expect(await client.read('Locals')).toEqual({ wanted: 'Open', current: 'Open' });
  });

  test('a proxy, whose storage has the variables of the implementation', async () => {
    const forwarded = chain().deploy('Counter');
    forwarded.deploy('Forwarder', [forwarded.addressOf('Counter')]);
    expect(await open(forwarded.traceCall('Counter', 'add', [4n], 9n, 'Forwarder'))).toEqual(['entry', 'to']);
    expect(await client.places(client.next, 2)).toEqual(['calldatacopy(0, 0, calldatasize())', 'delegate']);
    expect(await client.read('Locals')).toEqual({ to: forwarded.addressOf('Counter') });
    expect(await client.stepIn()).toEqual(['step', 'add']);
    expect(await client.frames()).toEqual(['Counter.add', 'Forwarder.fallback']);
    expect(await client.read('Message and Block', ['msg'])).toMatchObject({
      sender: ALICE,
      value: '9 (0.000000000000000009 ETH)',
    });
    expect(await client.evaluate('this')).toBe(forwarded.addressOf('Forwarder'));
    expect(await client.next()).toEqual(['step', 'counted']);
    expect(await client.read('State Variables')).toEqual({ gap: '0', count: '4' });
  });

  test('constructors of bases', async () => {
    expect(await open(chain().traceDeployment('Leaf', [2n, 7n]))).toEqual(['entry', 'rootInit']);
    expect(await client.places(client.next, 5)).toEqual(['length', 'rootValue', 'once', 'next', 'middleValue']);
    expect(await client.read('Locals')).toEqual({ value: '7', next: `${7 + 3 + 20 + 4}` });
    expect(await client.frames()).toEqual(['Middle.constructor', 'Leaf.constructor']);
    expect(await client.read('Locals', [], 1)).toEqual({ a: '2', b: '7' });
    expect(await client.places(client.next, 2)).toEqual(['leafSum', 'leafValue']);
    expect(await client.read('Locals')).toEqual({ a: '2', b: '7', sum: '9' });
    expect(await client.places(client.stepBack, 6)).toEqual([
      'leafSum',
      'middleValue',
      'next',
      'once',
      'rootValue',
      'length',
    ]);
    expect(await client.read('Locals')).toEqual({ first: '20', name: '"leaf"' });
  });

  test('immutables while they are set', async () => {
    expect(await open(chain().traceDeployment('Forwarder', [BOB]))).toEqual(['entry', 'target']);
    expect(await client.read('State Variables')).toEqual({ target: '0x0000000000000000000000000000000000000000' });
    await client.next();
    expect(await client.read('State Variables')).toEqual({ target: BOB });
    await client.stop();
    // Before it is set: no memory was used that far.
    await open(chain().traceDeployment('Tools'));
    expect(await client.read('State Variables')).toMatchObject({
      owner: '0x0000000000000000000000000000000000000000',
    });
  });

  test('receive and fallback with data', async () => {
    await open(chain().deploy('Inbox').traceData('Inbox', '0x', 6n));
    expect(await client.next()).toEqual(['step', 'received']);
    expect(await client.read('Locals')).toEqual({ before: '0' });
    await client.stop();
    const data: Hex = '0x0102030405';
    expect(await open(chain().deploy('Inbox').traceData('Inbox', data))).toEqual(['entry', 'inputSize']);
    expect(await client.next()).toEqual(['step', 'last']);
    expect(await client.read('Locals')).toEqual({ input: data, output: '0x', size: '5' });
    expect(await client.next()).toEqual(['step', 'output']);
    expect(await client.read('State Variables')).toMatchObject({ last: data });
  });

  test('a library with storage, and several results', async () => {
    expect(
      await open(
        chain()
          .deploy('Books')
          .traceCall('Books', 'record', [[5n, 8n]]),
      ),
    ).toEqual(['entry', 'for (uint256 i = 0; i < values.length; i++) {']);
    await client.runTo('entry');
    expect(await client.frames()).toEqual(['Ledger.add', 'Books.record']);
    expect(await client.read('Locals')).toMatchObject({
      value: '5',
      index: '0',
      total: '0',
      book: '{entries: {…}, length: 1}',
    });
    expect(await client.stepOut()).toEqual(['step', 'recorded']);
    await client.runTo('entry');
    expect(await client.read('Locals', ['book'])).toEqual({ entries: expect.any(String), length: '2' });
    expect(await client.read('Locals', ['book', 'entries'])).toEqual({ '[0]': '5', '[1]': '0' });
    expect(await client.read('Locals', [], 1)).toMatchObject({ i: '1' });
    await client.runTo('returnSum');
    expect(await client.evaluate('sum')).toBe('14');
    expect(await client.evaluate('values[1] + values.length')).toBe('10');
  });

  test('arrays, bytes and strings', async () => {
    const pairs = [
      { left: 3n, right: ' world' },
      { left: 4n, right: 'x' },
    ];
    const run = chain().deploy('Lists').traceCall('Lists', 'fill', [pairs, '0xff01', 'hello']);
    expect(await open(run)).toEqual(['entry', 'firstPair']);
    await client.runTo('size');
    expect(await client.read('Locals')).toMatchObject({ data: '0xff01', word: '"hello"', joined: '0xff0168656c6c6f' });
    expect(await client.read('Locals', ['first'])).toEqual({ left: '3', right: '" world"' });
    expect(await client.read('Locals', ['lefts'])).toEqual({ '[0]': '3', '[1]': '4' });
    expect(await client.read('Locals', ['pairs', '[1]'])).toEqual({ left: '4', right: '"x"' });
    expect(await client.read('State Variables')).toMatchObject({ text: '"hello world"' });
    expect(await client.read('State Variables', ['small'])).toEqual({ '[0]': '0', '[1]': '255', '[2]': '0' });
    expect(await client.read('State Variables', ['nested', '[0]'])).toEqual({ '[0]': '3', '[1]': '4' });
    expect(await client.evaluate('nested[0][1] + pairs[0].left')).toBe('7');
  });

  test('control flow, forward and back', async () => {
    expect(await open(chain().deploy('Flow').traceCall('Flow', 'run', [3n]))).toEqual(['entry', 'i']);
    const round = ['doBody', 'continue', 'break', 'flowSum', 'doWhile'];
    const path = [...round, 'doBody', 'continue', 'continue', 'doWhile', ...round, 'bonus'];
    expect(await client.places(client.next, path.length)).toEqual(path);
    expect(await client.places(client.stepBack, path.length)).toEqual([...path.toReversed().slice(1), 'i']);
    await client.runTo('result');
    expect(await client.read('Locals')).toEqual({ n: '3', sum: '5', i: '3', bonus: '0' });
  });

  test('a ternary that calls a function of the file', async () => {
    await open(chain().deploy('Flow').traceCall('Flow', 'run', [5n]));
    await client.runTo('bonus');
    expect(await client.stepIn()).toEqual(['step', 'half']);
    expect(await client.frames()).toEqual(['half', 'Flow.run']);
    expect(await client.read('Locals')).toMatchObject({ value: '8' });
    expect(await client.stepOut()).toEqual(['step', 'bonus']);
  });

  test('recursion', async () => {
    await open(chain().deploy('Flow').traceCall('Flow', 'factorial', [4n]));
    await client.runTo('base');
    const line = { line: client.lineOf('base'), condition: 'n == 1' };
    await client.dap.setBreakpointsRequest({ source: { path: '/project/contracts/Walk.sol' }, breakpoints: [line] });
    expect(await client.continue()).toEqual(['breakpoint', 'base']);
    expect(await client.frames()).toEqual(Array.from({ length: 4 }, () => 'Flow.factorial'));
    expect(await client.read('Locals', [], 2)).toMatchObject({ n: '3' });
    expect(await client.stepOut()).toEqual(['step', 'rest']);
    expect(await client.next()).toEqual(['step', 'product']);
    expect(await client.read('Locals')).toMatchObject({ n: '2', rest: '1' });
  });

  test('failures that are caught, and one that is not', async () => {
    await open(chain().deploy('Caller').traceCall('Caller', 'tryAll', [4n]));
    await client.dap.setExceptionBreakpointsRequest({ filters: ['reverts', 'caughtReverts'] });
    expect(await client.places(client.continue, 3)).toEqual(['kindOne', 'kindTwo', 'refused']);
    expect(await client.frames()).toEqual(['Caller.check', 'Caller.tryAll']);
    expect(await client.continue()).toEqual(['exception', 'tooMany']);
    // "one", panic 0x12, and the 68 bytes of Refused.
    expect(await client.read('Locals')).toEqual({ caught: `${3 + 18 + 68}` });
  });

  test('types of the user, function pointers, assembly and transient storage', async () => {
    const run = chain().deploy('Tools').traceCall('Tools', 'use', [21n, true, -3n]);
    expect(await open(run)).toEqual(['entry', 'lock']);
    expect(await client.places(client.next, 4)).toEqual(['price', 'balanceSet', 'op', 'apply']);
    expect(await client.read('Locals')).toMatchObject({ next: '21', isDouble: 'true', change: '-3' });
    const state = await client.read('State Variables');
    expect(state).toMatchObject({ price: '21', lock: '1', balance: '-8', owner: ALICE });
    expect(await client.stepIn()).toEqual(['step', 'double']);
    expect(await client.stepOut()).toEqual(['step', 'apply']);
    await client.runTo('returnValue');
    expect(await client.read('Locals')).toMatchObject({ value: '85' });
    expect(await client.read('State Variables')).toMatchObject({ lock: '0' });
    const { body } = await client.dap.customRequest('dataBreakpointInfo', { name: 'price' });
    await client.dap.customRequest('setDataBreakpoints', { breakpoints: [{ dataId: body.dataId }] });
    expect(await client.reverse()).toEqual(['data breakpoint', 'price']);
    expect(await client.evaluate('price')).toBe('0');
  });
});
