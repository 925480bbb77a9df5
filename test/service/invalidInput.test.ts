// Chains without a node, Aptos without a network, and invalid input: one clear sentence each.
import { describe, expect, it } from 'vitest';
import { operationIds, operations } from '../../src/api/operations/operations.ts';
import type { QueryPairs } from '../../src/api/wire/queryString.ts';
import { createServiceFixture, wallet } from '../support/serviceFixture.ts';
import { createSyntheticChain } from '../support/syntheticChain.ts';
import { createTestLog } from '../support/testClock.ts';

const { node, service } = createServiceFixture();

describe('chains', () => {
  it('says how to add a node when none is configured', async () => {
    expect(await service({}).getFault('block', { block: 1 })).toEqual({
      status: 400,
      code: 'no-node',
      message:
        'No node is configured, so there is no chain to read. Connect one with "HexLens: Connect Node", or add local to the setting hexlens.nodes.',
    });
    const one = service({ local: 'http://127.0.0.1:1' });
    expect((await one.getFault('block', { block: 1, chain: 'bsc testnet' })).message).toBe(
      'No node is configured for the chain bsc testnet. Configured: local. Connect one with "HexLens: Connect Node", or add bsc testnet to the setting hexlens.nodes.',
    );
    await expect(one.lookup('blockSummary', { chain: 'eth', block: 1 })).rejects.toMatchObject({ code: 'no-node' });
    await expect(one.chainState('eth')).rejects.toMatchObject({ code: 'no-node' });
  });

  it('uses eth when no chain is named, else the first configured one', async () => {
    const eth = await node(createSyntheticChain({ head: 10, chainId: 1 }));
    const polygon = await node(createSyntheticChain({ head: 20, chainId: 137 }));
    const sepolia = await node(createSyntheticChain({ head: 30, chainId: 0xaa36a7 }));
    const of = async (nodes: Readonly<Record<string, string>>, chain?: string) => {
      const { freshness } = await service(nodes).send('contractLogs', { address: wallet, chain });
      return [freshness?.chain, freshness?.state.headNumber];
    };
    expect(await of({ polygon: polygon.url, eth: eth.url })).toEqual(['eth', 10]);
    expect(await of({ sepolia: sepolia.url, polygon: polygon.url })).toEqual(['sepolia', 30]);
    expect(await of({ sepolia: sepolia.url, polygon: polygon.url }, 'POLYGON')).toEqual(['polygon', 20]);
    expect(await of({ sepolia: sepolia.url, '0x89': polygon.url }, '0x089')).toEqual(['polygon', 20]);
  });

  it('finds the node of a hex chain id by the id that it returns', async () => {
    const local = await node(createSyntheticChain({ head: 5, chainId: 0x7a69 }));
    const made = service({ eth: 'http://127.0.0.1:1', local: local.url });
    expect((await made.chainState('0x7A69')).headNumber).toBe(5);
    expect((await made.chainState('local')).headNumber).toBe(5);
    await expect(made.chainState('0x7a6a')).rejects.toMatchObject({ code: 'no-node' });
    const down = service({ local: 'http://127.0.0.1:1' });
    await expect(down.chainState('0x7a69')).rejects.toMatchObject({ code: 'node-unreachable' });
    await expect(down.chainState('polygon')).rejects.toMatchObject({ code: 'no-node' });
    const other = await node(createSyntheticChain({ head: 6, chainId: 424_242 }));
    expect((await service({ '0x67932': other.url }).chainState('0x67932')).headNumber).toBe(6);
  });

  it('rejects a node of another chain than its name', async () => {
    const polygon = await node(createSyntheticChain({ head: 20, chainId: 137 }));
    expect(await service({ eth: polygon.url }).getFault('block', { block: 1 })).toEqual({
      status: 400,
      code: 'no-node',
      message: `The node configured for eth (${polygon.host}) is chain 137 (Polygon), not 1 (Ethereum). Give it as polygon in the setting hexlens.nodes, or correct its address.`,
    });
  });

  it('ignores names that are no chains, with a warning', async () => {
    const log = createTestLog();
    const made = service(
      { 'no chain!': 'http://127.0.0.1:1', ETH: 'http://127.0.0.1:1', '0x1': 'http://127.0.0.1:2' },
      { log },
    );
    expect(made.chains()).toEqual(['eth']);
    expect(log.of('warn')).toEqual([
      'A node is configured for "no chain!", which is no chain: it is left out.',
      'More than one node is configured for eth: the first one is used.',
    ]);
  });
});

