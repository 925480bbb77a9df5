// The subject of Aptos at one position, or all of them in a text; the rest of the text is nobody's business here.
import { canLiteralEnd, canLiteralStart, isHexDigit } from '../characters.ts';
import type { AptosLiteral } from '../hexLiteral.ts';
import type { TextSource } from '../literalContext.ts';
import { isAptosContext, isEvmSource, isMoveSource } from './aptosContext.ts';
import { findAptosLinkBefore } from './aptosLinks.ts';
import { classifyAptosLiteral, classifyLinkedNumber, classifyMoveType, classifyNamedAddress } from './classifyAptos.ts';
import { findMovePathAround, parseMovePathAt } from './movePath.ts';

/** Whether a text may hold anything of Aptos: one look, before all others. */
export function mightContainAptos(text: string, source: TextSource): boolean {
  if (isEvmSource(source)) return false;
  if (isMoveSource(source) || source.isAptos === true) return true;
  return /aptos|::[A-Za-z_]|Move\.toml|AccountAddress/i.test(text) || source.fileName?.endsWith('Move.toml') === true;
}

/** On the digits of `0x1::coin::Coin` it is the address, on its names the type. `null` when nothing of Aptos is there. */
export function detectAptosAt(text: string, offset: number, source: TextSource): AptosLiteral | null {
  if (isEvmSource(source)) return null;
  const literal = literalAround(text, offset);
  if (literal !== null) {
    const subject = classifyAptosLiteral(text, literal.start, literal.end, source);
    if (subject !== null) return subject;
  }
  return pathSubject(text, offset, source) ?? nameAround(text, offset, source) ?? numberAround(text, offset);
}

/** The run of `0x` and digits that `offset` is on or right behind. */
function literalAround(text: string, offset: number): { readonly start: number; readonly end: number } | null {
  let start = offset;
  while (start > 0 && offset - start <= 66 && /[0-9a-fA-FxX]/.test(text.charAt(start - 1))) start--;
  if (text[offset] === '@') start = offset + 1;
  if (text[start] !== '0' || !/[xX]/.test(text.charAt(start + 1))) return null;
  let end = start + 2;
  while (end - start < 68 && isHexDigit(text.charCodeAt(end))) end++;
  return offset <= end ? { start, end } : null;
}

function pathSubject(text: string, offset: number, source: TextSource): AptosLiteral | null {
  const path = findMovePathAround(text, offset);
  if (path === null) return null;
  if (/^0x/i.test(path.root) ? !isAptosContext(text, path.start, path.end, source) : !isMoveSource(source)) return null;
  const link = findAptosLinkBefore(text, path.start, path.end);
  if (!/^0x/i.test(path.root) && offset < path.rootEnd) {
    const place = { start: path.start, end: path.rootEnd, text: path.root };
    const named = classifyNamedAddress(place, source);
    return named.address === null && source.moveAddresses?.has(path.root) !== true ? null : named;
  }
  return classifyMoveType(text, path, source, link?.network ?? null);
}

function nameAround(text: string, offset: number, source: TextSource): AptosLiteral | null {
  if (!isMoveSource(source)) return null;
  let start = offset;
  while (start > 0 && offset - start < 80 && /\w/.test(text.charAt(start - 1))) start--;
  if (text[start - 1] === '@') start--;
  const found = /^@([A-Za-z_]\w{0,63})(?![\w:])/.exec(text.slice(start, start + 80));
  if (found === null || !canLiteralStart(text, start)) return null;
  return classifyNamedAddress({ start, end: start + found[0].length, text: found[0] }, source);
}

function numberAround(text: string, offset: number): AptosLiteral | null {
  let start = offset;
  while (start > 0 && offset - start < 24 && /\d/.test(text.charAt(start - 1))) start--;
  if (text[start - 1] !== '/') return null;
  const digits = /^\d{1,20}/.exec(text.slice(start, start + 20))?.[0];
  return digits === undefined || offset > start + digits.length
    ? null
    : classifyLinkedNumber(text, { start, end: start + digits.length, text: digits });
}

const LITERAL = /0[xX][0-9a-fA-F]{1,64}(?![0-9a-fA-F])/g;
const NAME = /@[A-Za-z_]\w{0,63}(?![\w:])|(?<![\w:@])[A-Za-z_]\w{0,63}(?=::[A-Za-z_])/g;
const NUMBER = /(?<=\/(?:txn|tx|transaction|block|by_version|by_height)\/)\d{1,20}(?!\d)/g;

/** Every subject of Aptos by position. Types count whole; a type inside another's arguments does not count again. */
export function detectAptos(text: string, source: TextSource): AptosLiteral[] {
  if (!mightContainAptos(text, source)) return [];
  const found: AptosLiteral[] = [];
  for (const match of text.matchAll(LITERAL)) {
    const end = match.index + match[0].length;
    const path = parseMovePathAt(text, match.index);
    const type =
      path === null || !isAptosContext(text, path.start, path.end, source)
        ? null
        : classifyMoveType(text, path, source, findAptosLinkBefore(text, path.start, path.end)?.network ?? null);
    const subject = type ?? classifyAptosLiteral(text, match.index, end, source);
    if (subject !== null) found.push(subject);
  }
  if (isMoveSource(source)) for (const match of text.matchAll(NAME)) add(nameAt(text, match.index, source));
  for (const match of text.matchAll(NUMBER)) {
    const place = { start: match.index, end: match.index + match[0].length, text: match[0] };
    add(canLiteralEnd(text, place.end) ? classifyLinkedNumber(text, place) : null);
  }
  function add(subject: AptosLiteral | null) {
    if (subject !== null) found.push(subject);
  }
  return outermost(found.sort((a, b) => a.start - b.start || b.end - a.end));
}

function nameAt(text: string, start: number, source: TextSource): AptosLiteral | null {
  if (text[start] === '@') return nameAround(text, start, source);
  const path = parseMovePathAt(text, start);
  return path === null ? null : classifyMoveType(text, path, source, null);
}

function outermost(subjects: readonly AptosLiteral[]): AptosLiteral[] {
  let end = -1;
  return subjects.filter(subject => {
    if (subject.start < end) return false;
    end = subject.end;
    return true;
  });
}
