// Addresses of a text whose EIP-55 checksum is wrong, and on request those that have none.
import { checksumAddress } from '../base/checksumAddress.ts';
import type { Hex } from '../base/hex.ts';
import { classifyLiteral } from './classifyLiteral.ts';
import type { TextSource } from './literalContext.ts';
import { scanLiterals } from './scanLiterals.ts';

export interface ChecksumProblem {
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** `wrong`: mixed case that does not fit its digits. `none`: all lower or all upper case, which checks nothing. */
  readonly kind: 'wrong' | 'none';
  /** The same digits with the checksum that fits them. */
  readonly corrected: Hex;
}

/** With the line and the character in it where the address begins, both from 0; it ends on the same line. */
export interface LocatedChecksumProblem extends ChecksumProblem {
  readonly line: number;
  readonly character: number;
}

export interface ChecksumOptions {
  /** Reports addresses in one case too. */
  readonly includeUnchecked: boolean;
  /** More findings are not worth showing. */
  readonly limit: number;
}

const mixed = (digits: string) => /[a-f]/.test(digits) && /[A-F]/.test(digits);
/** The address of a sign-in message has a mark of its own, with all else that is wrong there. */
const SIGN_IN = /wants you to sign in with your Ethereum account:\r?\n$/;
const inSignIn = (text: string, start: number) => SIGN_IN.test(text.slice(Math.max(0, start - 64), start));

const letters = (digits: string) => /[a-fA-F]/.test(digits);

/**
 * By position. Masks, placeholders and addresses that nobody owns are left out. Linear; an address in one case costs no
 * hash unless it is asked for.
 */
export function findChecksumProblems(
  text: string,
  source: TextSource,
  { includeUnchecked: none, limit }: ChecksumOptions,
): readonly ChecksumProblem[] {
  const findings: ChecksumProblem[] = [];
  for (const found of scanLiterals(text, { only: 'literals' })) {
    if (findings.length >= limit) break;
    if (found.shape !== 'bytes20') continue;
    const digits = found.text.slice(2);
    const kind = mixed(digits) ? 'wrong' : 'none';
    if (kind === 'none' && !(none && letters(digits))) continue;
    const subject = classifyLiteral(text, found, source);
    if (subject?.kind !== 'address' || inSignIn(text, found.start)) continue;
    if (kind === 'wrong' ? !subject.shouldWarn : !subject.canLookUp || subject.checksum === 'valid') continue;
    findings.push({ start: found.start, end: found.end, kind, corrected: checksumAddress(subject.address) });
  }
  return findings;
}

/** The same with lines, counted here: of a long document the editor's own arithmetic would cost its main thread. */
export function locateChecksumProblems(
  text: string,
  source: TextSource,
  options: ChecksumOptions,
): readonly LocatedChecksumProblem[] {
  let line = 0;
  let start = 0;
  return findChecksumProblems(text, source, options).map(finding => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < finding.start; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    return { ...finding, line, character: finding.start - start };
  });
}
