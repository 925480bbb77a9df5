// The Aptos rules on made-up transactions: every event form, raw table items, and whatever a node may send that is none of it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { hashTokenDataId } from '../../../../src/service/aptos/derivedIds.ts';
import type { Json, JsonObject } from '../../../../src/service/aptos/jsonFields.ts';
import { emptyPriorState, type PriorState } from '../../../../src/service/aptos/processors/priorState.ts';
import { processTransaction } from '../../../../src/service/aptos/processors/processTransaction.ts';
import {
  APT,
  assetStore,
  collection,
  moduleEvent,
  nft,
  payment,
  user,
  wallet,
} from '../../../support/aptos/fakeFullnode.ts';
import { address, bool, properties, struct, text, u64 } from './bcsEncode.ts';

const alice = wallet(1);
const bob = wallet(2);
const creator = wallet(3);

const read = (transaction: JsonObject, priorState: PriorState = emptyPriorState) =>
  processTransaction(
    { transaction: { version: '9', timestamp: '1700000000999999', success: true, ...transaction }, blockHeight: 4n },
    priorState,
  );

const handle = (account: Hex, type: string, data: JsonObject, creation = '4', sequence = '8'): JsonObject => ({
  type,
  guid: { account_address: account, creation_number: creation },
  sequence_number: sequence,
  data,
});

describe('the gas fee', () => {
  it('belongs to the sender, also of failed and orderless transactions, with the largest numbers', () => {
    const rows = read({
      ...user(alice),
      success: false,
      sequence_number: '18446744073709551615',
      gas_used: '18446744073709551615',
      gas_unit_price: '1000',
    });
    expect(rows.coinActivities).toEqual([
      {
        transactionVersion: 9n,
        eventIndex: -1,
        blockHeight: 4n,
        transactionTimestamp: new Date(1_700_000_000_000),
        activityType: '0x1::aptos_coin::GasFeeEvent',
        amount: 18_446_744_073_709_551_615_000n,
        coinType: APT,
        assetType: APT,
        tokenStandard: 'v1',
        entryFunctionIdStr: '0x1::aptos_account::transfer',
        eventAccountAddress: alice,
        eventCreationNumber: -1n,
        eventSequenceNumber: 18_446_744_073_709_551_615n,
        isGasFee: true,
        isTransactionSuccess: false,
        ownerAddress: alice,
      },
    ]);
    expect(rows.skipped).toEqual([]);
  });

  it('exists only for user transactions; scripts have no entry function', () => {
    expect(read({ type: 'block_metadata_transaction' }).coinActivities).toEqual([]);
    const payloads: readonly (readonly [JsonObject, string | null])[] = [
      [{ type: 'script_payload' }, null],
      [{ type: 'multisig_payload', transaction_payload: { function: '0x2::m::f' } }, '0x2::m::f'],
      [{ type: 'multisig_payload' }, null],
    ];
    for (const [payload, name] of payloads)
      expect(read({ ...user(alice), payload }).coinActivities[0]?.entryFunctionIdStr).toBe(name);
  });
});

describe('coin events', () => {
  it('have the coin type of the store with their event handle', () => {
    const rows = read(payment(alice, bob, 5n, '0xab::lp::LP<0x1::a::A, 0x2::b::B>'));
    expect(rows.coinActivities.map(row => [row.eventIndex, row.coinType, row.ownerAddress, row.amount])).toEqual([
      [-1, APT, alice, 700n],
      [0, '0xab::lp::LP<0x1::a::A, 0x2::b::B>', alice, 5n],
      [1, '0xab::lp::LP<0x1::a::A, 0x2::b::B>', bob, 5n],
    ]);
    expect(rows.coinActivities[1]).toMatchObject({ eventCreationNumber: 3n, eventSequenceNumber: 5n, blockHeight: 4n });
  });

  it('have the coin type of the only deleted store, and are skipped when it is unknown', () => {
    const event = handle(alice, '0x1::coin::WithdrawEvent', { amount: '5' });
    const deleted = (coin: string) => ({
      type: 'delete_resource',
      address: alice,
      resource: `0x1::coin::CoinStore<${coin}>`,
    });
    const one = read(user(alice, [event], [deleted('0x5::m::C')]));
    expect(one.coinActivities[1]?.coinType).toBe('0x5::m::C');
    for (const changes of [[], [deleted('0x5::m::C'), deleted('0x6::m::C')]]) {
      const none = read(user(alice, [event], changes));
      expect(none.coinActivities).toHaveLength(1);
      expect(none.skipped).toEqual(['0x1::coin::WithdrawEvent without a coin type']);
    }
  });

  it('contain owner and coin type when they are module events', () => {
    const data = {
      account: '0xa002',
      coin_type: '0x00000000000000000000000000000000000000000000000000000000000000ab::m::C',
      amount: '6',
    };
    const [, row] = read(user(alice, [moduleEvent('0x1::coin::CoinDeposit', data)])).coinActivities;
    expect(row).toMatchObject({ ownerAddress: bob, coinType: '0xab::m::C', amount: 6n, eventAccountAddress: bob });
  });
});

