// Aptos operations under failures: one endpoint down, pruned ranges, limits, malformed responses, a reset localnet, long blocks.
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createAptosFixture, toBothEndpoints } from '../support/aptos/aptosFixture.ts';
import { coinTransfer, getCollectionId } from '../support/aptos/ledgerActions.ts';
import { alice, bob, card, carol, createSampleLedger, MOON, owners } from '../support/aptos/sampleLedger.ts';
import { createSyntheticLedger } from '../support/aptos/syntheticLedger.ts';
import { readUntil } from '../support/readUntil.ts';
import { createTestClock } from '../support/testClock.ts';

const fixture = createAptosFixture();

/** Repeats the request until its reply is of an index that is complete, however long a busy machine takes. */
const untilComplete = <T>(
  { header }: Pick<ReturnType<typeof fixture.backend>, 'header'>,
  request: () => Promise<T>,
): Promise<T> => readUntil(request, () => header('x-hexlens-partial')?.includes('still being built') !== true);

const APT = '0x1::aptos_coin::AptosCoin';

async function setUp(clock = createTestClock()) {
  const sample = createSampleLedger();
  const fakeNetwork = await fixture.network(sample.ledger);
  return { ...sample, fakeNetwork, clock, ...fixture.backend({ local: toBothEndpoints(fakeNetwork) }, { clock }) };
}

describe('a fullnode without an indexer', () => {
  test('answers all seven operations like indexer and fullnode together', async () => {
    const { client, fakeNetwork, heights } = await setUp();
    const alone = fixture.backend({ local: { node: fakeNetwork.node, indexer: null } }, { clock: systemClock });
    const all = { limit: 100 };
    const lists = [
      ['aptosCoinTransfers', { coinType: APT }],
      ['aptosCoinTransfers', { coinType: MOON }],
      ['aptosWalletCoinTransfers', { ownerAddresses: [...owners], coinTypeBlacklist: [MOON] }],
      ['aptosWalletCoinTransfers', { ownerAddresses: [alice], coinTypeWhitelist: [MOON] }],
      ['aptosBlockCoinTransfers', { blockHeights: Object.values(heights) }],
      ['aptosWalletNftTransfers', { walletAddresses: [...owners] }],
      ['aptosWalletNftTransfers', { walletAddresses: [...owners], collectionBlacklist: [getCollectionId(card)] }],
      ['aptosNftsByCreators', { creatorAddresses: [...owners] }],
      ['aptosCollectionOwners', { collectionDataIdHash: getCollectionId(card) }],
      ['aptosWalletNfts', { ownerAddresses: [...owners] }],
    ] as const;
    for (const [id, filters] of lists) {
      const exact = await client.call(id, { ...filters, ...all } as never);
      const own = await untilComplete(alone, () => alone.client.call(id, { ...filters, ...all } as never));
      expect(exact.result.length, id).toBeGreaterThan(0);
      // The synthetic tables have token properties that the transactions of the sample ledger do not contain.
      const plain = (rows: readonly object[]) =>
        rows.map(row => ({ ...row, defaultProperties: null, tokenProperties: null }));
      expect(plain(own.result), `${id} ${Object.keys(filters)}`).toEqual(plain(exact.result));
    }
    expect(alone.header('x-hexlens-partial')).toBeUndefined();
    const { index, ledgerVersion } = await alone.backend.lookup('aptosStatus', { network: 'local' });
    expect(index).toMatchObject({ version: ledgerVersion, head: ledgerVersion });
  });

  test('answers from the new chain after a localnet was reset', async () => {
    const { fakeNetwork } = await setUp();
    const alone = fixture.backend({ local: { node: fakeNetwork.node, indexer: null } }, { clock: systemClock });
    const ask = () =>
      untilComplete(alone, () => alone.client.aptosWalletCoinTransfers({ ownerAddresses: [alice], limit: 100 }));
    expect((await ask()).result.length).toBeGreaterThan(3);
    const fresh = createSyntheticLedger(4);
    fresh.block(coinTransfer(alice, carol, 5n));
    Object.assign(fresh.transactions[0] as object, { hash: `0x${'f'.repeat(64)}` });
    fakeNetwork.ledger = fresh;
    expect((await ask()).result.map(row => row.amount)).toEqual([5n, 1000n]);
  });
});

