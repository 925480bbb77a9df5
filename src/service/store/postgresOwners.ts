// Owners in the PostgreSQL index: read for the ids of a run, worked out in memory, written back in a few statements.
import type { Hex } from '../../base/hex.ts';
import { packHex, packNumber, packStandard, unpackHex, unpackNftStandard, unpackNumber } from './encoding.ts';
import { applyMove, type Holding, type IdState, idKey, type Move, newState } from './ownership.ts';
import type { Queries } from './postgresPool.ts';
import { columns, insertRows } from './postgresRows.ts';
import type { NftKey } from './rows.ts';

interface OwnerRecord {
  readonly token: Buffer;
  readonly token_id: Buffer;
  readonly several: boolean;
  readonly holder: Buffer;
  readonly standard: number;
  readonly amount: string;
  readonly block: string;
  readonly log: number;
  readonly position: number;
}

interface MintedRecord {
  readonly token: Buffer;
  readonly token_id: Buffer;
  readonly minted: string;
}

const IDS = 'unnest($2::bytea[], $3::bytea[]) AS wanted (token, token_id)';
const SAME_ID = 'r.chain = $1 AND r.token = wanted.token AND r.token_id = wanted.token_id';

/** What a statement about these ids has behind `FROM` and `WHERE`, where its table is called `r`. */
export const ofIds = (chain: number, ids: readonly NftKey[]) => ({
  from: IDS,
  where: SAME_ID,
  values: idValues(chain, ids),
});

function idValues(chain: number, ids: readonly NftKey[]): readonly unknown[] {
  return [chain, ids.map(({ token }) => packHex(token, 20)), ids.map(({ tokenId }) => packNumber(tokenId))];
}

async function load(queries: Queries, chain: number, ids: readonly NftKey[]): Promise<Map<string, IdState>> {
  const states = new Map(ids.map(id => [idKey(id), newState(id)]));
  const values = idValues(chain, ids);
  const stateOf = ({ token, token_id }: { token: Buffer; token_id: Buffer }) =>
    states.get(idKey({ token: unpackHex(token), tokenId: unpackNumber(token_id) }));
  for (const row of await queries.all<OwnerRecord>(`SELECT r.* FROM owner AS r, ${IDS} WHERE ${SAME_ID}`, values)) {
    const holding: Holding = {
      standard: unpackNftStandard(row.standard),
      amount: BigInt(row.amount),
      changed: { blockNumber: Number(row.block), logIndex: row.log, position: row.position },
    };
    const state = stateOf(row);
    (row.several ? state?.shares : state?.single)?.set(unpackHex(row.holder), holding);
  }
  for (const row of await queries.all<MintedRecord>(`SELECT r.* FROM nft AS r, ${IDS} WHERE ${SAME_ID}`, values)) {
    const state = stateOf(row);
    if (state !== undefined) state.minted = Number(row.minted);
  }
  return states;
}

type OwnerEntry = readonly [IdState, boolean, Hex, Holding];

const entriesOf = (state: IdState): readonly OwnerEntry[] => [
  ...[...state.single].map(([holder, holding]) => [state, false, holder, holding] as const),
  ...[...state.shares].map(([holder, holding]) => [state, true, holder, holding] as const),
];

const ownerColumns = [
  columns.bytes('token', ([{ token }]: OwnerEntry) => packHex(token, 20)),
  columns.bytes('token_id', ([{ tokenId }]: OwnerEntry) => packNumber(tokenId)),
  columns.flag('several', ([, several]: OwnerEntry) => several),
  columns.bytes('holder', ([, , holder]: OwnerEntry) => packHex(holder, 20)),
  columns.small('standard', ([, , , { standard }]: OwnerEntry) => packStandard(standard)),
  columns.numeric('amount', ([, , , { amount }]: OwnerEntry) => amount.toString()),
  columns.big('block', ([, , , { changed }]: OwnerEntry) => changed.blockNumber),
  columns.int('log', ([, , , { changed }]: OwnerEntry) => changed.logIndex),
  columns.int('position', ([, , , { changed }]: OwnerEntry) => changed.position),
];

const UPDATE_OWNER = `
  ON CONFLICT (chain, token, token_id, several, holder) DO UPDATE SET standard = excluded.standard,
    amount = excluded.amount, block = excluded.block, log = excluded.log, position = excluded.position`;

const DROP_OWNERS = `
  DELETE FROM owner AS r USING unnest($2::bytea[], $3::bytea[], $4::boolean[], $5::bytea[])
    AS gone (token, token_id, several, holder)
  WHERE r.chain = $1 AND r.token = gone.token AND r.token_id = gone.token_id AND r.several = gone.several
    AND r.holder = gone.holder`;

