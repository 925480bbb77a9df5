// JSON-RPC calls of one node: singly and in batches, as many at once as the node takes, and what it turned out not to have.
import type { Clock } from '../../base/clock.ts';
import { cancelledFault, type FaultOptions, HexLensError } from '../../base/errors.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import { createNodeFaults, type NodeFaults } from './nodeFaults.ts';
import {
  isMethodNotFound,
  isRateLimitError,
  parseBatchLimit,
  parseBatchResponse,
  parseSingleResponse,
  type RpcCall,
  type RpcResponse,
  toRpcRequest,
} from './rpcMessage.ts';
import { createRpcTransport } from './rpcTransport.ts';

/** Calls per batch until a node says otherwise: the smallest of the usual limits that is not a stingy plan's. */
const FIRST_BATCH_CAP = 100;
/**
 * Measured on Anvil: up to some 25 small calls one batch takes as long as one call, and single calls 2 to 4 times as long;
 * 80 receipts take 3.9 ms in one batch, 2.3 ms in four, 7 ms singly. (Two large answers come sooner side by side than in
 * one batch: whoever asks for a block and its receipts makes two calls.)
 */
const GOOD_PART = 25;
/** HTTP requests under way at once for one `askAll`. */
const AT_ONCE = 8;
/** A method that was missing is tried again after this: nodes are restarted with other flags. */
const MISSING_FOR_MS = 10 * 60_000;

export interface RpcClientDeps {
  /** The chain's name for people: `local`. */
  readonly selector: string;
  readonly url: string;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
  readonly random?: () => number;
}

