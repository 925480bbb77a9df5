// Scanning a whole text: shapes, boundaries, linear cost.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { detectLiteralAt } from '../../../src/detect/detectLiterals.ts';
import { type ScannedLiteral, scanLiteralAt, scanLiterals } from '../../../src/detect/scanLiterals.ts';
import { scaleRounds } from '../../support/rounds.ts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';
const SELECTOR = '0x12345678';

const shapes = (text: string) => scanLiterals(text).map(found => `${found.shape} ${found.text}`);

describe('shape', () => {
  const digits = (count: number) => `0x${'9a'.repeat(count).slice(0, count)}`;
  it.each([
    [7, null],
    [8, 'bytes4'],
    [9, null],
    [37, null],
    [38, 'odd'],
    [39, 'odd'],
    [40, 'bytes20'],
    [41, 'odd'],
    [42, 'odd'],
    [43, null],
    [44, 'data'],
    [45, null],
    [46, 'data'],
    [61, null],
    [62, 'odd'],
    [63, 'odd'],
    [64, 'bytes32'],
    [65, 'odd'],
    [66, 'odd'],
    [67, null],
    [68, 'data'],
    [69, null],
    [10_000, 'data'],
    [262_142, 'data'],
    [262_144, null],
    [300_000, null],
  ])('%i digits are %s', (count, shape) => {
    expect(scanLiterals(`(${digits(count)})`).map(found => found.shape)).toEqual(shape === null ? [] : [shape]);
  });

  it('finds literals at both ends of a text, and none in an empty one', () => {
    expect(scanLiterals(ADDRESS)).toEqual([{ shape: 'bytes20', start: 0, end: 42, text: ADDRESS }]);
    expect(scanLiterals('')).toEqual([]);
    expect(scanLiterals('0x')).toEqual([]);
    expect(scanLiterals('x')).toEqual([]);
  });

  it('finds 0X and upper case, several in a line, and literals beyond one read window', () => {
    const upper = `0X${ADDRESS.slice(2).toUpperCase()}`;
    expect(shapes(`${upper},${HASH} ${SELECTOR};${ADDRESS}`)).toEqual([
      `bytes20 ${upper}`,
      `bytes32 ${HASH}`,
      `bytes4 ${SELECTOR}`,
      `bytes20 ${ADDRESS}`,
    ]);
    const far = `${'—'.repeat(3_000)} ${'a '.repeat(3_000)}${HASH} ${'é'.repeat(5_000)} 0x${'ab'.repeat(5_000)} ${ADDRESS}`;
    expect(scanLiterals(far).map(found => found.shape)).toEqual(['bytes32', 'data', 'bytes20']);
  });
});

