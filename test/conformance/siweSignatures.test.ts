// Conformance: both signature engines agree with published signatures, digests and addresses.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { keccak256 as viemKeccak } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import { bytesToHex, type Hex, hexToBytes } from '../../src/base/hex.ts';
import { checksumAddressWith } from '../../src/service/siwe/identityRecord.ts';
import { jsSignatureEngine } from '../../src/service/siwe/jsSignatureEngine.ts';
import { encodePersonalMessage, parseSignature } from '../../src/service/siwe/signature.ts';
import { recoverAddress, type SignatureEngine } from '../../src/service/siwe/signatureEngine.ts';
import { createWasmSignatureEngine } from '../../src/service/siwe/wasmSignatureEngine.ts';
import { createSignInStage } from '../service/siweStage.ts';

const FOLDER = new URL('../../../shared/vectors/sign-in/', import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: files of many authors, each of another shape; a wrong one fails its test.
const load = (file: string): any => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
const engines: readonly SignatureEngine[] = [await createWasmSignatureEngine(), jsSignatureEngine];
const stage = createSignInStage();

/** The account that signed a digest; `null` when the service rejects the signature or recovers no account. */
function recoverAccount(engine: SignatureEngine, signature: string, digest: Uint8Array, compact = false): Hex | null {
  const read = parseSignature(signature, compact);
  if (read.kind !== 'account') return null;
  const address = recoverAddress(engine, read.recoverable, digest);
  return address === null ? null : checksumAddress(address);
}
const hashMessage = (engine: SignatureEngine, message: Hex) =>
  engine.keccak256(encodePersonalMessage(hexToBytes(message)));

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const word = (value: bigint) => value.toString(16).padStart(64, '0');
/** The signature with a low s, as wallets make it: the twin recovers with the other parity. */
const lowered = (hex: string) => {
  const s = BigInt(`0x${hex.slice(64)}`);
  return s > ORDER / 2n && s < ORDER ? hex.slice(0, 64) + word(ORDER - s) : hex;
};
/** Every key that the service could read out of 64 bytes `r || s`. */
const keysOf = (engine: SignatureEngine, hex: string, digest: Uint8Array): string[] =>
  ['1b', '1c'].flatMap(v => {
    const read = parseSignature(`0x${hex}${v}`, false);
    const key = read.kind === 'account' ? engine.recoverPublicKey(read.recoverable, digest) : null;
    return key === null ? [] : [bytesToHex(key).slice(2)];
  });

if (!existsSync(FOLDER)) {
  console.warn(`SKIPPED: no vectors at ${FOLDER.pathname}: conformance with published signatures is not tested.`);
  test.skip('published signatures (folder ../shared/vectors/sign-in is absent)', () => {});
} else {
  describe.each(engines.map(engine => [engine.name, engine] as const))('%s', (_, engine) => {
    test('has the published EIP-191 digests', () => {
      const cases = load('extracted/eip191_hash.json');
      expect(cases).toHaveLength(4);
      for (const { name, message, hash } of cases) expect(bytesToHex(hashMessage(engine, message)), name).toBe(hash);
    });

    test('personal_sign: recovers the accounts of 12 signatures, and rejects the others', () => {
      const cases = load('extracted/personal_sign_recover.json');
      expect(cases).toHaveLength(12);
      for (const { name, message, signature, address, privateKey } of cases) {
        const expected = privateKey === undefined ? address : privateKeyToAddress(privateKey);
        const found = recoverAccount(engine, signature, hashMessage(engine, message));
        expect(found, name).toBe(expected === null ? null : checksumAddress(expected));
      }
    });

    test('EIP-2098: accepts the compact form where it is enabled', () => {
      const cases = load('extracted/eip2098_compact.json');
      expect(cases).toHaveLength(2);
      for (const { privateKey, message, r, s, v, compact } of cases) {
        const digest = engine.keccak256(encodePersonalMessage(Buffer.from(message)));
        const address = privateKeyToAddress(privateKey);
        const long = `${r}${s.slice(2)}${v.toString(16)}`;
        expect(recoverAccount(engine, long, digest)).toBe(address);
        expect(recoverAccount(engine, compact, digest, true)).toBe(address);
        expect(recoverAccount(engine, compact, digest, false)).toBeNull();
      }
    });

    test('accepts the usual values of the last byte of a signature', () => {
      const { accept, reject } = load('extracted/viem_parse_signature_v.json');
      const kind = (v: string) => parseSignature(`0x${word(1n)}${word(1n)}${v}`, false).kind;
      expect(accept.map(kind)).toEqual(['account', 'account', 'account', 'account']);
      expect(reject.map(kind)).toEqual(['contractOnly', 'contractOnly', 'contractOnly']);
    });

    test('has the published EIP-55 checksums', () => {
      const { valid, invalid } = load('extracted/eip55.json');
      expect([valid.length, invalid.length]).toEqual([8, 6]);
      for (const { address } of valid) expect(checksumAddressWith(engine.keccak256, address)).toBe(address);
      for (const { address } of invalid) expect(checksumAddressWith(engine.keccak256, address)).not.toBe(address);
    });

    test('ethers: 259 accounts, 257 hashes', () => {
      const accounts = load('ethers/accounts.json');
      const hashes = load('ethers/hashes.json');
      expect([accounts.length, hashes.length]).toEqual([259, 257]);
      for (const { address } of accounts) expect(checksumAddressWith(engine.keccak256, address)).toBe(address);
      for (const { name, data, keccak256 } of hashes)
        expect(bytesToHex(engine.keccak256(hexToBytes(data))), name).toBe(keccak256);
    });

    test('ethers: the signers of 400 transactions', () => {
      const { cases } = load('extracted/ethers_tx_recover.json');
      expect(cases).toHaveLength(400);
      for (const { name, privateKey, unsigned, signature } of cases) {
        const { r, s, v } = signature;
        const text = `${r}${s.slice(2)}${v.toString(16)}`;
        expect(recoverAccount(engine, text, engine.keccak256(hexToBytes(unsigned))), name).toBe(
          privateKeyToAddress(privateKey),
        );
      }
    });

    test('noble-curves: 2,019 signatures with a low s', () => {
      const { valid } = load('noble-curves/secp256k1_ecdsa.json');
      expect(valid).toHaveLength(2_019);
      // Every fifth: they cost a millisecond each, and are all of one kind.
      const some = valid.filter((_case: unknown, index: number) => index % 5 === 0);
      for (const { description, d, m, signature } of some) {
        const address = privateKeyToAddress(`0x${d}`);
        const found = ['1b', '1c'].map(v => recoverAccount(engine, `0x${signature}${v}`, hexToBytes(`0x${m}`)));
        expect(found, description).toContain(address);
      }
    });

    test('noble-curves: invalid signatures recover another account or none', () => {
      const { invalid } = load('noble-curves/secp256k1_ecdsa.json');
      expect(invalid.verify.length).toBeGreaterThan(10);
      for (const { description, Q, m, signature } of invalid.verify) {
        if (!/^[0-9a-f]{128}$/.test(signature)) continue;
        expect(keysOf(engine, signature, hexToBytes(`0x${m}`)), description).not.toContain(Q);
      }
    });

    test('Wycheproof P1363: recovers the key of valid signatures, and of no invalid one', () => {
      const { testGroups } = load('ecdsa_secp256k1_sha256_p1363_test.json');
      /**
       * Valid, but not on Ethereum: their r means an x of the curve order or more, which needs a recovery id of 2 or 3,
       * and there is no `v` for these.
       */
      const beyond = new Set([115, 247]);
      let valid = 0;
      let invalid = 0;
      for (const { publicKey, tests } of testGroups) {
        for (const { tcId, msg, sig, result, comment } of tests) {
          const digest = new Uint8Array(createHash('sha256').update(Buffer.from(msg, 'hex')).digest());
          const keys = sig.length === 128 ? keysOf(engine, lowered(sig), digest) : [];
          const accepted = keys.includes(publicKey.uncompressed);
          if (result === 'valid') valid++;
          else invalid++;
          expect(accepted, `${tcId}: ${comment}`).toBe(result === 'valid' && !beyond.has(tcId));
        }
      }
      expect([valid, invalid]).toEqual([167, 85]);
    });

    test('recovers another account from the documented example of Moralis', () => {
      const { request, recoversTo } = load('extracted/moralis_documented.json');
      const digest = hashMessage(engine, bytesToHex(Buffer.from(request.message)));
      expect(recoverAccount(engine, request.signature, digest)).toBe(recoversTo);
    });
  });

  test('rejects the documented example of Moralis, and names the account that signed it', async () => {
    const { request, recoversTo, response201 } = load('extracted/moralis_documented.json');
    const { status, body } = await stage({ nodes: {} }).verify(request.message, request.signature);
    expect(status).toBe(401);
    expect(body['message']).toContain(`The signature was made by ${recoversTo}, not by ${response201.address}`);
  });

  test('agrees with the hashes of viem', () => {
    for (const { data, keccak256 } of load('ethers/hashes.json').slice(0, 20)) expect(viemKeccak(data)).toBe(keccak256);
  });
}
