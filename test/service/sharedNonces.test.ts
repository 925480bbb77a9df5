// Several `hexlens serve` processes over one data folder or one database: together they accept a sign-in message once.
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type PostgresServer, sharePostgres } from '../support/postgresServer.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import type { ServeProcess } from './cliProcess.ts';
import { createServices } from './severalServices.ts';
import { alice, messageOf } from './siweStage.ts';

const postgres: PostgresServer | null = await sharePostgres();
if (postgres === null) console.warn('SKIPPED: no PostgreSQL on this machine (apt-get install postgresql).');
const folder = createTemporaryFolder('hexlens-nonces-');
afterAll(() => postgres?.stop());

async function verify({ ready }: ServeProcess, message: string, signature: string): Promise<number> {
  const response = await fetch(`${ready.url}/challenge/verify/evm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'k' },
    body: JSON.stringify({ message, signature }),
  });
  await response.text();
  return response.status;
}

let nonce = 10_000_000;

describe.each([
  ['one folder', () => ({ HEXLENS_DATA: join(folder, 'new') })],
  ['one database', () => ({ HEXLENS_STORE: postgres?.createSchemaUrl() ?? '' })],
])('two processes over %s', (name, createEnvironment) => {
  it.skipIf(name === 'one database' && postgres === null)('accept a message once', async () => {
    const services = createServices();
    const env = createEnvironment();
    const serve = () => services.serve('http://127.0.0.1:1', env);
    try {
      const [first, second] = await Promise.all([serve(), serve()]);
      for (let round = 0; round < 5; round++) {
        const expirationTime =
          round % 2 === 0 ? { expirationTime: new Date(Date.now() + 3_600_000).toISOString() } : {};
        const message = messageOf({ issuedAt: new Date().toISOString(), nonce: `nonce${nonce++}`, ...expirationTime });
        const signature = await alice.signMessage({ message });
        const servers = [first, second, first, second, first, second];
        const statuses = await Promise.all(servers.map(server => verify(server, message, signature)));
        expect(statuses.sort()).toEqual([201, 401, 401, 401, 401, 401]);
      }
      const messages = Array.from({ length: 200 }, () =>
        messageOf({ issuedAt: new Date().toISOString(), nonce: `nonce${nonce++}` }),
      );
      const results = await Promise.all(
        messages.map(async message => {
          const signature = await alice.signMessage({ message });
          return (await Promise.all([first, second].map(server => verify(server, message, signature)))).sort();
        }),
      );
      expect(results).toEqual(Array(200).fill([201, 401]));
      const message = messageOf({ issuedAt: new Date().toISOString(), nonce: `nonce${nonce++}` });
      const signature = await alice.signMessage({ message });
      expect(await verify(first, message, signature)).toBe(201);
      await services.kill(first);
      await services.kill(second);
      expect(await verify(await serve(), message, signature)).toBe(401);
    } finally {
      await services.stop();
    }
  });
});
