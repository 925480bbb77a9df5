// Transactions for a synthetic ledger: transfers of coins, fungible assets and tokens of both standards.
import type { Hex } from '../../../src/base/hex.ts';
import { getPrimaryStoreAddress } from '../../../src/service/aptos/derivedIds.ts';
import {
  type Fields,
  type LedgerBuilder,
  sha256Hex,
  type TransactionDraft,
  toLong,
  toShort,
} from './syntheticLedger.ts';

export const APT = '0x1::aptos_coin::AptosCoin';
export const APT_METADATA = toLong('0xa');
export type LedgerAction = (ledger: LedgerBuilder) => void;

const DEPOSIT = 2n;
const WITHDRAW = 3n;

function coinStore(draft: TransactionDraft, owner: Hex, coin: string): void {
  const guid = (creation: bigint) => ({
    counter: '9',
    guid: { id: { addr: toShort(owner), creation_num: String(creation) } },
  });
  draft.write(owner, `0x1::coin::CoinStore<${coin}>`, {
    coin: { value: '5' },
    deposit_events: guid(DEPOSIT),
    frozen: false,
    withdraw_events: guid(WITHDRAW),
  });
}

/** A transfer between coin stores, with handle events. */
export const coinTransfer =
  (from: Hex, to: Hex, amount: bigint, coin = APT): LedgerAction =>
  ledger => {
    ledger.user(from, '0x1::aptos_account::transfer', draft => {
      coinStore(draft, from, coin);
      coinStore(draft, to, coin);
      for (const [owner, creation, type] of [
        [from, WITHDRAW, '0x1::coin::WithdrawEvent'],
        [to, DEPOSIT, '0x1::coin::DepositEvent'],
      ] as const) {
        const index = draft.event(type, { amount: String(amount) }, { account: owner, creation });
        draft.row('fungible_asset_activities', {
          event_index: BigInt(index),
          amount,
          asset_type: coin,
          owner_address: owner,
          type,
        });
      }
    });
  };

function assetStore(draft: TransactionDraft, owner: Hex, metadata: Hex): Hex {
  const store = getPrimaryStoreAddress(owner, metadata);
  draft.write(store, '0x1::object::ObjectCore', { owner: toShort(owner), allow_ungated_transfer: false });
  draft.write(store, '0x1::fungible_asset::FungibleStore', {
    balance: '5',
    frozen: false,
    metadata: { inner: toShort(metadata) },
  });
  return store;
}

/** A transfer between stores of a fungible asset, with module events, and an event of a frozen store. */
export const assetTransfer =
  (from: Hex, to: Hex, amount: bigint, metadata: Hex = APT_METADATA): LedgerAction =>
  ledger => {
    ledger.user(from, '0x1::primary_fungible_store::transfer', draft => {
      for (const [owner, type] of [
        [from, '0x1::fungible_asset::Withdraw'],
        [to, '0x1::fungible_asset::Deposit'],
      ] as const) {
        const index = draft.event(type, { amount: String(amount), store: toShort(assetStore(draft, owner, metadata)) });
        draft.row('fungible_asset_activities', {
          event_index: BigInt(index),
          amount,
          asset_type: metadata,
          owner_address: owner,
          type,
          token_standard: 'v2',
        });
        draft.recordFact(index, owner, 0n, BigInt(index));
      }
      const frozen = draft.event('0x1::fungible_asset::Frozen', {
        frozen: true,
        store: toShort(getPrimaryStoreAddress(to, metadata)),
      });
      draft.row('fungible_asset_activities', {
        event_index: BigInt(frozen),
        amount: null,
        asset_type: metadata,
        owner_address: to,
        type: '0x1::fungible_asset::Frozen',
        token_standard: 'v2',
      });
    });
  };

