// JSON-RPC 2.0 messages: requests, responses, and what the error messages of nodes mean.
import { type Hex, isHex } from '../../base/hex.ts';
import type { BodyBytes, HideKeys } from '../../base/httpPort.ts';
import { isObject } from '../../base/isObject.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import type { HostJson } from '../../base/parseHostJson.ts';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Reads the body of a response to this call alone, if it has a form that this takes; else `undefined`. */
  readonly readBody?: (body: BodyBytes) => JsonBody | undefined;
  /** Bytes that the response may have, or that to a batch with this call. A longer one rejects with `too-large`, and is not requested again. */
  readonly maxBytes?: number;
}

/** At the newest block. */
export const toEthCall = (to: string, data: string): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data }, 'latest'],
});

/** The error object of a response. The message is the node's text, so hostile. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** The response to one call: either a result, which may be `null`, or an error. */
export type RpcResponse =
  | { readonly result: unknown; readonly error?: undefined }
  | { readonly error: RpcError; readonly result?: undefined };

export function toRpcRequest(call: RpcCall, id: number): Readonly<Record<string, unknown>> {
  return { jsonrpc: '2.0', id, method: call.method, params: call.params };
}

/** A body that is not JSON-RPC: `problem` continues the sentence "The node …". */
export interface MalformedResponse {
  readonly problem: LocalizableText;
}

export type JsonBody = { readonly value: unknown } | MalformedResponse;

/** The JSON value of a response body, or what is wrong with it. */
export function toJsonBody(json: HostJson): JsonBody {
  if ('value' in json) return json;
  const start = json.invalid.trimStart();
  if (start === '') return { problem: localizable('answered with nothing') };
  if (start.startsWith('<')) return { problem: localizable('answered with an HTML page, not JSON-RPC') };
  if (start.startsWith('{') || start.startsWith('['))
    return { problem: localizable('broke off in the middle of its response') };
  return { problem: localizable('answered with something that is not JSON') };
}

/** Characters of an announced header, which has no transactions. */
const MAX_MESSAGE_TEXT_LENGTH = 64 * 1024;

