// Accounts of many signatures, recovered by threads of their own.

import { hashMessage } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { hexToBytes } from '../../../../src/base/hex.ts';
import { SignaturePool } from '../../../../src/service/siwe/signaturePool.ts';
import { createWasmSignatureEngine } from '../../../../src/service/siwe/wasmSignatureEngine.ts';

const pools: SignaturePool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

/** A pool, and how many accounts this thread has recovered. */
async function startPool(maxThreads: number) {
  const engine = await createWasmSignatureEngine();
  let own = 0;
  const counting: typeof engine = {
    ...engine,
    recoverPublicKey(...args) {
      own++;
      return engine.recoverPublicKey(...args);
    },
  };
  const pool = new SignaturePool({ engine: counting, maxThreads });
  pools.push(pool);
  return { pool, ownCount: () => own };
}

/** `yParity || r || s` and digest, as of a sign-in. */
async function sign(index: number) {
  const account = privateKeyToAccount(`0x${(index + 1).toString(16).padStart(64, '0')}`);
  const message = `message ${index}`;
  const hex = await account.signMessage({ message });
  const parity = Number.parseInt(hex.slice(-2), 16) - 27;
  return {
    signature: hexToBytes(`0x0${parity}${hex.slice(2, -2)}`),
    digest: hexToBytes(hashMessage(message) as Hex),
    address: account.address.toLowerCase() as Hex,
  };
}

const signed = await Promise.all(Array.from({ length: 12 }, (_, index) => sign(index)));
const recoverAll = async (pool: SignaturePool): Promise<(Hex | null)[]> =>
  Promise.all(signed.map(({ signature, digest }) => pool.recoverAddress(signature, digest)));
const addresses = signed.map(({ address }) => address);

test('recovers each account, at first on this thread and then on the others', async () => {
  const { pool, ownCount } = await startPool(2);
  expect(await recoverAll(pool)).toEqual(addresses);
  expect(ownCount()).toBe(12); // the threads were only started
  await expect
    .poll(async () => {
      const before = ownCount();
      expect(await recoverAll(pool)).toEqual(addresses);
      return ownCount() - before;
    })
    .toBe(0);
});

test('finds no key where none fits, on any thread', async () => {
  const { pool, ownCount } = await startPool(1);
  const zeros = new Uint8Array(65);
  const recoverTwo = () =>
    Promise.all([pool.recoverAddress(zeros, new Uint8Array(32)), pool.recoverAddress(zeros, new Uint8Array(32))]);
  await expect
    .poll(async () => {
      const before = ownCount();
      expect(await recoverTwo()).toEqual([null, null]);
      return ownCount() - before;
    })
    .toBe(0);
});

test('wakes no thread for a single sign-in, and needs none on a machine with one core', async () => {
  const [single, onOneCore] = [await startPool(2), await startPool(0)];
  const [{ signature, digest, address } = await sign(0)] = signed;
  for (let index = 0; index < 3; index++) expect(await single.pool.recoverAddress(signature, digest)).toBe(address);
  expect(single.ownCount()).toBe(3);
  expect(await recoverAll(onOneCore.pool)).toEqual(addresses);
  expect(onOneCore.ownCount()).toBe(12);
});

test('does a part of the sign-ins that wait for the threads, however many there are', async () => {
  const { pool, ownCount } = await startPool(1);
  await recoverAll(pool);
  const recoverMany = async () => (await Promise.all(Array.from({ length: 40 }, () => recoverAll(pool)))).flat();
  const expected = Array.from({ length: 40 }, () => addresses).flat();
  await expect
    .poll(async () => {
      const before = ownCount();
      expect(await recoverMany()).toEqual(expected);
      return ownCount() - before;
    })
    .toBeLessThan(480);
  const before = ownCount();
  await recoverMany();
  expect(ownCount() - before).toBeGreaterThan(0);
});

test('answers what an ended thread has left', async () => {
  const { pool, ownCount } = await startPool(2);
  await recoverAll(pool);
  await expect
    .poll(async () => {
      const before = ownCount();
      await recoverAll(pool);
      return ownCount() - before;
    })
    .toBe(0);
  const recovering = recoverAll(pool);
  await new Promise(resolve => setImmediate(resolve)); // the threads have their jobs
  pool.close();
  expect(await recovering).toEqual(addresses);
});
