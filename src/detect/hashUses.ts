// Tells whether a text uses a value that is named like a hash for something else: `fund(txHash)`, `new Client(url, txHash)`.
import { findCloser, findElementStart } from './elements.ts';
import { hasPurpose } from './hashNames.ts';
import { findCallHint, findHashHint, isConversion, isHashName, isLookupVerb } from './hintWords.ts';
import type { Label } from './labels.ts';
import { COMPARING_CALLS, PRINTING_CALLS } from './nameWords.ts';
import { OUTCOME } from './phrases.ts';
import { findCalleeStart, findLineStart, findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, mentionsAccount } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';
import { TextCache } from './textCache.ts';

/** Longer texts are read in parts of this length. */
const PART_LENGTH = 500_000;
/** Arguments of a function are read as far as this. */
const REACH = 600;
const MAX_DEPTH = 4;
/** Of each name; more are those of fields. */
const MAX_USES = 60;
/** A value that was only converted, as in `const bytes = hexToBytes(txHash)`, is followed so often, and so far. */
const MAX_CONVERSIONS = 2;
const CONVERSION_REACH = 2_000;
const IDENTIFIER = /[A-Za-z_$][\w$]{0,80}/g;
/** In front of a name in the words of a label. */
const TYPE = /^(?:bytes|string|set|export|let|for|constant|public|internal|private|const|static|pub) /;

/** Words of functions that are about transactions, blocks and links to them. */
const OF_HASHES = wordSet(
  'receipt receipts hash hashes log logs event events trace explorer etherscan link url href uri scan mined confirmed confirmations confirm proof reorg fork orphan',
);
/** Verbs that only read, print, format or compare a value. */
const READS = wordSet(
  'parse explain decode analyze index process handle match matches validate verify ensure select where query filter count exists includes contains has in of starts ends encode json stringify dumps string format sprintf print f println short shorten truncate ellipsis ' +
    'copy lower upper case trim strip slice substring substr len length join concat replace append push add insert remove delete equal equals error nil true false throws panic fatal debug render display table template query quote escape',
);
/** What gets a value with others, whatever it does with them. */
const PLAIN = wordSet(
  'it test describe each parametrize if while for switch return catch await elif when until unless and or not foreach range typeof yield case throw require with use state memo effect all race resolve then some any every map array list vec tuple dict set args arg params param option some ok err box arc rc clone into path get post axios curl nock',
);
interface Names {
  /** Where the names of the text are, by their words. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly verdicts: Map<string, boolean>;
}

const names = new TextCache<Names>(PART_LENGTH, (text, from) => {
  const places = new Map<string, number[]>();
  for (const { 0: name, index } of text.slice(from, from + PART_LENGTH).matchAll(IDENTIFIER)) {
    if (!TELLS_HASH.test(name)) continue;
    const words = splitWords(name).join(' ');
    const known = places.get(words);
    if (known === undefined) places.set(words, [from + index]);
    else if (known.length < MAX_USES) known.push(from + index);
  }
  return { places, verdicts: new Map() };
});
const TELLS_HASH = /tx|transaction|hash|block|receipt|genesis/i;

/**
 * Whether a use of the name of a literal is not one of a hash: an argument of a function that neither looks anything up nor
 * compares, prints or converts it, under a name that is not that of a hash; or a value of an account.
 */
export function isUsedOtherwise(text: string, { start }: ScannedLiteral, label: Label): boolean {
  if (label.role !== 'name') return false;
  const { places, verdicts } = names.get(text, start);
  let name = label.words.join(' ');
  while (!places.has(name) && TYPE.test(name)) name = name.replace(TYPE, '');
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const isOther = (places.get(name) ?? []).some(at => new HashUse(text, at).isOther());
  verdicts.set(name, isOther);
  return isOther;
}

/** One use of a name; moves outwards through the brackets around it. */
class HashUse {
  readonly #text: string;
  readonly #conversions: number;
  #start: number;
  #end: number;

  constructor(text: string, start: number, conversions = 0) {
    this.#text = text;
    this.#start = text[start] === '$' ? start + 1 : start;
    this.#end = start + (/^[\w$]+/.exec(text.slice(start, start + 90))?.[0].length ?? 0);
    this.#conversions = conversions;
  }

