// Updates the owners of the PostgreSQL index: reads those of a batch's ids, computes the new ones, writes the differences.

import { getOrInsert } from '../../../base/getOrInsert.ts';
import { type Hex, toLowerHex, ZERO_ADDRESS } from '../../../base/hex.ts';
import { toBatches } from '../../../base/toBatches.ts';
import { encodeNumberHex, packStandard, unpackAmount, unpackNftStandard, unpackNumber } from '../encoding.ts';
import type { OwnerRow } from '../rows.ts';
import { type LogPosition, type NftKey, serializeNftKey, type TransferRow } from '../rows.ts';
import type { PostgresIndex } from './addressTable.ts';
import { bulkColumn, insertRows, toByteaArray, toColumnArray } from './bulkInsert.ts';
import { type PositionRecord, toPosition } from './conditions.ts';
import { NEVER_MINTED, ZERO_ADDRESS_ID } from './schema.ts';

type OwnedAmount = Pick<OwnerRow, 'standard' | 'amount' | 'changedAt'>;

/**
 * Who owns one id after a sequence of transfers, computed in memory, so that owners can be written in bulk. A contract that
 * emits events of two standards for one id has owners of both kinds.
 */
interface OwnershipState extends NftKey {
  /** Block of the first mint. */
  mintedBlock: number | null;
  /** ERC-721 and CryptoPunks: one owner at most. */
  readonly soleOwner: Map<Hex, OwnedAmount>;
  /** ERC-1155. */
  readonly shares: Map<Hex, OwnedAmount>;
}

type OwnershipMove = Pick<TransferRow, 'tokenAddress' | 'tokenId' | 'standard' | 'from' | 'to' | 'amount'> &
  LogPosition;

