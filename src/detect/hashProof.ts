// Decides whether a text proves that 32 bytes are a hash. What is not proven is not sent without a click.

import { findChainIdByWord } from '../api/chainNames.ts';
import { isAmbiguousPath } from './explorerLinks.ts';
import { isInSentence, LISTED, MOCKED } from './hashSentence.ts';
import {
  findHashHint,
  type HashHint,
  isConversion,
  isHashName,
  isLookupName,
  isLookupVerb,
  isNeutral,
  isPlainHash,
} from './hintWords.ts';
import { isLookedUp } from './keyNames.ts';
import { findLogTagEnd, type Label } from './labels.ts';
import { findObjectStart, isTransactionObject, readObject } from './nodeRecords.ts';
import { isOwner, isRemarkedAccount } from './owners.ts';
import { isOfOther } from './phrases.ts';
import { findCalleeStart, findLineStart, findOpenerBefore } from './readBackwards.ts';
import { isInReport } from './remarks.ts';
import { tellsOfTransaction } from './reports.ts';
import { isInPair, type RowColumn } from './rows.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findKeyWord, isAccountName, isActionName, isAttacker, mentionsAccount, SECRET_STORE } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** A label of a literal that is called a hash, and what is around both. */
export interface HashClaim {
  readonly label: Label;
  readonly hint: HashHint;
  /** It is a field of what nodes and tools return. */
  readonly isInRecord: () => boolean;
  /** The names of all columns, where the label is that of one. */
  readonly header: string | null;
  /** The words of the names of objects and blocks around the literal, innermost first. */
  readonly containers: readonly (readonly string[])[];
  readonly fileName: string | undefined;
  /** The column of a row of different things that the literal is in. */
  readonly rowColumn: RowColumn | undefined;
}

/**
 * The rules of docs/security.md, by their numbers: what forbids to send 32 bytes, even by a click (1, 2) or without one (3 to 8),
 * and what proves that they are a hash (9 to 16).
 */
export const RULES = {
  secretWord: 1,
  secretFile: 2,
  accountRemark: 3,
  usedAsKey: 4,
  aboutAccounts: 5,
  oneOfSeveral: 6,
  otherPlace: 7,
  nothing: 8,
  hashName: 9,
  lookup: 10,
  link: 11,
  column: 12,
  type: 13,
  lookedUp: 14,
  report: 15,
  surroundings: 16, // by the text around it, which may also be about an account
} as const;
export type RuleName = keyof typeof RULES;

/** Whether a rule is one of those that prove a hash. */
export const isProof = (rule: RuleName): boolean => RULES[rule] >= RULES.hashName;

/**
 * The rule that decides whether the literal is the hash that its label names. `txHash`, `getTransaction(` and `/tx/` prove it by
 * themselves. `hash`, `tx` and `block` also name programs, accounts and what is to be hashed: they need the type of a hash, a
 * look-up or a report of what became of it, and no word about accounts on the line.
 */
export function findRule(text: string, scanned: ScannedLiteral, claim: HashClaim): RuleName {
  const { label, hint } = claim;
  const { role, words } = label;
  // `https://etherscan.io/tx/0x…,0x…`
  if (role === 'path' && SECOND_VALUE.test(text.slice(0, scanned.start).slice(-50))) return 'oneOfSeveral';
  if (role === 'path') return isAmbiguousPath(text, scanned) ? 'otherPlace' : 'link';
  const line = readLine(text, scanned);
  const above = text.slice(Math.max(0, line.start - MAX_LINE_LENGTH), line.start);
  if (PHRASES.has(role) && isOfOther(words, line.before, above, role === 'heading')) return 'nothing';
  const forbidding = findForbiddingRule(text, scanned, line, claim);
  if (forbidding !== null) return forbidding;
  const isCompound = isCompoundHash(label) && JOINED_HASH.test(line.before);
  if (isCertain(label) && (isCompound || !isPlainHash(hint))) {
    // `signerTxHash` may be what signs, unlike `wallet.getTransaction('0x…')`.
    if (
      (role === 'name' || OPTION.test(line.before)) &&
      !isLookupVerb(words) &&
      isAccountName(getColumnName(words).filter(word => word !== 'private'))
    )
      return 'aboutAccounts'; // a visibility
    return claim.header !== null ? 'column' : isHashName(words) && !isCall(label) ? 'hashName' : 'lookup';
  }
  return findRuleOfPlainName(text, scanned, line, claim);
}