  isOther(): boolean {
    const behind = this.#text.slice(this.#end, this.#end + 8);
    // Assigned, or the name of a field.
    if (/^["'`\])]{0,2}\s*(?:[:?+]?=(?![=>])|:\s?)/.test(behind)) return false;
    const line = this.#text.slice(findLineStart(this.#text, this.#start, 0), this.#start);
    if (this.#hasAddress(line)) return true;
    if (/^\s*(?:\/\/|#|\*|--|;|<!--)/.test(line)) return false;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const opener = findOpenerBefore(this.#text, this.#start, REACH);
      if (opener < 0) return this.#isArgumentOfProgram(line) || this.#isAssignedToOther(line);
      const verdict = this.#text[opener] === '(' ? this.#readCall(opener) : this.#readObject(opener, depth === 0);
      if (verdict !== null) return verdict;
      this.#end = this.#findCloser();
    }
    return false;
  }

  /** `const me = load(txHash)` above `me.address`, `const { address } = fromHex(txHash)` */
  #hasAddress(line: string): boolean {
    const [, fields, name = '', callee = ''] = RESULT.exec(line) ?? [];
    if (callee === '' || findCallHint(splitWords(callee)) !== null || OF_ADDRESSED.test(callee)) return false;
    if (fields !== undefined) return ADDRESS.test(`.${fields.replace(/[\s,]+/g, '.')}`);
    const rest = this.#text.slice(this.#end, this.#end + CONVERSION_REACH);
    const own = new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', String.raw`\$`)}((?:\.|->|::)\w{1,40})`, 'g');
    return Array.from(rest.matchAll(own)).some(([, member = '']) => ADDRESS.test(member));
  }

  /** `./deploy.sh "$TX_HASH"` of a shell. */
  #isArgumentOfProgram(line: string): boolean {
    if (!/\$\{?$|\$[({][^\n]{0,60}$/.test(line)) return false;
    const command = line.split(/&&|\|\||[|;]|\b(?:do|then)\s/).at(-1) ?? '';
    // `geth account import <(echo $TX_HASH)`
    const isFile = /<\((?:echo|printf)\s[^()]*$/.test(command) && mentionsAccount(splitWords(command), false);
    return isFile || (PROGRAM.test(command) && !OF_TRANSACTIONS.test(command));
  }

  /** `module.exports.alice = txHash`, `const bytes = hexToBytes(txHash)` */
  #isAssignedToOther(line: string): boolean {
    const [, target = '', value = ''] = ASSIGNED.exec(line) ?? [];
    const words = splitWords(target);
    if (words.length === 0 || findHashHint(words) !== null) return false;
    if (isAccountName(words)) return true;
    if (this.#conversions >= MAX_CONVERSIONS || !/^[\s&*([{]{0,4}$/.test(value.replace(CALLEES, ''))) return false;
    const rest = this.#text.slice(this.#end, this.#end + CONVERSION_REACH);
    const name = target.split(/[.>:]/).at(-1) ?? '';
    return Array.from(
      rest.matchAll(new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'g')),
    ).some(({ index }) => new HashUse(this.#text, this.#end + index, this.#conversions + 1).isOther());
  }

  /** Whether a function gets it that is not about hashes; `null` where it only converts it. */
  #readCall(opener: number): boolean | null {
    const calleeStart = findCalleeStart(this.#text, opener, 0);
    const callee = this.#text.slice(calleeStart, opener);
    const closer = this.#findCloser();
    // A parameter of a function that is declared here.
    if (DECLARES.test(this.#text.slice(Math.max(0, calleeStart - 12), calleeStart))) return false;
    if (/^\s?(?:[:{]|=>|->)/.test(this.#text.slice(closer, closer + 4))) return false;
    if (TYPED.test(this.#readElement(opener))) return false;
    const named = this.#readFieldName(opener);
    if (named !== null && findHashHint(named) !== null) return false;
    if (named !== null && isAccountName(named)) return true;
    const args = this.#text.slice(opener, closer);
    const isFirst = /^\(\s{0,40}["'`]?$/.test(this.#text.slice(opener, this.#start));
    if (METHOD.test(args) || STATEMENT.test(args)) return false;
    const printed = splitWords(/["'`]([^"'`\n]{1,80})["'`]/.exec(args)?.[1] ?? '');
    if (mentionsAccount(printed, false) && findHashHint(printed) === null && !OUTCOME.test(args)) return true;
    const words = splitWords(callee);
    // `sendTransaction(tx, to, value)`, unlike `submitTransaction(tx)`
    if (
      isFirst &&
      SENDS.test(words.join(' ')) &&
      /^["'`]?\s{0,4},\s{0,4}\w/.test(this.#text.slice(this.#end, this.#end + 12))
    )
      return true;
    const isOnlyConverted = words.length === 0 || (isConversion(words) && this.#isAlone(opener, closer));
    this.#start = calleeStart;
    return isOnlyConverted ? null : !isOfHash(words, splitWords(callee.split(/[.:>]/).at(-1) ?? ''));
  }

  /** Fields of an object: `{ txHash }`, `{ hash: txHash }`; `null` where what gets the object decides. */
  #readObject(opener: number, isInnermost: boolean): boolean | null {
    // In a text, or a body.
    if (/\$$|(?:=>|\)|\b(?:do|else|try))\s?$/.test(this.#text.slice(Math.max(0, opener - 8), opener))) return false;
    const isShorthand =
      isInnermost &&
      this.#text[opener] === '{' &&
      /^[\s.]*$/.test(this.#readElement(opener)) &&
      /^\s*[,}]/.test(this.#text.slice(this.#end, this.#end + 20));
    const named = this.#readFieldName(opener);
    if (isShorthand || (named !== null && findHashHint(named) !== null)) return false;
    // `{ "key": "txHash", "value": "0x…" }`
    if (named?.join() === 'key' && /\bkey["']\s?:\s?["']$/.test(this.#text.slice(this.#start - 10, this.#start)))
      return false;
    if (named !== null && isAccountName(named)) return true;
    this.#start = opener;
    return null;
  }

  /** `tx_hash` of `f(tx_hash=h)` and `{ tx_hash: h }`. */
  #readFieldName(opener: number): readonly string[] | null {
    const name = FIELD.exec(this.#readElement(opener))?.[1];
    return name === undefined ? null : splitWords(name);
  }

  /** What is before it in its element. */
  #readElement(opener: number): string {
    return this.#text.slice(findElementStart(this.#text, this.#start, opener), this.#start);
  }

  /** Whether the other arguments are numbers and texts: `int(txHash, 16)`, unlike `New(url, txHash)`. */
  #isAlone(opener: number, closer: number): boolean {
    const others = `${this.#text.slice(opener + 1, this.#start - this.#readElement(opener).length)}${this.#text.slice(this.#end, closer - 1)}`;
    return !/[A-Za-z_$]/.test(others.replace(/(["'`])[^"'`]*\1|\b0x[\da-f]+/gi, ''));
  }

  /** Behind the bracket that closes the one around it. */
  #findCloser(): number {
    return findCloser(this.#text, this.#end, Math.min(this.#text.length, this.#end + REACH));
  }
}

/** What a function makes of it: its fields or its name, and the function. */
const RESULT =
  /(?:\{([^{}=]{1,120})\}|([A-Za-z_$][\w$]{0,40})(?:, (?:_|err|ok))?)(?:\s?:\s?[^=\n]{1,40})?\s?:?=\s?(?:await\s|new\s)?([\w$.:]{1,60})!?\(\s{0,4}[&$*]?$/;
const ADDRESS =
  /(?:\.|->|::)(?:get_?)?(?:address(?:_hex|_string)?|pub(?:lic)?_?key\w{0,8}|sign(?:er|_?\w{1,20})?)(?![\w])/i;
/** Have an address too. */
const OF_ADDRESSED = /log|event|contract|deploy|receipt|transfer|token/i;

/** A method of nodes, whose parameter it is. */
const METHOD = /["'`][a-z]{2,12}_\w{0,12}(?:get|trace)\w{0,40}["'`]/i;
/** Of SQL, with its values. */
const STATEMENT = /["'`]\s{0,8}(?:select|insert|update|delete|with)\s/i;
/** A type in front of a parameter. */
const TYPED =
  /^\s*(?!(?:await|new|return|typeof|not|in|of|and|or|else|if|mut|ref|move)\s)[A-Za-z][\w<>[\].?]{0,40}\s{1,4}$/;
const PROGRAM =
  /^\W{0,8}(?:\w{1,40}=\S{1,80} ){0,3}(?:(?:sudo|time|exec|nohup) )?(?:\.{0,2}\/|(?:bash|sh|zsh|python3?|node|npx|bunx?|deno|go run|cargo run|yarn|npm|pnpm|make|just|ruby|docker|poetry|uv|tsx|ts-node)\s)/;
const OF_TRANSACTIONS =
  /(?<![a-z])(?:tx|txn|transaction|hash|receipt|block)s?(?![a-z])|trace|replay|decode|debug|inspect|explain|verify|analy|explorer|scan|curl/i;
const DECLARES = /\b(?:function\*?|def|func|fn|fun|sub)\s$/;
const FIELD = /([A-Za-z_$][\w$-]{0,60})["'`]?\s?[:=]\s?[\s$&*"'`]*$/;
/** The target, and what converts the value. */
const ASSIGNED = /([A-Za-z_$][\w$.]{0,80})(?:\s?:\s?[^=\n]{1,60})?\s{0,8}:?=\s{0,8}([^=\n]{0,120})$/;
const CALLEES = /[\w$.:]{1,60}!?\(/g;

/** What signs comes first: who sends it. */
const SENDS = /\b(?:send|submit|create|build|make|prepare)(?: \w{1,12})? (?:tx|txn|transaction)$/;
const CLIENTS = wordSet('client provider sdk bot service relayer keeper agent session api');
const MAKES = wordSet('finalize publish emit encrypt decrypt derive seal generate');

/** Whether a function is about hashes, looks something up, or only reads and prints what it gets. */
function isOfHash(callee: readonly string[], method: readonly string[]): boolean {
  if (findCallHint(callee) !== null || findHashHint(method) !== null || isHashName(method)) return true;
  if (isAccountName(method) || method.some(word => /^(?:public|pub|address)$/.test(word))) return false;
  // `new JsonRpcClient(url, tx)`
  if (CLIENTS.has(method.at(-1) ?? '')) return callee.some(word => OF_HASHES.has(word));
  // `finalizeEvent(event, key)`
  if (method.some(word => MAKES.has(word))) return false;
  // `createSwap(`, unlike `transfer(`
  if (isLookupVerb(method) || (method.length > 1 && hasPurpose(method, false) && !isActionName(method))) return true;
  const isKnown = (word: string) => READS.has(word) || COMPARING_CALLS.has(word) || PRINTING_CALLS.has(word);
  return callee.some(word => OF_HASHES.has(word)) || method.some(isKnown) || method.every(word => PLAIN.has(word));
}
