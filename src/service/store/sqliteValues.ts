// Native values of transactions, added to transfers of the SQLite index that were stored without them.
import type { Hex } from '../../base/hex.ts';
import { unpackHex } from './encoding.ts';
import type { TransactionValue } from './rows.ts';
import type { SqliteConnection } from './sqlite/connection.ts';

/** The rows of a block stand together: those from its first up to the first of the block behind it. */
const WITHOUT_VALUE = `
  SELECT id, tx FROM transfer
  WHERE id >= (SELECT first_transfer FROM block WHERE number = ?1)
    AND id < ifnull((SELECT first_transfer FROM block WHERE number > ?1 ORDER BY number LIMIT 1), 9007199254740991)
    AND block = ?1 AND value IS NULL`;

export function writeTransactionValues(connection: SqliteConnection, values: readonly TransactionValue[]): void {
  const blocks = Map.groupBy(values, ({ blockNumber }) => blockNumber);
  if (blocks.size === 0) return;
  connection.writeTransaction(() => {
    for (const [block, noted] of blocks) {
      const byHash = new Map<Hex, bigint>(noted.map(({ transactionHash, value }) => [transactionHash, value]));
      for (const { id, tx } of connection.all<{ id: number; tx: Uint8Array }>(WITHOUT_VALUE, block)) {
        const value = byHash.get(unpackHex(tx));
        if (value !== undefined) connection.run('UPDATE transfer SET value = ? WHERE id = ?', value.toString(), id);
      }
    }
  });
}
