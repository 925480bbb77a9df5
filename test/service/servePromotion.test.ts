// `hexlens serve` over PostgreSQL with a standby: the primary fails in the middle of the first sync, the standby is promoted.
import { afterAll, describe, expect, it } from 'vitest';
import type { Anvil } from '../support/chain/anvil.ts';
import { startFilledAnvil } from '../support/chain/filledAnvil.ts';
import { type PostgresServer, sharePostgres, startPostgres } from '../support/postgresServer.ts';
import { createServices, page, readTransfers } from './severalServices.ts';

const server = await sharePostgres();
const isOwnServer = server !== null && !server.isExternal;
if (!isOwnServer) console.warn('SKIPPED: a standby needs a server of its own.');

const services = createServices();
let anvil: Anvil | undefined;
const servers: PostgresServer[] = [];
afterAll(async () => {
  await services.stop();
  await anvil?.stop();
  for (const one of servers) await one.stop();
});

describe.skipIf(!isOwnServer)('a service whose primary fails while it indexes', () => {
  it('continues with the promoted standby, and nothing is missing or duplicated', async () => {
    ({ anvil } = await startFilledAnvil());
    const primary = (await startPostgres()) as PostgresServer;
    servers.push(primary);
    const url = primary.createSchemaUrl();
    const first = await services.serve(anvil.url, { HEXLENS_STORE: url });
    await page(first, '/nft/transfers?limit=1&from_block=0'); // creates the schema
    await services.kill(first);
    const standby = await primary.startStandby();
    servers.push(standby);
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
    const service = await services.serve(anvil.url, {
      HEXLENS_STORE: `${url.replace(`127.0.0.1:${primary.port}`, hosts)}&target_session_attrs=read-write`,
    });
    // So many blocks that the service is writing or about to, whatever the moment.
    let isMining = true;
    const mining = (async () => {
      for (let round = 0; isMining && round < 100; round++) await anvil?.rpc('anvil_mine', ['0x40']);
    })();
    const asked = page(service, '/nft/transfers?limit=1&from_block=0').catch(() => null);
    await primary.crash();
    standby.promote();
    await asked;
    isMining = false;
    await mining;
    const rows = await readTransfers(service);
    const fresh = await services.serve(anvil.url, { HEXLENS_STORE: standby.createSchemaUrl() });
    expect(rows.length).toBeGreaterThan(100);
    expect(await readTransfers(fresh)).toEqual(rows);
  });
});
