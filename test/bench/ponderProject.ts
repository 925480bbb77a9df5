// A ponder project that stores what our index stores: NFT transfers and owners, with the same indexes, and an API.

const config = `
import { createConfig } from 'ponder';
const indexed = (name, type) => ({ name, type, indexed: true });
const plain = name => ({ name, type: 'uint256' });
const transfer = { type: 'event', name: 'Transfer', inputs: [indexed('from', 'address'), indexed('to', 'address'), indexed('tokenId', 'uint256')] };
const single = { type: 'event', name: 'TransferSingle', inputs: [indexed('operator', 'address'), indexed('from', 'address'), indexed('to', 'address'), plain('id'), plain('value')] };
const range = { chain: 'local', address: process.env.PEER_CONTRACT, startBlock: 0, endBlock: Number(process.env.PEER_TO) };
const whole = createConfig({
  chains: { local: { id: 31337, rpc: process.env.PEER_URL } },
  contracts: { Apes: { abi: [transfer], ...range }, Items: { abi: [single], ...range } },
});
export { whole as default };
`;

const schema = `
import { index, onchainTable, primaryKey } from 'ponder';
export const transfer = onchainTable('transfer', t => ({
  id: t.text().primaryKey(), block: t.integer().notNull(), log: t.integer().notNull(), tx: t.hex().notNull(),
  token: t.hex().notNull(), tokenId: t.bigint().notNull(), sender: t.hex().notNull(), recipient: t.hex().notNull(),
  amount: t.bigint().notNull(), value: t.bigint().notNull(),
}), table => ({
  sender: index().on(table.sender), recipient: index().on(table.recipient), token: index().on(table.token, table.tokenId),
  newest: index().on(table.token, table.block, table.log),
}));
export const owner = onchainTable('owner', t => ({
  token: t.hex().notNull(), tokenId: t.bigint().notNull(), holder: t.hex().notNull(), amount: t.bigint().notNull(),
}), table => ({ pk: primaryKey({ columns: [table.token, table.tokenId, table.holder] }), holder: index().on(table.holder) }));
`;

const indexing = `
import { ponder } from 'ponder:registry';
import { owner, transfer } from 'ponder:schema';
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
async function store({ event, context: { db } }, tokenId, amount) {
  const { log, block, transaction, args: { from: sender, to: recipient } } = event;
  const token = log.address;
  await db.insert(transfer).values({
    id: event.id, block: Number(block.number), log: log.logIndex, tx: transaction.hash, value: transaction.value,
    token, tokenId, sender, recipient, amount,
  });
  for (const [holder, change] of [[sender, -amount], [recipient, amount]]) {
    if (holder === ZERO_ADDRESS) continue;
    await db.insert(owner).values({ token, tokenId, holder, amount: change })
      .onConflictDoUpdate(row => ({ amount: row.amount + change }));
  }
}
ponder.on('Apes:Transfer', given => store(given, given.event.args.tokenId, 1n));
ponder.on('Items:TransferSingle', given => store(given, given.event.args.id, given.event.args.value));
`;

/** As in its documentation: Hono routes with drizzle queries, which are faster than its GraphQL. */
const api = `
import { db } from 'ponder:api';
import schema from 'ponder:schema';
import { Hono } from 'hono';
import { and, count, desc, eq, gt, replaceBigInts } from 'ponder';
const { transfer, owner } = schema;
const app = new Hono();
const respond = (c, rows) => c.json(replaceBigInts(rows, String));
app.get('/count', async c => respond(c, await db.select({ rows: count() }).from(transfer)));
app.get('/transfers/:token', async c => respond(c, await db.select().from(transfer)
  .where(eq(transfer.token, c.req.param('token'))).orderBy(desc(transfer.block), desc(transfer.log)).limit(25)));
app.get('/owners/:token/:id', async c => respond(c, await db.select().from(owner)
  .where(and(eq(owner.token, c.req.param('token')), eq(owner.tokenId, BigInt(c.req.param('id'))), gt(owner.amount, 0n)))
  .limit(25)));
export { app as default };
`;

/** The files by path. */
export const ponderProject: Readonly<Record<string, string>> = {
  'ponder.config.ts': config,
  'ponder.schema.ts': schema,
  'src/index.ts': indexing,
  'src/api/index.ts': api,
};
