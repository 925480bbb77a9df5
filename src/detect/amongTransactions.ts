// Tells whether all that is written around a literal is about transactions, blocks and chains: any other word may name who it
// belongs to.
import { findChainIdByWord } from '../api/chainNames.ts';
import { findContainers } from './containers.ts';
import { readRemark } from './hashRemark.ts';
import { readObject } from './nodeRecords.ts';
import { findOtherValues, HEX, isOtherThan } from './owners.ts';
import { isOnlyOfTransaction, OUTCOME } from './phrases.ts';
import { findLineStart, findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

const CODE_FILE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|sol|vy|kts?|java|swift|cs|sql|scala|php|dart|exs?|hs|c|cpp|h|zig|nim|move|cairo)$/i;
/** Files of settings are not among them: their `tx` may be the account that sends it. */
const DATA_FILE = /\.(?:jsonl?|csv|tsv|html?|diff|patch)$/i;
/** What has several fields in a list is no setting. */
const LIST_FILE = /\.(?:ya?ml|toml)$/i;
const PROSE_FILE = /\.(?:mdx?|txt|log|adoc|rst)$/i;
const LOG_FILE = /\.log$/i;
const REACH = 600;
const MAX_LINES = 8;

/** Fields of transactions, and protocols. */
const DATA = wordSet(
  'date day time timestamp amount price fee cost gas used limit nonce index count event log logs action step type kind version true false null ok success contract contracts token tokens state result genesis parent head ' +
    'output issue deployments title note examples samples cases a b c d e x y n g utc z gwei eth wei ether usd last uniswap aave compound curve lido euler nomad permit multicall plain erc nft minted burned label eur arbitrage liquidation sandwich registration ens',
);
/** Of a file of data. */
const FILE = wordSet('data main known labels results out history report readme fixture fixtures');
/** Words of sentences. */
const TEXT = wordSet(
  'of from fixed reproduced happened broken broke introduced replays reproduces original seen found caused same shows uses since uses pools out up',
);
/** Of declarations. */
const CODE = wordSet(
  'const let var val final static export public private internal pub string str bytes hex hash b256 h256 type readonly immutable constant override def lateinit global throw error render row rows explorer link ref insert into db values expect with as pass debug replaying fork if return found w self this common to fixed txhash',
);

