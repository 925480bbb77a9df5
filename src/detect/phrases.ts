// Tells whether a phrase before a literal is about nothing but a transaction or block: any other noun in it may be what the
// literal is, as in `Transaction sponsor: 0x…` and `Author of the transaction: 0x…`.
import { findChainIdByWord } from '../api/chainNames.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** `transaction` in many languages, which names nothing but transactions, unlike `tx`. */
export const NOUN =
  /(?<!\p{L})(?:transa(?!ct(?:s|ed|ing)?(?!\p{L}))[kcçz]\p{L}*|tran[sz]ak\p{L}*|tranzac\p{L}*|транзакц\p{L}*|трансакц\p{L}*|işlem\p{L}*|giao dịch|συναλλαγ\p{L}*|receipt)|交易|取引|トランザクション|트랜잭션|거래|लेनदेन|ธุรกรรม|עסק[הת]|معامل|تراکنش/iu;
/** The short word is also the name of programs and settings: the sentence must tell what became of it. */
export const SHORT_NOUN = /\b(?:txn?|txs|tx ?hash|txid)\b/i;
/** What becomes of transactions and blocks, in many languages, and what is done with their hashes. */
export const OUTCOME =
  /(?<![\p{L}\d_-])(?:mined|minó|minad[oa]|confirm\p{L}*|bestätigt|подтвержд\p{L}*|revert(?:ed|s|ing)?|fail(?:ed|s|ing)|fall[óo]|fehlgeschlagen\p{L}*|gescheitert|fallid[oa]s?|неудач\p{L}*|échou\p{L}*|falhou|fallita|mislukt|nie przeszła|упал\p{L}*|succeed(?:ed|s)|successful|pass[ée]e?s?|réussi\p{L}*|complete[d]?|went through|durchgegangen|broadcast(?:ed)?|included|dropped|stuck|hängt|pending|finali[sz]ed|landed|arrived|exited|executed|performed|emitted|drain(?:ed|s)|deployed|deployé\p{L}*|desplegad[oa]|upgraded|paused|bridged|liquidated|swap(?:ped|s)?|minted|burned|transferred|withdrew|withdraw(?:n|al|s)?|deposit(?:ed|s)?|repaid|borrowed|claimed|exploit(?:ed)?|attack(?:ed)?|reorg\p{L}*|rewind\p{L}*|replay(?:ed|s|ing)?|decod(?:ed|es|ing)|traced|underpriced)(?![\p{L}\d_-])|失敗(?:した)?|成功(?:した)?|確認|失败|确认|실패|확인|성공/iu;

/** Words beside these that name nothing, of some languages, and other words for hashes, blocks and what moves in transactions. */
const PLAIN_WORDS = wordSet(
  'the a an this that these those it its my our your their is was are were be been being has have had hasn isn wasn t s not yet now just already again still finally ' +
    'first second third last next final original earlier same latest new old previous both all each one two see check open view look at looking why when how did does do can you please pls on in after before ' +
    'yesterday today at am pm tx txn txs txid txhash hash hashes id ids number no nr explorer etherscan link url ok done l on chain onchain network mainnet testnet block blocks slot height status info warn error ' +
    'mint swap transfer approve approval deposit withdraw withdrawal claim bridge exploit attack rescue upgrade deploy deployment deploying migration creation created creating contract submitted sent sending successful successfully ' +
    'published waiting receipt transaction transactions and 0x malicious suspicious отправлена gesendet envoyée enviada inviata wysłana verzonden skickad upkeep useroperation user op operation attacker exploiter hacker poc fork despliegue déploiement del example sample affected offending such timed out pause incident ' +
    'der die das den dem ein eine einer ist wurde war wird hat nicht noch schon jetzt auf im durch diese dieser unsere letzte erste überweisung hash hier ' +
    'la el los las una un es fue ha se ya esta este nuestra última primera en aquí le les une est été n pas sur voici cette notre dernière première du dépôt il lo è stata su questa ecco non andata o a uma foi é já não em esta minha nossa ' +
    'została jest ta nie na w это не уже была bu de het een niet nu op deze mã đã bị は が です ハッシュ 哈希 해시 은 는',
);
const PARTICLES =
  /部署|这笔|該|その|この|已发送|送信済み|哈希|雜湊|ハッシュ|해시|[はがのをでにはも]|です|的|了|은|는|이|가|을|를/g;

const all = (expression: RegExp) => new RegExp(expression.source, 'giu');
const [NOUNS, OUTCOMES] = [all(NOUN), all(OUTCOME)];

/** Whether each word is known to name nothing else than a transaction, a block, a chain or what became of it. */
export function isOnlyOfTransaction(phrase: string): boolean {
  const rest = phrase.replace(NOUNS, ' ').replace(OUTCOMES, ' ').replace(PARTICLES, ' ');
  return splitWords(rest).every(word => PLAIN_WORDS.has(word) || findChainIdByWord(word) !== null);
}

/** Whether the transaction or hash is what a phrase names, unlike `author of the transaction`, `who sent the tx`, `to sign transactions`. */
function isHeadOfPhrase(words: readonly string[]): boolean {
  const before = words.slice(
    0,
    Math.max(
      0,
      words.findIndex(word => HEAD.test(word)),
    ),
  );
  return (
    !before.some(word => RELATIONS.has(word)) || isOnlyOfTransaction(before.join(' ').replace('proof of concept', ''))
  );
}
const HEAD = new RegExp(`^(?:txn?s?|tx ?id|tx ?hash|blocks?|hash|hashes)$|${NOUN.source}`, 'iu');
/** What is between a noun or verb and the noun that belongs to it, in some languages. */
const RELATIONS = wordSet(
  'of for to by with who which that the der die das den dem zum zur für von mit wer de du des la le les pour qui del el los para que quien da do dos das quem della di per chi che для кто что van voor het wie som',
);

