// Patterns in hex digits that no key or hash has: masks, repetitions, sequences, padding.

/** `zero`, `ones`: all bits the same. `mask`: only 0 and f. `repeated`: a short pattern over and over. `sequence`: bytes count up. */
export type DigitPattern = 'zero' | 'ones' | 'mask' | 'repeated' | 'sequence';

/** The pattern of a run of lower-case hex digits, at least 16 of them; `null` when there is none. */
export function detectDigitPattern(digits: string): DigitPattern | null {
  if (/^0+$/.test(digits)) return 'zero';
  if (/^f+$/.test(digits)) return 'ones';
  if (/^[0f]+$/.test(digits)) return 'mask';
  // A pattern that repeats shows its first digits again where it starts over.
  const head = digits.slice(0, 4);
  for (let period = digits.indexOf(head, 1); period > 0; period = digits.indexOf(head, period + 1)) {
    if (period <= digits.length / 2 && digits.startsWith(digits.slice(period))) return 'repeated';
  }
  return countsUp(digits) ? 'sequence' : null;
}

function countsUp(digits: string): boolean {
  for (let i = 2; i < digits.length; i += 2) {
    const step = Number.parseInt(digits.slice(i, i + 2), 16) - Number.parseInt(digits.slice(i - 2, i), 16);
    if (step !== 1) return false;
  }
  return true;
}

export function countLeadingZeros(digits: string): number {
  return /^0*/.exec(digits)?.[0].length ?? 0;
}

export function countTrailingZeros(digits: string): number {
  return /(?<!0)0*$/.exec(digits)?.[0].length ?? 0;
}

/** Printable ASCII of at least two characters, padded with zero bytes: how Solidity stores a short `bytes32` text. */
export function decodePaddedText(digits: string): string | null {
  if (!digits.endsWith('0000')) return null;
  const bytes = digits.match(/../g) ?? [];
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === '00') length--;
  if (length < 2 || length > bytes.length - 2) return null;
  const text = bytes.slice(0, length).map(byte => String.fromCharCode(Number.parseInt(byte, 16)));
  return text.every(char => char >= ' ' && char <= '~') ? text.join('') : null;
}
