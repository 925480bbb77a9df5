// Tables cross to the page in chunks, each long text once.
import { describe, expect, test } from 'vitest';
import { noHexNames } from '../../../src/protocol/hexNames.ts';
import {
  createRowPacker,
  createRowUnpacker,
  decodeJson,
  encodeJson,
  type PackedRows,
  type TableColumn,
  type TableRow,
} from '../../../src/protocol/table.ts';

const columns: readonly TableColumn[] = [
  { key: 'from', label: 'From', kind: 'address' },
  { key: 'value', label: 'Value', kind: 'coin' },
  { key: 'name', label: 'Name', kind: 'text' },
];
const addressOf = (index: number) => `0x${String(index % 7).repeat(40)}`;
const rows: readonly TableRow[] = Array.from({ length: 1_000 }, (_, index) => [
  index % 10 === 9 ? null : addressOf(index),
  String(10n ** 30n + BigInt(index)),
  index % 3 === 0 ? '__proto__' : 'a "quoted"\u202ename',
]);

describe('chunks of rows', () => {
  const packChunks = (size: number): readonly PackedRows[] => {
    const packer = createRowPacker({ name: 'rows', columns, rows });
    return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
      packer.pack(index * size, (index + 1) * size, noHexNames),
    );
  };

  test.each([1, 7, 100, 5_000])('of %i rows are unpacked as they were packed', size => {
    const unpacker = createRowUnpacker(columns);
    const arrived = packChunks(size).flatMap(chunk => unpacker.unpack(decodeJson(encodeJson(chunk)) as PackedRows));
    expect(arrived).toEqual(rows);
  });

  test('carry each long text once', () => {
    expect(packChunks(100).flatMap(({ strings }) => strings)).toHaveLength(7);
  });
});
