// Statements of many rows: written in order, and undone together with their transaction.
import { expect, it } from 'vitest';
import { BulkStatement } from '../../../src/service/store/sqlite/bulkStatement.ts';
import { openConnection } from '../../../src/service/store/sqlite/connection.ts';

function openTable() {
  const connection = openConnection(':memory:', {});
  connection.exec('CREATE TABLE number (value INTEGER PRIMARY KEY, square INTEGER) STRICT');
  return {
    connection,
    rows: new BulkStatement(connection, { into: 'number', columns: 2 }),
    count: () => connection.get<{ count: number }>('SELECT count(*) AS count FROM number')?.count,
  };
}

it('writes any number of rows', () => {
  const { connection, rows, count } = openTable();
  for (let value = 0; value < 109; value++) rows.add(value, value * value);
  expect(count()).toBe(96); // three full statements
  rows.flush();
  expect(count()).toBe(109);
  expect(connection.get('SELECT square FROM number WHERE value = 108')).toEqual({ square: 11_664 });
});

it('rolls back the transaction where a row is not possible, so that SQLite needs no journal for the statement', () => {
  const { connection, rows, count } = openTable();
  connection.writeTransaction(() => connection.run('INSERT INTO number VALUES (-1, 1)'));
  const write = () =>
    connection.writeTransaction(() => {
      connection.run('INSERT INTO number VALUES (500, 1)');
      for (const value of [1, 2, 1, 3]) rows.add(value, 0);
      expect(() => rows.flush()).toThrow(/UNIQUE/);
      expect(count()).toBe(1);
      throw new Error('as every caller does');
    });
  expect(write).toThrow('as every caller does');
  expect(count()).toBe(1);
  connection.writeTransaction(() => connection.run('INSERT INTO number VALUES (2, 4)'));
  expect(count()).toBe(2);
});
