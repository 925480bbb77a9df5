// Tells whether a file as a whole is about transactions and blocks and never of keys, where weaker proofs count.
import { findContainers } from './containers.ts';
import { findHashHint, type HashHint, isConversion, isLookupVerb, isNumberType } from './hintWords.ts';
import { isUsedAsKey } from './keyNames.ts';
import type { Label } from './labels.ts';
import { COMPARING_CALLS } from './nameWords.ts';
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretWord, isAccountName, isActionName, WARNING } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** What files about transactions and blocks tell of: each is one kind of words. */
const KINDS = [
  'tx txs txn txns txid txids txhash transaction transactions',
  'block blocks blockhash',
  'hash hashes',
  'receipt receipts',
  'gas',
  'log logs topic topics event events',
  'nonce nonces',
  'genesis uncle uncles parent',
  'contract contracts calldata abi selector bytecode',
  'trace traces tracer traced replay',
  'chain ethereum eth evm mainnet sepolia goerli rinkeby ropsten holesky blockchain',
  'mined confirmed confirmations reverted pending finalized',
].map(wordSet);
/** A short text, such as a file of settings, has fewer kinds. */
const MIN_KINDS = 4;
const MIN_KINDS_FOR_NAME = 5;
/** A longer file is data. */
const MAX_FILE_LENGTH = 300_000;

const HEX = /(?:0[xX])?[0-9a-fA-F]{40,}/g;
/** Parts of the words for secrets. */
const MAYBE_SECRET =
  /priv|secret|mnemonic|seed|pass|pw|pk|sk|key|xprv|wif|credential|entropy|ecdsa|nsec|bearer|preimage|[^\0-\x7f]/i;

/** Whether a line has a word for a secret, or for the key of an account: not for that of a cache or an API. */
function tellsOfKey(line: string): boolean {
  const word = MAYBE_SECRET.test(line) ? findSecretWord(splitWords(line)) : null;
  if (word === null || word === 'private') return false; // a visibility
  const [, of] = /^(.*?) ?keys?$/.exec(word) ?? [];
  return of === undefined || /^(?:private|secret|sign)/.test(of) || isAccountName(splitWords(of));
}

interface ChainFile {
  readonly text: string;
  /** A word for a key is somewhere in it. */
  readonly tellsOfKey: boolean;
  /** How many kinds of words for what is on a chain it has. */
  readonly kinds: number;
}
let last: ChainFile = { text: '', tellsOfKey: false, kinds: 0 };

/** Cached for the file that was read last, since its literals are classified one after another. */
function readFile(text: string): ChainFile {
  if (last.text !== text)
    last = text.length > MAX_FILE_LENGTH ? { text, tellsOfKey: true, kinds: 0 } : countKinds(text);
  return last;
}

function countKinds(text: string): ChainFile {
  const file = text.replace(HEX, ' ');
  if (file.split('\n').some(tellsOfKey)) return { text, tellsOfKey: true, kinds: 0 };
  const names = new Set(file.match(/[A-Za-z_]{2,60}/g));
  const words = new Set(Array.from(names, name => splitWords(name)).flat());
  const kinds = KINDS.filter(kind => [...kind].some(word => words.has(word))).length;
  return { text, tellsOfKey: false, kinds };
}

const CHAIN = wordSet(
  'tx txs txn txns txid txids txhash transaction transactions block blocks blockhash hash hashes receipt receipts genesis',
);
const DECISIVE = /\b(?:tx|txn|transaction|block|genesis|parent) (?:hash|id)(?:es|s)?\b/;
const namesHash = (words: readonly string[]): boolean => DECISIVE.test(words.join(' '));
const UNCLEAR = wordSet('key keys auth authority signed signs sealed argv env argument arg source private use uses');
/** Whether words are about accounts, or about who does something with what. */
const tellsOther = (words: readonly string[]): boolean =>
  isAccountName(words) ||
  isActionName(words) ||
  findSecretWord(words) !== null ||
  words.some(word => UNCLEAR.has(word));

