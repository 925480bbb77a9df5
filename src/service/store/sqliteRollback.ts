// Takes blocks back out of the SQLite index, and works out the owners of what they touched from the transfers that stay.
import { unpackNftStandard } from './encoding.ts';
import type { SqliteConnection } from './sqlite/connection.ts';
import { createOwnerWriter } from './sqlite/ownerWrites.ts';

interface Starts {
  readonly transfer: number;
  readonly mint: number;
  readonly trade: number;
}

interface Kept {
  readonly id: number;
  readonly block: number;
  readonly standard: number;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: string;
}

const STARTS = `
  SELECT first_transfer AS transfer, first_mint AS mint, first_trade AS trade
  FROM block WHERE number > ? ORDER BY number LIMIT 1`;

const KEPT = `
  SELECT id, block, standard, sender, recipient, amount
  FROM transfer INDEXED BY transfer_token_id WHERE token = ? AND token_id = ? ORDER BY id`;

/** Everything above `block`; nothing happens when there is nothing above it. Needs the secondary indexes. */
export function rollBackTo(connection: SqliteConnection, block: number): void {
  connection.writeTransaction(() => {
    const starts = connection.get<Starts>(STARTS, block);
    if (starts === undefined) return;
    const touched = connection.all<{ token: number; token_id: Uint8Array }>(
      // Else SQLite reads the whole index of ids, which names each only once.
      'SELECT DISTINCT token, token_id FROM transfer NOT INDEXED WHERE id >= ?',
      starts.transfer,
    );
    for (const table of ['transfer', 'mint', 'trade'] as const)
      connection.run(`DELETE FROM ${table} WHERE id >= ?`, starts[table]);
    connection.run('DELETE FROM block WHERE number > ?', block);
    connection.run('DELETE FROM token WHERE seen > ?', block);
    for (const { token, token_id: tokenId } of touched) {
      connection.run('DELETE FROM owner WHERE token = ? AND token_id = ?', token, tokenId);
      const owners = createOwnerWriter(connection);
      for (const { standard, amount, ...row } of connection.iterate<Kept>(KEPT, token, tokenId))
        owners.add({
          ...row,
          token,
          tokenId,
          standard: unpackNftStandard(standard),
          amount: BigInt(amount),
        });
      owners.flush();
    }
  });
}
