// Finds addresses with a wrong EIP-55 checksum, and optionally those without one.
import { checksumAddress } from '../base/checksumAddress.ts';
import type { Hex } from '../base/hex.ts';
import { classifyLiteral } from './classifyLiteral.ts';
import type { TextSource } from './literalContext.ts';
import { scanLiterals } from './scanLiterals.ts';

export interface ChecksumProblem {
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** `wrong`: mixed case that does not match the digits. `none`: one case only, so there is no checksum. */
  readonly kind: 'wrong' | 'none';
  /** The same digits with the right checksum. */
  readonly corrected: Hex;
}

/** With the line and character where the address starts, both from 0; it ends in the same line. */
export interface LocatedChecksumProblem extends ChecksumProblem {
  readonly line: number;
  readonly character: number;
}

export interface ChecksumOptions {
  /** Report addresses without a checksum too. */
  readonly includeUnchecked: boolean;
  /** Maximum number of problems. */
  readonly limit: number;
}

const hasMixedCase = (digits: string) => /[a-f]/.test(digits) && /[A-F]/.test(digits);
/** The address of a sign-in message has its own diagnostic, together with the other problems of the message. */
const SIWE_FIRST_LINE = /wants you to sign in with your Ethereum account:\r?\n$/;
const isInSiweMessage = (text: string, start: number) =>
  SIWE_FIRST_LINE.test(text.slice(Math.max(0, start - 64), start));

const hasLetters = (digits: string) => /[a-fA-F]/.test(digits);

/**
 * Problems by position. Masks, placeholders and addresses without an owner are ignored. Linear; an address in one case is
 * hashed only if `includeUnchecked` is set.
 */
export function findChecksumProblems(
  text: string,
  source: TextSource,
  { includeUnchecked, limit }: ChecksumOptions,
): readonly ChecksumProblem[] {
  const problems: ChecksumProblem[] = [];
  for (const scanned of scanLiterals(text, { only: 'literals' })) {
    if (problems.length >= limit) break;
    if (scanned.shape !== 'bytes20') continue;
    const digits = scanned.text.slice(2);
    const kind = hasMixedCase(digits) ? 'wrong' : 'none';
    if (kind === 'none' && !(includeUnchecked && hasLetters(digits))) continue;
    const literal = classifyLiteral(text, scanned, source);
    if (literal?.kind !== 'address' || isInSiweMessage(text, scanned.start)) continue;
    if (kind === 'wrong' ? !literal.shouldWarn : !literal.canLookUp || literal.checksum === 'valid') continue;
    problems.push({ start: scanned.start, end: scanned.end, kind, corrected: checksumAddress(literal.address) });
  }
  return problems;
}

/** The same with lines. They are counted here, in a worker thread: in a long document `positionAt` would block the editor. */
export function locateChecksumProblems(
  text: string,
  source: TextSource,
  options: ChecksumOptions,
): readonly LocatedChecksumProblem[] {
  let line = 0;
  let start = 0;
  return findChecksumProblems(text, source, options).map(problem => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < problem.start; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    return { ...problem, line, character: problem.start - start };
  });
}
