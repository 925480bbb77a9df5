// A double of both APIs of an Aptos network on a loopback port, over a ledger that may change, with every way to fail.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { executeQuery, HasuraError } from './fakeHasura.ts';
import { type Fields, type LedgerBlock, type SyntheticLedger, toLong } from './syntheticLedger.ts';

/** How an end misbehaves; everything may be combined. */
export interface EndpointFailure {
  /** Connections are cut without an answer. */
  down?: boolean;
  /** Requests to answer with `status` before it is well again. */
  rejections?: number;
  status?: number;
  retryAfter?: string;
  /** The body stops in its middle. */
  truncated?: boolean;
  /** A body in place of the answer, with status 200. */
  body?: string;
}

export interface FullnodeFailure extends EndpointFailure {
  /** Older transactions are gone: 410. */
  prunedBefore?: bigint;
  /** The ledger says that it is so much longer than it is. */
  longer?: bigint;
  /** Transactions in one page, however many are asked for. */
  pageCap?: number;
}

export interface IndexerFailure extends EndpointFailure {
  /** Errors that come with HTTP 200. */
  errors?: readonly { readonly message: string; readonly extensions?: { readonly code: string } }[];
  /** Requests that get these errors before it is well again; for good when absent. */
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
  /** `Authorization` headers that came. */
  readonly authorizations: (string | undefined)[];
  stop(): Promise<void>;
}