describe('boundaries', () => {
  it.each([
    ...[
      '"',
      "'",
      '`',
      '(',
      '[',
      '{',
      '<',
      '=',
      ':',
      ',',
      ';',
      '.',
      '/',
      '@',
      '#',
      '-',
      '+',
      '*',
      '|',
      '~',
      '!',
      '?',
      '&',
      '%',
    ].map(char => [char]),
    ['\n'],
    ['\t'],
    ['\u00a0'],
    ['\u200b'],
    ['\ufeff'],
    ['\u202e'],
    ['\u200f'],
    ['：'],
    ['（'],
    ['…'],
    ['🚀'],
    ['✅\ufe0f'],
    ['1️⃣'],
    ['²'],
    ['\\n'],
    ['\\t'],
    ['\\r'],
    ['\\u0022'],
    ['\\u003d'],
    ['\\x22'],
    ['%20'],
    ['%3D'],
    ['%2F'],
    ['\x1b[32m'],
    ['\\x1b[1;32m'],
    ['\\u001b[0m'],
    ['\\033[0;31m'],
  ])('a literal can start after %j', before => {
    expect(shapes(`a${before}${ADDRESS}`)).toEqual([`bytes20 ${ADDRESS}`]);
  });

  // Chinese, Japanese and Thai have no spaces, Korean has endings right behind names.
  it.each([
    [`合约地址${ADDRESS}已部署`, ADDRESS],
    [`交易哈希${HASH}。`, HASH],
    [`コントラクト${ADDRESS}をデプロイした`, ADDRESS],
    [`トークンー${ADDRESS}`, ADDRESS],
    [`계약${ADDRESS}를 배포`, ADDRESS],
    [`ที่อยู่${ADDRESS}ถูกต้อง`, ADDRESS],
    [`ㄉㄧˋㄓˇ的${ADDRESS}ㄉㄜ`, ADDRESS],
    [`བོད་${ADDRESS}ལ`, ADDRESS],
    [`ꦱꦏ${ADDRESS}ꦱ`, ADDRESS],
    [`_${ADDRESS}_`, ADDRESS],
    [`see __${HASH}__.`, HASH],
    [`(_${ADDRESS}_)`, ADDRESS],
  ])('text without spaces and emphasis are no part of the literal in %s', (text, literal) => {
    expect(shapes(text)).toEqual([`${literal.length === 42 ? 'bytes20' : 'bytes32'} ${literal}`]);
  });
  it.each([`owner_${ADDRESS}`, `_${ADDRESS}`, `a_${ADDRESS}_`, `_${ADDRESS}_b`, `__${ADDRESS}_`, `_${SELECTOR}_`])(
    'names are not emphasis: %s',
    text => {
      expect(shapes(text)).toEqual([]);
    },
  );
  it.each([
    [`'\\x${HASH.slice(2)}'::bytea`, `bare32 ${HASH.slice(2)}`],
    [`'\\x${ADDRESS.slice(2)}'`, `bare20 ${ADDRESS.slice(2)}`],
  ])('bytes of PostgreSQL have their own prefix: %s', (text, shape) => {
    expect(shapes(text)).toEqual([shape]);
  });

  it.each([
    '_',
    '$',
    'a',
    'g',
    'Z',
    '0',
    '9',
    'x',
    'é',
    'ß',
    'я',
    'ا',
    'א',
    '𝒳',
    'e\u0301',
    '١',
    '‿',
    '\\u0041',
    '\\x41',
    '%41',
    '%5F',
  ])('a literal cannot start after %j', before => {
    expect(shapes(`-${before}${ADDRESS}`)).toEqual([]);
  });

  it.each(['_', '$', 'g', 'G', 'z', 'n', 'x', 'é', 'я', 'ا', '𝒳', '\u0301', '.eth', '.ETH'])(
    'nor end before %j',
    after => {
      expect(shapes(`${ADDRESS}${after}`)).toEqual([]);
    },
  );

  it.each([
    '"',
    "'",
    ')',
    ']',
    '}',
    '>',
    ',',
    ';',
    '.',
    ':',
    '/',
    '?',
    '#',
    '@1',
    '-',
    '*',
    '**',
    '|',
    '\\n',
    '\\u0022',
    '%20',
    '&a=1',
    '\n',
    '🚀',
    '。',
    '）',
    '\x1b[0m',
    '.json',
    '.ether',
    '…',
    '...',
    ' ...',
    '..',
  ])('a literal can end before %j', after => {
    expect(shapes(`${ADDRESS}${after}`)).toEqual([`bytes20 ${ADDRESS}`]);
  });

  it('never matches inside a longer run of digits', () => {
    expect(shapes(`0x${'60806040'.repeat(2_000)}`)).toHaveLength(1);
    expect(shapes(`${ADDRESS}${ADDRESS}`)).toEqual([]);
    expect(shapes(`0x${ADDRESS}`)).toEqual([]);
    expect(shapes(`0x\n${ADDRESS.slice(2)}`)).toEqual([`bare20 ${ADDRESS.slice(2)}`]);
  });
});