/** Names that tell nothing of their values. */
const GENERIC = wordSet(
  'example examples placeholder expected want got result options data string str input output text exp id ids sample',
);
const isGeneric = (words: readonly string[]): boolean => words.every(word => GENERIC.has(word));
/** Words behind which a literal has another relation to what is named before them. */
const JOINING = /\b(?:by|as|with|from|using|via|for|of|to|is|use|and)[\s`"'*(:]*$/i;
/** What may be before a literal that is alone in its line: marks and conversions. */
const ALONE = /^[\s"'`*#/>([{-]*(?:(?:[\w.:]{1,30}!?[({]\s?){1,3}["'`]?)?$/;
/** Arguments of functions, which tell of what belongs to them. */
const ARGUMENTS = /\w\([^()\n]*\)/g;
const MAX_LENGTH = 240;
const MIN_WORDS = 3;

/** What the text around a literal tells. */
interface Beside {
  /** Words before it in its line, without arguments of functions. */
  readonly leading: readonly string[];
  /** Words of the two lines above, for a literal that is alone in its own. */
  readonly above: readonly string[];
}

/** What is beside a literal; `null` where a word is about accounts or actions. */
function readBeside(text: string, { start, end }: ScannedLiteral): Beside | null {
  const lineStart = findLineStart(text, start, 0);
  const line = text.slice(Math.max(lineStart, start - MAX_LENGTH), start);
  const before = (line.split(/[{}]/).at(-1) ?? '').replace(HEX, ' ');
  const after = (text.slice(end, end + MAX_LENGTH).split(/[{}\n]/, 1)[0] ?? '').replace(HEX, ' ');
  if (tellsOther(splitWords(`${before} ${after}`)) || JOINING.test(before)) return null;
  const isAlone = ALONE.test(line) && !/[\da-z]{40}/i.test(text.slice(end, end + MAX_LENGTH).split('\n', 1)[0] ?? '');
  const above = isAlone ? readAbove(text, lineStart) : [];
  if (tellsOther(above)) return null;
  return { leading: splitWords(before.replace(ARGUMENTS, ' ').replace(ARGUMENTS, ' ')), above };
}

function readAbove(text: string, lineStart: number): readonly string[] {
  const lines: string[] = [];
  const above = text
    .slice(Math.max(0, lineStart - 600), lineStart)
    .split('\n')
    .slice(-5, -1)
    .reverse();
  for (const line of above) {
    if (lines.length === 2 || line.trim() === '') break;
    if (/\p{L}/u.test(line.replace(HEX, ''))) lines.push(line.slice(-MAX_LENGTH));
  }
  return splitWords(lines.join(' ').replace(HEX, ' '));
}

/** Whether what a call gets may be the hash that it tells of: it converts, compares or looks up. */
function mayTakeHash(words: readonly string[]): boolean {
  return (
    isConversion(words) ||
    words[0] === 'json' ||
    words.some(word => COMPARING_CALLS.has(word)) ||
    (isLookupVerb(words) && !words.some(word => /^(?:of|by|for|from|with)$/.test(word))) ||
    (/\b(?:tx|transaction|block) hash$/.test(words.join(' ')) && !tellsOther(words))
  );
}

/** Whether the labels of a literal leave open what it is: a name that tells of something else is its own. */
function areOpen(labels: readonly Label[]): boolean {
  const isCall = ({ role }: Label) => role === 'call' || role === 'among';
  if (!labels.every(label => (isCall(label) ? mayTakeHash(label.words) : !tellsOther(label.words)))) return false;
  const name = labels.find(label => label.role !== 'type' && !(label.role === 'call' && isConversion(label.words)));
  if (name === undefined || (name.role !== 'name' && name.role !== 'argument')) return true;
  const { words } = name;
  return !isNumberType(words) && (isGeneric(words) || (words.length > 1 && words.some(word => CHAIN.has(word))));
}

const findHint = (words: readonly string[]): HashHint | null =>
  words.some(word => CHAIN.has(word)) ? findHashHint([words.includes('block') ? 'block' : 'transaction']) : null;

const DOCUMENT = /\.(?:mdx?|rst|adoc|markdown)$/i;
const COMMENT_MARK = /(?<![^\s;,{}()])(?:\/\/|\/\*|#|--\s|<!--)|^\s{0,40}\*\s/;
/** The noun right before a literal. */
const NOUN =
  /(?<![\p{L}\d_$.-])(?:tx|txn|transaction|block|hash|txid|receipt)s?(?: (?:hash|id|number|height))?(?: (?:is|was|#?\d[\d,_.]{0,15}))?[\s:,([`"'*@#<]{0,8}$/iu;
const END_OF_SENTENCE = /[.!?]\s|["”|]|\\n/;
const NOT_IT =
  /^(?:not|no|like|invalid|missing|with|using|via|by|(?:pre)?fund(?:s|ed)|holds|owns|alloc(?:ated)?|balance|credited|mine|yours|sends|pays|signs)$/;
const MIN_SENTENCE = 4;
/** Of the noun, with its number and marks. */
const MAX_NOUN_LENGTH = 40;

/** Whether it is right behind the noun for a hash, in a sentence of a comment or a document about nothing else. */
function isInSentence(text: string, { start, end }: ScannedLiteral, fileName: string): boolean {
  const readProse = (line: string): string | undefined => {
    const [code = '', ...comments] = line.split(COMMENT_MARK);
    return comments.at(-1) ?? (DOCUMENT.test(fileName) ? code.replace(/^[\s>*#-]+/, '') : undefined);
  };
  const tail = text.slice(Math.max(0, start - MAX_NOUN_LENGTH), start);
  if (/\p{L}/u.test(tail.slice(tail.lastIndexOf('\n') + 1)) && !NOUN.test(tail)) return false;
  const lineStart = findLineStart(text, start, 0);
  let line = readProse(text.slice(lineStart, start));
  if (line !== undefined && !/\p{L}/u.test(line))
    line = readProse(text.slice(findLineStart(text, lineStart - 1, 0), Math.max(0, lineStart - 1)));
  const sentence = line?.split(END_OF_SENTENCE).findLast(part => part.trim() !== '') ?? '';
  if (!NOUN.test(sentence) || /[={};]/.test(sentence) || WARNING.test(sentence)) return false;
  const rest = (text.slice(end, end + MAX_LENGTH).split('\n', 1)[0] ?? '').replace(
    /^[`"'*)\]]{1,4}(?:\([^()\s]*\))?/,
    '',
  );
  const words = splitWords(`${sentence} ${rest.split(/[.!?](?:\s|$)/, 1)[0]}`.replace(HEX, ' '));
  return words.length >= MIN_SENTENCE && !words.some(word => NOT_IT.test(word)) && !tellsOther(words);
}

/** `b256!("`: bytes without a prefix. */
const MACRO = /!\s?\(\s{0,40}"$/;

export interface ChainClaim {
  readonly labels: readonly Label[];
  /** Its own name is that of a hash. */
  readonly isNamed: boolean;
  readonly fileName: string | undefined;
  /** The whole file, where the text is a part of it. */
  readonly file: (() => string) | undefined;
}

/** What the text near a literal tells of it, and how many kinds of words for what is on a chain its file needs for that. */
function findNear(
  text: string,
  scanned: ScannedLiteral,
  { labels, isNamed, fileName = '' }: ChainClaim,
): readonly [hint: HashHint | null, kinds: number] {
  const transaction = findHashHint(['transaction']);
  if (isNamed) return [readBeside(text, scanned) === null ? null : transaction, MIN_KINDS_FOR_NAME];
  if (isInSentence(text, scanned, fileName)) return [transaction, 0];
  if (isGeneric(labels[0]?.words ?? ['-'])) {
    const containers = findContainers(text, scanned.start);
    const outer = containers.find(words => !isGeneric(words));
    if (outer !== undefined && namesHash(outer) && !containers.some(tellsOther)) return [findHashHint(outer), 0];
  }
  const beside = areOpen(labels) ? readBeside(text, scanned) : null;
  if (beside === null) return [null, 0];
  const { leading, above } = beside;
  const own = leading.length >= MIN_WORDS || namesHash(leading) ? findHint(leading) : null;
  return [own ?? findHint(above), MIN_KINDS];
}

/** What a file that never tells of keys says of a literal that no other rule proves. */
export function findChainHint(text: string, scanned: ScannedLiteral, claim: ChainClaim): HashHint | null {
  const [first] = claim.labels;
  const hasOtherName = first?.role === 'name' && !isGeneric(first.words) && !first.words.some(word => CHAIN.has(word));
  if (hasOtherName && !claim.isNamed) return null;
  const isBytes = scanned.shape === 'bytes32' || MACRO.test(text.slice(Math.max(0, scanned.start - 50), scanned.start));
  if (!isBytes && !claim.isNamed) return null;
  const [hint, minKinds] = findNear(text, scanned, claim);
  if (hint === null) return null;
  // The whole file is only read where something near it tells of a hash.
  const { tellsOfKey: isOfKeys, kinds } = readFile(claim.file?.() ?? text);
  return isOfKeys || kinds < minKinds || isUsedAsKey(text, scanned, claim.labels) ? null : hint;
}
