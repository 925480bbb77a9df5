// Owners computed from transfers, independently of the index.
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import type { OwnerRow, TransferRow } from '../../src/service/store/rows.ts';

/** Who owns what after these transfers (newest first), worked out in the plainest way. */
export function computeOwners(transfers: readonly TransferRow[]): readonly string[] {
  const balances = new Map<string, bigint>();
  const holders = new Map<string, Hex>();
  const key = (row: TransferRow, owner: Hex) => `${row.tokenAddress} ${row.tokenId} ${owner}`;
  for (const row of transfers.toReversed()) {
    const id = `${row.tokenAddress} ${row.tokenId}`;
    if (row.standard !== 'ERC1155') {
      const before = holders.get(id);
      if (before !== undefined) balances.delete(key(row, before));
      holders.set(id, row.to);
      balances.set(key(row, row.to), 1n);
    } else if (row.from !== row.to) {
      const left = (balances.get(key(row, row.from)) ?? 0n) - row.amount;
      balances.set(key(row, row.from), left > 0n ? left : 0n); // the log cannon transfers amounts that no owner has
      balances.set(key(row, row.to), (balances.get(key(row, row.to)) ?? 0n) + row.amount);
    }
  }
  return [...balances]
    .filter(([holding, amount]) => amount > 0n && !holding.endsWith(ZERO_ADDRESS))
    .map(([holding, amount]) => `${holding} ${amount}`)
    .sort();
}

/** The same of a row of the index. */
export const toOwnerLine = (row: OwnerRow) => `${row.tokenAddress} ${row.tokenId} ${row.owner} ${row.amount}`;