/** What forbids also where a name such as `txHash` proves it. */
function findForbiddingRule(text: string, scanned: ScannedLiteral, line: Line, claim: HashClaim): RuleName | null {
  const { label, header, containers, rowColumn } = claim;
  const isArgument = (name: readonly string[]) => isHashName(label.words) && name.join(' ') === 'args';
  const isOfQuery = (name: readonly string[]) => name.join(' ') === 'variables' && OF_QUERY.test(line.before);
  const isOfBlock = OBJECT.test(containers[0]?.join(' ') ?? '');
  const isAboutAccounts = (name: readonly string[]) =>
    !isLookupName(name) &&
    !isArgument(name) &&
    !isOfQuery(name) &&
    (isAccountName(name) ||
      (isSettings(name) &&
        !isOfChain(label.words) &&
        !isOfBlock &&
        !(namesHash(label, claim.hint) && CONFIGURATION.test(name.join(' ')))));
  const isManifest = MANIFEST.test(claim.fileName ?? '');
  const about = header === null && !isManifest ? containers.filter(isAboutAccounts) : [];
  // `"validatorsExitBus": { "address": …, "contract": …, "deployTx": … }`
  const isActor = (name: readonly string[]) => !mentionsAccount(name, false) && !isSettings(name);
  if ((about.length > 0 && !(about.every(isActor) && claim.isInRecord())) || SECRET_STORE.test(line.before))
    return 'aboutAccounts';
  if (isAccountName(splitWords(TABLE.exec(line.before)?.[1] ?? ''))) return 'aboutAccounts';
  if (INDEX.test(line.before)) return 'otherPlace';
  // `[addresses]` of a Move.toml
  if (/^(?:dev )?addresses$/.test(containers[0]?.join(' ') ?? '')) return 'aboutAccounts';
  const isInRow = rowColumn?.name === null && !(rowColumn.isKey && isHashName(label.words));
  if (isInRow || isOneOfSeveral(text, scanned, line.before, claim)) return 'oneOfSeveral';
  if (isRemarkedAccount(text, scanned)) return 'accountRemark';
  return isInNumbers(text, scanned) ? 'otherPlace' : null;
}

/** The label of a transaction in a sentence: `waiting for 0x… to be mined`. */
export const IN_SENTENCE: Label = { role: 'prose', words: ['transaction'] };

/** The label of a transaction that a sentence tells of in other words. */
export const OF_SURROUNDINGS: Label = { role: 'prose', words: ['transaction'] };

/** The label of a literal whose comment says that it is the hash of a transaction or block. */
export const OF_REMARK: Label = { role: 'prose', words: ['transaction'] };

