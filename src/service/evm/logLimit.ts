// Limits of `eth_getLogs` as nodes and providers write them in their error messages.
import { isFault, toFault } from '../../base/errors.ts';
import { isMethodNotFound, type RpcError, saysNotFound } from './rpcMessage.ts';

export interface LogLimit {
  /**
   * `range`: too many blocks, whatever is in them. `results`: too many logs, or a response or search that is too long. `time`:
   * the node, or a gateway before it, gave up without a word. `unsaid`: "limit exceeded" and no more, which nodes without
   * `eth_getLogs` say of one block too.
   */
  readonly kind: 'range' | 'results' | 'time' | 'unsaid';
  /** How many blocks to request, where the message names a number. */
  readonly blocks: number | null;
}

/** Ranges in a row that may take too long, each a quarter of the one before: then the node does not respond at all. */
const MAX_SLOW_RANGES = 3;

/** A range that the node proposes: only its length is used, as scans go from the newest block down. */
const PROPOSED_RANGES = [
  /\[\s*(0x[0-9a-f]+|\d+)\s*[,-]\s*(0x[0-9a-f]+|\d+)\s*\]/i,
  /range:?\s+(0x[0-9a-f]+|\d+)\s*(?:-|to)\s*(0x[0-9a-f]+|\d+)/i,
];

const NUMBER = String.raw`(\d[\d,._]{0,30})\s?(k|m|million|thousand)?`;

/** Where a message names a number of blocks; the first match counts, so the surest patterns come first. */
const BLOCK_COUNTS = [
  `\\(\\d+ ?> ?${NUMBER}\\)`,
  `distance: ${NUMBER}`,
  `up to (?:a |an )?${NUMBER}[- ]?blocks?`,
  `limited to (?:a |an )?${NUMBER}`,
  `(?:gap|distance|difference) between [^\\d]{0,60}${NUMBER}`,
  `at most ${NUMBER}`,
  `maximum is (?:set to )?${NUMBER}`,
  `max(?:imum)?(?: allowed)?(?: number of)?(?: requested)?(?: block)?s?(?: range)?s?(?: is| of|:|=)? ?\\(?${NUMBER}`,
  `(?:less|smaller|fewer|lower) than (?:or equal to )?(?:size )?${NUMBER}`,
  `(?:greater|more|larger|bigger|wider) than ${NUMBER} ?(?:blocks?|max)`,
  `(?:exceeds?|exceeded|over|above)(?: the)?(?: limit)?(?: of)?:? ${NUMBER}`,
  `limit(?: is| of|:)? ${NUMBER}`,
  `${NUMBER}[- ]?blocks? (?:range|limit|max)`,
  `: ${NUMBER}(?: blocks?)?\\.?$`,
].map(source => new RegExp(source, 'i'));

const ABOUT_RESULTS =
  /returned more than|max(imum)? (number of )?(results|logs)|too many (logs|results|events)|logs matched|more than [\d,_]+ (logs|results)|(response|result|payload)s?( set)?( body)?( size)?( is)? (too large|too big|larger|should not|exceed)|response (size|too large)|size (limit )?exceed|exceeds? (the )?(size|response)|query time|query set|timed? ?out|deadline exceeded|took too long|number of (logs|results)/i;

const ABOUT_RANGE =
  /(block|query|log)s?[- ]?range|range( of blocks)?( is)? (too|limit|exceed)|max(imum)? range|range is too|limited to|too many blocks|gap between|range between .{0,60}(too|exceed)|at most \d|requested blocks|max(imum)? is|blocks? (limit|per request)|exceeds? (the )?(max|range|block)|exceed maximum|smaller than size|(?<!\d)\d+k? blocks?|too wide|range allowed|blocks distance/i;

const UNSAID =
  /^\W{0,5}(?:\w{1,20}:? ){0,3}(?:limit (?:is )?exceeded|exceed(?:s|ed)? (?:the |defined )?limit)\W{0,5}$/i;

