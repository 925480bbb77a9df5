// Updates the owners of the SQLite index transfer by transfer: the last recipient, or exact ERC-1155 balances.
import { packStandard } from '../encoding.ts';
import type { NftStandard } from '../rows.ts';
import type { SqliteConnection } from './connection.ts';
import { ZERO_ADDRESS_ID } from './schema.ts';

/** A transfer of one id, with addresses as their ids; `id` is the row id of the transfer. */
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

/** A transfer to the present owner leaves `changed` as it is. The row of a burned id stays, because it has the first mint. */
const UPSERT_SOLE_OWNER = `
  INSERT INTO owner (token, token_id, slot, standard, holder, amount, changed, minted) VALUES (?, ?, 0, ?, ?, '1', ?, ?)
  ON CONFLICT DO UPDATE SET
    changed = CASE WHEN holder = excluded.holder THEN changed ELSE excluded.changed END,
    standard = excluded.standard, holder = excluded.holder, amount = '1',
    minted = coalesce(minted, excluded.minted)`;

/** Slot 0 of an ERC-1155 id only stores its first mint. */
const UPSERT_FIRST_MINT = `
  INSERT INTO owner (token, token_id, slot, standard, holder, amount, changed, minted) VALUES (?, ?, 0, ?, ?, '0', ?, ?)
  ON CONFLICT DO UPDATE SET minted = coalesce(minted, excluded.minted)`;

const SELECT_SHARE = 'SELECT amount FROM owner WHERE token = ? AND token_id = ? AND slot = ?';

const UPSERT_SHARE = `
  INSERT INTO owner (token, token_id, slot, standard, holder, amount, changed, minted) VALUES (?, ?, ?, ?, ?, ?, ?, NULL)
  ON CONFLICT DO UPDATE SET amount = excluded.amount, changed = excluded.changed`;

const DELETE_SHARE = 'DELETE FROM owner WHERE token = ? AND token_id = ? AND slot = ?';

/** An ERC-1155 balance that is not written yet. */
interface Share {
  readonly token: number;
  readonly tokenId: Uint8Array;
  readonly owner: number;
  readonly stored: bigint;
  amount: bigint;
  /** Row id of the last transfer that changed the balance; 0 when none did. */
  changed: number;
}

export interface OwnerWriter {
  /** To be called in the order of the chain. */
  add(move: InternedMove): void;
  /** Writes the pending balances; to be called before the transaction ends. */
  flush(): void;
}

/** For use within one write transaction. */
export function createOwnerWriter(connection: SqliteConnection): OwnerWriter {
  const shares = new Map<string, Share>();
  const mintedKeys = new Set<string>();

  const getShare = (key: string, token: number, tokenId: Uint8Array, owner: number): Share => {
    const shareKey = `${key}${owner}`;
    let share = shares.get(shareKey);
    if (share === undefined) {
      const stored = BigInt(connection.get<{ amount: string }>(SELECT_SHARE, token, tokenId, owner)?.amount ?? 0);
      share = { token, tokenId, owner, stored, amount: stored, changed: 0 };
      shares.set(shareKey, share);
    }
    return share;
  };
  const setAmount = (share: Share, amount: bigint, id: number) => {
    // A contract may move tokens whose mint it never logged: a balance never falls below zero.
    const after = amount > 0n ? amount : 0n;
    if (after === share.amount) return;
    share.amount = after;
    share.changed = id;
  };

  const addShares = ({ id, block, token, tokenId, sender, recipient, amount }: InternedMove) => {
    if (sender === recipient || amount === 0n) return;
    const key = `${token} ${Buffer.from(tokenId).toString('latin1')} `;
    if (sender === ZERO_ADDRESS_ID) {
      if (!mintedKeys.has(key))
        connection.run(UPSERT_FIRST_MINT, token, tokenId, packStandard('ERC1155'), ZERO_ADDRESS_ID, id, block);
      mintedKeys.add(key);
    } else {
      const share = getShare(key, token, tokenId, sender);
      setAmount(share, share.amount - amount, id);
    }
    if (recipient === ZERO_ADDRESS_ID) return;
    const share = getShare(key, token, tokenId, recipient);
    setAmount(share, share.amount + amount, id);
  };

  return {
    add(move) {
      if (move.standard === 'ERC1155') return addShares(move);
      const { id, block, token, tokenId, standard, sender, recipient } = move;
      const mintedBlock = sender === ZERO_ADDRESS_ID && recipient !== ZERO_ADDRESS_ID ? block : null;
      connection.run(UPSERT_SOLE_OWNER, token, tokenId, packStandard(standard), recipient, id, mintedBlock);
    },
    flush() {
      for (const { token, tokenId, owner, stored, amount, changed } of shares.values()) {
        if (changed === 0) continue;
        if (amount > 0n)
          connection.run(
            UPSERT_SHARE,
            token,
            tokenId,
            owner,
            packStandard('ERC1155'),
            owner,
            amount.toString(),
            changed,
          );
        else if (stored > 0n) connection.run(DELETE_SHARE, token, tokenId, owner);
      }
      shares.clear();
      mintedKeys.clear();
    },
  };
}