const NOUN = '(?:[Tt]xn?|TX|[Tt]ransaction)';
/** The name right before a literal: in code and data, and in documents, logs and comments. */
const NAMED = new RegExp(
  String.raw`(?:${NOUN}|[A-Z_]TXN?)s?\d{0,3}["'\`\]]{0,2}(?:\s?:\s?&?(?:static )?\w{1,20})?\s{0,4}(?::|:?={1,3})\s{0,4}["'\`]?$`,
);
const NAMED_IN_TEXT = new RegExp(
  String.raw`(?:${NOUN}(?:\] (?:[a-z]{2,12} ){1,3}$| (?:of|in|on|for|from) (?:the )?[\w#]{1,20}){0,2}[*_\`"'\]]{0,3}(?::|\s\|)?|tx=)[*_]{0,3}\s{0,4}["'\`*]{0,3}$`,
);
/** `0x… (tx)`, `0x… tx of the deployment`, `0x… on mainnet (tx)` */
const NAMED_BEHIND = new RegExp(String.raw`^["'\`*)]{0,3}(?: ${NOUN}\b|[^()]{0,40} \(${NOUN}\))(?! by\b)`);
const NAMED_BLOCK = /\bblock:? ["'`]?$/i;
/** What begins a comment. */
const COMMENT = /^(?:.*[\s;,])?(?:\/\/+|#|--|\/?\*+)\s/;
const COMMENT_LINE = /^\s*(?:\/\/|#|--|\/?\*)/;
/** `reproduced with tx 0x…`, unlike `sent with 0x…` */
const BEFORE_NOUN =
  /(?<=\w{3} )(?:with|by|for|as|since|see|see for|until) (?:the |this )?(?=(?:tx|txn|transaction)\b)/gi;
/** `my_tx`, `withTx` */
const OTHER_NAME = /(?:^|[^a-z])(?:my|our|with|by|as|via|for|from|using)_?t(?:xn?|ransaction)\W{1,20}$/i;
const OF_CHAIN = /\b(?:tx|txs|transactions?|blocks?|receipts?|genesis|chain id|gas)\b/;

/**
 * Whether a literal is called a transaction, and its object, row, comment or block of lines with the title above it has only words
 * of transactions, and no other bytes.
 */
export const isAmongTransactions = (
  text: string,
  scanned: ScannedLiteral,
  fileName = '',
  header: string | null = null,
) =>
  (CODE_FILE.test(fileName) || DATA_FILE.test(fileName) || PROSE_FILE.test(fileName) || LIST_FILE.test(fileName)) &&
  new Surroundings(text, scanned, fileName, header).isOfTransactions();

class Surroundings {
  readonly #text: string;
  readonly #scanned: ScannedLiteral;
  readonly #header: string | null;
  readonly #fileName: string;
  readonly #folder: string;
  readonly #before: string;
  readonly #after: string;
  readonly #isCode: boolean;
  readonly #isData: boolean;
  /** In a document, a log or a comment. */
  readonly #isText: boolean;

  constructor(text: string, scanned: ScannedLiteral, fileName: string, header: string | null) {
    this.#text = text;
    this.#scanned = scanned;
    this.#header = header;
    const [name = '', folder = ''] = fileName.split(/[\\/]/).reverse();
    [this.#fileName, this.#folder] = [name, folder];
    this.#before = text.slice(findLineStart(text, scanned.start, Math.max(0, scanned.start - REACH)), scanned.start);
    this.#after = text.slice(scanned.end, scanned.end + REACH).split('\n', 1)[0] ?? '';
    this.#isCode = CODE_FILE.test(fileName);
    this.#isData = DATA_FILE.test(fileName);
    this.#isText = PROSE_FILE.test(fileName) || (this.#isCode && COMMENT.test(this.#before));
  }

  isOfTransactions(): boolean {
    const [name = ''] = this.#fileName.split('.');
    const ofFile = splitWords(name).filter(word => !FILE.has(word));
    if (this.#isData ? !isPlain(ofFile.join(' ')) : isAccountName(ofFile)) return false;
    if (isAccountName(splitWords(this.#folder))) return false;
    const opener =
      this.#header === null && !this.#isText ? findOpenerBefore(this.#text, this.#scanned.start, REACH) : -1;
    const isHash = this.#text[opener] !== undefined && /\bhash["']?\s?[:=]\s?["'`]$/i.test(this.#before);
    if (!(this.#header === null ? isHash || this.#isNamed() : this.#header.split(/[,;|\t]/).length > 1)) return false;
    if (LIST_FILE.test(this.#fileName) && !isItem(this.#readBlock())) return false;
    const around = this.#readAround(this.#text[opener] === '{' || isHash ? opener : null);
    if (/0x[\da-f]{40}(?![\da-f])/i.test(around) || isOtherThan(findOtherValues(around), this.#scanned)) return false;
    const all = splitWords(around.replace(HEX, ' ').replace(BEFORE_NOUN, ' '));
    // `tx 0x…` in a terminal, whose lines are read one by one: what is above it may tell otherwise.
    if (all.length < 2 && LOG_FILE.test(this.#fileName)) return false;
    const words = all.filter(word => !(this.#isText ? TEXT : CODE).has(word));
    if (!this.#isText && OTHER_NAME.test(this.#before)) return false;
    return isPlain(words.join(' ')) && (!isHash || OF_CHAIN.test(words.join(' ')));
  }

  #isNamed(): boolean {
    if (!this.#isText) return NAMED.test(this.#before);
    if (NAMED_BLOCK.test(this.#before) || /\] ?$/.test(this.#before))
      return OUTCOME.test(this.#after) || (this.#isCode && !/\p{L}/u.test(this.#after));
    // `tx=0x…` alone is a setting.
    if (/=\s?$/.test(this.#before)) return NAMED_IN_TEXT.test(this.#before) && /[a-z]/i.test(this.#after);
    return NAMED_IN_TEXT.test(this.#before) || NAMED_BEHIND.test(this.#after);
  }

  #readAround(opener: number | null): string {
    const [text, scanned] = [this.#text, this.#scanned];
    const line = `${this.#before} ${this.#after}`;
    const parts = findContainers(text, scanned.start).map(words => words.join(' '));
    parts.push(readRemark(text, scanned) ?? '');
    if (this.#header !== null) parts.push(this.#header, line);
    else if (opener !== null)
      parts.push(
        readRemark(text, { ...scanned, start: opener, end: opener }) ?? '',
        readObject(text, scanned),
        this.#isCode ? line : '',
      );
    else if (!this.#isCode || COMMENT_LINE.test(this.#before)) parts.push(this.#readBlock());
    else parts.push(this.#isText ? line.replace(/^.*?(?=\/\/|#|--|\*)/, '') : line);
    return parts.join('\n');
  }

  /** The lines up to blank ones, and the title above them; in code those of the comment. */
  #readBlock(): string {
    const { start, end } = this.#scanned;
    const lines: string[] = [];
    let isTitle = false;
    const above = this.#text
      .slice(Math.max(0, start - REACH), start)
      .split('\n')
      .reverse();
    for (const line of above) {
      const isBlank = !/\p{L}/u.test(line);
      isTitle ||= lines.length > 0 && isBlank;
      if (this.#isCode && !COMMENT_LINE.test(line)) break;
      if (isBlank) continue;
      lines.push(line);
      if (isTitle || lines.length > MAX_LINES) break;
    }
    const [below = ''] = this.#text.slice(end, end + REACH).split('\n\n', 1);
    const [own = '', ...more] = below.split('\n');
    const last = this.#isCode ? more.findIndex(line => !COMMENT_LINE.test(line)) : -1;
    return [...lines, own, ...(last < 0 ? more : more.slice(0, last))].join('\n');
  }
}

/** Whether a block of lines is an item of a list with several fields: `- tx: 0x…` above `note: first swap`, `[[upgrade]]`. */
const isItem = (block: string): boolean =>
  /(?:^|\n)(?: {0,12}- |\[\[)/.test(block) && (block.match(/(?:^|\n)[ -]{0,14}\w{2,30} ?[:=] /g)?.length ?? 0) > 1;

const isPlain = (words: string): boolean =>
  isOnlyOfTransaction(
    splitWords(words)
      .filter(word => !DATA.has(word) && !/^\d/.test(word) && findChainIdByWord(word) === null)
      .join(' '),
  );
