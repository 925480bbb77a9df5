// Two `hexlens serve` processes over one folder and one chain, like two windows: one is the leader, both serve, either may be killed.
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Anvil } from '../support/chain/anvil.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import { startFilledAnvil } from '../support/chain/filledAnvil.ts';
import { readUntil } from '../support/readUntil.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import type { ServeProcess } from './cliProcess.ts';
import { createServices, page, readTransfers, type Services } from './severalServices.ts';

let anvil: Anvil;
let services: Services;

beforeAll(async () => {
  ({ anvil } = await startFilledAnvil());
  await emitLogs(anvil, 6_000);
  services = createServices();
});
afterAll(async () => {
  await services?.stop();
  await anvil?.stop();
});

const newFolder = () => createTemporaryFolder('hexlens-shared-');
const serveIn = (folder: string) => services.serve(anvil.url, { HEXLENS_DATA: folder });
const leads = async (folder: string) => (await readdir(folder)).some(name => name.endsWith('.lead'));
/** Log requests to the node: a process that only reads the index sends none. */
const logsRead = (server: ServeProcess) => server.stderr().match(/eth_getLogs/g)?.length ?? 0;
const complete = (server: ServeProcess) =>
  readUntil(
    () => page(server, '/nft/transfers?limit=1&from_block=0'),
    ({ index_complete }) => index_complete === true,
  );

test('one reads the chain, the other its index', async () => {
  const folder = newFolder();
  const first = await serveIn(folder);
  let isAnswered = false;
  const answered = complete(first).then(() => {
    isAnswered = true;
  });
  await expect.poll(async () => isAnswered || (await leads(folder))).toBe(true);
  const second = await serveIn(folder);
  await Promise.all([answered, complete(second)]);
  expect(await readTransfers(second)).toEqual(await readTransfers(first));
  await expect.poll(() => logsRead(first)).toBeGreaterThan(0);
  expect(logsRead(second)).toBe(0);
  await expect.poll(() => leads(folder)).toBe(false);
});

test('when the leader is killed the other takes over, and nothing is missing or duplicated', async () => {
  const folder = newFolder();
  const [first, second] = await Promise.all([serveIn(folder), serveIn(folder)]);
  let isAnswered = false;
  const running = complete(first).then(
    () => {
      isAnswered = true;
    },
    () => {}, // it is killed
  );
  await expect.poll(async () => isAnswered || (await leads(folder))).toBe(true);
  await services.kill(first);
  await running;
  await complete(second);
  const rows = await readTransfers(second);
  const fresh = await serveIn(newFolder());
  await complete(fresh);
  expect(await readTransfers(fresh)).toEqual(rows);
  expect(rows.length).toBeGreaterThan(4_000);
});