describe('asset events', () => {
  const store = wallet(20);
  const metadata = wallet(21);
  const withdraw = moduleEvent('0x1::fungible_asset::Withdraw', { store, amount: '5' });

  it('have owner and asset of the store after the transaction', () => {
    const [, row] = read(user(alice, [withdraw], assetStore(store, bob, metadata))).coinActivities;
    expect(row).toMatchObject({
      tokenStandard: 'v2',
      ownerAddress: bob,
      eventAccountAddress: bob,
      eventCreationNumber: 0n,
      eventSequenceNumber: 0n,
      coinType: metadata,
      assetType: metadata,
    });
  });

  it('fall back to the deletion event, then to the prior state, then to null', () => {
    const deletion = moduleEvent('0x1::fungible_asset::FungibleStoreDeletion', {
      store,
      owner: bob,
      metadata: { inner: metadata },
    });
    expect(read(user(alice, [withdraw, deletion])).coinActivities[1]).toMatchObject({
      ownerAddress: bob,
      coinType: metadata,
    });
    const priorState: PriorState = { ...emptyPriorState, getFungibleStore: () => ({ owner: creator, metadata }) };
    expect(read(user(alice, [withdraw]), priorState).coinActivities[1]).toMatchObject({
      ownerAddress: creator,
      coinType: metadata,
    });
    expect(read(user(alice, [withdraw])).coinActivities[1]).toMatchObject({
      ownerAddress: null,
      coinType: null,
      assetType: null,
    });
  });

  it('have the coin type of the paired coin', () => {
    const apt = `0x${'a'.padStart(64, '0')}` as Hex;
    const changes = [
      ...assetStore(store, bob, apt),
      {
        type: 'write_resource',
        address: '0xa',
        data: {
          type: '0x1::coin::PairedCoinType',
          data: {
            type: {
              account_address: '0x1',
              module_name: '0x6170746f735f636f696e',
              struct_name: '0x4170746f73436f696e',
            },
          },
        },
      },
    ];
    expect(read(user(alice, [withdraw], changes)).coinActivities[1]).toMatchObject({ coinType: APT, assetType: apt });
  });

  it('of freezing are not activities', () => {
    expect(
      read(user(alice, [moduleEvent('0x1::fungible_asset::Frozen', { store, frozen: true })])).coinActivities,
    ).toHaveLength(1);
  });
});

const dataId = { creator, collection: 'Apes', name: 'Ape 1' };
const tokenId = { token_data_id: dataId, property_version: '2' };
const hash = hashTokenDataId(creator, 'Apes', 'Ape 1');