/**
 * Whether a phrase tells how or when to do something with a transaction: what is behind it may be what does it. A
 * heading needs no article: `Sending transactions`.
 */
export function isInstruction(words: readonly string[], isHeading: boolean): boolean {
  const [first = ''] = words;
  return (
    (WHEN.has(first) && words.some(word => HEAD.test(word)) && !/^(?:in|of)$/.test(words.at(-1) ?? '')) ||
    (isHeading && (/..ing$/.test(first) ? !QUALITY.test(first) : DOES.test(first))) ||
    words.some((word, at) => DOES.test(word) && ARTICLES.has(words[at + 1] ?? ''))
  );
}
const WHEN = wordSet('how to before after for');
const DOES =
  /^(?:get|send|read|sign|find|fetch|query|retrieve|obtain|copy|paste|use|run|create|make|submit|build|broadcast|execute|propose)(?:t?ing|s|es)?$/;
const ARTICLES = wordSet('a an the your our my this that its');
/** Of the transaction, unlike what is done with it. */
const QUALITY =
  /^(?:fail|pend|fund|mint|bridg|exist|miss|incom|outgo|interest|revert|remain|follow|correspond|match|result)ing$/;

/** What is behind the noun in a line above: `transactions that fail to decode`, `transactions of last night`. */
const CLAUSE =
  / (?:that|which|where|in which|to (?:replay|decode|trace|debug|check|index|inspect)|of (?:last|this|the (?:last|first|exploit|attack|hack|incident)))\b.*$/i;

/** Whether a line names what is below it, unlike `Sending a transaction`. */
export function isHeadingOfHash(line: string): boolean {
  return (
    isOnlyOfTransaction(line.replace(/^here (?:is|are) /i, '').replace(CLAUSE, '')) &&
    !isInstruction(splitWords(line), true)
  );
}

/** Whether what is behind the noun tells only of its transaction: `Transaction failed`, unlike `Transaction view` and `tx hash trapdoor`. */
export function hasPlainTail(phrase: string): boolean {
  const words = splitWords(phrase.replace(/\([^()]{0,60}\)/g, ''));
  const noun = words.findLastIndex(word => HEAD.test(word));
  if (noun < 0) return true;
  const tail = words.slice(noun + 1).filter(word => word !== 'digest');
  if (tail.some(word => RELATIONS.has(word) || /^(?:on|in|at|from|after|before|is|was)$/.test(word))) return true;
  const [first = ''] = tail;
  return (
    isOnlyOfTransaction(tail.join(' ')) &&
    !(tail.length === 1 && /^(?:[a-z]|view|see|check|open|look|approval|approve|user|operation|op)$/.test(first))
  );
}

/** Whether the phrase before a literal, or in the line above it, names something else than a transaction or its hash. */
export function isOfOther(words: readonly string[], before: string, above: string, isHeading: boolean): boolean {
  const isAlone = !/[\p{L}\p{N}]/u.test(before.replace(/<[^<>]{1,60}>/g, ''));
  const isLabel = AFTER_COLON.test(before);
  // `author of the transaction: 0x…`, `## Getting the transaction hash`
  if (isLabel && !isHeadOfPhrase(words)) return true;
  if ((isAlone || isLabel) && isInstruction(words, isHeading)) return true;
  // `Transaction hash trapdoor: 0x…`, `tx hash (trapdoor):⏎0x…`
  const phrase = readPhrase(isAlone ? above.trimEnd() : before);
  const remark = (IN_BRACKETS.exec(phrase ?? '')?.[1] ?? '').replace(/\bnonce:? \d{1,9}$/, '');
  return phrase !== undefined && (!hasPlainTail(phrase) || hasOwnMeaning(splitWords(remark)));
}
const AFTER_COLON = /[:：]\s{0,4}[*_]{0,2}\s?["'`(]{0,3}$/;
/** Of several words, unlike the name of a field. */
const SPACED = /^[\p{L}\d() ]{1,120}$/u;

/** The words before a colon at the end of a text; `undefined` for the name of a field. */
function readPhrase(text: string): string | undefined {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const colon = Math.max(line.lastIndexOf(':'), line.lastIndexOf('：'));
  const phrase = (
    line
      .slice(0, colon)
      .split(/[,;.—]/)
      .at(-1) ?? ''
  )
    .replace(/^[\s>*#-]{1,20}/, '')
    .replace(/\*{1,2}$/, '');
  return colon > 0 && AFTER_COLON.test(line) && phrase.includes(' ') && SPACED.test(phrase) ? phrase : undefined;
}
const IN_BRACKETS = /\(([^()]{1,60})\)/;

/** Whether a name tells of something else than a hash, whatever a remark about it says: `salt`, `payload`. */
export const hasOwnMeaning = (name: readonly string[]): boolean => name.some(word => OWN_MEANING.has(word));
const OWN_MEANING = wordSet(
  'salt session data input inputs output code codes payload body material ephemeral voter dev trapdoor nullifier blinding psk prv nonce random randomness scalar seed pin otp token passcode pepper witness share proof message msg row runner drip context config nickname user member',
);
