// Routes: every operation at every base path, literals before parameters, malicious paths.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { basePaths } from '../../src/api/operations/operation.ts';
import { operationIds, operations } from '../../src/api/operations/operations.ts';
import { getRouteTemplates, matchPath } from '../../src/api/wire/routes.ts';
import { HexLensError } from '../../src/base/errors.ts';

const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const HASH = `0x${'ab'.repeat(32)}`;

function faultOf(method: string, path: string): HexLensError {
  try {
    matchPath(method, path);
  } catch (error) {
    if (error instanceof HexLensError) return error;
    throw error;
  }
  throw new Error(`${method} ${path} was matched`);
}

const found = (path: string, method = 'GET') => {
  const { operation, values } = matchPath(method, path);
  return { id: operation.id, ...Object.fromEntries(values) };
};

describe('matchPath', () => {
  test('one slash at the end is ignored', () => {
    expect(found('/api/v2/block/1/')).toEqual(found('/api/v2/block/1'));
    expect(faultOf('GET', '/api/v2/block/1//').code).toBe('not-found');
  });

  const every = operationIds.flatMap(id =>
    basePaths[operations[id].group].map(base => [id, `${base}${operations[id].path}`] as const),
  );

  test.each(every)('finds %s at %s', (id, template) => {
    const names = [...template.matchAll(/:([a-z0-9_]+)/g)].map(match => match[1] ?? '');
    const path = template.replace(/:([a-z0-9_]+)/g, (_, name: string) => encodeURIComponent(`0x a value/of ${name}`));
    const { operation, values } = matchPath(operations[id].method, path);
    expect(operation.id).toBe(id);
    expect(Object.fromEntries(values)).toEqual(Object.fromEntries(names.map(name => [name, `0x a value/of ${name}`])));
  });

  const COIN = '0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>';
  const paths: readonly (readonly [what: string, path: string, match: Readonly<Record<string, string>>])[] = [
    ['the literal "wallets" is no coin type', '/aptos/coins/transfers/wallets', { id: 'aptosWalletCoinTransfers' }],
    ['the literal "blocks" is no coin type', '/aptos/coins/transfers/blocks', { id: 'aptosBlockCoinTransfers' }],
    ['an encoded literal is that literal', '/aptos/coins/transfers/%77allets', { id: 'aptosWalletCoinTransfers' }],
    [
      'a literal in another case is a value',
      '/aptos/coins/transfers/Wallets',
      { id: 'aptosCoinTransfers', coin_type: 'Wallets' },
    ],
    [
      'a longer word is a value',
      '/aptos/coins/transfers/wallets2',
      { id: 'aptosCoinTransfers', coin_type: 'wallets2' },
    ],
    [
      'a coin type as the SDK writes it',
      `/aptos/coins/transfers/${COIN}`,
      { id: 'aptosCoinTransfers', coin_type: COIN },
    ],
    [
      'a coin type, encoded',
      `/aptos/coins/transfers/${encodeURIComponent(COIN)}`,
      { id: 'aptosCoinTransfers', coin_type: COIN },
    ],
    [
      'a coin type, encoded here and there',
      '/aptos/coins/transfers/0x1::a%3A%3Ab<0x2::c::d,%200x3::e::f>',
      { id: 'aptosCoinTransfers', coin_type: '0x1::a::b<0x2::c::d, 0x3::e::f>' },
    ],
    [
      'an encoded slash stays in its segment',
      '/aptos/coins/transfers/0x1::a::b%2Fwallets',
      { id: 'aptosCoinTransfers', coin_type: '0x1::a::b/wallets' },
    ],
    [
      'values are decoded once',
      '/aptos/coins/transfers/%2577allets',
      { id: 'aptosCoinTransfers', coin_type: '%77allets' },
    ],
    ['a plus is a plus', '/aptos/coins/transfers/a+b', { id: 'aptosCoinTransfers', coin_type: 'a+b' }],
    ['NFTs of a wallet', `/api/v2/${ADDRESS}/nft`, { id: 'walletNfts', address: ADDRESS }],
    ['transfers of a wallet', `/api/v2/${ADDRESS}/nft/transfers`, { id: 'walletNftTransfers', address: ADDRESS }],
    ['transfers of a contract', `/api/v2/nft/${ADDRESS}/transfers`, { id: 'contractNftTransfers', address: ADDRESS }],
    ['transfers of the chain', '/api/v2/nft/transfers', { id: 'nftTransfers' }],
    [
      'transfers of a token',
      `/api/v2/nft/${ADDRESS}/7/transfers`,
      { id: 'tokenNftTransfers', address: ADDRESS, token_id: '7' },
    ],
    [
      'a wallet called nft: the first literal wins',
      '/api/v2/nft/nft/transfers',
      { id: 'contractNftTransfers', address: 'nft' },
    ],
    ['a block called nft: the first literal wins', '/api/v2/block/nft', { id: 'block', block_number_or_hash: 'nft' }],
    ['a wallet called wallets: both literals win', '/api/v2/wallets/balances', { id: 'walletBalances' }],
    ['a value that looks like a parameter', '/api/v2/:address/logs', { id: 'contractLogs', address: ':address' }],
    ['a block by hash', `/api/v2/block/${HASH}`, { id: 'block', block_number_or_hash: HASH }],
    ['the alias', `/api/v2.2/transaction/${HASH}`, { id: 'transaction', transaction_hash: HASH }],
    ['dots are a value, not a way up', '/api/v2/%2e%2e/logs', { id: 'contractLogs', address: '..' }],
    ['a name of Object', '/api/v2/__proto__/logs', { id: 'contractLogs', address: '__proto__' }],
  ];

  test.each(paths)('%s: %s', (_what, path, match) => {
    expect(found(path)).toEqual(match);
  });

  test('matches the verification with POST only', () => {
    expect(found('/challenge/verify/evm', 'POST')).toEqual({ id: 'verifySignIn' });
  });

  const absent = [
    '',
    '/',
    '*',
    '//',
    '/api',
    '/api/v2',
    '/api/v2/',
    '/api/v1/block/1',
    '/api/v2.1/block/1',
    '/API/v2/block/1',
    '/block/1',
    '/aptos/block/1',
    '/api/v2/coins/transfers/wallets',
    '/api/v2/block',
    '/api/v2/block/',
    '/api/v2/block/1//',
    '/api/v2//block/1',
    '/api/v2/../v2/block/1',
    '/api%2Fv2%2Fblock%2F1',
    '/api/v2/block/1/2',
    '/api/v2/block/1?chain=eth/x',
    '/api/v2/wallet',
    `/api/v2/${ADDRESS}/nft/transfers//`,
    '/aptos/coins/transfers/0x1::a::b/wallets',
    '/api/v2/nft//transfers',
    '/constructor',
    'api/v2/block/1',
    'http://127.0.0.1/api/v2/block/1',
  ];

  test.each(absent)('%j is no path of ours', path => {
    const fault = faultOf('GET', path);
    expect(fault.code).toBe('not-found');
    expect(fault.fix).toMatch(/openapi\.json/);
  });

  const methods: readonly (readonly [method: string, path: string, message: RegExp])[] = [
    ['POST', '/api/v2/block/1', /^POST is not possible here: block is a GET\.$/],
    ['DELETE', `/api/v2/${ADDRESS}/logs`, /contractLogs is a GET/],
    ['GET', '/challenge/verify/evm', /verifySignIn is a POST/],
    ['PUT', '/aptos/coins/transfers/wallets', /aptosWalletCoinTransfers is a GET/],
    ['get', '/api/v2/block/1', /block is a GET/],
    ['OPTIONS', '/api/v2.2/block/1', /block is a GET/],
  ];

  test.each(methods)('%s %s is not allowed', (method, path, message) => {
    const fault = faultOf(method, path);
    expect(fault.code).toBe('method-not-allowed');
    expect(fault.message).toMatch(message);
  });

  test.each([
    '/api/v2/block/%',
    '/api/v2/block/%4',
    '/api/v2/block/%zz',
    '/api/v2/block/%FF',
    '/api/v2/block/%C3%28',
    '/%E0%A4%A',
  ])('a path with a broken escape is bad input: %s', path => {
    const fault = faultOf('GET', path);
    expect(fault.code).toBe('bad-input');
    expect(fault.message).toMatch(/%/);
  });

  test('matches any path or throws one of three faults', () => {
    const pieces = fc.constantFrom(
      'api',
      'v2',
      'v2.2',
      'aptos',
      'nft',
      'coins',
      'transfers',
      'wallets',
      'block',
      '',
      '..',
      '%2e',
      '%2F',
      '%',
      'x',
      '\0',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), segments => {
        try {
          matchPath('GET', `/${segments.join('/')}`);
        } catch (error) {
          expect(['not-found', 'method-not-allowed', 'bad-input']).toContain((error as HexLensError).code);
        }
      }),
      { seed: 20261120, numRuns: 2000 },
    );
  });
});

