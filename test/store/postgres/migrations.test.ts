// The migrations of a database with several chains: an index that lacks ERC-20 transfers is emptied, to be read again.
import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { packHex, packNumber, packStandard } from '../../../src/service/store/encoding.ts';
import { initialMigrations, migrations } from '../../../src/service/store/postgres/migrations.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import type { BlockBatch, OwnerRow } from '../../../src/service/store/rows.ts';
import type { StoreInfo } from '../../../src/service/store/store.ts';
import { hasCitus, startPostgres } from '../../support/postgresServer.ts';
import { allOwners, expectSameResults } from '../compareStores.ts';
import { createBatch, createNextBlocks } from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';
import { info } from '../storeSuite.ts';

const server = await startPostgres();
afterAll(() => server?.stop());

const sparseInfo: StoreInfo = { ...info, scope: { kind: 'contract', address: `0x${'c1'.repeat(20)}` } };
const bytes = (hex: string) => packHex(hex as `0x${string}`, (hex.length - 2) / 2);
const text = (value: bigint | null) => value?.toString() ?? null;

it('never changes the migrations of a released version', () => {
  const digests = migrations.map(sql => createHash('sha256').update(sql.replace(/\s+/g, ' ').trim()).digest('hex'));
  expect(digests.map(digest => digest.slice(0, 16))).toEqual([
    'f97fcbba38dc0829',
    '75e3792f716274f3',
    '7e99548559b106cb',
    '3bf842844ca0ccf2',
    '1b251127f8b5ea44',
    '113bdffb93458745',
    '8b6d76db7203628e',
    '976d778c3a0db0ce',
    'f08f8fda81ca917f',
  ]);
});

/** Writes a batch into the tables of version 2. */
async function writeVersion2(
  client: Client,
  chain: number,
  batch: BlockBatch,
  owners: readonly OwnerRow[],
): Promise<void> {
  const insert = (table: string, values: readonly unknown[]) =>
    client.query(`INSERT INTO ${table} VALUES (${values.map((_, index) => `$${index + 1}`).join()})`, [...values]);
  for (const { number, hash, parentHash, timestamp } of batch.blocks)
    await insert('block', [chain, number, bytes(hash), bytes(parentHash), timestamp]);
  for (const row of batch.transfers)
    await insert('transfer', [
      ...[chain, row.blockNumber, row.logIndex, row.batchIndex, bytes(row.transactionHash), row.transactionIndex],
      ...[bytes(row.token), packNumber(row.tokenId), packStandard(row.standard), bytes(row.from), bytes(row.to)],
      ...[text(row.amount), row.operator === null ? null : bytes(row.operator), text(row.value)],
    ]);
  const minted = new Map<string, readonly unknown[]>();
  for (const { token, tokenId, standard, owner, amount, changedAt, mintedBlock } of owners) {
    const id = [chain, bytes(token), packNumber(tokenId)];
    const { blockNumber, logIndex, batchIndex } = changedAt;
    const balance = [packStandard(standard), text(amount), blockNumber, logIndex, batchIndex];
    await insert('owner', [...id, standard === 'ERC1155', bytes(owner), ...balance]);
    if (mintedBlock !== null) minted.set(`${token} ${tokenId}`, [...id, mintedBlock]);
  }
  for (const row of minted.values()) await insert('nft', row);
  for (const row of batch.erc20Transfers)
    await insert('mint', [
      ...[chain, row.blockNumber, row.logIndex, bytes(row.transactionHash), row.transactionIndex, bytes(row.token)],
      ...[bytes(row.to), text(row.amount)],
    ]);
  for (const [ordinal, row] of batch.trades.entries())
    await insert('trade', [
      ...[chain, row.blockNumber, row.logIndex, ordinal, bytes(row.transactionHash), bytes(row.token)],
      ...[row.tokenIds.join(), bytes(row.seller), bytes(row.buyer), bytes(row.marketplace), text(row.price)],
    ]);
  for (const { token, standard, name, symbol, decimals } of batch.tokens) {
    const utf8 = (word: string | null) => (word === null ? null : Buffer.from(word));
    const seen = [...batch.transfers, ...batch.erc20Transfers].find(row => row.token === token)?.blockNumber ?? 0;
    await insert('token', [chain, bytes(token), packStandard(standard), utf8(name), utf8(symbol), decimals, seen]);
  }
}

// Tables of a cluster are created by the newest version.
const isCluster = server !== null && (await hasCitus(server.url));

describe.skipIf(server === null || isCluster)('an index with tables of version 2', () => {
  it('is empty when it is opened, and accepts batches and rollbacks', async () => {
    const url = server?.createSchemaUrl() ?? '';
    const {
      urls: [plain],
      schema,
    } = parsePostgresUrl(url);
    const client = new Client({ connectionString: plain, options: `-c search_path=${schema}` });
    await client.connect();
    await client.query(`CREATE SCHEMA ${schema}; CREATE TABLE migration (version integer PRIMARY KEY)`);
    for (const [index, sql] of initialMigrations.entries()) {
      await client.query(sql);
      await client.query('INSERT INTO migration VALUES ($1)', [index + 1]);
    }
    const blocks = createNextBlocks(null, 40);
    const model = createModelStore(info);
    const batch = createBatch(blocks);
    await model.applyBatch(batch);
    const owners = await allOwners(model);
    for (const [chain, { scope }] of [info, sparseInfo].entries()) {
      const scopeName = scope === undefined ? '' : `${scope.kind}-${scope.address}`;
      await client.query('INSERT INTO chain (chain_id, genesis, subject, covered_from) VALUES ($1, $2, $3, $4)', [
        info.chainId,
        bytes(info.genesisHash),
        scopeName,
        scope === undefined ? null : 0,
      ]);
      for (const table of ['owner', 'nft', 'token', 'block', 'transfer', 'mint', 'trade'])
        await client.query(`CREATE TABLE ${table}_${chain + 1} PARTITION OF ${table} FOR VALUES IN (${chain + 1})`);
      await writeVersion2(client, chain + 1, batch, owners);
    }
    await client.end();

    const open = createPostgresStoreOpener({ url, log: silentLog });
    const [store, other] = [await open(info), await open(sparseInfo)];
    for (const target of [store, other]) {
      expect(await target.readHead()).toBeNull();
      expect(await target.readCoverage()).toBeNull();
      expect(await target.countOwners({})).toBe(0);
    }
    await store.applyBatch(batch);
    await other.applyBatch({ ...batch, coveredFrom: 0 });
    await expectSameResults(store, model, 21, 30);
    await expectSameResults(other, model, 22, 10);
    expect(await other.readCoverage()).toEqual({ fromBlock: 0, head: blocks.at(-1) });
    for (const target of [store, model]) await target.rollBackTo(25);
    await expectSameResults(store, model, 23, 10);
    const more = createBatch(createNextBlocks(blocks[25] ?? null, 9, 'other'));
    for (const target of [store, model]) await target.applyBatch(more);
    await expectSameResults(store, model, 24, 20);
    await Promise.all([store.close(), other.close()]);
  }, 300_000);
});
