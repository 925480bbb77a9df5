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
  /(?<![\p{L}\d_-])(?:mined|minó|minad[oa]|confirm\p{L}*|bestätigt|подтвержд\p{L}*|revert(?:ed|s|ing)?|fail(?:ed|s|ing)|fall[óo]|fehlgeschlagen|gescheitert|échou\p{L}*|falhou|fallita|mislukt|nie przeszła|упал\p{L}*|succeed(?:ed|s)|successful|pass[ée]e?s?|réussi\p{L}*|complete[d]?|went through|durchgegangen|broadcast(?:ed)?|included|dropped|stuck|hängt|pending|finali[sz]ed|landed|arrived|exited|executed|performed|emitted|drain(?:ed|s)|deployed|deployé\p{L}*|desplegad[oa]|upgraded|paused|bridged|liquidated|swap(?:ped|s)?|minted|burned|transferred|withdrew|withdrawn|withdrawal|deposit(?:ed|s)?|repaid|borrowed|claimed|exploit(?:ed)?|attack(?:ed)?|reorg\p{L}*|rewind\p{L}*|replay(?:ed|s|ing)?|decod(?:ed|es|ing)|traced|underpriced)(?![\p{L}\d_-])|失敗|成功|確認|失败|确认|실패|확인|성공/iu;

/** Words beside these that name nothing, of some languages, and other words for hashes, blocks and what moves in transactions. */
const PLAIN_WORDS = wordSet(
  'the a an this that these those it its my our your their is was are were be been being has have had hasn isn wasn t s not yet now just already again still finally ' +
    'first second third last next final original earlier same latest new old previous both all each one two see check open view look at looking why when how did does do can you please pls on in after before ' +
    'yesterday today at am pm tx txn txs txid txhash hash hashes id ids number no nr explorer etherscan link url ok done l on chain onchain network mainnet testnet block blocks slot height status info warn error ' +
    'mint swap transfer approve approval deposit withdraw withdrawal claim bridge exploit attack rescue upgrade deploy deployment deploying creation created creating contract submitted sent sending successful successfully ' +
    'published waiting receipt transaction transactions and 0x malicious suspicious отправлена gesendet envoyée enviada inviata wysłana verzonden skickad upkeep useroperation user op operation ' +
    'der die das den dem ein eine einer ist wurde war wird hat nicht noch schon jetzt auf im durch diese dieser unsere letzte erste überweisung hash hier ' +
    'la el los las una un es fue ha se ya esta este nuestra última primera en aquí le les une est été n pas sur voici cette notre dernière première du dépôt il lo è stata su questa ecco non andata o a uma foi é já não em esta minha nossa ' +
    'została jest ta nie na w это не уже была bu de het een niet nu op deze mã đã bị は が です ハッシュ 哈希 해시 은 는',
);
const PARTICLES = /部署|哈希|雜湊|ハッシュ|해시|[はがのをでにはも]|です|的|了|은|는|이|가|을|를|が/g;

const all = (expression: RegExp) => new RegExp(expression.source, 'giu');
const [NOUNS, OUTCOMES] = [all(NOUN), all(OUTCOME)];

/** Whether each word is known to name nothing else than a transaction, a block, a chain or what became of it. */
export function isOnlyOfTransaction(phrase: string): boolean {
  const rest = phrase.replace(NOUNS, ' ').replace(OUTCOMES, ' ').replace(PARTICLES, ' ');
  return splitWords(rest).every(word => PLAIN_WORDS.has(word) || findChainIdByWord(word) !== null);
}

/** Whether the transaction or hash is what a phrase names, unlike `author of the transaction`, `who sent the tx`, `to sign transactions`. */
export function isHeadOfPhrase(words: readonly string[]): boolean {
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