/** What nodes write of a range that begins or ends above their head: Geth, Reth, Avalanche, Erigon, Anvil. */
const ABOVE_HEAD =
  /\b(?:beyond|above|after|ahead of|greater than|higher than|less than|exceeds)\b.{0,30}\b(?:head|latest|last accepted|highest|tip|current (?:block|head|height))\b|invalid block range|block ?out ?of ?range|\bblocks? .{0,80}\b(?:cannot|can not|could not) be found/i;
const NAMES_LIMIT = /\bmax(imum)?\b|limit|too (large|wide|big|long|many)/i;

const FACTORS: Readonly<Record<string, number>> = { k: 1_000, thousand: 1_000, m: 1_000_000, million: 1_000_000 };

function parseProposedLength(text: string): number | null {
  for (const pattern of PROPOSED_RANGES) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const length = Number(match[2]) - Number(match[1]) + 1;
    if (Number.isSafeInteger(length) && length > 0) return length;
  }
  return null;
}

function parseBlockCount(text: string): number | null {
  for (const pattern of BLOCK_COUNTS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const number = Number((match[1] ?? '').replace(/[,._]/g, '')) * (FACTORS[(match[2] ?? '').toLowerCase()] ?? 1);
    if (Number.isSafeInteger(number) && number > 0) return number;
  }
  return null;
}

function getErrorText(error: RpcError): string {
  const { data, message } = error;
  const details = typeof data === 'string' ? data : ((data ?? {}) as { readonly message?: unknown }).message;
  return typeof details === 'string' ? `${message} ${details}` : message;
}

/** Whether the node does not have the end of the range yet: behind a load balancer, one is some blocks behind the others. */
export function isAboveHead(error: RpcError): boolean {
  const text = getErrorText(error);
  return !NAMES_LIMIT.test(text) && (ABOVE_HEAD.test(text) || saysNotFound(text));
}

/** Codes of Node.js and undici for a connection that was made and then closed by the other side. */
const CLOSED_CONNECTION = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** The limit that a failed request for logs met; `null` when it failed for another reason. */
export function getLimitOfFault(fault: unknown): LogLimit | null {
  if (isFault(fault, 'too-large')) return { kind: 'results', blocks: null };
  // A status or a page of HTML instead of JSON-RPC, or a gateway that closes the connection.
  const isCutOff =
    isFault(fault, 'node-timeout', 'node-answer') ||
    (isFault(fault, 'node-unreachable') && CLOSED_CONNECTION.test(toFault(fault).details ?? ''));
  return isCutOff ? { kind: 'time', blocks: null } : null;
}

/** A request for logs that met a limit without a response of the node. */
export interface FailedLogs {
  readonly limit: LogLimit;
  readonly fault: unknown;
}

/** Counts ranges that took too long. */
export class SlowRanges {
  #count = 0;

  /** Throws `fault` when a smaller range would not help either. */
  record({ kind }: LogLimit, fault: unknown): void {
    if (kind === 'time' && ++this.#count >= MAX_SLOW_RANGES) throw fault;
  }

  reset(): void {
    this.#count = 0;
  }
}

/** `null` when the error is about something else, so that a smaller request would fail too. */
export function parseLogLimit(error: RpcError): LogLimit | null {
  const text = getErrorText(error);
  if (isAboveHead(error)) return null;
  const proposedLength = parseProposedLength(text);
  const isAboutResults = ABOUT_RESULTS.test(text);
  const isAboutRange = ABOUT_RANGE.test(text);
  if (proposedLength !== null && (isAboutResults || isAboutRange)) return { kind: 'results', blocks: proposedLength };
  // "up to a 2K block range …, or any range with at most 10K logs": too many logs, but a range that always works.
  if (isAboutResults)
    return {
      kind: 'results',
      blocks: /up to (a |an )?[\d,]+ ?k?[- ]?block/i.test(text) ? parseBlockCount(text) : null,
    };
  if (isAboutRange) return { kind: 'range', blocks: parseBlockCount(text) };
  return UNSAID.test(text) || isMethodNotFound(error) ? { kind: 'unsaid', blocks: null } : null;
}
