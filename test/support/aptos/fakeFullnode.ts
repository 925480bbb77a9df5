// A fake fullnode with a synthetic chain of coins, assets and tokens, which can be pruned, reset, slow or failing.

import { parseAptosAddress } from '../../../src/base/aptosAddress.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import type { Hex } from '../../../src/base/hex.ts';
import type { FullnodeReader } from '../../../src/service/aptos/fullnode/fullnodeClient.ts';
import type { JsonObject } from '../../../src/service/aptos/jsonFields.ts';

export const APT = '0x1::aptos_coin::AptosCoin';

export const wallet = (number: number): Hex => parseAptosAddress(`0x${(0xa000 + number).toString(16)}`) ?? '0x';

const createHash = (salt: number, version: number): Hex =>
  `0x${salt.toString(16).padStart(8, 'c')}${version.toString(16).padStart(56, '0')}`;

export interface FullnodeRequests {
  /** Requests for transactions, as `start+limit`. */
  readonly pages: string[];
  ledgers: number;
  blocks: number;
}

export interface FakeFullnode {
  readonly reader: FullnodeReader;
  readonly requests: FullnodeRequests;
  /** Appends a block of these user transactions between a block metadata transaction and a state checkpoint. */
  block(...transactions: readonly JsonObject[]): void;
  /** Replaces the chain by an empty one with the same chain id, and with another genesis by default. */
  reset(sameGenesis?: boolean): void;
  prune(oldest: number): void;
  /** Limits the transactions of a page. */
  limitPages(maxTransactions: number): void;
  /** The next `times` requests for more than `above` transactions fail with this error. */
  fail(error: HexLensError, times: number, above?: number): void;
  /** Requests wait until the returned function is called. */
  hold(): () => void;
  readonly version: number;
}

export function createFakeFullnode(chainId = 4): FakeFullnode {
  const wire: FullnodeRequests = { pages: [], ledgers: 0, blocks: 0 };
  let salt = 1;
  let chain: { readonly transaction: JsonObject; readonly height: number }[] = [];
  let height = 0;
  let oldest = 0;
  let maxPageSize = 100;
  let failures: HexLensError[] = [];
  let failsAbove = 0;
  let pause: Promise<void> | null = null;

  const append = (transaction: JsonObject, sameGenesis = false) => {
    const version = chain.length;
    const hash = createHash(sameGenesis && version === 0 ? 1 : salt, version);
    const timestamp = String((1_700_000_000 + height * 10) * 1_000_000);
    chain.push({
      height,
      transaction: {
        version: String(version),
        hash,
        ...(version > 0 && { timestamp }),
        success: true,
        changes: [],
        events: [],
        ...transaction,
      },
    });
  };
  const begin = (sameGenesis: boolean) => {
    chain = [];
    height = 0;
    append({ type: 'genesis_transaction' }, sameGenesis);
  };
  begin(true);

  const pass = async (signal: AbortSignal | undefined) => {
    signal?.throwIfAborted();
    if (pause !== null) await pause;
    signal?.throwIfAborted();
  };

  const rest: FullnodeReader = {
    async fetchLedgerInfo(signal) {
      wire.ledgers++;
      await pass(signal);
      return {
        chainId,
        ledgerVersion: BigInt(chain.length - 1),
        oldestLedgerVersion: BigInt(oldest),
        blockHeight: BigInt(height),
        ledgerTimestamp: 0n,
      };
    },
    async fetchTransactions(start, limit, signal) {
      wire.pages.push(`${start}+${limit}`);
      await pass(signal);
      const failure = limit > failsAbove ? failures.shift() : undefined;
      if (failure !== undefined) throw failure;
      const first = Number(start);
      if (first < oldest) throw new HexLensError('removed', `Version ${start} was pruned.`);
      if (first >= chain.length) throw new HexLensError('not-found', `There is no version ${start}.`);
      return chain.slice(first, first + Math.min(limit, maxPageSize)).map(one => one.transaction);
    },
    async fetchBlockByVersion(version, signal) {
      wire.blocks++;
      await pass(signal);
      const at = chain[Number(version)]?.height ?? 0;
      const versions = chain.flatMap((one, index) => (one.height === at ? [index] : []));
      return {
        blockHeight: BigInt(at),
        blockHash: createHash(9, at),
        firstVersion: BigInt(versions[0] ?? 0),
        lastVersion: BigInt(versions.at(-1) ?? 0),
      };
    },
    fetchResource: async () => null,
  };

  return {
    reader: rest,
    requests: wire,
    get version() {
      return chain.length - 1;
    },
    block(...transactions) {
      height++;
      const event = {
        type: '0x1::block::NewBlockEvent',
        guid: {},
        sequence_number: '0',
        data: { height: String(height) },
      };
      append({ type: 'block_metadata_transaction', events: [event] });
      for (const transaction of transactions) append(transaction);
      append({ type: 'state_checkpoint_transaction' });
    },
    reset(sameGenesis = false) {
      salt++;
      begin(sameGenesis);
    },
    prune(version) {
      oldest = version;
    },
    limitPages(limit) {
      maxPageSize = limit;
    },
    fail(error, times, above = 0) {
      failsAbove = above;
      failures = Array.from({ length: times }, () => error);
    },
    hold() {
      let release = () => {};
      pause = new Promise<void>(resolve => {
        release = resolve;
      });
      return () => {
        pause = null;
        release();
      };
    },
  };
}

