// The subject of Aptos at one position, or all of them in a text; the rest of the text is nobody's business here.
import { isHexDigit, mayEnd, mayStart } from '../characters.ts';
import type { SourceFacts } from '../literalContext.ts';
import { isEvmSource, isMove, speaksAptos } from './aptosContext.ts';
import { aptosLinkBefore } from './aptosLinks.ts';
import type { AptosSubject } from './aptosLiteral.ts';
import { aptosLiteral, namedSubject, numberSubject, typeSubject } from './classifyAptos.ts';
import { pathAround, pathAt } from './movePath.ts';

/** Whether a text may hold anything of Aptos: one look, before all others. */
export function mayHoldAptos(text: string, source: SourceFacts): boolean {
  if (isEvmSource(source)) return false;
  if (isMove(source) || source.aptos === true) return true;
  return /aptos|::[A-Za-z_]|Move\.toml|AccountAddress/i.test(text) || source.fileName?.endsWith('Move.toml') === true;
}

/** On the digits of `0x1::coin::Coin` it is the address, on its names the type. `null` when nothing of Aptos is there. */
export function aptosAt(text: string, offset: number, source: SourceFacts): AptosSubject | null {
  if (isEvmSource(source)) return null;
  const literal = literalAround(text, offset);
  if (literal !== null) {
    const subject = aptosLiteral(text, literal.start, literal.end, source);
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

function pathSubject(text: string, offset: number, source: SourceFacts): AptosSubject | null {
  const path = pathAround(text, offset);
  if (path === null) return null;
  if (/^0x/i.test(path.root) ? !speaksAptos(text, path.start, path.end, source) : !isMove(source)) return null;
  const link = aptosLinkBefore(text, path.start, path.end);
  if (!/^0x/i.test(path.root) && offset < path.rootEnd) {
    const place = { start: path.start, end: path.rootEnd, text: path.root };
    const named = namedSubject(place, source);
    return named.address === null && source.moveNames?.has(path.root) !== true ? null : named;
  }
  return typeSubject(text, path, source, link?.network ?? null);
}

function nameAround(text: string, offset: number, source: SourceFacts): AptosSubject | null {
  if (!isMove(source)) return null;
  let start = offset;
  while (start > 0 && offset - start < 80 && /\w/.test(text.charAt(start - 1))) start--;
  if (text[start - 1] === '@') start--;
  const found = /^@([A-Za-z_]\w{0,63})(?![\w:])/.exec(text.slice(start, start + 80));
  if (found === null || !mayStart(text, start)) return null;
  return namedSubject({ start, end: start + found[0].length, text: found[0] }, source);
}

function numberAround(text: string, offset: number): AptosSubject | null {
  let start = offset;
  while (start > 0 && offset - start < 24 && /\d/.test(text.charAt(start - 1))) start--;
  if (text[start - 1] !== '/') return null;
  const digits = /^\d{1,20}/.exec(text.slice(start, start + 20))?.[0];
  return digits === undefined || offset > start + digits.length
    ? null
    : numberSubject(text, { start, end: start + digits.length, text: digits });
}

const LITERAL = /0[xX][0-9a-fA-F]{1,64}(?![0-9a-fA-F])/g;
const NAME = /@[A-Za-z_]\w{0,63}(?![\w:])|(?<![\w:@])[A-Za-z_]\w{0,63}(?=::[A-Za-z_])/g;
const NUMBER = /(?<=\/(?:txn|tx|transaction|block|by_version|by_height)\/)\d{1,20}(?!\d)/g;

/** Every subject of Aptos by position. Types count whole; a type inside another's arguments does not count again. */
export function findAptos(text: string, source: SourceFacts): AptosSubject[] {
  if (!mayHoldAptos(text, source)) return [];
  const found: AptosSubject[] = [];
  for (const match of text.matchAll(LITERAL)) {
    const end = match.index + match[0].length;
    const path = pathAt(text, match.index);
    const type =
      path === null || !speaksAptos(text, path.start, path.end, source)
        ? null
        : typeSubject(text, path, source, aptosLinkBefore(text, path.start, path.end)?.network ?? null);
    const subject = type ?? aptosLiteral(text, match.index, end, source);
    if (subject !== null) found.push(subject);
  }
  if (isMove(source)) for (const match of text.matchAll(NAME)) add(nameAt(text, match.index, source));
  for (const match of text.matchAll(NUMBER)) {
    const place = { start: match.index, end: match.index + match[0].length, text: match[0] };
    add(mayEnd(text, place.end) ? numberSubject(text, place) : null);
  }
  function add(subject: AptosSubject | null) {
    if (subject !== null) found.push(subject);
  }
  return outermost(found.sort((a, b) => a.start - b.start || b.end - a.end));
}

function nameAt(text: string, start: number, source: SourceFacts): AptosSubject | null {
  if (text[start] === '@') return nameAround(text, start, source);
  const path = pathAt(text, start);
  return path === null ? null : typeSubject(text, path, source, null);
}

function outermost(subjects: readonly AptosSubject[]): AptosSubject[] {
  let end = -1;
  return subjects.filter(subject => {
    if (subject.start < end) return false;
    end = subject.end;
    return true;
  });
}
