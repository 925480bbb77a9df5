// A fake Aptos network on a loopback port: REST and GraphQL API over a replaceable ledger, with configurable failures.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { executeQuery, HasuraError } from './fakeHasura.ts';
import { type Fields, type LedgerBlock, type SyntheticLedger, toLong } from './syntheticLedger.ts';

/** How an endpoint fails. All fields can be combined. */
export interface EndpointFailure {
  /** Closes connections without a response. */
  down?: boolean;
  /** The number of requests that get `status` before the endpoint recovers. */
  rejections?: number;
  status?: number;
  retryAfter?: string;
  /** Sends only the first half of the body. */
  truncated?: boolean;
  /** A body to send instead, with status 200. */
  body?: string;
}

export interface FullnodeFailure extends EndpointFailure {
  /** Older transactions get status 410. */
  prunedBefore?: bigint;
  /** The ledger info reports this many more versions. */
  longer?: bigint;
  /** The maximum number of transactions in a page. */
  pageCap?: number;
}

export interface IndexerFailure extends EndpointFailure {
  /** Errors that come with HTTP 200. */
  errors?: readonly { readonly message: string; readonly extensions?: { readonly code: string } }[];
  /** The number of requests that get these errors before the endpoint recovers; all when absent. */
  errorsLeft?: number;
}

export interface FakeAptosNetwork {
  /** `http://127.0.0.1:<port>/v1` */
  readonly node: string;
  readonly indexer: string;
  ledger: SyntheticLedger;
  fullnodeFailure: FullnodeFailure;
  indexerFailure: IndexerFailure;
  /** `GET /transactions?start=1&limit=2`, `POST /graphql fungible_asset_activities` */
  readonly requests: string[];
  /** The `Authorization` headers of the requests. */
  readonly authorizations: (string | undefined)[];
  stop(): Promise<void>;
}

