// The seven Aptos operations through worker and client, over a fake indexer and fullnode: complete rows, filters, pages.
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { createAptosFixture, toBothEndpoints } from '../support/aptos/aptosFixture.ts';
import { getCollectionId, getTokenId } from '../support/aptos/ledgerActions.ts';
import {
  alice,
  bob,
  card,
  carol,
  createSampleLedger,
  gem,
  HUGE_AMOUNT,
  MOON,
  MOON_METADATA,
  owners,
  stamp,
  twin,
  UNPAIRED_ASSET,
} from '../support/aptos/sampleLedger.ts';
import type { Fields, LedgerBuilder } from '../support/aptos/syntheticLedger.ts';

const fixture = createAptosFixture();
const APT = '0x1::aptos_coin::AptosCoin';

async function setUp() {
  const sample = createSampleLedger();
  const fakeNetwork = await fixture.network(sample.ledger);
  return { ...sample, fakeNetwork, ...fixture.backend({ local: toBothEndpoints(fakeNetwork) }) };
}

/** The expected coin activities: rows of the indexer's tables with the event facts of the ledger, newest first. */
function getExpectedCoinActivities(ledger: LedgerBuilder, matches: (row: Fields) => boolean) {
  const rows = (ledger.tables['fungible_asset_activities'] ?? []).filter(
    row => matches(row) && !String(row['type']).includes('Frozen'),
  );
  return rows
    .sort(
      (a, b) =>
        Number((b['transaction_version'] as bigint) - (a['transaction_version'] as bigint)) ||
        Number((b['event_index'] as bigint) - (a['event_index'] as bigint)),
    )
    .map(row => {
      const fact = ledger.eventFacts.find(
        known => known.version === row['transaction_version'] && BigInt(known.eventIndex) === row['event_index'],
      );
      const asset = row['asset_type'] as string;
      return {
        activityType: row['type'],
        amount: row['amount'],
        blockHeight: row['block_height'],
        coinType: asset === MOON_METADATA ? MOON : asset === `0x${'a'.padStart(64, '0')}` ? APT : asset,
        entryFunctionIdStr: row['entry_function_id_str'],
        eventAccountAddress: fact?.account,
        eventCreationNumber: fact?.creation,
        eventSequenceNumber: fact?.sequence,
        isGasFee: row['is_gas_fee'],
        isTransactionSuccess: row['is_transaction_success'],
        ownerAddress: row['owner_address'],
        transactionTimestamp: new Date(`${row['transaction_timestamp']}Z`),
        transactionVersion: row['transaction_version'],
      };
    });
}

