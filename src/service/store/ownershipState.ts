// Who owns one id after a run of transfers, worked out in memory: for stores that write owners in bulk.
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { NftStandard, Place, TransferRow } from './rows.ts';

export interface Holding {
  readonly standard: NftStandard;
  readonly amount: bigint;
  readonly changed: Place;
}

/** A contract that speaks two standards about one id has owners of either kind. */
export interface IdState {
  readonly token: Hex;
  readonly tokenId: bigint;
  /** Block of the first mint. */
  minted: number | null;
  /** ERC-721 and CryptoPunks: one holder at most. */
  readonly single: Map<Hex, Holding>;
  /** ERC-1155. */
  readonly shares: Map<Hex, Holding>;
}

export type Move = Pick<TransferRow, 'token' | 'tokenId' | 'standard' | 'from' | 'to' | 'amount'> & Place;

export const idKey = ({ token, tokenId }: { readonly token: Hex; readonly tokenId: bigint }) => `${token} ${tokenId}`;

export const newState = ({ token, tokenId }: { readonly token: Hex; readonly tokenId: bigint }): IdState => ({
  token,
  tokenId,
  minted: null,
  single: new Map(),
  shares: new Map(),
});

function setShare(state: IdState, owner: Hex, amount: bigint, standard: NftStandard, changed: Place): void {
  const before = state.shares.get(owner)?.amount ?? 0n;
  // A contract that moves what it never announced: nobody can hold less than nothing.
  const after = amount > 0n ? amount : 0n;
  if (owner === ZERO_ADDRESS || after === before) return;
  if (after === 0n) state.shares.delete(owner);
  else state.shares.set(owner, { standard, amount: after, changed });
}

/** Moves come in the order of the chain. */
export function applyMove(state: IdState, move: Move): void {
  const { standard, from, to, amount, blockNumber, logIndex, position } = move;
  const changed: Place = { blockNumber, logIndex, position };
  if (standard === 'ERC1155') {
    if (from === to || amount === 0n) return;
    if (from === ZERO_ADDRESS) state.minted ??= blockNumber;
    else setShare(state, from, (state.shares.get(from)?.amount ?? 0n) - amount, standard, changed);
    setShare(state, to, (state.shares.get(to)?.amount ?? 0n) + amount, standard, changed);
    return;
  }
  if (from === ZERO_ADDRESS && to !== ZERO_ADDRESS) state.minted ??= blockNumber;
  const known = state.single.get(to);
  state.single.clear();
  // What goes to whom it belongs has not changed.
  if (to !== ZERO_ADDRESS) state.single.set(to, { standard, amount: 1n, changed: known?.changed ?? changed });
}
