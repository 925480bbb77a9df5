// What is watched: validation of stored watches and of arguments, and how many there can be.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { MAX_WATCHES, parseWatch, setWatched, type Watch } from '../../../../src/view/activity/watch.ts';

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
  expect(setWatched(full, createWatch(MAX_WATCHES), true)).toBe(full);
  const [first, ...others] = full;
  expect(setWatched(full, first as Watch, false)).toEqual(others);
  expect(setWatched(others, createWatch(MAX_WATCHES), true)).toHaveLength(MAX_WATCHES);
});