/** Creates the metadata object of a coin, which contains its coin type. */
export const pairCoin =
  (by: Hex, coin: string, metadata: Hex): LedgerAction =>
  ledger => {
    const [account = '', module = '', struct = ''] = coin.split('::');
    const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`;
    ledger.user(by, '0x1::coin::create_pairing', draft =>
      draft.write(metadata, '0x1::coin::PairedCoinType', {
        type: { account_address: account, module_name: hex(module), struct_name: hex(struct) },
      }),
    );
  };

export const failedTransfer =
  (by: Hex): LedgerAction =>
  ledger => {
    ledger.user(by, '0x1::coin::transfer', () => {}, { failed: true });
  };

export interface Token {
  readonly creator: Hex;
  readonly collection: string;
  readonly name: string;
}

export const getCollectionId = ({ creator, collection }: Token) => sha256Hex(`${creator}::${collection}`);
export const getTokenId = ({ creator, collection, name }: Token) => sha256Hex(`${creator}::${collection}::${name}`);
const getTokenStoreHandle = (owner: Hex): Hex => `0x${sha256Hex(`tokens ${owner}`)}`;
const getTokenDataHandle = (creator: Hex): Hex => `0x${sha256Hex(`datas ${creator}`)}`;

const toTokenDataIdFields = ({ creator, collection, name }: Token): Fields => ({
  collection,
  creator: toShort(creator),
  name,
});
const toTokenIdFields = (token: Token): Fields => ({
  property_version: '0',
  token_data_id: toTokenDataIdFields(token),
});

function tokenStore(draft: TransactionDraft, owner: Hex): Hex {
  const guid = (creation: bigint) => ({
    counter: '9',
    guid: { id: { addr: toShort(owner), creation_num: String(creation) } },
  });
  draft.write(owner, '0x3::token::TokenStore', {
    burn_events: guid(12n),
    deposit_events: guid(10n),
    direct_transfer: true,
    mutate_token_property_events: guid(13n),
    tokens: { handle: toShort(getTokenStoreHandle(owner)) },
    withdraw_events: guid(11n),
  });
  return getTokenStoreHandle(owner);
}

const collectionRow = (token: Token): Fields => ({
  collection_name: token.collection,
  creator_address: token.creator,
});

const tokenRow = (token: Token, version: string): Fields => ({
  collection_id: `0x${getCollectionId(token)}`,
  token_name: token.name,
  token_properties: version === 'v1' ? { level: '7' } : { rank: 'gold' },
  current_collection: collectionRow(token),
});

function ownership(draft: TransactionDraft, token: Token, owner: Hex): void {
  const id = getTokenId(token);
  const isOld = (row: Fields) => row['token_data_id'] === `0x${id}`;
  draft.drop('current_token_ownerships_v2', isOld);
  draft.row('current_token_ownerships_v2', {
    amount: 1n,
    owner_address: owner,
    property_version_v1: 0n,
    storage_id: getTokenStoreHandle(owner),
    table_type_v1: '0x3::token::TokenStore',
    token_data_id: `0x${id}`,
    token_properties_mutated_v1: { level: '7' },
    token_standard: 'v1',
    current_token_data: tokenRow(token, 'v1'),
  });
}

function tokenActivity(draft: TransactionDraft, token: Token, index: number, fields: Fields): void {
  draft.row('token_activities_v2', {
    event_account_address: toLong('0x0'),
    event_index: BigInt(index),
    from_address: null,
    to_address: null,
    property_version_v1: 0n,
    token_amount: 1n,
    token_data_id: `0x${getTokenId(token)}`,
    token_standard: 'v1',
    current_token_data: tokenRow(token, 'v1'),
    ...fields,
  });
}

export const MAX_U64 = 18_446_744_073_709_551_615n;

function writeToken(draft: TransactionDraft, token: Token, owner: Hex): void {
  const value = { amount: '1', id: toTokenIdFields(token), token_properties: { map: { data: [] } } };
  draft.writeItem(tokenStore(draft, owner), toTokenIdFields(token), '0x3::token::TokenId', value, '0x3::token::Token');
}

/** Mints a 0x3 token to its creator. */
export const mintToken =
  (token: Token): LedgerAction =>
  ledger => {
    const { creator } = token;
    ledger.user(creator, '0x3::token::create_token_script', draft => {
      const mint = { amount: '1', id: toTokenDataIdFields(token) };
      const mintEvent = draft.event('0x3::token::MintTokenEvent', mint, { account: creator, creation: 8n });
      const from = { event_account_address: creator, from_address: creator };
      tokenActivity(draft, token, mintEvent, { ...from, type: '0x3::token::MintTokenEvent' });
      const deposit = draft.event(
        '0x3::token::DepositEvent',
        { amount: '1', id: toTokenIdFields(token) },
        { account: creator, creation: 10n },
      );
      const to = { event_account_address: creator, to_address: creator };
      tokenActivity(draft, token, deposit, { ...to, type: '0x3::token::DepositEvent' });
      const handle = getTokenDataHandle(creator);
      draft.write(creator, '0x3::token::Collections', {
        collection_data: { handle: `0x${sha256Hex('collections')}` },
        token_data: { handle: toShort(handle) },
      });
      const royalty = {
        payee_address: toShort(creator),
        royalty_points_denominator: '100',
        royalty_points_numerator: '5',
      };
      const data = {
        default_properties: { map: { data: [{ key: 'level', value: { type: 'u64', value: '0x0700000000000000' } }] } },
        description: `${token.name} of old`,
        largest_property_version: '0',
        maximum: String(MAX_U64),
        mutability_config: { description: false, maximum: false, properties: true, royalty: false, uri: true },
        name: token.name,
        royalty,
        supply: '1',
        uri: 'https://old.example/1',
      };
      draft.writeItem(handle, toTokenDataIdFields(token), '0x3::token::TokenDataId', data, '0x3::token::TokenData');
      // A table item can be requested with the creator in its long form, too.
      draft.writeItem(
        handle,
        { creator, collection: token.collection, name: token.name },
        '0x3::token::TokenDataId',
        data,
        '0x3::token::TokenData',
      );
      writeToken(draft, token, creator);
      draft.row('current_token_datas_v2', {
        ...tokenRow(token, 'v1'),
        token_data_id: `0x${getTokenId(token)}`,
        token_standard: 'v1',
        token_uri: data.uri,
        description: data.description,
        largest_property_version_v1: 0n,
        maximum: MAX_U64,
        supply: 1n,
        is_deleted_v2: null,
        current_royalty_v1: {
          payee_address: creator,
          royalty_points_denominator: 100n,
          royalty_points_numerator: 5n,
        },
      });
      ownership(draft, token, creator);
    });
  };

/** A direct transfer: a withdrawal and a deposit event. */
export const transferToken =
  (token: Token, from: Hex, to: Hex): LedgerAction =>
  ledger => {
    ledger.user(from, '0x3::token::direct_transfer_script', draft => {
      const data = { amount: '1', id: toTokenIdFields(token) };
      const withdrawal = draft.event('0x3::token::WithdrawEvent', data, { account: from, creation: 11n });
      const deposit = draft.event('0x3::token::DepositEvent', data, { account: to, creation: 10n });
      tokenActivity(draft, token, withdrawal, {
        event_account_address: from,
        from_address: from,
        type: '0x3::token::WithdrawEvent',
      });
      tokenActivity(draft, token, deposit, {
        event_account_address: to,
        to_address: to,
        type: '0x3::token::DepositEvent',
      });
      draft.deleteItem(tokenStore(draft, from), toTokenIdFields(token), '0x3::token::TokenId');
      writeToken(draft, token, to);
      ownership(draft, token, to);
    });
  };

export interface ObjectToken extends Token {
  readonly object: Hex;
  readonly collectionObject: Hex;
}

const objectRow = (token: ObjectToken): Fields => ({
  ...tokenRow(token, 'v2'),
  collection_id: token.collectionObject,
});

function objectToken(draft: TransactionDraft, token: ObjectToken, owner: Hex): void {
  draft.write(token.object, '0x1::object::ObjectCore', { owner: toShort(owner), allow_ungated_transfer: true });
  draft.write(token.object, '0x4::token::Token', {
    collection: { inner: toShort(token.collectionObject) },
    description: `${token.name} of now`,
    name: token.name,
    uri: 'https://new.example/1',
  });
}

function objectOwnership(draft: TransactionDraft, token: ObjectToken, owner: Hex): void {
  draft.drop('current_token_ownerships_v2', row => row['token_data_id'] === token.object);
  draft.row('current_token_ownerships_v2', {
    amount: 1n,
    owner_address: owner,
    property_version_v1: 0n,
    storage_id: token.object,
    table_type_v1: null,
    token_data_id: token.object,
    token_properties_mutated_v1: null,
    token_standard: 'v2',
    current_token_data: objectRow(token),
  });
}

function objectData(draft: TransactionDraft, token: ObjectToken): void {
  draft.drop('current_token_datas_v2', row => row['token_data_id'] === token.object);
  draft.row('current_token_datas_v2', {
    ...objectRow(token),
    token_data_id: token.object,
    token_standard: 'v2',
    token_uri: 'https://new.example/1',
    description: `${token.name} of now`,
    largest_property_version_v1: null,
    maximum: null,
    supply: 0n,
    is_deleted_v2: false,
    current_royalty_v1: null,
  });
}

/** Mints a 0x4 token in a `0x4::aptos_token` collection with a royalty. */
export const mintObject =
  (token: ObjectToken): LedgerAction =>
  ledger => {
    const { creator, object, collectionObject } = token;
    ledger.user(creator, '0x4::aptos_token::mint', draft => {
      const index = draft.event('0x4::collection::Mint', {
        collection: toShort(collectionObject),
        index: { value: '1' },
        token: toShort(object),
      });
      draft.write(collectionObject, '0x1::object::ObjectCore', {
        owner: toShort(creator),
        allow_ungated_transfer: true,
      });
      draft.write(collectionObject, '0x4::collection::Collection', {
        creator: toShort(creator),
        description: 'c',
        name: token.collection,
        uri: 'https://new.example',
      });
      draft.write(collectionObject, '0x4::aptos_token::AptosCollection', {
        mutable_description: true,
        mutable_uri: true,
        mutable_token_description: true,
        mutable_token_name: true,
        mutable_token_properties: false,
        mutable_token_uri: true,
        tokens_burnable_by_creator: true,
        mutable_royalty: true,
      });
      draft.write(collectionObject, '0x4::royalty::Royalty', {
        numerator: '3',
        denominator: '50',
        payee_address: toShort(creator),
      });
      objectToken(draft, token, creator);
      tokenActivity(draft, token, index, {
        event_account_address: toLong('0x0'),
        from_address: creator,
        token_data_id: object,
        token_standard: 'v2',
        type: '0x4::collection::MintEvent',
        current_token_data: objectRow(token),
      });
      draft.recordFact(index, toLong('0x0'), 0n, 0n);
      objectData(draft, token);
      objectOwnership(draft, token, creator);
    });
  };

export const transferObject =
  (token: ObjectToken, from: Hex, to: Hex): LedgerAction =>
  ledger => {
    ledger.user(from, '0x1::object::transfer', draft => {
      const index = draft.event('0x1::object::Transfer', {
        object: toShort(token.object),
        from: toShort(from),
        to: toShort(to),
      });
      objectToken(draft, token, to);
      tokenActivity(draft, token, index, {
        from_address: from,
        to_address: to,
        token_data_id: token.object,
        token_standard: 'v2',
        type: '0x1::object::Transfer',
        current_token_data: objectRow(token),
      });
      draft.recordFact(index, toLong('0x0'), 0n, 0n);
      // The resources of an object are written together, so a transfer changes the token data too.
      objectData(draft, token);
      objectOwnership(draft, token, to);
    });
  };
