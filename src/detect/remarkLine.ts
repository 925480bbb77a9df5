// A line beside a literal: what it says as a comment, heading, sentence or declaration about a key or account.
import { getOrInsert } from '../base/getOrInsert.ts';
import { findPrefixEnd } from './containers.ts';
import { findOtherValues, HEX, isAccountRemark, isOtherThan, namesOwner, UNRELATED } from './owners.ts';
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findKeyWord, findSecretWord, isAccountName, mayNameOwner, mentionsAccount, WARNING } from './secretWords.ts';
import { splitWords } from './splitWords.ts';
import { TextCache } from './textCache.ts';
/** What the remarks about a literal forbid. */
export interface RemarkVerdict {
  /** The words in a remark that mark a key or secret. */
  readonly secretWord: string | null;
  /** A remark names an account, or the literal is in code about keys: it may be a key. */
  readonly namesAccount: boolean;
  /** In its own line. */
  readonly isOwn?: boolean;
}

/** A longer line is data. */
export const MAX_LINE_LENGTH = 400;

export const NOTHING: RemarkVerdict = { secretWord: null, namesAccount: false };
export const ACCOUNT: RemarkVerdict = { secretWord: null, namesAccount: true };

/** What a comment, heading or description forbids. */
export function checkRemark(text: string, warns = WARNING.test(text)): RemarkVerdict {
  const remark = (text.includes('0x') ? text.replace(HEX, ' ') : text).replace(UNRELATED, ' ');
  const words = splitWords(remark);
  const namesAccount = warns || isAccountRemark(words) || isOwnerClause(remark);
  return { secretWord: findKeyWord(words), namesAccount };
}

/** `Sepolia deployer, shared with QA`, and the name of what `txHash holds the scalar of the sequencer` is about. */
const CLAUSE_END = /[,;.()]\s|\s[-–—]\s|^\W{0,8}\w{0,30}(?:[a-z][A-Z]|_)\w{0,30}\s(?:is|holds|has|contains|of)\b/;
function isOwnerClause(remark: string): boolean {
  const clauses = remark.split(CLAUSE_END);
  return clauses.length > 1 && clauses.some(clause => isAccountRemark(splitWords(clause)));
}

/** Parts of the words that `findCertainSecret` finds. */
const CERTAIN =
  /priv|secret|mnemonic|seed|pass|pw|pk|sk|sign|xprv|wif|credential|entropy|ecdsa|nsec|bearer|preimage|[^\0-\x7f]/i;

/** What the sentence before a literal forbids. */
export function checkLine(text: string, warns = WARNING.test(text)): RemarkVerdict {
  if (!CERTAIN.test(text)) return warns ? ACCOUNT : NOTHING;
  return { secretWord: findCertainSecret(splitWords(text.replace(HEX, ' '))), namesAccount: warns };
}

const MAX_SHORT_WORDS = 6;
/** `Deploying with the account: 0xaddress` names whom it tells of. */
const OF_ADDRESS = /\w \w{1,20}: 0x[\da-f]{40}[.,]?$/i;
/** A short one is as good as a heading: `pk:`, `signer: using key`. */
function checkSentence(text: string, warns: boolean, isOfAddress: boolean): RemarkVerdict {
  const isShort = text.split(/\s+/, MAX_SHORT_WORDS + 1).length <= MAX_SHORT_WORDS;
  return isShort && !isOfAddress ? checkRemark(text, warns) : checkLine(text, warns);
}

/** What the name of the function or class around a literal forbids. */
function checkScope(line: string): RemarkVerdict {
  for (const [declaration, name = ''] of line.matchAll(DECLARED)) {
    if (findSecretWord(splitWords(name)) !== null) return ACCOUNT;
    const type = TYPE.test(declaration) ? splitWords(name.split(' ', 1)[0] ?? '').slice(-1) : [];
    if (type[0]?.endsWith('s') && isAccountName(type)) return ACCOUNT;
  }
  return NOTHING;
}

/** `class Signers(Enum):`, unlike `class Wallet {` */
const TYPE = /^(?:class|struct|enum|object|module|namespace)/;

/** `private key`, `mnemonic`, unlike the `key` of a cache or of a table. */
function findCertainSecret(words: readonly string[]): string | null {
  const word = findSecretWord(words);
  // `private` is a visibility too.
  return word !== null && word !== 'private' && (!/(?:^| )keys?$/.test(word) || /^(?:private|secret|sign)/.test(word))
    ? word
    : null;
}

