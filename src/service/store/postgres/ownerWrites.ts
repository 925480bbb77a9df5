// Owners in the PostgreSQL index: read for the ids of a run, worked out in memory, written back in a few statements.
import { type Hex, ZERO_ADDRESS } from '../../../base/hex.ts';
import { encodeNumberHex, packStandard, unpackAmount, unpackNftStandard, unpackNumber } from '../encoding.ts';
import {
  applyMove,
  createOwnershipState,
  type OwnedAmount,
  type OwnershipMove,
  type OwnershipState,
  serializeNftKey,
} from '../ownershipState.ts';
import type { AddressTable } from './addressTable.ts';
import { bulkColumn, insertRows, toByteaArray, toColumnArray } from './bulkInsert.ts';
import type { QueryRunner } from './database.ts';
import { NEVER_MINTED, ZERO_ADDRESS_ID } from './schema.ts';

interface OwnerRecord {
  readonly token: number;
  readonly token_id: Buffer;
  readonly slot: number;
  readonly holder: number;
  readonly standard: number;
  readonly amount: Buffer;
  readonly block: number;
  readonly log: number;
  readonly position: number;
  readonly minted: number;
}

interface Id {
  readonly token: Hex;
  readonly tokenId: bigint;
}

/** One transaction on one chain; `id` knows every address of what it is given. */
export interface OwnerWriteContext {
  readonly queries: QueryRunner;
  readonly chain: number;
  readonly addresses: AddressTable;
  readonly id: (address: Hex) => number;
}

const IDS = 'unnest($2::integer[], $3::bytea[]) AS wanted (token, token_id)';
const SAME_ID = 'r.chain = $1 AND r.token = wanted.token AND r.token_id = wanted.token_id';

/** One probe of the key for each id: without statistics of a table that just grew, the planner would read all of it. */
const PROBE = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material']
  .map(way => `SET LOCAL enable_${way} = off`)
  .join('; ');

function idValues({ chain, id }: OwnerWriteContext, ids: readonly Id[]): readonly unknown[] {
  return [chain, ids.map(({ token }) => id(token)), toByteaArray(ids.map(({ tokenId }) => encodeNumberHex(tokenId)))];
}

/** A row of `owner`, as it is or as it is to be. `holding` is nothing where only the first mint is kept. */
interface Entry {
  readonly state: OwnershipState;
  /** `null` is slot 0: one holder at most. */
  readonly slot: Hex | null;
  readonly holder: Hex;
  readonly holding: OwnedAmount | null;
  readonly minted: number | null;
}

function entriesOf(state: OwnershipState): readonly Entry[] {
  const [single] = state.soleOwner;
  const [holder, holding] = single ?? [ZERO_ADDRESS, null];
  const { mintedBlock: minted } = state;
  return [
    ...(holding === null && minted === null ? [] : [{ state, slot: null, holder, holding, minted }]),
    ...[...state.shares].map(([owner, share]) => ({ state, slot: owner, holder: owner, holding: share, minted: null })),
  ];
}

/** `numbers` learns who is named. */
async function load(
  writing: OwnerWriteContext,
  ids: readonly Id[],
  numbers: Map<Hex, number>,
): Promise<Map<string, OwnershipState>> {
  const { queries, addresses } = writing;
  const states = new Map(ids.map(id => [serializeNftKey(id), createOwnershipState(id)]));
  await queries.query(PROBE);
  const sql = `SELECT r.* FROM owner AS r, ${IDS} WHERE ${SAME_ID}`;
  const rows = await queries.query<OwnerRecord>(sql, idValues(writing, ids));
  const address = await addresses.resolve(
    queries,
    rows.flatMap(({ token, holder }) => [token, holder]),
  );
  for (const row of rows) {
    numbers.set(address(row.holder), row.holder);
    const state = states.get(serializeNftKey({ token: address(row.token), tokenId: unpackNumber(row.token_id) }));
    if (state === undefined) continue;
    if (row.minted !== NEVER_MINTED) state.mintedBlock = row.minted;
    if (row.holder === ZERO_ADDRESS_ID) continue;
    const holding: OwnedAmount = {
      standard: unpackNftStandard(row.standard),
      amount: unpackAmount(row.amount),
      changedAt: { blockNumber: row.block, logIndex: row.log, batchIndex: row.position },
    };
    (row.slot === 0 ? state.soleOwner : state.shares).set(address(row.holder), holding);
  }
  return states;
}

/** The key first. */
function ownerColumns(id: (address: Hex) => number) {
  const holder = (entry: Entry) => (entry.holder === ZERO_ADDRESS ? ZERO_ADDRESS_ID : id(entry.holder));
  return [
    bulkColumn.int('token', ({ state }: Entry) => id(state.token)),
    bulkColumn.number('token_id', ({ state }: Entry) => state.tokenId),
    bulkColumn.int('slot', (entry: Entry) => (entry.slot === null ? 0 : holder(entry))),
    bulkColumn.int('holder', holder),
    bulkColumn.int('block', ({ holding, minted }: Entry) => holding?.changedAt.blockNumber ?? minted ?? 0),
    bulkColumn.int('log', ({ holding }: Entry) => holding?.changedAt.logIndex ?? 0),
    bulkColumn.int('position', ({ holding }: Entry) => holding?.changedAt.batchIndex ?? 0),
    bulkColumn.int('minted', ({ minted }: Entry) => minted ?? NEVER_MINTED),
    bulkColumn.small('standard', ({ holding }: Entry) => (holding === null ? 0 : packStandard(holding.standard))),
    bulkColumn.amount('amount', ({ holding }: Entry) => holding?.amount ?? 0n),
  ];
}
const KEYS = 3;

