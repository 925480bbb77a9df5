// Tells whether a name before a literal may be that of another value beside it.
import { findChainIdByWord } from '../api/chainNames.ts';
import { type HashClaim, IN_SENTENCE } from './hashClaim.ts';
import { findHashHint, isHashName } from './hintWords.ts';
import { isLookedUp } from './keyNames.ts';
import type { Label } from './labels.ts';
import { isOwner } from './owners.ts';
import { findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findKeyWord, isAccountName } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

/**
 * Whether the label may name another literal: `tx 0x…, 0x… signed it`, `getTransaction('0x…', '0x…')`, or is one of several
 * names: `signer / tx hash: 0x…`, `wallet, tx hash: 0x…, 0x…`.
 */
export function isOneOfSeveral(text: string, scanned: ScannedLiteral, before: string, claim: HashClaim): boolean {
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

const REACH = 600;

/** `where tx_hash in ('0x…', '0x…')`, `parametrize("tx_hash", ["0x…", "0x…"])` */
function isInListOfHashes(text: string, { start, end }: ScannedLiteral, label: Label): boolean {
  const opener = findOpenerBefore(text, start, REACH);
  const name = text.slice(Math.max(0, opener - 60), opener);
  if (!(isHashName(label.words) || label === IN_SENTENCE) || !/\bin\s?$|["'`],\s?$|\.each\($/i.test(name)) return false;
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

export const SECOND_VALUE = /[0-9a-fA-F]{64}["'`]?:\s{0,4}["'`]?$|[0-9a-fA-F]{40}["'`\\]{0,4},\s{0,4}["'`\\]{0,4}$/;

const FIRST_VALUE =
  /^["'`*)\\]{0,4}(?:[ \t]{0,4}(?:[,;/|&+]|[-=]>|→|\.{2,20}|and|und)[ \t]{0,4}|[ \t]{1,40}|:[ \t]{0,2}\[?)["'`*(\\]{0,4}(?:0[xX])?[0-9a-fA-F]{64}(?![0-9a-fA-F])/;

/** The last of several names, such as `wallet & tx hash: `. */
const LAST_NAME =
  /([\p{L}\d_-]{1,40})[)\]`*]{0,3} {0,2}([,/&+|]|[-=]>|→|\b(?:and|or|und|oder)\b) {0,2}[`*]{0,2}([\p{L}\d_ ]{2,40})[`*)]{0,3} ?[:=][`*]{0,3}\s{0,4}["'`]?$/u;

/** `new Map([['0x…', '0x…']])` */
const PAIR =
  /0[xX][0-9a-fA-F]{64}["'`]?:\s?["'`]?$|-\s{1,4}\[\s{0,4}["'`]?$|[[,-]\s{0,4}\[\s{0,4}["'`]?0[xX][0-9a-fA-F]{40,64}["'`]?,\s{0,4}["'`]?$/;

const MAX_PAIR_LENGTH = 300;

/** Of two values side by side in a row or map, or behind the literal that the text tells of, the name does not tell which is the hash. */
function isInPair(text: string, { start, end }: ScannedLiteral): boolean {
  const before = text.slice(Math.max(0, start - MAX_PAIR_LENGTH), start);
  const after = text.slice(end, end + MAX_PAIR_LENGTH / 2);
  return (
    KEY_OF_VALUE.test(after) ||
    (PAIR_START.test(before) && SECOND_OF_PAIR.test(after)) ||
    PAIR_END.test(before) ||
    BEHIND_LITERAL.test(before)
  );
}
const WORD = String.raw`["'\`]?(?:0[xX])?[0-9a-fA-F]{64}(?![0-9a-fA-F])["'\`]?`;
/** `{"0x…": "0x…"}`, `{"0x…": send("0x…")}`, `- 0x…: 0x…` */
const KEY_OF_VALUE = new RegExp(String.raw`^["'\`]?\s?:\s{0,4}(?:[\w.]{1,40}\()?${WORD}`);
const ROW_START = String.raw`(?:\[\s{0,40}|[\])]\s?,\s{0,40}|(?:^|\n)\s{0,40}-\s{1,4})[[(]\s{0,4}|\bMap\.of\(\s{0,20}`;
/** `[["0x…", "0x…"], …]`, `- ["0x…", "0x…"]`, `Map.of("0x…", "0x…")` */
const PAIR_START = new RegExp(String.raw`(?:${ROW_START})["'\`]?$`);
const SECOND_OF_PAIR = new RegExp(String.raw`^["'\`]?,\s{0,4}${WORD}\s{0,4}[\])]`);
const PAIR_END = new RegExp(String.raw`(?:${ROW_START})${WORD},\s{0,4}["'\`]?$`);
/** `txs 0x…,0x…`, `traceTransaction("0x…", { id: "0x…"` */
const BEHIND_LITERAL = new RegExp(String.raw`(?:^|\n)[\w ]{1,40} ${WORD},$|\(${WORD},\s?\{[^{}]{1,100}$`);
