// Checksum problems of long texts without a worker thread, as in a browser.
import { expect, test } from 'vitest';
import { locateChecksumProblems } from '../../../src/detect/findChecksumProblems.ts';
import { createChecksumFinder } from '../../../src/extension/checksums/checksumFinder.ts';

/** The account of the private key 1, with one wrong letter. */
const WRONG = '0x7e5F4552091A69125d5DfCb7b8C2659029395Bdf';
const options = { includeUnchecked: true, limit: 1_000 };
const finder = createChecksumFinder(null);

/** Lines of other lengths than the slices, with a problem in every 40th. */
const createText = (lines: number, lineEnd: string) =>
  Array.from(
    { length: lines },
    (_, at) => `${'x'.repeat(at % 97)} ${at % 40 === 0 ? `wallet = ${WRONG}; // ü` : at}`,
  ).join(lineEnd);

test.each(['\n', '\r\n'])('are found in slices as in the whole text, with line ends %j', async lineEnd => {
  const text = createText(30_000, lineEnd);
  expect(text.length).toBeGreaterThan(1_500_000);
  const found = await finder.find(text, {}, options);
  expect(found).toHaveLength(750);
  expect(found).toEqual(locateChecksumProblems(text, {}, options));
});

test('let other work have its turn, and end at the limit', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const text = createText(60_000, '\n');
  const found = await finder.find(text, {}, { ...options, limit: 1_400 });
  isDone = true;
  expect(found).toEqual(locateChecksumProblems(text, {}, { ...options, limit: 1_400 }));
  expect(turns).toBeGreaterThan(5);
});

test('end when they are not needed any more', async () => {
  let slices = 0;
  const found = await finder.find(createText(60_000, '\n'), {}, options, () => ++slices < 3);
  expect([found, slices]).toEqual([null, 3]);
});

test('of a text that is one long line are found too', async () => {
  const text = `${`{"a":"${WRONG}"},`.repeat(900)}${' '.repeat(1_200_000)}${WRONG}`;
  expect(await finder.find(text, {}, options)).toEqual(locateChecksumProblems(text, {}, options));
});

test('the address of a sign-in message at the start of a slice belongs to the message', async () => {
  const filler = `${'y'.repeat(249_999)}\n`;
  const head = 'example.com wants you to sign in with your Ethereum account:\n';
  for (const gap of [0, 1, 30, head.length - 1, head.length]) {
    const text = `${filler.slice(gap)}${head}${WRONG}\n${filler}`;
    expect(await finder.find(text, {}, options)).toEqual([]);
  }
});
