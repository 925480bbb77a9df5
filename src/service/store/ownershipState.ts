// Who owns one id after a run of transfers, worked out in memory: for stores that write owners in bulk.
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { LogPosition, NftStandard, TransferRow } from './rows.ts';

export interface OwnedAmount {
  readonly standard: NftStandard;
  readonly amount: bigint;
  readonly changedAt: LogPosition;
}

/** A contract that speaks two standards about one id has owners of either kind. */
export interface OwnershipState {
  readonly token: Hex;
  readonly tokenId: bigint;
  /** Block of the first mint. */
  mintedBlock: number | null;
  /** ERC-721 and CryptoPunks: one holder at most. */
  readonly soleOwner: Map<Hex, OwnedAmount>;
  /** ERC-1155. */
  readonly shares: Map<Hex, OwnedAmount>;
}

export type OwnershipMove = Pick<TransferRow, 'token' | 'tokenId' | 'standard' | 'from' | 'to' | 'amount'> &
  LogPosition;

export const serializeNftKey = ({ token, tokenId }: { readonly token: Hex; readonly tokenId: bigint }) =>
  `${token} ${tokenId}`;

export const createOwnershipState = ({
  token,
  tokenId,
}: {
  readonly token: Hex;
  readonly tokenId: bigint;
}): OwnershipState => ({
  token,
  tokenId,
  mintedBlock: null,
  soleOwner: new Map(),
  shares: new Map(),
});

function setShare(
  state: OwnershipState,
  owner: Hex,
  amount: bigint,
  standard: NftStandard,
  changed: LogPosition,
): void {
  const before = state.shares.get(owner)?.amount ?? 0n;
  // A contract that moves what it never announced: nobody can hold less than nothing.
  const after = amount > 0n ? amount : 0n;
  if (owner === ZERO_ADDRESS || after === before) return;
  if (after === 0n) state.shares.delete(owner);
  else state.shares.set(owner, { standard, amount: after, changedAt: changed });
}

/** Moves come in the order of the chain. */
export function applyMove(state: OwnershipState, move: OwnershipMove): void {
  const { standard, from, to, amount, blockNumber, logIndex, batchIndex: position } = move;
  const changed: LogPosition = { blockNumber, logIndex, batchIndex: position };
  if (standard === 'ERC1155') {
    if (from === to || amount === 0n) return;
    if (from === ZERO_ADDRESS) state.mintedBlock ??= blockNumber;
    else setShare(state, from, (state.shares.get(from)?.amount ?? 0n) - amount, standard, changed);
    setShare(state, to, (state.shares.get(to)?.amount ?? 0n) + amount, standard, changed);
    return;
  }
  if (from === ZERO_ADDRESS && to !== ZERO_ADDRESS) state.mintedBlock ??= blockNumber;
  const known = state.soleOwner.get(to);
  state.soleOwner.clear();
  // What goes to whom it belongs has not changed.
  if (to !== ZERO_ADDRESS) state.soleOwner.set(to, { standard, amount: 1n, changedAt: known?.changedAt ?? changed });
}
