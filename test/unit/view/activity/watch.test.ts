// What is watched: validation of stored watches and of arguments, and how many there can be.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import {
  changeWatches,
  MAX_WATCHES,
  parseEntryChains,
  parseWatch,
  type Watch,
} from '../../../../src/view/activity/watch.ts';

const createWatch = (id: number): Watch => ({
  address: `0x${id.toString(16).padStart(40, '0')}`,
  topic0: null,
  event: null,
  chain: null,
});
const TOPIC: Hex = `0x${'AB'.repeat(32)}`;

test('takes an address, and one event of it', () => {
  const { address } = createWatch(1);
  expect(parseWatch({ address })).toEqual(createWatch(1));
  expect(parseWatch({ address, topic0: null })).toEqual(createWatch(1));
  expect(parseWatch({ address, topic0: TOPIC, event: 'Paid', chain: 'local' })).toEqual({
    ...{ address, topic0: TOPIC.toLowerCase(), event: 'Paid', chain: 'local' },
  });
});

test.each(['', '0x', `${TOPIC}00`, 7, [TOPIC]])(
  'rejects the topic %j instead of watching the whole address',
  topic0 => {
    expect(parseWatch({ ...createWatch(1), topic0 })).toBeNull();
  },
);

test('has no room for more than the maximum, and keeps all it has', () => {
  const full = Array.from({ length: MAX_WATCHES }, (_, id) => createWatch(id));
  expect(changeWatches(full, createWatch(MAX_WATCHES), true)).toBe(full);
  const [first, ...others] = full;
  expect(changeWatches(full, first as Watch, false)).toEqual(others);
  expect(changeWatches(others, createWatch(MAX_WATCHES), true)).toHaveLength(MAX_WATCHES);
});

test('chains of removed entries are read again as they were stored', () => {
  const stored = new Map([
    ['0xaa', ['eth', 'base']],
    ['0xbb', null],
  ]);
  expect(parseEntryChains(JSON.parse(JSON.stringify(Object.fromEntries(stored))))).toEqual(stored);
  expect([...parseEntryChains({ '0xaa': 'eth', '0xbb': [1], '0xcc': [] }).keys()]).toEqual(['0xcc']);
  expect(parseEntryChains(undefined).size).toBe(0);
});