const createOwnershipState = ({ tokenAddress, tokenId }: NftKey): OwnershipState => ({
  tokenAddress,
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
function applyMove(state: OwnershipState, move: OwnershipMove): void {
  const { standard, from, to, amount, blockNumber, transactionIndex, place, batchIndex } = move;
  const changedAt: LogPosition = { blockNumber, transactionIndex, place, batchIndex };
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

/** One transaction on one chain. */
interface OwnerWriteContext extends PostgresIndex {
  /** The id of each address in the transfers that are passed with this context. */
  readonly toId: (address: Hex) => number;
}

interface OwnerRecord extends PositionRecord {
  readonly token: number;
  readonly token_id: Buffer;
  readonly slot: number;
  readonly holder: number;
  readonly standard: number;
  readonly amount: Buffer;
  readonly minted: number;
}

const WANTED_IDS = 'unnest($2::integer[], $3::bytea[]) AS wanted (token, token_id)';
const IS_WANTED = 'r.chain = $1 AND r.token = wanted.token AND r.token_id = wanted.token_id';
/** OFFSET 0 keeps this order: with few rows the planner would compare each of them with each id. */
const findWanted = (table: string): string =>
  `${WANTED_IDS} CROSS JOIN LATERAL (SELECT * FROM @${table} AS r WHERE ${IS_WANTED} OFFSET 0) AS r`;

/** One lookup by key per id: without statistics of a table that just grew, the planner would read all of it. */
const FORCE_INDEX_LOOKUPS = `SELECT ${['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material']
  .map(method => `set_config('enable_${method}', 'off', true)`)
  .join(', ')}`;

const getIdValues = ({ chain, toId }: OwnerWriteContext, nfts: readonly NftKey[]): readonly unknown[] => [
  chain,
  nfts.map(({ tokenAddress }) => toId(tokenAddress)),
  toByteaArray(nfts.map(({ tokenId }) => encodeNumberHex(tokenId))),
];

/** A row of `owner`, stored or to be stored. */
interface OwnerEntry {
  readonly state: OwnershipState;
  /** `null` is slot 0: one holder at most. */
  readonly slot: Hex | null;
  readonly holder: Hex;
  /** `null` where the row only has the first mint. */
  readonly owned: OwnedAmount | null;
  readonly mintedBlock: number | null;
}

function getEntries(state: OwnershipState): readonly OwnerEntry[] {
  const { mintedBlock } = state;
  const [holder, owned] = [...state.soleOwner][0] ?? [ZERO_ADDRESS, null];
  return [
    ...(owned === null && mintedBlock === null ? [] : [{ state, slot: null, holder, owned, mintedBlock }]),
    ...[...state.shares].map(([owner, share]) => ({
      state,
      slot: owner,
      holder: owner,
      owned: share,
      mintedBlock: null,
    })),
  ];
}

/** Reads the states of these ids. Adds the ids of all their holders to `holderIds`. */
async function readStates(
  context: OwnerWriteContext,
  nfts: readonly NftKey[],
  holderIds: Map<Hex, number>,
): Promise<Map<string, OwnershipState>> {
  const { queries, addresses } = context;
  const states = new Map(nfts.map(nft => [serializeNftKey(nft), createOwnershipState(nft)]));
  await queries.query(FORCE_INDEX_LOOKUPS);
  const records = await queries.query<OwnerRecord>(
    `SELECT r.* FROM ${findWanted('owner')}`,
    getIdValues(context, nfts),
  );
  const toAddress = await addresses.resolve(
    queries,
    records.flatMap(({ token, holder }) => [token, holder]),
  );
  for (const record of records) {
    const holder = toAddress(record.holder);
    holderIds.set(holder, record.holder);
    const key = { tokenAddress: toAddress(record.token), tokenId: unpackNumber(record.token_id) };
    const state = states.get(serializeNftKey(key));
    if (state === undefined) continue;
    if (record.minted !== NEVER_MINTED) state.mintedBlock = record.minted;
    if (record.holder === ZERO_ADDRESS_ID) continue;
    const owned: OwnedAmount = {
      standard: unpackNftStandard(record.standard),
      amount: unpackAmount(record.amount),
      changedAt: toPosition(record),
    };
    (record.slot === 0 ? state.soleOwner : state.shares).set(holder, owned);
  }
  return states;
}

/** The first {@link KEY_COLUMNS} are the primary key, after the chain. */
function getOwnerColumns(toId: (address: Hex) => number) {
  const toHolderId = ({ holder }: OwnerEntry) => (holder === ZERO_ADDRESS ? ZERO_ADDRESS_ID : toId(holder));
  return [
    bulkColumn.int('token', ({ state }: OwnerEntry) => toId(state.tokenAddress)),
    bulkColumn.number('token_id', ({ state }: OwnerEntry) => state.tokenId),
    bulkColumn.int('slot', (entry: OwnerEntry) => (entry.slot === null ? 0 : toHolderId(entry))),
    bulkColumn.int('holder', toHolderId),
    bulkColumn.int('block', ({ owned, mintedBlock }: OwnerEntry) => owned?.changedAt.blockNumber ?? mintedBlock ?? 0),
    bulkColumn.int('tx_index', ({ owned }: OwnerEntry) => owned?.changedAt.transactionIndex ?? 0),
    bulkColumn.big('log', ({ owned }: OwnerEntry) => owned?.changedAt.place ?? 0),
    bulkColumn.int('position', ({ owned }: OwnerEntry) => owned?.changedAt.batchIndex ?? 0),
    bulkColumn.int('minted', ({ mintedBlock }: OwnerEntry) => mintedBlock ?? NEVER_MINTED),
    bulkColumn.small('standard', ({ owned }: OwnerEntry) => (owned === null ? 0 : packStandard(owned.standard))),
    bulkColumn.amount('amount', ({ owned }: OwnerEntry) => owned?.amount ?? 0n),
  ];
}
const KEY_COLUMNS = 3;

const UPDATE_OWNER = `
  ON CONFLICT (chain, token, token_id, slot) DO UPDATE SET holder = excluded.holder, block = excluded.block,
    tx_index = excluded.tx_index, log = excluded.log, position = excluded.position, minted = excluded.minted, standard = excluded.standard,
    amount = excluded.amount`;

const DELETE_OWNERS = `
  DELETE FROM @owner AS r USING unnest($2::integer[], $3::bytea[], $4::integer[]) AS removed (token, token_id, slot)
  WHERE r.chain = $1 AND r.token = removed.token AND r.token_id = removed.token_id AND r.slot = removed.slot`;

/** Writes only what differs from `before`, which is all that is stored: an update leaves a dead row behind. */
async function writeStates(
  { queries, chain, toId }: OwnerWriteContext,
  states: readonly OwnershipState[],
  before: readonly OwnerEntry[],
): Promise<void> {
  const columns = getOwnerColumns(toId);
  const isRemoved = ({ state, slot }: OwnerEntry) =>
    slot === null ? state.soleOwner.size === 0 && state.mintedBlock === null : !state.shares.has(slot);
  const removed = before.filter(isRemoved);
  if (removed.length > 0) {
    const keys = columns.slice(0, KEY_COLUMNS).map(column => toColumnArray(column, removed));
    await queries.query(DELETE_OWNERS, [chain, ...keys]);
  }
  // An unchanged entry has the same `owned` object as before.
  const mintedBefore = new Map<OwnedAmount | OwnershipState, number | null>();
  const storedSlots = new Map<OwnershipState, Set<Hex | null>>();
  for (const { state, slot, owned, mintedBlock } of before) {
    mintedBefore.set(owned ?? state, mintedBlock);
    getOrInsert(storedSlots, state, () => new Set()).add(slot);
  }
  const isStored = ({ state, slot }: OwnerEntry) => storedSlots.get(state)?.has(slot) === true;
  const changed = states.flatMap(getEntries).filter(({ state, owned, mintedBlock }) => {
    const minted = mintedBefore.get(owned ?? state);
    return minted === undefined || minted !== mintedBlock;
  });
  const [updated, added] = [changed.filter(isStored), changed.filter(entry => !isStored(entry))];
  await insertRows(queries, 'owner', chain, updated, columns, UPDATE_OWNER);
  // Most are new: without a look-up for a conflict they take half the time.
  await insertRows(queries, 'owner', chain, added, columns);
}

/** Few enough for one statement, many enough that there are few statements. */
const IDS_PER_STATEMENT = 10_000;

/** Addresses that are read back are in lower case. */
const withLowerCase = (move: OwnershipMove): OwnershipMove => ({
  ...move,
  tokenAddress: toLowerHex(move.tokenAddress),
  from: toLowerHex(move.from),
  to: toLowerHex(move.to),
});

/** Updates owners for the next transfers, which must be in the order of the chain. */
export async function applyTransfersToOwners(
  context: OwnerWriteContext,
  moves: readonly OwnershipMove[],
): Promise<void> {
  const movesById = [...Map.groupBy(moves.map(withLowerCase), serializeNftKey)];
  for (const part of toBatches(movesById, IDS_PER_STATEMENT)) {
    const nfts = part.flatMap(([, [first]]) => (first === undefined ? [] : [first]));
    const holderIds = new Map<Hex, number>();
    const statesById = await readStates(context, nfts, holderIds);
    const states = [...statesById.values()];
    const before = states.flatMap(getEntries);
    for (const [key, movesOfId] of part) {
      const state = statesById.get(key);
      if (state !== undefined) for (const move of movesOfId) applyMove(state, move);
    }
    const toId = (address: Hex) => holderIds.get(address) ?? context.toId(address);
    await writeStates({ ...context, toId }, states, before);
  }
}

interface TransferRecord extends PositionRecord {
  readonly token: number;
  readonly token_id: Buffer;
  readonly standard: number;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: Buffer;
}

/** Replaces the owners of these ids by those that their stored transfers give. */
export async function rebuildOwners(context: OwnerWriteContext, nfts: readonly NftKey[]): Promise<void> {
  const { queries, addresses } = context;
  await queries.query(FORCE_INDEX_LOOKUPS);
  for (const part of toBatches(nfts, IDS_PER_STATEMENT)) {
    const values = getIdValues(context, part);
    const records = await queries.query<TransferRecord>(
      `SELECT r.token, r.token_id, r.standard, r.sender, r.recipient, r.amount, r.block, r.tx_index, r.log, r.position
       FROM ${findWanted('transfer')} ORDER BY r.block, r.tx_index, r.log, r.position`,
      values,
    );
    const addressIds = records.flatMap(({ token, sender, recipient }) => [token, sender, recipient]);
    const toAddress = await addresses.resolve(queries, addressIds);
    const ids = new Map(addressIds.map(id => [toAddress(id), id]));
    const states = new Map(part.map(nft => [serializeNftKey(nft), createOwnershipState(nft)]));
    for (const record of records) {
      const nft = { tokenAddress: toAddress(record.token), tokenId: unpackNumber(record.token_id) };
      const state = states.get(serializeNftKey(nft));
      if (state === undefined) continue;
      applyMove(state, {
        ...nft,
        standard: unpackNftStandard(record.standard),
        from: toAddress(record.sender),
        to: toAddress(record.recipient),
        amount: unpackAmount(record.amount),
        ...toPosition(record),
      });
    }
    await queries.query(`DELETE FROM @owner AS r USING ${WANTED_IDS} WHERE ${IS_WANTED}`, values);
    const toId = (address: Hex) => ids.get(address) ?? context.toId(address);
    await writeStates({ ...context, toId }, [...states.values()], []);
  }
}
