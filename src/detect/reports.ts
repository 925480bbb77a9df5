// Finds what a text says of a literal without a name before it: sentences, parameters of functions, what a prompt printed.
import { getOrInsert } from '../base/getOrInsert.ts';
import { findPrefixEnd } from './containers.ts';
import { MIN_WRAPPED } from './hashSentence.ts';
import { findHashHint, type HashHint, isConversion, isHashName, isPlainHash } from './hintWords.ts';
import type { Label } from './labels.ts';
import {
  hasPlainTail,
  isHeadingOfHash,
  isInstruction,
  isOnlyOfTransaction,
  NOUN,
  OUTCOME,
  SHORT_NOUN,
} from './phrases.ts';
import { findCalleeStart, findLineStart, findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, isAttacker } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';
import { TextCache } from './textCache.ts';

type Range = Pick<ScannedLiteral, 'start' | 'end'>;

const MAX_SENTENCE_LENGTH = 300;
/** `hash of the last transfer: ` */
const HASH_OF =
  /\bhash (?:of|for) (?:the |this |that |our |my |an? )?(?:\w{1,12} ){0,2}(?:tx|transaction|transfer|deployment|deposit|withdrawal|swap|payment|mint|upgrade|block)s?:?$/i;
/** `last submitted tx: `, `tx sent yesterday: ` */
const QUALIFIED =
  /\b(?:last|first|previous|second|next|pending|submitted|sent|failed|funding|exploit|attack|deployment|deposit|withdrawal|final|earlier|original|affected|offending|suspicious|malicious|example|sample|whose|after|before) (?:\w{3,12} )?(?:tx|txn)(?: hash)?[:,]?$|\b(?:tx|txn) (?:sent|mined|confirmed|from|of) (?:yesterday|today|last \w{3,8}|on \w{3,9}(?: \d{1,2})?):?$/i;