/** For `hash`, `tx` and `block`, which need more than their name. */
function findRuleOfPlainName(text: string, scanned: ScannedLiteral, line: Line, claim: HashClaim): RuleName {
  const { label, hint, header, containers } = claim;
  const isPlain = isPlainHash(hint);
  if (label.role === 'name' && (isPlain || label.words.length > 1) && claim.isInRecord()) return 'report';
  const isBytes = /^0x/i.test(scanned.text) || /'\\{1,2}x$|\b(?:b256|hex|fixed_bytes)!\("$/.test(line.before);
  if (label.role === 'argument' || !isBytes) return 'nothing';
  const isImported = (word: string) =>
    (word === 'imported' && (hint.kind === 'block' || /\bblock\b|#\d/i.test(line.other))) ||
    (word === 'created' &&
      /\bcreated in (?:the )?(?:tx|transaction|block)\b/i.test(line.before) &&
      !isAccountName(splitWords(line.other.replace(/\bcreated\b/i, ''))));
  if (label === IN_SENTENCE)
    return isAccountName(
      splitWords(line.other.replace(/\bfrom (?=[\w."]{0,60}(?:tx|transaction|log|block|receipt))/i, '')).filter(
        word => !isAttacker(word) && !isImported(word),
      ),
    )
      ? 'aboutAccounts'
      : 'report';
  if (label === OF_SURROUNDINGS || label === OF_REMARK) return 'surroundings';
  const isUsed = isLookedUp(text, scanned, label);
  if (OPTION_OF_LOOKUP.test(line.before) && !mentionsAccount(splitWords(line.other))) return 'lookup';
  if (isOther(line.before, text.slice(line.start, line.start + MAX_TIME_LENGTH), claim) && !isUsed) return 'nothing';
  const name = getColumnName(label.words).filter(
    word => !isImported(word) && !(label.role === 'prose' && isAttacker(word)) && !(isUsed && word === 'set'), // of fish
  );
  if (
    ACCOUNT_FILE.test(claim.fileName ?? '') ||
    isAccountName(name) ||
    isActionName(name) ||
    mentionsAccount(
      splitWords(line.other).filter(word => !isImported(word)),
      !isPlain,
    )
  )
    return 'aboutAccounts';
  if (
    header === null
      ? hasPurpose(label.words) || (JOINED.test(line.before) && isOfEvent(label.words))
      : COLUMN.test(header) ||
        (NUMBERS.test(header) && NUMBER.test(`${text.slice(line.start, scanned.start)} ${line.other}`)) ||
        hasPurpose(label.words, false) ||
        isOfEvent(label.words)
  )
    return header === null ? 'hashName' : 'column';
  if (isTyped(line.before)) return 'type';
  if (header === null && DECLARED.test(line.before) && isOfEvent(label.words, SETTING)) return 'hashName';
  if (
    PRINTED.test(line.before) ||
    (CITED.test(line.before) && !isAccountName(splitWords(line.other.replace(CODE_SPAN, ' ')))) ||
    MOCKED.test(line.before) ||
    COMPONENT.test(line.before) ||
    (isPlain && isOfObject(text, scanned, containers))
  )
    return 'report';
  if (isUsed) return 'lookedUp';
  if (isPlain && header === null && OF_ADDRESS.test(readObject(text, scanned))) return 'nothing';
  if (isPlain && isTransactionObject(text, scanned)) return 'report';
  if (QUERY.test(text.slice(Math.max(0, scanned.start - MAX_LINE_LENGTH), scanned.start))) return 'lookup';
  // Within the text of a message, what gets the message does not look it up.
  const isLookup = label.role === 'prose' && / $/.test(line.before) ? null : isArgumentOfLookup(text, scanned);
  if (isLookup === true) return 'lookup';
  // `onBlock({ number: 1n, hash: '0x…' })`
  if (isLookup === false)
    return isPlain && label.role === 'name' && isInReportedObject(text, scanned) ? 'report' : 'nothing';
  if (isReported(text, scanned, line, isPlain) || isInSentence(text, scanned)) return 'report';
  if (tellsOfTransaction(text, scanned)) return 'surroundings';
  return !ASSIGNED.test(line.before) && !VARIABLE.test(line.before) && isInReport(text, scanned)
    ? 'surroundings'
    : 'nothing';
}

const PHRASES: ReadonlySet<string> = new Set(['name', 'prose', 'heading']);

/** `tx hash` of `select … from … where tx_hash = `. */
const getColumnName = (words: readonly string[]) => words.slice(words.lastIndexOf('where') + 1);

/** Names of hashes (`txHash`), look-ups (`getTransaction`) and cheatcodes (`vm.rollFork`). */
function isCertain({ words }: Label): boolean {
  return isHashName(words) || isLookupName(words) || words[0] === 'vm';
}

/** `depositHash`, `expected_hash` */
const isCompoundHash = ({ role, words }: Label): boolean =>
  role === 'name' &&
  words.length > 1 &&
  !words.includes('where') &&
  words.length <= MAX_COMPOUND &&
  words.at(-1) === 'hash' &&
  !isActionName(words) &&
  !words.some(word => UNSPECIFIC.has(word));
/** One identifier, unlike `INFO Hash: `. */
const JOINED_HASH = /(?:[a-z\d]Hash|[A-Za-z\d]_(?:hash|HASH))\b[^\n]{0,60}$/;
const MAX_COMPOUND = 4;
const UNSPECIFIC = wordSet('private my our dev main default data local raw');

/** Whether a name is that of the hash of a transaction or block, or of something that happened: `txHash`, `depositTx`. */
export const namesHash = (label: Label, hint: HashHint): boolean =>
  (isHashName(label.words) && (isCompoundHash(label) || !isPlainHash(hint))) ||
  hasPurpose(label.words, false) ||
  isOfEvent(label.words, SETTING);

/** `getUncleCountByBlockHash(` */
const isCall = ({ role, words }: Label): boolean => role === 'call' && isLookupName(words);

/** `GENESIS_HASH`, `forkBlockHash`: names of settings of a node, never of an account. */
export const isOfChain = (words: readonly string[]): boolean =>
  isHashName(words) && words.some(word => CHAIN_STATE.has(word)) && !isAccountName(words);
const CHAIN_STATE = wordSet('genesis checkpoint fork finalized parent head');

/** `env:`, `with:` of a workflow, `vars:` */
function isSettings(name: readonly string[]): boolean {
  return name.some(word => SETTINGS.has(word)) || /^(?:with|inputs|(?:args ?)+|vars|variables)$/.test(name.join(' '));
}
/** Of a program, unlike an environment. */
const CONFIGURATION = /^(?!.*\b(?:env|environ|storage|facts|vars)).*\bconfig(?:uration)?s?$/;
const SETTINGS = wordSet(
  'env environ environment environments config configuration cfg conf options opts settings facts storage',
);
/** `client.query({ query: TX, variables: { txHash: `, `{"query": "…", "variables": {"txHash": ` */
const OF_QUERY = /\bquery\b.{0,200}\bvariables\b/i;
/** `txHashes[0x…]` */
const INDEX = /[\w$)\]]\[["'`]?$/;
/** `update relayers set tx_hash = `, `from relayers where tx_hash = ` */
const TABLE = /\b(?:update|from)\s([\w."`]{1,60})\s(?:set|where)\s[^;]{0,200}$/i;
/** Files of data whose names say what they are about, and those of code that are named after keys. */
export const ACCOUNT_FILE =
  /(?:account|wallet|signer|keystore|keys?(?![a-z])|secret|credential)[^\\/]{0,60}[\\/]?[^\\/]{0,60}\.(?:jsonc?|csv|tsv|txt|log|xml|ya?ml|toml|ini)$|(?:(?:private|signing|deployer|secret)[_-]?keys?|credentials?|keystores?|secrets?|mnemonics?)\.\w{1,4}$/i;

/** What tools write about the transactions that they sent. */
export const RECORDS = /(?:^|[\\/])(?:deployments|broadcast|\.openzeppelin)[\\/].{1,200}\.json$/;
const MANIFEST = /(?:^|[\\/])\.openzeppelin[\\/].{1,200}\.json$/;

type Range = Pick<ScannedLiteral, 'start' | 'end'>;

interface Line {
  readonly start: number;
  /** Without the name of the process that printed it. */
  readonly before: string;
  /** Before and after the literal, without other literals. */
  readonly other: string;
  /** The same, without other statements and a comment behind it. */
  readonly statement: string;
}

/** `uint256[2] memory txs = [0x…, 0x…]`: keys are often numbers, hashes are bytes. */
function isInNumbers(text: string, { start }: ScannedLiteral): boolean {
  const opener = findOpenerBefore(text, start, REACH);
  return text[opener] === '[' && /\bu?int\d{0,3}\[/.test(text.slice(findLineStart(text, opener, 0), opener));
}

const MAX_TIME_LENGTH = 30;
/** A longer line is data. */
const MAX_LINE_LENGTH = 300;

function readLine(text: string, scanned: ScannedLiteral): Line {
  const start = findLineStart(text, scanned.start, 0);
  const line = text.slice(start, scanned.start);
  const before = line.slice(findLogTagEnd(line));
  const after = text.slice(scanned.end, scanned.end + MAX_LINE_LENGTH).split('\n', 1)[0] ?? '';
  const removeLiterals = (part: string): string => part.replace(/(?:\b(?:from|to) )?0[xX][0-9a-fA-F]+/g, ' ');
  return {
    start,
    before,
    // Most names need nothing else.
    get other() {
      return removeLiterals(`${before} ${after}`);
    },
    get statement() {
      return removeLiterals(`${before.split('; ').at(-1)} ${after.split(/;(?:\s|$)|\s\/\/|\s#/, 1)[0]}`);
    },
  };
}

/** `const DEPLOY_TX = `, `bytes32 internal constant DEPLOY_TX = ` */
const DECLARED =
  /^\W*(?:[\w()]{1,20} ){0,5}(?:const|constant|let|val|final|static|readonly|bytes32)\s[^=]{1,80}=\s?\W{0,3}$/;

/** `TX=`, `"TX": `, `x['tx'] = `: a variable of that name may hold a key. */
const VARIABLE =
  /(?:(?<![\w.])[A-Z][A-Z0-9_]*(?:["']?:\s{0,40}|=|"\s=\s)|(?:^(?:[^A-Za-z-]|-\s){0,60}|\+\s)(?:export )?[A-Za-z][\w.-]{0,60}=|["']\]\s?=\s?)["']?$/;

/** `tx = 0x…` of settings and code. */
const ASSIGNED = /\s=\s?["'`(]{0,3}$/;

/** `--tx 0x…`, and items of a list without brackets, as in YAML. */
const OPTION = /(?:^|\s)--?\w[\w-]{0,40}[\s=]["']?$|^[\s#*/-]*-\s+["']?$/;
const ITEM = /^[\s#*/]*-\s+["'`]?$/;

/** ` l1_tx=` of a log, unlike `TX=` */
const LOWER_CASE = /(?:^|\s)[a-z][a-z0-9_]{0,40}=["']?$/;
/** What a log puts before its messages: a time, a level. */
const LOG_LINE = /^\W{0,3}(?:\d{4}-\d\d|\d\d:\d\d|(?:INFO|WARN|DEBU?G|ERROR|TRACE)\b|(?:t|ts|time|level|lvl)=)/;

/** Whether the label names a variable or an option. */
const isOther = (before: string, line: string, { hint, label }: HashClaim): boolean =>
  (OPTION.test(before) && !(ITEM.test(before) && hasPurpose(label.words, label.role !== 'heading'))) ||
  (!isPlainHash(hint) &&
    !(DECLARED.test(before) && isOfEvent(label.words, SETTING)) &&
    VARIABLE.test(before) &&
    !(LOWER_CASE.test(before) && LOG_LINE.test(line)));

/**
 * Whether the label may name another literal: `tx 0x…, 0x… signed it`, `getTransaction('0x…', '0x…')`, or is one of several
 * names: `signer / tx hash: 0x…`, `wallet, tx hash: 0x…, 0x…`.
 */
function isOneOfSeveral(text: string, scanned: ScannedLiteral, before: string, claim: HashClaim): boolean {
  const { end } = scanned;
  const { label, header, fileName } = claim;
  if (header !== null) return false;
  const [, first = '', joint, name = ''] = LAST_NAME.exec(before) ?? [];
  const isLastName = joint !== undefined && splitWords(name).join(' ') === label.words.join(' ');
  if (isLastName && (joint !== ',' || isAccountName(splitWords(first)))) return true; // unlike "Deployed, tx hash: 0x…"
  const after = text.slice(end, end + 70);
  const isUnnamed = /^[^\p{L}\p{N}]*$/u.test(before);
  if (isUnnamed ? BESIDE_ADDRESS.test(after) : label.role !== 'call' && LISTED_ADDRESS.test(after)) return true;
  if (BEHIND_ADDRESS.test(before) || ARGUMENTS.test(after) || isInPair(text, scanned)) return true;
  const argument =
    label.role === 'among' || label.role === 'call'
      ? ARGUMENT_BEFORE.exec(text.slice(Math.max(0, end - 200), scanned.start))
      : null;
  const [, quote = '', argumentName = ''] = argument ?? [];
  const beside = splitWords(argumentName);
  // `getTransaction(hash, '0x…')`, `getBlock(12, '0x…')`, `getTransaction('ops', '0x…')`
  if (findHashHint(beside) !== null || findKeyWord(beside) !== null || isOwner(argumentName)) return true;
  if (/^\d/.test(argumentName) || (quote !== '' && findChainIdByWord(argumentName) === null)) return true;
  if (!SECOND_VALUE.test(before) && !FIRST_VALUE.test(text.slice(end, end + 120))) return false;
  if (isLookedUp(text, scanned, label) || isInListOfHashes(text, scanned, label)) return false;
  const isRow = /\.[ctp]sv$/i.test(fileName ?? '') && /^[^([{]*,["']?$/.test(before);
  const isPair = PAIR.test(before) || /^["'`]?:/.test(after);
  return !isRow && (isPair || !/(?:s|in|of)$/.test(label.words.at(-1) ?? ''));
}
/** `where tx_hash in ('0x…', '0x…')`, `parametrize("tx_hash", ["0x…", "0x…"])` */
function isInListOfHashes(text: string, { start, end }: ScannedLiteral, label: Label): boolean {
  const opener = findOpenerBefore(text, start, REACH);
  const name = text.slice(Math.max(0, opener - 60), opener);
  if (!(isHashName(label.words) || label === IN_SENTENCE) || !/\bin\s?$|["'`],\s?$/i.test(name)) return false;
  const list = `${text.slice(opener + 1, start)}${text.slice(end, end + REACH).split(/[\])]/, 1)[0]}`;
  return /^[\s"'`,]*$/.test(list.replace(/0[xX][0-9a-fA-F]{64}/g, ''));
}
const ARGUMENT_BEFORE = /(["'`]?)(?<![\w$.])([\w$.]{1,60})["'`]?,\s{0,60}["'`]?$/;
/** `0xaddress -> tx hash 0x…` */
const BEHIND_ADDRESS =
  /^[^\p{L}\p{N}]*0x[\da-f]{40}["'`*]{0,3}[ \t]{0,4}(?:[-=]{1,2}>|<[-=]{1,2}|[→←:,;=|])?[ \t]{1,4}[\w ]{2,30}[:=]?[ \t]{0,4}["'`]?$/iu;
/** `tx hash: 0x…, 0xaddress` */
const LISTED_ADDRESS = /^["'`]?[ \t]{0,4}[,;|][ \t]{0,8}["'`]?0[xX][0-9a-fA-F]{40}(?![0-9a-fA-F])/;
/** The value behind it in a line without names: `0x…, 0xaddress, 1`. */
const BESIDE_ADDRESS = /^["'`]?[ \t]{0,4}[,;|\t ][ \t]{0,8}["'`]?0[xX][0-9a-fA-F]{40}(?![0-9a-fA-F])/;
/** `0x… 0xaddress 0.1`: what a program gets. */
const ARGUMENTS = /^["'`]? ["'`]?0x[\da-f]{40}["'`]? ["'`]?\d/i;
const SECOND_VALUE = /[0-9a-fA-F]{64}["'`]?:\s{0,4}["'`]?$|[0-9a-fA-F]{40}["'`\\]{0,4},\s{0,4}["'`\\]{0,4}$/;
const FIRST_VALUE =
  /^["'`*)\\]{0,4}(?:[ \t]{0,4}(?:[,;/|&+]|[-=]>|→|\.{2,20}|and|und)[ \t]{0,4}|[ \t]{1,40}|:[ \t]{0,2}\[?)["'`*(\\]{0,4}(?:0[xX])?[0-9a-fA-F]{64}(?![0-9a-fA-F])/;
/** The last of several names, such as `wallet & tx hash: `. */
const LAST_NAME =
  /([\p{L}\d_-]{1,40})[)\]`*]{0,3} {0,2}([,/&+|]|[-=]>|→|\b(?:and|or|und|oder)\b) {0,2}[`*]{0,2}([\p{L}\d_ ]{2,40})[`*)]{0,3} ?[:=][`*]{0,3}\s{0,4}["'`]?$/u;
/** `new Map([['0x…', '0x…']])` */
const PAIR =
  /0[xX][0-9a-fA-F]{64}["'`]?:\s?["'`]?$|-\s{1,4}\[\s{0,4}["'`]?$|[[,-]\s{0,4}\[\s{0,4}["'`]?0[xX][0-9a-fA-F]{40,64}["'`]?,\s{0,4}["'`]?$/;

/** What a transaction did, in its name: `attackTx`, `failed tx`. `deployTx` and `lastTx` may be settings of who sends it. */
const PURPOSE = wordSet(
  'deployment concept poc liquidation claim attack exploit hack drain deposit deployed executed settled withdraw withdrawal approve approval transfer swap mint burn upgrade creation failed failing revert reverted mined',
);

/** `deployment tx`, or with `orPlural` also `transactions`. */
export function hasPurpose(words: readonly string[], orPlural = true): boolean {
  return (
    words.some(word => PURPOSE.has(word)) ||
    (orPlural && /^(?:txs|transactions|blocks|uncles|receipts)$/.test(words.at(-1) ?? ''))
  );
}

/** Whether a name tells what the transaction did: `mintTx`, `deployTxHash`. */
export const tellsEvent = (words: readonly string[]): boolean =>
  hasPurpose(words, false) ||
  /^deploy (?:tx|transaction)$/.test(words.join(' ')) ||
  (isHashName(words) && words.some(word => /^(?:deploy(?:ed)?|execution)$/.test(word)));

/** `paymentTx`, `l1 tx`, `deploy transaction`: not of an account, and no bare `lastTx`. */
function isOfEvent(words: readonly string[], except: ReadonlySet<string> | null = null): boolean {
  const [kind, of, ...more] = words.filter(word => !OF_TYPE.has(word)).reverse();
  return (
    of !== undefined &&
    more.length < 2 &&
    /^(?:tx|txn|transaction)$/.test(kind ?? '') &&
    !isAccountName(words) &&
    !isActionName(words) &&
    ![of, ...more].some(word => NO_EVENT.has(word) && except?.has(word) !== true)
  );
}
const JOINED = /(?:[a-z\d]T|[_-][Tt])(?:xn?|ransaction)["'`\]]{0,2}\s?(?::|:?=|=>)\s{0,4}["'`]?$/;
/** In front of the name of a constant. */
const OF_TYPE = wordSet('bytes string internal public private pub static b hash h hex final');
/** Of constants in code, and of settings of who sends it. */
const SETTING = wordSet('deploy test last next first new old example sample other');
const NO_EVENT = wordSet(
  'deploy data test dev main local the my our this that a an last next first new old raw default example sample some any other tx txn transaction no your is by with for use const let var set env config export',
);

/** `const hash: Hash = `, unlike `privateHash: Hash`, whose name tells of something else. */
function isTyped(before: string): boolean {
  const name = TYPED.exec(before.replace(LISTED, ''))?.[1] ?? CONVERTED.exec(before)?.[1];
  if (name === undefined) return false;
  const words = splitWords(name);
  // The type `Hash` is of nothing else; 32 bytes of any type may be a key.
  const isHash =
    /:\s?(?:readonly )?\w{0,20}Hash/.test(before.slice(-60)) && words.some(word => findHashHint([word]) !== null);
  if (isHash && !isAccountName(words) && !isActionName(words)) return true;
  return words.every(word => PURPOSE.has(word) || isNeutral([word]) || findHashHint([word]) !== null);
}
/** `hash := common.HexToHash("` */
const CONVERTED = /([\w$]{1,60})\s?:?=\s?(?:common\.)?HexToHash\(["`]?$/;
const TYPED =
  /([\w$]{1,60})\??:\s?(?:readonly )?(?:\w{0,20}Hash(?:es|\[\])?|[BH]256)(?:\s\|\s\w{1,20}){0,2}\s?=\s?[[(\s"'`]*$/;
/** As Anvil, Forge, Hardhat and Ganache print transactions, also in a list and in bold. */
const PRINTED = /^(?:\s*(?:Error: |[-*>]\s)?[*_]{0,2}Transaction[*_]{0,2}:[*_]{0,2}|\s*✅\s{1,4}Hash:)\s+`?$/;
/** `Token: 0xaddress (tx 0x…`, `checked live (tx 0x…`, `pool.pause()` — tx 0x…`, whose line names no account. */
const CITED =
  /(?:(?:[\p{L}\d`'")\]]|(?<=\S)\*)[ ,—-]{1,3}[(@]|\)`? [—–-]{1,2} )(?:tx|txn|transaction)(?: hash)?:? [`"']?$/iu;
/** `pool.grantRole(ADMIN)` as code. */
const CODE_SPAN = /`[\w.]{1,60}\([^`\n]{0,120}\)`/g;
/** `<Toast :tx="'0x…'"`: an element of a page that shows it. */
const COMPONENT =
  /<(?:[A-Z]\w{1,40}|[a-z]{1,30}(?:-[a-z]{1,30}){1,4})(?:\s[^<>]{0,120})?\s[:]?(?:tx|txn|hash|id|transaction|block|value)\w{0,12}=["'{`]{1,3}$/;
/** `evm-trace --tx 0x…` */
const OPTION_OF_LOOKUP =
  /(?:^|[\s/-])(?:trace|decode|replay|debug|inspect|explain|receipt|lookup)\w{0,10}\b[^|;&\n]{0,100}\s--?(?:tx|txn|transaction|block)(?:-?id)?[\s=]["']?$|\b(?:rpc|query|get|show) (?:tx|transaction|receipt|block) --hash[\s=]["']?$|\bcast (?!send|mktx|wallet|w )[\w-]{2,20} (?:[^|;&\n]{1,80} )?--block[ =]["']?$|(?:^|[\s`])(?:npx\s|bunx\s|\.\/)?[\w-]{0,20}(?:decode|trace|replay|inspect|receipt|lookup|explain)(?:-(?:tx|txn|transaction))\s["']?$/;
/** Next to a column `hash` of blocks or transactions, also those with numbers. */
const COLUMN = /\b(?:contract|step|event|parent|from\W{1,4}to\b)/i;
const NUMBERS = /\b(?:block|height|number|slot|gas|nonce)/i;
const NUMBER = /(?<![\w.-])\d(?!x)/;
/** Objects whose `hash` or `id` is their own, and calls whose `hash` is what they look up. */
const OBJECT =
  /^(?:(?:use |const )?(?:tx |transaction |deploy |deployment |last |latest |parent |safe |finalized )?(?:tx|transaction|block|receipt|head|header)s?|(?:l |eth ){0,2}block (?:id|ref|info|header)|attribute dict)$/;
/** `createMockedTransaction({ hash: `, unlike one that signs it. */
const MAKER =
  /\b(?:create|make|build|mock|mocked|fake|expected)(?: \w{1,20}){0,3} (?:tx|transaction|block|receipt|header)$/;

/** Whether it is the `hash` of a transaction or block: `{ tx: { hash: `, `<block><hash>`. */
function isOfObject(text: string, { start }: ScannedLiteral, containers: HashClaim['containers']): boolean {
  const around = containers[text[start - 1] === '>' ? 1 : 0]; // the first is its own element
  const name = around?.join(' ') ?? '';
  return around !== undefined && (OBJECT.test(name) || (MAKER.test(name) && !isActionName(around)));
}

/** The object around a literal, and the lines next to its own, are read as far as this. */
const REACH = 600;
const MAX_DEPTH = 5;

/** Whether the function that is called with the literal is `getTransactionReceipt({ hash: ` or similar; `null` outside of calls. */
function isArgumentOfLookup(text: string, { start }: Range): boolean | null {
  let at = start;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    at = findOpenerBefore(text, at, REACH);
    if (at < 0 || (text[at] === '{' && /(?:=>|\))\s?$/.test(text.slice(at - 3, at)))) return null; // a body
    const callee = text[at] === '(' ? splitWords(text.slice(findCalleeStart(text, at, 0), at)) : [];
    if (
      callee.length === 0 ||
      isConversion(callee) ||
      /\b(?:dict|json|equal|match object|resolved value|return value)(?: once)?$/.test(callee.join(' '))
    )
      continue;
    const name = callee.join(' ');
    return isLookupName(callee) || OBJECT.test(name) || LOOKUP_NAME.test(name);
  }
  return null;
}

/** Whether it is the only argument of a conversion whose result is looked up: `transactionReceipt(Data.fromHex("0x…"))`. */
export function isConvertedForLookup(text: string, { start }: Range): boolean {
  const opener = findOpenerBefore(text, start, MAX_LINE_LENGTH);
  const callee = findCalleeStart(text, opener, 0);
  const conversion = splitWords(text.slice(callee, opener));
  if (text[opener] !== '(' || !isConversion(conversion) || conversion.includes('hash')) return false;
  if (!/^\((?:\w{1,20}: ?)?["'`]?$/.test(text.slice(opener, start)) || text[callee - 1] !== '(') return false;
  const name = splitWords(text.slice(findCalleeStart(text, callee - 1, 0), callee - 1));
  return isLookupName(name) || LOOKUP_NAME.test(name.join(' '));
}
const LOOKUP_NAME =
  /^(?:is|was|has) (?:(?:tx|transaction|been) )?(?:mined|confirmed|finalized|reverted)$|^expect hash\b|\b(?:tx|transaction|block|receipt) get hash\b|\b(?:by hash\b|(?:transaction|user operation|user op) receipt\b|(?:get|fetch|wait|find|load|inspect|expect) (?:for )?(?:tx|transaction|receipt)(?: confirmations)?$)/;
/** `SELECT * FROM transactions WHERE hash = `, `swaps(where: { transaction: ` */
const QUERY =
  /\bfrom\s[\w."`-]{0,80}(?:txs|transactions|blocks|receipts|logs)["`\s][^;]{0,80}\bwhere\s[^;]{0,160}$|\bupdate\s[\w."`]{0,40}(?:txs|transactions|blocks|receipts)["`\s][^;]{0,80}\bwhere\s[^;]{0,80}$|\b(?:txs|transactions|blocks|receipts)\.find\w{0,10}\(\{[^{};]{0,40}$|\bwhere:\s?\{[^{};]{0,80}$/i;

/** Fields that a node reports of transactions and blocks, unlike those that configure them: gas price, confirmations. */
const REPORTED =
  /"type":\s?"hexlens"|\b(?:block[ _]?(?:number|num|hash|height)|gas[ _]?used|gas usage|transaction[ _]?(?:index|type|hash)|tx[ _]?hash|log[ _]?index|parent[ _]?hash|contract (?:call|deployment|created|address|name))["']?(?:\s?[:=]|\s{2})|\beth_get\w+|\bstatus["']?\s?[:=]\s?["']?(?:(?:0x)?[01s]|success|reverted)\b|\bnot found\b|\(block #?\d+\)|\b(?:vm_status|event_root_hash)["']?\s?:|\b(?:number|block|height|slot)["']?\s?[:=]\s?["']?(?:(?!0x)\d|0x[\da-f]{1,10}\b)|\bcurrency["']?\s?[:=]|\btimestamp["']?\s?[:=]\s?\d|\btransaction="|\bTransaction\w{0,30}Error\b|\bran out of gas\b/i;
/** What becomes of transactions and blocks, in sentences. */
const EVENT = wordSet(
  'mined confirmed reverted failed dropped pending included processed indexed imported submitted sent reorg replaced success performed deploying deployed upgraded waiting published executed stuck synced committed produced finalized ' +
    'fails reverts succeeded detected evicted mempool underpriced orphaned replay replays replayed regression',
);
/** The name in a line of a report, such as `Gas used: 21000`, also of the request above it. */
const FIELD = /^(?:.{0,80}[\]|:]\s)?\s*(?:-\s)?(?:((?:[\w#]{1,20} ){0,2}[\w#]{1,30})(?::\s|\s{2})|eth_get\w+$)/;
/** The same in TOML. */
const TOML_FIELD = /^\s*([\w-]{1,30})\s=\s/;
/** Lines of a report above and below the literal that are read. */
const MAX_FIELDS = 6;

/** Whether `block: 5000000` and `"address": "0x…"` are beside the transaction that created it, in its block of lines. */
function isOfDeployment(text: string, { start, end }: Range, line: Line): boolean {
  if (!/^\W{0,40}\w+["']?\s?[:=]/.test(line.before)) return false;
  const before = text.slice(Math.max(0, line.start - REACH), start);
  const after = text.slice(end, end + REACH).split('\n\n', 1)[0];
  const block = `${before.slice(before.lastIndexOf('\n\n') + 1)} ${after}`;
  const isDeployed = DEPLOYED_BY.test(line.before);
  return (isDeployed && DEPLOYED_AT.test(block)) || (AT_ADDRESS.test(block) && (isDeployed || AT_BLOCK.test(block)));
}
const DEPLOYED_BY = /\b(?:deploy|creation)\w{0,4}_?(?:tx|transaction)\w{0,10}["']?\s?[:=]\s?["']?$/i;
const DEPLOYED_AT = /\bdeployed_?at["']?\s?[:=]\s?["']?(?!0x)\d/i;
const AT_BLOCK = /(?:\b|_|[a-z](?=B))(?<!start_?)block(?:[_-]?(?:number|height))?["']?\s?[:=]\s?["']?(?!0x)\d/i;
const AT_ADDRESS = /(?:^|[\s"'{,_-])address["']?\s?[:=]\s?["']?0x[\da-f]{40}\b/i;

/** What has an address: an account or contract, whose `hash` may be its key. */
const OF_ADDRESS = /(?:^|[\s"'{,])address["']?\s?[:=]/i;

export function isInReportedObject(text: string, { start, end }: Range): boolean {
  const opener = findObjectStart(text, start);
  return text[opener] === '{' && REPORTED.test(text.slice(opener, end + REACH).split('}', 1)[0] ?? '');
}

/** Whether the line, the object or the lines of a report around the literal tell what became of it. */
function isReported(text: string, { start, end }: ScannedLiteral, line: Line, isPlain: boolean): boolean {
  if (REPORTED.test(line.statement) || splitWords(line.other).some(word => EVENT.has(word))) return true;
  if (isInReportedObject(text, { start, end })) return true;
  const readField = (of: string) => FIELD.exec(of) ?? (isPlain ? TOML_FIELD.exec(of) : null);
  const own = readField(line.before);
  if (isOfDeployment(text, { start, end }, line)) return true;
  if (own?.[1] === undefined || !/^\s*["'`]?$/.test(line.before.slice(own[0].length))) return false;
  const above = text
    .slice(Math.max(0, line.start - REACH), line.start)
    .split('\n')
    .slice(-MAX_FIELDS - 1);
  const below = text
    .slice(end, end + REACH)
    .split('\n')
    .slice(1, MAX_FIELDS + 1);
  return [...above, ...below].some(near => {
    const field = readField(near);
    return field !== null && REPORTED.test(near);
  });
}
