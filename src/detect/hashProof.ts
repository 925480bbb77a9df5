// Decides whether a text proves that 32 bytes are a hash. What is not proven is not sent without a click.
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
import { findObjectStart, isInRecord, isTransactionObject } from './nodeRecords.ts';
import { findCalleeStart, findLineStart, findOpenerBefore } from './readBackwards.ts';
import { isInReport } from './remarks.ts';
import { tellsOfTransaction } from './reports.ts';
import type { RowColumn } from './rows.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, isAttacker, mentionsAccount } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** A label of a literal that is called a hash, and what is around both. */
export interface HashClaim {
  readonly label: Label;
  readonly hint: HashHint;
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
 * and what proves that they are a hash (9 to 15).
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
  if (role === 'path') return isAmbiguousPath(text, scanned) ? 'otherPlace' : 'link';
  const line = readLine(text, scanned);
  const forbidding = findForbiddingRule(text, scanned, line, claim);
  if (forbidding !== null) return forbidding;
  if (isCertain(label) && !isPlainHash(hint)) {
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
  const isAboutAccounts = (name: readonly string[]) =>
    !isLookupName(name) && !isArgument(name) && !isOfQuery(name) && (isAccountName(name) || isSettings(name));
  const isManifest = MANIFEST.test(claim.fileName ?? '');
  if ((header === null && !isManifest && containers.some(isAboutAccounts)) || SECRET_STORE.test(line.before))
    return 'aboutAccounts';
  if (INDEX.test(line.before)) return 'otherPlace';
  const isInRow = rowColumn?.name === null && !(rowColumn.isKey && isHashName(label.words));
  if (isInRow || isOneOfSeveral(text, scanned, line.before, claim)) return 'oneOfSeveral';
  if (isRemarkedAccount(text, scanned)) return 'accountRemark';
  return isInNumbers(text, scanned) ? 'otherPlace' : null;
}

/** The label of a transaction in a sentence: `waiting for 0x… to be mined`. */
export const IN_SENTENCE: Label = { role: 'prose', words: ['transaction'] };

/** The label of a transaction that a sentence tells of in other words. */
export const OF_SURROUNDINGS: Label = { role: 'prose', words: ['transaction'] };

/** For `hash`, `tx` and `block`, which need more than their name. */
function findRuleOfPlainName(text: string, scanned: ScannedLiteral, line: Line, claim: HashClaim): RuleName {
  const { label, hint, header, containers } = claim;
  const isPlain = isPlainHash(hint);
  if (isPlain && label.role === 'name' && isInRecord(text, scanned)) return 'report';
  const isBytes = /^0x/i.test(scanned.text) || /'\\{1,2}x$|\b(?:b256|hex|fixed_bytes)!\("$/.test(line.before);
  if (label.role === 'argument' || !isBytes) return 'nothing';
  const isImported = (word: string) =>
    word === 'imported' && (hint.kind === 'block' || /\bblock\b|#\d/i.test(line.other));
  if (label === IN_SENTENCE)
    return isAccountName(
      splitWords(line.other.replace(/\bfrom (?=tx|transaction)/i, '')).filter(
        word => !isAttacker(word) && !isImported(word),
      ),
    )
      ? 'aboutAccounts'
      : 'report';
  if (label === OF_SURROUNDINGS) return 'surroundings';
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
      : COLUMN.test(header) || hasPurpose(label.words, false) || isOfEvent(label.words)
  )
    return header === null ? 'hashName' : 'column';
  if (isTyped(line.before)) return 'type';
  if (
    PRINTED.test(line.before) ||
    (BEHIND_ADDRESS.test(line.before) && !isAccountName(splitWords(line.other))) ||
    MOCKED.test(line.before) ||
    COMPONENT.test(line.before) ||
    (isPlain && isOfObject(text, scanned, containers))
  )
    return 'report';
  if (isUsed) return 'lookedUp';
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

/** `tx hash` of `select … from … where tx_hash = `. */
const getColumnName = (words: readonly string[]) => words.slice(words.lastIndexOf('where') + 1);

/** Names of hashes (`txHash`), look-ups (`getTransaction`) and cheatcodes (`vm.rollFork`). */
function isCertain({ words }: Label): boolean {
  return isHashName(words) || isLookupName(words) || words[0] === 'vm';
}

/** `getUncleCountByBlockHash(` */
const isCall = ({ role, words }: Label): boolean => role === 'call' && isLookupName(words);

/** `env:`, `with:` of a workflow, `vars:` */
function isSettings(name: readonly string[]): boolean {
  return name.some(word => SETTINGS.has(word)) || /^(?:with|inputs|(?:args ?)+|vars|variables)$/.test(name.join(' '));
}
const SETTINGS = wordSet(
  'env environ environment environments config configuration cfg conf options opts settings facts storage',
);
/** `client.query({ query: TX, variables: { txHash: `, `{"query": "…", "variables": {"txHash": ` */
const OF_QUERY = /\bquery\b.{0,200}\bvariables\b/i;
/** `txHashes[0x…]` */
const INDEX = /[\w$)\]]\[["'`]?$/;
/** Programs that store secrets. */
const SECRET_STORE =
  /\b(?:vault\s(?:kv|write|view|read)|[ob][pw]\s(?:item|get|read)|(?:go)?pass\s(?:show|insert)|put-parameter|keyring|keychain|doppler|sops)\b/i;
/** Files of data whose names say what they are about. */
export const ACCOUNT_FILE =
  /(?:account|wallet|signer|keystore|keys?(?![a-z])|secret|credential)[^\\/]{0,60}[\\/]?[^\\/]{0,60}\.(?:jsonc?|csv|tsv|txt|log|xml|ya?ml|toml|ini)$/i;

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
  (!isPlainHash(hint) && VARIABLE.test(before) && !(LOWER_CASE.test(before) && LOG_LINE.test(line)));

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
  if (/^[^\p{L}\p{N}]*$/u.test(before) && BESIDE_ADDRESS.test(text.slice(end, end + 60))) return true;
  if (!SECOND_VALUE.test(before) && !FIRST_VALUE.test(text.slice(end, end + 120))) return false;
  if (isLookedUp(text, scanned, label) || isInListOfHashes(text, scanned, label)) return false;
  const isRow = /\.[ctp]sv$/i.test(fileName ?? '') && /^[^([{]*,["']?$/.test(before);
  return !isRow && (!/(?:s|in|of)$/.test(label.words.at(-1) ?? '') || PAIR.test(before));
}
/** `where tx_hash in ('0x…', '0x…')`, `parametrize("tx_hash", ["0x…", "0x…"])` */
function isInListOfHashes(text: string, { start, end }: ScannedLiteral, label: Label): boolean {
  const opener = findOpenerBefore(text, start, REACH);
  const name = text.slice(Math.max(0, opener - 60), opener);
  if (!(isHashName(label.words) || label === IN_SENTENCE) || !/\bin\s?$|["'`],\s?$/i.test(name)) return false;
  const list = `${text.slice(opener + 1, start)}${text.slice(end, end + REACH).split(/[\])]/, 1)[0]}`;
  return /^[\s"'`,]*$/.test(list.replace(/0[xX][0-9a-fA-F]{64}/g, ''));
}
/** The value behind it in a line without names: `0x…, 0xaddress, 1`. */
const BESIDE_ADDRESS = /^["'`]?[ \t]{0,4}[,;|\t ][ \t]{0,8}["'`]?0[xX][0-9a-fA-F]{40}(?![0-9a-fA-F])/;
const SECOND_VALUE = /[0-9a-fA-F]{40}["'`\\]{0,4},\s{0,4}["'`\\]{0,4}$/;
const FIRST_VALUE =
  /^["'`*)\\]{0,4}(?:[ \t]{0,4}(?:[,;/|&+]|[-=]>|→|\.{2,20}|and|und)[ \t]{0,4}|[ \t]{1,40})["'`*(\\]{0,4}(?:0[xX])?[0-9a-fA-F]{64}(?![0-9a-fA-F])/;
/** The last of several names, such as `wallet & tx hash: `. */
const LAST_NAME =
  /([\p{L}\d_-]{1,40})[)\]`*]{0,3} {0,2}([,/&+|]|[-=]>|→|\b(?:and|or|und|oder)\b) {0,2}[`*]{0,2}([\p{L}\d_ ]{2,40})[`*)]{0,3} ?[:=][`*]{0,3}\s{0,4}["'`]?$/u;
/** `new Map([['0x…', '0x…']])` */
const PAIR = /[[,]\s{0,4}\[\s{0,4}["'`]?0[xX][0-9a-fA-F]{40,64}["'`]?,\s{0,4}["'`]?$/;

/** `txHash = '0x…' // signer`, `tx hash: 0x… <- deployer`, `tx hash 0x… is the wallet` */
function isRemarkedAccount(text: string, { end }: ScannedLiteral): boolean {
  const remark = splitWords(REMARK.exec(text.slice(end, end + 80))?.[1] ?? '');
  if (remark.length === 0 || findHashHint(remark) !== null) return false;
  return mentionsAccount(remark, false) || (remark.length <= MAX_REMARK_WORDS && isAccountName(remark));
}
const REMARK =
  /^["'`)\]},;*]{0,4}[ \t]{1,20}(?:\/\/|#|--|\/\*|<-{1,3}|←|\(|is (?:the|a|an|my|our)\b|(?=signs\b))[ \t]{0,4}([^\n:=]{2,60})/;
const MAX_REMARK_WORDS = 4;

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

/** `paymentTx`, `l1 tx`, `deploy transaction`: not of an account, and no bare `lastTx`. */
function isOfEvent(words: readonly string[]): boolean {
  const [kind, of, ...more] = [...words].reverse();
  return (
    of !== undefined &&
    more.length < 2 &&
    /^(?:tx|txn|transaction)$/.test(kind ?? '') &&
    !isAccountName(words) &&
    !isActionName(words) &&
    ![of, ...more].some(word => NO_EVENT.has(word))
  );
}
const JOINED = /(?:[a-z\d]T|[_-][Tt])(?:xn?|ransaction)["'`\]]{0,2}\s?(?::|:?=|=>)\s{0,4}["'`]?$/;
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
/** The values of a list before its last one. */
const LISTED = /["'`]?0[xX][0-9a-fA-F]{64}["'`]?,\s?/g;
const TYPED =
  /([\w$]{1,60})\??:\s?(?:readonly )?(?:\w{0,20}Hash(?:es|\[\])?|[BH]256)(?:\s\|\s\w{1,20}){0,2}\s?=\s?[[(\s"'`]*$/;
/** As Anvil, Forge, Hardhat and Ganache print transactions, also in a list and in bold. */
const PRINTED = /^(?:\s*(?:Error: |[-*>]\s)?[*_]{0,2}Transaction[*_]{0,2}:[*_]{0,2}|\s*✅\s{1,4}Hash:)\s+`?$/;
/** `Token: 0xaddress (tx 0x…`, whose line names no account. */
const BEHIND_ADDRESS = /0x[\da-f]{40}[`'"*)\]]{0,3}[ ,—-]{1,3}\((?:tx|txn|transaction)(?: hash)?:? [`"']?$/i;
/** `<Toast :tx="'0x…'"`: an element of a page that shows it. */
const COMPONENT = /<(?:[A-Z]\w{1,40}|[a-z]{1,30}(?:-[a-z]{1,30}){1,4})(?:\s[^<>]{0,120})?\s[:]?\w{0,20}=["'{`]{1,3}$/;
/** `evm-trace --tx 0x…` */
const OPTION_OF_LOOKUP =
  /(?:^|[\s/-])(?:trace|decode|replay|debug|inspect|explain|receipt|lookup)\w{0,10}\b[^|;&\n]{0,100}\s--?(?:tx|txn|transaction|block)(?:-?id)?[\s=]["']?$|(?:^|[\s`])(?:npx\s|bunx\s|\.\/)?[\w-]{0,20}(?:decode|trace|replay|inspect|receipt|lookup|explain)(?:-(?:tx|txn|transaction))\s["']?$/;
/** Next to a column `hash` of blocks or transactions. */
const COLUMN =
  /\b(?:block|height|number|slot|gas|contract|step|date|time|event|token|amount|network|chain|timestamp|action|nonce|parent|from\W{1,4}to\b)/i;
/** Objects whose `hash` or `id` is their own, and calls whose `hash` is what they look up. */
const OBJECT =
  /^(?:(?:use |const )?(?:tx |transaction |deploy |deployment |last |latest |parent |safe |finalized )?(?:tx|transaction|block|receipt|head|header)s?|attribute dict)$/;
/** `createMockedTransaction({ hash: `, unlike one that signs it. */
const MAKER =
  /\b(?:create|make|build|mock|mocked|fake|expected)(?: \w{1,20}){0,3} (?:tx|transaction|block|receipt|header)$/;

/** Whether it is the `hash` of a transaction or block: `{ tx: { hash: `, `<block><hash>`. */
function isOfObject(text: string, { start }: ScannedLiteral, containers: HashClaim['containers']): boolean {
  const around = containers[text[start - 1] === '>' ? 1 : 0]; // the first is its own element
  const name = around?.join(' ') ?? '';
  return around !== undefined && (OBJECT.test(name) || (MAKER.test(name) && !isActionName(around)));
}

/** The line before a literal; the one above it too where a sentence continues on this one. */
function readLineBefore(text: string, start: number): string {
  const lineStart = findLineStart(text, start, Math.max(0, start - 160));
  const line = text.slice(lineStart, start);
  if (/[^\s#/*>`"'(-]/.test(line) || lineStart < 2) return line;
  const above = text.slice(findLineStart(text, lineStart - 1, Math.max(0, lineStart - 160)), lineStart - 1);
  return WRAPPED.test(above) ? `${above} ${line.replace(/^[\s#/*>-]+/, '')}` : line;
}
const WRAPPED = / (?:tx|txn|transaction|block)(?: hash)?$/i;

/** Whether a sentence does with it what is done with transactions: `waiting for 0x… to be mined`, `tracing 0x… fails`, `deployed in 0x…`. */
export function isInSentence(text: string, { start, end }: Range): boolean {
  const before = readLineBefore(text, start);
  const after = text.slice(end, end + 60);
  return (
    VERB_BEFORE.test(before.replace(LISTED, '')) ||
    isReturnedOrReplaced(before, after) ||
    (AWAITED.test(before) && VERB_BEHIND.test(after)) ||
    (TRACE.test(before) && PART_OF_TRACE.test(text.slice(end, end + REACH).split('\n\n', 1)[0] ?? '')) ||
    ON_EXPLORER.test(after) ||
    (/\btransaction [`"'*(]{0,3}$/i.test(before) && DID.test(after))
  );
}
/** What tools print above a trace, and what is below it or follows in a sentence: alone it may be of anything. */
const TRACE = /\b(?:call trace:|traces? (?:of|for)) {1,4}[`"'*(]{0,3}$/i;
const PART_OF_TRACE =
  /^[`"'*)]{0,3} (?:is|was|shows|ends|fails)\b|\bgas\b[^\n\d]{0,12}\d|\d gas\b|^\s{0,8}(?:\w{1,12} )?contracts?:|[├└]|\w::\w|\w\.\w{1,60}\s{1,4}\d{1,6}:\d{1,6}\b|^\s{0,8}(?:static|delegate)?call\b/im;
/** `0x… on Etherscan`, `transaction 0x… drained the pool` */
const ON_EXPLORER =
  /^[`"'*)]{0,3},? (?:on|in|at) (?:\w{2,12}scan|blockscout|tenderly|phalcon|the (?:block )?explorer)\b/i;
const DID =
  /^[`"'*)]{0,3},? (?:(?:which|that|has|had|then|also) ){0,2}(?:drained|called|transferred|emitted|paid|took|minted|burned|swapped|stole|created|upgraded|withdrew|deposited|moved|reverted|triggered|changed|used|cost|ran|spent|consumed)\b/i;
const VERB_BEHIND =
  /^[`"'*)]{0,3}(?: ?[-–—:,?](?: it)?)? (?:ran )?(?:(?:to be|to get|was|is|has been|got|not|yet|been) ){0,2}(?:out of gas|\.\.\. done|revert|fail|mined|confirmed|reverted|included|dropped|replaced|finalized|with `?cast (?:run|tx|receipt))\b/;
const AWAITED =
  /(?:\b(?:wait(?:ing|ed)? for|debug|look(?:ing)? at|(?:why|when|how) (?:did|does|has)) |^[\s#*/>-]*)[`"'*(]{0,3}$/i;
const VERB_BEFORE = new RegExp(
  `(?:${[
    String.raw`\b(?:tracing|replaying|replays|re-?executing|traces?(?:\.\w{2,3})?)`,
    String.raw`\b(?:deployed|created|minted|executed|settled|drained|upgraded|included|proven|proved|finalized|claimed|relayed|bridged|withdrawn|swapped) in`,
    String.raw`\b(?:mined|confirmed|executed|settled|finalized)(?: on[- ]?chain| on \w{2,20} in)?(?: (?:in|at) block #?\d[\d,_]{0,15})?:?`,
    String.raw`\b(?:tx|transaction) (?:sent|mined|confirmed|submitted|successful)[!:.](?: hash:)?`,
    String.raw`\b(?:broadcast(?:ed)?|error sending) (?:tx|transaction)|^\W*pending`,
    String.raw`\b(?:look(?:ing)? at|open|see|check|inspect|view|decode|trace|replay|debug) (?:(?:the|this) )?(?:tx|txn|transaction|block)(?: hash)?:?`,
    String.raw`\b(?:missing|unknown|invalid|bad|orphaned) block|\bblock with hash|\b(?:in|of|at|from|(?:receipt|logs?|status|details|proof|data) for) (?:the )?(?:tx|txn|transaction|block)(?: hash)?`,
    // An amount that was moved.
    String.raw`\b(?:sent|transferred|paid|bridged|withdrew|withdrawn|received|moved|swapped|deposited|claimed|repaid|borrowed|staked|drained|stole)\b(?:(?!\b(?:using|with|by|for|as)\b)[^:]){0,30}\d[\d.,]{0,20} \w{2,8}\b(?:(?!\b(?:using|with|by|for|as)\b)[^:]){0,90}:`,
    String.raw`\b(?:receipts?|gas(?: \w{1,12})?|(?:decoded )?input|calldata|revert reason) of|\b(?:deployed|created|upgraded) [^.:;]{1,60} in|\bblock #?\d[\d,_]{0,15},? \(?(?:with )?hash|\b(?:expected|actual|received|got|computed|local|remote)(?: block| tx)? hash:?|\b(?:find|found|load|fetch|get|at) block`,
    String.raw`\bhash (?:at|of|for) (?:block |height )?#?\d[\d,_]{0,15}:`,
    String.raw`\b(?:block|slot|height|head|tip):? (?:number )?#?\d[\d,_]{1,15}(?= {1,3}[(\`"']{0,3}$|[:,] )`,
    String.raw`\b(?:transaction|block)(?: hash)?,? e\.g\.|\b(?:tx|receipt|block)\.\w{0,15}hash\)\.to (?:eq|be)`,
    String.raw`\bwhere (?:t|tx|txs|transactions?|blocks?|receipts?)\.hash =|\bfrom \w{0,20}(?:txs|transactions|blocks) where hash in`,
    String.raw`\bwhere [^;]{0,100}\b(?:tx|transaction|block)_?hash in`,
    String.raw`\b(?:new|imported|processed|indexed|sealed|synced|committed|produced) (?:(?:empty )?block )?#?\d[\d,]{0,12}\b(?:(?!\b(?:using|with|by|for|as)\b).){0,60}|\bblock #?\d{1,12} hash 0x[\da-f]{64} parent`,
    String.raw`\bthe (?:tx|transaction)(?: hash)? (?:is|was):?|\bdeploy (?:tx|transaction):`,
    String.raw`\bnonce too (?:low|high) for|\bsubmitted(?: liquidation| bundle| batch)?:?|\bcalled \w{1,40}(?:\(\))? in`,
    String.raw`\b(?:sending|sent|submitted) (?:tx|transaction)(?:\.{2,3}|…)|\bTransaction HexBytes\(`,
    String.raw`\b(?:debug_trace|trace_|eth_get)(?:transaction|block)\w{0,20}.{0,40}`,
  ].join('|')}) {1,4}[\`"'*(]{0,3}$`,
  'i',
);

/** What a test returns from `sendTransaction`, what a log calls `old` and `new` in a reorg, `l2_head=0x…:1000` with its number. */
function isReturnedOrReplaced(before: string, after: string): boolean {
  if (MOCKED.test(before) || (/reorg|replaced|fork ?choice/i.test(before) && REORG.test(before))) return true;
  return /^["']?:\d{1,12}(?![\w:])/.test(after) && BLOCK_NAME.test(before);
}
const BLOCK_NAME = /(?:head|origin|block|safe|finalized|checkpoint|parent|l[12])["']?\s?[:=]\s?["']?$/i;
const REORG =
  /\breorg\w{0,10}\b.{0,160}\b(?:old|new|from|to|expected|parent|got|was|now)(?:_?hash)?[=: ] ?["'`(]?$|\bfork ?choice\b.{0,260}\b(?:head|safe|finali[sz]ed)(?:_?hash)?[=:] ?["']?$|\b(?:reorg\w{0,10}|block|tx|transaction)\b.{0,160}\breplaced (?:it )?by [`"'(]{0,3}$/i;
const MOCKED =
  /(?:\.hash|\[["']hash["']\])(?:\.\w{2,12}\(\))?\s?[!=]==?\s?["'`]$|\bsend_?(?:raw_?)?transaction\.return_value = (?:HexBytes\()?["']$|\bexpect\((?:await )?[\w.]{0,60}(?:send_?(?:raw_?)?transaction|write_?contract|deploy_?contract)\([^\n]{0,160}\)\.(?:resolves\.|to\.)?\w{2,30}\([`"']{1,2}$|\bblockhash\([^()\n]{1,40}\),\s$|["']eth_sendRawTransaction["'],\s?(?:async )?(?:\(\w{0,20}\)|\w{0,20}) => ["'`]$|\b\w{0,20}(?:send|write|submit|broadcast)(?:raw)?_?(?:transaction|contract|tx|calls)\)?\.mock(?:resolved|return)value(?:once)?\((?:\{ data: )?["'`]$/i;

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
  /"type":\s?"hexlens"|\b(?:block[ _]?(?:number|num|hash|height)|gas[ _]?used|gas usage|transaction[ _]?(?:index|type|hash)|tx[ _]?hash|log[ _]?index|parent[ _]?hash|contract (?:call|deployment|created|address|name))["']?(?:\s?[:=]|\s{2})|\beth_get\w+|\bstatus["']?\s?[:=]\s?["']?(?:(?:0x)?[01s]|success|reverted)\b|\bnot found\b|\(block #?\d+\)|\b(?:vm_status|event_root_hash)["']?\s?:|\b(?:number|block|height|slot)["']?\s?[:=]\s?["']?(?:(?!0x)\d|0x[\da-f]{1,10}\b)|\b(?:currency|symbol)["']?\s?[:=]|\btimestamp["']?\s?[:=]\s?\d|\btransaction="|\bTransaction\w{0,30}Error\b|\bran out of gas\b/i;
/** What becomes of transactions and blocks, in sentences. */
const EVENT = wordSet(
  'mined confirmed reverted failed dropped pending included processed indexed imported submitted sent reorg replaced success performed deploying deployed upgraded waiting published executed stuck synced committed produced finalized ' +
    'fails reverts succeeded detected evicted mempool underpriced orphaned replay replays replayed regression mainnet sepolia goerli holesky',
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
  return AT_ADDRESS.test(block) && (AT_BLOCK.test(block) || DEPLOYED_BY.test(line.before));
}
const DEPLOYED_BY = /\b(?:deploy|creation)\w{0,4}_?(?:tx|transaction)\w{0,10}["']?\s?[:=]\s?["']?$/i;
const AT_BLOCK = /(?:\b|_|[a-z](?=B))block(?:[_-]?(?:number|height))?["']?\s?[:=]\s?["']?(?!0x)\d/i;
const AT_ADDRESS = /(?:^|[\s"'{,_-])address["']?\s?[:=]\s?["']?0x[\da-f]{40}\b/i;

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

/** `redis://tx/0x…`, `file:///tx/0x…` */
const OTHER_SCHEME = /(?<![\w+.-])(?!https?:)[a-z][\w+.-]{1,20}:\/\//i;
/** What a web page or an app does with a value in its address. */
const PATH_ACTION = wordSet('import export login restore recover unlock bip verify push');

/** `/tx/0x…/sign`, `/wallet/tx/0x…`, `/import?tx=0x…` */
export function isAmbiguousPath(text: string, scanned: ScannedLiteral): boolean {
  const before =
    text
      .slice(Math.max(0, scanned.start - MAX_LINE_LENGTH), scanned.start)
      .split(/[\s"'`<>]/)
      .at(-1) ?? '';
  const after = /^\/\w{1,40}/.exec(text.slice(scanned.end, scanned.end + 41))?.[0] ?? '';
  // `broadcast/` is Foundry's folder of transactions.
  const path = before.includes('://') ? before : before.replace('broadcast/', '');
  const words = splitWords(`${path} ${after}`);
  return (
    OTHER_SCHEME.test(path) ||
    mentionsAccount(words) ||
    isActionName(words) ||
    isAccountName(splitWords(after)) ||
    words.some(word => PATH_ACTION.has(word))
  );
}
