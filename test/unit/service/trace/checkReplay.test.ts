// A replay counts only when it did everything that the receipt has.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { findDifference } from '../../../../src/service/trace/checkReplay.ts';
import type { Replay } from '../../../../src/service/trace/replay/replayTransaction.ts';

const CONTRACT: Hex = `0x${'ab'.repeat(20)}`;
const TOPIC: Hex = `0x${'01'.repeat(32)}`;
const frame = (index: number, status: 'success' | 'reverted', output: readonly number[] = []) => ({
  ...{ index, parent: index - 1, status, output: new Uint8Array(output) },
});
/** Its second call reverted, and emitted a log before. */
const replay = {
  ...{ gasUsed: 21_500n, isSuccessful: true, createdAddress: null },
  frames: [frame(0, 'success', [1, 2]), frame(1, 'reverted')],
  logs: [
    { frame: 0, step: 4, address: CONTRACT, topics: [TOPIC], data: new Uint8Array([9]) },
    { frame: 1, step: 9, address: CONTRACT, topics: [], data: new Uint8Array() },
  ],
} as unknown as Replay;
const log = { address: CONTRACT.toUpperCase().replace('0X', '0x'), topics: [TOPIC], data: '0x09' };
const receipt = { gasUsed: '0x53fc', status: '0x1', logs: [log], contractAddress: null };

test.each([
  ['nothing', receipt, null, null],
  ['nothing, with what a tracer says was returned', receipt, '0x0102', null],
  ['nothing before receipts had a status', { ...receipt, status: undefined }, null, null],
  ['gas', { ...receipt, gasUsed: '0x53fd' }, null, 'gas'],
  ['the status', { ...receipt, status: '0x0' }, null, 'status'],
  ['the number of logs', { ...receipt, logs: [] }, null, 'logs'],
  ['the data of a log', { ...receipt, logs: [{ ...log, data: '0x08' }] }, null, 'logs'],
  ['a topic', { ...receipt, logs: [{ ...log, topics: [] }] }, null, 'logs'],
  ['the contract of a log', { ...receipt, logs: [{ ...log, address: `0x${'00'.repeat(20)}` }] }, null, 'logs'],
  ['what it returned', receipt, '0x0103', 'returnData'],
] as const)('finds that %s differs', (_, wire, returnData, expected) => {
  expect(findDifference(replay, wire, returnData)).toBe(expected);
});

test('finds that another contract was created', () => {
  const created = { ...replay, createdAddress: CONTRACT };
  expect(findDifference(created, { ...receipt, contractAddress: CONTRACT }, null)).toBeNull();
  expect(findDifference(created, { ...receipt, contractAddress: `0x${'cd'.repeat(20)}` }, null)).toBe('contract');
});
