// Tells whether the comment that is written about a literal is about a hash: one about anything else may be about a key.
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, WARNING } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** Words of hashes, transactions and blocks in many languages, and of what transactions do. */
const OF_HASH =
  /\b(?:tx|txn|txs|txids?|receipts?|mined|miner|swap\w*|mint(?:ed|s|ing)?|burn(?:ed|s)?|transfer\w*|approv\w+|upgrad\w+|deploy(?:ed|ment|ments|s|ing)?|exploit\w*|attack\w*|hack(?:ed|er|ers|s)?|drain\w*|incident|bridg\w+|deposit\w*|withdraw\w*|claim\w*|trace\w*|replay\w*|revert\w*|fail\w*|events?|topics?|genesis|reorg\w*|uncles?|merge|fork|checkpoint\w*|proposal|executed|liquidat\w+|arbitrage|sandwich\w*|out of gas|\w{2,12}scan)\b|hash|transa[kcz]|tran[sz]ak|tranzac|blo[ckq]|хеш|хэш|哈希|雜湊|해시|ハッシュ|هش|транзак|трансак|交易|取引|トランザクション|트랜잭션|거래|giao dịch|işlem|लेनदेन|ธุรกรรม|συναλλαγ|עסק|معامل|تراکنش|блок|[区區]块|區塊|블록|ブロック/iu;
