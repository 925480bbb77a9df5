// The REST API of one Aptos fullnode: typed where we read it, immutable answers kept, absence told from failure.

import { HexLensError } from '../../../base/errors.ts';
import { createLru } from '../../../base/lru.ts';
import {
  type AptosHttpClient,
  type AptosHttpClientOptions,
  type AptosHttpResponse,
  createAptosHttpClient,
  getErrorMessage,
  type ResponseOutcome,
} from '../aptosHttpClient.ts';
import type { Json, JsonObject, RestTransaction } from '../transaction.ts';

// A fullnode's REST API as the index needs it: a port, so that tests and the client each bring their own.
/** `GET /v1`. */
export interface LedgerInfo {
  /** 1 mainnet, 2 testnet, 4 localnet; devnet changes at each reset. */
  readonly chainId: number;
  readonly ledgerVersion: bigint;
  /** Older transactions were pruned. */
  readonly oldestLedgerVersion: bigint;
  readonly blockHeight: bigint;
  readonly oldestBlockHeight: bigint;
  /** Microseconds since 1970 of the newest transaction. */
  readonly ledgerTimestamp: bigint;
}

/** `GET /v1/blocks/by_version/{version}` without its transactions. */
export interface RestBlock {
  readonly blockHeight: bigint;
  readonly blockHash: string;
  /** Both inclusive. */
  readonly firstVersion: bigint;
  readonly lastVersion: bigint;
}

/** The most transactions a node gives in one page. */
export const MAX_TRANSACTIONS_PER_PAGE = 100;

/**
 * All methods reject with a HexLensError: `removed` for what the node pruned (410), `not-found`, `rate-limited` with
 * `retryAfterMs` after the client's own patience, `node-unreachable`, `node-timeout`, `node-answer`, `cancelled`.
 */
export interface FullnodeReader {
  /** Never from a cache. */
  fetchLedgerInfo(signal?: AbortSignal): Promise<LedgerInfo>;
  /** Committed transactions from version `start` on, in order, at most `limit` (1 to 100); fewer at the end of the ledger. */
  fetchTransactions(start: bigint, limit: number, signal?: AbortSignal): Promise<readonly RestTransaction[]>;
  fetchBlockByVersion(version: bigint, signal?: AbortSignal): Promise<RestBlock>;
  /**
   * `data` of one resource at `address`, as of `version` when it is given; `null` when it is not there (404). For asset
   * stores whose owner or metadata the transaction itself does not say, and for `0x1::coin::PairedCoinType`.
   */
  fetchResource(
    address: string,
    type: string,
    version: bigint | undefined,
    signal?: AbortSignal,
  ): Promise<RestTransaction | null>;
}