export interface RpcClient {
  /** Host and port: what may be named in messages. */
  readonly host: string;
  readonly isLoopback: boolean;
  readonly faults: NodeFaults;
  /** The result of one call; a refusal rejects with `node-error` (as everything below that is not answered). */
  request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** The answer to one call, a refusal included. */
  send(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<RpcResponse>;
  /** The answers in the order of the calls: one HTTP request where the node takes batches that long. */
  sendAll(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcResponse[]>;
  /** False once the node has said that it does not have the method. */
  isAvailable(method: string): boolean;
  /** Forgets what was learnt of the node: another one may stand at its address. */
  reset(): void;
  /** The answer cannot be true: a `node-answer` fault that says why. */
  invalidResponse(method: string, why: string, options?: FaultOptions): HexLensError;
}

interface Address {
  readonly url: string;
  readonly host: string;
  readonly loopback: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a node's URL means; credentials in it become a header, as `fetch` and browsers refuse them in the URL. */
function parseAddress(text: string): Address | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (url.username !== '' || url.password !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return { url: url.href, host: url.host, loopback, headers };
}

export function createRpcClient(deps: RpcClientDeps): RpcClient {
  const { selector, http, clock, log, timeoutMs, random = Math.random } = deps;
  const address = parseAddress(deps.url);
  const host = address?.host ?? 'no valid address';
  const loopback = address?.loopback ?? false;
  const faults = createNodeFaults(selector, host, loopback);
  const wire = createRpcTransport({
    url: address?.url ?? '',
    headers: address?.headers ?? {},
    http,
    clock,
    log,
    faults,
    timeoutMs,
    random,
  });
  let nextId = 1;
  let batchCap = FIRST_BATCH_CAP;
  const missingSince = new Map<string, number>();

  const has = (method: string) => {
    const since = missingSince.get(method);
    if (since !== undefined && clock.now() - since < MISSING_FOR_MS) return false;
    missingSince.delete(method);
    return true;
  };
  const learn = (method: string, answer: RpcResponse): RpcResponse => {
    if (answer.refusal !== undefined && isMethodNotFound(answer.refusal)) {
      if (!missingSince.has(method)) log.debug(`The node of ${selector} (${host}) does not have ${method}.`);
      missingSince.set(method, clock.now());
    }
    return answer;
  };
  const ready = (signal: AbortSignal | undefined) => {
    if (signal?.aborted) throw cancelledFault();
    if (address !== null) return;
    throw new HexLensError(
      'no-node',
      localizable('The address of the node of {0} is not an http or https URL.', selector),
      {
        fix: localizable('Correct it in the setting hexlens.nodes, or --node {0}=http://127.0.0.1:8545.', selector),
      },
    );
  };

  /** One call in one HTTP request; waits out "too many requests" that comes as a JSON-RPC error. */
  async function single(call: RpcCall, signal: AbortSignal | undefined): Promise<RpcResponse> {
    for (let attempt = 1; ; attempt++) {
      const id = nextId++;
      const body = JSON.stringify(toRpcRequest(call, id));
      const answer = await wire.post(body, call.method, value => parseSingleResponse(value, id), signal);
      if (answer.refusal === undefined || !isRateLimitError(answer.refusal)) return learn(call.method, answer);
      await wire.waitBeforeRetry(attempt, signal);
    }
  }

  /** Many calls in one HTTP request, or `null` when the node does not take them so. */
  async function batch(
    calls: readonly RpcCall[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (RpcResponse | null)[] | null> {
    for (let attempt = 1; ; attempt++) {
      const firstId = nextId;
      nextId += calls.length;
      const body = JSON.stringify(calls.map((call, index) => toRpcRequest(call, firstId + index)));
      const answer = await wire.post(
        body,
        labelOf(calls),
        value => parseBatchResponse(value, firstId, calls.length),
        signal,
      );
      if ('answers' in answer) return answer.answers;
      if (!isRateLimitError(answer.refusedWhole)) {
        const cap = parseBatchLimit(answer.refusedWhole, calls.length);
        if (cap !== null) {
          batchCap = Math.min(batchCap, cap);
          log.debug(
            `The node of ${selector} (${host}) takes ${batchCap === 1 ? 'no batches' : `${batchCap} calls at once`}.`,
          );
        }
        return null;
      }
      await wire.waitBeforeRetry(attempt, signal);
    }
  }

  const singles = (calls: readonly RpcCall[], signal: AbortSignal | undefined) =>
    mapConcurrently(calls, AT_ONCE, call => single(call, signal));

  /** A batch, and singly what the batch did not answer. */
  async function batchOrSingles(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<RpcResponse[]> {
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) return [await single(first, signal)];
    let answers: readonly (RpcResponse | null)[] | null = null;
    const capBefore = batchCap;
    let refused: unknown = null;
    try {
      answers = await batch(calls, signal);
    } catch (error) {
      // An error status or a strange body for a batch may only mean that batches are not known there.
      if (!(error instanceof HexLensError) || (error.code !== 'node-answer' && error.code !== 'too-large')) throw error;
      refused = error;
    }
    if (answers === null) {
      if (batchCap < capBefore && batchCap > 1) return inParts(calls, signal);
      const alone = await singles(calls, signal).catch(error => {
        throw refused ?? error;
      });
      batchCap = 1;
      log.info(`The node of ${selector} (${host}) takes no batches: calls are sent one by one.`);
      return alone;
    }
    const whole = answers;
    return mapConcurrently(calls, AT_ONCE, async (call, index) => {
      const answer = whole[index] ?? null;
      const again = answer === null || (answer.refusal !== undefined && mayWorkAlone(answer));
      return again ? single(call, signal) : learn(call.method, answer);
    });
  }

  async function inParts(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<RpcResponse[]> {
    if (batchCap === 1) return singles(calls, signal);
    const parts: (readonly RpcCall[])[] = [];
    const size = calls.length <= 2 * GOOD_PART ? calls.length : Math.max(GOOD_PART, Math.ceil(calls.length / AT_ONCE));
    const part = Math.min(size, batchCap);
    for (let at = 0; at < calls.length; at += part) parts.push(calls.slice(at, at + part));
    return (await mapConcurrently(parts, AT_ONCE, part => batchOrSingles(part, signal))).flat();
  }

  const ask: RpcClient['send'] = async (method, params, signal) => {
    ready(signal);
    return single({ method, params }, signal);
  };
  return {
    host,
    isLoopback: loopback,
    faults,
    isAvailable: has,
    send: ask,
    async request(method, params, signal) {
      const answer = await ask(method, params, signal);
      if (answer.refusal !== undefined) throw faults.fromRpcError(method, answer.refusal);
      return answer.result;
    },
    async sendAll(calls, signal) {
      ready(signal);
      return calls.length === 0 ? [] : inParts(calls, signal);
    },
    reset() {
      missingSince.clear();
      batchCap = FIRST_BATCH_CAP;
    },
    invalidResponse: (method, why, options) =>
      faults.invalidResponse(`gave an answer to ${method} that cannot be true: ${why}`, options),
  };
}

/** Refused inside a batch for the batch's sake: asked too much at once, or the batch's answer grew too long. */
function mayWorkAlone(answer: RpcResponse): boolean {
  const { refusal } = answer;
  return refusal !== undefined && (isRateLimitError(refusal) || /batch|response too large/i.test(refusal.message));
}

function labelOf(calls: readonly RpcCall[]): string {
  const names = [...new Set(calls.map(call => call.method))];
  return `${names.slice(0, 3).join(' + ')}${names.length > 3 ? ' + …' : ''} (batch of ${calls.length})`;
}

/** Runs `work` for every item, at most `limit` at a time; the first failure stops what has not begun. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let failed = false;
  const runner = async () => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runner));
  return results;
}
