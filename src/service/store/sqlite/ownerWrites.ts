// Owners in the SQLite index, kept in step with transfers one by one: the last recipient, or exact sums.
import { packStandard } from '../encoding.ts';
import type { NftStandard } from '../rows.ts';
import type { SqliteConnection } from './connection.ts';
import { ZERO_ADDRESS_ID } from './schema.ts';

/** What a transfer did to one id. Addresses are interned; `id` is the number of the transfer. */
export interface InternedMove {
  readonly id: number;
  readonly block: number;
  readonly token: number;
  readonly tokenId: Uint8Array;
  readonly standard: NftStandard;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: bigint;
}

/** `changed` stays when the id goes to whom it belongs; the row stays when it is burnt, and with it the first mint. */
const SINGLE = `
  INSERT INTO owner (token, token_id, slot, standard, holder, amount, changed, minted) VALUES (?, ?, 0, ?, ?, '1', ?, ?)
  ON CONFLICT DO UPDATE SET
    changed = CASE WHEN holder = excluded.holder THEN changed ELSE excluded.changed END,
    standard = excluded.standard, holder = excluded.holder, amount = '1',
    minted = coalesce(minted, excluded.minted)`;

/** The slot of an ERC-1155 id that nobody holds alone: it only keeps the first mint. */
const FIRST_MINT = `
  INSERT INTO owner (token, token_id, slot, standard, holder, amount, changed, minted) VALUES (?, ?, 0, ?, ?, '0', ?, ?)
  ON CONFLICT DO UPDATE SET minted = coalesce(minted, excluded.minted)`;

const SHARE = 'SELECT amount FROM owner WHERE token = ? AND token_id = ? AND slot = ?';

const SET_SHARE = `
  INSERT INTO owner (token, token_id, slot, standard, holder, amount, changed, minted) VALUES (?, ?, ?, ?, ?, ?, ?, NULL)
  ON CONFLICT DO UPDATE SET amount = excluded.amount, changed = excluded.changed`;

const DROP_SHARE = 'DELETE FROM owner WHERE token = ? AND token_id = ? AND slot = ?';

/** What an owner holds of an ERC-1155 id, as long as it is not written. */
interface Share {
  readonly token: number;
  readonly tokenId: Uint8Array;
  readonly owner: number;
  readonly stored: bigint;
  amount: bigint;
  /** Zero when nothing changed. */
  changed: number;
}

export interface OwnerWriter {
  /** In the order of the chain. */
  add(move: InternedMove): void;
  /** Writes what is left to write; the last thing before the transaction ends. */
  flush(): void;
}

/** For use within one write. */
export function createOwnerWriter(connection: SqliteConnection): OwnerWriter {
  const shares = new Map<string, Share>();
  const minted = new Set<string>();

  const shareOf = (key: string, token: number, tokenId: Uint8Array, owner: number): Share => {
    const of = `${key}${owner}`;
    let share = shares.get(of);
    if (share === undefined) {
      const stored = BigInt(connection.get<{ amount: string }>(SHARE, token, tokenId, owner)?.amount ?? 0);
      share = { token, tokenId, owner, stored, amount: stored, changed: 0 };
      shares.set(of, share);
    }
    return share;
  };
  const change = (share: Share, amount: bigint, id: number) => {
    // A contract that moves what it never announced: nobody can hold less than nothing.
    const after = amount > 0n ? amount : 0n;
    if (after === share.amount) return;
    share.amount = after;
    share.changed = id;
  };

  const moveShares = ({ id, block, token, tokenId, sender, recipient, amount }: InternedMove) => {
    if (sender === recipient || amount === 0n) return;
    const key = `${token} ${Buffer.from(tokenId).toString('latin1')} `;
    if (sender === ZERO_ADDRESS_ID) {
      if (!minted.has(key))
        connection.run(FIRST_MINT, token, tokenId, packStandard('ERC1155'), ZERO_ADDRESS_ID, id, block);
      minted.add(key);
    } else {
      const share = shareOf(key, token, tokenId, sender);
      change(share, share.amount - amount, id);
    }
    if (recipient === ZERO_ADDRESS_ID) return;
    const share = shareOf(key, token, tokenId, recipient);
    change(share, share.amount + amount, id);
  };

  return {
    add(move) {
      if (move.standard === 'ERC1155') return moveShares(move);
      const { id, block, token, tokenId, standard, sender, recipient } = move;
      const mintedBlock = sender === ZERO_ADDRESS_ID && recipient !== ZERO_ADDRESS_ID ? block : null;
      connection.run(SINGLE, token, tokenId, packStandard(standard), recipient, id, mintedBlock);
    },
    flush() {
      for (const { token, tokenId, owner, stored, amount, changed } of shares.values()) {
        if (changed === 0) continue;
        if (amount > 0n)
          connection.run(SET_SHARE, token, tokenId, owner, packStandard('ERC1155'), owner, amount.toString(), changed);
        else if (stored > 0n) connection.run(DROP_SHARE, token, tokenId, owner);
      }
      shares.clear();
      minted.clear();
    },
  };
}
