// What a node's refusal of `eth_getLogs` says about how much it gives at once, in the words of many providers.
import type { RpcError } from './rpcMessage.ts';

export interface LogLimit {
  /** `range`: too many blocks, whatever is in them. `results`: too many logs, or too long an answer or a search. */
  readonly kind: 'range' | 'results';
  /** How many blocks to ask for, where the refusal says it. */
  readonly blocks: number | null;
}

/** A range that the node itself proposes: only its length is of use, for we go from the newest block down. */
const PROPOSED = [
  /\[\s*(0x[0-9a-f]+|\d+)\s*[,-]\s*(0x[0-9a-f]+|\d+)\s*\]/i,
  /range:?\s+(0x[0-9a-f]+|\d+)\s*(?:-|to)\s*(0x[0-9a-f]+|\d+)/i,
];

const NUMBER = String.raw`(\d[\d,._]*)\s?(k|m|million|thousand)?`;

/** Where a number of blocks stands in a refusal; the first that fits wins, so the surest come first. */
const BLOCKS = [
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
  /(block|query|log)s?[- ]?range|range( of blocks)?( is)? (too|limit|exceed)|max(imum)? range|range is too|limited to|too many blocks|at most \d|requested blocks|max(imum)? is|blocks? (limit|per request)|exceeds? (the )?(max|range|block)|exceed maximum|smaller than size|\d+k? blocks?|too wide|range allowed|blocks distance/i;

const FACTORS: Readonly<Record<string, number>> = { k: 1_000, thousand: 1_000, m: 1_000_000, million: 1_000_000 };

function proposedLength(text: string): number | null {
  for (const pattern of PROPOSED) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const length = Number(match[2]) - Number(match[1]) + 1;
    if (Number.isSafeInteger(length) && length > 0) return length;
  }
  return null;
}

function namedBlocks(text: string): number | null {
  for (const pattern of BLOCKS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const number = Number((match[1] ?? '').replace(/[,._]/g, '')) * (FACTORS[(match[2] ?? '').toLowerCase()] ?? 1);
    if (Number.isSafeInteger(number) && number > 0) return number;
  }
  return null;
}

function wordsOf(refusal: RpcError): string {
  const { data, message } = refusal;
  const more = typeof data === 'string' ? data : ((data ?? {}) as { readonly message?: unknown }).message;
  return typeof more === 'string' ? `${message} ${more}` : message;
}

/** `null` when the refusal is about something else: asking for less would not help. */
export function parseLogLimit(refusal: RpcError): LogLimit | null {
  const text = wordsOf(refusal);
  const proposed = proposedLength(text);
  const results = ABOUT_RESULTS.test(text);
  const range = ABOUT_RANGE.test(text);
  if (proposed !== null && (results || range)) return { kind: 'results', blocks: proposed };
  // "up to a 2K block range …, or any range with at most 10K logs": too many logs, but a range that always works.
  if (results)
    return { kind: 'results', blocks: /up to (a |an )?[\d,]+ ?k?[- ]?block/i.test(text) ? namedBlocks(text) : null };
  return range ? { kind: 'range', blocks: namedBlocks(text) } : null;
}
