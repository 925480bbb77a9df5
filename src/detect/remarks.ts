// Reads what a text says about a literal: comments, docstrings, headings, descriptions, the line that leads to it.
import { findPrefixEnd } from './containers.ts';
import { actsAs, HEX, isAccountRemark, namesOwner } from './owners.ts';
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretWord, isAccountName, mentionsAccount, WARNING } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

/** What the remarks about a literal forbid. */
export interface RemarkVerdict {
  /** The words in a remark that mark a key or secret. */
  readonly secretWord: string | null;
  /** A remark names an account, or the literal is in code about keys: it may be a key. */
  readonly namesAccount: boolean;
}

/** Characters above and below a literal in which remarks about it are searched. */
const REACH = 3_000;
const REACH_BELOW = 400;
const LINES_BELOW = 5;
const MAX_LINES = 60;
/** A longer line is data. */
const MAX_LINE_LENGTH = 400;

const NOTHING: RemarkVerdict = { secretWord: null, namesAccount: false };
const ACCOUNT: RemarkVerdict = { secretWord: null, namesAccount: true };

/** What a comment, heading or description forbids. */
function checkRemark(text: string, warns = WARNING.test(text)): RemarkVerdict {
  const remark = text.includes('0x') ? text.replace(HEX, ' ') : text;
  const words = splitWords(remark);
  const namesAccount = warns || isAccountRemark(words) || isOwnerClause(remark);
  return { secretWord: findSecretWord(words), namesAccount };
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
function checkLine(text: string, warns = WARNING.test(text)): RemarkVerdict {
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
  /^[+>"'\s{]{0,80}(?:\/\/|\/?\*|<#|#(?!(?:include|define|if|ifdef|ifndef|endif|pragma|else)\b)|--|;|%|<!--|\{-|\(\*|rem\b|'{3}|"{3}|@(?:doc|moduledoc|notice|dev)\b|\(?comment\s|\.\.\s)|^\s*"[^"=:]+"$|^\s*["']\s[^"']+$|^[^"]*"{3}\s*$/i;
const HEADING =
  /^\s*(?:(#{1,6})\s|(={1,5})\s\S|(?:<h|h(?=[1-6]\. ))([1-6])\b|<(?:label|dt|th|legend|summary|caption|title)\b)/;
/** The line below a heading of reStructuredText, and what is between headings and values. */
const UNDERLINE = /^\s*([=\-~^"*+#])\1{2,}\s*$/;
const FENCE = /^\s*(?:`{3,}|~{3,}|\{|\[|\()\S{0,20}\s*$/;
/** Of a list. */
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
const TRAILING = /(?:^|[\s;,"'`)])(?:\/\/|#|--(?![\w-])|\/\*|;;|<!--|%|←|<-|rem\s)([^\n]*)/i;
const PREFIXED = /\/\*(.{1,200}?)\*\//g;
/** Below a literal: `// ^ key of the deployer`, a docstring. */
const POINTER = /^\s*(?:(?:\/\/|#|--|;|%|\/\*)\s*[\^↑]|"{3}|'{3})/;
const DESCRIPTION =
  /["'<]?\b_{0,2}(?:comments?|description|desc|notes?|label|title|purpose|summary|doc|remarks?|hint|usage|about)(?:["']?\s{0,4}[:=]\s{0,4}["']?|>)([^"'<>\n]{2,200})/gi;
/** What a field such as `"type": "private_key"` says. */
const KIND = /["'<]?\b(?:type|kind|name|id|purpose)["']?\s{0,4}[:=]\s{0,4}["']?([^"'<>\n,]{2,80})/gi;
const PRINTED =
  /\b(?:echo|printf?|println!?|puts|log|info|debug|warn|write(?:ln|line|-host|-output)?|say|note)\b[^"'`\n]{0,20}["'`]([^"'`\n]{2,120})/i;
const DECLARED =
  /\b(?:function|def|fn|func|fun|class|interface|struct|enum|contract|library|mod|module|namespace|object|trait|impl|describe|context|it|test|const|let|var|val|public|private|static|sub)\b[\s("'`]{1,4}(?:[\w<>[\]]{1,40} )?([\w$ '-]{2,80})/g;
/** The mark of a quotation, a list or a comment before other marks. */
const MARK = /^(?:\s{0,20}\/\/|\s?\*|[->#])(?:\s|$)/;
/** The last line of a comment of several lines, and what its first line has. */
const BLOCK_END = /(?:-->|\*\/|-\}|#>|\*\)|^\s*"{3}|^\s*'{3})\s*$/;
const BLOCK_START = /<!--|\/\*|\{-|<#|\(\*|"{3}.|'{3}.|^\s*[rbu]?(?:"{3}|'{3})/;
/** Text without the marks of code. */
const PROSE = /^(?:[^{}()[\]<>=;"|\\$]|(?<=\s)\([^{}()[\]<>=;"|\\$]{0,80}\)){3,200}$/;

/** Blanks before a block of code in Markdown. */
const MIN_CODE_INDENT = 3;

/** Marks of code and logs: a line with them is no heading, and no line of a comment that has no mark of its own. */
const CODE = /[=;]/;

/** A line above a literal and what it forbids in each of its roles; cached for the text that was read last. */
class Line {
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
  #reports: boolean | undefined;
  #forbids: boolean | undefined;
  #mayBeSecret: boolean | undefined;
  #above: Line | undefined;
  readonly #level: number | null;

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
    const [heading, hashes, equals, html] = HEADING.exec(marked) ?? HEADING.exec(printed) ?? [];
    this.#level = heading === undefined ? null : (hashes?.length ?? equals?.length ?? Number(html ?? 6));
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
      const isField = ADDRESS_ONLY.test(sentence);
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
      (CERTAIN.test(this.text) && findCertainSecret(splitWords(this.text.replace(HEX, ' '))) !== null) || this.#warns;
    return this.#namesKey;
  }

  /** Whether it tells of a secret without a word for it. */
  get #warns(): boolean {
    this.#hasWarning ??= WARNING.test(this.text);
    return this.#hasWarning;
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

  /** The level of a heading; `null` for other lines. */
  getLevel(below: Line | undefined): number | null {
    return below?.isUnderline && !this.isComment ? (below.text.includes('=') ? 1 : 2) : this.#level;
  }
}

/** The lines that were read of the text that was read last, by where they end. */
let last: { readonly text: string; readonly lines: Map<number, Line> } = { text: '', lines: new Map() };

function getLine(text: string, end: number): Line {
  if (last.text !== text) last = { text, lines: new Map() };
  const line = last.lines.get(end) ?? new Line(text, end);
  last.lines.set(end, line);
  return line;
}

/** What the remarks in the whole reach of a literal forbid, however near a name of a hash is. */
export function checkRemarks(text: string, scanned: ScannedLiteral): RemarkVerdict {
  return new RemarkReader(text, scanned).check();
}

/** Whether the lines beside a literal name an account or key, where nothing but its name tells that it is a hash. */
export function isBesideOwner(text: string, scanned: ScannedLiteral, tellsEvent: boolean): boolean {
  return new RemarkReader(text, scanned).isBesideOwner(tellsEvent);
}

/** Whether a line beside a literal tells of a key, where the text reports a transaction: its value may be the key. */
export const tellsKey = (text: string, scanned: ScannedLiteral): boolean => new RemarkReader(text, scanned).tellsKey();

/** Whether the lines beside a literal tell what became of transactions, and none names an account or key. */
export const isInReport = (text: string, scanned: ScannedLiteral): boolean =>
  new RemarkReader(text, scanned).isInReport();

/**
 * Whether lines in the reach of a literal handle keys, where nothing but its name tells that it is a hash. The programs that are
 * run near a variable of the environment read it too; one that is exported may be for any program.
 */
export function isNearKeys(text: string, { start, end }: ScannedLiteral): boolean {
  const before = text.slice(findLineStart(text, start, 0), start);
  if (EXPORTED.test(before)) return true;
  let isVariable: boolean | undefined;
  let name: string | undefined;
  let [above, below] = [false, false];
  for (let part = Math.floor(Math.max(0, start - REACH) / REACH); part * REACH < end + REACH; part++) {
    for (const line of readKeyLines(text, part)) {
      name ??= NAME.exec(before)?.[1] ?? '';
      isVariable ??= OF_ENVIRONMENT.test(removePrefix(before));
      // What becomes of its value in a line with its name was looked at.
      const isKey = (line.namesKey && (name === '' || !line.text.includes(name))) || (isVariable && line.signs);
      if (line.start >= end) below ||= isKey && line.start < end + REACH;
      // What is above a heading is about something else.
      else if (line.start > start - REACH) above = isKey || (above && !SECTION.test(line.text));
    }
  }
  return above || below;
}

/** The lines of the parts of a text that name keys, sign or are headings. */
let keyLines: { readonly text: string; readonly parts: Map<number, readonly Line[]> } = { text: '', parts: new Map() };

function readKeyLines(text: string, part: number): readonly Line[] {
  if (keyLines.text !== text) keyLines = { text, parts: new Map() };
  const known = keyLines.parts.get(part);
  if (known !== undefined) return known;
  const lines: Line[] = [];
  for (let at = part * REACH; at < (part + 1) * REACH && at < text.length; ) {
    const next = text.indexOf('\n', at);
    const line = getLine(text, next < 0 ? text.length : next);
    const isData = line.text.length > MAX_LINE_LENGTH;
    if (!isData && (line.namesKey || line.signs || SECTION.test(line.text))) lines.push(line);
    if (next < 0) break;
    at = next + 1;
  }
  keyLines.parts.set(part, lines);
  return lines;
}

/** `export TX_HASH=`, `$env:TX_HASH = ` */
const EXPORTED =
  /(?:^\W*|`)(?:set -\w{1,3}\s\w{1,60}\s|(?:(?:export|setx|declare -x|ENV|ARG)\s|\$env:)\w{1,60}(?:\s?=\s?|\s))["']?$/;
/** What is above a heading of this level is about something else. */
const SECTION = /^(?:#{2,6}|={2,6})\s/;
const NAME = /([A-Za-z_$][\w$]{2,60})["']?\s?[:=]\s?["']?$/;
/** Also `TX_HASH: ` and `tx=` */
const OF_ENVIRONMENT =
  /(?:^|\s)(?:(?:export|set|setx|declare|ENV|ARG|env)\s[^=]{0,40}|set -\w{1,3} \w{1,60}\s|\$env:\w{1,60}\s?=\s?|[A-Z][A-Z0-9_]{1,60}\s?[:?]{0,2}=\s?|["']?[A-Z][A-Z0-9_]{1,60}["']?:\s{1,4}|"[A-Z][A-Z0-9_]{1,60}=)["']?$|(?:^|\s)[a-z]\w{0,60}=["']?$/;
/** `npx hardhat deploy`, `forge script`, `cast send`, `node fund.js` */
const SIGNS =
  /\bforge\s{1,4}(?:script|create)\b|\bopenssl\s{1,4}(?:ec|pkey|genpkey)\b|\bcast\s{1,4}(?:send|mktx|publish|w|wallet)\b|\b(?:geth|clef|ethdo|ethkey|besu|erigon)\s{1,4}(?:account|wallet|key|attest|import)|\b(?:hardhat|truffle|brownie|ape|ignition|npx|npm|yarn|pnpm|bunx?|deno|node|ts-node|tsx|python3?|go|cargo|make|just|forge|cast|starkli|sncast|aptos|sui|solana|near|docker|\.\/[\w./-]{1,60})\b.{0,100}\b(?:deploy|send|fund|transfer|mint|upgrade|migrate|broadcast|sweep|relay|stake|claim|withdraw|register|import|unlock|sign|publish)/i;

/** Lines of a block above and below a literal. */
const BLOCK_LINES = 8;
/** `miner: '0xaddress',` is no sentence. */
const ADDRESS_ONLY = /^["']?[\w.-]{1,40}["']?\s?:\s?["'`]?0x[\da-f]{40}["'`]?,?$/i;
/** Words of transactions and blocks, and of contracts that are deployed. */
const REPORTS =
  /\b(?:block(?![ _-]?hash)|gas(?:[ _-]?(?:used|price|limit|cost|fee)|["']?\s?[:=])|nonce["']?\s?[:=]\s?["']?\d|chain_?id|status|receipts?\b|mined|confirm(?:ed|ations)|revert|failed|dropped|pending|included|submitted|sent|deployed|topics|parentHash|logIndex|contracts?\b|contract_?name|abi\b|amount|timestamp|withdrawal|prox(?:y|ies)\b|uups|impl\b|implementation)|[a-z](?:Block(?!Hash)|Gas|Contract)|eth_get/i;

/** What became of transactions, in the lines beside that of the literal. */
const OUTCOME =
  /\b(?:mined|confirm(?:ed|ations?)|reverted|deployed (?:at|to|in)|contract address|gas[ _-]?(?:used|cost|paid)|(?:in|at|block) block:? #?\d|block[ _-]?(?:number|hash|height)?["']?\s?[:=]\s?["']?#?\d|\w{2,12}scan\.\w{2,4}\/|exploit\w*|drain(?:ed|s)?|attacker|both transactions)\b|^\W{0,4}(?:chain|network): ?\w{2,20}$/i;
/** `getTransactionCount(address)`, `client.PendingNonceAt(`: these ask about an account. */
const OF_ACCOUNT = /\b\w{0,40}(?:transaction_?count|nonce|balance)\w{0,20}\(/gi;

/** Reads the lines around one literal, nearest first. */
class RemarkReader {
  readonly #text: string;
  readonly #literal: ScannedLiteral;
  readonly #lineStart: number;
  /** The smallest indent so far: a line that is indented less contains the literal. */
  #indent: number;
  /** Comments above a line that contains the literal are about the literal too. */
  #isAboveScope = false;
  /** The level of the last heading: further up only those above it count. */
  #level = 8;
  /** Within a comment of several lines. */
  #isInBlock = false;
  #secretWord: string | null = null;
  /** A line above has words for keys. */
  #mayBeSecret = false;
  #namesAccount = false;

  constructor(text: string, literal: ScannedLiteral) {
    this.#text = text;
    this.#literal = literal;
    this.#lineStart = findLineStart(text, literal.start, 0);
    const before = text.slice(this.#lineStart, literal.start);
    this.#indent = getIndent(removePrefix(before).replace(MARK, ''));
  }

  check(): RemarkVerdict {
    this.#readOwnLine();
    this.#readBelow();
    const paragraphs = this.#secretWord === null ? this.#findParagraphs() : [];
    const own = paragraphs[0] ?? [];
    if (own[0] !== undefined) this.#add(own[0].sentence);
    for (const line of own) this.#add(line.descriptions);
    if (own.every(({ isFence, isItem }) => isFence || isItem))
      this.#readLeadIn(
        own.some(({ isFence }) => isFence),
        paragraphs[1]?.[0],
      );
    for (const [at, lines] of paragraphs.entries()) {
      if (this.#secretWord !== null || (this.#namesAccount && !this.#mayBeSecret)) break;
      this.#readParagraph(lines, at === 0);
    }
    return { secretWord: this.#secretWord, namesAccount: this.#namesAccount };
  }

  #add({ secretWord, namesAccount }: RemarkVerdict): void {
    this.#secretWord ??= secretWord;
    this.#namesAccount ||= namesAccount;
  }

  /** The lines above between blank ones, nearest first; the first paragraph may be empty. None if no line forbids anything. */
  #findParagraphs(): readonly (readonly Line[])[] {
    const lines: Line[] = [];
    const floor = Math.max(0, this.#literal.start - REACH);
    let forbids = false;
    let end = this.#lineStart - 1;
    // A longer line is data: what is above it is about something else.
    while (lines.length < MAX_LINES && end > floor && this.#text[end] === '\n') {
      const line: Line = lines.at(-1)?.getAbove(this.#text) ?? getLine(this.#text, end);
      lines.push(line);
      forbids ||= line.forbids;
      this.#mayBeSecret ||= line.mayBeSecret;
      end = line.start - 1;
    }
    return forbids ? splitParagraphs(lines) : [];
  }

  /**
   * Whether a line of the block names a key, or an account where none tells what became of a transaction. The block has the
   * lines up to blank ones, and for a literal that is alone in a text the paragraph above. Where the name of the literal tells what
   * a transaction did, an account with its address is one that took part in it.
   */
  isBesideOwner(tellsEvent: boolean): boolean {
    const lines = [...this.#readBlock()];
    const [own] = lines;
    const before = this.#text.slice(this.#lineStart, this.#literal.start);
    if (mentionsAccount(splitWords(before.slice(0, findPrefixEnd(before))), false)) return true; // `[signer] txHash=0x…`
    if (lines.some(line => line.tellsKey || actsAs(line.text)) || (own?.namesOwner && !own.reports && !tellsEvent))
      return true;
    if (lines.some(line => line.reports)) return false;
    // Where all is in comments, they are no remarks about it.
    const hasRemarks = lines[0]?.isComment === false;
    return lines.some(line => {
      if (hasRemarks && line.isComment) return line.remark.namesAccount;
      return line.namesOwner && (!tellsEvent || namesOwner(line.text, false));
    });
  }

  tellsKey(): boolean {
    return [...this.#readBlock(MAX_LINES, true)].some(line => line.tellsKey);
  }

  isInReport(): boolean {
    const lines = [...this.#readBlock()];
    return (
      lines.slice(1).some(line => OUTCOME.test(line.text)) &&
      !lines.some(line => line.namesKey || line.signs || actsAs(line.text) || namesOwner(line.text, false))
    );
  }

  /** `andBeside` adds the paragraph above and the first line of the one below, which may point to what is above it. */
  *#readBlock(limit = BLOCK_LINES, andBeside = false): Generator<Line> {
    const { end } = this.#literal;
    const lineEnd = this.#text.indexOf('\n', end);
    const own = getLine(this.#text, lineEnd < 0 ? this.#text.length : lineEnd);
    yield own;
    let line = own;
    let isAlone = true;
    let blanks = andBeside ? 1 : 0;
    for (let count = 0; count < limit && line.start > 0; count++) {
      line = line.getAbove(this.#text);
      if (line.isBlank && (!isAlone || CODE.test(own.text)) && blanks-- === 0) break;
      isAlone &&= line.isBlank || line.isFence || !/\p{L}/u.test(line.text.replace(HEX, ''));
      yield line;
    }
    let at = lineEnd;
    let isBehind = false;
    for (let count = 0; count < limit && at >= 0; count++) {
      const next = this.#text.indexOf('\n', at + 1);
      const below = getLine(this.#text, next < 0 ? this.#text.length : next);
      if (below.isBlank && !andBeside) return;
      yield below;
      if (isBehind) return;
      isBehind = below.isBlank;
      at = next;
    }
  }

  #readOwnLine(): void {
    const { start, end } = this.#literal;
    const before = this.#text.slice(Math.max(this.#lineStart, start - MAX_LINE_LENGTH), start);
    const after = this.#text.slice(end, end + MAX_LINE_LENGTH / 2).split('\n', 1)[0] ?? '';
    if (before.includes('/*'))
      for (const [, comment = ''] of before.matchAll(PREFIXED)) this.#add(checkRemark(comment));
    const trailing = after.length > 3 ? TRAILING.exec(after)?.[1] : undefined;
    if (trailing !== undefined) this.#add(checkRemark(trailing));
    this.#add(checkDescriptions(before.length + after.length < MAX_LINE_LENGTH ? `${before} ${after}` : before));
    const sentence = toSentence(removePrefix(before));
    if (PROSE.test(sentence)) this.#add(checkLine(sentence));
  }

  /** `// ^ key of the deployer`, a docstring, other fields of the object. */
  #readBelow(): void {
    const { end } = this.#literal;
    const below = this.#text.slice(end, end + REACH_BELOW);
    let at = below.indexOf('\n');
    for (let count = 0; count < LINES_BELOW && at >= 0; count++) {
      const lineEnd = below.indexOf('\n', at + 1);
      const line = getLine(this.#text, end + (lineEnd < 0 ? below.length : lineEnd));
      const isPointer = POINTER.test(line.text) || POINTER.test(line.text.replace(MARK, ''));
      if (count === 0 && isPointer) this.#add(line.remark);
      if (line.isBlank || line.indent < this.#indent) return;
      this.#add(line.descriptions);
      at = lineEnd;
    }
  }

  /** The last line above a block of code, also an indented one, or above a blank line if it ends with a colon. */
  #readLeadIn(isFenced: boolean, line: Line | undefined): void {
    if (line === undefined || !PROSE.test(toSentence(line.text))) return;
    const isIndented = this.#indent > MIN_CODE_INDENT && line.indent === 0;
    if (isFenced || isIndented || /[:：]\s*$|\b(?:below|following)\b/i.test(line.text)) this.#add(line.remark);
  }

  /** Also lines without marks in a comment of several lines, which are read from its end. */
  #isComment({ isComment, isBlockEnd, isBlockStart }: Line): boolean {
    const isInside = this.#isInBlock || isBlockEnd;
    this.#isInBlock = isInside && (!isBlockStart || (isBlockEnd && !this.#isInBlock));
    return isComment || isInside;
  }

  /**
   * All comments of the lines directly above; of other paragraphs the headings, which are comments that stand alone, and the
   * comments of what contains the literal.
   */
  #readParagraph(lines: readonly Line[], isOwn: boolean): void {
    const comments = lines.map(line => this.#isComment(line));
    const isHeading = lines.every(({ isUnderline }, at) => comments[at] || isUnderline);
    // `# ` begins comments too: lines of one paragraph do not end the reach of each other.
    const last = this.#level;
    for (const [at, line] of lines.entries()) {
      const below = lines[at - 1];
      const level = line.getLevel(below);
      if ((level !== null || isHeading) && (level ?? 7) < last) {
        this.#add(line.remark);
        if (level !== null || (!isOwn && at === lines.length - 1)) this.#level = Math.min(level ?? 7, this.#level);
      } else if (comments[at]) {
        if (isOwn || this.#isAboveScope) this.#add(line.remark);
      } else {
        this.#isAboveScope = line.indent < this.#indent && /\p{L}/u.test(line.text);
        if (!this.#isAboveScope) continue;
        this.#indent = line.indent;
        this.#add(line.scope);
        if (comments[at - 1]) this.#add(below?.remark ?? NOTHING);
      }
    }
  }
}

function splitParagraphs(lines: readonly Line[]): readonly (readonly Line[])[] {
  const paragraphs: Line[][] = [[]];
  for (const line of lines) {
    if (!line.isBlank) paragraphs.at(-1)?.push(line);
    else if (paragraphs.length === 1 || paragraphs.at(-1)?.length !== 0) paragraphs.push([]);
  }
  return paragraphs;
}

function checkDescriptions(line: string): RemarkVerdict {
  let namesAccount = false;
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
const removePrefix = (line: string): string => line.slice(findPrefixEnd(line)).replace(/\p{Cc}\[[\d;]{0,8}m/gu, '');

/** `[wallet]`, the name of a module. */
const TAG = /\[[\w.:-]{1,40}\]\s?/;

/** A line without the marks of quotations, lists and comments. */
const toSentence = (line: string): string =>
  line
    .replace(/^[\s>+*#/-]+/, '')
    .replace(TAG, '')
    .trimEnd();

const getIndent = (line: string): number => /^[\s+>]*/.exec(line)?.[0].length ?? 0;