test('a fullnode whose answer is too large is named with the request and the limit', async () => {
  const { fakeNetwork, heights } = await setUp();
  const alone = fixture.backend({ local: { node: fakeNetwork.node, indexer: null } }, { clock: systemClock });
  fakeNetwork.fullnodeFailure = { body: '['.repeat(3_000) + ']'.repeat(3_000) };
  await expect(alone.client.aptosBlockCoinTransfers({ blockHeights: [heights.coins], limit: 1 })).rejects.toMatchObject(
    {
      code: 'too-large',
      message: expect.stringMatching(
        /^The node of Aptos local \(127\.0\.0\.1:\d+\) gave an answer to \/\S* that is too large to be read: it is nested more than 2500 levels deep\./,
      ),
    },
  );
});

describe('an unreachable fullnode', () => {
  test('leaves the placeholders of the indexer in its rows, and reports it', async () => {
    const { client, fakeNetwork, header } = await setUp();
    const exact = await client.aptosWalletCoinTransfers({ ownerAddresses: [alice], limit: 100 });
    fakeNetwork.fullnodeFailure = { down: true };
    const rest = await client.aptosWalletCoinTransfers({ ownerAddresses: [alice], limit: 100 });
    const stand = exact.result.map(row => ({
      ...row,
      eventAccountAddress: row.ownerAddress,
      eventCreationNumber: row.isGasFee ? -1n : 0n,
      eventSequenceNumber: 0n,
    }));
    expect(rest.result).toEqual(stand);
    expect(header('x-hexlens-partial')).toMatch(/The node of Aptos local .* in \d+ records the event's account/);
    // After one failure no further request is sent: each of them might take the whole timeout.
    expect(fakeNetwork.requests.filter(line => line.includes('by_version')).length).toBeLessThan(60);
    const tokens = await client.aptosNftsByCreators({ creatorAddresses: [alice], limit: 10 });
    expect(tokens.result.at(-1)).toMatchObject({ name: 'Ace #1', uriMutable: true, royaltyMutable: true });
    expect(header('x-hexlens-partial')).toMatch(/mutability flags are the indexer's placeholders/);
  });

  test('reads blocks from the indexer', async () => {
    const { client, fakeNetwork, heights, header } = await setUp();
    const blockHeights = [heights.coins, heights.assets];
    const exact = await client.aptosBlockCoinTransfers({ blockHeights, limit: 100 });
    fakeNetwork.fullnodeFailure = { down: true };
    const rest = await client.aptosBlockCoinTransfers({ blockHeights, limit: 100 });
    expect(rest.result.map(row => [row.transactionVersion, row.amount, row.blockHeight])).toEqual(
      exact.result.map(row => [row.transactionVersion, row.amount, row.blockHeight]),
    );
    expect(header('x-hexlens-partial')).toBeDefined();
  });

  test('that has pruned transactions completes the others, and pruned blocks come from the indexer', async () => {
    const { client, fakeNetwork, heights, header, ledger } = await setUp();
    const from = ledger.blocks.find(block => block.height === heights.tokens)?.first ?? 0n;
    fakeNetwork.fullnodeFailure = { prunedBefore: from };
    const { result } = await client.aptosWalletCoinTransfers({ ownerAddresses: [...owners], limit: 100 });
    const numbers = result.filter(row => row.isGasFee && (row.transactionVersion ?? 0n) < from);
    expect(numbers.every(row => row.eventSequenceNumber === 0n)).toBe(true);
    expect(result[0]).toMatchObject({ isGasFee: true, eventSequenceNumber: (ledger.sequenceNumber(alice) ?? 0n) - 1n });
    expect(header('x-hexlens-partial')).toMatch(/^The node of Aptos local has pruned some of these transactions: /);
    const block = await client.aptosBlockCoinTransfers({ blockHeights: [heights.coins], limit: 100 });
    expect(block.result).toHaveLength(9);
    expect(header('x-hexlens-partial')).toMatch(/pruned/);
    // Without an indexer, the reason is in the header.
    const alone = fixture.backend({ local: { node: fakeNetwork.node, indexer: null } }, { clock: systemClock });
    await untilComplete(alone, () => alone.client.aptosWalletCoinTransfers({ ownerAddresses: [alice], limit: 1 }));
    expect(alone.header('x-hexlens-partial')).toMatch(/pruned/);
  });
});

describe('an unreachable indexer', () => {
  test('limits wallet lists to what the wallets sent, page by page, and reports it', async () => {
    const { client, fakeNetwork, header } = await setUp();
    const exact = await client.aptosWalletCoinTransfers({ ownerAddresses: [alice, bob], limit: 100 });
    const senders = new Set(
      fakeNetwork.ledger.transactions
        .filter(t => ['a11ce', 'b0b2'].some(name => String(t['sender']).includes(name)))
        .map(t => BigInt(String(t['version']))),
    );
    fakeNetwork.indexerFailure = { down: true };
    const sent = exact.result.filter(row => senders.has(row.transactionVersion ?? -1n));
    expect(sent.length).toBeLessThan(exact.result.length);
    const found: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: typeof exact = await client.aptosWalletCoinTransfers({
        ownerAddresses: [alice, bob],
        limit: 4,
        ...(cursor !== null && { cursor }),
      });
      found.push(...page.result);
      cursor = page.cursor;
      expect(header('x-hexlens-partial')).toMatch(/indexer of Aptos local.*only what the wallets sent themselves/);
    } while (cursor !== null);
    expect(found).toEqual(sent);
  });

  test('limits NFT transfers too, and rejects lists that need an index', async () => {
    const { client, fakeNetwork } = await setUp();
    fakeNetwork.indexerFailure = { status: 503, rejections: 1_000 };
    const { result } = await client.aptosWalletNftTransfers({ walletAddresses: [alice], limit: 100 });
    expect(result.map(row => row.transferType)).toContain('0x1::object::Transfer');
    for (const ask of [
      () => client.aptosCoinTransfers({ coinType: APT, limit: 1 }),
      () => client.aptosNftsByCreators({ creatorAddresses: [alice], limit: 1 }),
      () => client.aptosCollectionOwners({ collectionDataIdHash: getCollectionId(card), limit: 1 }),
      () => client.aptosWalletNfts({ ownerAddresses: [alice], limit: 1 }),
    ])
      await expect(ask()).rejects.toMatchObject({
        code: 'node-answer',
        message: expect.stringMatching(/A node alone cannot/),
      });
    fakeNetwork.fullnodeFailure = { down: true };
    await expect(client.aptosWalletNftTransfers({ walletAddresses: [alice], limit: 1 })).rejects.toMatchObject({
      message: expect.stringMatching(/The node of Aptos local.*; and the indexer of Aptos local/),
    });
  });

  test('rejects errors in responses with HTTP 200, and waits for rate limits', async () => {
    const { client, fakeNetwork, clock } = await setUp();
    const ask = () => client.aptosWalletNfts({ ownerAddresses: [bob], limit: 5 });
    fakeNetwork.indexerFailure = { errors: [{ message: 'rate limit exceeded' }], errorsLeft: 2 };
    expect((await ask()).result).toHaveLength(2);
    expect(clock.sleeps).toHaveLength(2);
    fakeNetwork.indexerFailure = { errors: [{ message: 'canceling statement due to statement timeout' }] };
    await expect(ask()).rejects.toMatchObject({ code: 'node-timeout' });
    fakeNetwork.indexerFailure = {
      errors: [{ message: "field 'x' not found in type: 'query_root'", extensions: { code: 'validation-failed' } }],
    };
    await expect(ask()).rejects.toMatchObject({
      code: 'node-error',
      message: expect.stringContaining('does not have the tables'),
    });
    fakeNetwork.indexerFailure = { body: '{"data":{"current_token_ownerships_v2":[7]}}' };
    await expect(ask()).rejects.toMatchObject({ code: 'node-answer' });
    fakeNetwork.indexerFailure = { truncated: true };
    await expect(ask()).rejects.toMatchObject({ code: 'node-answer', message: expect.stringContaining('incomplete') });
    fakeNetwork.indexerFailure = { body: '<html>hello</html>' };
    await expect(ask()).rejects.toMatchObject({ code: 'node-answer', message: expect.stringContaining('HTML') });
  });
});

describe('limits of the fullnode', () => {
  test('waits as long as Retry-After of a 429 asks, and rejects when that is too long', async () => {
    const { client, fakeNetwork, clock, heights, header } = await setUp();
    const blockHeights = [heights.coins];
    fakeNetwork.fullnodeFailure = { rejections: 1, status: 429, retryAfter: '3' };
    expect((await client.aptosBlockCoinTransfers({ blockHeights, limit: 5 })).result).toHaveLength(5);
    expect(clock.sleeps.some(ms => ms >= 3_000)).toBe(true);
    expect(header('x-hexlens-partial')).toBeUndefined();
    fakeNetwork.fullnodeFailure = { rejections: 1_000, status: 429, retryAfter: '600' };
    fakeNetwork.indexerFailure = { down: true };
    await expect(client.aptosBlockCoinTransfers({ blockHeights, limit: 5 })).rejects.toBeDefined();
    const alone = fixture.backend({ local: { node: fakeNetwork.node, indexer: null } }, { clock: systemClock });
    await expect(alone.client.aptosBlockCoinTransfers({ blockHeights, limit: 5 })).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfterMs: 600_000,
    });
  });

  test('fills pages that are shorter than requested', async () => {
    const { client, fakeNetwork, heights } = await setUp();
    const blockHeights = Object.values(heights);
    const exact = await client.aptosBlockCoinTransfers({ blockHeights, limit: 100 });
    fakeNetwork.fullnodeFailure = { pageCap: 2 };
    expect((await client.aptosBlockCoinTransfers({ blockHeights, limit: 100 })).result).toEqual(exact.result);
  });

  test('reads a block of 10,000 transactions from its end, only as far as the page needs', async () => {
    const ledger = createSyntheticLedger();
    const many = Array.from({ length: 9_998 }, () => coinTransfer(alice, bob, 1n));
    const height = ledger.block(...many);
    const fakeNetwork = await fixture.network(ledger);
    const { client } = fixture.backend({ local: toBothEndpoints(fakeNetwork) });
    const first = await client.aptosBlockCoinTransfers({ blockHeights: [height], limit: 100 });
    expect(first.result).toHaveLength(100);
    expect(first.result[0]?.transactionVersion).toBe(BigInt(ledger.transactions.length - 2));
    const second = await client.aptosBlockCoinTransfers({
      blockHeights: [height],
      limit: 100,
      cursor: first.cursor ?? '',
    });
    const last = first.result.at(-1)?.transactionVersion ?? 0n;
    expect(second.result[0]?.transactionVersion).toBe(last - (first.result.at(-1)?.isGasFee ? 1n : 0n));
    expect(fakeNetwork.requests.filter(line => line.includes('/transactions?')).length).toBeLessThan(6);
  });

  test('rejects invalid responses', async () => {
    const { fakeNetwork, heights } = await setUp();
    const { client } = fixture.backend({ local: { node: fakeNetwork.node, indexer: fakeNetwork.indexer } });
    fakeNetwork.indexerFailure = { down: true };
    for (const body of ['[]', '{}', '{"block_height":"7","first_version":"9","last_version":"1"}', '', '"x"', 'null']) {
      fakeNetwork.fullnodeFailure = { body };
      await expect(
        client.aptosBlockCoinTransfers({ blockHeights: [heights.coins], limit: 1 }),
        body,
      ).rejects.toMatchObject({
        code: expect.stringMatching(/^node-/),
      });
    }
  });

  test('answers what its fullnode can list when the chain is too long to be indexed', async () => {
    const { fakeNetwork, heights, client } = await setUp();
    const blockHeights = [heights.coins];
    const exact = await client.aptosBlockCoinTransfers({ blockHeights, limit: 100 });
    fakeNetwork.fullnodeFailure = { longer: 3_000_000_000n };
    const { client: alone, header } = fixture.backend({ local: { node: fakeNetwork.node, indexer: null } });
    expect((await alone.aptosBlockCoinTransfers({ blockHeights, limit: 100 })).result).toEqual(exact.result);
    const sent = await alone.aptosWalletCoinTransfers({ ownerAddresses: [carol], limit: 100 });
    expect(sent.result.length).toBeGreaterThan(0);
    expect(header('x-hexlens-partial')).toMatch(/no indexer.*only what the wallets sent/);
    await expect(alone.aptosCoinTransfers({ coinType: APT, limit: 1 })).rejects.toMatchObject({
      code: 'not-implemented',
      message: expect.stringContaining('hexlens.aptos.networks'),
    });
    expect(fakeNetwork.requests.filter(line => line.includes('/transactions?')).length).toBeLessThan(9);
  });
});
