// Reads of owners, lowest trades and tokens from the SQLite index.
import type { Hex } from '../../../base/hex.ts';
import { packNumber, unpackHex, unpackNftStandard, unpackNumber, unpackStandard } from '../encoding.ts';
import { inOwnerOrder, SAME_PLACE } from '../logPosition.ts';
import type { OwnerRow, TokenRow, TradeRow } from '../rows.ts';
import type { OwnerKey, OwnerQuery, Slice, TradeQuery } from '../store.ts';
import type { Addresses } from './addressTable.ts';
import { firstAtPlace, firstBlockAt } from './blockReads.ts';
import type { Connection } from './connection.ts';
import { ONE_OF_MANY, SOMEBODY_HOLDS } from './schema.ts';
import { type Arm, countArms, known, MOST_ARMS, narrowed, questionMarks, selectArms } from './unionQuery.ts';

interface OwnerRecord {
  readonly token: number;
  readonly token_id: Uint8Array;
  readonly standard: number;
  readonly holder: number;
  readonly amount: string;
  readonly minted: number | null;
  readonly block: number;
  readonly log: number;
  readonly position: number;
}

function ownerArms(addresses: Addresses, query: OwnerQuery): readonly Arm[] {
  const owner = query.owner === undefined ? undefined : addresses.find(query.owner);
  const tokens = query.tokens === undefined ? undefined : known(addresses, query.tokens);
  if (owner === null || tokens?.length === 0) return [];
  const tokenId = query.tokenId === undefined ? undefined : packNumber(query.tokenId);
  const withId = (arm: Arm) => (tokenId === undefined ? arm : narrowed(arm, ['+r.token_id = ?'], [tokenId]));
  const somebody = `r.${SOMEBODY_HOLDS}`;

  if (tokens !== undefined && tokens.length <= MOST_ARMS) {
    if (owner !== undefined)
      return tokens.map(token =>
        withId({ index: 'owner_collection', where: ['r.holder = ?', 'r.token = ?', somebody], values: [owner, token] }),
      );
    if (tokenId === undefined)
      return tokens.map((token): Arm => ({ index: 'owner_token', where: ['r.token = ?', somebody], values: [token] }));
    // The one holder, or the many, who have an index of their own.
    const where = ['r.token = ?', 'r.token_id = ?'];
    return tokens.flatMap((token): readonly Arm[] => [
      { index: null, where: [...where, 'r.slot = 0', somebody], values: [token, tokenId] },
      { index: 'owner_edition', where: [...where, `r.${ONE_OF_MANY}`], values: [token, tokenId] },
    ]);
  }
  const lead: Arm =
    owner === undefined
      ? { index: null, where: [somebody], values: [] }
      : { index: 'owner_wallet', where: ['r.holder = ?', somebody], values: [owner] };
  return [withId(tokens === undefined ? lead : narrowed(lead, [`+r.token IN (${questionMarks(tokens)})`], tokens))];
}

/** Of ids with many holders, slot 0 keeps the first mint. */
const MINTED = `
  CASE WHEN r.slot = 0 THEN r.minted
  ELSE (SELECT minted FROM owner AS i WHERE i.token = r.token AND i.token_id = r.token_id AND i.slot = 0) END AS minted`;

export function readOwners(
  connection: Connection,
  addresses: Addresses,
  query: OwnerQuery,
  { limit, after }: Slice<OwnerKey>,
): readonly OwnerRow[] {
  const arms = ownerArms(addresses, query);
  const newest = after === undefined ? null : firstAtPlace(connection, 'transfer', after.changed);
  const records = selectArms<OwnerRecord>(
    connection,
    {
      table: 'owner',
      // The order of a join is what is written: owners first.
      join: 'CROSS JOIN transfer AS t ON t.id = r.changed',
      columns: `r.token, r.token_id, r.standard, r.holder, r.amount, ${MINTED}, r.changed AS changed, t.block, t.log, t.position`,
      order: 'changed DESC',
    },
    newest === null ? arms : arms.map(arm => narrowed(arm, ['r.changed <= ?'], [newest])),
    // The rows at the place where the last page ended are sorted out below, and the last place must be there whole.
    limit + SAME_PLACE + 1,
  );
  const rows = records.map(
    (record): OwnerRow => ({
      token: addresses.address(record.token),
      tokenId: unpackNumber(record.token_id),
      standard: unpackNftStandard(record.standard),
      owner: addresses.address(record.holder),
      amount: BigInt(record.amount),
      changed: { blockNumber: record.block, logIndex: record.log, position: record.position },
      mintedBlock: record.minted,
    }),
  );
  return rows
    .sort(inOwnerOrder)
    .filter(row => after === undefined || inOwnerOrder(row, after) > 0)
    .slice(0, limit);
}

export function countOwners(connection: Connection, addresses: Addresses, query: OwnerQuery): number {
  return countArms(connection, 'owner', ownerArms(addresses, query));
}

interface TradeRecord {
  readonly block: number;
  readonly log: number;
  readonly tx: Uint8Array;
  readonly token: number;
  readonly token_ids: string;
  readonly seller: number;
  readonly buyer: number;
  readonly marketplace: number;
  readonly price: Uint8Array;
}

export function readLowestTrade(connection: Connection, addresses: Addresses, query: TradeQuery): TradeRow | null {
  const token = addresses.find(query.token);
  const marketplaces = query.marketplaces === undefined ? undefined : known(addresses, query.marketplaces);
  const first = firstBlockAt(connection, query.since);
  if (token === null || first === null || marketplaces?.length === 0) return null;
  const only = marketplaces === undefined ? '' : `AND marketplace IN (${questionMarks(marketplaces)})`;
  const record = connection.get<TradeRecord>(
    `SELECT * FROM trade INDEXED BY trade_price WHERE token = ? AND block >= ? ${only}
     ORDER BY price, block DESC, id DESC LIMIT 1`,
    token,
    first.number,
    ...(marketplaces ?? []),
  );
  if (record === undefined) return null;
  return {
    blockNumber: record.block,
    logIndex: record.log,
    transactionHash: unpackHex(record.tx),
    token: addresses.address(record.token),
    tokenIds: record.token_ids === '' ? [] : record.token_ids.split(',').map(BigInt),
    seller: addresses.address(record.seller),
    buyer: addresses.address(record.buyer),
    marketplace: addresses.address(record.marketplace),
    price: unpackNumber(record.price),
  };
}

interface TokenRecord {
  readonly address: number;
  readonly standard: number;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export function readTokens(
  connection: Connection,
  addresses: Addresses,
  list: readonly Hex[],
): ReadonlyMap<Hex, TokenRow> {
  const found = new Map<Hex, TokenRow>();
  for (const token of list) {
    const id = addresses.find(token);
    if (id === null) continue;
    const record = connection.get<TokenRecord>(
      'SELECT address, standard, name, symbol, decimals FROM token WHERE address = ?',
      id,
    );
    if (record === undefined) continue;
    const { name, symbol, decimals } = record;
    found.set(token, { token, standard: unpackStandard(record.standard), name, symbol, decimals });
  }
  return found;
}
