// Tells whether a document or log tells of transactions and, far around a literal, of no account, key or what acts with one: a
// sentence about a transaction in it needs no known form.
import { findChainIdByWord } from '../api/chainNames.ts';
import { CODE_FILE, PROSE_FILE } from './amongTransactions.ts';
import { isAccountFile } from './hashNames.ts';
import { MIN_WRAPPED } from './hashSentence.ts';
import { NEGATION } from './hintWords.ts';
import { findLogTagEnd } from './labels.ts';
import { HEX, isRemarkedAccount, UNRELATED } from './owners.ts';
import { hasPlainTail, isInstruction, isOfOther, isOnlyOfTransaction } from './phrases.ts';
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isAttacker, mentionsAccount, WARNING } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';
import { TextCache } from './textCache.ts';

/** A text is read in parts of this length: the one of a literal, and those beside it. */
const PART_LENGTH = 3_000;
/** Who acts may be named further away than this; a key may not. */
const NEAR = 800;
/** A longer line is data. */
const MAX_LINE_LENGTH = 400;

/** What texts about transactions on a chain have: links to them, numbers of blocks or of gas, outcomes, contracts. */
const EVIDENCE =
  /\/(?:tx|block)\/0x[\da-f]{64}|\b(?:tx|txn|transaction|block)[ _-]?(?:hash|id)[^\w\n]{1,12}0x[\da-f]{64}|\b(?:blocks?|head)(?:[ _-]?number)?[\s:#=]{1,3}#?\d[\d,_]{2}|\bgas(?:[ _-]?used)?\W{1,3}\d|\d gas\b|\b(?:mined|revert(?:ed|s)?|confirmed|confirmations?|finali[sz]ed|reorg(?:ed)?|receipts?|mempool|calldata|multicalls?|reentran\w{2,3}|exploit(?:ed)?|l[12]|erc-?\d{2,5})\b|\b(?:ether|bsc|polygon|base|arbi|snow|op|optimism|linea|gnosis)scan\b|\b(?:blockscout|tenderly|phalcon)\b|\b\w{0,24}(?:vault|token|factory|router|proxy|registry|pool|bridge|market|strategy|governor)(?: contract)?[`"'*|:,\s]{1,8}0x[\da-f]{40}\b|\bdeployed (?:to|at|contracts)\b|\bcontracts?(?: address(?:es)?)?\b/i;

/** In the sentence of the literal: a transaction or block, and what happens in one. */
const NOUN = /\b(?:tx|txn|txs|transactions?|blocks?|head)\b/i;
const EVENT =
  /\b(?:swaps?|mints?|burns?|transfers?|withdrawals?|deposits?|claims?|exploit|attack|drain|approv(?:e|al)|upgrade|deploy(?:ment)?|replay|traces?|multicalls?|prove|events?|receipts?|proposal|rebalance|harvest|liquidation)\b/i;
/** These happen on a chain only. */
const DID =
  /\b(?:mined|reverted|minted|burned|bridged|swapped|liquidated|deposited|withdr(?:awn|ew)|repaid|borrowed|emitted|drained|reorged|orphaned|unconfirmed|underpriced|harvested|rebalanced|(?:un)?paused|upgraded)\b/i;
/** These to anything, and to transactions. */
const BECAME =
  /\b(?:confirm(?:ed|s)|failed|fails|failing|succeeded|broadcast(?:ed)?|included|dropped|stuck|pending|finali[sz]ed|landed|executed|emits|reverts|drains|deploy(?:ed|s)|transferred|claimed|exploited|replay(?:ed|s)|decod(?:ed|es|ing)|traced|sent|submitted|queued|settled|approved|initiated|proven|rejected|evicted|replaced|retried|processed|indexed)\b/i;
const HAPPENED = new RegExp([DID, BECAME, EVENT].map(({ source }) => source).join('|'), 'i');
/** What the literal itself is called, or what is done with it: no transaction. */
const OTHER = wordSet(
  'who whom whose using via use uses used need needs paste enter export load import unlock print prints mine seed session salt trapdoor nullifier blinding pin otp token passcode pepper witness share psk drip runner controls holds owns create make made makes take put ask login code own stdin argv args usage derive derives derived vector',
);
/** The last word before the literal or of the sentence: `sent with 0x…`, `the one I sent it from`. */
const LAST = wordSet('with by as from for of to at via my our the an and or');
const EXAMPLE = /\b(?:such as|for example,?|e\.?g\.?,?|tested with) [`"'(]{0,2}$/i;
/** `by 0xaddress` */
const BY_ADDRESS = /\b(?:from|to|by|for) [`"'(]{0,2}0x[\da-f]{40}\b/gi;
/** An option, an argument, a field or a setting is none of a sentence. */
const OF_CODE =
  /(?:^|\s)--?\w[\w-]{0,40}[\s=]["']?$|[\w$]\(["'`]?$|["'\]]\s?[:=]\s?["'`]?$|^[^\p{L}]{0,20}(?:export )?[\w.-]{1,60}\s?=\s?["'`]?$|[\\${}]|;\s*$/u;
/** The mark of a comment. */
const COMMENT = /^(?:.*[\s;,])?(?:\/\/+!?|#|--|\/?\*+)\s+/;
/** `ana: swapped 0x…` in a chat, unlike `INFO: sent 0x…` */
const OF_AUTHOR =
  /^(?:\[[^\]\n]{1,30}\] ?)?<?(?!INFO|DEBUG|WARN|ERROR|LOG)[A-Za-z][\w.-]{0,20}[>:]\*{0,2} \w{1,20} [`"']?$/;
const COMMAND = /^\s{0,8}(?:[$%] |>>> )/;
const END_OF_SENTENCE = /[.!?;]\s/;

/** What such texts have without an account that acts. */
const IN_TEXTS = wordSet('from broadcast imported created validator argument');

interface Line {
  readonly start: number;
  /** It names an account or a key, or only who may act. */
  readonly forbids: boolean;
  readonly forbidsNear: boolean;
  /** It tells of transactions on a chain. */
  readonly isEvidence: boolean;
}

/** The lines of the parts of a text that forbid or prove anything. */
const cachedParts = new TextCache(Number.POSITIVE_INFINITY, () => new Map<number, readonly Line[]>());

function readPart(text: string, index: number): readonly Line[] {
  const known = cachedParts.get(text, 0).get(index);
  if (known !== undefined) return known;
  const from = index * PART_LENGTH;
  const lines: Line[] = [];
  let start = findLineStart(text, from, Math.max(0, from - MAX_LINE_LENGTH));
  for (const line of text.slice(start, from + PART_LENGTH + MAX_LINE_LENGTH).split('\n')) {
    const isEvidence = EVIDENCE.test(line);
    const rest = line.replace(HEX, ' ').replace(UNRELATED, ' ');
    const words = splitWords(rest).filter(word => !IN_TEXTS.has(word) && !isAttacker(word));
    const forbids = mentionsAccount(words, false) || WARNING.test(rest);
    const forbidsNear = forbids || isAccountName(words);
    if (forbidsNear || isEvidence) lines.push({ start, forbids, forbidsNear, isEvidence });
    start += line.length + 1;
  }
  cachedParts.get(text, 0).set(index, lines);
  return lines;
}

/**
 * Whether the sentence of a literal in a document, a log or a comment tells of a transaction, the text around it tells of transactions
 * too, and nothing there of accounts and keys.
 */
export function isInTextOfTransactions(text: string, scanned: ScannedLiteral, fileName = ''): boolean {
  const isProse = PROSE_FILE.test(fileName);
  if (!(isProse || CODE_FILE.test(fileName)) || isAccountFile(fileName)) return false;
  const { start, end } = scanned;
  const lineStart = findLineStart(text, start, Math.max(0, start - MAX_LINE_LENGTH));
  const own = text.slice(lineStart, start);
  // A longer line is data.
  if ((lineStart > 0 && text[lineStart - 1] !== '\n') || !(isProse || COMMENT.test(own))) return false;
  const line = isProse ? own : own.replace(COMMENT, '');
  if (OF_CODE.test(line) || COMMAND.test(line) || OF_AUTHOR.test(line)) return false;
  const above = readLineAbove(text, lineStart);
  const sentence = isProse ? above : above.replace(COMMENT, '');
  const isWrapped = isProse ? above.length >= MIN_WRAPPED : COMMENT.test(above) && !/[.:;]\s*$/.test(above);
  const whole = !/\p{L}/u.test(line) && isWrapped ? `${sentence} ${line.replace(/^[\s>#*/-]+/, '')}` : line;
  const before = whole.slice(findLogTagEnd(whole)).split(END_OF_SENTENCE).at(-1) ?? '';
  const after =
    text
      .slice(end, end + MAX_LINE_LENGTH)
      .split('\n', 1)[0]
      ?.split(END_OF_SENTENCE, 1)[0] ?? '';
  if (!isOfTransaction(before, after) || isRemarkedAccount(text, scanned)) return false;
  if (!new Phrase(before, after, above).tellsOfTransaction()) return false;
  const lines = readAround(text, start);
  const forbids = (other: Line) => (Math.abs(other.start - lineStart) < NEAR ? other.forbidsNear : other.forbids);
  if (lines.some(forbids)) return false;
  // A comment is about its code.
  return (!isProse && NOUN.test(before)) || lines.some(other => other.isEvidence && other.start !== lineStart);
}

const readLineAbove = (text: string, lineStart: number): string =>
  lineStart === 0 ? '' : text.slice(findLineStart(text, lineStart - 1, lineStart - MAX_LINE_LENGTH), lineStart - 1);

/** The lines of the part that a literal is in, of those beside it and of the first one, which has the title. */
const readAround = (text: string, start: number): readonly Line[] => {
  const index = Math.floor(start / PART_LENGTH);
  const parts = new Set([0, index - 1, index, index + 1].filter(at => at >= 0 && at * PART_LENGTH < text.length));
  return [...parts].flatMap(part => readPart(text, part));
};

/** Whether the sentence of a literal tells neither of accounts nor of what is done with a key, nor a remark behind it. */
function isOfTransaction(before: string, after: string): boolean {
  const words = splitWords(removeLiterals(`${before} ${after}`));
  const names = words.filter(word => !/^(?:from|broadcast)$/.test(word) && !isAttacker(word));
  if (words.some(word => OTHER.has(word)) || isAccountName(names)) return false;
  // `the one that I sent it from`
  if (/^(?:with|by|as|from|for|via)$/.test(splitWords(removeLiterals(after)).at(-1) ?? '')) return false;
  const remark = REMARK.exec(after)?.[1];
  return remark === undefined || isPlain(remark);
}

/** What is before a literal, since the last comma, colon or bracket with a word before it. */
class Phrase {
  readonly #before: string;
  readonly #after: string;
  readonly #above: string;
  /** Without tags of a log. */
  readonly #own: string;
  readonly #words: readonly string[];
  readonly #hasEarlier: boolean;
  /** Nothing is between it and the literal. */
  readonly #isLast: boolean;

  constructor(before: string, after: string, above: string) {
    [this.#before, this.#after, this.#above] = [before, after, above];
    const parts = removeLiterals(before).split(BREAK);
    const at = parts.findLastIndex(part => /\p{L}/u.test(part));
    this.#own = (parts[at] ?? '')
      .replace(TAGS, '')
      .replace(/ with hash\s*$/i, '')
      .trimEnd();
    this.#words = splitWords(this.#own);
    this.#isLast = at === parts.length - 1;
    this.#hasEarlier = at > 0 && /[\p{L}\d]/u.test(parts[at - 1] ?? '');
  }

  tellsOfTransaction(): boolean {
    const [own, words] = [this.#own, this.#words];
    if (own === '') return WAS.test(this.#after);
    if (words.some(word => NEGATION.has(word)) || isInstruction(words, false)) return false;
    if (isOfOther(words, this.#before, '', false)) return false;
    // `block 12 hash=`
    const named = words.at(-1) === 'hash' && NOUN.test(words.at(-2) ?? '') ? words.slice(0, -1) : words;
    const [last = '', previous = ''] = [...named].reverse();
    if (NOUN.test(last))
      return previous === '' ? this.#isNamedElsewhere() : isPlain(previous) || OF_EVENT.test(previous);
    if ((!this.#isLast && /,\s[`"'*]{0,3}$/.test(this.#before)) || words.includes('by')) return false;
    return this.#tellsEvent(last, previous) || this.#isPlainPhrase(last);
  }

  /** A bare `tx` is also called so where a contract with its address, or other words, are before it, or its block is named. */
  #isNamedElsewhere(): boolean {
    return this.#hasEarlier || AT_CONTRACT.test(this.#above) || /\bblock #?\d/.test(`${this.#own} ${this.#after}`);
  }

  /** What happened in a transaction is named, or the contract that it created. */
  #tellsEvent(last: string, previous: string): boolean {
    const [own, before] = [this.#own, this.#before];
    if (AT_CONTRACT.test(before) || DID.test(last) || WAS.test(this.#after)) return true;
    if (OF_NUMBER.test(own) || ORDINAL.test(own)) return true;
    // `fixed the trace of 0x… on Base`
    const chain = /^[`"'*)]{0,3} on (\w+)/i.exec(this.#after)?.[1]?.toLowerCase() ?? '';
    if (TOPIC.test(own) && findChainIdByWord(chain) !== null) return true;
    if (last === 'in') return HAPPENED.test(previous) || / 0x[\da-f]{40}[`"')]* in [`"'(]*$/i.test(before);
    const isInBrackets = !this.#isLast && /\([`"'*]{0,3}$/.test(before);
    return isInBrackets && (DID.test(own) || (BECAME.test(own) && OF_CONTRACT.test(own)));
  }

  /** All words are of transactions: `deposit initiated on L1`, `sent`, unlike `registration submitted`. */
  #isPlainPhrase(last: string): boolean {
    const own = this.#own;
    const sentence = removeLiterals(`${this.#before} ${this.#after}`);
    if (EXAMPLE.test(this.#before)) return NOUN.test(sentence) || HAPPENED.test(sentence);
    if (LAST.has(last) || !isPlain(own) || !hasPlainTail(own)) return false;
    const isLabel = /:\s/.test(this.#before);
    return NOUN.test(own) || (BECAME.test(own) && (!isLabel || EVENT.test(own)));
  }
}

/** What a log puts before its text. */
const TAGS = /^.*\]\s/;
/** `Vault: 0xaddress` */
const AT_CONTRACT =
  /\b\w{0,24}(?:contract|vault|token|factory|router|proxy|registry|pool|bridge|market|strategy|governor)(?: v\d)?[`"'*|:,\s]{1,12}0x[\da-f]{40}[`"'*|:,\s(–—-]{0,8}$/i;
/** What a text says of a transaction on a chain: `fixed the trace of 0x… on Base`. */
const TOPIC = /\b(?:fix(?:es|ed)?|traces?|fees?|gas|decod\w{1,5}|receipts?|logs|see|replay\w{0,3})\b/i;
/** `the first WETH deposit` */
const ORDINAL = new RegExp(
  String.raw`\b(?:first|last|second|third|failed|original|same) (?:\w{1,12} )?${EVENT.source}$`,
  'i',
);
/** Before a noun: `settlement tx`, `indexing block`, `in block` */
const OF_EVENT = /(?:ing|ed|ment|[ts]ion|[wv]al)$|^(?:in|at|to|on|since|until)$/;
/** `payout 91 submitted` */
const OF_NUMBER =
  /\b(?:pay(?:out|ment)|deposit|withdrawal|message|batch|bundle|transfer|order|job|proposal|swap|claim|mint|nonce) #?\d{1,9} (?:was )?(?:submitted|confirmed|sent|broadcast|failed)$|\bblock #?\d[\d,_]{2,12}\s*[`"']?$/i;
/** `0x… was not mined`, `0x… (confirmed)` */
const WAS =
  /^[`"'*)]{0,3} (?:\(|[–—-]{1,2} )?(?:(?:is|was|has|had|been|got|not|never|still|already) ){0,3}(?:mined|confirmed|reverted|dropped|included|failed|orphaned|pending|stuck|replaced)\b(?! (?:blocks?|by|the|an?)\b)/i;
const OF_CONTRACT =
  /\b(?:contracts?|vaults?|tokens?|factory|router|proxy|registry|pools?|bridge|markets?|strategy|governor)\b/i;
const removeLiterals = (part: string): string => part.replace(BY_ADDRESS, ' ').replace(HEX, ' ');
/** What ends a phrase. */
const BREAK = /[,;:：(—–|]\s?|\s-\s/;
const REMARK = /^[`"'*)]{0,3}\s{1,8}(?:\(|-{1,2}\s|[–—]|#|\/\/|<-|←)\s?([^\n]{1,80})/;
const ALL_HAPPENED = new RegExp(HAPPENED.source, 'gi');
const isPlain = (phrase: string): boolean =>
  isOnlyOfTransaction(phrase.replace(ALL_HAPPENED, ' ').replace(/\b(?:nonce|index|gas|attempt)\b/gi, ' '));