describe('coin transfers', () => {
  test('of a coin include those of its paired asset, with complete event numbers', async () => {
    const { client, ledger, header } = await setUp();
    const { result, cursor, hasNextPage } = await client.aptosCoinTransfers({ coinType: MOON, limit: 100 });
    expect(result).toEqual(
      getExpectedCoinActivities(ledger, row => row['asset_type'] === MOON || row['asset_type'] === MOON_METADATA),
    );
    expect(result.map(row => row.amount)).toEqual([55n, 55n, HUGE_AMOUNT, HUGE_AMOUNT]);
    expect({ cursor, hasNextPage }).toEqual({ cursor: null, hasNextPage: false });
    expect(header('x-hexlens-network')).toBe('local');
    expect(header('x-hexlens-partial')).toBeUndefined();
  });

  test('accept a coin type in any spelling', async () => {
    const { client } = await setUp();
    const spelled = MOON.replace('0x7fd', '0x07FD');
    expect((await client.aptosCoinTransfers({ coinType: ` ${spelled} `, limit: 9 })).result).toHaveLength(4);
    expect(
      (await client.aptosCoinTransfers({ coinType: '0x01::aptos_coin::AptosCoin', limit: 1 })).result,
    ).toHaveLength(1);
  });

  test('of wallets include gas fees, failed transactions, coins, assets, and assets without a paired coin', async () => {
    const { client, ledger } = await setUp();
    const { result } = await client.aptosWalletCoinTransfers({ ownerAddresses: [...owners], limit: 100 });
    expect(result).toEqual(getExpectedCoinActivities(ledger, () => true));
    expect(result.some(row => row.coinType === UNPAIRED_ASSET)).toBe(true);
    expect(result[0]).toMatchObject({ isGasFee: true, isTransactionSuccess: false, eventCreationNumber: -1n });
    const short = await client.aptosWalletCoinTransfers({
      ownerAddresses: [`0x${alice.slice(2).replace(/^0+/, '')}` as Hex],
      limit: 100,
    });
    expect(short.result).toEqual(getExpectedCoinActivities(ledger, row => row['owner_address'] === alice));
  });

  test('of wallets can be filtered by whitelist and blacklist, which match coins and their paired assets', async () => {
    const { client, ledger } = await setUp();
    const all = { ownerAddresses: [...owners], limit: 100 };
    const moon = (row: Fields) => row['asset_type'] === MOON || row['asset_type'] === MOON_METADATA;
    const only = await client.aptosWalletCoinTransfers({ ...all, coinTypeWhitelist: [MOON] });
    expect(only.result).toEqual(getExpectedCoinActivities(ledger, moon));
    // An asset without a coin is returned by its address as `coinType`.
    const unpaired = await client.aptosWalletCoinTransfers({ ...all, coinTypeWhitelist: [UNPAIRED_ASSET] });
    expect(unpaired.result).toEqual(getExpectedCoinActivities(ledger, row => row['asset_type'] === UNPAIRED_ASSET));
    expect(new Set(unpaired.result.map(({ coinType }) => coinType))).toEqual(new Set([UNPAIRED_ASSET]));
    const without = await client.aptosWalletCoinTransfers({ ...all, coinTypeBlacklist: [MOON, APT] });
    expect(without.result).toEqual(getExpectedCoinActivities(ledger, row => row['asset_type'] === UNPAIRED_ASSET));
  });

  test('between dates are in whole seconds with inclusive bounds', async () => {
    const { client, ledger, heights } = await setUp();
    const at = new Date(Number((ledger.blocks.find(block => block.height === heights.assets)?.micros ?? 0n) / 1000n));
    const input = { ownerAddresses: [...owners], limit: 100, fromDate: at, toDate: new Date(at.getTime() + 999) };
    const { result } = await client.aptosWalletCoinTransfers(input);
    expect(result).toEqual(getExpectedCoinActivities(ledger, row => row['block_height'] === heights.assets));
    const later = await client.aptosWalletCoinTransfers({ ...input, fromDate: new Date(at.getTime() + 1) });
    expect(later.result).toEqual([]);
    await expect(
      client.aptosCoinTransfers({ coinType: APT, limit: 1, fromDate: at, toDate: new Date(0) }),
    ).rejects.toMatchObject({
      code: 'bad-input',
    });
  });

  test('in blocks come from the fullnode, in any order of the block heights', async () => {
    const { client, ledger, heights, fakeNetwork } = await setUp();
    const blockHeights = [heights.coins, heights.failed, 999n, heights.assets, heights.coins];
    const { result } = await client.aptosBlockCoinTransfers({ blockHeights, limit: 100 });
    const named = new Set(blockHeights);
    expect(result).toEqual(getExpectedCoinActivities(ledger, row => named.has(row['block_height'] as bigint)));
    expect(fakeNetwork.requests.some(line => line.startsWith('POST /graphql'))).toBe(false);
  });
});

describe('wallets whose address the indexer stores without leading zeros', () => {
  const wallet: Hex = `0x0${'7c'.repeat(31)}7`;
  const stored = `0x${wallet.slice(3)}`;

  test.each([
    ['from_address', 'token_activities_v2'],
    ['to_address', 'token_activities_v2'],
  ])('are found by their %s', async (column, table) => {
    const { client, ledger } = await setUp();
    const row = ledger.tables[table]?.at(-1);
    (ledger.tables[table] as Fields[]).push({ ...row, [column]: stored });
    const { result } = await client.aptosWalletNftTransfers({ walletAddresses: [wallet], limit: 100 });
    expect(result).toMatchObject([{ transactionVersion: row?.['transaction_version'] }]);
  });

  test('are found by the owner of a coin activity', async () => {
    const { client, ledger } = await setUp();
    const row = ledger.tables['fungible_asset_activities']?.at(-1);
    (ledger.tables['fungible_asset_activities'] as Fields[]).push({ ...row, owner_address: stored });
    const { result } = await client.aptosWalletCoinTransfers({ ownerAddresses: [wallet], limit: 100 });
    expect(result).toMatchObject([{ transactionVersion: row?.['transaction_version'] }]);
  });
});

test('a fungible asset that records have as their coin type is accepted as one', async () => {
  const { client, ledger } = await setUp();
  const assets = [...new Set((ledger.tables['fungible_asset_activities'] ?? []).map(row => String(row['asset_type'])))];
  const asset = assets.find(type => type === UNPAIRED_ASSET) ?? '';
  const expected = getExpectedCoinActivities(ledger, row => row['asset_type'] === asset);
  expect(expected.length).toBeGreaterThan(0);
  const { result } = await client.aptosCoinTransfers({ coinType: asset, limit: 100 });
  expect(result).toEqual(expected);
  const short = asset.replace(/^0x0+/, '0x');
  expect((await client.aptosCoinTransfers({ coinType: short, limit: 100 })).result).toEqual(expected);
});