describe('truncated literals', () => {
  it.each([
    '0x1234…abcd',
    '0x1234...abcd',
    '0x1234....abcd',
    '0xd8dA6B…',
    '0xd8dA6B...',
    '0x1234****',
    '0x1234****abcd',
    '0x12••••34',
    '0x123456[...]abcdef',
    '0x1234(…)abcd',
    '0x1234⋯abcd',
    `${ADDRESS}...6045`,
    '0xa9059cbb...',
    '0x...abcd',
    '0x…abcd',
    `${HASH}0123456789...`,
  ])('are recognized by their dots: %s', text => {
    expect(shapes(`at ${text}, then`)).toEqual([`truncated ${text}`]);
    expect(shapes(text)).toEqual([`truncated ${text}`]);
  });

  it.each([
    ['0x00..0x10', []],
    ['0x00...0xff', []],
    ['0x12345678..0x12345679', ['bytes4 0x12345678', 'bytes4 0x12345679']],
    ['0x10..20', []],
    ['0x...', []],
    ['0x…', []],
    ['0x12...', []],
    [`**${ADDRESS}**`, [`bytes20 ${ADDRESS}`]],
    [`***${HASH}***`, [`bytes32 ${HASH}`]],
    [`**${SELECTOR}**`, [`bytes4 ${SELECTOR}`]],
    [`_0x1234…abcd`, []],
    [`0x1234…abcdg`, []],
    [`${ADDRESS}... and`, [`bytes20 ${ADDRESS}`]],
    [`${HASH}…`, [`bytes32 ${HASH}`]],
  ])('are distinguished from whole ones: %s is %j', (text, expected) => {
    expect(shapes(text)).toEqual(expected);
  });
});

describe('without prefix', () => {
  const bare20 = ADDRESS.slice(2);
  const bare32 = HASH.slice(2);
  it('finds runs of exactly 40 or 64 digits in any position', () => {
    for (let lead = 0; lead < 85; lead++) {
      expect(shapes(`${'-'.repeat(lead)}${bare20} ${bare32}`)).toEqual([`bare20 ${bare20}`, `bare32 ${bare32}`]);
    }
  });
  it.each([
    `${bare20}a`,
    `${bare32}0`,
    `x${bare20}`,
    `_${bare32}`,
    `${bare20}_`,
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  ])('nothing is found in %s', text => {
    expect(shapes(text)).toEqual([]);
  });
});

describe('block numbers', () => {
  it.each([
    '/block/123',
    '/blocks/123',
    '/block/123/txs',
    '/block/123?x=1',
    '\\/block\\/123',
    '/block/countdown/123',
    '/block/1',
  ])('are found in the path %s', text => {
    expect(shapes(`https://etherscan.io${text}`).map(shape => shape.split(' ')[0])).toEqual(['blockNumber']);
  });
  it.each([
    '/block/',
    '/block/abc',
    '/block/123a',
    '/blocked/123',
    '/block/1234567890123456',
    '/myblock/12',
    '/block/0x1234',
  ])('are not found in the path %s', text => {
    expect(shapes(`https://etherscan.io${text}`)).toEqual([]);
  });
});

it('finds only prefixed short literals with `only: literals`', () => {
  const text = `${ADDRESS} ${ADDRESS.slice(2)} https://etherscan.io/block/7 0x${'ab'.repeat(40)} ${HASH} 0x1234…abcd`;
  expect(scanLiterals(text, { only: 'literals' }).map(found => found.shape)).toEqual([
    'bytes20',
    'bytes32',
    'truncated',
  ]);
  expect(scanLiterals(text).map(found => found.shape)).toEqual([
    'bytes20',
    'bare20',
    'blockNumber',
    'data',
    'bytes32',
    'truncated',
  ]);
});

// --- properties -----------------------------------------------------------------------------------------------------