/** Part of Node 24, but not yet of TypeScript's types. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

class FullnodeError extends Error {
  readonly status: number;
  readonly errorCode: string;
  constructor(status: number, errorCode: string, message: string) {
    super(message);
    this.status = status;
    this.errorCode = errorCode;
  }
}

const createNotFoundError = (what: string, code: string) => new FullnodeError(404, code, `${what} not found`);

export async function startFakeAptosNetwork(ledger: SyntheticLedger): Promise<FakeAptosNetwork> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const network: FakeAptosNetwork = {
    node: `http://127.0.0.1:${port}/v1`,
    indexer: `http://127.0.0.1:${port}/v1/graphql`,
    ledger,
    fullnodeFailure: {},
    indexerFailure: {},
    requests: [],
    authorizations: [],
    stop: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    network.authorizations.push(request.headers.authorization);
    const url = new URL(request.url ?? '/', 'http://x');
    const path = url.pathname.replace(/^\/v1\/?/, '/');
    const graphql = path === '/graphql';
    const failure: EndpointFailure = graphql ? network.indexerFailure : network.fullnodeFailure;
    const query = graphql ? ` ${/\{ (\w+)/.exec(text)?.[1] ?? ''}` : url.search;
    network.requests.push(`${request.method} ${path}${query}`);
    const send = (status: number, body: string, headers: Record<string, string> = {}) => {
      const sent = failure.truncated ? body.slice(0, Math.floor(body.length / 2)) : body;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(sent);
    };
    if (failure.down) return void response.destroy();
    if ((failure.rejections ?? 0) > 0) {
      failure.rejections = (failure.rejections ?? 0) - 1;
      const later = failure.retryAfter === undefined ? {} : { 'retry-after': failure.retryAfter };
      return send(failure.status ?? 429, JSON.stringify({ message: 'not now', error_code: 'internal_error' }), later);
    }
    if (failure.body !== undefined) return send(200, failure.body);
    if (graphql) return send(200, answerGraphql(text));
    const info = getLedgerInfo();
    const headers = {
      'x-aptos-chain-id': String(info.chain_id),
      'x-aptos-ledger-version': info.ledger_version,
      'x-aptos-block-height': info.block_height,
    };
    try {
      send(200, JSON.stringify(answerRest(request.method ?? 'GET', path, url.searchParams, text)), headers);
    } catch (error) {
      if (!(error instanceof FullnodeError)) throw error;
      const body = { message: error.message, error_code: error.errorCode, vm_error_code: null };
      send(error.status, JSON.stringify(body), headers);
    }
  }

  function answerGraphql(text: string): string {
    const { errors, errorsLeft } = network.indexerFailure;
    if (errors !== undefined && errorsLeft !== 0) {
      if (errorsLeft !== undefined) network.indexerFailure.errorsLeft = errorsLeft - 1;
      return JSON.stringify({ errors });
    }
    try {
      const { query, variables } = JSON.parse(text) as { query: string; variables: Fields };
      const { field, rows } = executeQuery(network.ledger.tables, query, variables);
      // `numeric` and `bigint` are JSON numbers, however long.
      const raw = (_name: string, value: unknown) => (typeof value === 'bigint' ? rawJSON(String(value)) : value);
      return JSON.stringify({ data: { [field]: rows } }, raw);
    } catch (error) {
      if (!(error instanceof HasuraError)) throw error;
      return JSON.stringify({ errors: [{ message: error.message, extensions: { path: '$', code: error.code } }] });
    }
  }

  function getLedgerInfo() {
    const { transactions, blocks, chainId } = network.ledger;
    const last = blocks.at(-1) as LedgerBlock;
    const pruned = network.fullnodeFailure.prunedBefore ?? 0n;
    return {
      chain_id: chainId,
      epoch: '1',
      ledger_version: String(BigInt(transactions.length - 1) + (network.fullnodeFailure.longer ?? 0n)),
      oldest_ledger_version: String(pruned),
      ledger_timestamp: String(last.micros),
      node_role: 'full_node',
      oldest_block_height: String(blocks.find(block => block.last >= pruned)?.height ?? 0n),
      block_height: String(last.height),
      git_hash: '',
    };
  }

  function getTransaction(version: bigint): Fields {
    const { prunedBefore = 0n } = network.fullnodeFailure;
    if (version < prunedBefore)
      throw new FullnodeError(410, 'version_pruned', `Ledger version(${version}) has been pruned`);
    const found = network.ledger.transactions[Number(version)];
    if (found === undefined) throw createNotFoundError('Transaction', 'transaction_not_found');
    return found;
  }

  function page(list: readonly Fields[], parameters: URLSearchParams): readonly Fields[] {
    const asked = Number(parameters.get('limit') ?? 25);
    if (!(asked >= 1)) throw new FullnodeError(400, 'invalid_input', 'limit must be at least 1');
    return list.slice(0, Math.min(asked, 100, network.fullnodeFailure.pageCap ?? 100));
  }

  function answerBlock(block: LedgerBlock | undefined, parameters: URLSearchParams): Fields {
    if (block === undefined) throw createNotFoundError('Block', 'block_not_found');
    if (block.first < (network.fullnodeFailure.prunedBefore ?? 0n))
      throw new FullnodeError(410, 'block_pruned', `Block(${block.height}) has been pruned`);
    const own = network.ledger.transactions.slice(Number(block.first), Number(block.last) + 1);
    return {
      block_height: String(block.height),
      block_hash: `0x${String(block.height).padStart(64, '0')}`,
      block_timestamp: String(block.micros),
      first_version: String(block.first),
      last_version: String(block.last),
      transactions:
        parameters.get('with_transactions') === 'true' ? own.slice(0, network.fullnodeFailure.pageCap) : null,
    };
  }

  function answerRest(method: string, path: string, parameters: URLSearchParams, text: string): unknown {
    const { transactions, blocks } = network.ledger;
    const parts = path.slice(1).split('/').map(decodeURIComponent);
    const [first, second = '', third = '', fourth = ''] = parts;
    if (method === 'GET' && path === '/') return getLedgerInfo();
    if (first === 'transactions' && parts.length === 1) {
      const start = BigInt(parameters.get('start') ?? Math.max(0, transactions.length - 25));
      if (start >= BigInt(transactions.length)) return [];
      getTransaction(start);
      return page(transactions.slice(Number(start)), parameters);
    }
    if (first === 'transactions' && second === 'by_version') return getTransaction(BigInt(third));
    if (first === 'transactions' && second === 'by_hash') {
      const found = transactions.find(transaction => transaction['hash'] === third);
      if (found === undefined) throw createNotFoundError('Transaction', 'transaction_not_found');
      return found;
    }
    if (first === 'blocks' && second === 'by_height')
      return answerBlock(
        blocks.find(block => block.height === BigInt(third)),
        parameters,
      );
    if (first === 'blocks' && second === 'by_version') {
      const version = BigInt(third);
      return answerBlock(
        blocks.find(block => block.first <= version && version <= block.last),
        parameters,
      );
    }
    if (first === 'accounts' && parts.length === 2) {
      const sequence = network.ledger.sequenceNumber(second);
      if (sequence === null) throw createNotFoundError('Account', 'account_not_found');
      return { sequence_number: String(sequence), authentication_key: toLong(second) };
    }
    if (first === 'accounts' && third === 'transactions') {
      const sent = transactions.filter(
        t => t['sender'] !== undefined && toLong(String(t['sender'])) === toLong(second),
      );
      const start = Number(parameters.get('start') ?? Math.max(0, sent.length - 25));
      return page(sent.slice(start), parameters);
    }
    if (first === 'accounts' && third === 'resource') {
      const version = parameters.get('ledger_version');
      const data = network.ledger.resource(second, fourth, version === null ? undefined : BigInt(version));
      if (data === null) throw createNotFoundError('Resource', 'resource_not_found');
      return { type: fourth, data };
    }
    if (method === 'POST' && first === 'tables') {
      const { key } = JSON.parse(text) as { key: unknown };
      const value = network.ledger.item(second, key);
      if (value === null) throw createNotFoundError('Table Item', 'table_item_not_found');
      return value;
    }
    if (method === 'POST' && first === 'view') {
      const call = JSON.parse(text) as { function: string };
      if (call.function === '0x1::coin::balance') return ['123456789'];
      throw new FullnodeError(400, 'invalid_input', 'could not find the function');
    }
    throw new FullnodeError(404, 'web_framework_error', 'not found');
  }

  return network;
}