describe('the table of routes', () => {
  const shapes = operationIds.map(id => [id, operations[id].path.split('/').slice(1)] as const);

  test('has no two operations of a group with one path', () => {
    const seen = operationIds.map(id => `${operations[id].group} ${operations[id].path.replace(/:[a-z0-9_]+/g, ':')}`);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('prefers the template with the earlier literal segment', () => {
    for (const [id, segments] of shapes) {
      for (const [other, others] of shapes) {
        if (id === other || operations[id].group !== operations[other].group || segments.length !== others.length)
          continue;
        const both = segments.map((segment, i) => {
          const twin = others[i] ?? '';
          if (segment.startsWith(':')) return twin.startsWith(':') ? 'x' : twin;
          return twin.startsWith(':') || twin === segment ? segment : null;
        });
        if (both.includes(null)) continue;
        const difference = segments.findIndex((segment, i) => segment.startsWith(':') !== others[i]?.startsWith(':'));
        const winner = segments[difference]?.startsWith(':') ? other : id;
        const base = basePaths[operations[id].group][0];
        expect(found(`${base}/${both.join('/')}`).id, `${id} against ${other}`).toBe(winner);
      }
    }
  });

  test('has one template for every operation', () => {
    const templates = getRouteTemplates();
    expect(templates.map(({ operation }) => operation.id)).toEqual(operationIds);
    expect(templates.find(({ operation }) => operation.id === 'nftOwners')).toMatchObject({
      base: '/api/v2',
      template: '/nft/{address}/{token_id}/owners',
    });
    for (const { template } of templates) expect(template).not.toContain(':');
  });
});
