// Sign-in verification in the embedded service: the record, the policy, replay, and hostile input.

import { keccak256, stringToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { createMemoryNonceStore } from '../../src/service/siwe/memoryNonceStore.ts';
import { createSiweVerifier } from '../../src/service/siwe/siweVerifier.ts';
import { measureAsyncCpuMs } from '../support/cpuTime.ts';
import { createTestClock, createTestLog } from '../support/testClock.ts';
import { alice, at, bob, createSignInStage, messageOf, NOW } from './siweStage.ts';

const stage = createSignInStage();

describe('the record', () => {
  test('has every field of the message in the types of the API, with status 201', async () => {
    const message = messageOf({
      origin: 'https://example.com:8443',
      chainId: 137,
      more: [
        'Expiration Time: 2023-11-15T01:00:00+01:00',
        `Not Before: ${at(-5_000)}`,
        'Request ID: 7',
        'Resources:',
        '- https://a.example/',
      ],
    });
    const { status, body } = await stage().signedByAlice(message);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{17}$/),
      domain: 'example.com:8443',
      chainId: 137,
      address: alice.address,
      statement: 'Sign in, please.',
      uri: 'https://example.com/login',
      expirationTime: '2023-11-15T00:00:00.000Z',
      notBefore: '2023-11-14T22:13:15.000Z',
      resources: ['https://a.example/'],
      version: '1',
      nonce: 'Px7Nh1RPzlCLwqgOb',
      profileId: keccak256(stringToBytes(`hexlens:profile:v1:evm:${alice.address.toLowerCase()}`)),
    });
  });

  test('omits fields that the message does not have', async () => {
    const { body } = await stage().signedByAlice(messageOf({ statement: null }));
    expect(Object.keys(body).toSorted()).toEqual(
      ['address', 'chainId', 'domain', 'id', 'nonce', 'profileId', 'uri', 'version'].toSorted(),
    );
  });

  test('has a new id each time and one profile id per account on all chains', async () => {
    const { verify, signedByAlice } = stage();
    const first = await signedByAlice(messageOf({ nonce: 'nonce0001' }));
    const second = await signedByAlice(messageOf({ nonce: 'nonce0002', chainId: 10 }));
    const bobs = messageOf({ nonce: 'nonce0003', address: bob.address });
    const third = await verify(bobs, await bob.signMessage({ message: bobs }));
    const ids = [first, second, third].map(({ body }) => body['id']);
    expect(new Set(ids).size).toBe(3);
    expect(second.body['profileId']).toBe(first.body['profileId']);
    expect(third.body['profileId']).not.toBe(first.body['profileId']);
    expect(third.body['profileId']).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test('shows when no domain was expected', async () => {
    const unbound = await stage().signedByAlice(messageOf());
    expect(unbound.headers['x-hexlens-domain']).toBe('not bound');
    const bound = await stage({ auth: { expectedDomains: ['example.com'] } }).signedByAlice(messageOf());
    expect([bound.status, bound.headers['x-hexlens-domain']]).toEqual([201, undefined]);
  });
});

describe('policy', () => {
  test('a message for another domain is rejected, with any signer', async () => {
    const { signedByAlice } = stage({ auth: { expectedDomains: ['example.com', 'localhost:3000'] } });
    const other = await signedByAlice(messageOf({ origin: 'evil.example' }));
    expect([other.status, other.body['message']]).toEqual([
      401,
      expect.stringContaining('The message is for evil.example, not for example.com or localhost:3000.'),
    ]);
    expect((await signedByAlice(messageOf({ origin: 'example.com@evil.example' }))).status).toBe(401);
    expect((await signedByAlice(messageOf({ origin: 'LOCALHOST:3000' }))).status).toBe(201);
  });

  test('an invalid policy rejects sign-ins with the reason', async () => {
    const { status, body } = await stage({ auth: { expectedDomains: ['https://example.com'] } }).signedByAlice(
      messageOf(),
    );
    expect([status, body['message']]).toEqual([400, expect.stringContaining('"https://example.com" is not a domain')]);
  });

  test('addresses without checksum are accepted unless the policy requires it', async () => {
    const { signedByAlice } = stage({ auth: { lowerCaseAddresses: false } });
    expect((await signedByAlice(messageOf({ address: alice.address.toLowerCase() }))).status).toBe(400);
    expect((await signedByAlice(messageOf())).status).toBe(201);
  });

  test('addresses without checksum are returned with it', async () => {
    const { signedByAlice } = stage();
    const { status, body } = await signedByAlice(messageOf({ address: alice.address.toLowerCase() }));
    expect([status, body['address']]).toEqual([201, alice.address]);
    const wrong = alice.address.replace('f39F', 'F39F');
    expect((await signedByAlice(messageOf({ address: wrong, nonce: 'other1234' }))).status).toBe(400);
  });

  test('clocks may differ by the clock skew of the policy, at most by a minute', async () => {
    const ahead = (ms: number, clockSkewMs: number) =>
      stage({ auth: { clockSkewMs } }).signedByAlice(messageOf({ issuedAt: at(ms) }));
    expect((await ahead(60_000, 3_600_000)).status).toBe(201);
    expect((await ahead(60_001, 3_600_000)).status).toBe(401);
    expect((await ahead(1, 0)).status).toBe(401);
    expect((await ahead(0, 0)).status).toBe(201);
  });
});