describe('Aptos without a network', () => {
  const samples: Readonly<Record<string, string>> = {
    address: wallet,
    token_id: '1',
    coin_type: encodeURIComponent('0x1::aptos_coin::AptosCoin'),
    collection_data_id_hash: 'ab'.repeat(32),
  };
  const query: QueryPairs = [
    ['limit', '1'],
    ...['owner_addresses', 'wallet_addresses', 'creator_addresses'].map(name => [name, wallet] as const),
    ['block_heights', '1'],
  ];
  it.each(operationIds.filter(id => operations[id].group === 'aptos'))('%s says how to add one', async id => {
    const { group, path } = operations[id];
    const reply = await service({}).handle({
      operation: id,
      group,
      method: 'GET',
      path: path.replace(/:(\w+)/g, (_all, name: string) => samples[name] ?? ''),
      query,
      body: null,
    });
    const message = 'No Aptos network is configured. Add one to the setting hexlens.aptos.networks.';
    expect(reply).toMatchObject({
      status: 400,
      headers: { 'x-hexlens-fault': 'no-node' },
      body: { statusCode: 400, message: [message], error: 'Bad Request' },
    });
  });
});

describe('invalid input', () => {
  const many = (count: number): QueryPairs =>
    Array.from({ length: count }, () => ['wallet_addresses', wallet] as const);
  const cases: [string, string, QueryPairs, string][] = [
    ['26 wallets', '/wallets/balances', many(26), 'wallet_addresses must contain not more than 25 elements: it has 26'],
    ['no wallet', '/wallets/balances', [], 'wallet_addresses is required: up to 25: 0x and 40 hex digits'],
    ['a limit of 0', `/${wallet}/logs`, [['limit', '0']], 'limit must not be less than 1'],
    ['a limit of 101', `/${wallet}/logs`, [['limit', '101']], 'limit must not be greater than 100'],
    ['a bad address', '/0x12/logs', [], 'address is not a valid hex address: it has 2 digits, 40 are needed'],
    [
      'a bad topic',
      `/${wallet}/logs`,
      [['topic0', '0x1']],
      'topic0 must be an event such as Transfer(address,address,uint256), or 0x and 64 digits, not "0x1"',
    ],
    [
      'a bad date',
      `/${wallet}/logs`,
      [['from_date', 'soon']],
      'from_date is not a date: "soon". Use ISO 8601 (2023-01-31T12:00:00Z), YYYY-MM-DD or Unix seconds',
    ],
    [
      'a bad block',
      '/block/first',
      [],
      'block_number_or_hash is neither a block number nor a block hash (0x and 64 hex digits): "first"',
    ],
    [
      'a bad chain',
      '/block/1',
      [['chain', 'moon']],
      'chain is not a chain: "moon". Use a name such as eth, base or local, or a chain id such as 8453 or 0x2105',
    ],
    [
      'two at once',
      `/${wallet}/logs`,
      [
        ['limit', 'x'],
        ['to_block', '-1'],
      ],
      'to_block must not be less than 0, limit must be a whole number, not "x"',
    ],
  ];
  it.each(cases)('is rejected: %s', async (_name, path, query, message) => {
    const reply = await service({ local: 'http://127.0.0.1:1' }).handle({
      operation: 'block',
      group: 'evm',
      method: 'GET',
      path,
      query,
      body: null,
    });
    expect(reply).toMatchObject({ status: 400, headers: { 'x-hexlens-fault': 'bad-input' }, body: { message } });
  });

  it('returns 404 for an unknown path', async () => {
    const request = {
      operation: 'block',
      group: 'evm',
      method: 'GET',
      path: '/nothing',
      query: [],
      body: null,
    } as const;
    expect(await service({}).handle(request)).toMatchObject({
      status: 404,
      headers: { 'x-hexlens-fault': 'not-found' },
    });
  });
});