describe('events of 0x3 tokens', () => {
  const cases: readonly (readonly [JsonObject, from: Hex | null, to: Hex | null, version: bigint, amount: bigint])[] = [
    [handle(creator, '0x3::token::MintTokenEvent', { id: dataId, amount: '3' }), creator, null, 0n, 3n],
    [moduleEvent('0x3::token::Mint', { creator, id: dataId, amount: '3' }), creator, null, 0n, 3n],
    [handle(alice, '0x3::token::BurnTokenEvent', { id: tokenId, amount: '1' }), alice, null, 2n, 1n],
    [moduleEvent('0x3::token::Burn', { account: alice, id: tokenId, amount: '1' }), alice, null, 2n, 1n],
    [handle(alice, '0x3::token::MutateTokenPropertyMapEvent', { new_id: tokenId }), alice, null, 2n, 0n],
    [moduleEvent('0x3::token::MutatePropertyMap', { account: alice, new_id: tokenId }), alice, null, 2n, 0n],
    [handle(alice, '0x3::token::WithdrawEvent', { id: tokenId, amount: '1' }), alice, null, 2n, 1n],
    [moduleEvent('0x3::token::TokenWithdraw', { account: alice, id: tokenId, amount: '1' }), alice, null, 2n, 1n],
    [handle(bob, '0x3::token::DepositEvent', { id: tokenId, amount: '1' }), null, bob, 2n, 1n],
    [moduleEvent('0x3::token::TokenDeposit', { account: bob, id: tokenId, amount: '1' }), null, bob, 2n, 1n],
    ...(['Offer', 'CancelOffer', 'Claim'] as const).flatMap(name => [
      [
        handle(alice, `0x3::token_transfers::Token${name}Event`, { token_id: tokenId, to_address: bob, amount: '1' }),
        alice,
        bob,
        2n,
        1n,
      ] as const,
      [
        moduleEvent(`0x3::token_transfers::${name}`, {
          account: alice,
          token_id: tokenId,
          to_address: bob,
          amount: '1',
        }),
        alice,
        bob,
        2n,
        1n,
      ] as const,
    ]),
  ];
  it('make one row each, as handle events and as module events', () => {
    for (const [event, fromAddress, toAddress, propertyVersion, tokenAmount] of cases) {
      const { tokenActivities, skipped } = read(user(alice, [event]));
      expect(skipped).toEqual([]);
      expect(tokenActivities).toEqual([
        expect.objectContaining({
          fromAddress,
          toAddress,
          propertyVersion,
          tokenAmount,
          transferType: String(event['type']),
          tokenDataIdHash: hash,
          collectionName: 'Apes',
          name: 'Ape 1',
          creatorAddress: creator,
        }),
      ]);
    }
  });

  it('are skipped and reported when they cannot be parsed', () => {
    const events = [
      handle(alice, '0x3::token::WithdrawEvent', { id: { ...tokenId, token_data_id: 'no' }, amount: '1' }),
    ];
    expect(read(user(alice, events))).toMatchObject({
      tokenActivities: [],
      skipped: ['0x3::token::WithdrawEvent that could not be parsed'],
    });
  });
});

const tableHandle = wallet(50);
const resource = (owner: Hex, type: string, data: JsonObject): JsonObject => ({
  type: 'write_resource',
  address: owner,
  data: { type, data },
});
const tokenStore = resource(alice, '0x3::token::TokenStore', { tokens: { handle: tableHandle } });
const collections = resource(creator, '0x3::token::Collections', { token_data: { handle: tableHandle } });
const rawDataId = [address(creator), text('Apes'), text('Ape 1')];
const rawToken = struct(
  ...rawDataId,
  u64(2n),
  u64(7n),
  properties(['level', u64(12n), 'u64'], ['odd', Buffer.of(1, 2), '0x9::x::Y']),
);
const rawData = struct(
  u64(100n),
  u64(2n),
  u64(40n),
  text('ipfs://ape'),
  u64(5n),
  u64(100n),
  address(bob),
  text('Ape 1'),
  text('An ape'),
  properties(['kind', text('great'), '0x1::string::String'], ['rare', bool(true), 'bool']),
  ...[true, false, true, false, true].map(bool),
);