/** The same by looking at every position of the text with plain regular expressions. */
function oracle(text: string): ScannedLiteral[] {
  const found: ScannedLiteral[] = [];
  const word = /(?![址])[\p{L}\p{Nd}\p{Nl}\p{Pc}$]/u;
  const startsWord = (at: number): boolean => {
    const before = [...text.slice(Math.max(0, at - 30), at)];
    while (before.length > 0 && /\p{M}/u.test(before.at(-1) ?? '')) {
      if (/[\ufe00-\ufe0f\u20e3]/.test(before.at(-1) ?? '')) return true;
      before.pop();
    }
    if (before.length === 0 || !word.test(before.at(-1) ?? '')) return true;
    const raw = text.slice(Math.max(0, at - 30), at);
    if (/\\[nrtbfv]$/.test(raw) || /(\p{Cc}|\\x1b|\\u001b|\\033|\\e)\[[0-9;]*m$/iu.test(raw)) return true;
    const code = /\\u(....)$/.exec(raw)?.[1] ?? /\\x(..)$/.exec(raw)?.[1] ?? /%(..)$/.exec(raw)?.[1];
    return (
      code !== undefined && /^[0-9a-f]+$/i.test(code) && !word.test(String.fromCharCode(Number.parseInt(code, 16)))
    );
  };
  const endsWord = (at: number): boolean => {
    const next = String.fromCodePoint(text.codePointAt(at) ?? 32);
    if (word.test(next) || (/\p{M}/u.test(next) && !/[\ufe00-\ufe0f\u20e3]/.test(next))) return false;
    return !/^\.eth(?![\p{L}\p{N}_])/iu.test(text.slice(at));
  };
  const shapeOf = (digits: number): ScannedLiteral['shape'] | null => {
    if (digits === 8) return 'bytes4';
    if (digits === 40) return 'bytes20';
    if (digits === 64) return 'bytes32';
    if ([38, 39, 41, 42, 62, 63, 65, 66].includes(digits)) return 'odd';
    return digits >= 44 && digits % 2 === 0 ? 'data' : null;
  };
  for (let at = 0; at < text.length; at++) {
    if (at > 0 && found.length > 0 && at < (found.at(-1)?.end ?? 0)) continue;
    const add = (shape: ScannedLiteral['shape'], end: number) =>
      found.push({ shape, start: at, end, text: text.slice(at, end) });
    const hex = /^0[xX]([0-9a-fA-F]*)/.exec(text.slice(at));
    if (hex !== null) {
      const digits = (hex[1] ?? '').length;
      const end = at + 2 + digits;
      const whole = digits === 40 || digits === 64;
      const cut =
        /^(?:[…⋯‥]{1,3}|\.{2,6}|\*{2,64}|[•·●]{2,64}|\[(?:…|\.{2,3})\]|\((?:…|\.{2,3})\))(?:([0-9a-fA-F]{1,64})(?![0-9a-fA-F]))?/.exec(
          text.slice(end),
        );
      const tail = cut?.[1]?.length ?? 0;
      const mark = cut === null ? '' : cut[0].slice(0, cut[0].length - tail);
      const markEnd = end + mark.length;
      const bold = mark.startsWith('*') && (whole || text[at - 1] === '*');
      const tailed = tail > 0 && endsWord(markEnd + tail);
      const complete =
        tailed && digits + tail >= 4 && !(whole && tail < 3) && !(mark === '..' && (tail < 3 || digits < 3));
      const open = !/^[0-9a-fA-F]/.test(text.slice(markEnd)) && digits >= 4 && !whole && endsWord(markEnd);
      if (cut !== null && !bold && (complete || open)) {
        if (startsWord(at)) add('truncated', complete ? markEnd + tail : markEnd);
        continue;
      }
      const shape = shapeOf(digits);
      const emphasis = /(?<![\p{L}\p{N}_$])_{1,3}$/u.exec(text.slice(Math.max(0, at - 4), at))?.[0] ?? null;
      const isEmphasis =
        emphasis !== null && whole && text.startsWith(emphasis, end) && endsWord(end + emphasis.length);
      if (shape !== null && ((startsWord(at) && endsWord(end)) || isEmphasis)) add(shape, end);
      continue;
    }
    const bare = /^(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40})(?![0-9a-fA-F])/.exec(text.slice(at));
    if (bare !== null && !/[0-9a-fA-F]/.test(text.charAt(at - 1)) && startsWord(at) && endsWord(at + bare[0].length)) {
      add(bare[0].length === 40 ? 'bare20' : 'bare32', at + bare[0].length);
      continue;
    }
    const number = /^\d{1,15}(?!\d)/.exec(text.slice(at));
    if (
      number !== null &&
      /\/blocks?\\?\/(?:countdown\\?\/)?$/.test(text.slice(0, at)) &&
      endsWord(at + number[0].length)
    ) {
      add('blockNumber', at + number[0].length);
    }
  }
  return found;
}

