// Limits of `eth_getLogs` as nodes and providers write them in their error messages.
import type { RpcError } from './rpcMessage.ts';

export interface LogLimit {
  /** `range`: too many blocks, whatever is in them. `results`: too many logs, or a response or search that is too long. */
  readonly kind: 'range' | 'results';
  /** How many blocks to request, where the message names a number. */
  readonly blocks: number | null;
}

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
  /returned more than|max(imum)? (number of )?(results|logs)|too many (logs|results|events)|logs matched|more than [\d,_]+ (logs|results)|(response|result|payload)s?( set)?( body)?( size)?( is)? (too large|too big|larger|should not|exceed)|response (size|too large)|size (limit )?exceed|exceeds? (the )?(size|response)|query time|timed? ?out|took too long|number of (logs|results)/i;

const ABOUT_RANGE =
  /(block|query|log)s?[- ]?range|range( of blocks)?( is)? (too|limit|exceed)|max(imum)? range|range is too|limited to|too many blocks|at most \d|requested blocks|max(imum)? is|blocks? (limit|per request)|exceeds? (the )?(max|range|block)|exceed maximum|smaller than size|(?<!\d)\d+k? blocks?|too wide|range allowed|blocks distance/i;

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

/** `null` when the error is about something else, so that a smaller request would fail too. */
export function parseLogLimit(error: RpcError): LogLimit | null {
  const text = getErrorText(error);
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
  return isAboutRange ? { kind: 'range', blocks: parseBlockCount(text) } : null;
}
