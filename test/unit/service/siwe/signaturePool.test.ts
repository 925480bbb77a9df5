// Keys of many signatures, recovered by threads of their own.

import { hashMessage } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { bytesToHex, hexToBytes } from '../../../../src/base/hex.ts';
import { SignaturePool } from '../../../../src/service/siwe/signaturePool.ts';
import { createWasmSignatureEngine } from '../../../../src/service/siwe/wasmSignatureEngine.ts';

const pools: SignaturePool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

/** A pool, and how many keys its own thread has recovered. */
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
  return { engine, pool, ownCount: () => own };
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
    key: account.publicKey,
  };
}

const signed = await Promise.all(Array.from({ length: 24 }, (_, index) => sign(index)));
const recoverAll = async (pool: SignaturePool): Promise<(Hex | null)[]> =>
  Promise.all(
    signed.map(async ({ signature, digest }) => {
      const key = await pool.recoverPublicKey(signature, digest);
      return key === null ? null : bytesToHex(key);
    }),
  );
const keys = signed.map(({ key }) => key);

test('recovers each key, at first on this thread and then on the others', async () => {
  const { pool, ownCount } = await startPool(2);
  expect(await recoverAll(pool)).toEqual(keys);
  expect(ownCount()).toBe(24); // the threads were only started
  await expect
    .poll(async () => {
      const before = ownCount();
      expect(await recoverAll(pool)).toEqual(keys);
      return ownCount() - before;
    })
    .toBe(0);
});

test('finds no key where none fits, on any thread', async () => {
  const { pool, ownCount } = await startPool(1);
  const zeros = new Uint8Array(65);
  const recoverTwo = () =>
    Promise.all([pool.recoverPublicKey(zeros, new Uint8Array(32)), pool.recoverPublicKey(zeros, new Uint8Array(32))]);
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
  const [{ signature, digest, key } = await sign(0)] = signed;
  for (let index = 0; index < 3; index++)
    expect(bytesToHex((await single.pool.recoverPublicKey(signature, digest)) ?? new Uint8Array())).toBe(key);
  expect(single.ownCount()).toBe(3);
  expect(await recoverAll(onOneCore.pool)).toEqual(keys);
  expect(onOneCore.ownCount()).toBe(24);
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
  expect(await recovering).toEqual(keys);
});