const UPDATE_OWNER = `
  ON CONFLICT (chain, token, token_id, slot) DO UPDATE SET holder = excluded.holder, block = excluded.block,
    log = excluded.log, position = excluded.position, minted = excluded.minted, standard = excluded.standard,
    amount = excluded.amount`;

const DROP_OWNERS = `
  DELETE FROM owner AS r USING unnest($2::integer[], $3::bytea[], $4::integer[]) AS gone (token, token_id, slot)
  WHERE r.chain = $1 AND r.token = gone.token AND r.token_id = gone.token_id AND r.slot = gone.slot`;

/** Writes what differs from `before`: every row that is written anew leaves a dead one behind. */
async function write(
  writing: OwnerWriteContext,
  states: readonly OwnershipState[],
  before: readonly Entry[],
): Promise<void> {
  const { queries, chain, id } = writing;
  const list = ownerColumns(id);
  const stays = ({ state, slot }: Entry) =>
    slot === null ? state.soleOwner.size > 0 || state.mintedBlock !== null : state.shares.has(slot);
  const gone = before.filter(entry => !stays(entry));
  if (gone.length > 0)
    await queries.query(DROP_OWNERS, [chain, ...list.slice(0, KEYS).map(one => toColumnArray(one, gone))]);
  const known = new Map<OwnedAmount | OwnershipState, number | null>();
  for (const { state, holding, minted } of before) known.set(holding ?? state, minted);
  const changed = states.flatMap(entriesOf).filter(({ state, holding, minted }) => {
    const was = known.get(holding ?? state);
    return was === undefined || was !== minted;
  });
  await insertRows(queries, 'owner', chain, changed, list, UPDATE_OWNER);
}

/** Ids at once: few enough for one statement, enough to make statements few. */
const IDS_AT_ONCE = 10_000;

const lower = (address: Hex) => address.toLowerCase() as Hex;
/** What is read back is in lower case. */
const inLowerCase = (move: OwnershipMove): OwnershipMove => ({
  ...move,
  token: lower(move.token),
  from: lower(move.from),
  to: lower(move.to),
});

const statesOf = (moves: readonly OwnershipMove[]): Map<string, OwnershipMove[]> => {
  const byId = new Map<string, OwnershipMove[]>();
  for (const move of moves) {
    const key = serializeNftKey(move);
    const list = byId.get(key);
    if (list === undefined) byId.set(key, [move]);
    else list.push(move);
  }
  return byId;
};

/** Keeps owners in step with transfers that come next, in the order of the chain. */
export async function applyTransfersToOwners(
  writing: OwnerWriteContext,
  moves: readonly OwnershipMove[],
): Promise<void> {
  const byId = [...statesOf(moves.map(inLowerCase))];
  for (let start = 0; start < byId.length; start += IDS_AT_ONCE) {
    const part = byId.slice(start, start + IDS_AT_ONCE);
    const ids = part.flatMap(([, [first]]) => (first === undefined ? [] : [first]));
    const numbers = new Map<Hex, number>();
    const states = await load(writing, ids, numbers);
    const held = [...states.values()];
    const before = held.flatMap(entriesOf);
    for (const [key, list] of part) {
      const state = states.get(key);
      if (state !== undefined) for (const move of list) applyMove(state, move);
    }
    await write({ ...writing, id: one => numbers.get(one) ?? writing.id(one) }, held, before);
  }
}

interface KeptRecord {
  readonly token: number;
  readonly token_id: Buffer;
  readonly standard: number;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: Buffer;
  readonly block: number;
  readonly log: number;
  readonly position: number;
}

/** Works the owners of these ids out anew from all the transfers that are there. */
export async function rebuildOwners(writing: OwnerWriteContext, ids: readonly Id[]): Promise<void> {
  const { queries, addresses } = writing;
  await queries.query(PROBE);
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const part = ids.slice(start, start + IDS_AT_ONCE);
    const values = idValues(writing, part);
    const kept = await queries.query<KeptRecord>(
      `SELECT r.token, r.token_id, r.standard, r.sender, r.recipient, r.amount, r.block, r.log, r.position
       FROM transfer AS r, ${IDS} WHERE ${SAME_ID} ORDER BY r.block, r.log, r.position`,
      values,
    );
    const all = kept.flatMap(({ token, sender, recipient }) => [token, sender, recipient]);
    const address = await addresses.resolve(queries, all);
    const numbers = new Map(all.map(id => [address(id), id]));
    const states = new Map(part.map(id => [serializeNftKey(id), createOwnershipState(id)]));
    for (const row of kept) {
      const id = { token: address(row.token), tokenId: unpackNumber(row.token_id) };
      const state = states.get(serializeNftKey(id));
      if (state === undefined) continue;
      applyMove(state, {
        ...id,
        standard: unpackNftStandard(row.standard),
        from: address(row.sender),
        to: address(row.recipient),
        amount: unpackAmount(row.amount),
        blockNumber: row.block,
        logIndex: row.log,
        batchIndex: row.position,
      });
    }
    await queries.query(`DELETE FROM owner AS r USING ${IDS} WHERE ${SAME_ID}`, values);
    await write({ ...writing, id: one => numbers.get(one) ?? writing.id(one) }, [...states.values()], []);
  }
}
