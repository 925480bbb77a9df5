// How the value of a hover differs from that of an earlier one.
import { expect, test } from 'vitest';
import { ShownValues } from '../../../../src/view/source/shownValues.ts';

test('says what a value was in an earlier block, also at the next hover', () => {
  const values = new ShownValues();
  const note = (value: string, block: number) => values.note('total', { value, block, genesisHash: '0x01' });
  expect([note('1', 5), note('2', 7), note('2', 8)]).toEqual([
    null,
    { value: '1', block: 5 },
    { value: '1', block: 5 },
  ]);
});

test('says nothing of what a chain had before it was reset, also where it is longer now', () => {
  const values = new ShownValues();
  const note = (value: string, block: number, genesisHash: string) =>
    values.note('total', { value, block, genesisHash });
  expect([note('1', 5, '0x01'), note('2', 7, '0x02'), note('3', 6, '0x02')]).toEqual([null, null, null]);
});
