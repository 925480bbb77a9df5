// Typed client of an Aptos fullnode's REST API. Immutable responses are cached; "not found" is `null`, not a fault.
import { LRUCache } from 'lru-cache';
import { HexLensError } from '../../../base/errors.ts';
import type { AttemptOutcome } from '../../retryEndpointRequest.ts';
import {
  type AptosHttpClient,
  type AptosHttpClientOptions,
  type AptosHttpRequest,
  type AptosHttpResponse,
  createAptosHttpClient,
  getErrorMessage,
} from '../aptosHttpClient.ts';
import type { EndpointErrors } from '../endpointErrors.ts';
import { asString, isJsonObject, type Json, parseU64 } from '../jsonFields.ts';
import type { RestTransaction } from '../restTransaction.ts';

/** `GET /v1`. */
export interface LedgerInfo {
  /** 1 is mainnet, 2 testnet, 4 localnet; devnet gets another one at each reset. */
  readonly chainId: number;
  readonly ledgerVersion: bigint;
  /** Transactions before this version are pruned. */
  readonly oldestLedgerVersion: bigint;
  readonly blockHeight: bigint;
  /** Unix time of the newest transaction in microseconds. */
  readonly ledgerTimestamp: bigint;
}

/** `GET /v1/blocks/by_version/{version}` without its transactions. */
export interface RestBlock {
  readonly blockHeight: bigint;
  readonly blockHash: string;
  readonly firstVersion: bigint;
  /** Inclusive. */
  readonly lastVersion: bigint;
}

/** The limit of fullnodes; some return fewer. */
export const MAX_TRANSACTIONS_PER_PAGE = 100;

export interface TableItemRequest {
  readonly handle: string;
  readonly keyType: string;
  readonly valueType: string;
  readonly key: Json;
}

export interface ViewRequest {
  /** For example `0x1::coin::balance`. */
  readonly function: string;
  readonly typeArguments: readonly string[];
  readonly arguments: readonly Json[];
}

/** Sizes are those of the response bodies; parsed values take about 1.5 times as much: at most 72 MB. */
const MAX_CACHED_TRANSACTION_BYTES = 48 * 1024 * 1024;
const MAX_CACHED_TRANSACTIONS = 5_000;
/** At most 4 MB. */
const MAX_CACHED_BLOCKS = 10_000;

const isNotFound = ({ status, value }: AptosHttpResponse): boolean =>
  status === 404 && isJsonObject(value) && /_not_found$/.test(asString(value['error_code']) ?? '');

const get = (path: string, logLabel: string) => ({ method: 'GET', path, logLabel }) as const;

function parseLedgerInfo(value: Json): LedgerInfo | undefined {
  if (!isJsonObject(value)) return undefined;
  const chainId = parseU64(value['chain_id']);
  const ledgerVersion = parseU64(value['ledger_version']);
  const blockHeight = parseU64(value['block_height']);
  const ledgerTimestamp = parseU64(value['ledger_timestamp']);
  if (chainId === null || ledgerVersion === null || blockHeight === null || ledgerTimestamp === null) return undefined;
  return {
    chainId: Number(chainId),
    ledgerVersion,
    oldestLedgerVersion: parseU64(value['oldest_ledger_version']) ?? 0n,
    blockHeight,
    ledgerTimestamp,
  };
}

/** The part of the REST API that the local index needs. */
export type FullnodeReader = Pick<
  FullnodeClient,
  'fetchLedgerInfo' | 'fetchTransactions' | 'fetchBlockByVersion' | 'fetchResource'
>;

/**
 * Methods reject with a `HexLensError`: `removed` for pruned data (410), `not-found`, `rate-limited` with `retryAfterMs`
 * when retries did not help, `node-unreachable`, `node-timeout`, `node-answer`, `cancelled`.
 */
