// Detects Aptos literals: addresses, Move types, transactions and blocks, all or at one position.

import type { AptosLiteral } from '../hexLiteral.ts';
import { canLiteralEnd, canLiteralStart, isHexDigit } from '../literalBoundaries.ts';
import type { TextSource } from '../literalContext.ts';
import { isAptosContext, isEvmSource, isMoveSource } from './aptosContext.ts';
import { findAptosLinkBefore } from './aptosLinks.ts';
import { classifyAptosLiteral, classifyLinkedNumber, classifyMoveType, classifyNamedAddress } from './classifyAptos.ts';
import { findMovePathAround, parseMovePathAt } from './movePath.ts';

/** A cheap check before the others. */
function mightContainAptos(text: string, source: TextSource): boolean {
  if (isEvmSource(source)) return false;
  if (isMoveSource(source) || source.isAptos === true) return true;
  return /aptos|::[A-Za-z_]|Move\.toml|AccountAddress/i.test(text) || source.fileName?.endsWith('Move.toml') === true;
}

/** On the digits of `0x1::coin::Coin` the address, on its names the type. `null` when there is no Aptos literal. */
export function detectAptosAt(text: string, offset: number, source: TextSource): AptosLiteral | null {
  if (isEvmSource(source)) return null;
  const hex = findHexAround(text, offset);
  if (hex !== null) {
    const literal = classifyAptosLiteral(text, hex.start, hex.end, source);
    if (literal !== null) return literal;
  }
  return classifyPathAt(text, offset, source) ?? classifyNameAt(text, offset, source) ?? classifyNumberAt(text, offset);
}

/** The run of `0x` and digits at `offset` or ending there. */
function findHexAround(text: string, offset: number): { readonly start: number; readonly end: number } | null {
  let start = offset;
  while (start > 0 && offset - start <= 66 && /[0-9a-fA-FxX]/.test(text.charAt(start - 1))) start--;
  if (text[offset] === '@') start = offset + 1;
  if (text[start] !== '0' || !/[xX]/.test(text.charAt(start + 1))) return null;
  let end = start + 2;
  while (end - start < 68 && isHexDigit(text.charCodeAt(end))) end++;
  return offset <= end ? { start, end } : null;
}

function classifyPathAt(text: string, offset: number, source: TextSource): AptosLiteral | null {
  const path = findMovePathAround(text, offset);
  if (path === null) return null;
  if (/^0x/i.test(path.root) ? !isAptosContext(text, path.start, path.end, source) : !isMoveSource(source)) return null;
  const link = findAptosLinkBefore(text, path.start, path.end);
  if (!/^0x/i.test(path.root) && offset < path.rootEnd) {
    const range = { start: path.start, end: path.rootEnd, text: path.root };
    const named = classifyNamedAddress(range, source);
    return named.address === null && source.moveAddresses?.has(path.root) !== true ? null : named;
  }
  return classifyMoveType(text, path, source, link?.network ?? null);
}

function classifyNameAt(text: string, offset: number, source: TextSource): AptosLiteral | null {
  if (!isMoveSource(source)) return null;
  let start = offset;
  while (start > 0 && offset - start < 80 && /\w/.test(text.charAt(start - 1))) start--;
  if (text[start - 1] === '@') start--;
  const found = /^@([A-Za-z_]\w{0,63})(?![\w:])/.exec(text.slice(start, start + 80));
  if (found === null || !canLiteralStart(text, start)) return null;
  return classifyNamedAddress({ start, end: start + found[0].length, text: found[0] }, source);
}

function classifyNumberAt(text: string, offset: number): AptosLiteral | null {
  let start = offset;
  while (start > 0 && offset - start < 24 && /\d/.test(text.charAt(start - 1))) start--;
  if (text[start - 1] !== '/') return null;
  const digits = /^\d{1,20}/.exec(text.slice(start, start + 20))?.[0];
  return digits === undefined || offset > start + digits.length
    ? null
    : classifyLinkedNumber(text, { start, end: start + digits.length, text: digits });
}

const LITERAL = /0[xX][0-9a-fA-F]{1,64}(?![0-9a-fA-F])/g;
const NAMED_ADDRESS = /@[A-Za-z_]\w{0,63}(?![\w:])|(?<![\w:@])[A-Za-z_]\w{0,63}(?=::[A-Za-z_])/g;
const LINKED_NUMBER = /(?<=\/(?:txn|tx|transaction|block|by_version|by_height)\/)\d{1,20}(?!\d)/g;

/** Every Aptos literal by position. A type that is an argument of another type is part of that type. */
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
    const literal = type ?? classifyAptosLiteral(text, match.index, end, source);
    if (literal !== null) found.push(literal);
  }
  if (isMoveSource(source))
    for (const match of text.matchAll(NAMED_ADDRESS)) add(classifyNameFrom(text, match.index, source));
  for (const match of text.matchAll(LINKED_NUMBER)) {
    const range = { start: match.index, end: match.index + match[0].length, text: match[0] };
    add(canLiteralEnd(text, range.end) ? classifyLinkedNumber(text, range) : null);
  }
  function add(literal: AptosLiteral | null) {
    if (literal !== null) found.push(literal);
  }
  return keepOutermost(found.sort((a, b) => a.start - b.start || b.end - a.end));
}

function classifyNameFrom(text: string, start: number, source: TextSource): AptosLiteral | null {
  if (text[start] === '@') return classifyNameAt(text, start, source);
  const path = parseMovePathAt(text, start);
  return path === null ? null : classifyMoveType(text, path, source, null);
}

function keepOutermost(literals: readonly AptosLiteral[]): AptosLiteral[] {
  let end = -1;
  return literals.filter(literal => {
    if (literal.start < end) return false;
    end = literal.end;
    return true;
  });
}