describe('tokens', () => {
  test('transfers of wallets have two rows for a direct transfer, and include objects', async () => {
    const { client, ledger } = await setUp();
    const { result } = await client.aptosWalletNftTransfers({ walletAddresses: [alice, bob], limit: 100 });
    const rows = [...(ledger.tables['token_activities_v2'] ?? [])];
    expect(result).toHaveLength(rows.length);
    for (const record of result) {
      const row = rows.find(
        known =>
          known['transaction_version'] === record.transactionVersion &&
          known['type'] === record.transferType &&
          known['token_data_id'] === `0x${record.tokenDataIdHash}`,
      );
      const fact = ledger.eventFacts.find(
        known => known.version === record.transactionVersion && BigInt(known.eventIndex) === row?.['event_index'],
      );
      expect(record).toMatchObject({
        coinAmount: null,
        eventAccountAddress: fact?.account,
        eventCreationNumber: fact?.creation,
        eventSequenceNumber: fact?.sequence,
        fromAddress: row?.['from_address'],
        toAddress: row?.['to_address'],
        tokenAmount: 1n,
        propertyVersion: 0n,
      });
    }
    expect(result[0]).toMatchObject({
      transferType: '0x1::object::Transfer',
      fromAddress: alice,
      toAddress: carol,
      collectionName: 'Gems',
      collectionDataIdHash: gem.collectionObject.slice(2),
      creatorAddress: alice,
      name: 'Ruby',
      tokenDataIdHash: gem.object.slice(2),
    });
    const given = result.filter(
      record => record.tokenDataIdHash === getTokenId(card) && record.transferType?.match(/(With|Dep)/),
    );
    expect(given.map(record => [record.fromAddress, record.toAddress])).toEqual([
      [null, bob],
      [alice, null],
      [null, alice],
    ]);
  });

  test('transfers can be filtered by collection', async () => {
    const { client } = await setUp();
    const all = { walletAddresses: [alice, bob, carol], limit: 100 };
    const only = await client.aptosWalletNftTransfers({ ...all, collectionWhitelist: [getCollectionId(stamp)] });
    expect(new Set(only.result.map(record => record.collectionName))).toEqual(new Set(['Stamps']));
    const without = await client.aptosWalletNftTransfers({
      ...all,
      collectionBlacklist: [getCollectionId(stamp), `0x${getCollectionId(card)}`],
    });
    expect(new Set(without.result.map(record => record.collectionName))).toEqual(new Set(['Gems']));
  });

  test('by creators have the mutability flags and exact numbers of the chain', async () => {
    const { client, header } = await setUp();
    const { result } = await client.aptosNftsByCreators({ creatorAddresses: [alice], limit: 10 });
    expect(header('x-hexlens-partial')).toBeUndefined();
    expect(result.map(record => record.name)).toEqual(['Ruby', 'Ace #2', 'Ace #1']);
    expect(result[2]).toEqual({
      collectionDataIdHash: getCollectionId(card),
      collectionName: card.collection,
      creatorAddress: alice,
      defaultProperties: { level: '7' },
      description: 'Ace #1 of old',
      descriptionMutable: false,
      largestPropertyVersion: 0n,
      lastTransactionTimestamp: expect.any(Date),
      lastTransactionVersion: expect.any(BigInt),
      maximum: 18_446_744_073_709_551_615n,
      maximumMutable: false,
      metadataUri: 'https://old.example/1',
      name: 'Ace #1',
      payeeAddress: alice,
      propertiesMutable: true,
      royaltyMutable: false,
      royaltyPointsDenominator: 100n,
      royaltyPointsNumerator: 5n,
      supply: 1n,
      tokenDataIdHash: getTokenId(card),
      uriMutable: true,
    });
    expect(result[0]).toMatchObject({
      maximum: 1n,
      supply: 1n,
      largestPropertyVersion: 0n,
      payeeAddress: alice,
      royaltyPointsNumerator: 3n,
      royaltyPointsDenominator: 50n,
      uriMutable: true,
      propertiesMutable: false,
      maximumMutable: false,
      defaultProperties: { rank: 'gold' },
    });
  });

  test('are listed by collection and by owner', async () => {
    const { client } = await setUp();
    const collectionDataIdHash = getCollectionId(card);
    const held = await client.aptosCollectionOwners({ collectionDataIdHash, limit: 10 });
    expect(held.result.map(record => [record.name, record.ownerAddress])).toEqual([
      ['Ace #1', bob],
      ['Ace #2', alice],
    ]);
    expect(held.result[0]).toMatchObject({
      amount: 1n,
      collectionDataIdHash,
      tableType: '0x3::token::TokenStore',
      tokenProperties: { level: '7' },
      propertyVersion: 0n,
      tokenDataIdHash: getTokenId(card),
    });
    const notBob = await client.aptosCollectionOwners({ collectionDataIdHash, limit: 10, walletBlacklist: [bob] });
    expect(notBob.result.map(record => record.name)).toEqual([twin.name]);
    const onlyBob = await client.aptosCollectionOwners({ collectionDataIdHash, limit: 10, walletWhitelist: [bob] });
    expect(onlyBob.result.map(record => record.name)).toEqual([card.name]);
    const wallets = await client.aptosWalletNfts({ ownerAddresses: [bob, carol], limit: 10 });
    expect(wallets.result.map(record => record.name)).toEqual(['Ruby', 'Ace #1', 'Blue']);
    expect(wallets.result[0]).toMatchObject({
      tableType: '0x1::object::ObjectCore',
      tokenProperties: { rank: 'gold' },
    });
    const some = await client.aptosWalletNfts({
      ownerAddresses: [bob, carol],
      limit: 10,
      collectionBlacklist: [gem.collectionObject.slice(2)],
    });
    expect(some.result.map(record => record.name)).toEqual(['Ace #1', 'Blue']);
  });
});

