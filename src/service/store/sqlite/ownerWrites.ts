// Updates the owners of the SQLite index transfer by transfer: the last recipient, or exact ERC-1155 balances.
import type { SQLInputValue } from 'node:sqlite';
import { packInteger, packStandard, unpackInteger } from '../encoding.ts';
import type { NftStandard } from '../rows.ts';
import { BulkStatement, toTuples } from './bulkStatement.ts';
import type { SqliteConnection } from './connection.ts';
import { ZERO_ADDRESS_ID } from './schema.ts';

/** A transfer of one id, with addresses as their ids; `id` is the row id of the transfer. */
export interface InternedMove {
  readonly id: number;
  readonly block: number;
  readonly token: number;
  readonly tokenId: bigint;
  readonly standard: NftStandard;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: bigint;
}

const OWNER_COLUMNS = 'owner (token, token_id, slot, standard, holder, amount, changed, minted)';

/**
 * Slot 0: the sole owner with the amount 1, or of an ERC-1155 id only its first mint, with the amount 0. A transfer to the present
 * owner leaves `changed` as it is. The row of a burned id stays, because it has the first mint.
 */
const SOLE_OWNER = {
  into: OWNER_COLUMNS,
  columns: 8,
  conflict: `ON CONFLICT DO UPDATE SET
    changed = iif(excluded.amount = 0 OR holder = excluded.holder, changed, excluded.changed),
    standard = iif(excluded.amount = 0, standard, excluded.standard),
    holder = iif(excluded.amount = 0, holder, excluded.holder),
    amount = iif(excluded.amount = 0, amount, 1),
    minted = coalesce(minted, excluded.minted)`,
};

const SHARE = {
  into: OWNER_COLUMNS,
  columns: 8,
  conflict: 'ON CONFLICT DO UPDATE SET amount = excluded.amount, changed = excluded.changed',
};

const DELETE_SHARE = 'DELETE FROM owner WHERE token = ? AND token_id = ? AND slot = ?';

/** Shares that one statement looks for: a statement for each takes ten times as long. */
const SHARES_PER_READ = 64;
/** Transfers that wait for the shares which they change to be read. */
const MAX_PENDING_MOVES = 10_000;

/** Looks up rows of values: number, token, id and slot. */
const toShareRead = (rows: number) => `
  WITH wanted (number, token, token_id, slot) AS (VALUES ${toTuples(rows, 4)})
  SELECT wanted.number, o.amount FROM wanted CROSS JOIN owner AS o
    ON o.token = wanted.token AND o.token_id = wanted.token_id AND o.slot = wanted.slot`;

/** An ERC-1155 balance that is not written yet. */
interface Share {
  readonly token: number;
  readonly tokenId: bigint;
  readonly owner: number;
  stored: bigint;
  amount: bigint;
  /** Row id of the last transfer that changed the balance; 0 when none did. */
  changed: number;
}

/** A transfer whose balances may not be read yet; that of the zero address is `null`. */
interface PendingMove extends Pick<InternedMove, 'id' | 'amount'> {
  readonly from: Share | null;
  readonly to: Share | null;
}

/** For use within one write transaction. */
export function createOwnerWriter(connection: SqliteConnection) {
  const soleOwners = new BulkStatement(connection, SOLE_OWNER);
  const shares = new Map<string, Share>();
  const mintedKeys = new Set<string>();
  let pending: PendingMove[] = [];
  let unread: Share[] = [];

  const findShare = ({ token, tokenId }: InternedMove, owner: number): Share | null => {
    if (owner === ZERO_ADDRESS_ID) return null;
    const key = getShareKey(token, tokenId, owner);
    let share = shares.get(key);
    if (share === undefined) {
      share = { token, tokenId, owner, stored: 0n, amount: 0n, changed: 0 };
      shares.set(key, share);
      unread.push(share);
    }
    return share;
  };
  const change = (share: Share | null, id: number, difference: bigint) => {
    if (share === null) return;
    // A contract may move tokens whose mint it never logged: a balance never falls below zero.
    const after = share.amount + difference > 0n ? share.amount + difference : 0n;
    if (after === share.amount) return;
    share.amount = after;
    share.changed = id;
  };
  const applyPending = () => {
    readShares(connection, unread);
    for (const { id, amount, from, to } of pending) {
      change(from, id, -amount);
      change(to, id, amount);
    }
    unread = [];
    pending = [];
  };
  const addFirstMint = ({ id, block, token, tokenId }: InternedMove) => {
    const key = getShareKey(token, tokenId, ZERO_ADDRESS_ID);
    if (mintedKeys.has(key)) return;
    mintedKeys.add(key);
    soleOwners.add(token, packInteger(tokenId), 0, packStandard('ERC1155'), ZERO_ADDRESS_ID, 0n, id, block);
  };

  return {
    /** To be called in the order of the chain. */
    add(move: InternedMove) {
      const { id, block, token, tokenId, standard, sender, recipient, amount } = move;
      const isMint = sender === ZERO_ADDRESS_ID;
      if (standard !== 'ERC1155') {
        const minted = isMint && recipient !== ZERO_ADDRESS_ID ? block : null;
        soleOwners.add(token, packInteger(tokenId), 0, packStandard(standard), recipient, 1n, id, minted);
        return;
      }
      if (sender === recipient || amount === 0n) return;
      if (isMint) addFirstMint(move);
      pending.push({ id, amount, from: findShare(move, sender), to: findShare(move, recipient) });
      if (pending.length === MAX_PENDING_MOVES) applyPending();
    },
    /** Writes what is pending; to be called before the transaction ends. */
    flush() {
      applyPending();
      soleOwners.flush();
      writeShares(connection, shares.values());
      shares.clear();
      mintedKeys.clear();
    },
  };
}

const getShareKey = (token: number, tokenId: bigint, owner: number): string => `${token} ${tokenId} ${owner}`;

/** Sets the amounts of those that are stored. */
function readShares(connection: SqliteConnection, shares: readonly Share[]): void {
  for (let start = 0; start < shares.length; start += SHARES_PER_READ) {
    const values: SQLInputValue[] = [];
    for (let index = start; index < start + SHARES_PER_READ; index++) {
      const share = shares[index];
      // The statement has one length: nothing has the token 0.
      if (share === undefined) values.push(index, 0, 0, 0);
      else values.push(index, share.token, packInteger(share.tokenId), share.owner);
    }
    const found = connection.all<{ number: number; amount: number | Uint8Array }>(READ_SHARES, ...values);
    for (const { number, amount } of found) {
      const share = shares[number];
      if (share !== undefined) share.amount = share.stored = unpackInteger(amount);
    }
  }
}

const READ_SHARES = toShareRead(SHARES_PER_READ);

function writeShares(connection: SqliteConnection, shares: Iterable<Share>): void {
  const statement = new BulkStatement(connection, SHARE);
  const standard = packStandard('ERC1155');
  for (const { token, tokenId, owner, stored, amount, changed } of shares) {
    if (changed === 0) continue;
    if (amount > 0n)
      statement.add(token, packInteger(tokenId), owner, standard, owner, packInteger(amount), changed, null);
    else if (stored > 0n) connection.run(DELETE_SHARE, token, packInteger(tokenId), owner);
  }
  statement.flush();
}