export interface FullnodeClient extends FullnodeReader {
  /** Host and port: what may be named in messages. */
  readonly host: string;
  readonly isLoopback: boolean;
  /** The committed transaction; `null` when the ledger does not have the version yet. Rejects with `removed` when pruned. */
  fetchTransaction(version: bigint, signal?: AbortSignal): Promise<RestTransaction | null>;
  /** Pending ones too: those have no `version`. */
  fetchTransactionByHash(hash: string, signal?: AbortSignal): Promise<RestTransaction | null>;
  /** Every transaction of the range, both ends inclusive, however little the node gives at once. Rejects when one is missing. */
  fetchTransactionRange(first: bigint, last: bigint, signal?: AbortSignal): Promise<readonly RestTransaction[]>;
  fetchBlockByHeight(height: bigint, signal?: AbortSignal): Promise<RestBlock | null>;
  /** `null` when there is no such account. */
  fetchAccount(address: string, signal?: AbortSignal): Promise<{ readonly sequenceNumber: bigint } | null>;
  /** Transactions that the account sent, by ascending sequence number from `start`; orderless ones are not among them. */
  fetchAccountTransactions(
    address: string,
    start: bigint,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly RestTransaction[]>;
  /** The value of a table item, decoded by the node; `null` when the table does not have it. */
  fetchTableItem(item: TableItemRequest, signal?: AbortSignal): Promise<Json>;
  /** Results of a Move view function; `null` when there is no such function or it aborts. */
  callView(call: ViewRequest, signal?: AbortSignal): Promise<readonly Json[] | null>;
}

export interface TableItemRequest {
  readonly handle: string;
  readonly keyType: string;
  readonly valueType: string;
  readonly key: Json;
}

export interface ViewRequest {
  /** `0x1::coin::balance` */
  readonly function: string;
  readonly typeArguments: readonly string[];
  readonly arguments: readonly Json[];
}

/** Weighed by the bytes that the node sent for them; read they take half as much again: 72 MB at most. */
const TRANSACTIONS_KEPT = { maxEntries: 5_000, maxWeight: 48 * 1024 * 1024 };
/** Four values each: 4 MB. */
const BLOCKS_KEPT = { maxEntries: 10_000 };

/** A u64 however it was written; `null` when it is none. */
export function parseU64(value: Json | undefined): bigint | null {
  if (typeof value === 'bigint') return value >= 0n ? value : null;
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : null;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const isNotFound = ({ status, value }: AptosHttpResponse): boolean =>
  status === 404 &&
  isJsonObject(value) &&
  typeof value['error_code'] === 'string' &&
  /_not_found$/.test(value['error_code']);

export function createFullnodeClient(deps: Omit<AptosHttpClientOptions, 'end'>): FullnodeClient {
  const exchange = createAptosHttpClient({ ...deps, endpoint: 'node' });
  const { errors: faults, loopback } = exchange;
  const transactions = createLru<bigint, RestTransaction>(TRANSACTIONS_KEPT);
  const blocks = createLru<bigint, RestBlock>(BLOCKS_KEPT);
  let chainId: string | undefined;

  /** A devnet that was reset has another chain id: nothing of the old one is true. */
  const observe = ({ headers }: AptosHttpResponse) => {
    const now = headers['x-aptos-chain-id'];
    if (now === undefined || now === chainId) return;
    if (chainId !== undefined) {
      transactions.clear();
      blocks.clear();
    }
    chainId = now;
  };
  /** A chain on this machine is wiped at will, and costs nothing to be asked again. */
  const keeps = !loopback;

  /** `read` gives `undefined` for an answer that can not be true. */
  function ask<T>(
    request: Parameters<AptosHttpClient['send']>[0],
    what: string,
    read: (value: Json, answer: AptosHttpResponse) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T | null> {
    return exchange.send<T | null>(
      request,
      (answer): ResponseOutcome<T | null> => {
        observe(answer);
        if (isNotFound(answer)) return { value: null };
        if (answer.status === 410) return { fault: faults.pruned(what), again: 'never' };
        if (answer.status >= 300)
          return { fault: faults.fromStatus(answer.status, getErrorMessage(answer.value)), again: 'never' };
        const value = read(answer.value, answer);
        return value === undefined ? doubt(what) : { value };
      },
      signal,
    );
  }
  const doubt = (what: string): ResponseOutcome<never> => ({
    fault: faults.invalidResponse(`gave an answer that cannot be true when asked for ${what}`),
    again: 'broken',
  });
  const get = (path: string, label: string) => ({ method: 'GET', path, label }) as const;

  const keep = (transaction: RestTransaction, weight: number): RestTransaction => {
    const version = parseU64(transaction['version']);
    if (keeps && version !== null) transactions.set(version, transaction, weight);
    return transaction;
  };

  async function page(start: bigint, limit: number, signal: AbortSignal | undefined) {
    const read = (value: Json, answer: AptosHttpResponse) => {
      if (!Array.isArray(value) || value.length > limit) return undefined;
      const list = value as readonly Json[];
      if (!list.every((item, index) => isJsonObject(item) && parseU64(item['version']) === start + BigInt(index)))
        return undefined;
      const weight = answer.bodyLength / Math.max(1, list.length);
      return (list as readonly RestTransaction[]).map(item => keep(item, weight));
    };
    const request = get(`/transactions?start=${start}&limit=${limit}`, '/transactions');
    return ask(request, `the transactions from version ${start}`, read, signal);
  }

  const readBlock = (value: Json): RestBlock | undefined => {
    if (!isJsonObject(value)) return undefined;
    const height = parseU64(value['block_height']);
    const first = parseU64(value['first_version']);
    const last = parseU64(value['last_version']);
    if (height === null || first === null || last === null || last < first) return undefined;
    const hash = value['block_hash'];
    const block = {
      blockHeight: height,
      blockHash: typeof hash === 'string' ? hash : '',
      firstVersion: first,
      lastVersion: last,
    };
    if (keeps) blocks.set(height, block);
    return block;
  };

  const self: FullnodeClient = {
    host: exchange.host,
    isLoopback: loopback,
    async fetchLedgerInfo(signal) {
      const read = (value: Json): LedgerInfo | undefined => {
        if (!isJsonObject(value)) return undefined;
        const id = parseU64(value['chain_id']);
        const [version, oldest, height, oldestHeight, time] = [
          'ledger_version',
          'oldest_ledger_version',
          'block_height',
          'oldest_block_height',
          'ledger_timestamp',
        ].map(name => parseU64(value[name]) ?? undefined);
        if (id === null || version === undefined || time === undefined || height === undefined) return undefined;
        return {
          chainId: Number(id),
          ledgerVersion: version,
          oldestLedgerVersion: oldest ?? 0n,
          blockHeight: height,
          oldestBlockHeight: oldestHeight ?? 0n,
          ledgerTimestamp: time,
        };
      };
      const ledger = await ask(get('', '/'), 'its ledger', read, signal);
      if (ledger === null) throw faults.fromStatus(404, null);
      return ledger;
    },
    async fetchTransactions(start, limit, signal) {
      return (await page(start, limit, signal)) ?? [];
    },
    async fetchTransaction(version, signal) {
      const kept = transactions.get(version);
      if (kept !== undefined) return kept;
      const read = (value: Json, answer: AptosHttpResponse) =>
        isJsonObject(value) && parseU64(value['version']) === version ? keep(value, answer.bodyLength) : undefined;
      const request = get(`/transactions/by_version/${version}`, '/transactions/by_version/:version');
      return ask(request, `transaction ${version}`, read, signal);
    },
    fetchTransactionByHash(hash, signal) {
      const read = (value: Json) => (isJsonObject(value) && value['hash'] === hash ? value : undefined);
      const request = get(`/transactions/by_hash/${encodeURIComponent(hash)}`, '/transactions/by_hash/:hash');
      return ask(request, 'a transaction', read, signal);
    },
    async fetchTransactionRange(first, last, signal) {
      const found: RestTransaction[] = [];
      for (let next = first; next <= last; next = first + BigInt(found.length)) {
        const left = last - next + 1n;
        const wanted = left > BigInt(MAX_TRANSACTIONS_PER_PAGE) ? MAX_TRANSACTIONS_PER_PAGE : Number(left);
        const part = await self.fetchTransactions(next, wanted, signal);
        if (part.length === 0)
          throw faults.invalidResponse(`has no transaction ${next}, which belongs to a block that it has`);
        found.push(...part);
      }
      return found;
    },
    async fetchBlockByHeight(height, signal) {
      const kept = blocks.get(height);
      if (kept !== undefined) return kept;
      const read = (value: Json) => {
        const block = readBlock(value);
        return block?.blockHeight === height ? block : undefined;
      };
      const request = get(`/blocks/by_height/${height}?with_transactions=false`, '/blocks/by_height/:height');
      return ask(request, `block ${height}`, read, signal);
    },
    async fetchBlockByVersion(version, signal) {
      const read = (value: Json) => {
        const block = readBlock(value);
        return block !== undefined && block.firstVersion <= version && version <= block.lastVersion ? block : undefined;
      };
      const request = get(`/blocks/by_version/${version}?with_transactions=false`, '/blocks/by_version/:version');
      const block = await ask(request, `the block of transaction ${version}`, read, signal);
      if (block === null)
        throw new HexLensError('not-found', `${faults.endpointName} has no transaction ${version} yet.`);
      return block;
    },
    fetchResource(address, type, version, signal) {
      const at = version === undefined ? '' : `?ledger_version=${version}`;
      const path = `/accounts/${encodeURIComponent(address)}/resource/${encodeURIComponent(type)}${at}`;
      const read = (value: Json) => {
        const data = isJsonObject(value) ? value['data'] : undefined;
        return isJsonObject(data) ? data : undefined;
      };
      return ask(get(path, '/accounts/:address/resource/:type'), 'a resource', read, signal);
    },
    fetchAccount(address, signal) {
      const read = (value: Json) => {
        const sequenceNumber = isJsonObject(value) ? parseU64(value['sequence_number']) : null;
        return sequenceNumber === null ? undefined : { sequenceNumber };
      };
      return ask(get(`/accounts/${encodeURIComponent(address)}`, '/accounts/:address'), 'an account', read, signal);
    },
    async fetchAccountTransactions(address, start, limit, signal) {
      const path = `/accounts/${encodeURIComponent(address)}/transactions?start=${start}&limit=${limit}`;
      const read = (value: Json, answer: AptosHttpResponse) => {
        if (!Array.isArray(value) || value.length > limit || !value.every(isJsonObject)) return undefined;
        return value.map(item => keep(item, answer.bodyLength / value.length));
      };
      const found = await ask(
        get(path, '/accounts/:address/transactions'),
        'the transactions of an account',
        read,
        signal,
      );
      return found ?? [];
    },
    fetchTableItem({ handle, keyType, valueType, key }, signal) {
      const body = JSON.stringify({ key_type: keyType, value_type: valueType, key });
      const path = `/tables/${encodeURIComponent(handle)}/item`;
      return ask<Json>(
        { method: 'POST', path, body, label: '/tables/:handle/item' },
        'a table item',
        value => value,
        signal,
      );
    },
    callView(call, signal) {
      const body = JSON.stringify({
        function: call.function,
        type_arguments: call.typeArguments,
        arguments: call.arguments,
      });
      return exchange.send<readonly Json[] | null>(
        { method: 'POST', path: '/view', body, label: `/view ${call.function}` },
        answer => {
          observe(answer);
          if (answer.status === 400 || isNotFound(answer)) return { value: null };
          if (answer.status >= 300)
            return { fault: faults.fromStatus(answer.status, getErrorMessage(answer.value)), again: 'never' };
          return Array.isArray(answer.value) ? { value: answer.value as readonly Json[] } : doubt(call.function);
        },
        signal,
      );
    },
  };
  return self;
}
