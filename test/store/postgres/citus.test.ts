// Over a Citus cluster, which Debian has no package of: `npm run test:store -- --url postgres://user@coordinator/database`.
import { afterAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import { hasCitus, sharePostgres } from '../../support/postgresServer.ts';
import { createBatch, createNextBlocks, WALLETS } from '../generatedChain.ts';
import { info } from '../storeSuite.ts';
import { runSql } from './schemaClient.ts';

const server = await sharePostgres();
afterAll(() => server?.stop());

const url = server?.createSchemaUrl() ?? '';
const isCluster = server !== null && (await hasCitus(server.url));
if (!isCluster) await server?.stop(); // where all tests are skipped, no hook runs
const open = (to = url) => createPostgresStoreOpener({ url: to, log: silentLog });

describe.skipIf(!isCluster)('a Citus cluster', () => {
  it('has all rows of one chain on one worker, and chains on several workers', async () => {
    const chainIds = [1, 2, 3, 4, 5, 6];
    const stores = await Promise.all(chainIds.map(chainId => open()({ ...info, chainId })));
    for (const store of stores) await store.applyBatch(createBatch(createNextBlocks(null, 3)));
    const { schema } = parsePostgresUrl(url);
    const nodes = await runSql(
      url,
      `SELECT id, array_agg(DISTINCT nodeport) AS nodes FROM chain, citus_shards
       WHERE table_name::text IN (SELECT '${schema}.' || unnest(ARRAY['block', 'transfer', 'owner', 'token', 'metadata_sync'])
         UNION SELECT unnest(ARRAY['block', 'transfer', 'owner', 'token', 'metadata_sync']))
         AND shardid = get_shard_id_for_distribution_column(table_name, id)
       GROUP BY id`,
    );
    expect(nodes).toHaveLength(chainIds.length);
    for (const row of nodes) expect(row['nodes']).toHaveLength(1);
    expect(new Set(nodes.map(row => String(row['nodes']))).size).toBeGreaterThan(1);
    await Promise.all(stores.map(store => store.close()));
  });

  it('opens a sparse index without a change of the cluster', async () => {
    const count = () => runSql(url, 'SELECT count(*) FROM citus_shards');
    const whole = await open()(info);
    const before = await count();
    const store = await open()({ ...info, scope: { kind: 'wallet', address: WALLETS[0] ?? '0x' } });
    expect(await count()).toEqual(before);
    await Promise.all([whole.close(), store.close()]);
  });

  it('is refused on a worker', async () => {
    const [worker] = await runSql(url, 'SELECT node_name, node_port FROM citus_get_active_worker_nodes()');
    const other = new URL(url);
    other.host = `${worker?.['node_name']}:${worker?.['node_port']}`;
    await expect(open(other.href)(info)).rejects.toMatchObject({
      message: 'This database is a worker of a Citus cluster, which holds a part of the rows.',
      fix: 'Name the coordinator of the cluster in --store.',
    });
  });

  it('is refused with tables that were created before the extension, and accepted after the commands of the fault', async () => {
    const before = server?.createSchemaUrl() ?? '';
    const store = await open(before)(info);
    await store.applyBatch(createBatch(createNextBlocks(null, 5)));
    await store.close();
    await runSql(
      before,
      "SELECT undistribute_table('block'), undistribute_table('transfer'), undistribute_table('erc20_transfer')",
    );
    await runSql(
      before,
      "SELECT undistribute_table('trade'), undistribute_table('owner'), undistribute_table('token')",
    );
    await runSql(before, "SELECT undistribute_table('metadata_sync')");
    const fault = await open(before)(info).catch((error: unknown) => error as { message: string; fix: string });
    expect(fault).toMatchObject({ message: 'The tables of the index are not distributed over the Citus cluster.' });
    const [, commands = ''] = ('fix' in fault ? fault.fix : '').split('psql: ');
    for (const command of commands.split(';').filter(sql => sql.trim() !== '')) await runSql(before, command);
    const again = await open(before)(info);
    expect((await again.readHead())?.number).toBe(4);
    await again.close();
  });
});
