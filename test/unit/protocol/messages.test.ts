// Both ends of a panel refuse what is no message of theirs, whatever came.
import { describe, expect, test } from 'vitest';
import { parseExtensionMessage } from '../../../src/protocol/parseExtensionMessage.ts';
import { parsePageMessage } from '../../../src/protocol/parsePageMessage.ts';

const hash = `0x${'ab'.repeat(32)}`;
const target = { kind: 'transaction', chain: 'local', hash };

describe('the host', () => {
  const right: readonly unknown[] = [
    { type: 'hello' },
    { type: 'ask', id: 1, question: { kind: 'operation', target, include: ['logs'] } },
    { type: 'ask', id: 1, question: { kind: 'blocks', chain: 'local', before: null, count: 25 } },
    { type: 'navigate', target, where: 'side' },
    { type: 'find', id: 2, chain: 'local', text: '12' },
    { type: 'pause', task: 'index eth' },
    { type: 'export', format: 'csv', name: 'x', table: new ArrayBuffer(4), growing: null },
  ];
  test.each(right)('takes %j', message => expect(parsePageMessage(message)).toMatchObject(message as object));

  test('rebuilds targets: nothing else of what the page sent goes on', () => {
    const read = parsePageMessage({
      type: 'navigate',
      target: { ...target, command: 'rm', chain: '0x7a69' },
      where: 'here',
    });
    expect(read).toEqual({ type: 'navigate', target: { kind: 'transaction', chain: '0x7a69', hash }, where: 'here' });
  });

  const wrong: readonly unknown[] = [
    null,
    'hello',
    [],
    { type: 'constructor' },
    { type: '__proto__' },
    { type: 'ask', id: -1, question: { kind: 'raw', target } },
    { type: 'ask', id: 1, question: { kind: 'raw', target: { ...target, hash: '0x12' } } },
    { type: 'ask', id: 1, question: { kind: 'blocks', chain: 'local', before: null, count: 5_000 } },
    {
      type: 'ask',
      id: 1,
      question: { kind: 'operation', target: { kind: 'operation', operation: 'toString', parameters: {} } },
    },
    { type: 'ask', id: 1, question: { kind: 'log', log: { chain: 'local', address: '0x', topics: [1], data: '0x' } } },
    { type: 'navigate', target, where: 'https://example.com' },
    { type: 'go', to: 1.5 },
    { type: 'pause', task: 7 },
    { type: 'copyCommand', form: 'rm -rf', target },
    { type: 'act', action: 'workbench.action.terminal.new' },
    { type: 'export', format: 'exe', name: 'x', table: new ArrayBuffer(1) },
    { type: 'export', format: 'csv', name: 'x', table: 'text' },
    { type: 'find', id: 1, chain: 'local', text: 'x'.repeat(1_000) },
  ];
  test.each(wrong)('refuses %j', message => expect(parsePageMessage(message)).toBeNull());
});

describe('the page', () => {
  const wrong: readonly unknown[] = [
    undefined,
    { type: 'show' },
    { type: 'toString', id: 1 },
    {
      type: 'work',
      work: { task: 'x', what: 'index', chain: null, subject: null, done: '1', total: 2, running: true },
    },
    { type: 'done' },
    { type: 'rows', id: 1, table: 'logs', bytes: 'text' },
    {
      type: 'tables',
      id: 1,
      tables: [{ name: 'x', columns: [{ key: 'a', label: 'A', kind: 'html' }] }],
      envelope: null,
      notes: [],
    },
    { type: 'fault', id: 1, fault: { code: 1 } },
    { type: 'news', chain: 'local', head: '12', problem: null, replaced: null },
  ];
  test.each(wrong)('refuses %j', message => expect(parseExtensionMessage(message)).toBeNull());

  test('takes an answer', () => {
    const message = { type: 'done', id: 3 };
    expect(parseExtensionMessage(message)).toBe(message);
  });
});
