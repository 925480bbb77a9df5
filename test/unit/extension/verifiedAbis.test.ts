// ABIs of verified contracts survive the session, in a bounded file.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import {
  createVerifiedAbis,
  MAX_CONTRACTS,
  MAX_FILE_LENGTH,
  type VerifiedContract,
} from '../../../src/extension/abi/verifiedAbis.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { addressOf } from '../addressBook/bookArbitraries.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = createTemporaryFolder('hexlens-verified-');
  path = join(folder, 'verifiedAbis.json');
});

const readOrNull = () =>
  readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** A session of the extension. */
function open() {
  const registry = createAbiRegistry();
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (text: string) => warnings.push(text) };
  const file = { read: readOrNull, write: (text: string) => writeFile(path, text) };
  return { registry, warnings, ...createVerifiedAbis({ file, registry, log }) };
}

const createContract = (number: number, fields: Partial<VerifiedContract> = {}): VerifiedContract => ({
  chain: 'eth',
  address: addressOf(number) as Hex,
  host: 'sources.example',
  match: 'exact',
  name: `Vault${number}`,
  abi: `[{"type":"function","name":"f${number}","inputs":[],"outputs":[],"stateMutability":"view"}]`,
  ...fields,
});

test('are known in the next session, on their chain, until their host leaves the settings', async () => {
  const first = open();
  await first.add([createContract(1), createContract(2, { chain: 'polygon', host: 'other.example', name: null })]);
  expect(first.registry.idsOf('eth', addressOf(1))).toHaveLength(1);

  const second = open();
  await second.load(['sources.example']);
  const [id = ''] = second.registry.idsOf('eth', addressOf(1));
  expect(second.registry.items(id)).toMatchObject([{ name: 'f1', source: 'Vault1, exact match at sources.example' }]);
  expect(second.registry.idsOf('polygon', addressOf(1))).toEqual([]);
  expect(second.registry.idsOf('polygon', addressOf(2))).toEqual([]);

  const third = open();
  await third.load(['other.example', 'sources.example']);
  expect(third.registry.idsOf('polygon', addressOf(2))).toHaveLength(1);
});

test('of a chain that is only called local are forgotten with the session', async () => {
  const first = open();
  await first.add([createContract(1, { chain: 'local' })]);
  expect(first.registry.idsOf('local', addressOf(1))).toHaveLength(1);
  expect(await readOrNull()).toBeNull();
});

test('of which one cannot be read are known and stored without it', async () => {
  const session = open();
  await session.add([createContract(1), createContract(2, { abi: '{' }), createContract(3)]);
  expect(session.warnings).toHaveLength(1);
  expect([1, 2, 3].map(number => session.registry.idsOf('eth', addressOf(number)).length)).toEqual([1, 0, 1]);
  const { contracts } = JSON.parse((await readOrNull()) ?? '');
  expect(contracts.map(({ name }: VerifiedContract) => name)).toEqual(['Vault1', 'Vault3']);
});

test('that another window stored stay, and the last one of a contract wins', async () => {
  const [one, another] = [open(), open()];
  await one.add([createContract(1), createContract(3)]);
  await another.add([createContract(2), createContract(3, { name: 'Renamed' })]);
  const { contracts } = JSON.parse((await readOrNull()) ?? '');
  expect(contracts.map(({ name }: VerifiedContract) => name)).toEqual(['Vault2', 'Renamed', 'Vault1']);
});

test('are dropped, the oldest first, when there are too many or they are too long', async () => {
  const { add } = open();
  await add(Array.from({ length: MAX_CONTRACTS }, (_, index) => createContract(index + 1)));
  await add([createContract(900)]);
  const stored = async () => JSON.parse((await readOrNull()) ?? '').contracts as readonly VerifiedContract[];
  expect(await stored()).toHaveLength(MAX_CONTRACTS);
  expect((await stored())[0]?.name).toBe('Vault900');
  const abi = JSON.stringify([{ type: 'function', name: 'f'.repeat(MAX_FILE_LENGTH / 2), inputs: [] }]);
  for (const number of [901, 902, 903]) await add([createContract(number, { abi })]);
  expect(((await readOrNull()) ?? '').length).toBeLessThanOrEqual(MAX_FILE_LENGTH);
  expect((await stored())[0]?.name).toBe('Vault903');
});

test('in a damaged file are ignored with a warning, and replaced by new ones', async () => {
  await writeFile(path, '{"contracts":[');
  const session = open();
  await session.load(['sources.example']);
  expect(session.warnings).toHaveLength(1);
  await session.add([createContract(1)]);
  await writeFile(
    path,
    JSON.stringify({ contracts: [7, { chain: 'eth' }, createContract(1), createContract(2, { abi: '{' })] }),
  );
  const next = open();
  await next.load(['sources.example']);
  expect(next.registry.idsOf('eth', addressOf(1))).toHaveLength(1);
  expect(next.registry.idsOf('eth', addressOf(2))).toEqual([]);
});