/** A user transaction with these events and changes. Its gas fee is 7 x 100. */
export const user = (
  sender: Hex,
  events: readonly JsonObject[] = [],
  changes: readonly JsonObject[] = [],
): JsonObject => ({
  type: 'user_transaction',
  sender,
  sequence_number: '3',
  gas_used: '7',
  gas_unit_price: '100',
  payload: { type: 'entry_function_payload', function: '0x1::aptos_account::transfer' },
  events,
  changes,
});

const coinStore = (owner: Hex, coin: string): JsonObject => ({
  type: 'write_resource',
  address: owner,
  data: {
    type: `0x1::coin::CoinStore<${coin}>`,
    data: {
      deposit_events: { guid: { id: { addr: owner, creation_num: '2' } } },
      withdraw_events: { guid: { id: { addr: owner, creation_num: '3' } } },
    },
  },
});

/** A coin transfer with the handle events of the coin stores. */
export function payment(from: Hex, to: Hex, amount: bigint, coin = APT): JsonObject {
  const event = (owner: Hex, side: 'Deposit' | 'Withdraw') => ({
    type: `0x1::coin::${side}Event`,
    guid: { account_address: owner, creation_number: side === 'Deposit' ? '2' : '3' },
    sequence_number: '5',
    data: { amount: String(amount) },
  });
  return user(from, [event(from, 'Withdraw'), event(to, 'Deposit')], [coinStore(from, coin), coinStore(to, coin)]);
}

/** The resources of a fungible store. */
export const assetStore = (store: Hex, owner: Hex, metadata: Hex): readonly JsonObject[] => [
  { type: 'write_resource', address: store, data: { type: '0x1::object::ObjectCore', data: { owner } } },
  {
    type: 'write_resource',
    address: store,
    data: { type: '0x1::fungible_asset::FungibleStore', data: { balance: '1', metadata: { inner: metadata } } },
  },
];

export const moduleEvent = (type: string, data: JsonObject): JsonObject => ({
  type,
  guid: { account_address: '0x0', creation_number: '0' },
  sequence_number: '0',
  data,
});

export const nft = (object: Hex, owner: Hex, collection: Hex, name: string): readonly JsonObject[] => [
  { type: 'write_resource', address: object, data: { type: '0x1::object::ObjectCore', data: { owner } } },
  {
    type: 'write_resource',
    address: object,
    data: {
      type: '0x4::token::Token',
      data: { collection: { inner: collection }, description: 'made up', name, uri: 'ipfs://x', index: '1' },
    },
  },
];

export const collection = (address: Hex, creator: Hex, name: string): JsonObject => ({
  type: 'write_resource',
  address,
  data: { type: '0x4::collection::Collection', data: { creator, name, description: '', uri: '' } },
});
