// The rules that docs/security.md states, by their examples.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addRecord } from '../../../src/detect/addRecord.ts';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { getPrivacyVerdict } from '../../../src/detect/privacy.ts';
import { RULES } from '../../../src/detect/rules.ts';

const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';
const document = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
/** The number of a rule, and its two examples with the file that they are in. */
const ROW = /^\| (\d+) \| .* \| `([^`]+)`(?: in `([^`]+)`)? \| `([^`]+)`(?: in `([^`]+)`)? \|$/gm;
const examples = [...document.matchAll(ROW)].flatMap(([, number, first = '', firstFile, second = '', secondFile]) => [
  { number: Number(number), text: first, fileName: firstFile },
  { number: Number(number), text: second, fileName: secondFile },
]);

function decide(example: string, fileName: string | undefined) {
  const text = example.replaceAll('0x…', HASH).replaceAll('⏎', '\n').replaceAll('\\|', '|');
  const literal = detectLiterals(text, { fileName }).find(({ kind }) => kind === 'hash32');
  const isRecorded = fileName?.startsWith('recorded') === true;
  const known = literal && isRecorded ? addRecord(literal, { kind: 'transaction', chainId: 1 }) : literal;
  return known && getPrivacyVerdict(known, { isLocal: false, fileName });
}

describe('the table of rules', () => {
  it('has every rule once, in their order, with two examples', () => {
    expect(examples.map(({ number }) => number)).toEqual(Object.values(RULES).flatMap(number => [number, number]));
  });

  it.each(examples)('rule $number decides about $text', ({ number, text, fileName }) => {
    const verdict = decide(text, fileName);
    expect(verdict?.reason).toContain(`(rule ${number})`);
    expect(verdict?.decision).toBe(number <= RULES.secretFile ? 'never' : number <= RULES.nothing ? 'click' : 'yes');
  });
});