const hexDigit = fc.constantFrom(...'0123456789abcdefABCDEF');
const hexDigits = (count: number) =>
  fc.array(hexDigit, { minLength: count, maxLength: count }).map(digits => digits.join(''));
const literal = fc
  .constantFrom(0, 1, 2, 4, 7, 8, 9, 38, 39, 40, 40, 40, 41, 42, 43, 46, 62, 63, 64, 64, 64, 65, 66, 68, 69, 72, 136)
  .chain(count => hexDigits(count))
  .chain(digits => fc.constantFrom('0x', '0x', '0x', '0X', '').map(prefix => prefix + digits));
const glue = fc.constantFrom(
  ...' "\'`()[]{}<>=:,;./@#-+*|\n_$gx0Zé址𝒳'.split(''),
  ...[
    '…',
    '...',
    '..',
    '****',
    '**',
    '•••',
    '[...]',
    '\\n',
    '\\u0022',
    '%3D',
    '%41',
    '\x1b[32m',
    '✅\ufe0f',
    'e\u0301',
    '.eth',
    '/block/',
    '/blocks/',
  ],
  ...['12345', 'https://etherscan.io', 'word', '', '\u200f', '\r\n', '0x', 'x'],
);
const document = fc.array(fc.oneof(literal, glue, glue), { maxLength: 24 }).map(parts => parts.join(''));
const seeded = { seed: 20_261_120, numRuns: scaleRounds(400) };

describe('properties', () => {
  it('scanLiterals finds what a search at every offset finds', () => {
    fc.assert(
      fc.property(document, text => {
        expect(scanLiterals(text)).toEqual(oracle(text));
      }),
      seeded,
    );
  });

  it('scanLiteralAt agrees with scanLiterals at every offset', () => {
    fc.assert(
      fc.property(document, text => {
        const all = scanLiterals(text);
        const offsets = Array.from({ length: text.length + 1 }, (_, offset) => offset);
        const expected = offsets.map(
          offset =>
            all.find(({ start, end }) => start <= offset && offset < end) ??
            all.find(({ end }) => end === offset) ??
            null,
        );
        expect(offsets.map(offset => scanLiteralAt(text, offset))).toEqual(expected);
      }),
      { ...seeded, numRuns: scaleRounds(200) },
    );
  });

  it('the fast pass finds the same literals', () => {
    fc.assert(
      fc.property(document, text => {
        const wanted = scanLiterals(text).filter(
          ({ shape, text: found }) => !/^(?:bare|block)/.test(shape) && found.length <= 68,
        );
        expect(scanLiterals(text, { only: 'literals' }).filter(({ text: found }) => found.length <= 68)).toEqual(
          wanted,
        );
      }),
      seeded,
    );
  });
});

it.each([-1, 1.5, Number.NaN, 99])('scanLiteralAt returns null at offset %d', offset => {
  expect(scanLiteralAt(ADDRESS, offset)).toBeNull();
});

// --- cost -----------------------------------------------------------------------------------------------------------

