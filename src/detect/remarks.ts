// Reads what a text says about a literal: comments, docstrings, headings, descriptions, the line that leads to it.
import { getOrInsert } from '../base/getOrInsert.ts';
import { findPrefixEnd } from './containers.ts';
import { actsAs, HEX, namesOwner, UNRELATED } from './owners.ts';
import { findLineStart } from './readBackwards.ts';
import {
  CODE,
  checkDescriptions,
  checkLine,
  checkRemark,
  getIndent,
  getLine,
  type Line,
  MARK,
  MAX_LINE_LENGTH,
  NOTHING,
  PROSE,
  type RemarkVerdict,
  removePrefix,
  toSentence,
} from './remarkLine.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAttacker, mayNameOwner, mentionsAccount } from './secretWords.ts';
import { splitWords } from './splitWords.ts';
import { TextCache } from './textCache.ts';

/** Characters above and below a literal in which remarks about it are searched. */
const REACH = 3_000;
const REACH_BELOW = 400;
const LINES_BELOW = 5;
const MAX_LINES = 60;
const TRAILING = /(?:^|[\s;,"'`)])(?:\/\/|#|--(?![\w-])|\/\*|;;|<!--|%|←|<-|rem\s)([^\n]*)/i;
const PREFIXED = /\/\*(.{1,200}?)\*\//g;
/** Below a literal: `// ^ key of the deployer`, a docstring. */
const POINTER = /^\s*(?:(?:\/\/|#|--|;|%|\/\*)\s*[\^↑]|"{3}|'{3})/;
/** `The value above is …`, `(no, this is …)`, `NOTE: it is …` */
const TELLS_ABOVE =
  /\babove\b|^\W{0,3}(?:(?:no|note|warning|important|correction|ps|p\.s\.|edit|update|sorry|oops|table \d)\b[^\p{L}]{1,4}(?:note:? ?)?(?:[^.]{0,40}\bthat )?|note:: )?(?:this|that|it|which|these|both|they|private|not)\b|^\W{0,3}table \d/iu;
/** What is between the comment at the top of a file and its code. */
const IMPORT =
  /^\s*(?:(?:package|using|import|library|namespace|module|use|from|require|open|#include|<\?php)\b|(?:BEGIN|START|SET|USE|PRAGMA|TRUNCATE|DELETE|LOCK)\b[^;'"]{0,80};\s*$)/;
/** `[^1]` of Markdown, unlike the note itself. */
const FOOTNOTE = /\[\^\w{1,20}\](?!:)/g;
/** Blanks before a block of code in Markdown. */
const MIN_CODE_INDENT = 3;

/** What the remarks in the whole reach of a literal forbid, however near a name of a hash is. */
export function checkRemarks(text: string, scanned: ScannedLiteral, isNamed: boolean): RemarkVerdict {
  return new RemarkReader(text, scanned, isNamed).check();
}

/** Whether the lines beside a literal name an account or key, where nothing but its name tells that it is a hash. */
export function isBesideOwner(text: string, scanned: ScannedLiteral, tellsEvent: boolean): boolean {
  return new RemarkReader(text, scanned, false).isBesideOwner(tellsEvent);
}

/** `[signer] txHash=0x…`: whether the process that printed the line is named after an account. */
export function isTaggedByAccount(text: string, { start }: ScannedLiteral): boolean {
  const before = text.slice(findLineStart(text, start, 0), start);
  return mentionsAccount(splitWords(before.slice(0, findPrefixEnd(before))), false);
}

/** Whether other 32 bytes beside a literal have the name of an account or key. */
export const hasNamedKey = (text: string, scanned: ScannedLiteral, isRow: boolean): boolean =>
  new RemarkReader(text, scanned, false).hasNamedKey(isRow);

/** Whether a line beside a literal tells of a key, where the text reports a transaction: its value may be the key. */
export const tellsKey = (text: string, scanned: ScannedLiteral): boolean =>
  new RemarkReader(text, scanned, false).tellsKey();

/** Whether the lines beside a literal tell what became of transactions, and none names an account or key. */
export const isInReport = (text: string, scanned: ScannedLiteral): boolean =>
  new RemarkReader(text, scanned, false).isInReport();

/**
 * Whether lines in the reach of a literal handle keys, where nothing but its name tells that it is a hash. The programs that are
 * run near a variable of the environment read it too; one that is exported may be for any program.
 */
export function isNearKeys(text: string, literal: ScannedLiteral, isUnnamed: boolean): boolean {
  const { start, end } = literal;
  const before = text.slice(findLineStart(text, start, 0), start);
  if (EXPORTED.test(removePrefix(before))) return true;
  let isVariable: boolean | undefined;
  let name: string | undefined;
  let [above, below] = [false, false];
  for (let part = Math.floor(Math.max(0, start - REACH) / REACH); part * REACH < end + REACH; part++) {
    for (const line of readKeyLines(text, part)) {
      name ??= NAME.exec(before)?.[1] ?? '';
      isVariable ??= OF_ENVIRONMENT.test(removePrefix(before));
      if (!isUnnamed && !isVariable) return false;
      // What becomes of its value in a line with its name was looked at.
      const isOther = !isUnnamed && line.isOfOther(literal);
      const isKey =
        (!isOther && line.namesKey && (name === '' || !line.text.includes(name))) || (isVariable && line.signs);
      if (line.start >= end) below ||= isKey && line.start < end + REACH;
      // What is above a heading is about something else.
      else if (line.start > start - REACH) above = isKey || (above && !SECTION.test(line.text));
    }
  }
  return above || below;
}

/** Whether the line of a literal tells of keys, or unless it is a command or code of accounts. */
export function isOnLineOfOwner(text: string, scanned: ScannedLiteral, isLink: boolean): boolean {
  const next = text.indexOf('\n', scanned.end);
  const line = getLine(text, next < 0 ? text.length : next);
  if (line.text.length > MAX_LINE_LENGTH || line.isOfOther(scanned)) return false;
  if (isLink && line.namesKey) return true;
  const rest = line.text.replace(PATH, ' ').replace(HEX, ' ').replace(UNRELATED, ' ');
  if (COMMAND.test(rest) || !mayNameOwner(rest)) return false;
  const words = splitWords(rest);
  return mentionsAccount(words, false) && !words.some(isAttacker);
}
/** Of a URL or a file. */
const PATH = /\S{0,200}\/\S{0,400}/g;

/**
 * Whether one of so many lines above or below a literal tells of keys, whatever is between; a line with other 32 bytes is about
 * these. `isText`: commands and items of a list do not count, which are next to others of their kind.
 */
export function isNearTextAboutKeys(text: string, literal: ScannedLiteral, lines: number, isText: boolean): boolean {
  const tells = (line: Line) =>
    line.isAboutKey &&
    !(isText && (line.isItem || COMMAND.test(line.text) || (OF_ADDRESS.test(line.text) && !line.namesKey))) &&
    !line.isOfOther(literal) &&
    isNear(text, literal, line, lines);
  const last = Math.floor((literal.end + REACH) / REACH);
  for (let part = Math.floor(Math.max(0, literal.start - REACH) / REACH); part <= last; part++)
    if (readKeyLines(text, part).some(tells)) return true;
  return false;
}

function isNear(text: string, { start, end }: ScannedLiteral, line: Line, lines: number): boolean {
  const lineEnd = line.start + line.text.length;
  const between = line.start >= end ? text.slice(end, line.start) : text.slice(Math.min(lineEnd, start), start);
  return between.length < REACH && between.split('\n', lines + 2).length <= lines + 1;
}
/** What is public of an account. */
const OF_ADDRESS = /\baddress is\b/i;
/** Also code. */
const COMMAND = /[={}$\\]|;\s*$|\s--?\w|^\s*(?:cast|forge|chmod|umask)\s/;

/**
 * Whether a line near a literal tells that a key was taken for a hash: `# argh, that was my key` below `cast tx 0x…`. What is
 * looked up, and what is in a link, may be that key.
 */
export function tellsOfMistake(text: string, literal: ScannedLiteral): boolean {
  const last = Math.floor((literal.end + REACH) / REACH);
  for (let part = Math.floor(Math.max(0, literal.start - REACH) / REACH); part <= last; part++)
    for (const line of readKeyLines(text, part)) {
      if (!line.isAboutKey || !isNear(text, literal, line, MISTAKE_LINES)) continue;
      // A sentence may continue in the line below.
      const above = line.start > literal.end ? line.getAbove(text).text : '';
      if (MISTAKE.test(`${above} ${line.text}`)) return true;
    }
  return false;
}
const MISTAKE_LINES = 6;
/** Also what tells of the value above or before, and that others know it now. */
const MISTAKE =
  /\b(?:wrong(?:ly)?|oops|ou?ps|argh|ouch|damn|shit|sorry|mistak\w{0,5}|accident\w{0,5}|inadvertent\w{0,2}|clipboard|pasted?|pasting|copied|copy-?paste|confus\w{0,4}|mix(?:ed)? up|in(?:stead| place) of|leak\w{0,3}|expos\w{1,3}|rotated?|revoked?|exported|searched|looks like|same (?:digits|value|bytes|string) as|re-?issued?|(?:is|was) (?:that|this|it)|(?:that|this|it)(?:['’]s| (?:is|was|has been))|versehentlich|aus versehen|falsch\w{0,2}|das (?:ist|war)|zwischenablage|par erreur|presse-papiers|c['’]est|por error|portapapeles|per sbaglio|omyłkow\w|ошиб\w{0,6}|буфер\w{0,3})|误|誤|错|剪贴板|粘贴|間違|貼り付|クリップボード|실수/iu;

/** The lines of the parts of a text that name keys, sign or are headings. */
const keyLines = new TextCache(Number.POSITIVE_INFINITY, () => new Map<number, readonly Line[]>());

function readKeyLines(text: string, part: number): readonly Line[] {
  return getOrInsert(keyLines.get(text, 0), part, () => {
    const lines: Line[] = [];
    for (let at = part * REACH; at < (part + 1) * REACH && at < text.length; ) {
      const next = text.indexOf('\n', at);
      const line = getLine(text, next < 0 ? text.length : next);
      const isData = line.text.length > MAX_LINE_LENGTH;
      if (!isData && (line.isAboutKey || line.signs || SECTION.test(line.text))) lines.push(line);
      if (next < 0) break;
      at = next + 1;
    }
    return lines;
  });
}

/** `export TX_HASH=`, `$env:TX_HASH = `, `docker run -e TX_HASH=`, `stubEnv('TX_HASH', ` */
const EXPORTED =
  /\b(?:[sS]et|put|stub)_?[eE]nv\(\s{0,4}["'`]\w{1,60}["'`],\s{0,4}["'`]$|(?:\s(?:-e|--env)\s{1,4}|^Environment=["']?)\w{1,60}=["']?$|(?:^\W*|`)(?:set -\w{1,3}\s\w{1,60}\s|(?:(?:export|setx|setenv(?: -g)?|declare -x|ENV|ARG)\s|\$env:)\w{1,60}(?:\s?:?=\s?|\s))["']?$/;
/** What is above a heading of this level is about something else. */
const SECTION = /^(?:#{2,6}|={2,6})\s/;
const SECTION_REACH = 8_000;
const NAME = /([A-Za-z_$][\w$]{2,60})["']?\s?[:=]\s?["']?$/;
/** Also `TX_HASH: ` and `tx=` */
const OF_ENVIRONMENT =
  /(?:^|\s)(?:(?:export|set|setx|declare|ENV|ARG|env)\s[^=]{0,40}|set -\w{1,3} \w{1,60}\s|\$env:\w{1,60}\s?=\s?|[A-Z][A-Z0-9_]{1,60}\s?[:?]{0,2}=\s?|["']?[A-Z][A-Z0-9_]{1,60}["']?:\s{1,4}|"[A-Z][A-Z0-9_]{1,60}=)["']?$|(?:^|\s)[a-z]\w{0,60}=["']?$|^\W{0,20}[A-Za-z]\w{0,60}\s?:?=\s?["']?$/;

/** Lines of a block above and below a literal. */
const BLOCK_LINES = 8;

/** What became of transactions, in the lines beside that of the literal. */
const OUTCOME =
  /\b(?:mined|confirm(?:ed|ations?)|reverted|deployed (?:at|to|in)|contract address|gas[ _-]?(?:used|cost|paid)|(?:in|at|block) block:? #?\d|block[ _-]?(?:number|hash|height)?["']?\s?[:=]\s?["']?#?\d|\w{2,12}scan\.\w{2,4}\/|exploit\w*|drain(?:ed|s)?|attacker|both transactions)\b|^\W{0,4}(?:chain|network): ?\w{2,20}$/i;

/** In settings and beside nothing else of a transaction, `from` is who signs: `tx.from=0xaddress`. */
const FROM = /(?<![a-z])from["']?\s?=\s?["'`]?0x[\da-f]{40}\b/i;

/** Settings of a program that sends transactions. */
const OF_SENDER =
  /(?<![\w.])["']?(?:captcha|cooldown|drip\w{0,12}|take_?profit|stop_?loss|max_?(?:spend|gas|fee|bet)|gas_?(?:bump|multiplier)|strategy|poll_?interval|dry_?run|log_?level|rpc(?:_?url)?|rest_url|node_url|node_env|home|path|port|permissions|expiry|valid_?until|spend_?limit|client-?_?address|database_url|redis_url)["']?\s?[:=]\s?\S/i;

/** `"module": "accounts",`, unlike the name of what contains it: `metadata: { name: signer }`. */
const FIELD = /^\s*["']?(?!(?:name|label|user|id|role|alias|owner|title|kind|who|tag)\b)[\w-]{1,40}["']?\s?:\s/i;

/** Of an account whose private key may be beside it. */
const PUBLIC_KEY = /pub(?:lic)?[_-]?key/i;

/** Reads the lines around one literal, nearest first. */
class RemarkReader {
  readonly #text: string;
  readonly #literal: ScannedLiteral;
  /** Its own name is that of a hash: what tells of other 32 bytes beside it is not about it. */
  readonly #isNamed: boolean;
  readonly #lineStart: number;
  /** The smallest indent so far: a line that is indented less contains the literal. */
  #indent: number;
  /** Comments above a line that contains the literal are about the literal too. */
  #isAboveScope = false;
  /** The level of the last heading: further up only those above it count. */
  #level = 8;
  /** Its own line is a comment with the mark of headings. */
  readonly #isInComment: boolean;
  /** It is behind a mark of comments or lists. */
  readonly #isMarked: boolean;
  /** Within a comment of several lines. */
  #isInBlock = false;
  #secretWord: string | null = null;
  /** A line above has words for keys. */
  #mayBeSecret = false;
  #namesAccount = false;

  constructor(text: string, literal: ScannedLiteral, isNamed: boolean) {
    this.#isNamed = isNamed;
    this.#text = text;
    this.#literal = literal;
    this.#lineStart = findLineStart(text, literal.start, 0);
    const before = text.slice(this.#lineStart, literal.start);
    const own = removePrefix(before);
    this.#isMarked = MARK.test(own);
    this.#isInComment = this.#isMarked && own.startsWith('#');
    this.#indent = getIndent(own.replace(MARK, ''));
  }

  check(): RemarkVerdict {
    this.#readOwnLine();
    const isOwn = this.#namesAccount;
    this.#readBelow();
    const paragraphs = this.#secretWord === null ? this.#findParagraphs() : [];
    const own = paragraphs[0] ?? [];
    if (own[0] !== undefined && !this.#isOfOther(own[0])) this.#add(own[0].sentence);
    for (const line of own) if (line.indent <= this.#indent && !this.#isOfOther(line)) this.#add(line.descriptions);
    if (own.every(({ isFence, isItem }) => isFence || isItem))
      this.#readLeadIn(
        own.some(({ isFence }) => isFence),
        paragraphs[1]?.[0],
      );
    for (const [at, lines] of paragraphs.entries()) {
      if (this.#secretWord !== null || (this.#namesAccount && !this.#mayBeSecret)) break;
      this.#readParagraph(lines, at === 0);
    }
    if (this.#secretWord === null) this.#add(this.#findSection()?.remark ?? NOTHING);
    return { secretWord: this.#secretWord, namesAccount: this.#namesAccount, isOwn };
  }

  /** The heading of the section that begins above the reach of remarks, such as `## Private keys`. */
  #findSection(): Line | null {
    const { start } = this.#literal;
    // A longer line is data.
    if (this.#text[this.#lineStart - 1] !== '\n') return null;
    const from = Math.max(0, start - SECTION_REACH);
    const at = this.#text.slice(from, start).lastIndexOf('\n##');
    return at < 0 || start - from - at < REACH ? null : getLine(this.#text, this.#text.indexOf('\n', from + at + 1));
  }

  #isOfOther(line: Line): boolean {
    return this.#isNamed && line.isOfOther(this.#literal);
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
    if (isTaggedByAccount(this.#text, this.#literal)) return true;
    if (
      lines.some(line => line.tellsKey || actsAs(line.text) || (!tellsEvent && OF_SENDER.test(line.text))) ||
      (own?.namesOwner && !own.reports && !tellsEvent)
    )
      return true;
    if (lines.some(line => line.reports)) return false;
    if (lines.some(line => FROM.test(line.text))) return true;
    // Where all is in comments, they are no remarks about it.
    const hasRemarks = lines[0]?.isComment === false;
    return this.#findSiblings(lines).some(line => {
      if (hasRemarks && line.isComment) return line.remark.namesAccount;
      return line.namesOwner && (!tellsEvent || namesOwner(line.text, false));
    });
  }

  /** The lines of a block but the fields of other objects. */
  #findSiblings([own, ...others]: readonly Line[]): readonly Line[] {
    const siblings: Line[] = [];
    let [above, below] = [own?.indent ?? 0, own?.indent ?? 0];
    for (const line of others) {
      const isAbove = line.start < this.#lineStart;
      if (line.indent > (isAbove ? above : below)) {
        if (!FIELD.test(line.text)) siblings.push(line);
        continue;
      }
      if (isAbove) above = line.indent;
      else below = line.indent;
      siblings.push(line);
    }
    return own === undefined ? siblings : [own, ...siblings];
  }

  /**
   * Whether other 32 bytes beside the literal have the name of an account or key, in its row or in a line beside it that is not
   * about the literal: words for one are about these.
   */
  hasNamedKey(isRow: boolean): boolean {
    const [own, ...others] = this.#readBlock();
    const isKey = (line: Line) =>
      line.isOfOther(this.#literal) &&
      !PUBLIC_KEY.test(line.text) &&
      (line.namesOwner || line.tellsKey || line.namesAccount);
    if (own === undefined || isKey(own)) return own !== undefined;
    return !isRow && !own.namesOwner && !own.namesAccount && !own.signs && others.some(isKey);
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
    for (const [mark] of `${before} ${after}`.includes('[^') ? `${before} ${after}`.matchAll(FOOTNOTE) : []) {
      const [, note = ''] = this.#text.slice(end, end + SECTION_REACH).split(`\n${mark}:`, 2);
      this.#add(checkRemark(note.split('\n', 1)[0] ?? ''));
    }
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
      if (line.isBlank) this.#readBehind(end + at + 1);
      if (line.isBlank || line.indent < this.#indent) return;
      if (line.indent === this.#indent) this.#add(line.descriptions);
      at = lineEnd;
    }
  }

  /** The first line of the paragraph below, if it tells of what is above it: `This is the private key.` */
  #readBehind(blankEnd: number): void {
    const below = this.#text.slice(blankEnd, blankEnd + REACH_BELOW);
    const [, line = ''] = /^\s{0,20}(?:`{3}\s{1,4})?([^\n]{1,200})/.exec(below) ?? [];
    const sentence = toSentence(line);
    if (TELLS_ABOVE.test(sentence)) this.#add(checkRemark(sentence));
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
   * All comments of the lines directly above; of other paragraphs the headings, which are comments that stand alone, the comments
   * of the block of the literal that a blank line follows, and the comments of what contains the literal.
   */
  #readParagraph(lines: readonly Line[], isOwn: boolean): void {
    const comments = lines.map(line => this.#isComment(line));
    const isOther = (line: Line, at: number) => !comments[at] && !line.isUnderline && !IMPORT.test(line.text);
    const headEnd = lines.findIndex(isOther);
    const isHeading = headEnd < 0;
    const head = isHeading ? lines : lines.slice(0, headEnd);
    const isInner = !this.#isMarked && head.every(line => getIndent(line.text) > this.#indent);
    // `# ` begins comments too: lines of one paragraph do not end the reach of each other.
    const last = this.#level;
    let isAboveOther = false;
    for (const [at, line] of lines.entries()) {
      const below = lines[at - 1];
      if (isOwn && !comments[at]) isAboveOther = this.#isOfOther(line);
      if (isAboveOther) continue;
      const level = line.getLevel(below, this.#isInComment);
      if ((level !== null || (isHeading && !IMPORT.test(line.text))) && (level ?? 7) < last) {
        this.#add(line.remark);
        // A blank line within a comment does not end it.
        if (level !== null || (!isOwn && !isInner && at === lines.length - 1 && !this.#isInBlock))
          this.#level = Math.min(level ?? 7, this.#level);
      } else if (comments[at]) {
        if (isOwn || this.#isAboveScope || (at < head.length && !isHeading && !isInner && last > 7))
          this.#add(line.remark);
      } else {
        this.#isAboveScope = line.indent < this.#indent && /\p{L}/u.test(line.text);
        if (!this.#isAboveScope) continue;
        this.#indent = line.indent;
        // Comments within a block do not end the reach of those above it.
        if (this.#level === 7) this.#level = 8;
        this.#add(line.scope);
        for (let next = at - 1; comments[next]; next--) this.#add(lines[next]?.remark ?? NOTHING);
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
