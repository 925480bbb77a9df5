// Parameters in requests: invalid ones are rejected by field name on both sides; precedence rules apply.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OperationId, operationIds, operations } from '../../src/api/operations/operations.ts';
import {
  applyPrecedence,
  blockBeatsDate,
  blockNumberBeatsRanges,
  type Parameters,
} from '../../src/api/operations/parameters.ts';
import { formatQueryString, parseQueryString } from '../../src/api/wire/queryString.ts';
import { decodeInput, decodeRequest, findIgnoredParameters } from '../../src/api/wire/request.ts';
import { arbitraryInput } from './arbitraries.ts';
import { A, B, encodeAny, get, getIssues, getRequestIssues } from './inputIssues.ts';

describe('decoding', () => {
  test('reports all invalid fields at once, by wire name', () => {
    const issues = getRequestIssues(
      '/api/v2/0x12/logs',
      `chain=moon&from_block=x&topic0=${A}&limit=0&disable_total=maybe&cursor=ok`,
    );
    expect(Object.keys(issues)).toEqual(['address', 'chain', 'from_block', 'topic0', 'limit', 'disable_total']);
  });

  test('names the invalid element of a list', () => {
    expect(
      getRequestIssues('/api/v2/wallets/balances', `wallet_addresses=${A}&wallet_addresses=0x12`)['wallet_addresses'],
    ).toMatch(/^wallet_addresses element 2 is not a valid hex address: it has 2 digits/);
    expect(getRequestIssues('/api/v2/wallets/balances', 'wallet_addresses=0x12')['wallet_addresses']).not.toContain(
      'element',
    );
  });

  test('reads all forms of lists, in order, and never splits on commas', () => {
    const expected = { walletAddresses: [A, B.toLowerCase()] };
    for (const query of [
      `wallet_addresses=${A}&wallet_addresses=${B}`,
      `wallet_addresses[]=${A}&wallet_addresses[]=${B}`,
      `wallet_addresses[0]=${A}&wallet_addresses[1]=${B}`,
      `wallet_addresses%5B%5D=${A}&wallet_addresses%5B%5D=${B}`,
      `wallet_addresses%5b0%5d=${A}&wallet_addresses%5b1%5d=${B}`,
      `wallet_addresses=${A}&wallet_addresses=&wallet_addresses=${B}`,
    ])
      expect(get('/api/v2/wallets/balances', query)).toEqual(expected);
    expect(getRequestIssues('/api/v2/wallets/balances', `wallet_addresses=${A},${B}`)['wallet_addresses']).toMatch(
      /is not 0x and hex digits; repeat the parameter for several values instead of using commas$/,
    );
    const coins = `limit=1&owner_addresses=0x1&coin_type_whitelist=${encodeURIComponent('0x1::a::B<0x2::c::D, 0x3::e::F>')}`;
    expect(get('/aptos/coins/transfers/wallets', coins)['coinTypeWhitelist']).toEqual([
      '0x1::a::B<0x2::c::D, 0x3::e::F>',
    ]);
  });

  test.each([
    ['fromBlock=1', 'fromBlock', 'from_block'],
    ['from-block=1', 'from-block', 'from_block'],
    ['disableTotal=false', 'disableTotal', 'disable_total'],
    ['from_block[gt]=1', 'from_block[gt]', 'from_block'],
    ['LIMIT=1', 'LIMIT', 'limit'],
  ])('rejects %s by name instead of ignoring it', (query, given, meant) => {
    expect(getRequestIssues('/api/v2/nft/transfers', query)).toEqual({
      [meant]: `${meant} must be spelled like this, not "${given}"`,
    });
  });

  test('does not validate a parameter that another one takes precedence over', () => {
    expect(get('/api/v2/nft/transfers', 'from_block=1&from_date=soon')).toEqual({ fromBlock: 1 });
    expect(get(`/api/v2/${A}/logs`, 'block_number=1&from_block=x&to_block=y&to_date=z')).toEqual({
      address: A.toLowerCase(),
      blockNumber: 1,
    });
    expect(getRequestIssues('/api/v2/nft/transfers', 'from_block=x&from_date=soon')).toHaveProperty('from_block');
  });

  test('reads the network of Aptos from the base path', () => {
    expect(get('/aptos/testnet/wallets/nfts', 'limit=1&owner_addresses=0x1')).toMatchObject({ network: 'testnet' });
    expect(get('/aptos/coins/transfers/wallets', 'limit=1&owner_addresses=0x1')).not.toHaveProperty('network');
    expect(getRequestIssues('/aptos/testnet/wallets/nfts', 'limit=1&owner_addresses=0x1&network=mainnet')).toEqual({
      network: 'network must be given once',
    });
  });

  test('treats empty parameters as absent and ignores unknown ones', () => {
    expect(get('/api/v2/nft/transfers', 'chain=&cursor=&limit=&utm_source=x&constructor=1&__proto__=2')).toEqual({});
  });

  test('treats a required list of empty values as missing', () => {
    expect(getRequestIssues('/api/v2/wallets/balances', 'wallet_addresses=&wallet_addresses[]=')).toEqual({
      wallet_addresses: 'wallet_addresses is required: up to 25: 0x and 40 hex digits',
    });
  });

  test('rejects a repeated parameter with different values', () => {
    expect(get('/api/v2/block/1', 'chain=eth&chain=eth')).toEqual({ block: 1, chain: 'eth' });
    expect(getRequestIssues('/api/v2/block/1', 'chain=eth&chain=polygon')).toEqual({
      chain: 'chain must be given once',
    });
  });

  test('validates decoded path values under their wire names', () => {
    expect(getRequestIssues('/api/v2/block/first')['block_number_or_hash']).toMatch(/"first"/);
    expect(getRequestIssues('/api/v2/transaction/0x12')).toHaveProperty('transaction_hash');
    expect(getRequestIssues(`/api/v2/nft/${A}/-1/owners`)).toHaveProperty('token_id');
    expect(get(`/api/v2/nft/${A}/${2n ** 256n - 1n}/owners`, 'normalizeMetadata=true&media_items=false')).toEqual({
      address: A,
      tokenId: 2n ** 256n - 1n,
      normalizeMetadata: true,
      mediaItems: false,
    });
  });

  test('reads the fields of a body, and rejects other types', () => {
    const post = (body: unknown) => decodeRequest('POST', '/challenge/verify/evm', [], body).input;
    expect(post({ message: 'm', signature: '0x', extra: 1 })).toEqual({ message: 'm', signature: '0x' });
    for (const body of [undefined, null, {}, [], 'text', 7, { message: null }, { message: '' }])
      expect(Object.keys(getIssues(() => post(body)))).toEqual(['message', 'signature']);
    expect(getIssues(() => post({ message: 5, signature: ['0x'] }))).toEqual({
      message: 'message must be a string',
      signature: 'signature must be a string',
    });
    const inherited = Object.create({ message: 'm', signature: '0x' }) as object;
    expect(Object.keys(getIssues(() => post(inherited)))).toEqual(['message', 'signature']);
    expect(getIssues(() => post({ message: 'x'.repeat(1_048_577), signature: '0x' }))['message']).toMatch(
      /longer than 1,048,576 characters/,
    );
  });

  test('does not repeat long or unprintable values in errors', () => {
    const { address } = getRequestIssues(`/api/v2/${encodeURIComponent(`<b>\n${'x'.repeat(9999)}`)}/logs`);
    expect(address?.length).toBeLessThan(150);
    expect(address).not.toContain('\n');
  });
});

