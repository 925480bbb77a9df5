// Tells whether what is written about a literal is about a hash: anything else may be about a key.
import { readComments, readNotes } from './notes.ts';
import { isAccountRemark } from './owners.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, WARNING } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** Words of hashes, transactions and blocks in many languages, and of what transactions do. */
const OF_HASH =
  /\b(?:tx|txn|txs|txids?|receipts?|mined|miner|\w{0,7}swap\w*|mint(?:ed|s|ing)?|burn(?:ed|s)?|\w{0,6}transfer\w*|approv\w+|upgrad\w+|deploy(?:ed|ment|ments|s|ing)?|exploit\w*|attack\w*|hack(?:ed|er|ers|s)?|drain\w*|incident|bridg\w+|deposit\w*|withdraw\w*|claim\w*|trace\w*|replay\w*|revert\w*|fail\w*|gas ?used|\d gas|gas:? \d{1,9}|nonce:? \d{1,9}|version:? \d{1,12}|\d confirmations?|fees? paid|events?|topics?|genesis|reorg\w*|orphan\w*|uncles?|merge|fork|checkpoint\w*|proposal|executed|filled|liquidat\w+|arb|arbitrage|sandwich\w*|out of gas|on-?chain|finance|protocol|proof of concept|poc|explorer|cursor|index(?:er|ed|ing)|sync\w*|\w{2,12}scan)\b|hash(?!i)|transa[kcz]|tran[sz]ak|tranzac|(?<!fire)blo[ckq]|хеш|хэш|哈希|雜湊|해시|ハッシュ|هش|транзак|трансак|交易|取引|トランザクション|트랜잭션|거래|giao dịch|işlem|लेनदेन|ธุรกรรม|συναλλαγ|עסק|معامل|تراکنش|блок|[区區]块|區塊|블록|ブロック/iu;
/** What only an account does or is: `can mint`, `used by ci to deploy`, `withdraws the fees`, `exploiter`. */
const OF_ACTOR =
  /^\W*(?:(?:(?:is |was )?(?:used|needed|allowed|able|permitted) (?:by|to|for)|can|may|must|has|holds|owns|(?:\w{1,12}s|also) (?=(?:the|all|our|its?|their|rewards|fees|tokens|to) ?))\b|(?:the |our )?(?!transfer|explorer)\w{2,14}[eo]rs?\W*$)/i;
/** The hash itself, or what it is of. */
const NOUN = /\b(?:tx|txn|txs|txids?|receipt|hash|block)|transa[kcz]|[^\0-\x7f]/i;
/** Comments for tools, and words that tell nothing, such as those of chains, dates and parts of a document. */
const UNSPECIFIC = wordSet(
  'stdout stderr main eslint prettier biome ts noqa type ignore next line disable pylint istanbul c8 v8 cspell solhint region ' +
    'endregion spell checker taken sepolia mainnet goerli holesky hoodi base optimism arbitrum polygon amoy aptos bnb bsc ' +
    'gnosis avalanche linea scroll zksync zk evm zkevm celo testnet devnet local ethereum eth example sample fixture fixtures ' +
    'known expected real test data chain on the a an from for of in see e g l all ok request response input inputs ' +
    'output outputs param params parameter parameters constant constants good bad historical history stable first ' +
    'second third last error errors warning utc command result results log logs usage examples plan tests step steps ' +
    'case cases scenario should you will something like this here is are how to run running quick start quickstart ' +
    'getting started overview background summary timeline detail details note notes reference references link links ' +
    'appendix reproduce reproduction verify verified live checklist changelog changes added fixed api method methods ' +
    'field fields success v am pm that which won does doesn t not never change changed f w january february march ' +
    'april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'monday tuesday wednesday thursday friday saturday sunday today yesterday',
);
const URL = /https?:\/\/[^\s)>\]]{1,400}/g;
const MAX_LENGTH = 400;

