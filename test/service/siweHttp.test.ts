// Sign-in over HTTP by third-party clients, on the command line, through the backend, and at a remote host.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Configuration, defaultConfiguration, type SiwePolicy } from '../../src/api/configuration.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import { silentLog } from '../../src/base/log.ts';
import { type RunningServer, startServer } from '../../src/cli/startServer.ts';
import { createClient } from '../../src/client/client.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { runCliHere, startServe } from './cliProcess.ts';
import { alice, bob, messageOf } from './siweStage.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function serve(auth?: SiwePolicy): Promise<RunningServer> {
  const configuration: Configuration = {
    ...defaultConfiguration,
    nodes: {},
    ...(auth !== undefined && { siwe: auth }),
  };
  const serving = await startServer({ port: 0, key: 'k', configuration, log: silentLog });
  stops.push(() => serving.stop());
  return serving;
}

let nonce = 0;
const freshMessage = (parts: Parameters<typeof messageOf>[0] = {}) =>
  messageOf({ issuedAt: new Date().toISOString(), nonce: `nonce${(nonce++).toString().padStart(8, '0')}`, ...parts });

async function post(url: string, body: unknown, headers: Record<string, string> = { 'x-api-key': 'k' }) {
  const response = await fetch(`${url}/challenge/verify/evm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Readonly<Record<string, unknown>>,
  };
}

describe('POST /challenge/verify/evm', () => {
  test('as the official SDK sends it: its additional fields are ignored', async () => {
    const { url } = await serve();
    const message = freshMessage();
    const signature = await alice.signMessage({ message });
    const { status, headers, body } = await post(url, { networkType: 'evm', network: 'evm', message, signature });
    expect(status).toBe(201);
    expect(body).toMatchObject({ address: alice.address, chainId: 1, domain: 'example.com', version: '1' });
    expect(headers.get('x-hexlens-domain')).toBe('not bound');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('errors have the shape of group A', async () => {
    const { url } = await serve();
    const message = freshMessage();
    const malformed = await post(url, { message: `${message}\n`, signature: `0x${'11'.repeat(65)}` });
    expect(malformed).toMatchObject({
      status: 400,
      body: { statusCode: 400, name: 'BadRequestException', message: expect.stringContaining('Line ') },
    });
    const stranger = await post(url, { message, signature: await bob.signMessage({ message }) });
    expect(stranger).toMatchObject({
      status: 401,
      body: { statusCode: 401, name: 'UnauthorizedException', message: expect.stringContaining(bob.address) },
    });
  });

  test.each([
    ['no message', { signature: '0x00' }, 'message is required'],
    ['no signature', { message: 'x' }, 'signature is required'],
    ['a message that is a number', { message: 1, signature: '0x00' }, 'message must be a string'],
    ['a signature that is a list', { message: 'x', signature: ['0x00'] }, 'signature must be a string'],
    ['nothing', {}, 'message is required'],
    ['a list', [], 'must be a JSON object'],
    ['no JSON', '{', 'not valid JSON'],
  ])('responds to %s', async (_, sent, text) => {
    const { status, body } = await post((await serve()).url, sent);
    expect([status, body['statusCode']]).toEqual([400, 400]);
    expect(body['message']).toContain(text);
  });

  test('it needs a key too', async () => {
    const { url } = await serve();
    const message = freshMessage();
    const signature = await alice.signMessage({ message });
    const { status } = await post(url, { message, signature }, {});
    expect(status).toBe(401);
    expect((await post(url, { message, signature })).status).toBe(201); // and without it no nonce is used up
  });

  test('of many concurrent equal requests one succeeds', async () => {
    const { url } = await serve();
    const message = freshMessage();
    const body = { message, signature: await alice.signMessage({ message }) };
    const answers = await Promise.all(Array.from({ length: 16 }, () => post(url, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(15);
  });

  test('JSON escapes are decoded', async () => {
    const { url } = await serve();
    const message = freshMessage();
    const signature = await alice.signMessage({ message });
    const escaped = JSON.stringify({ message, signature }).replace('example', '\\u0065xample');
    expect((await post(url, escaped)).status).toBe(201);
    const crlf = freshMessage().replaceAll('\n', '\r\n');
    const answer = await post(url, { message: crlf, signature: await alice.signMessage({ message: crlf }) });
    expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining('Line 1')]);
  });

  test('an invalid domain prevents the server from starting', async () => {
    await expect(serve({ expectedDomains: ['https://example.com'] })).rejects.toMatchObject({ code: 'bad-input' });
  });
});

describe('hexlens serve', () => {
  const cli = async (...args: string[]) => {
    const running = await startServe(['--port', '0', '--key', 'k', ...args]);
    stops.push(() => running.stop());
    return running.ready.url;
  };
  const signed = async (parts?: Parameters<typeof messageOf>[0]) => {
    const message = freshMessage(parts);
    return { message, signature: await alice.signMessage({ message }) };
  };

  test('--domain rejects other domains', async () => {
    const url = await cli('--domain', 'example.com', '--domain', 'LOCALHOST:3000');
    const bound = await post(url, await signed());
    expect([bound.status, bound.headers.get('x-hexlens-domain')]).toEqual([201, null]);
    expect((await post(url, await signed({ origin: 'localhost:3000' }))).status).toBe(201);
    expect((await post(url, await signed({ origin: 'evil.example' }))).status).toBe(401);
  });

  test('a message signs in once, with --repeat-sign-in repeatedly', async () => {
    const body = await signed();
    const once = await cli();
    expect([(await post(once, body)).status, (await post(once, body)).status]).toEqual([201, 401]);
    const again = await cli('--repeat-sign-in');
    expect([(await post(again, body)).status, (await post(again, body)).status]).toEqual([201, 201]);
  });

  test('a message that is sent again with --repeat-sign-in gets a new id, and is rejected when it has expired', async () => {
    const expires = Date.now() + 60_000;
    const message = freshMessage({ more: [`Expiration Time: ${new Date(expires).toISOString()}`] });
    const body = { message, signature: await alice.signMessage({ message }) };
    const { url } = await serve({ singleUse: false });
    const [first, second] = [await post(url, body), await post(url, body)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body['id']).not.toBe(second.body['id']);
    vi.useFakeTimers({ toFake: ['Date'], now: expires });
    stops.push(async () => vi.useRealTimers());
    const late = await post(url, body);
    expect([late.status, late.body['message']]).toEqual([401, expect.stringContaining('The message expired')]);
    expect((await post(url, body, { 'x-api-key': 'other' })).status).toBe(401);
  });

  test('an invalid domain is wrong use', async () => {
    const { code, stdout, stderr } = await runCliHere(['serve', '--domain', 'https://example.com']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--domain needs a host, not "https://example.com".');
  });
});

describe('the backend', () => {
  const forProgram = { forProgram: true };
  const backend = (configuration: Partial<Configuration> = {}) => {
    const made = createNodeBackend({ log: silentLog });
    made.configure({ ...defaultConfiguration, nodes: {}, ...configuration });
    stops.push(() => made.stop());
    return made;
  };
  const request = async (message: string) =>
    encodeRequest('verifySignIn', { message, signature: await alice.signMessage({ message }) });

  test('consumed nonces outlive a change of the configuration', async () => {
    const made = backend();
    const signInRequest = await request(freshMessage());
    expect((await made.call(signInRequest, forProgram)).status).toBe(201);
    made.configure({ ...defaultConfiguration, nodes: { local: 'http://127.0.0.1:1' } });
    expect((await made.call(signInRequest, forProgram)).status).toBe(401);
  });

  test('a change of the policy applies at once', async () => {
    const made = backend();
    expect((await made.call(await request(freshMessage()))).status).toBe(201);
    made.configure({ ...defaultConfiguration, nodes: {}, siwe: { expectedDomains: ['other.example'] } });
    expect((await made.call(await request(freshMessage()))).status).toBe(401);
  });

  test('an editor consumes no nonce, whatever the configuration says', async () => {
    const made = backend({ siwe: { singleUse: true } });
    const signInRequest = await request(freshMessage());
    expect([(await made.call(signInRequest)).status, (await made.call(signInRequest)).status]).toEqual([201, 201]);
  });

  test('a remote group returns the records and errors of its host', async () => {
    const host = await serve({ expectedDomains: ['example.com'] });
    const groups = { ...defaultConfiguration.groups, auth: { mode: 'remote', baseUrl: host.url } } as const;
    const remote = backend({ groups, keys: { [host.url]: 'k' } });
    const client = createClient({ send: request => remote.call(request) });
    const message = freshMessage();
    const signature = await alice.signMessage({ message });
    const record = await client.verifySignIn({ message, signature });
    expect(record).toMatchObject({ address: alice.address, chainId: 1, expirationTime: null, version: '1' });
    await expect(client.verifySignIn({ message: `${message}\n`, signature })).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('Line '),
    });
    await expect(client.verifySignIn({ message, signature })).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
