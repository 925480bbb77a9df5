// The log of what is watched: what is new, reorganizations, bounds, and what a former session stored.
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import {
  type Activity,
  type ActivityLog,
  addReads,
  clearItems,
  countFound,
  countNew,
  EMPTY_LOG,
  getShownItems,
  groupFailures,
  MAX_ITEMS,
  MAX_POSITIONS,
  markSeen,
  parseActivityLog,
  removeWatch,
  resetChain,
} from '../../../../src/view/activity/activityLog.ts';

const toHash = (id: number): Hex => `0x${id.toString(16).padStart(64, '0')}`;
const block = (number: number, branch = 'a') => ({ number, hash: `${branch}${number}` });

const activity = (id: number, blockNumber: number): Activity => ({
  chain: 'local',
  hash: toHash(id),
  blockNumber,
  time: blockNumber * 1_000,
  from: null,
  to: null,
  what: `${id} ETH`,
  method: '',
  isFailed: false,
  icon: 'arrow-swap',
  color: null,
});

/** Reads the blocks after `from` up to `to` for one watch. */
const read = (log: ActivityLog, from: number | null, to: number, activities: readonly Activity[], key = 'alice') =>
  addReads(log, 'local', [{ key, from: from === null ? null : block(from), to: block(to), activities }]);

const shown = (log: ActivityLog) => getShownItems(log).map(({ hash, state }) => `${Number(hash)} ${state}`);

/** Alice is watched from block 5 on, and has 1 in block 6 and 2 in block 7. */
const withTwo = () => read(read(EMPTY_LOG, null, 5, []), 5, 7, [activity(2, 7), activity(1, 6)]);

test('shows what is new, the newest first, and counts it until it was seen', () => {
  const log = withTwo();
  expect(shown(log)).toEqual(['2 new', '1 new']);
  expect(countNew(log)).toBe(2);
  const seen = markSeen(log);
  expect(shown(seen)).toEqual(['2 seen', '1 seen']);
  expect(countNew(read(seen, 7, 8, [activity(3, 8)]))).toBe(1);
});

test('shows a transaction of two watches once, and keeps it while one of them is left', () => {
  const log = read(read(withTwo(), null, 5, [], 'bob'), 5, 7, [activity(1, 6)], 'bob');
  expect(shown(log)).toEqual(['2 new', '1 new']);
  const withoutAlice = removeWatch(log, 'alice');
  expect(shown(withoutAlice)).toEqual(['1 new']);
  expect(shown(removeWatch(withoutAlice, 'bob'))).toEqual([]);
  expect(withoutAlice.positions['local']).not.toHaveProperty('alice');
});

describe('a reorganization', () => {
  test('removes what no longer exists', () => {
    expect(shown(read(withTwo(), 6, 7, []))).toEqual(['1 new']);
  });

  test('reports nothing twice that is mined again in another block, at once or later', () => {
    const seen = markSeen(withTwo());
    expect(shown(read(seen, 5, 8, [activity(1, 7), activity(2, 8)]))).toEqual(['2 seen', '1 seen']);
    const undone = read(seen, 5, 6, []);
    expect(shown(undone)).toEqual([]);
    expect(shown(read(undone, 6, 9, [activity(2, 9)]))).toEqual(['2 seen']);
    // Nor when another watch ends meanwhile.
    expect(shown(read(removeWatch(undone, 'bob'), 6, 9, [activity(2, 9)]))).toEqual(['2 seen']);
  });

  test('does not bring back what was cleared', () => {
    const cleared = clearItems(withTwo());
    expect(shown(cleared)).toEqual([]);
    expect(countNew(cleared)).toBe(0);
    expect(shown(read(cleared, 5, 8, [activity(1, 6), activity(3, 8)]))).toEqual(['3 new']);
  });

  test('leaves what another watch has found below its begin', () => {
    const log = read(read(withTwo(), null, 5, [], 'bob'), 5, 7, [activity(1, 6)], 'bob');
    expect(shown(read(log, 5, 7, [], 'alice'))).toEqual(['1 new']);
  });
});

test('a chain that was reset loses its items and positions, other chains do not', () => {
  const other = addReads(withTwo(), 'eth', [
    { key: 'alice', from: block(1), to: block(2), activities: [{ ...activity(9, 2), chain: 'eth' }] },
  ]);
  const log = resetChain(other, 'local');
  expect(shown(log)).toEqual(['9 new']);
  expect(log.positions).toMatchObject({ local: {}, eth: { alice: [block(2), block(1)] } });
});