describe('pages', () => {
  test('of every list add up to the list, and cursors are bound to their filters', async () => {
    const { client, heights } = await setUp();
    const lists = [
      ['aptosCoinTransfers', { coinType: APT }],
      ['aptosWalletCoinTransfers', { ownerAddresses: [...owners] }],
      ['aptosBlockCoinTransfers', { blockHeights: Object.values(heights) }],
      ['aptosWalletNftTransfers', { walletAddresses: [...owners] }],
      ['aptosNftsByCreators', { creatorAddresses: [...owners] }],
      ['aptosCollectionOwners', { collectionDataIdHash: getCollectionId(card) }],
      ['aptosWalletNfts', { ownerAddresses: [...owners] }],
    ] as const;
    for (const [id, filters] of lists) {
      const ask = (more: object) => client.call(id, { ...filters, ...more } as never);
      const whole = await ask({ limit: 100 });
      expect(whole.result.length, id).toBeGreaterThan(1);
      for (const limit of [1, 2, 3]) {
        const found: unknown[] = [];
        let cursor: string | null = null;
        do {
          const page: typeof whole = await ask({ limit, ...(cursor !== null && { cursor }) });
          expect(page.hasNextPage, id).toBe(page.cursor !== null);
          found.push(...page.result);
          cursor = page.cursor;
        } while (cursor !== null);
        expect(found, `${id} by ${limit}`).toEqual(whole.result);
      }
      const first = await ask({ limit: 1 });
      const skipped = await ask({ limit: 100, offset: 1 });
      expect(skipped.result, id).toEqual(whole.result.slice(1));
      // SDKs repeat the offset with the cursor.
      const behind = await ask({ limit: 1, offset: 1, cursor: first.cursor });
      expect(behind.result, id).toEqual(whole.result.slice(1, 2));
      const wallets = [`0x${'9'.repeat(64)}`];
      const other = { ownerAddresses: wallets, walletAddresses: wallets, creatorAddresses: wallets };
      const changed = Object.keys(filters)[0] as string;
      const otherwise =
        changed in other
          ? { [changed]: wallets }
          : changed === 'coinType'
            ? { coinType: MOON }
            : changed === 'blockHeights'
              ? { blockHeights: [1n] }
              : { collectionDataIdHash: getTokenId(card) };
      await expect(ask({ limit: 1, ...otherwise, cursor: first.cursor }), id).rejects.toMatchObject({
        code: 'bad-input',
      });
    }
  });

  test('of 100 rows take two queries, because the indexer returns at most 100 rows', async () => {
    const sample = createSampleLedger();
    for (let block = 0; block < 40; block++)
      sample.ledger.block(
        l => l.user(bob, '0x1::a::b', () => {}),
        l => l.user(bob, '0x1::a::b', () => {}),
        l => l.user(bob, '0x1::a::b', () => {}),
      );
    const fakeNetwork = await fixture.network(sample.ledger);
    const { client } = fixture.backend({ local: toBothEndpoints(fakeNetwork) });
    const first = await client.aptosWalletCoinTransfers({ ownerAddresses: [bob], limit: 100 });
    expect(first.result).toHaveLength(100);
    expect(first.hasNextPage).toBe(true);
    const versions = new Set(first.result.map(row => row.transactionVersion));
    const second = await client.aptosWalletCoinTransfers({
      ownerAddresses: [bob],
      limit: 100,
      cursor: first.cursor ?? '',
    });
    expect(second.hasNextPage).toBe(false);
    expect(second.result.some(row => versions.has(row.transactionVersion))).toBe(false);
    expect(first.result.length + second.result.length).toBe(
      getExpectedCoinActivities(sample.ledger, row => row['owner_address'] === bob).length,
    );
  });
});