const NO_HASH = /\b(?:not|no|isn['’]t) (?:(?:an?|the|really|actual|real) ){0,2}(?:(?:tx|transaction|block) ?)?hash\b/i;
/** Comments for tools, and words that tell nothing, such as those of chains. */
const UNSPECIFIC =
  /^(?:[^\p{L}]|\b(?:eslint|prettier|biome|ts|noqa|type|ignore|next|line|disable|pylint|istanbul|c8|v8|cspell|solhint|region|endregion|spell|checker|sepolia|mainnet|goerli|holesky|hoodi|base|optimism|arbitrum|polygon|amoy|aptos|bnb|bsc|gnosis|avalanche|linea|scroll|zksync|celo|testnet|devnet|local|ethereum|eth|example|sample|fixtures?|known|expected|real|test|data|chain|on|the|an?|from|for|of|in|see|e|g|l1|l2|all|ok|request|response|inputs?|outputs?|param(?:eter)?s|constants?|good|bad|historical|history|stable|that|which|will|won|does|doesn|t|not|never|changes?|changed|[efwc]\d{3,4})\b)*$/iu;
const COMMENT_ABOVE = /^[\s>+]*(?:\/\/|\/?\*|#(?![#!])|--\s|;|%|<!--|"{3}|'{3})(.*)$/;
/** `"comment": "…",` of JSON, `- note: …` of YAML. */
const FIELD_ABOVE = /^[\s-]*["']?_{0,2}(?:comment|note|remark)s?["']?\s?:\s?["']?([^"']*)["']?,?$/i;
/** The same in the object of the literal: `{ "note": "…", "txHash": "0x…" }`. */
const FIELD_BESIDE = /(?<![\w$.-])["']?_{0,2}(?:comment|note|remark)s?["']?\s?:\s?(?:"([^"\n]*)"|'([^'\n]*)')/gi;
const COMMENT_BEHIND = /(?:^|[\s;,"'`)])(?:\/\/|#|--\s|\/\*|;;|<!--)([^\n]*)/;
const MAX_LINES = 8;
const MAX_LENGTH = 400;

interface Remark {
  /** The lines of the comment right above, and what fields for remarks in its object say. */
  readonly above: string;
  /** The one behind it in its line. */
  readonly behind: string;
}

/** The comments that are written about a literal; `null` within a comment. */
function readRemarks(text: string, { start, end }: ScannedLiteral): Remark | null {
  let at = findLineStart(text, start, 0);
  if (COMMENT_ABOVE.test(text.slice(at, start))) return null;
  const behind = COMMENT_BEHIND.exec(text.slice(end, end + MAX_LENGTH).split('\n', 1)[0] ?? '')?.[1] ?? '';
  const lines: string[] = [];
  while (at > 0 && lines.length < MAX_LINES) {
    const above = findLineStart(text, at - 1, 0);
    const line = text.slice(Math.max(above, at - MAX_LENGTH), at - 1);
    const comment = (COMMENT_ABOVE.exec(line) ?? FIELD_ABOVE.exec(line))?.[1];
    // The docstring of a function is not about its first value.
    if (
      comment === undefined ||
      (/^\s*"{3}.*"{3}\s*$/.test(text.slice(above, at)) && text.slice(above - 2, above - 1) === ':')
    )
      break;
    lines.push(comment);
    at = above;
  }
  return { above: [...lines.reverse(), ...readFieldsBeside(text, start, end)].join(' '), behind };
}

/** What fields for remarks say in the line of a literal, within the braces around it. */
function readFieldsBeside(text: string, start: number, end: number): readonly string[] {
  const before =
    text
      .slice(Math.max(findLineStart(text, start, 0), start - MAX_LENGTH), start)
      .split(/[{}]/)
      .at(-1) ?? '';
  const behind = text.slice(end, end + MAX_LENGTH).split(/[{}\n]/, 1)[0] ?? '';
  return [...`${before}${behind}`.matchAll(FIELD_BESIDE)].map(([, double, single]) => double ?? single ?? '');
}

/** The same as one text. */
export function readRemark(text: string, scanned: ScannedLiteral): string | null {
  const read = readRemarks(text, scanned);
  return read === null ? null : `${read.above} ${read.behind}`;
}

/** Whether the comment right above a literal, or behind it in its line, says something, and nothing of a hash. */
export function isRemarkedOtherwise(text: string, scanned: ScannedLiteral): boolean {
  const read = readRemarks(text, scanned);
  return read !== null && tellsOtherwise(`${read.above} ${read.behind}`);
}

/** Whether a remark says something, and nothing of a hash. */
export const tellsOtherwise = (remark: string): boolean =>
  !UNSPECIFIC.test(remark) && (!OF_HASH.test(remark) || NO_HASH.test(remark));

/** Whether that comment warns to show the literal, or tells that it signs or is imported: no address does. */
export function isRemarkedAsKey(text: string, scanned: ScannedLiteral): boolean {
  const read = readRemarks(text, scanned);
  const remark = read === null ? '' : `${read.above} ${read.behind}`;
  return WARNING.test(remark) || /\b(?:signs?|signing|imported|import|export) |\breplace by\b/i.test(`${remark} `);
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
    `(?:txn?|transaction|block)(?: |['’]s )?(?:hash|id)`,
    `hash of ${BEFORE_NOUN}(?:txn?|transaction|block|deployment|deposit|withdrawal|swap|transfer|mint|burn|upgrade|exploit|attack|hack)`,
    `(?:transaction|block) (?=in which|which|that|where|when|at which)`,
    `(?<=(?:first|last|genesis|ment|drawal|eation) )transaction (?=of the|from)`,
  ].join(
    '|',
  )})(?:\s?[.:]?$|[.]\s|\s?\(| ?(?:#?\d[\d_,]*|(?:of|that|which|where|when|in (?:which|block)|at (?:which|block)|from|on)\b))`,
  'i',
);
/** The same in other languages, where it is all that the remark says. */
const FOREIGN_NAME =
  /^(?:transaktions-?hash|block-?hash|hash der transaktion|hash de (?:la )?(?:transac[ct]i[óo]n|transaction)|hash da transação|х[еэ]ш транзакции(?: (?:пополнения|депозита|вывода|свопа|деплоя|разв[её]ртывания))?|(?:部署|攻击|存款|提款)?交易哈希|交易雜湊|区块哈希|トランザクションハッシュ|트랜잭션 해시)[.:]?$/iu;
/** It tells of a number of its own: `block of the deployment: 19000000`. */
const OWN_VALUE = /[:=]\s?#?\d[\d,_]{3}/;

/** Whether the comment about a literal is the name of the hash of a transaction or block, and tells nothing of accounts. */
export function isRemarkedHash(text: string, scanned: ScannedLiteral): boolean {
  const read = readRemarks(text, scanned);
  if (read === null) return false;
  const remark = `${read.above} ${read.behind}`;
  if (remark.length > MAX_LENGTH || OWN_VALUE.test(remark)) return false;
  const name = toSentence(read.behind.trim() === '' ? read.above : read.behind);
  if (!NAME_OF_HASH.test(name) && !FOREIGN_NAME.test(name)) return false;
  const words = splitWords(remark);
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

/** Whether a name tells of something else than a hash, whatever a remark about it says: `salt`, `payload`. */
export const hasOwnMeaning = (name: readonly string[]): boolean => name.some(word => OWN_MEANING.has(word));
const OWN_MEANING = wordSet(
  'salt session data input inputs output code codes payload body material ephemeral voter dev trapdoor nullifier blinding psk prv nonce random randomness scalar seed pin otp token passcode pepper witness share proof message msg row runner drip context config nickname user member',
);