describe('table items that the node did not decode', () => {
  const item = (value: string | undefined, key: string, type = 'write_table_item'): JsonObject => ({
    type,
    handle: tableHandle,
    key,
    ...(value !== undefined && { value }),
    data: null,
  });

  it('are ownerships when the table belongs to a token store', () => {
    const { ownerships, skipped } = read(user(alice, [], [tokenStore, item(rawToken, struct(...rawDataId, u64(2n)))]));
    expect(skipped).toEqual([]);
    expect(ownerships).toMatchObject([
      {
        ownerAddress: alice,
        amount: 7n,
        propertyVersion: 2n,
        tokenDataIdHash: hash,
        tableType: '0x3::token::TokenStore',
      },
    ]);
    expect({ ...ownerships[0]?.tokenProperties }).toEqual({ level: '12', odd: '0x0102' });
  });

  it('are token datas when the table belongs to collections', () => {
    const { tokenDatas } = read(user(creator, [], [collections, item(rawData, struct(...rawDataId))]));
    expect(tokenDatas).toMatchObject([
      {
        tokenDataIdHash: hash,
        maximum: 100n,
        largestPropertyVersion: 2n,
        supply: 40n,
        metadataUri: 'ipfs://ape',
        royaltyPointsNumerator: 5n,
        royaltyPointsDenominator: 100n,
        payeeAddress: bob,
        description: 'An ape',
        maximumMutable: true,
        uriMutable: false,
        royaltyMutable: true,
        descriptionMutable: false,
        propertiesMutable: true,
      },
    ]);
    expect({ ...tokenDatas[0]?.defaultProperties }).toEqual({ kind: 'great', rare: 'true' });
  });

  it('without their store among the changes belong to the owner in the prior state or in an event', () => {
    const changes = [item(rawToken, struct(...rawDataId, u64(2n)))];
    const priorState: PriorState = {
      ...emptyPriorState,
      getTokenTable: () => ({ owner: bob, kind: 'tokens' as const }),
    };
    expect(read(user(alice, [], changes), priorState).ownerships).toMatchObject([{ ownerAddress: bob, amount: 7n }]);
    const decoded = {
      ...item(undefined, '0x'),
      data: {
        key_type: '0x3::token::TokenId',
        key: tokenId,
        value_type: '0x3::token::Token',
        value: { id: tokenId, amount: '7', token_properties: { map: { data: [] } } },
      },
    };
    const deposits = [alice, creator].map(account =>
      moduleEvent('0x3::token::TokenDeposit', { account, id: tokenId, amount: '1' }),
    );
    expect(read(user(alice, deposits, [decoded])).ownerships).toMatchObject([{ ownerAddress: creator, amount: 7n }]);
    expect(read(user(alice, [], [decoded]))).toMatchObject({
      ownerships: [],
      skipped: [expect.stringContaining('without an owner')],
    });
  });

  it('end the ownership when they were deleted; offered tokens have no owner', () => {
    const gone = item(undefined, struct(...rawDataId, u64(2n)), 'delete_table_item');
    expect(read(user(alice, [], [tokenStore, gone])).ownerships).toMatchObject([{ ownerAddress: alice, amount: 0n }]);
    const claims = resource(alice, '0x3::token_transfers::PendingClaims', { pending_claims: { handle: tableHandle } });
    expect(read(user(alice, [], [claims, item(rawToken, '0x00')])).ownerships).toEqual([]);
  });

  it('are skipped when their bytes are truncated or malformed', () => {
    const whole = Buffer.from(rawToken.slice(2), 'hex');
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (place, byte, cut) => {
        const bytes = cut ? whole.subarray(0, place) : Buffer.from(whole).fill(byte, place, place + 1);
        const { ownerships, skipped } = read(user(alice, [], [tokenStore, item(struct(bytes), '0x')]));
        expect(ownerships.length + skipped.length).toBe(1);
        if (cut) expect(skipped).toEqual(['an item of a token store that could not be parsed']);
      }),
      { seed: 4, numRuns: 500 },
    );
    for (const value of ['', '0x', '0xzz', '0x1', `${rawToken}00`, '0xffffffffff'])
      expect(read(user(alice, [], [tokenStore, item(value, '0x')])).skipped).toHaveLength(1);
  });
});