describe('encoding', () => {
  test('rejects unknown parameters by name', () => {
    expect(getIssues(() => encodeAny('block', { block: 1, limit: 5 }))).toEqual({
      limit: 'limit is not a parameter of block',
    });
  });

  test('rejects missing required parameters', () => {
    expect(getIssues(() => encodeAny('block', {}))).toEqual({
      block_number_or_hash: 'block_number_or_hash is required: a block number or block hash',
    });
    expect(Object.keys(getIssues(() => encodeAny('verifySignIn', {})))).toEqual(['message', 'signature']);
    expect(Object.keys(getIssues(() => encodeAny('verifySignIn', { message: '', signature: '0x' })))).toEqual([
      'message',
    ]);
    expect(Object.keys(getIssues(() => encodeAny('walletBalances', { walletAddresses: [] })))).toEqual([
      'wallet_addresses',
    ]);
  });

  test('rejects values of a wrong type by name', () => {
    const wrong: readonly (readonly [id: OperationId, input: unknown, field: string])[] = [
      ['block', { block: {} }, 'block_number_or_hash'],
      ['block', { block: 1.5 }, 'block_number_or_hash'],
      ['block', { block: Number.NaN }, 'block_number_or_hash'],
      ['contractLogs', { address: 5 }, 'address'],
      ['nftTransfers', { fromDate: 'yesterday' }, 'from_date'],
      ['nftTransfers', { fromDate: new Date(Number.NaN) }, 'from_date'],
      ['nftTransfers', { limit: '5x' }, 'limit'],
      ['walletBalances', { walletAddresses: A }, 'wallet_addresses'],
      ['walletBalances', { walletAddresses: [A, null] }, 'wallet_addresses'],
      ['nftTransfers', { cursor: '\ud800' }, 'cursor'],
      ['aptosCoinTransfers', { coinType: '0x1::a::\ud800', limit: 1 }, 'coin_type'],
    ];
    for (const [id, input, field] of wrong)
      expect(
        getIssues(() => encodeAny(id, input)),
        field,
      ).toHaveProperty(field);
  });

  test('writes lists as repeated keys and path values percent-encoded', () => {
    expect(
      formatQueryString(encodeAny('walletBalances', { walletAddresses: [A, B], chain: 'BSC Testnet' }).query),
    ).toBe(`wallet_addresses=${A}&wallet_addresses=${B.toLowerCase()}&chain=bsc%20testnet`);
    expect(encodeAny('aptosCoinTransfers', { coinType: '0x1::a::B<0x2::c::D>/$&?#', limit: 1 }).path).toBe(
      '/coins/transfers/0x1%3A%3Aa%3A%3AB%3C0x2%3A%3Ac%3A%3AD%3E%2F%24%26%3F%23',
    );
  });

  test('sends a body with POST only, without a query', () => {
    expect(encodeAny('verifySignIn', { message: 'm\nn', signature: '0x00' })).toMatchObject({
      method: 'POST',
      path: '/challenge/verify/evm',
      query: [],
      body: { message: 'm\nn', signature: '0x00' },
    });
    expect(encodeAny('block', { block: 1 })).toMatchObject({ method: 'GET', path: '/block/1', body: null });
  });

  test('formats any valid input as a URL', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operationIds).chain(id => arbitraryInput(id).map(input => ({ id, input }))),
        ({ id, input }) => {
          const wire = encodeAny(id, input);
          const url = new URL(`http://127.0.0.1${wire.path}?${formatQueryString(wire.query)}`);
          expect(decodeURIComponent(url.pathname)).toBe(decodeURIComponent(wire.path));
          expect(url.pathname.split('/')).toHaveLength(wire.path.split('/').length);
          expect(parseQueryString(url.search.slice(1))).toEqual(wire.query);
        },
      ),
      { seed: 20261120, numRuns: 300 },
    );
  });
});