test('remembers the newest positions and the first one', () => {
  let log = read(EMPTY_LOG, null, 1, []);
  for (let head = 2; head <= 100; head++) log = read(log, head - 1, head, []);
  const positions = log.positions['local']?.['alice'] ?? [];
  expect(positions).toHaveLength(MAX_POSITIONS);
  expect(positions[0]).toEqual(block(100));
  expect(positions[1]).toEqual(block(99));
  expect(positions.at(-1)).toEqual(block(1));
});

test('positions after a reorganization continue from the block that is still there', () => {
  const log = read(read(read(EMPTY_LOG, null, 1, []), 1, 4, []), 1, 3, []);
  expect(log.positions['local']?.['alice']).toEqual([block(3), block(1)]);
});

test('has a bounded number of items', () => {
  const many = Array.from({ length: MAX_ITEMS + 50 }, (_, index) => activity(index, 1_000 - index));
  const log = read(read(EMPTY_LOG, null, 0, []), 0, 1_000, many);
  expect(getShownItems(log)).toHaveLength(MAX_ITEMS);
  expect(getShownItems(log)[0]?.blockNumber).toBe(1_000);
});

describe('what is found', () => {
  test('counts although as much was undone in the same poll', () => {
    const before = read(read(EMPTY_LOG, null, 1, []), 1, 3, [activity(1, 2), activity(2, 3)]);
    const after = read(before, 1, 3, [activity(3, 2), activity(4, 3)]);
    expect(countNew(after)).toBe(countNew(before));
    expect(countFound(before, after)).toBe(2);
  });

  test('counts in a full log too', () => {
    const many = Array.from({ length: MAX_ITEMS }, (_, at) => activity(at, 2));
    const before = read(read(EMPTY_LOG, null, 1, []), 1, 2, many);
    expect(countFound(before, read(before, 2, 3, [activity(1_000, 3)]))).toBe(1);
  });

  test('counts each wallet whose balance changed up to the same block', () => {
    const before = read(EMPTY_LOG, null, 1, []);
    const changes = ['1', '2'].map(digit => ({ ...activity(1, 2), wallet: `0x${digit.repeat(40)}` as Hex }));
    const one = read(before, 1, 2, changes.slice(0, 1));
    expect(countFound(one, read(one, 1, 2, changes))).toBe(1);
  });

  test('is not found again when it was undone and is mined once more', () => {
    const before = read(read(EMPTY_LOG, null, 1, []), 1, 2, [activity(1, 2)]);
    const undone = read(before, 1, 2, []);
    expect(countFound(undone, read(undone, 2, 3, [activity(1, 3)]))).toBe(0);
  });
});

describe('the stored log', () => {
  test('is the same when it is read again', () => {
    const log = markSeen(withTwo());
    expect(parseActivityLog(JSON.parse(JSON.stringify(log)))).toEqual(log);
  });

  test.each([undefined, null, 7, 'x', [], { items: {}, positions: [], genesis: 1 }])(
    'of another form is empty: %j',
    value => {
      expect(parseActivityLog(value)).toEqual(EMPTY_LOG);
    },
  );

  test('loses items and positions that have another form', () => {
    const [item] = withTwo().items;
    const stored = {
      items: [item, { ...item, watches: [1] }, { ...item, hash: '[x](command:y)' }, { ...item, what: null }, 3],
      positions: { local: { alice: [block(1)], bob: [{ number: 'x', hash: '' }], carol: [] }, eth: 7 },
      genesis: { local: 'g', eth: 3 },
    };
    expect(parseActivityLog(stored)).toEqual({
      items: [item],
      positions: { local: { alice: [block(1)] }, eth: {} },
      genesis: { local: 'g' },
    });
  });
});

test('failures of one function for one reason are a group where the newest is, whatever the values of their error', () => {
  const failed = (hash: Hex, reason?: string, method = 'borrow') => ({
    ...{ ...activity(1, 1), isFailed: true, method, hash },
    ...{ watches: ['a'], state: 'seen' as const },
    ...(reason !== undefined && { reason }),
  });
  const fine = { ...failed('0x05'), isFailed: false };
  const items = [
    failed('0x01', 'Reverted: TooLate(by: 5)'),
    fine,
    failed('0x02', 'Reverted: TooLate(by: 9)'),
    failed('0x03', 'Reverted: Paused()'),
    failed('0x04', 'Reverted: TooLate(by: 5)', 'repay'),
    { ...failed('0x06', 'Reverted: TooLate(by: 2)'), from: '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc' },
  ];
  expect(groupFailures(items).map(group => group.map(({ hash }) => hash))).toEqual([
    ['0x01', '0x02', '0x06'],
    ['0x05'],
    ['0x03'],
    ['0x04'],
  ]);
});