/** Words in a sentence of what is used for the transaction, or is missing, in place of being its hash. */
const USED_FOR = wordSet(
  'with using by via mit aus als con avec par com met z ze с use uses need needs needed import paste enter export load benutze verwende nutze usa usar brauche necesita ' +
    'who wer quem quien quién chi kto кто because since locked unlocked weil porque parce perché invalid missing no not without',
);
/** The same as the last word before it, which may also join two nouns. */
const USED_FOR_LAST = wordSet('from as for für pour para of in on at to von van de des di da do du del od от');
/** What may be between the noun and the literal: `transaction du dépôt 0x…`, `transaction hash is 0x…`. */
const BETWEEN =
  /^(?:(?:hash|id|ハッシュ|哈希|해시|de|du|del|do|da|della|of the)(?: \p{L}{1,20})?)?(?: ?(?:is|was|ist|war|es|est|foi|jest|to|は|が|是|는|은|\(?(?:for example|e\.?g\.?|such as|see)))?$|[:：]$/u;
/** Fewer are a name. */
const MIN_WORDS = 2;
/** Text without the marks of code, and no argument, also of a program: `node replay.js 0x…`. */
const PROSE = /^(?!.*\w\(["'`]?$)(?!.*\w\.(?:[cm]?[jt]s|py|sh|rb) )[^{}=;<>\\$]*$/;
const END_OF_SENTENCE = /(?:[.!?。！？][*_)]{0,3}\s|[.!?]$|["”|]|\\n|[。！？])/u;

/** `"hash": "` of data and `transact('` of code are no sentences. */
const FIELD = /["'\]]\s?[:=]\s?["'`]?$|\w\(["'`]$/;

/** What ends the phrase before the one that names the literal; other literals too. */
const BREAK = /[,;:：(—–|=]\s?|\s-\s|0[xX][0-9a-fA-F]+/;
/** Also the name of a picture, and a colon at the end. */
const EXAMPLE_OF = /\(?\b(?:for example|e\.g\.|such as)|:\w{2,20}:|[:：]\s*$/gi;

/** `amount=1.5` in a log. */
const PAIR = /(?<=\s)[a-z][\w.]{0,30}=(?:[^\s"'=]{1,80}\s|$)/g;
/** `1. ` of an item of a list. */
const LIST_NUMBER = /^\s{0,8}\d{1,2}[.)]\s/;
const LITERALS = /0[xX][0-9a-fA-F]+/g;
/** Where a block of code in Markdown begins. */
const FENCE = /^\s{0,8}(?:`{3}|~{3})/;

interface Sentence {
  readonly before: string;
  readonly after: string;
  /** It is the line above. */
  readonly isLeadIn: boolean;
}

/** The sentence around a literal, from the line above if it ends with a colon and the literal is alone in its line. */
function readSentence(text: string, { start, end }: Range): Sentence {
  const lineStart = findLineStart(text, start, Math.max(0, start - MAX_SENTENCE_LENGTH));
  const line = text.slice(lineStart, start).replace(LIST_NUMBER, '');
  const lastPart = (part: string) => part.split(END_OF_SENTENCE).findLast(sentence => sentence.trim() !== '') ?? '';
  const after = text.slice(end, end + MAX_SENTENCE_LENGTH / 2).split('\n', 1)[0] ?? '';
  const rest = after.replace(/^[`"'”*)]{1,4}/, '').split(END_OF_SENTENCE, 1)[0] ?? '';
  const before = lastPart(line.slice(findPrefixEnd(line)).replace(/[`"'“*(]{1,4}$/, ''));
  if (/[\p{L}\p{N}]/u.test(line + after)) return { before, after: rest, isLeadIn: false };
  const above = findLeadIn(text, lineStart);
  return { before: lastPart(above), after: '', isLeadIn: true };
}

const WRAPPED = / (?:transaction|(?:tx|transaction|block) (?:hash|id))(?: is| was)?$/iu;

/** Whether a line ends with what a hash on the next line is, behind other words: `as you can see in transaction`. */
function isWrapped(line: string): boolean {
  const end = line.search(WRAPPED);
  return end >= 0 && line.length >= MIN_WRAPPED && /\p{L}/u.test(line.slice(line.lastIndexOf(':', end) + 1, end));
}

/** The line above a list or block of code, or one that ends with a colon. */
function findLeadIn(text: string, lineStart: number): string {
  const lines = text
    .slice(Math.max(0, lineStart - 2 * MAX_SENTENCE_LENGTH), lineStart)
    .split('\n')
    .reverse();
  const at = lines.findIndex(line => /\p{L}/u.test(line.replace(LITERALS, '')));
  const line = lines[at] ?? '';
  // A sentence that continues on the next line, a comment above a list of values.
  const isAboveList = /^\s{0,8}(?:#|\/\/|--|;) /.test(line) && lines.slice(1, at).every(other => other.trim() !== '');
  return /[:：]$/.test(line) ||
    isAboveList ||
    /^#{1,6}\s/.test(line) ||
    (at === 1 && isWrapped(line)) ||
    lines.slice(0, at).some(between => FENCE.test(between))
    ? line
    : '';
}

/** Whether a sentence tells of the literal as of a transaction: `la transacción falló: 0x…`, `Die Transaktion 0x… ist durch`. */
export function tellsOfTransaction(text: string, literal: Range): boolean {
  if (FIELD.test(text.slice(Math.max(0, literal.start - 6), literal.start))) return false;
  // Behind the literal that the sentence tells of: `deployed in 0x… 0x…`.
  if (/[\da-f]{64}[ \t]$/i.test(text.slice(Math.max(0, literal.start - 65), literal.start))) return false;
  const { before: sentence, after, isLeadIn } = readSentence(text, literal);
  // `INFO deposit finalized l1=0x…`
  const before = sentence.replace(PAIR, '').trimEnd();
  const words = splitWords(`${sentence} ${after}`.replace(LITERALS, ' ')).filter(word => !isAttacker(word));
  if (
    !PROSE.test(before) ||
    words.some(word => USED_FOR.has(word) || /^utili[sz]/.test(word)) ||
    USED_FOR_LAST.has(splitWords(before).at(-1) ?? '') ||
    isAccountName(words) ||
    isActionName(words)
  )
    return false;
  // What names the literal is behind the last break.
  const own = before.replace(EXAMPLE_OF, '').split(BREAK).at(-1) ?? '';
  if (isLeadIn ? !isHeadingOfHash(own) : !isOnlyOfTransaction(own.replace(HASH_OF, ''))) return false;
  if (isInstruction(splitWords(own), false) || !hasPlainTail(own.replace(HASH_OF, '').replace(QUALIFIED, '')))
    return false;
  if (OUTCOME.test(before) && words.length >= MIN_WORDS) return true;
  if (HASH_OF.test(before)) return true;
  const isQualified = QUALIFIED.test(before) && !/^[\w.-]{1,40}$/.test(before.trim());
  const noun = NOUN.exec(before) ?? (OUTCOME.test(after) || isQualified ? SHORT_NOUN.exec(before) : null);
  if (noun === null || (words.length < MIN_WORDS && !isLeadIn && !/[^\0-\x7f]/.test(noun[0]))) return false;
  if (isLeadIn) return true;
  const between = before.slice(before.lastIndexOf(noun[0]) + noun[0].length).trim();
  return BETWEEN.test(between);
}

/** Functions are searched in the part of this length that a literal is in, and in those beside it. */
const PART_LENGTH = 6_000;
const MAX_DEPTH = 2;
const PARAMETER = /([A-Za-z_]\w{0,60})\??\s?(?::|$|=|\s[\w.[\]]{1,40}$)/;

/** Of Java and C#. */
const TYPE_FIRST = /^(?:final )?(?:[Ss]tring|long|int|Long|Integer|Hash\w{0,4}|[Bb]ytes32) (\w{1,60})$/;
/** `@dataclass` above `class Deposit:` with its fields. */
const FIELDS = /^@dataclass[^\n]{0,80}\nclass NAME[^\n]{0,80}:\n((?:[ \t]{1,8}\w{1,60}: [^\n]{1,80}\n){1,12})/m;

/** The parameters of functions by their names. */
const functions = new TextCache(PART_LENGTH, () => new Map<string, readonly string[] | null>());

/** The parameters of a function that the text declares: `function decode(txHash: Hash)`, `const decode = (txHash) =>`. */
function readParameters(text: string, start: number, name: string): readonly string[] | null {
  const part = Math.floor(start / PART_LENGTH);
  return getOrInsert(functions.get(text, start), name, () => {
    const around = text.slice(Math.max(0, part - 1) * PART_LENGTH, (part + 2) * PART_LENGTH);
    return findParameters(around, name);
  });
}

function findParameters(text: string, name: string): readonly string[] | null {
  const declared = new RegExp(
    String.raw`\b(?:function|def|fn|func|fun|defp|const|let|sub|record|class|struct|[A-Z]\w{0,40}(?=[^=\n]{1,400}\)\s?\{))\s(?:\([^()\n]{1,40}\)\s)?${name.replaceAll('$', String.raw`\$`)}(?:<[^<>\n]{1,60}>)?\s?(?::[^=\n]{1,60})?(?:=\s?(?:async\s?)?)?\(([^()]{1,300})\)`,
  ).exec(text)?.[1];
  if (declared === undefined) {
    const fields = text.includes('@dataclass')
      ? new RegExp(FIELDS.source.replace('NAME', name), 'm').exec(text)?.[1]
      : undefined;
    return fields?.split('\n').map(field => field.trim()) ?? null;
  }
  return declared.split(',').map(part => part.trim());
}

/** `tx hash` of `decode('0x…')` where the text has `function decode(txHash: Hash)`; `null` where it has no such name. */
export function findParameter(text: string, { start }: Range): readonly string[] | null {
  let opener = start;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    opener = findOpenerBefore(text, opener, MAX_SENTENCE_LENGTH);
    const before = text.slice(opener + 1, start);
    if (text[opener] !== '(' || !/^[^[\]{}]*["'`]?$/.test(before)) return null;
    const callee = text.slice(findCalleeStart(text, opener, 0), opener);
    const name = /(?:^|[.:])([A-Za-z_$][\w$]{1,60})$/.exec(callee)?.[1];
    if (name === undefined) return null;
    const parameter = readParameters(text, start, name)?.[before.split(',').length - 1];
    if (parameter !== undefined) {
      const words = splitWords((TYPE_FIRST.exec(parameter) ?? PARAMETER.exec(parameter))?.[1] ?? '');
      // `receipt('0x…')` of `function receipt(tx)`
      const isOfLookup = findHashHint(splitWords(name)) !== null && /^(?:tx|txn|hash)$/.test(words.join(' '));
      return isOfLookup ? [...words, 'hash'] : words;
    }
    if (!isConversion(splitWords(name))) return null;
  }
  return null;
}

/** Words of the parameter, with its type, that a function of the text takes the literal as. */
export function findDeclaredParameter(text: string, { start }: Range): string | null {
  const opener = findOpenerBefore(text, start, MAX_SENTENCE_LENGTH);
  const before = text.slice(opener + 1, start);
  if (text[opener] !== '(' || !/^[^[\]{}]*["'`]?$/.test(before)) return findParameterOfShell(text, start);
  const callee = text.slice(findCalleeStart(text, opener, 0), opener);
  const name = /^([A-Za-z_$][\w$]{1,60})$/.exec(callee)?.[1];
  const parameter = name === undefined ? undefined : readParameters(text, start, name)?.[before.split(',').length - 1];
  return parameter?.split('=', 1)[0] ?? null;
}

/** What a function of a shell does with the argument: `get_tx() { cast send $2 --private-key $1; }` above `get_tx 0x…`. */
function findParameterOfShell(text: string, start: number): string | null {
  const line = text.slice(findLineStart(text, start, 0), start);
  const [, name = '', others = ''] =
    /^\s{0,20}([A-Za-z_][\w-]{1,40})((?:\s[^\s|;&]{1,80}){0,6})\s["']?$/.exec(line) ?? [];
  if (name === '') return null;
  const body = new RegExp(String.raw`(?:^|\n)(?:function )?${name}\s?\(\)\s?\{([^}]{1,300})`).exec(
    text.slice(Math.max(0, start - PART_LENGTH), start + PART_LENGTH).replace(/\$\{(\d)\}/g, '$$$1'),
  )?.[1];
  if (body === undefined) return null;
  const index = others.trim() === '' ? 1 : others.trim().split(/\s/).length + 1;
  return new RegExp(String.raw`([^;|&\n]{1,80}?)["']?\$${index}\b`).exec(body)?.[1]?.split('$').at(-1) ?? '';
}

/** `>>> `, `> `, `In [3]: `, `irb(main):001> `, `127.0.0.1:6379> `, `db=# ` */
const PROMPT = /^ {0,8}(?:>>> |[>$] |In \[\d{1,4}\]: |[\w.()@:~-]{1,40}(?:[>#]|=[>#]) )(.{3,200})$/;
const PRINTED = /^ {0,8}(?:Out\[\d{1,4}\]: ?)?(?:HexBytes\()?["'`]?$/;
/** What ends an expression without changing its value. */
const FORMATTED = /(?:\.(?:hex|to_?0x_?hex|toString|to_s)\(\)|[;)\s]|\\n){1,8}$/;

/** `receipt.blockHash` of `console.log(receipt.blockHash); // 0x…` */
const BEFORE_VALUE = /([\w.]{3,80})(?:\(\))?\)?;?\s{1,4}\/\/\s?(?:=>|→|>)?\s?["'`]?$/;

/** `block hash` where a prompt printed the value of `block.hash`. */
export function findPrintedName(text: string, { start }: Range): readonly string[] | null {
  const lineStart = findLineStart(text, start, Math.max(0, start - 40));
  const isPrinted = text[lineStart - 1] === '\n' && PRINTED.test(text.slice(lineStart, start));
  const above = isPrinted ? /[^\n]{3,220}$/.exec(text.slice(Math.max(0, lineStart - 221), lineStart - 1))?.[0] : '';
  const isCommented = text.slice(Math.max(0, start - 8), start).includes('//');
  const line = isCommented ? text.slice(findLineStart(text, start, Math.max(0, start - 140)), start) : '';
  const value = (PROMPT.exec(above ?? '') ?? BEFORE_VALUE.exec(line))?.[1]?.replace(FORMATTED, '');
  if (value === undefined) return null;
  const [, object = '', field = ''] = /(.{0,80}?)(?:\??\.|\["?|^|\s|:)["']?(\w{2,60})["'\]]{0,2}$/.exec(value) ?? [];
  const own = splitWords(field);
  if (isHashName(own) && !isPlain(own)) return own;
  // `provider.getBlock('latest')).hash`
  const of = splitWords(object).findLast(word => !isPlain([word]) && findHashHint([word]) !== null);
  return of === undefined || own.join(' ') !== 'hash' ? null : [of, 'hash'];
}

function isPlain(words: readonly string[]): boolean {
  const hint = findHashHint(words);
  return hint !== null && isPlainHash(hint);
}

/** `transactionHash:` or `- name: txHash` above the lines of a schema of which this is the example. */
const EXAMPLE =
  /(?:^|\n)( *)(?:- name: ["']?(\w{1,60})["']?|(\w{1,60}):)(?:\n\1 {2}[^\n]{0,200}){0,8}\n\1 {2}example: {1,2}(?:\[ ?)?["']?$/;

/** `/tx/{hash}:` above its parameters. */
const OF_PATH = /\/(tx|transaction|block)s?\/\{\w{1,40}\}["']?:\n(?![\s\S]*\n\s{0,8}["']?\/)/;

/** The name of the parameter or field whose example the literal is. */
export function findExampleLabel(text: string, { start }: Range): Label | null {
  if (!/\n *example: {1,2}(?:\[ ?)?["']?$/.test(text.slice(Math.max(0, start - 60), start))) return null;
  const [, , parameter, field] = EXAMPLE.exec(text.slice(Math.max(0, start - 600), start)) ?? [];
  const words = splitWords(parameter ?? field ?? '');
  const path = OF_PATH.exec(text.slice(Math.max(0, start - 600), start))?.[1];
  if (path !== undefined && words.length === 1 && !isAccountName(words))
    return { role: 'name', words: [...splitWords(path), 'hash'] };
  return isHashName(words) ? { role: 'name', words } : null;
}

/** What a label that tells of no hash counts as. */
const PLAIN: HashHint = { kind: 'hash', isUnsearchable: false, word: 'hash' };
const ASSERTIONS = wordSet('assert expect equal equals eq same require');

/** `receipt.blockHash` of `assertEquals("0x…", receipt.blockHash)`, also `block.Hash()`; a bare `tx` may be what was made of a key. */
export function findCompared(text: string, end: number, caller: Label): Label | null {
  if (!caller.words.some(word => ASSERTIONS.has(word))) return null;
  const parts = (/^["'`]?\)?,\s{0,20}([\w$.()>[\]"'-]{1,100})/.exec(text.slice(end, end + 140))?.[1] ?? '')
    .split(/\.|->/)
    .filter(part => !/^(?:hex|(?:to_?)?string)\(/i.test(part));
  // `block.Hash()`: of what tells the object.
  const compared = splitWords(
    parts
      .slice(/^(?:get_?)?hash\b/i.test(parts.at(-1) ?? '') ? -2 : -1)
      .join(' ')
      .replace(/\bget_?(?=hash)/i, ''),
  );
  return isHashName(compared) && !isPlainHash(findHashHint(compared) ?? PLAIN)
    ? { role: 'name', words: compared }
    : null;
}

const EXPRESSION = String.raw`((?:[^()\n]|\([^()\n]{0,60}\)){1,120}?)`;
/** What wraps the expected value. */
const WRAPPED_VALUE = String.raw`(?<wrapper>(?:[\w.:]{1,30}(?:[(!]{1,2}| (?=["']))){0,3})["'\`]?$`;
/** `expect(tx.hash).to.equal('`, `expect(tx.hash).to eq '`, `tx.hash.should.equal('`, `block.hash shouldBe "`, `tx.hash == '` */
const EXPECTED = [
  new RegExp(
    String.raw`\b(?:expect|assert_?that)\(${EXPRESSION}(?:, ?["'\`][^"'\`\n]{0,60}["'\`])?\)(?:\??[.]\w{1,24}(?:\(\))?| (?:eq|be|==)){1,6}[( ] ?${WRAPPED_VALUE}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:(?:xct)?assert\w*|require\.\w*equal\w*|check)!?[.]?\w{0,20}\((?:t, ?|[\"'][\w ]{1,40}[\"'], ?)?${EXPRESSION}, ?${WRAPPED_VALUE}`,
    'i',
  ),
  new RegExp(
    String.raw`(?:^|[\s(!])([\w.$()[\]"']{3,80})(?: ?[!=]==? ?| should(?:be|equal) |\.should\.equal\()${WRAPPED_VALUE}`,
    'i',
  ),
];
/** Most literals are compared with nothing. */
const MAYBE_EXPECTED = /(?:[(,=]|eq|be|equal)\s{0,30}(?:[\w.:]{1,30}[(! ]{1,2}\s{0,30}){0,3}["'`]?$/i;
const MAX_WRAPPER = 48;
/** `.toString()`, `.hex()`: what changes nothing about what an expression is. */
const AS_TEXT = /(?:[.](?:to_?\w{0,12}|hex|Hex|String|to_?0x_?hex|unwrap|text)\(\)|[!?]){1,4}$/;
/** `tx.hash`, `receipt["transactionHash"]`, `block.Hash()` */
const FIELD_OF = /([\w$]{1,60})(?:\([^()]{0,60}\))?(?:\??[.]|\[["'])([A-Za-z_]\w{1,40})(?:["']\]|\(\))?$/;

const RESULT =
  /^(?:head|tip|latest|result|response|res|sent|submitted|pending|confirmed|mined|replaced|returned|data|deposit|withdrawal|swap|transfer)$/i;

/** The name of the field that the text compares the literal with: `tx hash` of `expect(tx.hash).to.equal('0x…')`. */
export function findComparedField(text: string, { start }: Range): readonly string[] | null {
  if (!MAYBE_EXPECTED.test(text.slice(Math.max(0, start - MAX_WRAPPER), start))) return null;
  const before = text
    .slice(Math.max(0, start - MAX_SENTENCE_LENGTH), start)
    .replace(/\n\s{0,40}\/\/[^\n]{0,100}(?=\n)/g, '')
    .replace(/[^\S\n]{0,40}\n\s{0,80}(?=[.)])|(?<=[(,])[^\S\n]{0,40}\n\s{0,80}/g, '');
  const line = before.slice(before.lastIndexOf('\n') + 1);
  for (const pattern of EXPECTED) {
    const found = pattern.exec(line);
    const compared = found?.[1];
    const wrapper = found?.groups?.['wrapper'] ?? '';
    if (compared === undefined || !(wrapper.match(/[^(! ]+/g) ?? []).every(name => isConversion(splitWords(name))))
      continue;
    const expression = compared.replace(AS_TEXT, '');
    const [, object = '', field = ''] = FIELD_OF.exec(expression) ?? [];
    const own = splitWords(field);
    const words = own.join(' ') === 'hash' || own.join(' ') === 'id' ? [...splitWords(object).slice(-1), ...own] : own;
    if (isAccountName(splitWords(expression))) continue;
    if (isHashName(words) && !isPlain(words)) return words;
    // `expect(result.hash).toBe('0x…')`
    if (own.join(' ') === 'hash' && RESULT.test(object) && /\bexpect\(/.test(line)) return ['transaction', 'hash'];
  }
  return null;
}