/** Lines that are only a comment, a docstring or a heading, also in a diff and in a string of a notebook. */
const COMMENT =
  /^[+>"'\s{]{0,80}(?:\/\/|\/?\*|<#|#(?!(?:include|define|if|ifdef|ifndef|endif|pragma|else)\b)|--(?!\w[\w-]{0,40}[= ]["']?\$)|;|%|<!--|\{-|\(\*|rem\b|'{3}|"{3}|@(?:doc|moduledoc|notice|dev)\b|\(?comment\s|\.\.\s)|^\s*"[^"=:]+"$|^\s*["']\s[^"']+$|^[^"]*"{3}\s*$/i;
const HEADING =
  /^\s*(?:(#{1,6})\s|(={1,5})\s\S|(?:<h|h(?=[1-6]\. ))([1-6])\b|<(?:label|dt|th|legend|summary|caption|title)\b)/;
/** The line below a heading of reStructuredText, and what is between headings and values. */
const UNDERLINE = /^\s*([=\-~^"*+#])\1{2,}\s*$/;
const FENCE = /^\s*(?:`{3,}|~{3,}|\{|\[|\()\S{0,20}\s*$/;
/** Of a list. */
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
const DESCRIPTION =
  /(?:["'](?:_{1,3}|\/\/|#|\$comment)(?=["'])|["'<]?\b_{0,2}(?:comments?|description|desc|notes?|label|title|purpose|summary|doc|remarks?|hint|help|usage|about))(?:["']?\s{0,4}[:=]\s{0,4}["']?|>)([^"'<>\n]{2,200})/gi;
/** What a field such as `"type": "private_key"` says. */
const KIND = /["'<]?\b(?:type|kind|name|id|purpose)["']?\s{0,4}[:=]\s{0,4}["']?([^"'<>\n,]{2,80})/gi;
const PRINTED =
  /\b(?:echo|printf?|println!?|puts|log|info|debug|warn|write(?:ln|line|-host|-output)?|say|note)\b[^"'`\n]{0,20}["'`]([^"'`\n]{2,120})/i;
const DECLARED =
  /\b(?:function|def|fn|func|fun|class|interface|struct|enum|contract|library|mod|module|namespace|object|trait|impl|describe|context|it|test|const|let|var|val|public|private|static|sub)\b[\s("'`]{1,4}(?:[\w<>[\]]{1,40} )?([\w$ '-]{2,80})/g;
/** The mark of a quotation, a list or a comment before other marks. */
export const MARK = /^(?:\s{0,20}\/\/|\s?\*|[->#])(?:\s|$)/;
/** The last line of a comment of several lines, and what its first line has. */
const BLOCK_END = /(?:-->|\*\/|-\}|#>|\*\)|^\s*"{3}|^\s*'{3})\s*$/;
const BLOCK_START = /<!--|\/\*|\{-|<#|\(\*|"{3}.|'{3}.|^\s*[rbu]?(?:"{3}|'{3})/;
/** Text without the marks of code. */
export const PROSE = /^(?:[^{}()[\]<>=;"|\\$]|(?<=\s)\([^{}()[\]<>=;"|\\$]{0,80}\)){3,200}$/;

/** Marks of code and logs: a line with them is no heading, and no line of a comment that has no mark of its own. */
export const CODE = /[=;]/;

/** Three words. */
const SENTENCE = /\p{L}{1,30} \p{L}{1,30} \p{L}/u;

/** A line above a literal and what it forbids in each of its roles; cached for the texts that were read last. */
export class Line {
  readonly start: number;
  readonly text: string;
  readonly indent: number;
  readonly isBlank: boolean;
  readonly isComment: boolean;
  readonly isBlockEnd: boolean;
  readonly isBlockStart: boolean;
  readonly isUnderline: boolean;
  readonly isFence: boolean;
  readonly isItem: boolean;
  /** It runs a program that signs with a key of its environment or settings. */
  #signs: boolean | undefined;
  #hasWarning: boolean | undefined;
  #remark: RemarkVerdict | undefined;
  #descriptions: RemarkVerdict | undefined;
  #sentence: RemarkVerdict | undefined;
  #scope: RemarkVerdict | undefined;
  #namesOwner: boolean | undefined;
  #namesKey: boolean | undefined;
  #isAboutKey: boolean | undefined;
  #reports: boolean | undefined;
  #forbids: boolean | undefined;
  #mayBeSecret: boolean | undefined;
  #values: readonly string[] | undefined;
  #above: Line | undefined;
  readonly #level: number | null;
  /** Where all lines are comments, the mark of comments is none of headings. */
  readonly #markedLevel: number | null;

  constructor(text: string, end: number) {
    this.start = findLineStart(text, end, 0);
    const line = text.slice(this.start, end);
    const printed = removePrefix(line).trimEnd();
    const marked = printed.replace(MARK, '');
    this.isBlank = marked === '' && !(COMMENT.test(line) && /\p{L}/u.test(line));
    this.isComment = !this.isBlank && [line, line.replace(MARK, ''), printed, marked].some(part => COMMENT.test(part));
    this.text = this.isComment ? line : marked;
    this.indent = getIndent(marked);
    this.isBlockStart = BLOCK_START.test(marked);
    this.isBlockEnd = BLOCK_END.test(marked) && !(this.isBlockStart && marked.length > 3);
    this.isUnderline = UNDERLINE.test(marked);
    this.isFence = FENCE.test(marked);
    this.isItem = ITEM.test(printed);
    this.#markedLevel = readLevel(marked);
    this.#level = this.#markedLevel ?? readLevel(printed);
  }

  getAbove(text: string): Line {
    this.#above ??= getLine(text, this.start - 1);
    return this.#above;
  }

  /** As a comment or heading. */
  get remark(): RemarkVerdict {
    this.#remark ??= checkRemark(this.text, this.#warns);
    return this.#remark;
  }

  get descriptions(): RemarkVerdict {
    this.#descriptions ??= checkDescriptions(this.text);
    return this.#descriptions;
  }

  /** As a sentence, or code that prints one, right above the literal. */
  get sentence(): RemarkVerdict {
    if (this.#sentence === undefined) {
      const sentence = toSentence(this.text);
      const printed = PRINTED.exec(this.text)?.[1];
      const isField = FIELD_ONLY.test(sentence);
      this.#sentence =
        printed !== undefined
          ? checkLine(printed)
          : PROSE.test(sentence) && !isField
            ? checkSentence(sentence, this.#warns, OF_ADDRESS.test(this.text))
            : NOTHING;
    }
    return this.#sentence;
  }

  /** As the first line of the function, class or test around the literal. */
  get scope(): RemarkVerdict {
    this.#scope ??= checkScope(this.text);
    return this.#scope;
  }

  /** Whether a name in it, or a word in its text, is that of an account or key. */
  get namesOwner(): boolean {
    this.#namesOwner ??= namesOwner(this.text);
    return this.#namesOwner;
  }

  /** Whether words in it are for a private key or another secret, or it warns to show one. */
  get namesKey(): boolean {
    this.#namesKey ??=
      (CERTAIN.test(this.text) &&
        findCertainSecret(splitWords(this.text.replace(HEX, ' ').replace(UNRELATED, ' '))) !== null) ||
      this.#warns;
    return this.#namesKey;
  }

  /** The same, or a sentence about a key or an account. */
  get isAboutKey(): boolean {
    this.#isAboutKey ??= this.namesKey || (!CODE.test(this.text) && this.#isSentenceAboutKey);
    return this.#isAboutKey;
  }

  get #isSentenceAboutKey(): boolean {
    if (!mayNameOwner(this.text)) return false;
    if (!this.isComment && !SENTENCE.test(this.text)) return false;
    const words = splitWords(this.text.replace(HEX, ' ').replace(UNRELATED, ' '));
    return (
      findKeyWord(words) !== null ||
      (!OF_ADDRESS.test(this.text) && mentionsAccount(words, false) && isAccountRemark(words))
    );
  }

  /** Whether it tells of a secret without a word for it. */
  get #warns(): boolean {
    this.#hasWarning ??= WARNING.test(this.text) && WARNING.test(this.text.replace(UNRELATED, ' '));
    return this.#hasWarning;
  }

  /** Whether its words are about other 32 bytes, which have no name of a hash. */
  isOfOther(literal: ScannedLiteral): boolean {
    this.#values ??= findOtherValues(this.text);
    return this.#values.length > 0 && isOtherThan(this.#values, literal);
  }

  /** Whether it runs a program that signs what it sends. */
  get signs(): boolean {
    this.#signs ??= SIGNS.test(this.text);
    return this.#signs;
  }

  /** Whether it tells of a transaction, a block or a contract. */
  get reports(): boolean {
    this.#reports ??= REPORTS.test(this.text.replace(OF_ACCOUNT, ''));
    return this.#reports;
  }

  /** Whether it forbids anything in one of its roles. */
  get forbids(): boolean {
    this.#forbids ??= this.#roles().some(({ secretWord, namesAccount }) => secretWord !== null || namesAccount);
    return this.#forbids;
  }

  get namesAccount(): boolean {
    return mentionsAccount(splitWords(this.text.replace(HEX, ' ')), false);
  }

  get mayBeSecret(): boolean {
    this.#mayBeSecret ??= this.#roles().some(({ secretWord }) => secretWord !== null);
    return this.#mayBeSecret;
  }

  get tellsKey(): boolean {
    return this.namesKey || this.mayBeSecret;
  }

  #roles(): readonly RemarkVerdict[] {
    const roles = [this.descriptions, this.sentence, this.scope];
    return this.isComment || this.#level !== null || !CODE.test(this.text) ? [this.remark, ...roles] : roles;
  }

  /** The level of a heading; `null` for other lines. `inComments`: where all lines are comments. */
  getLevel(below: Line | undefined, inComments: boolean): number | null {
    if (below?.isUnderline && !this.isComment) return below.text.includes('=') ? 1 : 2;
    return inComments ? this.#markedLevel : this.#level;
  }
}

function readLevel(line: string): number | null {
  const [heading, hashes, equals, html] = HEADING.exec(line) ?? [];
  return heading === undefined ? null : (hashes?.length ?? equals?.length ?? Number(html ?? 6));
}

/** The lines that were read of a text, by where they end. */
const lines = new TextCache(Number.POSITIVE_INFINITY, () => new Map<number, Line>());

export const getLine = (text: string, end: number): Line =>
  getOrInsert(lines.get(text, 0), end, () => new Line(text, end));

/** `npx hardhat deploy`, `forge script`, `cast send`, `node fund.js` */
const SIGNS =
  /\bforge\s{1,4}(?:script|create)\b|\bopenssl\s{1,4}(?:ec|pkey|genpkey)\b|\bcast\s{1,4}(?:send|mktx|publish|w|wallet)\b|\b(?:geth|clef|ethdo|ethkey|besu|erigon)\s{1,4}(?:account|wallet|key|attest|import)|\b(?:hardhat|truffle|brownie|ape|ignition|npx|npm|yarn|pnpm|bunx?|deno|node|ts-node|tsx|python3?|go|cargo|make|just|forge|cast|starkli|sncast|aptos|sui|solana|near|docker|\.\/[\w./-]{1,60})\b.{0,100}\b(?:deploy|send|fund|transfer|mint|upgrade|migrate|broadcast|sweep|relay|stake|claim|withdraw|register|import|unlock|sign|publish)/i;
/** `miner: '0xaddress',` and `useLedgerSigner: true,` are no sentences. */
const FIELD_ONLY = /^["']?[\w.-]{1,40}["']?\s?:\s?(?:["'`]?0x[\da-f]{40}["'`]?|true|false),?$/i;
/** Words of transactions and blocks, and of contracts that are deployed. */
const REPORTS =
  /\b(?:block(?!scout|sec|aid|chain\.|[ _-]?hash)|gas(?:[ _-]?(?:used|price|limit|cost|fee)|["']?\s?[:=])|nonce["']?\s?[:=]\s?["']?\d|chain_?id|status|receipts?\b|mined|confirm(?:ed|ations)|revert|failed|dropped|pending|included|submitted|sent|deployed|topics|parentHash|logIndex|contracts?\b|contract_?name|abi\b|amount|timestamp|withdrawal|prox(?:y|ies)\b|uups|impl\b|implementation)|[a-z](?:Block(?!Hash)|Gas|Contract)|eth_get/i;
/** `getTransactionCount(address)`, `client.PendingNonceAt(`: these ask about an account. */
const OF_ACCOUNT = /\b\w{0,40}(?:transaction_?count|nonce|balance)\w{0,20}\(/gi;

/** `@Redacted`, `#[SensitiveParameter]`, `"sensitive": true` */
const SENSITIVE =
  /(?:@(?:[\w.]{1,60}\.)?|#\[\\?\w{0,20})(?:redact|sensitive|secret|mask(?:ed)?\b|confidential|no_?log)|\b(?:is_?)?(?:sensitive|secret|redact(?:ed)?|masked|confidential|no_?log|write_?only)["']?\s?(?:[:=]|=>)\s?["']?(?:true|yes)\b/i;

export function checkDescriptions(line: string): RemarkVerdict {
  let namesAccount = SENSITIVE.test(line);
  for (const [, kind = ''] of CERTAIN.test(line) ? line.matchAll(KIND) : []) {
    const verdict = checkLine(kind);
    if (verdict.secretWord !== null) return verdict;
  }
  for (const [, description = ''] of line.matchAll(DESCRIPTION)) {
    const verdict = checkRemark(description);
    if (verdict.secretWord !== null) return verdict;
    namesAccount ||= verdict.namesAccount;
  }
  return namesAccount ? ACCOUNT : NOTHING;
}

/** A line without what a log puts before it, and without colors. */
export const removePrefix = (line: string): string =>
  line.slice(findPrefixEnd(line)).replace(/\p{Cc}\[[\d;]{0,8}m/gu, '');

/** `[wallet]`, the name of a module. */
const TAG = /\[[\w.:-]{1,40}\]\s?/;

/** A line without the marks of quotations, lists and comments. */
export const toSentence = (line: string): string =>
  line
    .replace(/^[\s>+*#/-]+/, '')
    .replace(TAG, '')
    .trimEnd();

export const getIndent = (line: string): number => /^[\s+>]*/.exec(line)?.[0].length ?? 0;