describe('rules across parameters', () => {
  const [date, later] = [new Date('2023-01-01'), new Date('2023-02-01')];
  const full = { fromBlock: 1, toBlock: 2, fromDate: date, toDate: later };
  type Values = Readonly<Record<string, unknown>>;
  const transfers: readonly (readonly [input: Values, used: Values])[] = [
    [full, { fromBlock: 1, toBlock: 2 }],
    [
      { fromBlock: 1, fromDate: date, toDate: later },
      { fromBlock: 1, toDate: later },
    ],
    [
      { toBlock: 2, fromDate: date, toDate: later },
      { toBlock: 2, fromDate: date },
    ],
    [
      { fromDate: date, toDate: later },
      { fromDate: date, toDate: later },
    ],
    [{ fromBlock: 0, fromDate: date }, { fromBlock: 0 }],
    [{ fromBlock: undefined, fromDate: date }, { fromDate: date }],
    [{ fromBlock: null, fromDate: date }, { fromDate: date }],
    [{}, {}],
  ];
  const logs: readonly (readonly [input: Values, used: Values])[] = [
    [{ blockNumber: 7, ...full }, { blockNumber: 7 }],
    [{ blockNumber: 0, fromBlock: 1 }, { blockNumber: 0 }],
    [full, { fromBlock: 1, toBlock: 2 }],
    [{ fromBlock: 1, fromDate: date, toDate: later }, { fromBlock: 1 }],
    [{ toBlock: 2, fromDate: date, toDate: later }, { toBlock: 2 }],
    [
      { fromDate: date, toDate: later },
      { fromDate: date, toDate: later },
    ],
    [{ blockNumber: null, fromBlock: 1, toDate: later }, { fromBlock: 1 }],
  ];
  const given = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));

  test.each(transfers)('transfers: of %j, %j is used', (input, used) => {
    expect(given(applyPrecedence(input, blockBeatsDate))).toEqual(used);
  });

  test.each(logs)('logs: of %j, %j is used', (input, used) => {
    expect(given(applyPrecedence(input, blockNumberBeatsRanges))).toEqual(used);
  });

  test('apply to every operation with ranges, on both sides', () => {
    for (const id of operationIds) {
      const { parameters } = operations[id] as { readonly parameters: Parameters };
      if (!('fromBlock' in parameters && 'fromDate' in parameters)) continue;
      const input = { ...full, ...('address' in parameters && { address: A }) };
      const wire = encodeAny(id, input);
      expect(wire.query.map(([name]) => name).sort(), id).toEqual(['from_block', 'to_block']);
      const query = parseQueryString('from_block=1&to_block=2&from_date=2023-01-01&to_date=2023-02-01');
      const decoded = decodeInput(id, { values: new Map([['address', A]]), query }) as Values;
      expect(decoded, id).toMatchObject({ fromBlock: 1, toBlock: 2 });
      expect(Object.keys(decoded), id).not.toContain('fromDate');
      expect(Object.keys(decoded), id).not.toContain('toDate');
    }
  });

  test('does not change the caller’s input', () => {
    const input = { ...full };
    applyPrecedence(input, blockBeatsDate);
    expect(input).toEqual(full);
  });
});

test('names what the query has and the operation does not, unless a header can not hold it', () => {
  expect(
    findIgnoredParameters('nftTransfers', [
      ['chain', 'eth'],
      ['order', 'asc'],
      ['token_counts', 'true'],
      ['from_block', '1'],
      ['x y', '1'],
      ['include', 'a'],
      ['include', 'b'],
    ]),
  ).toEqual(['token_counts', 'include']);
});
