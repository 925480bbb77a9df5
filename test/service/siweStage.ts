// What the tests of sign-in verification start from: messages, accounts that sign them, and the service that verifies.
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach } from 'vitest';
import { defaultProxyConfiguration, type SiwePolicy } from '../../src/api/configuration.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { Service } from '../../src/service/service.ts';
import type { NonceStore } from '../../src/service/siwe/nonceStore.ts';
import { createTestClock } from '../support/testClock.ts';

/** The first two accounts of every Hardhat and Foundry chain: their keys are public. */
export const alice: PrivateKeyAccount = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
);
export const bob: PrivateKeyAccount = privateKeyToAccount(
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
);

/** 2023-11-14T22:13:20.000Z, the time of the test clock. */
export const NOW = 1_700_000_000_000;
export const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();

export interface MessageParts {
  readonly origin?: string;
  readonly address?: string;
  readonly statement?: string | null;
  readonly uri?: string;
  readonly version?: string;
  readonly chainId?: string | number;
  readonly nonce?: string;
  readonly issuedAt?: string;
  /** Lines after `Issued At`, without line feeds. */
  readonly more?: readonly string[];
}

/** An EIP-4361 message with these fields, valid or not. */
export function messageOf(parts: MessageParts = {}): string {
  const {
    origin = 'example.com',
    address = alice.address,
    statement = 'Sign in, please.',
    uri = 'https://example.com/login',
  } = parts;
  const { version = '1', chainId = 1, nonce = 'Px7Nh1RPzlCLwqgOb', issuedAt = at(-1_000), more = [] } = parts;
  return [
    `${origin} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement === null ? [] : [statement]),
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...more,
  ].join('\n');
}

export interface SignInAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SignInService {
  verify(message: string, signature: string): Promise<SignInAnswer>;
  /** The message, signed unchanged by `alice`. */
  signedByAlice(message: string): Promise<SignInAnswer>;
}

export interface SignInOptions {
  readonly nodes?: Readonly<Record<string, string>>;
  readonly auth?: SiwePolicy;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly nonces?: NonceStore;
  readonly timeoutMs?: number;
}

/** Call it once per test file, outside of tests. It creates services that are stopped after their test. */
export function createSignInStage(): (options?: SignInOptions) => SignInService {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  return ({ nodes = {}, auth, clock = createTestClock(NOW), log = silentLog, nonces, timeoutMs } = {}) => {
    const http = createUndiciHttp(defaultProxyConfiguration);
    const service = new Service({
      endpoints: { nodes, ...(timeoutMs !== undefined && { timeoutMs }) },
      http,
      clock,
      log,
      siwePolicy: auth,
      stores: { nonces },
    });
    stops.push(async () => {
      await service.stop();
      await http.stop();
    });
    const verify: SignInService['verify'] = async (message, signature) => {
      const { status, body, headers } = await service.handle(encodeRequest('verifySignIn', { message, signature }));
      return { status, body: body as SignInAnswer['body'], headers };
    };
    return { verify, signedByAlice: async message => verify(message, await alice.signMessage({ message })) };
  };
}

/** For real chains. */
export const realTime = systemClock;