describe('requirements for one sign-in', () => {
  const verifier = () =>
    createSiweVerifier({
      nodes: createEvmNodes({
        nodes: {},
        http: createUndiciHttp(defaultProxyConfiguration),
        clock: systemClock,
        log: silentLog,
        timeoutMs: 1,
      }),
      clock: createTestClock(NOW),
      log: silentLog,
    });
  const verify = async (expected: { domain?: string; nonce?: string }) => {
    const message = messageOf();
    return verifier().verify(message, await alice.signMessage({ message }), expected);
  };

  test('are compared with the message', async () => {
    await expect(verify({})).resolves.toMatchObject({ isDomainBound: false, identity: { address: alice.address } });
    await expect(verify({ domain: 'Example.com', nonce: 'Px7Nh1RPzlCLwqgOb' })).resolves.toMatchObject({
      isDomainBound: true,
    });
  });

  test.each([
    [{ domain: 'example.org' }, 'unauthorized', /is for example\.com, not for example\.org/],
    [{ nonce: 'Px7Nh1RPzlCLwqgOB' }, 'unauthorized', /not the one that is expected/],
    [{ domain: 'https://example.com' }, 'bad-input', /is not a domain/],
  ])('%o is refused', async (expected, code, message) => {
    await expect(verify(expected)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('are compared each time, and a cached signature is not used for another text', async () => {
    const one = verifier();
    const message = messageOf();
    const signature = await alice.signMessage({ message });
    const look = { dryRun: true };
    await expect(one.verify(message, signature, look)).resolves.toMatchObject({ identity: { address: alice.address } });
    for (const expected of [{ domain: 'example.org' }, { nonce: 'another' }])
      await expect(one.verify(message, signature, { ...look, ...expected })).rejects.toThrow();
    for (const [text, hex] of [
      [message.replace('Sign in', 'Pay me'), signature],
      [message, await bob.signMessage({ message })],
      [message.slice(1), `${signature}${message.slice(0, 1)}`],
      [`${signature.slice(-1)}${message}`, signature.slice(0, -1)],
    ] as const)
      await expect(one.verify(text, hex, look)).rejects.toThrow();
    await expect(one.verify(message, signature)).resolves.toMatchObject({ identity: { address: alice.address } });
    await expect(one.verify(message, signature)).rejects.toThrow(/used before/);
  });
});

describe('replay', () => {
  test('of many concurrent sign-ins exactly one succeeds', async () => {
    const { verify } = stage();
    const message = messageOf();
    const signature = await alice.signMessage({ message });
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(message, signature)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  test('another signature of the same message is rejected too', async () => {
    const { verify, signedByAlice } = stage();
    const message = messageOf();
    const signature = await alice.signMessage({ message });
    expect((await signedByAlice(message)).status).toBe(201);
    const parity = Number.parseInt(signature.slice(-2), 16) - 27;
    expect((await verify(message, `${signature.slice(0, -2)}0${parity}`)).status).toBe(401);
  });

  test('a wrong signature does not consume the nonce', async () => {
    const { verify, signedByAlice } = stage();
    const message = messageOf();
    expect((await verify(message, await bob.signMessage({ message }))).status).toBe(401);
    expect((await signedByAlice(message)).status).toBe(201);
  });

  test('a message for another domain does not consume the nonce', async () => {
    const nonces = createMemoryNonceStore({ clock: createTestClock(NOW) });
    const { signedByAlice } = stage({ nonces, auth: { expectedDomains: ['example.com'] } });
    await signedByAlice(messageOf({ origin: 'evil.example' }));
    expect(nonces.size).toBe(0);
  });

  test('a message that becomes valid is accepted once', async () => {
    const clock = createTestClock(NOW);
    const { signedByAlice } = stage({ clock });
    const message = messageOf({ more: [`Expiration Time: ${at(10_000)}`] });
    clock.advance(9_998);
    expect((await signedByAlice(message)).status).toBe(201);
    clock.advance(1);
    expect((await signedByAlice(message)).body['message']).toContain('used before');
    clock.advance(1);
    expect((await signedByAlice(message)).body['message']).toContain('expired');
  });

  test('if the policy allows it, a message is accepted until it expires', async () => {
    const clock = createTestClock(NOW);
    const { signedByAlice } = stage({ clock, auth: { singleUse: false } });
    const message = messageOf({ more: [`Expiration Time: ${at(10_000)}`] });
    expect((await signedByAlice(message)).status).toBe(201);
    expect((await signedByAlice(message)).status).toBe(201);
    clock.advance(10_000);
    expect((await signedByAlice(message)).status).toBe(401);
  });

  test('the nonce store outlives its service', async () => {
    const nonces = createMemoryNonceStore({ clock: createTestClock(NOW) });
    expect((await stage({ nonces }).signedByAlice(messageOf())).status).toBe(201);
    expect((await stage({ nonces }).signedByAlice(messageOf())).status).toBe(401);
  });
});

describe('hostile input is rejected at once with one sentence', () => {
  const hostile: readonly (readonly [string, () => string])[] = [
    ['20,000 resources', () => messageOf({ more: ['Resources:', ...Array(20_000).fill('- https://a.example/')] })],
    ['a statement of a megabyte', () => messageOf({ statement: 'a'.repeat(1_000_000) })],
    ['a megabyte of line feeds', () => '\n'.repeat(1_000_000)],
    ['a megabyte of the first line', () => `${'a.'.repeat(500_000)} wants you to sign in`],
    ['a nonce of 100,000', () => messageOf({ nonce: 'a'.repeat(100_000) })],
    ['a chain id of 100,000 digits', () => messageOf({ chainId: '9'.repeat(100_000) })],
    ['a time of 100,000 digits', () => messageOf({ issuedAt: `2023-11-14T22:13:19.${'1'.repeat(100_000)}Z` })],
    ['a URI of colons', () => messageOf({ uri: `a${':'.repeat(500_000)}` })],
    ['10,000 bytes in fewer characters', () => messageOf({ statement: '🥵'.repeat(3_000) })],
  ];

  test.each(hostile)('%s', async (_, make) => {
    const message = make();
    const { verify } = stage();
    await verify(messageOf(), '0x'); // what is loaded at first use is not what is measured
    const signature = `0x${'11'.repeat(65)}` as const;
    const { status, body } = await verify(message, signature);
    const took = await measureAsyncCpuMs(() => verify(message, signature));
    expect([400, 413]).toContain(status);
    expect(String(body['message']).length).toBeLessThan(600);
    expect(took).toBeLessThan(250); // single milliseconds on a quiet machine
  });

  test('a signature of a megabyte', async () => {
    const { status, body } = await stage().verify(messageOf(), `0x${'ab'.repeat(500_000)}`);
    expect([status, body['message']]).toEqual([400, expect.stringContaining('signature is longer than 16,384 bytes')]);
  });

  test('a lone surrogate is rejected, not replaced', async () => {
    await expect(stage().verify(messageOf({ statement: 'a\ud800b' }), '0x')).rejects.toMatchObject({
      code: 'bad-input',
    });
  });
});

test('signatures and messages are never logged', async () => {
  const log = createTestLog();
  const { verify, signedByAlice } = stage({ log });
  const message = messageOf();
  await signedByAlice(message);
  await signedByAlice(message);
  await verify(message, '0x1234');
  const text = JSON.stringify(log.lines);
  expect(text).not.toContain((await alice.signMessage({ message })).slice(2, 40));
  expect(text).not.toContain('Px7Nh1RPzlCLwqgOb');
});

test('100 new accounts all sign in', async () => {
  const { verify } = stage();
  for (let i = 0; i < 100; i++) {
    const account = privateKeyToAccount(generatePrivateKey());
    const message = messageOf({ address: account.address, nonce: `nonce${i.toString().padStart(6, '0')}` });
    const { status, body } = await verify(message, await account.signMessage({ message }));
    expect([status, body['address']]).toEqual([201, account.address]);
  }
});
