// The transport to a remote host: what is sent, and errors for unexpected responses.
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatFault } from '../../../src/base/errors.ts';
import { expectFault } from './expectFault.ts';
import { ADDRESS, emptyPage, good, KEY, OTHER, start, status } from './httpTransportSetup.ts';
import { type Behavior, startRemote } from './remoteServer.ts';

describe('requests', () => {
  test('sends group B with prefix, query, key and accept header', async () => {
    const { remote, client } = await start(good);
    await client.walletNfts({
      address: ADDRESS,
      chain: 'bsc testnet',
      tokenAddresses: [OTHER, ADDRESS],
      cursor: 'a+b/=&',
    });
    expect(remote.seen[0]).toMatchObject({
      method: 'GET',
      target: `/prefix/${ADDRESS}/nft?chain=bsc%20testnet&token_addresses=${OTHER}&token_addresses=${ADDRESS}&cursor=a%2Bb%2F%3D%26`,
      headers: { 'x-api-key': KEY, accept: 'application/json' },
      body: '',
    });
    expect(remote.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('sends group C with a bearer key, and coin types as one path segment', async () => {
    const { remote, client } = await start(status(200, {}, { cursor: null, hasNextPage: false, result: [] }));
    await client.aptosCoinTransfers({ coinType: '0x1::a::B<0x2::c::D, 0x3::e::F>', limit: 5 });
    expect(remote.seen[0]).toMatchObject({
      target: '/prefix/coins/transfers/0x1%3A%3Aa%3A%3AB%3C0x2%3A%3Ac%3A%3AD%2C%200x3%3A%3Ae%3A%3AF%3E?limit=5',
      headers: { 'x-api-key': KEY, authorization: `Bearer ${KEY}` },
    });
  });

  test('sends group A with a JSON body', async () => {
    const { remote, client } = await start(status(201, {}, { id: 'one', address: ADDRESS, chainId: '1' }));
    const identity = await client.verifySignIn({ message: 'm', signature: '0x00' });
    expect(identity).toMatchObject({ id: 'one', chainId: 1 });
    expect(remote.seen[0]).toMatchObject({
      method: 'POST',
      target: '/prefix/challenge/verify/evm',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body: '{"message":"m","signature":"0x00"}',
    });
  });

  test('sends a key only to the origin that it was entered for', async () => {
    const { remote, client } = await start(good, {
      keys: origin => ({
        [origin.replace('127.0.0.1', 'localhost')]: KEY,
        'http://127.0.0.1:1': KEY,
        [`${origin}.example`]: KEY,
        nonsense: KEY,
      }),
    });
    await client.nftTransfers({});
    expect(JSON.stringify(remote.seen[0]?.headers)).not.toContain(KEY);
  });

  test('accepts a key whose origin was entered with a path', async () => {
    const { remote, client } = await start(good, { keys: origin => ({ [`${origin}/`]: KEY }) });
    await client.nftTransfers({});
    expect(remote.seen[0]?.headers['x-api-key']).toBe(KEY);
  });

  test('never sends a key with a line break', async () => {
    const { remote, client } = await start(good, { keys: origin => ({ [origin]: `${KEY}\r\nx-evil: 1` }) });
    expect((await expectFault(client.nftTransfers({}))).code).toBe('unauthorized');
    expect(remote.seen).toEqual([]);
  });

  test.each([
    '',
    'nonsense',
    'ftp://127.0.0.1',
    'http://127.0.0.1/?key=1',
    'http://user@127.0.0.1/',
    'http://127.0.0.1/#a',
  ])('base URL %j is refused before anything is sent', async baseUrl => {
    const { client } = await start(good, { baseUrl: () => baseUrl });
    const fault = await expectFault(client.nftTransfers({}));
    expect(fault.code).toBe('bad-input');
    expect(fault.message).toBe('The base URL of the remote EVM host is not usable.');
    expect(fault.fix).toContain('https://host/api/v2.2');
  });
});

describe('unexpected responses', () => {
  const text =
    (body: string, type: string): Behavior =>
    (_seen, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    };

  test('rejects a web page', async () => {
    const { remote, client } = await start(text('<!DOCTYPE html><title>Sign in</title>', 'text/html'));
    expect(formatFault(await expectFault(client.nftTransfers({})))).toBe(
      `127.0.0.1:${remote.port} responded with a web page instead of data. Check the base URL; a proxy or a sign-in page may have intercepted the request.`,
    );
  });

  test('rejects incomplete JSON', async () => {
    const { remote, client } = await start(text('{"result":[{"token_id":"1"', 'application/json'));
    expect((await expectFault(client.nftTransfers({}))).message).toBe(
      `127.0.0.1:${remote.port} responded with text that is not complete JSON.`,
    );
  });

  test.each(['"text"', '12', 'true', '{"message":"busy"}', '{"result":{}}'])(
    'rejects JSON of another shape: %s',
    async body => {
      const { client } = await start(text(body, 'application/json'));
      const fault = await expectFault(client.nftTransfers({}));
      expect(fault.code).toBe('host-error');
      expect(fault.message).toMatch(/responded with (data that does not have the shape|text)/);
    },
  );

  test.each([
    ['JSON that says it is text', text(JSON.stringify(emptyPage), 'text/plain')],
    ['JSON behind a byte order mark', text(`\ufeff${JSON.stringify(emptyPage)}`, 'application/json')],
    ['nothing but an empty object', text('{}', 'application/json')],
    ['a bare list', text('[]', 'application/json')],
  ])('%s is understood', async (_name, behave) => {
    const { client } = await start(behave);
    expect((await client.nftTransfers({})).result).toEqual([]);
  });

  test('reports an error page', async () => {
    const { remote, client } = await start((_seen, response) => response.writeHead(403).end('<html>1020</html>'));
    expect((await expectFault(client.nftTransfers({}))).message).toBe(
      `127.0.0.1:${remote.port} does not accept the API key.`,
    );
  });

  test('rejects a redirect and does not send the key along', async () => {
    const elsewhere = await startRemote(good);
    onTestFinished(() => elsewhere.close());
    const { remote, client } = await start(status(308, { location: `${elsewhere.origin}/secret` }));
    const fault = await expectFault(client.nftTransfers({}));
    expect(formatFault(fault)).toBe(
      `127.0.0.1:${remote.port} redirects to ${elsewhere.origin}, and redirects are not followed. Set the base URL to the address that it redirects to.`,
    );
    expect(elsewhere.seen).toEqual([]);
  });

  test('reports a missing key for 401 without a key', async () => {
    const { client } = await start(status(401), { keys: () => ({}) });
    expect((await expectFault(client.nftTransfers({}))).message).toMatch(/requires an API key, and none is set for it/);
  });

  test('ignores our own headers from a host', async () => {
    const headers = { 'x-hexlens-fault': 'internal', 'x-hexlens-host': 'trusted.example', 'x-hexlens-filtered': '9' };
    const { remote, transport } = await start(status(404, headers));
    const reply = await transport.send({
      operation: 'block',
      group: 'evm',
      method: 'GET',
      path: '/block/1',
      query: [],
      body: null,
    });
    expect(reply.headers).toMatchObject({ 'x-hexlens-host': `127.0.0.1:${remote.port}` });
    expect(reply.headers['x-hexlens-fault']).toBeUndefined();
    expect(reply.headers['x-hexlens-filtered']).toBeUndefined();
  });

  test.each([
    ['syncing; block 31 of 60', true],
    ['syncing; block 31 of 60; \u009b2J', false],
    ['done', false],
  ])('passes on how far an index is, and no other text: %j', async (value, isPassedOn) => {
    const { transport } = await start(status(200, { 'x-hexlens-index': value }, emptyPage));
    const reply = await transport.send({
      operation: 'nftTransfers',
      group: 'evm',
      method: 'GET',
      path: '/nft/transfers',
      query: [],
      body: null,
    });
    expect(reply.headers['x-hexlens-index']).toBe(isPassedOn ? value : undefined);
  });

  test('drops cookies of hosts', async () => {
    const { transport } = await start(status(200, { 'set-cookie': 'secret=1' }, emptyPage));
    const reply = await transport.send({
      operation: 'block',
      group: 'evm',
      method: 'GET',
      path: '/block/1',
      query: [],
      body: null,
    });
    expect(reply.headers['set-cookie']).toBeUndefined();
  });
});
