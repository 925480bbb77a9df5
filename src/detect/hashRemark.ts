// Tells whether the comment that is written about a literal is about a hash: one about anything else may be about a key.
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** Words of hashes, transactions and blocks in many languages, and of what transactions do. */
const OF_HASH =
  /\b(?:tx|txn|txs|txids?|receipts?|mined|miner|swap\w*|mint(?:ed|s|ing)?|burn(?:ed|s)?|transfer\w*|approv\w+|upgrad\w+|deploy(?:ed|ment|ments|s|ing)?|exploit\w*|attack\w*|hack(?:ed|er|ers|s)?|drain\w*|incident|bridg\w+|deposit\w*|withdraw\w*|claim\w*|trace\w*|replay\w*|revert\w*|fail\w*|events?|topics?|genesis|reorg\w*|uncles?|merge|fork|checkpoint\w*|proposal|executed|liquidat\w+|arbitrage|sandwich\w*|out of gas|\w{2,12}scan)\b|hash|transa[kcz]|tran[sz]ak|tranzac|blo[ckq]|хеш|хэш|哈希|雜湊|해시|ハッシュ|هش|транзак|трансак|交易|取引|トランザクション|트랜잭션|거래|giao dịch|işlem|लेनदेन|ธุรกรรม|συναλλαγ|עסק|معامل|تراکنش|блок|[区區]块|區塊|블록|ブロック/iu;
const NO_HASH = /\b(?:not|no|isn['’]t) (?:(?:an?|the|really|actual|real) ){0,2}(?:(?:tx|transaction|block) ?)?hash\b/i;
/** Comments for tools, and words that tell nothing, such as those of chains. */
const UNSPECIFIC =
  /^(?:[^\p{L}]|\b(?:eslint|prettier|biome|ts|noqa|type|ignore|next|line|disable|pylint|istanbul|c8|v8|cspell|solhint|region|endregion|spell|checker|sepolia|mainnet|goerli|holesky|hoodi|base|optimism|arbitrum|polygon|amoy|aptos|bnb|bsc|gnosis|avalanche|linea|scroll|zksync|celo|testnet|devnet|local|ethereum|eth|example|sample|fixtures?|known|expected|real|test|data|chain|on|the|an?|from|for|of|in|see|e|g|l1|l2|all|ok|request|response|inputs?|outputs?|param(?:eter)?s|constants?|good|bad|historical|history|stable|that|which|will|won|does|doesn|t|not|never|changes?|changed|[efwc]\d{3,4})\b)*$/iu;
const COMMENT_ABOVE = /^[\s>+]*(?:\/\/|\/?\*|#(?![#!])|--\s|;|%|<!--|"{3}|'{3})(.*)$/;
const COMMENT_BEHIND = /(?:^|[\s;,"'`)])(?:\/\/|#|--\s|\/\*|;;|<!--)([^\n]*)/;
const MAX_LINES = 8;
const MAX_LENGTH = 400;

/** The comment right above a literal, and the one behind it in its line; `null` within a comment. */
function readRemark(text: string, { start, end }: ScannedLiteral): string | null {
  let at = findLineStart(text, start, 0);
  if (COMMENT_ABOVE.test(text.slice(at, start))) return null;
  const lines: string[] = [COMMENT_BEHIND.exec(text.slice(end, end + MAX_LENGTH).split('\n', 1)[0] ?? '')?.[1] ?? ''];
  while (at > 0 && lines.length <= MAX_LINES) {
    const above = findLineStart(text, at - 1, 0);
    const comment = COMMENT_ABOVE.exec(text.slice(Math.max(above, at - MAX_LENGTH), at - 1))?.[1];
    // The docstring of a function is not about its first value.
    if (
      comment === undefined ||
      (/^\s*"{3}.*"{3}\s*$/.test(text.slice(above, at)) && text.slice(above - 2, above - 1) === ':')
    )
      break;
    lines.push(comment);
    at = above;
  }
  return lines.reverse().join(' ');
}

/** Whether the comment right above a literal, or behind it in its line, says something, and nothing of a hash. */
export function isRemarkedOtherwise(text: string, scanned: ScannedLiteral): boolean {
  const remark = readRemark(text, scanned);
  return remark !== null && !UNSPECIFIC.test(remark) && (!OF_HASH.test(remark) || NO_HASH.test(remark));
}

const HASH_WORD = /\bhash\b|хеш|хэш|哈希|雜湊|해시|ハッシュ|هش/iu;
const OF_CHAIN =
  /(?<!\p{L})(?:txn?|block|transa[kcçz]\p{L}*|tran[sz]ak\p{L}*|tranzac\p{L}*|транзакц\p{L}*|трансакц\p{L}*|işlem\p{L}*|giao dịch|блок\p{L}*)(?!\p{L})|交易|取引|トランザクション|트랜잭션|거래|[区區]块|ブロック|블록/iu;
/** `Transaction in which the paymaster was funded`, `genesis transaction of the bridge` */
const NOUN_PHRASE =
  /^[\s*/]*(?:(?:the|an?|first|last|genesis|\w{3,12}(?:ed|ment|al)) ){0,2}(?:transaction|block) (?:in which|which|that|where|when|at which|(?<=(?:first|last|genesis|ed|ment|al) \w{5,11} )(?:of the|from))\b/i;
/** It tells of a number of its own: `block of the deployment: 19000000`. */
const OWN_VALUE = /[:=]\s?#?\d[\d,_]{3}/;

/** Whether the comment about a literal says that it is the hash of a transaction or block, and nothing of accounts. */
export function isRemarkedHash(text: string, scanned: ScannedLiteral): boolean {
  const remark = readRemark(text, scanned);
  if (remark === null || remark.length > MAX_LENGTH || OWN_VALUE.test(remark)) return false;
  if (!(HASH_WORD.test(remark) && OF_CHAIN.test(remark)) && !NOUN_PHRASE.test(remark)) return false;
  const words = splitWords(remark);
  return !words.some(word => NOT_IT.has(word)) && !isAccountName(words) && !isActionName(words);
}
const NOT_IT = wordSet('not no with for needs used using by to gives sends makes is are see');