/** Counts the characters that are read one by one, searched or copied. */
function countReads(work: () => void): number {
  let reads = 0;
  const { charCodeAt, charAt, indexOf, lastIndexOf, slice } = String.prototype;
  String.prototype.charCodeAt = function (this: string, index: number) {
    reads++;
    return charCodeAt.call(this, index);
  };
  String.prototype.charAt = function (this: string, index: number) {
    reads++;
    return charAt.call(this, index);
  };
  String.prototype.lastIndexOf = function (this: string, wanted: string, from = Number.POSITIVE_INFINITY) {
    const found = lastIndexOf.call(this, wanted, from);
    reads += Math.min(from, this.length) - Math.max(found, 0);
    return found;
  };
  String.prototype.indexOf = function (this: string, wanted: string, from = 0) {
    const found = indexOf.call(this, wanted, from);
    reads += (found < 0 ? this.length : found) - from;
    return found;
  };
  String.prototype.slice = function (this: string, start?: number, end?: number) {
    const part = slice.call(this, start, end);
    reads += part.length;
    return part;
  };
  try {
    work();
  } finally {
    Object.assign(String.prototype, { charCodeAt, charAt, indexOf, lastIndexOf, slice });
  }
  return reads;
}

describe('cost', () => {
  afterEach(() => expect(String.prototype.slice.toString()).toContain('native code'));

  it.each([
    ['prose', 'The quick brown fox jumps over the lazy dog. '],
    ['x', 'x'],
    ['0x', '0x'],
    ['0X', '0X'],
    ['zeros', '0'],
    ['one run of digits', 'a'],
    ['short literals', '0x1f, 0X2e, '],
    ['selectors', `${SELECTOR} `],
    ['addresses', `"${ADDRESS}",`],
    ['addresses in words', `a${ADDRESS}`],
    ['hashes', `${HASH}\n`],
    ['dots', '0x1234...'],
    ['stars', '0x1234****************************************'],
    ['cut ones', '0x1234…abcd '],
    ['bare words', `${ADDRESS.slice(2)} `],
    ['bare words that are too long', `${'ab'.repeat(33)} `],
    ['block paths', '/block/123 '],
    ['block paths without number', '/block/'],
    ['marks', 'e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301'],
  ])('grows linearly with the number of %s', (_, part) => {
    const text = part.repeat(Math.ceil(20_000 / part.length));
    const once = countReads(() => scanLiterals(text));
    const four = countReads(() => scanLiterals(text.repeat(4)));
    expect(four).toBeLessThan(once * 4.4 + 5_000);
    expect(once).toBeLessThan(text.length * 12 + 10_000);
  });

  it('of one offset does not depend on the length of the text', () => {
    const unit = `{"a":"${ADDRESS}","h":"${HASH}","n":[1,2,3],"s":"text"},`;
    const text = unit.repeat(Math.ceil(5_000_000 / unit.length));
    const middle = text.indexOf(HASH, 2_500_000) + 7;
    expect(scanLiteralAt(text, middle)?.text).toBe(HASH);
    expect(countReads(() => scanLiteralAt(text, middle))).toBeLessThan(1_000);
    expect(countReads(() => scanLiteralAt(text, middle + HASH.length))).toBeLessThan(1_000);
    expect(detectLiteralAt(text, middle)).toMatchObject({ kind: 'hash32', text: HASH });
    const small = countReads(() => detectLiteralAt(unit.repeat(500), unit.length * 250 + unit.indexOf(HASH)));
    expect(countReads(() => detectLiteralAt(text, middle))).toBeLessThan(small * 1.1 + 500);
    expect(small).toBeLessThan(20_000);
    const run = `0x${'ab'.repeat(2_500_000)}`;
    expect(scanLiteralAt(run, 2_000_000)).toBeNull();
    expect(countReads(() => scanLiteralAt(run, 2_000_000))).toBeLessThan(3_000_000);
  });
});