/** Writes what differs from `before`: every row that is written anew leaves a dead one behind. */
async function write(
  queries: Queries,
  chain: number,
  states: readonly IdState[],
  before: readonly OwnerEntry[],
): Promise<void> {
  const holdings = ([state, several]: OwnerEntry) => (several ? state.shares : state.single);
  const gone = before.filter(entry => !holdings(entry).has(entry[2]));
  if (gone.length > 0) {
    const keys = ownerColumns.slice(0, 4).map(({ value }) => gone.map(value));
    await queries.all(DROP_OWNERS, [chain, ...keys]);
  }
  const known = new Set(before.map(([, , , holding]) => holding));
  const changed = states.flatMap(entriesOf).filter(([, , , holding]) => !known.has(holding));
  await insertRows(queries, 'owner', chain, changed, ownerColumns, UPDATE_OWNER);
  const minted = states.filter(state => state.minted !== null);
  await insertRows(
    queries,
    'nft',
    chain,
    minted,
    [
      columns.bytes('token', ({ token }) => packHex(token, 20)),
      columns.bytes('token_id', ({ tokenId }) => packNumber(tokenId)),
      columns.big('minted', ({ minted: block }) => block ?? 0),
    ],
    'ON CONFLICT DO NOTHING',
  );
}

/** Ids at once: few enough for one statement, enough to make statements few. */
const IDS_AT_ONCE = 2_000;

const lower = (address: Hex) => address.toLowerCase() as Hex;
/** What is read back is in lower case. */
const inLowerCase = (move: Move): Move => ({
  ...move,
  token: lower(move.token),
  from: lower(move.from),
  to: lower(move.to),
});

const statesOf = (moves: readonly Move[]): Map<string, Move[]> => {
  const byId = new Map<string, Move[]>();
  for (const move of moves) {
    const key = idKey(move);
    const list = byId.get(key);
    if (list === undefined) byId.set(key, [move]);
    else list.push(move);
  }
  return byId;
};

/** Keeps owners in step with transfers that come next, in the order of the chain. */
export async function moveOwners(queries: Queries, chain: number, moves: readonly Move[]): Promise<void> {
  const byId = [...statesOf(moves.map(inLowerCase))];
  for (let start = 0; start < byId.length; start += IDS_AT_ONCE) {
    const part = byId.slice(start, start + IDS_AT_ONCE);
    const ids = part.flatMap(([, [first]]) => (first === undefined ? [] : [first]));
    const states = await load(queries, chain, ids);
    const before = [...states.values()].flatMap(entriesOf);
    for (const [key, list] of part) {
      const state = states.get(key);
      if (state !== undefined) for (const move of list) applyMove(state, move);
    }
    await write(queries, chain, [...states.values()], before);
  }
}

interface KeptRecord {
  readonly token: Buffer;
  readonly token_id: Buffer;
  readonly standard: number;
  readonly sender: Buffer;
  readonly recipient: Buffer;
  readonly amount: string;
  readonly block: string;
  readonly log: number;
  readonly position: number;
}

/** Works the owners of these ids out anew from all the transfers that are there. */
export async function rebuildOwners(queries: Queries, chain: number, ids: readonly NftKey[]): Promise<void> {
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const part = ids.slice(start, start + IDS_AT_ONCE);
    const values = idValues(chain, part);
    const kept = await queries.all<KeptRecord>(
      `SELECT r.token, r.token_id, r.standard, r.sender, r.recipient, r.amount, r.block, r.log, r.position
       FROM transfer AS r, ${IDS} WHERE ${SAME_ID} ORDER BY r.block, r.log, r.position`,
      values,
    );
    const states = new Map(part.map(id => [idKey(id), newState(id)]));
    for (const row of kept) {
      const id = { token: unpackHex(row.token), tokenId: unpackNumber(row.token_id) };
      const state = states.get(idKey(id));
      if (state === undefined) continue;
      applyMove(state, {
        ...id,
        standard: unpackNftStandard(row.standard),
        from: unpackHex(row.sender),
        to: unpackHex(row.recipient),
        amount: BigInt(row.amount),
        blockNumber: Number(row.block),
        logIndex: row.log,
        position: row.position,
      });
    }
    await queries.all(`DELETE FROM nft AS r USING ${IDS} WHERE ${SAME_ID}`, values);
    await queries.all(`DELETE FROM owner AS r USING ${IDS} WHERE ${SAME_ID}`, values);
    await write(queries, chain, [...states.values()], []);
  }
}