/** The JSON value of what a node sends to a subscriber; `null` when it is something else. */
export function parseMessage(text: string): unknown {
  try {
    return text.length > MAX_MESSAGE_TEXT_LENGTH ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The data that an `eth_call` returned; `0x` when it reverted or the node sent no hex data. */
export const getReturnData = (response: RpcResponse | undefined): Hex =>
  isHex(response?.result) ? response.result : '0x';

/** Some nodes return ids as text. */
const isSameId = (received: unknown, id: number): boolean => received === id || received === String(id);

const hideNothing: HideKeys = text => text;
/** Characters of an error's message: patterns find out what it means, and take time for each. */
const MAX_MESSAGE_LENGTH = 2_000;
/** Before keys are removed: a key that is cut would not be found, so the cut must be behind what is left of them. */
const MAX_UNCUT_LENGTH = 64 * 1024;

const toMessage = (text: string, hideKeys: HideKeys): string =>
  hideKeys(text.slice(0, MAX_UNCUT_LENGTH)).slice(0, MAX_MESSAGE_LENGTH);

function toRpcError(error: unknown, hideKeys: HideKeys): RpcError {
  if (!isObject(error))
    return {
      code: 0,
      message: typeof error === 'string' ? toMessage(error, hideKeys) : '',
      data: undefined,
    };
  const { code, message, data } = error;
  return {
    code: typeof code === 'number' ? code : Number(code) || 0,
    message: typeof message === 'string' ? toMessage(message, hideKeys) : '',
    data,
  };
}

/** The response in one message, whatever its id; `null` when it has neither result nor error. */
function toRpcResponse(message: Readonly<Record<string, unknown>>, hideKeys: HideKeys): RpcResponse | null {
  const { error } = message;
  if (error !== undefined && error !== null) return { error: toRpcError(error, hideKeys) };
  return Object.hasOwn(message, 'result') ? { result: message['result'] } : null;
}

/** What a node sends by itself to a subscriber. */
export const isNotification = (value: unknown): value is { readonly params: { readonly result: unknown } } =>
  isObject(value) && value['method'] === 'eth_subscription' && isObject(value['params']);

/** The response to a single call. An error may come without an id: then the node could not read the request. */
export function parseSingleResponse(
  value: unknown,
  id: number,
  hideKeys = hideNothing,
): RpcResponse | MalformedResponse {
  if (!isObject(value)) return { problem: localizable('answered with JSON that is not JSON-RPC') };
  const response = toRpcResponse(value, hideKeys);
  if (response === null) return { problem: localizable('answered with neither a result nor an error') };
  if (isSameId(value['id'], id)) return response;
  const hasNoId = value['id'] === undefined || value['id'] === null;
  if (hasNoId && response.error !== undefined) return response;
  return { problem: localizable('answered another call than the one it was asked (wrong id)') };
}

/** A batch's responses in the order of the ids, `null` where one is missing; or one error for the whole batch. */
export type BatchResponse =
  | { readonly responses: readonly (RpcResponse | null)[]; readonly error?: undefined }
  | { readonly error: RpcError }
  | MalformedResponse;

export function parseBatchResponse(
  value: unknown,
  firstId: number,
  size: number,
  hideKeys = hideNothing,
): BatchResponse {
  if (!Array.isArray(value)) {
    if (!isObject(value)) return { problem: localizable('answered with JSON that is not JSON-RPC') };
    const response = toRpcResponse(value, hideKeys);
    return response?.error === undefined
      ? {
          error: {
            code: -32600,
            message: 'batch not supported: one response came for all calls',
            data: undefined,
          },
        }
      : { error: response.error };
  }
  const responses: (RpcResponse | null)[] = new Array(size).fill(null);
  const errors: RpcError[] = [];
  for (const message of value as readonly unknown[]) {
    const response = isObject(message) ? toRpcResponse(message, hideKeys) : null;
    if (!isObject(message) || response === null)
      return { problem: localizable('answered with neither a result nor an error') };
    const id = message['id'];
    if (response.error !== undefined) errors.push(response.error);
    if ((id === undefined || id === null) && response.error !== undefined && value.length === 1)
      return { error: response.error };
    const index = Number(id) - firstId;
    if (!Number.isInteger(index) || index < 0 || index >= size || !isSameId(id, firstId + index))
      return { problem: localizable('answered other calls than those it was asked (wrong id)') };
    if (responses[index] !== null) return { problem: localizable('answered one call twice') };
    responses[index] = response;
  }
  // Geth refuses a batch with an error that has the id of its first call, others with one for each call.
  const [error] = errors;
  if (error !== undefined && errors.length === value.length && errors.every(isAboutBatch)) return { error };
  return { responses };
}

const MISSING_METHOD =
  /method[^.]{0,80}\b(not (found|supported|available|allowed|enabled|implemented|exist|whitelisted)|does not exist|is (unsupported|disabled|restricted))|^.{0,20}\b[a-z]+_\w+ (is |has been |was )?(unsupported|disabled|not (supported|available|allowed|enabled|implemented))|does(?: not|n't) (?:support|offer|allow) [a-z]+_\w|unsupported method|unknown method|not (whitelisted|available) (on|for|in|with) /i;

/** The message comes from a contract, not from the node, and may say anything. */
export const isRevert = ({ code, message }: RpcError) => code === 3 || /revert/i.test(message);

/** Whether the node does not offer the method at all, as opposed to rejecting this one call of it. */
export function isMethodNotFound(error: RpcError): boolean {
  // -32601 by the standard; -32004 EIP-1474 "method not supported" (Hardhat); ganache says it in the message of -32700.
  if (error.code === -32601 || error.code === -32004) return true;
  return MISSING_METHOD.test(error.message) && !isRevert(error);
}

/** Methods that return `null` for what does not exist. */
const READS_BY_ID: readonly string[] = [
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
];

const THING = '(?:block|header|height|epoch|tipset|transaction|tx|receipt|hash|result)s?';
const ABSENT =
  "not (?:yet )?(?:been |be )?(?:found|exist|known|mined|produced|available)|(?:doesn|hasn|isn|wasn)'?t (?:been )?(?:exist|found|known|mined|produced|available)|in the future|too high|out ?of ?(?:range|bounds)";
const NEWEST = '(?:current|latest|head|chain|tip|highest|best|last|finali[sz]ed)';
const NOT_FOUND: readonly RegExp[] = [
  // Geth: "not found", "header for hash not found"; zkSync: "Block with such an ID doesn't exist yet".
  new RegExp(String.raw`^(?:resource )?not found\b|\b${THING}\b.{0,80}\b(?:${ABSENT})`, 'i'),
  // The Execution APIs: "Unknown block"; Filecoin: "requested a future epoch"; Cosmos: "could not find results for height #12".
  new RegExp(
    String.raw`\b(?:unknown|no such|missing|future|nonexistent|(?:could not|cannot|can't|unable to|failed to) find|does(?: not|n't) have)\b.{0,20}\b${THING}\b`,
    'i',
  ),
  new RegExp(String.raw`\bno ${THING} (?:was |were )?(?:found|exists?|with|for|at)\b`, 'i'),
  // Harmony: "requested block number greater than current block number"; Cosmos: "must be less than or equal to the current …".
  new RegExp(
    String.raw`\b(?:block|height|epoch|number)\b.{0,60}\b(?:(?:greater|higher|larger|bigger|newer) th[ae]n|beyond|above|ahead of|exceeds?|equal to)\b.{0,30}\b${NEWEST}\b`,
    'i',
  ),
  // Avalanche: "cannot query unfinalized data"; Filecoin: "requested epoch was a null round", "bad tipset height".
  /unfinalized data|null round|bad tipset/i,
];
/** The node had it once. */
const PRUNED = /prun|history|archiv|trie|state|method|old data|(?:lowest|earliest) (?:available )?(?:height|block)/i;

/**
 * Whether the error says that there is no such block, transaction or receipt, as other nodes say by `null`. The newest block
 * (`latest`) always exists: an error about it is one of the node.
 */
export function isNotFound({ method, params }: RpcCall, { code, message }: RpcError): boolean {
  if (!READS_BY_ID.includes(method) || !/^0x/.test(String(params[0]))) return false;
  // The code is that of the Execution APIs for an unknown block.
  return (code === -39001 && !PRUNED.test(message)) || saysNotFound(message);
}

export const saysNotFound = (message: string): boolean =>
  NOT_FOUND.some(text => text.test(message)) && !PRUNED.test(message);

const RATE_LIMIT =
  /rate.?limit|too many requests|requests? (per|limit|rate)|(per|\/) ?sec|compute units|throughput|capacity|throttl|daily request|quota|no backend is currently healthy/i;
const NOT_RATE_LIMIT = /block range|returned more than|results|batch/i;

/** Whether the error is temporary. The code -32005 alone does not tell: Infura also uses it for "too many results". */
export function isRateLimitError(error: RpcError): boolean {
  if (error.code === 429) return true;
  return RATE_LIMIT.test(error.message) && !NOT_RATE_LIMIT.test(error.message) && !isRevert(error);
}

/** Whether the error is about the batch that the call was in, not about the call. */
export const isAboutBatch = (error: RpcError): boolean => /batch/i.test(error.message) && !isRevert(error);

/** How many calls the node takes in one batch, by the error it gave for a whole one; `null` when it does not say so. */
export function parseBatchLimit(error: RpcError, size: number): number | null {
  if (!isAboutBatch(error)) return null;
  // reth names the limit in the data. Of several numbers one may be the size of the batch, or the version of a standard.
  const text =
    typeof error.data === 'string' ? `${error.message} ${error.data.slice(0, MAX_MESSAGE_LENGTH)}` : error.message;
  const limits = [...text.matchAll(/(?<![\d.-])\b\d{1,5}\b(?!\.\d)/g)]
    .map(([digits]) => Number(digits))
    .filter(limit => limit > 0 && limit < size);
  if (limits.length > 0) return Math.max(...limits);
  return /large|limit|exceed|many|max|size|length/i.test(text) ? null : 1;
}

/** Text of a node, fit for a message: one line, printable ASCII, short. */
export function toPrintable(text: string, length = 200): string {
  const clean = text
    .replace(/[^\x20-\x7e]+/g, ' ')
    // A node behind a gateway may repeat the URL of the request, and with it the API key.
    .replace(/\b(https?|wss?):\/\/\S+/gi, '(url)')
    .replace(/ {2,}/g, ' ')
    .trim();
  return clean.length > length ? `${clean.slice(0, length - 3)}...` : clean;
}