describe('objects', () => {
  const made = wallet(60);
  const token = wallet(61);

  it('are tokens with royalty and mutability of their collection', () => {
    const changes = [
      collection(made, creator, 'Apes'),
      resource(made, '0x4::royalty::Royalty', { numerator: '5', denominator: '100', payee_address: bob }),
      resource(made, '0x4::aptos_token::AptosCollection', {
        mutable_royalty: true,
        mutable_token_description: false,
        mutable_token_properties: true,
        mutable_token_uri: false,
      }),
      ...nft(token, alice, made, ''),
      resource(token, '0x4::token::TokenIdentifiers', {
        index: { value: '1' },
        name: { value: 'Ape 1', padding: '0x' },
      }),
      resource(token, '0x4::property_map::PropertyMap', {
        inner: {
          data: [
            { key: 'rank', value: { type: 9, value: '0x0642726f6e7a65' } },
            { key: '__proto__', value: { type: 1, value: '0x07' } },
            { key: 'raw', value: { type: 8, value: '0x020102' } },
            { key: 'unknown', value: { type: 77, value: '0x01' } },
          ],
        },
      }),
    ];
    const { tokenDatas, ownerships, stateUpdates } = read(user(alice, [], changes));
    expect(tokenDatas).toMatchObject([
      {
        name: 'Ape 1',
        collectionName: 'Apes',
        creatorAddress: creator,
        payeeAddress: bob,
        royaltyPointsNumerator: 5n,
        royaltyMutable: true,
        uriMutable: false,
        maximum: null,
        tokenDataIdHash: token.slice(2),
      },
    ]);
    expect(Object.entries(tokenDatas[0]?.defaultProperties ?? {})).toEqual([
      ['rank', 'Bronze'],
      ['__proto__', '7'],
      ['raw', '0x0102'],
      ['unknown', '0x01'],
    ]);
    expect(ownerships).toMatchObject([{ ownerAddress: alice, amount: 1n, tableType: '0x1::object::ObjectCore' }]);
    expect(stateUpdates.collections.get(made)).toMatchObject({ creator, name: 'Apes' });
    expect(stateUpdates.tokens.get(token)).toEqual({ collection: made, name: 'Ape 1' });
  });

  it('make no token activities when they are not tokens', () => {
    const transfer = moduleEvent('0x1::object::Transfer', { object: token, from: alice, to: bob });
    expect(read(user(alice, [transfer], assetStore(token, bob, made))).tokenActivities).toEqual([]);
    expect(read(user(alice, [transfer])).tokenActivities).toEqual([]);
  });

  it('have no owner when they are minted and burned in one transaction', () => {
    const events = [
      handle(made, '0x4::collection::MintEvent', { token, index: '1' }),
      handle(made, '0x4::collection::BurnEvent', { token, index: '1' }),
    ];
    const { tokenActivities, ownerships, burnedObjects } = read(user(alice, events));
    expect(tokenActivities.map(row => [row.fromAddress, row.tokenAmount])).toEqual([
      [null, 1n],
      [null, 1n],
    ]);
    expect(ownerships).toMatchObject([{ ownerAddress: null, amount: 0n }]);
    expect(burnedObjects).toEqual([token]);
  });
});

describe('arbitrary input', () => {
  const leaf = fc.oneof(
    fc.constantFrom<Json>(null, true, -1, 1.5, '', '0x', '0x1', '18446744073709551616', '0x3::token::Token'),
    fc.constantFrom<Json>(rawToken, rawData, alice, tableHandle, 'write_resource', 'user_transaction', 5n),
  );
  const keys = fc.constantFrom(
    ...['type', 'data', 'events', 'changes', 'address', 'handle', 'key', 'value', 'guid', 'inner', 'amount', 'store'],
    ...['creation_number', 'version', 'timestamp', '__proto__', 'constructor', 'map', 'token_data_id', 'vec', 'owner'],
  );
  const anything = fc.letrec<{ json: Json }>(tie => ({
    json: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(keys, tie('json'), { maxKeys: 6 }),
    ),
  })).json;
  const types = fc.constantFrom(
    ...[
      '0x1::coin::WithdrawEvent',
      '0x1::fungible_asset::Deposit',
      '0x3::token::DepositEvent',
      '0x4::collection::Burn',
    ],
    ...[
      '0x1::object::Transfer',
      '0x4::token::Mutation',
      '0x1::fungible_asset::FungibleStoreDeletion',
      'toString',
      '__proto__',
    ],
  );
  const resources = fc.constantFrom(
    ...[
      '0x1::object::ObjectCore',
      '0x4::token::Token',
      '0x3::token::TokenStore',
      '0x1::coin::CoinStore<u8>',
      '0x1::coin::CoinStore<',
    ],
    ...['0x4::collection::Collection', '0x4::royalty::Royalty', '0x1::coin::PairedCoinType', 'valueOf', '__proto__'],
  );

  it('never makes it throw', () => {
    const event = fc.record({ type: types, guid: anything, sequence_number: anything, data: anything });
    const change = fc.oneof(
      fc.record({
        type: fc.constant('write_resource'),
        address: leaf,
        data: fc.record({ type: resources, data: anything }),
      }),
      fc.record({
        type: fc.constant('write_table_item'),
        handle: leaf,
        key: anything,
        value: anything,
        data: anything,
      }),
      anything,
    );
    const transaction = fc.record({
      type: fc.constantFrom('user_transaction', 'genesis_transaction', 'other'),
      sender: leaf,
      payload: anything,
      events: fc.oneof(fc.array(event, { maxLength: 4 }), anything),
      changes: fc.oneof(fc.array(change, { maxLength: 5 }), anything),
    });
    fc.assert(
      fc.property(transaction, made => {
        read(made as JsonObject);
        processTransaction({ transaction: made as JsonObject, blockHeight: null });
      }),
      { seed: 5, numRuns: 3_000 },
    );
  });
});
