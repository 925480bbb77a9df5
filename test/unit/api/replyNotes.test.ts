// What pages and lists show of the headers of a reply.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { addPageNotes, areCallsPending, getReplyNotes, MAX_NOTE_LENGTH } from '../../../src/api/wire/replyNotes.ts';
import { INTERNAL_HEADER, PARTIAL_HEADER, SCAN_HEADER, TOTAL_HEADER } from '../../../src/api/wire/responseHeaders.ts';
import { setTranslations, type Translations } from '../../../src/base/localize.ts';

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Translations;
afterEach(() => setTranslations(undefined));

const noteOf = (name: string, text: string) => getReplyNotes({ headers: { [name]: text } })[name];

test.each([
  [SCAN_HEADER, 'partial; searched down to block 1234567', 'Searched down to block 1234567; load more to continue.'],
  [SCAN_HEADER, 'partial; searched up to block 1234567', 'Searched up to block 1234567; load more to continue.'],
  [TOTAL_HEADER, 'unavailable; the chain is scanned', /^The rows are not counted, /],
  [TOTAL_HEADER, 'unavailable; the range is too long to be counted', /^The rows are not counted: /],
  [
    INTERNAL_HEADER,
    'unavailable; the node can not trace',
    'Calls inside transactions are missing: the node can not trace',
  ],
])('says of %s: %s', (name, text, sentence) => {
  expect(noteOf(name, text)).toMatch(sentence);
  setTranslations(german);
  expect(noteOf(name, text)).toMatch(/gesucht; mehr laden|Zeilen sind nicht gezählt|Aufrufe innerhalb/);
});

test.each([
  [
    'earlier',
    /^Only what it sent\. The calls .* of block 12 and earlier ones are still being read: Refresh shows them\.$/,
  ],
  ['later', /^Only what it sent\. The calls .* of block 12 and later ones are still being read: Refresh shows them\.$/],
])('says what the user does while calls are still being read: %s ones', (direction, sentence) => {
  const text = `Only what it sent. The calls inside the transactions of block 12 and ${direction} ones are still being read: request the page again, or the next one.`;
  expect(noteOf(PARTIAL_HEADER, text)).toMatch(sentence);
  setTranslations(german);
  expect(noteOf(PARTIAL_HEADER, text)).toMatch(/Block 12 .* werden noch gelesen: Aktualisieren zeigt sie\.$/);
});

test.each(['later', 'earlier'])(
  'says nothing of Refresh where calls that are still being read are requested again: %s ones',
  direction => {
    const text = `The calls inside the transactions of block 12 and ${direction} ones are still being read: request the page again, or the next one.`;
    const reply = { headers: { [PARTIAL_HEADER]: text } };
    expect(areCallsPending(reply)).toBe(true);
    expect(Object.values(getReplyNotes(reply, true))).toEqual([
      `The calls inside the transactions of block 12 and ${direction} ones are still being read.`,
    ]);
    expect(areCallsPending({ headers: { [PARTIAL_HEADER]: 'Only what it sent.' } })).toBe(false);
  },
);

test.each([
  [PARTIAL_HEADER, 'Only what it sent.'],
  [SCAN_HEADER, 'partial; searched down to block <b>'],
])('%s of another text is as it came, cut off: %s', (name, text) => {
  expect(noteOf(name, text)).toBe(text);
  expect(noteOf(name, text.padEnd(1_000, '.'))).toHaveLength(MAX_NOTE_LENGTH);
});

test('a list has the notes of all its pages, and of the scan that of the last page', () => {
  const first = { [SCAN_HEADER]: 'Down to 9.', [PARTIAL_HEADER]: 'Without images.' };
  expect(addPageNotes(first, { [SCAN_HEADER]: 'Down to 5.', [TOTAL_HEADER]: 'Not counted.' })).toEqual({
    [SCAN_HEADER]: 'Down to 5.',
    [PARTIAL_HEADER]: 'Without images.',
    [TOTAL_HEADER]: 'Not counted.',
  });
  expect(addPageNotes(first, {})).toEqual({ [PARTIAL_HEADER]: 'Without images.' });
});