export class FullnodeClient {
  /** Host and port, which messages may name. */
  /** As notes of replies name it: `Aptos mainnet`. */
  readonly networkTitle: string;
  readonly isLoopback: boolean;
  readonly #client: AptosHttpClient;
  readonly #errors: EndpointErrors;
  readonly #transactionCache = new LRUCache<bigint, RestTransaction>({
    max: MAX_CACHED_TRANSACTIONS,
    maxSize: MAX_CACHED_TRANSACTION_BYTES,
    maxEntrySize: MAX_CACHED_TRANSACTION_BYTES / 4,
  });
  readonly #blockCache = new LRUCache<bigint, RestBlock>({ max: MAX_CACHED_BLOCKS });
  /** Of the last response. */
  #chainId: string | undefined;

  constructor(options: Omit<AptosHttpClientOptions, 'endpoint'>) {
    this.#client = createAptosHttpClient({ ...options, endpoint: 'node' });
    this.#errors = this.#client.errors;
    this.networkTitle = `Aptos ${options.network}`;
    this.isLoopback = this.#client.isLoopback;
  }

  /** Never cached. */
  async fetchLedgerInfo(signal?: AbortSignal): Promise<LedgerInfo> {
    const ledgerInfo = await this.#fetchValue(get('', '/'), 'its ledger', parseLedgerInfo, signal);
    if (ledgerInfo === null) throw this.#errors.fromStatus(404, null);
    return ledgerInfo;
  }

  /** At most `limit` (1 to 100) committed transactions from version `start`, in order; fewer at the end of the ledger. */
  async fetchTransactions(start: bigint, limit: number, signal?: AbortSignal): Promise<readonly RestTransaction[]> {
    const parse = (value: Json, { bodyLength }: AptosHttpResponse) => {
      if (!Array.isArray(value) || value.length > limit) return undefined;
      const list = value as readonly Json[];
      if (!list.every((item, index) => isJsonObject(item) && parseU64(item['version']) === start + BigInt(index)))
        return undefined;
      return (list as readonly RestTransaction[]).map(item => this.#cacheTransaction(item, bodyLength / list.length));
    };
    const request = get(`/transactions?start=${start}&limit=${limit}`, '/transactions');
    return (await this.#fetchValue(request, `the transactions from version ${start}`, parse, signal)) ?? [];
  }

  /** A committed transaction; `null` when the version is not in the ledger yet. Rejects with `removed` when it is pruned. */
  async fetchTransaction(version: bigint, signal?: AbortSignal): Promise<RestTransaction | null> {
    const cached = this.#transactionCache.get(version);
    if (cached !== undefined) return cached;
    const parse = (value: Json, { bodyLength }: AptosHttpResponse) =>
      isJsonObject(value) && parseU64(value['version']) === version
        ? this.#cacheTransaction(value, bodyLength)
        : undefined;
    const request = get(`/transactions/by_version/${version}`, '/transactions/by_version/:version');
    return this.#fetchValue(request, `transaction ${version}`, parse, signal);
  }

  /** A committed or pending transaction; a pending one has no `version`. */
  fetchTransactionByHash(hash: string, signal?: AbortSignal): Promise<RestTransaction | null> {
    const parse = (value: Json) => (isJsonObject(value) && value['hash'] === hash ? value : undefined);
    const request = get(`/transactions/by_hash/${encodeURIComponent(hash)}`, '/transactions/by_hash/:hash');
    return this.#fetchValue(request, 'a transaction', parse, signal);
  }

  /** All transactions from `first` to `last`, inclusive, in as many requests as needed. Rejects when one is missing. */
  async fetchTransactionRange(first: bigint, last: bigint, signal?: AbortSignal): Promise<readonly RestTransaction[]> {
    const transactions: RestTransaction[] = [];
    for (let next = first; next <= last; next = first + BigInt(transactions.length)) {
      const remaining = last - next + 1n;
      const limit = remaining > BigInt(MAX_TRANSACTIONS_PER_PAGE) ? MAX_TRANSACTIONS_PER_PAGE : Number(remaining);
      const page = await this.fetchTransactions(next, limit, signal);
      if (page.length === 0)
        throw this.#errors.invalidResponse(`has no transaction ${next}, which belongs to a block that it has`);
      transactions.push(...page);
    }
    return transactions;
  }

  async fetchBlockByHeight(height: bigint, signal?: AbortSignal): Promise<RestBlock | null> {
    const cached = this.#blockCache.get(height);
    if (cached !== undefined) return cached;
    const parse = (value: Json) => {
      const block = this.#parseBlock(value);
      return block?.blockHeight === height ? block : undefined;
    };
    const request = get(`/blocks/by_height/${height}?with_transactions=false`, '/blocks/by_height/:height');
    return this.#fetchValue(request, `block ${height}`, parse, signal);
  }

  async fetchBlockByVersion(version: bigint, signal?: AbortSignal): Promise<RestBlock> {
    const parse = (value: Json) => {
      const block = this.#parseBlock(value);
      return block !== undefined && block.firstVersion <= version && version <= block.lastVersion ? block : undefined;
    };
    const request = get(`/blocks/by_version/${version}?with_transactions=false`, '/blocks/by_version/:version');
    const block = await this.#fetchValue(request, `the block of transaction ${version}`, parse, signal);
    if (block === null)
      throw new HexLensError('not-found', `${this.#errors.endpointName} has no transaction ${version} yet.`);
    return block;
  }

  /** The data of a resource, at ledger version `version` or the latest; `null` when it does not exist (404). */
  fetchResource(
    address: string,
    type: string,
    version: bigint | undefined,
    signal?: AbortSignal,
  ): Promise<RestTransaction | null> {
    const query = version === undefined ? '' : `?ledger_version=${version}`;
    const path = `/accounts/${encodeURIComponent(address)}/resource/${encodeURIComponent(type)}${query}`;
    const parse = (value: Json) => {
      const data = isJsonObject(value) ? value['data'] : undefined;
      return isJsonObject(data) ? data : undefined;
    };
    return this.#fetchValue(get(path, '/accounts/:address/resource/:type'), 'a resource', parse, signal);
  }

  /** `null` when the account does not exist. */
  fetchAccount(address: string, signal?: AbortSignal): Promise<{ readonly sequenceNumber: bigint } | null> {
    const parse = (value: Json) => {
      const sequenceNumber = isJsonObject(value) ? parseU64(value['sequence_number']) : null;
      return sequenceNumber === null ? undefined : { sequenceNumber };
    };
    const request = get(`/accounts/${encodeURIComponent(address)}`, '/accounts/:address');
    return this.#fetchValue(request, 'an account', parse, signal);
  }

  /** Transactions sent by the account, by ascending sequence number from `start`, without orderless transactions. */
  async fetchAccountTransactions(
    address: string,
    start: bigint,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly RestTransaction[]> {
    const path = `/accounts/${encodeURIComponent(address)}/transactions?start=${start}&limit=${limit}`;
    const parse = (value: Json, { bodyLength }: AptosHttpResponse) => {
      if (!Array.isArray(value) || value.length > limit || !value.every(isJsonObject)) return undefined;
      return value.map(item => this.#cacheTransaction(item, bodyLength / value.length));
    };
    const request = get(path, '/accounts/:address/transactions');
    return (await this.#fetchValue(request, 'the transactions of an account', parse, signal)) ?? [];
  }

  /** The value of a table item, decoded by the node; `null` when the table does not contain the key. */
  fetchTableItem({ handle, keyType, valueType, key }: TableItemRequest, signal?: AbortSignal): Promise<Json> {
    const body = JSON.stringify({ key_type: keyType, value_type: valueType, key });
    const path = `/tables/${encodeURIComponent(handle)}/item`;
    const request = { method: 'POST', path, body, logLabel: '/tables/:handle/item' } as const;
    return this.#fetchValue<Json>(request, 'a table item', value => value, signal);
  }

  /** The results of a Move view function; `null` when the function does not exist or aborts. */
  callView(call: ViewRequest, signal?: AbortSignal): Promise<readonly Json[] | null> {
    const body = JSON.stringify({
      function: call.function,
      type_arguments: call.typeArguments,
      arguments: call.arguments,
    });
    return this.#client.send<readonly Json[] | null>(
      { method: 'POST', path: '/view', body, logLabel: `/view ${call.function}` },
      response => {
        this.#clearCachesOfOtherChain(response);
        if (response.status === 400 || isNotFound(response)) return { value: null };
        if (response.status >= 300) return this.#errorStatus(response);
        return Array.isArray(response.value)
          ? { value: response.value as readonly Json[] }
          : this.#invalidResponse(call.function);
      },
      signal,
    );
  }

  /** A reset of devnet changes the chain id: what was cached belongs to the old chain. */
  #clearCachesOfOtherChain({ headers }: AptosHttpResponse): void {
    const currentChainId = headers['x-aptos-chain-id'];
    if (currentChainId === undefined || currentChainId === this.#chainId) return;
    if (this.#chainId !== undefined) {
      this.#transactionCache.clear();
      this.#blockCache.clear();
    }
    this.#chainId = currentChainId;
  }

  #invalidResponse(what: string): AttemptOutcome<never> {
    return {
      fault: this.#errors.invalidResponse(`sent an invalid response to a request for ${what}`),
      retry: 'once',
    };
  }

  #errorStatus({ status, value, hideKeys }: AptosHttpResponse): AttemptOutcome<never> {
    return {
      fault: this.#errors.fromStatus(status, getErrorMessage(value, hideKeys)),
      retry: 'never',
    };
  }

  /** `parse` returns `undefined` for a value that does not answer the request. `what` names the data in messages. */
  #fetchValue<T>(
    request: AptosHttpRequest,
    what: string,
    parse: (value: Json, response: AptosHttpResponse) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T | null> {
    return this.#client.send<T | null>(
      request,
      (response): AttemptOutcome<T | null> => {
        this.#clearCachesOfOtherChain(response);
        if (isNotFound(response)) return { value: null };
        if (response.status === 410) return { fault: this.#errors.pruned(what), retry: 'never' };
        if (response.status >= 300) return this.#errorStatus(response);
        const value = parse(response.value, response);
        return value === undefined ? this.#invalidResponse(what) : { value };
      },
      signal,
    );
  }

  /** A local chain may be reset at any time, and requests to it are cheap. */
  get #shouldCache(): boolean {
    return !this.isLoopback;
  }

  #cacheTransaction(transaction: RestTransaction, bytes: number): RestTransaction {
    const version = parseU64(transaction['version']);
    if (this.#shouldCache && version !== null)
      this.#transactionCache.set(version, transaction, { size: Math.max(1, Math.ceil(bytes)) });
    return transaction;
  }

  #parseBlock(value: Json): RestBlock | undefined {
    if (!isJsonObject(value)) return undefined;
    const blockHeight = parseU64(value['block_height']);
    const firstVersion = parseU64(value['first_version']);
    const lastVersion = parseU64(value['last_version']);
    if (blockHeight === null || firstVersion === null || lastVersion === null || lastVersion < firstVersion)
      return undefined;
    const block = { blockHeight, blockHash: asString(value['block_hash']) ?? '', firstVersion, lastVersion };
    if (this.#shouldCache) this.#blockCache.set(blockHeight, block);
    return block;
  }
}
