// The extension rejects what is not a message of the protocol; the page ignores what others post to it.
import { describe, expect, test } from 'vitest';
import { CallChannel } from '../../../src/base/callChannel.ts';
import type { ExtensionInterface, PageInterface } from '../../../src/protocol/messages.ts';
import { parsePageMessage } from '../../../src/protocol/parsePageMessage.ts';

const hash = `0x${'ab'.repeat(32)}`;
const target = { kind: 'transaction', chain: 'local', hash };
const address = `0x${'cd'.repeat(20)}`;
const contract = { kind: 'address', chain: 'local', address };
const call = (method: string, params: unknown, id = 1) => ({ type: 'call', id, method, params });
const notify = (method: string, params: unknown) => ({ type: 'notify', method, params });

describe('the extension', () => {
  const valid: readonly unknown[] = [
    notify('ready', null),
    call('operation', { target, include: ['logs'] }),
    call('blocks', { chain: 'local', before: null, count: 25 }),
    notify('navigate', { target, where: 'side' }),
    call('lookUp', { chain: 'local', text: '12' }, 2),
    call('contractFunctions', { chain: 'local', address, declared: ['f() returns (bool)'] }),
    call('readContract', { chain: 'local', address, block: '12', calls: [{ signature: 'f(uint256)', args: ['1'] }] }),
    notify('navigate', { target: { ...contract, call: { signature: 'f(uint256)', args: ['1'] } }, where: 'here' }),
    notify('debug', { chain: 'local', hash, frame: 2 }),
    notify('debug', { chain: 'local', simulation: { from: address, to: address, data: '0x12345678' }, frame: null }),
    notify('pauseTask', { task: 'index eth' }),
    notify('watch', { address: `0x${'12'.repeat(20)}`, topic0: `0x${'34'.repeat(32)}`, event: null, chain: 'local' }),
    notify('exportRows', { format: 'csv', name: 'x', table: new ArrayBuffer(4), incompleteTarget: null }),
  ];
  test.each(valid)('accepts %j', message => expect(parsePageMessage(message)).toMatchObject(message as object));

  test('rebuilds targets and drops whatever else the page sent with them', () => {
    const message = notify('navigate', { target: { ...target, command: 'rm', chain: '0x7a69' }, where: 'here' });
    expect(parsePageMessage({ ...message, extra: 1 })).toEqual(
      notify('navigate', { target: { kind: 'transaction', chain: '0x7a69', hash }, where: 'here' }),
    );
  });

  const invalid: readonly unknown[] = [
    null,
    'ready',
    [],
    { type: 'constructor' },
    { type: '__proto__' },
    call('constructor', {}),
    notify('__proto__', {}),
    call('raw', { target }, -1),
    call('raw', { target: { ...target, hash: '0x12' } }),
    call('blocks', { chain: 'local', before: null, count: 5_000 }),
    call('operation', { target: { kind: 'operation', operation: 'toString', parameters: {} } }),
    call('decode', { kind: 'log', log: { chain: 'local', address: '0x', topics: [1], data: '0x' } }),
    notify('navigate', { target, where: 'https://example.com' }),
    call('contractFunctions', { chain: 'local', address, declared: 'f()' }),
    call('readContract', { chain: 'local', address, block: 'pending', calls: [] }),
    call('readContract', { chain: 'local', address, block: 'latest', calls: [{ signature: 'f()', args: [1] }] }),
    call('readContract', {
      chain: 'local',
      address,
      block: 'latest',
      calls: Array(65).fill({ signature: 'f()', args: [] }),
    }),
    notify('navigate', { target: { ...contract, call: { signature: 1, args: [] } }, where: 'here' }),
    notify('debug', { chain: 'local', hash: '0x12', frame: null }),
    notify('debug', { chain: 'local', hash, frame: -1 }),
    notify('debug', { chain: 'local', simulation: { from: '0x12', to: address, data: '0x' }, frame: null }),
    notify('goToEntry', { index: 1.5 }),
    notify('pauseTask', { task: 7 }),
    notify('watch', { address: `0x${'12'.repeat(32)}`, topic0: null, event: null, chain: null }),
    notify('copyCommand', { form: 'rm -rf', target }),
    notify('open', { what: 'workbench.action.terminal.new' }),
    notify('exportRows', { format: 'exe', name: 'x', table: new ArrayBuffer(1) }),
    notify('exportRows', { format: 'csv', name: 'x', table: 'text' }),
    call('lookUp', { chain: 'local', text: 12 }),
  ];
  test.each(invalid)('rejects %j', message => expect(parsePageMessage(message)).toBeNull());
});

describe('the page', () => {
  const received: unknown[] = [];
  const channel = new CallChannel<PageInterface, ExtensionInterface>({
    post: () => {},
    calls: {},
    notifications: {
      state: state => received.push(state),
      artifactsChanged: () => received.push('artifactsChanged'),
      namesLearned: () => received.push('namesLearned'),
      chainEvent: event => received.push(event),
      progress: progress => received.push(progress),
    },
  });

  test.each([undefined, 'setImmediate$0.5', {}, { type: 'toString', id: 1 }, { type: 'webpackOk' }])(
    'ignores %j, which is no message of the extension',
    message => {
      channel.receive(message);
      expect(received).toEqual([]);
    },
  );

  test('ignores the parts and the end of a call that it did not make', () => {
    channel.receive({ type: 'part', id: 3, part: { bytes: new ArrayBuffer(1) } });
    channel.receive({ type: 'done', id: 3 });
    expect(received).toEqual([]);
  });
});
