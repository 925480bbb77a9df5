// Decides whether a text proves that 32 bytes are a hash. What is not proven is not sent without a click.
import { isAmongTransactions } from './amongTransactions.ts';
import { isAmbiguousPath } from './explorerLinks.ts';
import {
  type HashClaim,
  IN_SENTENCE,
  type Line,
  MAX_LINE_LENGTH,
  OF_REMARK,
  OF_SURROUNDINGS,
  readLine,
} from './hashClaim.ts';
import {
  CHAIN_STATE,
  CONFIGURATION,
  hasPurpose,
  isAccountFile,
  isCall,
  isCertain,
  isCompoundHash,
  isOfChain,
  isOfEvent,
  isSettings,
  MANIFEST,
  namesHash,
  PURPOSE,
  SETTING,
} from './hashNames.ts';
import { isInSentence, LISTED, MOCKED } from './hashSentence.ts';
import { findHashHint, isHashName, isLookupName, isLookupVerb, isNeutral, isPlainHash } from './hintWords.ts';
import { isLookedUp } from './keyNames.ts';
import { isArgumentOfLookup, OBJECT, OPTION_OF_LOOKUP, QUERY } from './lookedUpLiteral.ts';
import { isOfContract, isTransactionObject, readObject } from './nodeRecords.ts';
import { isRemarkedAccount } from './owners.ts';
import { isOfOther } from './phrases.ts';
import { findLineStart, findOpenerBefore } from './readBackwards.ts';
import { isInReport } from './remarks.ts';
import {
  AFTER_PRINTED,
  CITED,
  CODE_SPAN,
  COMPONENT,
  isInReportedObject,
  isOfObject,
  isReported,
  PRINTED,
} from './reportedLiteral.ts';
import { tellsOfTransaction } from './reports.ts';
import type { RuleName } from './rules.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, isAttacker, mentionsAccount, SECRET_STORE } from './secretWords.ts';
import { isOneOfSeveral, SECOND_VALUE } from './severalValues.ts';
import { splitWords } from './splitWords.ts';

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
  if ((about.length > 0 && !(about.every(isActor) && claim.isInRecord())) || SECRET_STORE.test(line.other))
    return 'aboutAccounts';
  if (isOptionOfAccount(line.before)) return 'aboutAccounts';
  if (FOUND_SECRET.test(line.before) || ADDRESS_OF.test(line.before)) return 'accountRemark';
  if (isAccountName(splitWords(TABLE.exec(line.before)?.[1] ?? ''))) return 'aboutAccounts';
  if (INDEX.test(line.before) || LOGS_IN.test(line.before)) return 'otherPlace';
  // `[addresses]` of a Move.toml
  if (/^(?:dev )?addresses$/.test(containers[0]?.join(' ') ?? '')) return 'aboutAccounts';
  const isInRow = rowColumn?.name === null && !(rowColumn.isKey && isHashName(label.words));
  if (isInRow || isOneOfSeveral(text, scanned, line.before, claim)) return 'oneOfSeveral';
  if (isRemarkedAccount(text, scanned)) return 'accountRemark';
  return isInNumbers(text, scanned) ? 'otherPlace' : null;
}

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
      /\bcreated in (?:(?:the )?(?:tx|transaction|block)\b|[`"'(]{0,2}$)|\b(?:tx|transaction) created[:!.]/i.test(
        line.before,
      ) &&
      !isAccountName(splitWords(line.other.replace(/\bcreated\b/i, '')).filter(other => !isAttacker(other))));
  if (label === IN_SENTENCE) {
    // Who acts in an earlier sentence does not own what this one tells of.
    const earlier = EARLIER.exec(line.before)?.[0] ?? '';
    const own = earlier === '' ? line.other : readLine(text, scanned, earlier.length).other;
    return isAccountName(splitWords(own).filter(word => !isAttacker(word) && !isImported(word))) ||
      mentionsAccount(splitWords(earlier).filter(word => !isImported(word)))
      ? 'aboutAccounts'
      : 'report';
  }
  if (label === OF_SURROUNDINGS || label === OF_REMARK) return 'surroundings';
  const isAmong = () =>
    (header === null || hint.kind === 'transaction') && isAmongTransactions(text, scanned, claim.fileName, header);
  if (hint.kind === 'transaction' && label.role === 'name' && isOfContract(text, scanned)) return 'report';
  const isUsed = isLookedUp(text, scanned, label);
  if (OPTION_OF_LOOKUP.test(line.before) && !mentionsAccount(splitWords(line.other))) return 'lookup';
  if (isOther(line.before, claim) && !isUsed) return isAmong() ? 'surroundings' : 'nothing';
  const name = getColumnName(label.words).filter(
    (word, at, { [at + 1]: next = '' }) =>
      !isImported(word) &&
      !(label.role === 'prose' && isAttacker(word)) &&
      !(isUsed && word === 'set') && // of fish
      !(at === 0 && word === 'private' && /^(?:string|bytes)$/.test(next)), // a visibility
  );
  if (
    isAccountFile(claim.fileName) ||
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
        (NUMBERS.test(header) &&
          !(isPlain && OF_WALLETS.test(header)) &&
          NUMBER.test(`${text.slice(line.start, scanned.start)} ${line.other}`)) ||
        isOfEvent(label.words)
  )
    return header === null ? 'hashName' : 'column';
  if (isTyped(line.before)) return 'type';
  if (header === null && DECLARED.test(line.before) && isOfEvent(label.words, SETTING)) return 'hashName';
  if (
    (PRINTED.test(line.before) && AFTER_PRINTED.test(text.slice(scanned.end, scanned.end + 40))) ||
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
    return isPlain && label.role === 'name' && isInReportedObject(text, scanned)
      ? 'report'
      : label.role === 'name' && isAmong()
        ? 'surroundings'
        : 'nothing';
  if (isReported(text, scanned, line, isPlain, containers) || isInSentence(text, scanned)) return 'report';
  if (tellsOfTransaction(text, scanned)) return 'surroundings';
  if (isAmong()) return 'surroundings';
  return !ASSIGNED.test(line.before) && !VARIABLE.test(line.before) && isInReport(text, scanned)
    ? 'surroundings'
    : 'nothing';
}

const PHRASES: ReadonlySet<string> = new Set(['name', 'prose', 'heading']);

/** The sentences before the one with the literal, and what is before brackets. */
const EARLIER = /^.*(?:[.!?] |\()/;

/** `tx hash` of `select … from … where tx_hash = `. */
const getColumnName = (words: readonly string[]) => words.slice(words.lastIndexOf('where') + 1);

/** One identifier, unlike `INFO Hash: `. */
const JOINED_HASH = /(?:[a-z\d]Hash|[A-Za-z\d]_(?:hash|HASH))\b[^\n]{0,60}$/;

/** `client.query({ query: TX, variables: { txHash: `, `{"query": "…", "variables": {"txHash": ` */
const OF_QUERY = /\bquery\b.{0,200}\bvariables\b/i;

/** `node relayer.js --tx-hash 0x…`, unlike `relayer replay --tx-hash 0x…` */
function isOptionOfAccount(before: string): boolean {
  const program = OF_PROGRAM.test(before) ? (before.split(/\s--?[a-z]/i, 1)[0] ?? '') : '';
  return program !== '' && isAccountName(splitWords(program)) && !READS.test(program);
}
const OF_PROGRAM = /\w\s--?[a-z][\w-]{0,30}[\s=]["']?$/i;
const READS =
  /trace|replay|decode|debug|inspect|explain|verify|analy|status|show|get|fetch|receipt|lookup|explorer|cast\b/i;

/** `"match": "TX_HASH=0x…"` of a program that searches for secrets. */
const FOUND_SECRET =
  /(?<![\w-])["']?(?:match(?:ed)?|raw(?:[ _]?result)?|offender|finding|leak)["']?\s?[:=]\s?["'`]{1,2}[\w "'\\-]{1,60}\s?[:=]\s?\W{0,4}$/i;

/** `derived address of txHash 0x…` */
const ADDRESS_OF =
  /(?<!contract |token |deployed |created |proxy )\b(?:address|account|signer|public key|pubkey)(?:es)?(?: 0x[\da-f]{40})? (?:of|for|from|behind)(?: the| a| this| that)? [`"']?(?:txn?|transaction)[\w -]{0,12}[`"']?:?\s?[`"'*]{0,2}$/i;

/** `txHashes[0x…]` */
const INDEX = /[\w$)\]](?<!%w)\[["'`]?$/;

/** `curl -u deploy:0x…`, `https://deploy:0x…` */
const LOGS_IN = /\bcurl(?:\s.{0,200})?\s(?:-u|--user)\s?["']?[^\s:]{0,40}:?$|:\/\/[^\s/:@]{1,40}:$/;

/** `update relayers set tx_hash = `, `from relayers where tx_hash = ` */
const TABLE = /\b(?:update|from)\s([\w."`]{1,60})\s(?:set|where)\s[^;]{0,200}$/i;

/** The object around a literal, and the lines next to its own, are read as far as this. */
const REACH = 600;

/** `uint256[2] memory txs = [0x…, 0x…]`: keys are often numbers, hashes are bytes. */
function isInNumbers(text: string, { start }: ScannedLiteral): boolean {
  const opener = findOpenerBefore(text, start, REACH);
  return text[opener] === '[' && /\bu?int\d{0,3}\[/.test(text.slice(findLineStart(text, opener, 0), opener));
}

/** `const DEPLOY_TX = `, `bytes32 internal constant DEPLOY_TX = ` */
const DECLARED =
  /^\W*(?:[\w()]{1,20} ){0,5}(?:const|constant|let|var(?=\s\w{1,60} = ")|val|final|static|readonly|bytes32)\s[^=]{1,80}=\s?\W{0,3}$/;

/** `TX=`, `"TX": `, `x['tx'] = `: a variable of that name may hold a key. */
const VARIABLE =
  /(?:(?<![\w.])[A-Z][A-Z0-9_]*(?:["']?:\s{0,40}|=|"\s=\s)|(?:^(?:[^A-Za-z-]|-\s){0,60}|\+\s)(?:export )?[A-Za-z][\w.-]{0,60}=|["']\]\s?=\s?)["']?$/;

/** `tx = 0x…` of settings and code. */
const ASSIGNED = /\s=\s?["'`(]{0,3}$/;

/** `--tx 0x…`, and items of a list without brackets, as in YAML. */
const OPTION = /(?:^|\s)--?\w[\w-]{0,40}[\s=]["']?$|^[\s#*/-]*-\s+["']?$/;

const ITEM = /^[\s#*/]*-\s+["'`]?$/;

/** Whether the label names a variable or an option. */
const isOther = (before: string, { hint, label }: HashClaim): boolean =>
  (OPTION.test(before) && !(ITEM.test(before) && hasPurpose(label.words, label.role !== 'heading'))) ||
  (!isPlainHash(hint) && !(DECLARED.test(before) && isOfEvent(label.words, SETTING)) && VARIABLE.test(before));

const JOINED = /(?:[a-z\d]T|[_-][Tt])(?:xn?|ransaction)["'`\]]{0,2}\s?(?::|:?=|=>)\s{0,4}["'`]?$/;

/** `const hash: Hash = `, unlike `privateHash: Hash`, whose name tells of something else. */
function isTyped(before: string): boolean {
  const name = TYPED.exec(before.replace(LISTED, ''))?.[1] ?? CONVERTED.exec(before)?.[1];
  if (name === undefined) return false;
  const words = splitWords(name);
  // The type `Hash` is of nothing else; 32 bytes of any type may be a key.
  const isHash =
    /:\s?(?:readonly )?\w{0,20}Hash/.test(before.slice(-60)) && words.some(word => findHashHint([word]) !== null);
  if (isHash && !isAccountName(words) && !isActionName(words)) return true;
  return words.every(
    word => PURPOSE.has(word) || CHAIN_STATE.has(word) || isNeutral([word]) || findHashHint([word]) !== null,
  );
}

/** `hash := common.HexToHash("`, `SectionHead: common.HexToHash("` */
const CONVERTED = /([\w$]{1,60})\s?(?::?=|:)\s?(?:\w{0,12}common\.)?HexToHash\(["`]?$/;

const TYPED =
  /([\w$]{1,60})\??:\s?(?:readonly )?(?:\w{0,20}Hash(?:es|\[\])?|[BH]256)(?:\s\|\s\w{1,20}){0,2}\s?=\s?(?:b256!)?[[(\s"'`]*$/;

/** Next to a column `hash` of blocks or transactions, also those with numbers. */
const COLUMN =
  /\b(?:date|time(?:stamp)?)\b.{1,80}\bamount\b|\b(?:contract|step|event|parent|from\W{1,4}to\b)|\b(?:network|chain)\b[^\p{L}]{1,40}address\b[^\p{L}]{1,40}(?:tx|transaction)\b/iu;

const NUMBERS = /\b(?:block|height|number|slot|gas|nonce)/i;

/** Accounts have a nonce and gas too: `name,address,nonce,hash`. */
const OF_WALLETS =
  /^(?!.*(?:block|\b(?:tx|transaction|log)\b|\bfrom\W{1,4}to\b)).*\b(?:address|name|exchange|bot|wallet)\b/i;

const NUMBER = /(?<![\w.-])\d(?!x)/;

/** What has an address: an account or contract, whose `hash` may be its key. */
const OF_ADDRESS = /(?:^|[\s"'{,])address["']?\s?[:=]/i;