describe('networks', () => {
  test('are selected by name, with the first as the default and for an unknown mainnet', async () => {
    const one = await fixture.network(createSampleLedger().ledger);
    const two = await fixture.network(createSampleLedger(2).ledger);
    const { client, header } = fixture.backend({ local: toBothEndpoints(one), testnet: toBothEndpoints(two) });
    const ask = (network?: string) => client.aptosCoinTransfers({ coinType: APT, limit: 1, network });
    for (const [named, answers] of [
      [undefined, 'local'],
      ['LOCAL', 'local'],
      ['testnet', 'testnet'],
      ['mainnet', 'local'],
    ] as const) {
      await ask(named);
      expect(header('x-hexlens-network')).toBe(answers);
    }
    await expect(ask('devnet')).rejects.toMatchObject({ code: 'no-node', message: expect.stringContaining('devnet') });
    const { cursor } = await ask('local');
    await expect(
      client.aptosCoinTransfers({ coinType: APT, limit: 1, network: 'testnet', cursor: cursor ?? '' }),
    ).rejects.toMatchObject({ code: 'bad-input' });
  });

  test('a mainnet that is not configured is never answered by another public network', async () => {
    const { client } = fixture.backend({
      testnet: toBothEndpoints(await fixture.network(createSampleLedger(2).ledger)),
    });
    await expect(client.aptosCoinTransfers({ coinType: APT, limit: 1, network: 'mainnet' })).rejects.toMatchObject({
      code: 'no-node',
      message: expect.stringContaining('The Aptos network mainnet is not configured'),
    });
  });

  test('receive the API key of their origin, and other hosts do not', async () => {
    const one = await fixture.network(createSampleLedger().ledger);
    const two = await fixture.network(createSampleLedger().ledger);
    const { client } = fixture.backend(
      { local: toBothEndpoints(one), other: toBothEndpoints(two) },
      { keys: { [new URL(one.node).origin]: 'secret' } },
    );
    await client.aptosCoinTransfers({ coinType: APT, limit: 1 });
    await client.aptosCoinTransfers({ coinType: APT, limit: 1, network: 'other' });
    expect(new Set(one.authorizations)).toEqual(new Set(['Bearer secret']));
    expect(new Set(two.authorizations)).toEqual(new Set([undefined]));
  });
});

describe('look-ups', () => {
  test('return status, account, object and transaction', async () => {
    const { backend, ledger, fakeNetwork } = await setUp();
    const network = 'local';
    const status = await backend.lookup('aptosStatus', { network });
    expect(status).toMatchObject({ network, chainId: 4, problem: null });
    expect(status.ledgerVersion).toBe(BigInt(ledger.transactions.length - 1));
    const account = await backend.lookup('aptosAccountSummary', { network, address: alice });
    expect(account).toMatchObject({
      holds: 'account',
      balance: 123_456_789n,
      sequenceNumber: ledger.sequenceNumber(alice),
    });
    const object = await backend.lookup('aptosAccountSummary', { network, address: gem.object });
    expect(object).toMatchObject({ holds: 'object', object: 'token', name: 'Ruby', owner: carol });
    const version = ledger.transactions.length - 2;
    const hash = String(ledger.transactions[version]?.['hash']);
    for (const transaction of [String(version), hash]) {
      const summary = await backend.lookup('aptosTransactionSummary', { network, transaction });
      expect(summary).toMatchObject({
        kind: 'aptosTransaction',
        status: 'failed',
        sender: alice,
        version: BigInt(version),
        blockHeight: ledger.blocks.at(-1)?.height,
        gasUsed: 10n,
        entryFunction: '0x1::coin::transfer',
      });
    }
    expect(await backend.lookup('aptosTransactionSummary', { network, transaction: '999999' })).toEqual({
      kind: 'aptosNothing',
      network,
    });
    await fakeNetwork.stop();
    expect((await backend.lookup('aptosStatus', { network })).problem).toMatch(/Aptos local .*cannot be reached/);
  });
});
