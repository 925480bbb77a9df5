// Who owns one id after a sequence of transfers, computed in memory, so that owners can be written in bulk.
import { type Hex, ZERO_ADDRESS } from '../../../base/hex.ts';
import type { LogPosition } from '../logPosition.ts';
import type { NftKey, NftStandard, TransferRow } from '../rows.ts';

export interface OwnedAmount {
  readonly standard: NftStandard;
  readonly amount: bigint;
  readonly changedAt: LogPosition;
}

/** A contract that emits events of two standards for one id has owners of both kinds. */
export interface OwnershipState extends NftKey {
  /** Block of the first mint. */
  mintedBlock: number | null;
  /** ERC-721 and CryptoPunks: one owner at most. */
  readonly soleOwner: Map<Hex, OwnedAmount>;
  /** ERC-1155. */
  readonly shares: Map<Hex, OwnedAmount>;
}

export type OwnershipMove = Pick<TransferRow, 'token' | 'tokenId' | 'standard' | 'from' | 'to' | 'amount'> &
  LogPosition;

export const createOwnershipState = ({ token, tokenId }: NftKey): OwnershipState => ({
  token,
  tokenId,
  mintedBlock: null,
  soleOwner: new Map(),
  shares: new Map(),
});

function setShare(state: OwnershipState, owner: Hex, amount: bigint, changedAt: LogPosition): void {
  const before = state.shares.get(owner)?.amount ?? 0n;
  // A contract may move tokens whose mint it never logged: a balance never falls below zero.
  const after = amount > 0n ? amount : 0n;
  if (owner === ZERO_ADDRESS || after === before) return;
  if (after === 0n) state.shares.delete(owner);
  else state.shares.set(owner, { standard: 'ERC1155', amount: after, changedAt });
}

/** To be called with moves in the order of the chain. */
export function applyMove(state: OwnershipState, move: OwnershipMove): void {
  const { standard, from, to, amount, blockNumber, logIndex, batchIndex } = move;
  const changedAt: LogPosition = { blockNumber, logIndex, batchIndex };
  if (standard === 'ERC1155') {
    if (from === to || amount === 0n) return;
    if (from === ZERO_ADDRESS) state.mintedBlock ??= blockNumber;
    else setShare(state, from, (state.shares.get(from)?.amount ?? 0n) - amount, changedAt);
    setShare(state, to, (state.shares.get(to)?.amount ?? 0n) + amount, changedAt);
    return;
  }
  if (from === ZERO_ADDRESS && to !== ZERO_ADDRESS) state.mintedBlock ??= blockNumber;
  const previous = state.soleOwner.get(to);
  state.soleOwner.clear();
  // A transfer to the present owner changes nothing.
  if (to !== ZERO_ADDRESS)
    state.soleOwner.set(to, { standard, amount: 1n, changedAt: previous?.changedAt ?? changedAt });
}
