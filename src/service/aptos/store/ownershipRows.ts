// Owners of tokens: the last change of each in a batch is written, in the order of the table.
import { BulkStatement } from '../../store/sqlite/bulkStatement.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { OwnershipChange } from '../processors/tokenOwnershipProcessor.ts';
import { encodeTokenProperties } from './aptosEncoding.ts';
import type { IdTables } from './idTables.ts';
import type { TokenRowId } from './tokenRows.ts';

interface Change {
  readonly token: TokenRowId;
  readonly propertyVersion: string;
  /** `null` where an object has no owner any more. */
  readonly owner: number | null;
  readonly amount: bigint;
  readonly properties: string | null;
  readonly version: number;
  readonly time: number;
}

/** Objects that one statement deletes the owners of. */
const OBJECTS_PER_DELETE = 32;
const DELETE_OWNERS = `DELETE FROM ownership WHERE token IN (${Array(OBJECTS_PER_DELETE).fill('?').join()})`;
const DELETE_SHARE = 'DELETE FROM ownership WHERE token = ? AND property_version = ? AND owner = ?';

/** For use within a write transaction. */
export class OwnershipRows {
  readonly #connection: SqliteConnection;
  readonly #accounts: IdTables['accounts'];
  readonly #rows: BulkStatement;
  /** By token id: an object has only one owner. */
  readonly #objects = new Map<number, Change>();
  /** By token, property version and owner. */
  readonly #shares = new Map<string, Change>();

  constructor(connection: SqliteConnection, { accounts }: IdTables) {
    this.#connection = connection;
    this.#accounts = accounts;
    this.#rows = new BulkStatement(connection, { into: 'ownership', columns: 8 });
  }

  add(row: OwnershipChange, token: TokenRowId, version: bigint, time: number): void {
    const change = {
      token,
      propertyVersion: row.propertyVersion.toString(),
      owner: row.ownerAddress === null ? null : this.#accounts.intern(row.ownerAddress),
      amount: row.amount,
      properties: encodeTokenProperties(row.tokenProperties),
      version: Number(version),
      time,
    };
    if (row.tokenStandard === 'v2') this.#objects.set(token.id, change);
    else if (change.owner !== null) this.#shares.set(`${token.id} ${change.propertyVersion} ${change.owner}`, change);
  }

  /** Must be called before the write transaction ends. */
  flush(): void {
    const objects = [...this.#objects.values()].sort(byToken);
    const shares = [...this.#shares.values()].sort(byToken);
    this.clear();
    for (let start = 0; start < objects.length; start += OBJECTS_PER_DELETE) {
      // The statement has one length: no row has the token NULL.
      const ids = Array.from({ length: OBJECTS_PER_DELETE }, (_, index) => objects[start + index]?.token.id ?? null);
      this.#connection.run(DELETE_OWNERS, ...ids);
    }
    for (const { token, propertyVersion, owner } of shares)
      this.#connection.run(DELETE_SHARE, token.id, propertyVersion, owner);
    for (const change of [...objects, ...shares]) this.#write(change);
    this.#rows.flush();
  }

  /** Drops what is not written, after a rollback. */
  clear(): void {
    this.#objects.clear();
    this.#shares.clear();
    this.#rows.clear();
  }

  #write({ token, propertyVersion, owner, amount, properties, version, time }: Change): void {
    if (owner === null || amount === 0n) return;
    const { id, collectionId } = token;
    this.#rows.add(id, propertyVersion, owner, collectionId, amount.toString(), properties, version, time);
  }
}

const byToken = (a: Change, b: Change): number => a.token.id - b.token.id;