/** Of Node 24, where TypeScript's own types do not have it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

class NodeRefusal extends Error {
  readonly status: number;
  readonly errorCode: string;
  constructor(status: number, errorCode: string, message: string) {
    super(message);
    this.status = status;
    this.errorCode = errorCode;
  }
}

const missing = (what: string, code: string) => new NodeRefusal(404, code, `${what} not found`);

export async function startFakeAptosNetwork(ledger: SyntheticLedger): Promise<FakeAptosNetwork> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const double: FakeAptosNetwork = {
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
    double.authorizations.push(request.headers.authorization);
    const url = new URL(request.url ?? '/', 'http://x');
    const path = url.pathname.replace(/^\/v1\/?/, '/');
    const graphql = path === '/graphql';
    const trouble: EndpointFailure = graphql ? double.indexerFailure : double.fullnodeFailure;
    const query = graphql ? ` ${/\{ (\w+)/.exec(text)?.[1] ?? ''}` : url.search;
    double.requests.push(`${request.method} ${path}${query}`);
    const send = (status: number, body: string, headers: Record<string, string> = {}) => {
      const sent = trouble.truncated ? body.slice(0, Math.floor(body.length / 2)) : body;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(sent);
    };
    if (trouble.down) return void response.destroy();
    if ((trouble.rejections ?? 0) > 0) {
      trouble.rejections = (trouble.rejections ?? 0) - 1;
      const later = trouble.retryAfter === undefined ? {} : { 'retry-after': trouble.retryAfter };
      return send(trouble.status ?? 429, JSON.stringify({ message: 'not now', error_code: 'internal_error' }), later);
    }
    if (trouble.body !== undefined) return send(200, trouble.body);
    if (graphql) return send(200, graphqlAnswer(text));
    const info = ledgerInfo();
    const headers = {
      'x-aptos-chain-id': String(info.chain_id),
      'x-aptos-ledger-version': info.ledger_version,
      'x-aptos-block-height': info.block_height,
    };
    try {
      send(200, JSON.stringify(nodeAnswer(request.method ?? 'GET', path, url.searchParams, text)), headers);
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      const body = { message: error.message, error_code: error.errorCode, vm_error_code: null };
      send(error.status, JSON.stringify(body), headers);
    }
  }

  function graphqlAnswer(text: string): string {
    const { errors, errorsLeft } = double.indexerFailure;
    if (errors !== undefined && errorsLeft !== 0) {
      if (errorsLeft !== undefined) double.indexerFailure.errorsLeft = errorsLeft - 1;
      return JSON.stringify({ errors });
    }
    try {
      const { query, variables } = JSON.parse(text) as { query: string; variables: Fields };
      const { field, rows } = executeQuery(double.ledger.tables, query, variables);
      // `numeric` and `bigint` are JSON numbers, however long.
      const raw = (_name: string, value: unknown) => (typeof value === 'bigint' ? rawJSON(String(value)) : value);
      return JSON.stringify({ data: { [field]: rows } }, raw);
    } catch (error) {
      if (!(error instanceof HasuraError)) throw error;
      return JSON.stringify({ errors: [{ message: error.message, extensions: { path: '$', code: error.code } }] });
    }
  }

  function ledgerInfo() {
    const { transactions, blocks, chainId } = double.ledger;
    const last = blocks.at(-1) as LedgerBlock;
    const pruned = double.fullnodeFailure.prunedBefore ?? 0n;
    return {
      chain_id: chainId,
      epoch: '1',
      ledger_version: String(BigInt(transactions.length - 1) + (double.fullnodeFailure.longer ?? 0n)),
      oldest_ledger_version: String(pruned),
      ledger_timestamp: String(last.micros),
      node_role: 'full_node',
      oldest_block_height: String(blocks.find(block => block.last >= pruned)?.height ?? 0n),
      block_height: String(last.height),
      git_hash: '',
    };
  }

  function at(version: bigint): Fields {
    const { prunedBefore = 0n } = double.fullnodeFailure;
    if (version < prunedBefore)
      throw new NodeRefusal(410, 'version_pruned', `Ledger version(${version}) has been pruned`);
    const found = double.ledger.transactions[Number(version)];
    if (found === undefined) throw missing('Transaction', 'transaction_not_found');
    return found;
  }

  function page(list: readonly Fields[], parameters: URLSearchParams): readonly Fields[] {
    const asked = Number(parameters.get('limit') ?? 25);
    if (!(asked >= 1)) throw new NodeRefusal(400, 'invalid_input', 'limit must be at least 1');
    return list.slice(0, Math.min(asked, 100, double.fullnodeFailure.pageCap ?? 100));
  }

  function blockAnswer(block: LedgerBlock | undefined, parameters: URLSearchParams): Fields {
    if (block === undefined) throw missing('Block', 'block_not_found');
    if (block.first < (double.fullnodeFailure.prunedBefore ?? 0n))
      throw new NodeRefusal(410, 'block_pruned', `Block(${block.height}) has been pruned`);
    const own = double.ledger.transactions.slice(Number(block.first), Number(block.last) + 1);
    return {
      block_height: String(block.height),
      block_hash: `0x${String(block.height).padStart(64, '0')}`,
      block_timestamp: String(block.micros),
      first_version: String(block.first),
      last_version: String(block.last),
      transactions:
        parameters.get('with_transactions') === 'true' ? own.slice(0, double.fullnodeFailure.pageCap) : null,
    };
  }

  function nodeAnswer(method: string, path: string, parameters: URLSearchParams, text: string): unknown {
    const { transactions, blocks } = double.ledger;
    const parts = path.slice(1).split('/').map(decodeURIComponent);
    const [first, second = '', third = '', fourth = ''] = parts;
    if (method === 'GET' && path === '/') return ledgerInfo();
    if (first === 'transactions' && parts.length === 1) {
      const start = BigInt(parameters.get('start') ?? Math.max(0, transactions.length - 25));
      if (start >= BigInt(transactions.length)) return [];
      at(start);
      return page(transactions.slice(Number(start)), parameters);
    }
    if (first === 'transactions' && second === 'by_version') return at(BigInt(third));
    if (first === 'transactions' && second === 'by_hash') {
      const found = transactions.find(transaction => transaction['hash'] === third);
      if (found === undefined) throw missing('Transaction', 'transaction_not_found');
      return found;
    }
    if (first === 'blocks' && second === 'by_height')
      return blockAnswer(
        blocks.find(block => block.height === BigInt(third)),
        parameters,
      );
    if (first === 'blocks' && second === 'by_version') {
      const version = BigInt(third);
      return blockAnswer(
        blocks.find(block => block.first <= version && version <= block.last),
        parameters,
      );
    }
    if (first === 'accounts' && parts.length === 2) {
      const sequence = double.ledger.sequenceNumber(second);
      if (sequence === null) throw missing('Account', 'account_not_found');
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
      const data = double.ledger.resource(second, fourth, version === null ? undefined : BigInt(version));
      if (data === null) throw missing('Resource', 'resource_not_found');
      return { type: fourth, data };
    }
    if (method === 'POST' && first === 'tables') {
      const { key } = JSON.parse(text) as { key: unknown };
      const value = double.ledger.item(second, key);
      if (value === null) throw missing('Table Item', 'table_item_not_found');
      return value;
    }
    if (method === 'POST' && first === 'view') {
      const call = JSON.parse(text) as { function: string };
      if (call.function === '0x1::coin::balance') return ['123456789'];
      throw new NodeRefusal(400, 'invalid_input', 'could not find the function');
    }
    throw new NodeRefusal(404, 'web_framework_error', 'not found');
  }

  return double;
}
