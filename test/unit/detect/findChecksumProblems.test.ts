// Addresses with checksum problems, and the cost for a large file.
import { describe, expect, test } from 'vitest';
import { findChecksumProblems, locateChecksumProblems } from '../../../src/detect/findChecksumProblems.ts';

const right = '0x52908400098527886E0F7030069857D2E4169EE7';
const good = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const checked = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
const find = (text: string, none = false, limit = 100) =>
  findChecksumProblems(text, {}, { includeUnchecked: none, limit });

describe('findChecksumProblems', () => {
  test('reports a wrong checksum and the corrected address', () => {
    const text = `const a = "${checked}", b = '${wrong}';`;
    const start = text.indexOf(wrong);
    expect(find(text)).toEqual([{ start, end: start + 42, kind: 'wrong', corrected: checked }]);
  });
  test('works in any language, in comments and in links', () => {
    for (const text of [`# ${wrong}`, `<!-- ${wrong} -->`, `https://etherscan.io/address/${wrong}`, `a=${wrong}`])
      expect(find(text).map(({ kind }) => kind)).toEqual(['wrong']);
  });
  test.each([
    ['right ones', checked],
    ['all upper and all lower case', `${right} ${good.toLowerCase()}`],
    ['masks', '0xAbCdEfAbCdEfAbCdEfAbCdEfAbCdEfAbCdEfAbCd 0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeef'],
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['hashes and longer hex', `0x${'aB'.repeat(32)} ${wrong}00`],
    [
      'sign-in messages, which have marks of their own',
      `a.example wants you to sign in with your Ethereum account:\n${wrong}\n`,
    ],
    ['nothing', ''],
  ])('ignores %s', (_, text) => expect(find(text)).toEqual([]));
  test('reports addresses without a checksum only if requested', () => {
    const text = `${good.toLowerCase()} ${checked} 0x${'0'.repeat(40)} ${'0x'}${'1234567890'.repeat(4)}`;
    expect(find(text)).toEqual([]);
    expect(find(text, true).map(({ kind, corrected: written }) => [kind, written])).toEqual([['none', good]]);
  });
  test('respects the limit', () => {
    expect(find(`${wrong}\n`.repeat(50), false, 10)).toHaveLength(10);
  });
});

test('lines and characters are those of an editor, for any line ends', () => {
  for (const end of ['\n', '\r\n']) {
    const text = [`${wrong} ${wrong}`, '', `é😀 ${wrong}`, checked, wrong].join(end);
    const places = locateChecksumProblems(text, {}, { includeUnchecked: false, limit: 100 }).map(
      ({ line, character }) => [line, character],
    );
    expect(places).toEqual([
      [0, 0],
      [0, 43],
      [2, 4],
      [4, 0],
    ]);
  }
});
