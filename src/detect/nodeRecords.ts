// Tells whether a literal is a field of a transaction, receipt, log or block as nodes return them.
import { isConversion } from './hintWords.ts';
import { findCalleeStart, findLineStart, findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretWord, isAccountName } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** Fields that nodes give to transactions, receipts, logs and blocks only, and others of these. */
const RECORD_FIELD =
  /(?<![\w.$-])(?:(block_?(?:number|hash)|(?:transaction|log)_?index|transaction_?hash|(?:cumulative_?)?gas_?used|effective_?gas_?price|logs_?bloom|topics|parent_?hash|(?:state|receipts|transactions)_?root|sha3_?uncles|mix_?hash|extra_?data|base_?fee_?per_?gas|access_?list|y_?parity|input|trace_?address|sub_?traces|transaction_?position|links|events|constructor_?args|contract_?name|deploy_?parameters|raw_?(?:tx|transaction)|tx_?params|state_?change_?hash|event_?root_?hash|accumulator_?root_?hash|vm_?status|gas_?unit_?price|max_?gas_?amount)|(address|contract|from|to|value|nonce|gas|gas_?(?:price|limit)|max_?(?:priority_?)?fee_?per_?gas|chain_?id|status|confirmations|creates|sender|sequence_?number|miner|difficulty|timestamp|number))\\{0,3}["'`]?\s{0,2}(?::(?!:)|=>|=(?!=))/gi;
/** Fields of settings, and of lists of accounts: what is beside them is not what a node returned. */
const SETTING =
  /(?<![\w.$-])(?:rpc|rpc_?url|urls?|endpoint|provider|network|networks|slippage|interval|router|private|label|email|env|user|role|funded|imported|active|enabled|password|unlocked?|path(?=["'`]?\s?[:=]\s?["']m\/))\\{0,3}["'`]?\s{0,2}(?::(?!:)|=>|=(?!=))/i;
/** Fields of receipts and traces whose names settings have too, with other values. */
const OTHER_VALUE =
  /(?<![\w.$-])(?:input["'`]?\s{0,2}[:=](?!\s{0,2}["'`]?(?:0x|$))|(?:events|links)["'`]?\s{0,2}[:=]\s?\[\s{0,8}["'`]|nonce["'`]?\s{0,2}[:=]\s?["'`]?[a-z]{2})[^\n,}]{0,40}/gi;
const ANY_FIELD = /([A-Za-z_]\w{1,40})\\{0,3}["'`]?\s{0,2}(?::(?!:)|=>|=(?!=))/g;
const TEXT_VALUE = /[:=]\s{0,4}\\{0,3}["'`]([A-Za-z_][\w .-]{2,40})\\{0,3}["'`]/g;
/** Characters of an object that are read before and after a literal. */
const RECORD_REACH = 2_000;

/** The text of an object behind a literal, to where it ends. */
function readRest(text: string, end: number, isConverted: boolean): string {
  const rest = text
    .slice(end, end + RECORD_REACH)
    .replace(isConverted ? /^["'`]?(?:\.\w{1,20}\(\))?,?\s{0,40}\)!?/ : /^["'`]/, '');
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    if ('([{'.includes(rest.charAt(at))) depth++;
    // The next statement.
    else if (rest.startsWith(';\n', at)) return rest.slice(0, at);
    else if (')]}'.includes(rest.charAt(at)) && --depth < 0) return rest.slice(0, at);
  }
  return rest;
}

/** The fields of the object around a literal but its own, by whether only nodes have them; `null` where one may be a key. */
function readRecord(text: string, { start, end }: ScannedLiteral): readonly (ReadonlySet<string> | undefined)[] | null {
  const opener = findObjectStart(text, start);
  if (opener < 0) return null;
  const before = text
    .slice(opener + 1, start)
    .replace(/(?<![\w$])[\w$]+\\{0,3}["'`]?\s{0,2}(?::|=>|=)\s{0,8}(?:\w{1,20}\((?:\w{1,12}: ?)?)?[^\w:=]{0,60}$/, '');
  const object = `${before} ${readRest(text, end, text[opener] !== '(')}`;
  for (const [, name = ''] of object.matchAll(ANY_FIELD)) if (findSecretWord(splitWords(name)) !== null) return null;
  // `"event": "key_export"`
  for (const [, value = ''] of object.matchAll(TEXT_VALUE)) if (findSecretWord(splitWords(value)) !== null) return null;
  if (SETTING.test(object)) return null;
  const fields = [...object.replace(OTHER_VALUE, ' ').matchAll(RECORD_FIELD)];
  const toSet = (group: number) =>
    new Set(fields.flatMap(field => field[group]?.toLowerCase().replaceAll('_', '') ?? []));
  return [toSet(1), toSet(2)];
}

/** `{"hash": "0x…", "nonce": "0x5", "from": "0x…"}`, also with `from`, `to` and `value` */
export function isTransactionObject(text: string, scanned: ScannedLiteral): boolean {
  const [certain, other] = readRecord(text, scanned) ?? [];
  if (other?.has('from') !== true) return false;
  const ofGas = [...other].filter(field => /gas|fee|chainid/.test(field)).length;
  return (
    other.size - ofGas > 2 ||
    other.has('nonce') ||
    other.has('status') ||
    other.has('confirmations') ||
    certain?.size !== 0
  );
}

/** Whether it is a field of a transaction, receipt, log or block as nodes return them, whatever the text around is about. */
export function isInRecord(text: string, scanned: ScannedLiteral): boolean {
  const [certain, other] = readRecord(text, scanned) ?? [];
  const count = (certain?.size ?? 0) + (other?.size ?? 0);
  if (other?.has('nonce') === true && IS_SENT.test(readObject(text, scanned))) return true;
  return (certain?.size ?? 0) > 0 ? count >= MIN_FIELDS : count >= 2 * MIN_FIELDS;
}
/** `"event":"broadcast"` beside the nonce, in a log. */
const IS_SENT =
  /"(?:event|msg|action)"\s?:\s?"(?:(?:tx|transaction)[ _.])?(?:re)?(?:broadcast(?:ed)?|submitted|sent|mined|confirmed|dropped|replaced|included)"/;
const MIN_FIELDS = 3;

/** Whether it is in an object with several fields that only nodes give: accounts that are named near it took part in it. */
export function isInFullRecord(text: string, scanned: ScannedLiteral): boolean {
  return ((readRecord(text, scanned) ?? [])[0]?.size ?? 0) >= MIN_FIELDS;
}

/** `"Factory": { "address": "0x…", "tx": "0x…", "block": 1 }`: all that tools write about a contract that they deployed. */
export function isOfContract(text: string, scanned: ScannedLiteral): boolean {
  const opener = findObjectStart(text, scanned.start);
  if (text[opener] !== '{') return false;
  const object = readObject(text, scanned).replace(/https?:\/\/[^\s"']{1,200}/g, '');
  const fields = Array.from(object.matchAll(/([A-Za-z_]\w{1,30})["']?\s?:/g), ([, name = '']) =>
    name.toLowerCase().replaceAll('_', ''),
  );
  if (!fields.includes('address') || !fields.every(name => OF_CONTRACT.has(name))) return false;
  const name =
    NAME_BEFORE.exec(text.slice(Math.max(0, opener - 70), opener))?.[1] ?? NAME_FIELD.exec(object)?.[1] ?? '';
  const isCreated =
    fields.some(field => /block|chain|contract/.test(field)) ||
    (fields.some(field => /args|arguments|abi/.test(field)) &&
      fields.some(field => /(?:tx|transaction)hash/.test(field)));
  const isContract = isCreated ? /^(?:[A-Z]|deployment$)/.test(name) : CONTRACT_NAME.test(name);
  return (isContract || OF_KIND.test(name) || isAmongContracts(text, opener)) && !isAccountName(splitWords(name));
}
const OF_CONTRACT = wordSet(
  'address name contract contractname tx txhash transaction transactionhash deploytx deploytxhash deploymenttx creationtx block blocknumber deployblock deployedblock deploymentblock startblock timestamp date chainid network chain version verified gasused verification verificationurl explorer explorerurl abi args constructorargs constructorarguments',
);
const NAME_BEFORE = /["']?\b(\w{2,60})["']?\s?[:=]\s?$/;
/** `"priceFeed": {"address": …}` beside a `"stabilityPool"` and a `"lqtyToken"`, and no account. */
function isAmongContracts(text: string, opener: number): boolean {
  const around = text.slice(Math.max(0, opener - RECORD_REACH), opener + RECORD_REACH);
  const names = Array.from(around.matchAll(NAME_OF_ADDRESS), ([, name = '']) => name);
  return names.filter(name => OF_KIND.test(name)).length > 1 && !names.some(name => isAccountName(splitWords(name)));
}
const NAME_OF_ADDRESS = /["'](\w{2,60})["']\s?:\s?\{\s{0,12}["']address["']/g;
const NAME_FIELD = /\b(?:name|contract|contractName)["']?\s?:\s?["'](\w{2,60})["']/;
const CONTRACT_NAME = /^(?:[A-Z][a-z\d]{1,30}){2,6}$/;
const OF_KIND =
  /(?:vault|token|factory|router|proxy|registry|pool|bridge|market|strategy|governor|implementation)s?(?:v\d)?$/i;

/** Where the brackets around a literal open, but those of a conversion: `{ Hash: common.HexToHash("0x…") }`. */
export function findObjectStart(text: string, start: number): number {
  const opener = findOpenerBefore(text, start, RECORD_REACH);
  if (text[opener] !== '(' || !/^\(\s{0,40}(?:\w{1,12}: ?)?["'`]?$/.test(text.slice(opener, start))) return opener;
  const callee = findCalleeStart(text, opener, 0);
  return isConversion(splitWords(text.slice(callee, opener))) ? findOpenerBefore(text, callee, RECORD_REACH) : opener;
}

/** The object that a literal is in, or its line outside of objects. */
export function readObject(text: string, { start, end }: ScannedLiteral): string {
  const opener = findObjectStart(text, start);
  if (opener >= 0) return `${text.slice(opener + 1, end)}${readRest(text, end, text[opener] !== '(')}`;
  return `${text.slice(findLineStart(text, start, 0), end)}${text.slice(end, end + RECORD_REACH).split('\n', 1)[0]}`;
}
