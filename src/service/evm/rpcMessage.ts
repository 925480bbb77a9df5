// JSON-RPC 2.0 messages: what is sent, what an answer means, and what a node's words of refusal mean.

import { type LocalizableText, localizable } from '../../base/localize.ts';
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An error object that a node gave in answer to one call. The message is the node's own, so hostile text. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** A node's answer to one call: exactly one of the two is there; a result may be `null`. */
export type RpcResponse =
  | { readonly result: unknown; readonly refusal?: undefined }
  | { readonly refusal: RpcError; readonly result?: undefined };

export function toRpcRequest(call: RpcCall, id: number): Readonly<Record<string, unknown>> {
  return { jsonrpc: '2.0', id, method: call.method, params: call.params };
}

/** A body that is no JSON-RPC answer: `problem` continues the sentence "The node …". */
export interface MalformedResponse {
  readonly problem: LocalizableText;
}

/** The JSON value of a body, or what is wrong with it. */
export function parseJsonBody(text: string): { readonly value: unknown } | MalformedResponse {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const start = text.trimStart();
    if (start === '') return { problem: localizable('answered with nothing') };
    if (start.startsWith('<')) return { problem: localizable('answered with an HTML page, not JSON-RPC') };
    if (start.startsWith('{') || start.startsWith('['))
      return { problem: localizable('broke off in the middle of its answer') };
    return { problem: localizable('answered with something that is not JSON') };
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Some nodes send ids back as text. */
const sameId = (got: unknown, id: number): boolean => got === id || got === String(id);

function refusalOf(error: unknown): RpcError {
  if (!isObject(error)) return { code: 0, message: typeof error === 'string' ? error : '', data: undefined };
  const { code, message, data } = error;
  return {
    code: typeof code === 'number' ? code : Number(code) || 0,
    message: typeof message === 'string' ? message : '',
    data,
  };
}

/** The answer in one message, whatever its id; `null` when it has neither result nor error. */
function answerOf(message: Readonly<Record<string, unknown>>): RpcResponse | null {
  const { error } = message;
  if (error !== undefined && error !== null) return { refusal: refusalOf(error) };
  return Object.hasOwn(message, 'result') ? { result: message['result'] } : null;
}

/** The answer to a single call. An error may come without an id: the node could not read it. */
export function parseSingleResponse(value: unknown, id: number): RpcResponse | MalformedResponse {
  if (!isObject(value)) return { problem: localizable('answered with JSON that is not JSON-RPC') };
  const answer = answerOf(value);
  if (answer === null) return { problem: localizable('answered with neither a result nor an error') };
  if (sameId(value['id'], id)) return answer;
  const nameless = value['id'] === undefined || value['id'] === null;
  if (nameless && answer.refusal !== undefined) return answer;
  return { problem: localizable('answered another call than the one it was asked (wrong id)') };
}

/** A batch's answers in the order of the ids, `null` where one is missing; or one refusal of the whole batch. */
export type BatchResponse =
  | { readonly answers: readonly (RpcResponse | null)[] }
  | { readonly refusedWhole: RpcError }
  | MalformedResponse;

export function parseBatchResponse(value: unknown, firstId: number, size: number): BatchResponse {
  if (!Array.isArray(value)) {
    if (!isObject(value)) return { problem: localizable('answered with JSON that is not JSON-RPC') };
    const answer = answerOf(value);
    return answer?.refusal === undefined
      ? {
          refusedWhole: {
            code: -32600,
            message: 'batch not supported: one answer came for many calls',
            data: undefined,
          },
        }
      : { refusedWhole: answer.refusal };
  }
  const answers: (RpcResponse | null)[] = new Array(size).fill(null);
  for (const message of value as readonly unknown[]) {
    const answer = isObject(message) ? answerOf(message) : null;
    if (!isObject(message) || answer === null)
      return { problem: localizable('answered with neither a result nor an error') };
    const id = message['id'];
    if ((id === undefined || id === null) && answer.refusal !== undefined && value.length === 1)
      return { refusedWhole: answer.refusal };
    const index = Number(id) - firstId;
    if (!Number.isInteger(index) || index < 0 || index >= size || !sameId(id, firstId + index))
      return { problem: localizable('answered other calls than those it was asked (wrong id)') };
    if (answers[index] !== null) return { problem: localizable('answered one call twice') };
    answers[index] = answer;
  }
  return { answers };
}

const MISSING_METHOD =
  /method[^.]{0,80}\b(not (found|supported|available|allowed|enabled|implemented|exist|whitelisted)|does not exist|is (unsupported|disabled|restricted))|unsupported method|unknown method|not (whitelisted|available) (on|for|in|with) /i;

/** The words are a contract's, not the node's: anything may stand there. */
const isRevert = ({ code, message }: RpcError) => code === 3 || /revert/i.test(message);

/** Whether the node does not have (or does not sell) the method at all, as opposed to disliking this call of it. */
export function isMethodNotFound(refusal: RpcError): boolean {
  // -32601 by the standard; -32004 EIP-1474 "method not supported" (Hardhat); ganache says it in words under -32700.
  if (refusal.code === -32601 || refusal.code === -32004) return true;
  return MISSING_METHOD.test(refusal.message) && !isRevert(refusal);
}

const RATE_LIMIT =
  /rate.?limit|too many requests|requests? (per|limit|rate)|(per|\/) ?sec|compute units|throughput|capacity|throttl|daily request|quota|no backend is currently healthy/i;
const NOT_RATE = /block range|returned more than|results|batch/i;

/** Whether the node refuses for now only. -32005 alone does not tell: Infura also says "too many results" with it. */
export function isRateLimitError(refusal: RpcError): boolean {
  if (refusal.code === 429) return true;
  return RATE_LIMIT.test(refusal.message) && !NOT_RATE.test(refusal.message) && !isRevert(refusal);
}

/** What a node's refusal of a whole batch means for the next one: how many calls it takes, where it says so. */
export function parseBatchLimit(refusal: RpcError, size: number): number | null {
  const { message } = refusal;
  if (!/batch/i.test(message)) return null;
  const cap = /\b(\d{1,5})\b/.exec(message.replace(/-\d+/g, ''))?.[1];
  if (cap !== undefined && Number(cap) > 0 && Number(cap) < size) return Number(cap);
  return /large|limit|exceed|many|max|size|length/i.test(message) ? Math.max(1, Math.floor(size / 2)) : 1;
}

/** Text of a node, fit for a message: one line, printable, short. */
export function toPrintable(text: string, length = 200): string {
  const clean = text
    .replace(/[^\x20-\x7e]+/g, ' ')
    // A node behind a gateway may repeat the URL it was called by, and with it the key.
    .replace(/\b(https?|wss?):\/\/\S+/gi, '(url)')
    .replace(/ {2,}/g, ' ')
    .trim();
  return clean.length > length ? `${clean.slice(0, length - 3)}...` : clean;
}
