// The signature engines: tested before use, replaced when defective, and equal in 1,000 cases.
import { createHash } from 'node:crypto';
import { hashMessage, recoverAddress as viemRecover } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../src/base/hex.ts';
import { jsSignatureEngine } from '../../../../src/service/siwe/jsSignatureEngine.ts';
import {
  findEngineDefect,
  recoverAddress,
  type SignatureEngine,
} from '../../../../src/service/siwe/signatureEngine.ts';
import { createSignatureEngineLoader } from '../../../../src/service/siwe/signatureEngineLoader.ts';
import { createWasmSignatureEngine } from '../../../../src/service/siwe/wasmSignatureEngine.ts';
import { scaleRounds } from '../../../support/rounds.ts';
import { createTestLog } from '../../../support/testClock.ts';

const fast = await createWasmSignatureEngine();

test('both engines pass the test', () => {
  expect(findEngineDefect(fast)).toBeNull();
  expect(findEngineDefect(jsSignatureEngine)).toBeNull();
});

const broken: readonly (readonly [string, string, Partial<SignatureEngine>])[] = [
  ['hashes wrongly', 'it hashes incorrectly', { keccak256: bytes => fast.keccak256(bytes).fill(0) }],
  ['recovers nothing', 'it recovers a wrong account', { recoverPublicKey: () => null }],
  [
    'it recovers another key',
    'it recovers a wrong account',
    {
      recoverPublicKey(signature, digest) {
        const other = Uint8Array.from(signature);
        other[0] = 1 - (other[0] ?? 0);
        return fast.recoverPublicKey(other, digest);
      },
    },
  ],
  [
    'it ignores the parity of signatures',
    'it ignores the parity',
    {
      recoverPublicKey(signature, digest) {
        const even = Uint8Array.from(signature);
        even[0] = 0;
        return fast.recoverPublicKey(even, digest);
      },
    },
  ],
  [
    'it accepts zeros',
    'it accepts a signature of zeros',
    {
      recoverPublicKey: (signature, digest) =>
        signature.every(byte => byte === 0) ? new Uint8Array(65) : fast.recoverPublicKey(signature, digest),
    },
  ],
];

describe('a defective engine:', () => {
  test.each(broken)('%s; it is not used, and the reason is logged', async (_, why, part) => {
    const log = createTestLog();
    const loader = createSignatureEngineLoader({ log, createWasmEngine: async () => ({ ...fast, ...part }) });
    expect((await loader.load()).name).toBe('js');
    expect(log.of('warn')).toEqual([expect.stringContaining(why)]);
  });

  test.each([
    ['can not be loaded', async () => Promise.reject(new Error('WebAssembly is not defined'))],
    [
      'fails when it is used',
      async () => ({
        ...fast,
        recoverPublicKey() {
          throw new Error('WebAssembly is not defined');
        },
      }),
    ],
  ])('%s; it is not used, and the reason is logged', async (_, createFast) => {
    const log = createTestLog();
    const engine = await createSignatureEngineLoader({ log, createWasmEngine: createFast }).load();
    expect(engine.name).toBe('js');
    expect(log.of('warn')).toEqual([expect.stringContaining('WebAssembly is not defined')]);
    expect(findEngineDefect(engine)).toBeNull();
  });
});

test('the WebAssembly engine is used, and loaded once for concurrent calls', async () => {
  const log = createTestLog();
  let loads = 0;
  const loader = createSignatureEngineLoader({
    log,
    createWasmEngine() {
      loads++;
      return createWasmSignatureEngine();
    },
  });
  expect(loads).toBe(0);
  const engines = await Promise.all([loader.load(), loader.load(), loader.load()]);
  expect(new Set(engines).size).toBe(1);
  expect([loads, engines[0]?.name, log.lines]).toEqual([1, 'wasm', []]);
});

test('both recover the signers of signatures made with viem', async () => {
  for (let i = 1; i <= 40; i++) {
    const account = privateKeyToAccount(`0x${i.toString(16).padStart(64, '0')}`);
    const message = `${'é🥵x'.repeat(i)}`;
    const signature = await account.signMessage({ message });
    const bytes = hexToBytes(signature);
    const recoverable = Uint8Array.of((bytes[64] ?? 0) - 27, ...bytes.subarray(0, 64));
    const hash = hashMessage(message);
    const address = account.address.toLowerCase();
    expect((await viemRecover({ hash, signature })).toLowerCase()).toBe(address);
    for (const engine of [fast, jsSignatureEngine])
      expect(recoverAddress(engine, recoverable, hexToBytes(hash))).toBe(address);
  }
});

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** Values around every bound of the curve arithmetic. */
const EDGES = [1n, 2n, 3n, ORDER - 1n, ORDER - 2n, ORDER >> 1n, (ORDER >> 1n) + 1n, 1n << 128n, (1n << 255n) - 19n];

/** The same case for the same number on every machine: first every pair of edges with both parities, then random values. */
function caseOf(i: number): { readonly signature: Uint8Array; readonly digest: Uint8Array } {
  const value = (part: string) => createHash('sha256').update(`hexlens ${part} ${i}`).digest();
  const digest = value('digest');
  const random = (part: 'r' | 's') => (BigInt(`0x${value(part).toString('hex')}`) % (ORDER - 1n)) + 1n;
  const pair = i >> 1;
  const r = EDGES[Math.floor(pair / EDGES.length)];
  const [first, second] = r === undefined ? [random('r'), random('s')] : [r, EDGES[pair % EDGES.length] ?? 1n];
  const signature = Buffer.alloc(65);
  signature[0] = i & 1;
  signature.write(first.toString(16).padStart(64, '0'), 1, 'hex');
  signature.write(second.toString(16).padStart(64, '0'), 33, 'hex');
  if (i % 97 === 0) digest.fill(i % 2 === 0 ? 0 : 0xff);
  return { signature: Uint8Array.from(signature), digest: Uint8Array.from(digest) };
}

test('both engines give equal results for hundreds of signatures, half of them without a valid key', () => {
  const count = scaleRounds(500);
  let recovered = 0;
  for (let i = 0; i < count; i++) {
    const { signature, digest } = caseOf(i);
    const ours = fast.recoverPublicKey(signature, digest);
    const theirs = jsSignatureEngine.recoverPublicKey(signature, digest);
    if (ours !== null) recovered++;
    const results = [ours, theirs].map(key => (key === null ? 'none' : bytesToHex(key)));
    if (results[0] !== results[1])
      expect(results, `case ${i}: ${bytesToHex(signature)} ${bytesToHex(digest)}`).toEqual([]);
    if (bytesToHex(fast.keccak256(signature)) !== bytesToHex(jsSignatureEngine.keccak256(signature)))
      throw new Error(`case ${i}: the hashes differ`);
  }
  // Half of all random values of r are the x of a point: both results must have occurred often.
  expect(recovered / count).toBeGreaterThan(0.4);
  expect(recovered / count).toBeLessThan(0.65);
});

test('hashes of every length around a block of keccak are equal', () => {
  for (let length = 0; length <= 300; length++) {
    const bytes = new Uint8Array(length).fill(length & 255);
    expect(bytesToHex(fast.keccak256(bytes))).toBe(bytesToHex(jsSignatureEngine.keccak256(bytes)));
  }
});
