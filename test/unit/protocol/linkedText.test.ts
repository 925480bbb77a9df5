// Lines of text in which addresses are marked.
import { expect, test } from 'vitest';
import { linkAddress, parseLinkedText, removeMarks, toPlainText } from '../../../src/protocol/linkedText.ts';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

test('a line has the addresses where they are named in it', () => {
  const line = `${linkAddress('Alice', ALICE)} → ${linkAddress('0x3C44…93BC', BOB)} · 12 MFT`;
  expect(parseLinkedText(line)).toEqual([
    { text: 'Alice', address: ALICE },
    { text: ' → ', address: null },
    { text: '0x3C44…93BC', address: BOB },
    { text: ' · 12 MFT', address: null },
  ]);
  expect(toPlainText(line)).toBe('Alice → 0x3C44…93BC · 12 MFT');
});

test('marks in names and symbols make no links', () => {
  const forged = `\u0001Alice\u0002${BOB}\u0003`;
  expect(removeMarks(forged)).toBe(`Alice${BOB}`);
  expect(parseLinkedText(linkAddress(forged, ALICE))).toEqual([{ text: `Alice${BOB}`, address: ALICE }]);
});

test('what is not a whole address is text', () => {
  expect(parseLinkedText('to \u0001Alice\u0002javascript:alert(1)\u0003')).toEqual([
    { text: 'to ', address: null },
    { text: 'Alicejavascript:alert(1)', address: null },
  ]);
  expect(toPlainText('to \u0001Alice\u00020x7099')).toBe('to Alice0x7099');
});
