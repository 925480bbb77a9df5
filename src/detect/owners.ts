// Tells whether a line or a remark names who a literal may belong to: an account, its address, its keys.
import { findHashHint } from './hintWords.ts';
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretWord, isAccountName, isAttacker, mayNameOwner, mentionsAccount, WARNING } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

export const HEX = /0[xX][0-9a-fA-F]{6,}/g;
/** Who wrote a file, where a log is printed, what it imports, the number of an entry, what a reader puts into the URL of a node, a file of settings, the name of a variable: nothing about a value. */
export const UNRELATED =
  /@author\b.*|\s--account[ =][\w-]{1,40}|\bcaller=[\w./-]{1,60}\.go:\d{1,6}|^\s*import\s[^\n"']{1,160}\sfrom\s["'][^"'\n]{1,80}["'];?$|\bEnvKey\b|\bkey\w{0,12}(?:["']|: &?\w{1,10})?\s?[:=]\s?(?:["'](?:0x[\da-f]{1,8}|\d{1,9})["'][,;]?|(?:0x[\da-f]{1,8}|\d{1,9})[,;])$|\bhttps?:\/\/[^\s"'`<]{1,200}<[^<>\n]{1,60}>|\bhttps:\/\/(?:github|gitlab)\.com\/[^\s)]{1,200}|["'`][^"'`\s]{0,120}\/[^"'`\s/]{1,60}\.(?:json|ya?ml|toml)["'`]/gi;
/** A longer row is data. */
const MAX_ROW_LENGTH = 400;

/** Words of a remark that do not name who the literal belongs to. */
const NOT_NAMES = /^(?:from|user|builder|producer|of|the|an?|my|our)s?$/;
const MAX_NAME_WORDS = 4;

/** `signs the txs`, `used to deploy`: no hash does. */
const DOES =
  /^(?:signs|sends|pays|deploys|signiert|sendet|unterschreibt|signe|envoie|firma|envía|assina|envia|подписывает|отправляет|podpisuje|wysyła|ondertekent|verstuurt)\b|^(?:used|needed|needs|use) (?:to|for|by)$/;
/** `burner wallet`, `rename: this is the deployer`, unlike `the transaction that created the wallet`. */
export function isAccountRemark(words: readonly string[]): boolean {
  if (DOES.test(words.slice(0, 2).join(' '))) return true;
  const names = words.filter(word => !NOT_NAMES.test(word) && !isAttacker(word));
  if (words.some(word => findHashHint([word]) !== null)) return false;
  return mentionsAccount(names, false) || (names.length <= MAX_NAME_WORDS && isAccountName(names));
}

/** `txHash = '0x…' // signer`, `tx hash: 0x… <- deployer`, `tx hash 0x… is the wallet` */
export function isRemarkedAccount(text: string, { start, end }: ScannedLiteral): boolean {
  const behind = text.slice(end, end + 80);
  if (TO_ADDRESS.test(behind) || ACTS.test(behind)) return true;
  const before = text.slice(findLineStart(text, start, 0), start);
  if (OF_OWNER.test(before) || (/^\W{1,3}imported\b/.test(behind) && !/block/i.test(before))) return true;
  const remark = splitWords(REMARK.exec(behind)?.[1] ?? '');
  if (remark.length === 0 || findHashHint(remark) !== null) return false;
  return mentionsAccount(remark, false) || (remark.length <= MAX_REMARK_WORDS && isAccountName(remark));
}
const REMARK =
  /^["'`)\]},;*]{0,4}[ \t]{1,20}(?:\/\/|#|--|\/\*|<-{1,3}|←|\(|(?:(?:which|that|it) )?(?:is|was) (?:the|a|an|my|our)\b|(?=signs\b))[ \t]{0,4}([^\n:=]{2,60})/;
/** `tx hash: 0x… -> 0xaddress`, `txHash: 0x… (address 0x…)`: whose it is. */
const TO_ADDRESS =
  /^["'`*)]{0,3}[ \t]{0,4}(?:[-=]{1,2}>|<[-=]{1,2}|[→←=(/:])[ \t]{0,4}["'`]?(?:(?:the )?(?:address|addr|account|eoa|pubkey|public key):? )?["'`]?0x[\da-f]{40}\b/i;
/** `0xaddress / tx hash 0x…` */
const OF_OWNER = /^[\s>*-]{0,10}0x[\da-f]{40} ?[/=→] ?[\w -]{1,24}[:=]? ?["'`]?$/i;
/** `0x… has no funds`, `0x… sends 1 ETH`: an account does. */
const ACTS =
  /^["'`*)]{0,3} (?:(?:has|holds|had) (?:(?:no|insufficient|enough) (?:funds|money|balance|eth\w{0,2}|gas|tokens)|[\d.]{1,12} (?!(?:logs?|calls?|events?|gas|steps?)\b)[a-z]{3,5})|hat kein|(?:is|was) not (?:the|an?|allowed|authori[sz]ed)|(?:will |can |cannot )?(?:sends?|signs?|pays?|owns?|spends?)|(?:which|that) (?:you|we|they|anyone) (?:can |may |should )?use|signed|paid)\b/i;
const MAX_REMARK_WORDS = 4;

/** Names before values, also in quotes, and of what a line begins: `deployer = `, `env('SIGNER_ADDRESS')`, `class Signer {`. */
const NAMED = /(?<![\w$])([A-Za-z][\w .-]{1,60}?)(?:["'`*]{0,3}\s{0,4}(?::=|[:=](?!=))|["'](?=[,)])|\s?\{$)/g;
/** A line that is only an address, as in a QR code of a wallet: `ethereum:0x…`, `(0) 0x… (100 ETH)`, `address 0x…`. */
const BARE_ADDRESS =
  /^[\s>*-]{0,20}(?:\(\d{1,3}\) |eth(?:ereum)?:|(?:my |the )?(?:address|addr|found)(?: match\w{0,10})?:? )?0x[\da-f]{40}["'`,;)\]]{0,3}(?: \(?[\d.]{1,12} \w{2,5}\)?| after [^\n]{1,20})?$/i;
const MAX_BARE_LENGTH = 100;
/** `const owner = '0xaddress'` */
const ADDRESS_FIELD = /(?!addr)(?<![\w.$-])[\w.$ -]{1,40}["'`*]{0,3}\s{0,4}:?[:=]\s{0,4}["'`]?0x[\da-f]{40}\b/gi;
/** Cells of a row, and what a field such as `"name": "deployer"` says. */
const CELL =
  /(?:\||\b(?:name|label|user|id|role|alias|owner|title|kind|who)["']?\s{0,4}[:=])[\s"'`*]{0,6}([A-Za-z][\w .'-]{1,40}?)["'`*]{0,3}\s{0,8}(?=[|,;}\])]|\/?>|$)/gi;
/** `user: 'ana'` */
const PERSON =
  /(?<![\w.-])["']?(?:user|member|person|who)["']?\s?[:=]\s?["'][\p{L}][\p{L} .-]{1,30}["']\s?(?=[,;}]|$)/iu;
/** `eth,deployer,txHash 0x…` */
const ROW = /^[^(){}[\]=:;]{1,80},[^(){}[\]=:;]{1,80},[^(){}[\]=:;]{1,160}$/;
/** `Deployer account` above what belongs to it. */
const MAX_TITLE_WORDS = 2;

/**
 * Whether a name in a line, or a word in its text, is that of an account or key. `addressed` counts those that have an address in
 * the line too.
 */
export function namesOwner(text: string, addressed = true): boolean {
  if (text.length < MAX_BARE_LENGTH && BARE_ADDRESS.test(text.trimEnd())) return true;
  if (!addressed) return namesOwnerIn(text.replace(ADDRESS_FIELD, ' '));
  return namesOwnerIn(text);
}

function namesOwnerIn(text: string): boolean {
  const rest = text.includes('0x') ? text.replace(HEX, ' ') : text;
  if (!mayNameOwner(rest) && !IMPORTS.test(rest)) return false;
  const line = rest.replace(UNRELATED, ' ');
  const words = splitWords(line);
  if (mentionsAccount(words, false) || IMPORTS.test(line)) return true;
  if (PERSON.test(line)) return true;
  const names = [...line.matchAll(NAMED), ...line.matchAll(CELL)].map(([, name = '']) => name);
  const cells = ROW.test(line) ? line.split(',') : [];
  return [...names, ...cells].some(isOwner) || (words.length <= MAX_TITLE_WORDS && isOwner(line));
}
/** In the address of a request. */
const IMPORTS = /\/(?:import|unlock|login|restore|recover)\b/;

/** `deployer`, `burner wallet` or `address`, unlike `from` and `deployer tx`. */
export function isOwner(name: string): boolean {
  if (OF_ACCOUNT.test(name) && OF_ACCOUNT_ONLY.test(splitWords(name.split(' ').at(-1) ?? '').join(' '))) return true;
  // `private Web3j client`: a visibility
  const words = splitWords(name.replace(/^private (?=\w+ )/, '')).filter(
    word => !NOT_NAMES.test(word) && !isAttacker(word),
  );
  return words.length <= MAX_NAME_WORDS && findHashHint(words) === null && isAccountName(words);
}
/** What accounts have, and contracts and transactions too, which tell more of themselves. */
const OF_ACCOUNT = /addr|pub|balance/i;
const OF_ACCOUNT_ONLY = /^(?:(?:public )?addr(?:ess(?:es)?)?|pub(?:lic)? ?key|balance)$/;

/** Whether a cell of the row that a literal is in names an account or warns: `| deployer | 0x… |`, `| throwaway | 0x… |`. */
export function isInRowOfOwner(text: string, { start, end }: ScannedLiteral): boolean {
  const row = `${text.slice(findLineStart(text, start, 0), start)} ${text.slice(end, end + MAX_ROW_LENGTH).split('\n', 1)[0]}`;
  return row
    .replace(HEX, ' ')
    .split(/[|,;\t]|<[^<>]*>/)
    .some(cell => isOwner(cell) || WARNING.test(cell));
}

/** Whether a field says as whom something is done: `as: ops`, `login: 'ana'`. */
export const actsAs = (line: string): boolean => ACTS_AS.test(line);
const ACTS_AS =
  /(?<![\w.-])["']?(?:as|login|nick(?:name)?|user_?name)["']?\s?[:=]\s?["']?[a-z][\w-]{0,40}["']?\s?(?:[,;}]|$)/i;

const LITERAL = /(?<![\da-zA-Z])(?:0[xX])?([\da-fA-F]{64,132})(?![\da-zA-Z])/g;
/** What is before the name of a value. */
const BEFORE_NAME = /[,;{}()[\]|]/;

const INSERTED = /^\s{0,40}insert into [^()]{1,80}\(([^()]{1,200})\)/i;

/** The 32 bytes in a text whose names are not those of hashes: words for accounts and keys beside them are about these. */
export function findOtherValues(text: string): readonly string[] {
  // `INSERT INTO t (tx_hash) VALUES ('0x…')`
  const columns = INSERTED.exec(text)?.[1];
  const names = columns?.split(',').map(splitWords) ?? [];
  if (names.some(words => findHashHint(words) !== null) && names.every(words => findSecretWord(words) === null))
    return [];
  const values: string[] = [];
  let end = 0;
  for (const { 0: literal, 1: digits = '', index } of text.length < 64 ? [] : text.matchAll(LITERAL)) {
    const name = text.slice(Math.max(end, index - 60), index).replace(/[\s"'`([]{1,8}$/, '');
    if (findHashHint(splitWords(name.split(BEFORE_NAME).at(-1) ?? '')) === null) values.push(digits.toLowerCase());
    end = index + literal.length;
  }
  return values;
}

/** Whether a text has other 32 bytes than those of the literal, whose names are not those of hashes. */
export const hasOtherValue = (text: string, literal: ScannedLiteral): boolean =>
  isOtherThan(findOtherValues(text), literal);

export function isOtherThan(values: readonly string[], { text }: ScannedLiteral): boolean {
  const own = text.slice(-64).toLowerCase();
  return values.some(value => value !== own);
}