/** Whether the comments beside a literal tell of something else than a hash, or of an account, whatever they call the literal. */
export function isCommentedOtherwise(text: string, scanned: ScannedLiteral): boolean {
  const read = readComments(text, scanned);
  if (read === null) return false;
  const name = NAME.exec(text.slice(Math.max(0, scanned.start - 100), scanned.start))?.[1];
  const isOfAccount = (remark: string) =>
    name !== undefined && remark.includes(name) && isAccountRemark(splitWords(remark.replaceAll(name, ' ')));
  return [read.above, read.behind].some(remark => tellsOtherwise(remark) || isOfAccount(remark));
}
const NAME = /([A-Za-z_$][\w$]{2,60})["'`]?\s?(?::?=|:)\s?[^\s=]{0,12}$/;

/** Whether what is written about a literal in other places does; `withFields`: also in the fields of its object. */
export const isNotedOtherwise = (text: string, scanned: ScannedLiteral, withFields: boolean): boolean =>
  readNotes(text, scanned, withFields).some(tellsOtherwise);

/** Whether what is behind a literal in its line does: `cast tx 0x… (unlock code)`, `https://etherscan.io/tx/0x… — opens the safe`. */
export function isRemarkedOtherwise(text: string, { end }: ScannedLiteral): boolean {
  const [, inBrackets, behind] = BEHIND.exec(text.slice(end, end + MAX_LENGTH)) ?? [];
  return tellsOtherwise(inBrackets ?? behind ?? '');
}
const BEHIND =
  /^(?:[?#/][^\s"'`<>()[\]]{0,120})?["'`*_)\]>]{0,4}[ \t]{1,20}(?:\(([^()\n]{2,160})\)|(?:--?|[—–←]|<-{1,2}) ([^\n]{2,160}))/;

const isUnspecific = (remark: string): boolean => splitWords(remark).every(word => UNSPECIFIC.has(word));

/** How a line of an example is shown: `// [!code focus]`. */
const MARK = /\[!code [\w:+-]{1,30}\]/g;

/** Whether a remark says something, and nothing of a hash. */
export function tellsOtherwise(remark: string): boolean {
  const text = remark
    .replace(URL, ' ')
    .replace(MARK, ' ')
    .replace(/\b0x[\da-f]{64}\b/gi, ' ');
  if (isUnspecific(text)) return false;
  return !OF_HASH.test(text) || (OF_ACTOR.test(text) && !NOUN.test(text));
}

/** Whether the comment beside a literal warns to show it, or tells that it signs or is imported: no address does. */
export function isRemarkedAsKey(text: string, scanned: ScannedLiteral): boolean {
  const remark = readRemark(text, scanned) ?? '';
  return WARNING.test(remark) || /\b(?:signs?|signing|imported|import|export) |\breplace by\b/i.test(`${remark} `);
}

/** Whether the comment beside an address of a package tells of something else than packages. */
export function isRemarkedAsOther(text: string, scanned: ScannedLiteral): boolean {
  const remark = readRemark(text, scanned) ?? '';
  return !isUnspecific(remark) && !OF_PACKAGE.test(remark);
}
const OF_PACKAGE =
  /\b(?:packages?|modules?|contracts?|objects?|resources?|framework|librar\w+|dependenc\w+|deployed|published|github)\b|https?:/i;

/** The comments above and behind a literal; `null` within a comment. */
export function readRemark(text: string, scanned: ScannedLiteral): string | null {
  const read = readComments(text, scanned);
  return read === null ? null : `${read.above} ${read.behind}`;
}

/** Words before the noun that name nothing else: `the first deposit transaction`, `mainnet block`. */
const BEFORE_NOUN =
  '(?:(?:this is|the|an?|our|its|known|real|expected|example|sample|valid|first|last|second|third|genesis|mainnet|testnet|sepolia|l1|l2|on-?chain|deploy|swap|mint|burn|transfer|exploit|attack|hack|deposit|withdraw|claim|bridge|approval|upgrade|liquidation|fork|failed|failing|reverted|pending|\\w{3,12}ment|\\w{3,12}(?:drawal|eation)) ){0,4}';
/**
 * It is the name of the value, unlike `prints the tx hash` and `tx hash depends on it`: `tx hash`, `hash of the deploy transaction`,
 * `Transaction in which the paymaster was funded`, `genesis transaction of the bridge`.
 */
const NAME_OF_HASH = new RegExp(
  String.raw`^(?:@\w{1,12} )?${BEFORE_NOUN}(?:${[
    `(?:txn?|transaction|block)(?: |['’]s )?(?:hash(?:es)?|ids?)`,
    `hash of ${BEFORE_NOUN}(?:txn?|transaction|block|deployment|deposit|withdrawal|swap|transfer|mint|burn|upgrade|exploit|attack|hack)`,
    `(?:transaction|block) (?=in which|which|that|where|when|at which)`,
    `(?<=(?:first|last|genesis|ment|drawal|eation) )transaction (?=of the|from)`,
  ].join(
    '|',
  )})(?:\s?[.:]?$|[.]\s|\s?\(| ?(?:#?\d[\d_,]*|(?:of|that|which|where|when|already|to (?:replay|trace|decode|skip|ignore|inspect)|in (?:which|block)|at (?:which|block)|from|on)\b))`,
  'i',
);
/** The same in other languages, where it is all that the remark says. */
const FOREIGN_NAME =
  /^(?:transaktions-?hash|block-?hash|hash der transaktion|hash de (?:la )?(?:transac[ct]i[óo]n|transaction)|hash da transação|х[еэ]ш транзакции(?: (?:пополнения|депозита|вывода|свопа|деплоя|разв[её]ртывания))?|(?:部署|攻击|存款|提款)?交易哈希|交易雜湊|区块哈希|トランザクションハッシュ|트랜잭션 해시)[.:]?$/iu;
/** It tells of a number of its own: `block of the deployment: 19000000`. */
const OWN_VALUE = /[:=]\s?#?\d[\d,_]{3}/;

/** All of a comment behind what the text calls a hash, or compares with one. */
const SHORT_NAME = /^(?:txn?|transaction|block(?: #?\d[\d,_]{0,12})?|genesis(?: block)?)\.?$/i;

/** Whether the comment behind a literal says only what it is the hash of: `// tx`, `# genesis`. */
export const isRemarkedShort = (text: string, scanned: ScannedLiteral): boolean =>
  SHORT_NAME.test(toSentence(readComments(text, scanned)?.behind.trim() ?? ''));

/** Whether the comment about a literal is the name of the hash of a transaction or block, and tells nothing of accounts. */
export function isRemarkedHash(text: string, scanned: ScannedLiteral): boolean {
  const read = readComments(text, scanned);
  if (read === null) return false;
  const remark = `${read.above} ${read.behind}`;
  if (remark.length > MAX_LENGTH || OWN_VALUE.test(remark)) return false;
  const name = toSentence(read.behind.trim() === '' ? read.above : read.behind);
  if (!NAME_OF_HASH.test(name) && !FOREIGN_NAME.test(name)) return false;
  const words = splitWords(remark.replace(/\bto (?=replay|trace|decode|skip|ignore|inspect)/i, ''));
  return !words.some(word => NOT_IT.has(word)) && !isAccountName(words) && !isActionName(words);
}

/** A remark without its marks. */
const toSentence = (remark: string): string =>
  remark
    .replace(/^[\s*/!#"'<>-]+/, '')
    .replace(/(?:\*\/|-->|"{3}|'{3})\s*$/, '')
    .trim()
    .replace(/\s+/g, ' ');

const NOT_IT = wordSet(
  'not no with for needs used using by to gives sends makes is are see changes depends follows instead like same length prints returns logs emits awaits waits checks publish below above next keccak',
);
