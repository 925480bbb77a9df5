// Which call made which, by depth and, where that is unknown, by gas.
import { expect, test } from 'vitest';
import { type PlaceableCall, placeCalls } from '../../../src/decode/placeCalls.ts';

const own = { to: '0xa', gas: 1_000_000n };
const call = (depth: number | null, error: string | null = null): PlaceableCall => ({
  ...{ type: 'CALL', from: '0xa', to: '0xa', gas: 500_000n, gasUsed: 10n, error, depth },
});

test('places calls of a contract to itself by their depth, whatever their gas permits', () => {
  const placed = placeCalls(own, [call(1), call(2), call(1), call(2), call(3), call(2)]);
  expect(placed.map(({ parent }) => parent)).toEqual([null, 0, null, 2, 3, 2]);
});

test('a call inside one that failed is undone, one beside it is not', () => {
  const placed = placeCalls(own, [call(1, 'execution reverted'), call(2), call(1)]);
  expect(placed.map(({ isUndone }) => isUndone)).toEqual([true, true, false]);
});

test('places calls by gas where a host tells no depth', () => {
  const placed = placeCalls(own, [call(null), { ...call(null), gas: 700_000n }]);
  expect(placed.map(({ parent }) => parent)).toEqual([null, null]);
});
