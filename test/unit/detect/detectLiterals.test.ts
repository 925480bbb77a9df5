// Properties of detection over many random values.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectLiteralAt, detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { getPrivacyVerdict } from '../../../src/detect/privacy.ts';
import { anyText } from '../../support/anyText.ts';
import { scaleRounds } from '../../support/rounds.ts';

/** xorshift32: the same hundred thousand values in every run. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return {
    below: (limit: number) => next() % limit,
    pick: <T>(items: readonly T[]): T => items[next() % items.length] as T, // items is never empty
    hex: (digits: number) => {
      let text = '';
      while (text.length < digits) text += next().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}

const LEFT = [
  '',
  ' ',
  '"',
  "'",
  '`',
  '(',
  '[',
  '=',
  ': ',
  'a: ',
  'const v = ',
  '\n',
  '// ',
  '/tx/',
  'https://etherscan.io/tx/',
  '\\n',
  '%3D',
  '->',
  '|',
  '> ',
  'é ',
];
const RIGHT = [
  '',
  ' ',
  '"',
  "'",
  '`',
  ')',
  ']',
  ';',
  ',',
  '\n',
  '...',
  '.',
  ' // note',
  '?a=1',
  '#x',
  '\\n',
  '%20',
  '|',
  '</td>',
];
const GLUED_LEFT = ['_', '$', 'a', '0', 'x', 'é', 'ж', '0x', 'foo_'];
const GLUED_RIGHT = ['$', 'g', 'n', 'é', 'ж', '_y', '.eth'];

describe('20,000 random hashes', () => {
  it('are 32 bytes in any position, and nothing as part of a word', () => {
    const random = createRandom(20_261_120);
    for (let i = 0; i < 20_000; i++) {
      const digits = random.hex(64);
      const hash = `0x${i % 3 === 0 ? digits.toUpperCase() : digits}`;
      const glued = i % 10;
      const left = glued === 0 ? random.pick(GLUED_LEFT) : random.pick(LEFT);
      const right = glued === 1 ? random.pick(GLUED_RIGHT) : random.pick(RIGHT);
      const subjects = detectLiterals(left + hash + right);
      if (glued <= 1) {
        if (subjects.length > 0) throw new Error(`${left}${hash}${right} is ${subjects[0]?.kind}`);
      } else if (subjects.length !== 1 || subjects[0]?.kind !== 'hash32' || subjects[0].text !== hash) {
        throw new Error(`${left}${hash}${right} is ${subjects.map(subject => subject.kind).join()}`);
      }
    }
  });

  it('never leave the machine without a hint or a click', () => {
    const random = createRandom(7);
    for (let i = 0; i < 5_000; i++) {
      const [subject] = detectLiterals(`${random.pick(['', 'v = ', '"', 'accounts: ["', 'x('])}0x${random.hex(64)}`);
      if (subject === undefined || getPrivacyVerdict(subject, { isLocal: false }).decision !== 'click')
        throw new Error(`${subject?.text}`);
    }
  });
});

const seeded = { seed: 20_261_120, numRuns: scaleRounds(300) };
const digits = (count: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: count, maxLength: count });
const secretName = fc.constantFrom(
  'privateKey',
  'PRIVATE_KEY',
  'private-key',
  'secret',
  'mnemonic',
  'pk',
  'deployerKey',
  'seed',
  'password',
  'key',
);
const assign = fc.constantFrom(': ', '=', ' = ', ' := ', ': "', '="', "'] = '", ' => "', '>');

describe('properties', () => {
  it('random 20 bytes are addresses', () => {
    fc.assert(
      fc.property(digits(40), fc.constantFrom(...LEFT), fc.constantFrom(...RIGHT), (value, left, right) => {
        expect(detectLiterals(`${left}0x${value}${right}`)).toMatchObject([
          { kind: 'address', address: `0x${value}`, shouldWarn: false },
        ]);
      }),
      seeded,
    );
  });

  it('random 4 bytes without context are not detected', () => {
    fc.assert(
      fc.property(digits(8), value => {
        expect(detectLiterals(`x & 0x${value}`).length).toBe(0);
      }),
      { ...seeded, numRuns: scaleRounds(300) },
    );
  });

  it('nothing is found inside calldata, bytecode and other data', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 34, max: 2_000 }),
        fc.infiniteStream(fc.nat(255)),
        fc.constantFrom('0x', '', '0x60806040', '0xa9059cbb', 'hex"'),
        (size, bytes, head) => {
          const body = Array.from({ length: size }, () => bytes.next().value.toString(16).padStart(2, '0')).join('');
          const subjects = detectLiterals(`"${head}${body}"`);
          expect(subjects.map(subject => subject.kind)).toEqual(head.startsWith('0x') ? ['data'] : []);
        },
      ),
      { ...seeded, numRuns: scaleRounds(100) },
    );
  });

  it('an address padded to 32 bytes is detected, a number is not', () => {
    fc.assert(
      fc.property(
        digits(39),
        fc.constantFrom(...'123456789abcdef'),
        fc.bigInt({ min: 0n, max: 2n ** 127n }),
        (rest, first, number) => {
          expect(detectLiterals(`0x${'0'.repeat(24)}${first}${rest}`)).toMatchObject([
            { kind: 'paddedAddress', address: `0x${first}${rest}` },
          ]);
          if (number === 0xdeadn) return;
          expect(detectLiterals(`0x${number.toString(16).padStart(64, '0')}`)).toMatchObject([
            { kind: 'word', value: number },
          ]);
        },
      ),
      seeded,
    );
  });

  it('shortened values are never whole ones', () => {
    fc.assert(
      fc.property(
        digits(64),
        fc.nat(37),
        fc.nat(30),
        fc.constantFrom('…', '...', '****', '••••'),
        (value, head, tail, mark) => {
          fc.pre(head + tail >= 4 && head >= 2);
          const text = `tx 0x${value.slice(0, head)}${mark}${value.slice(0, tail)}`;
          for (const subject of detectLiterals(`${text} ok`)) expect(subject.kind).toBe('truncated');
        },
      ),
      seeded,
    );
  });

  it('the value of a secret name never leaves the machine', () => {
    fc.assert(
      fc.property(
        digits(64),
        secretName,
        assign,
        fc.constantFrom('', 'const ', 'export ', '"', '  ', 'a.', 'txHash, '),
        (value, name, sign, lead) => {
          const [subject] = detectLiterals(`${lead}${name}${sign}0x${value}`);
          fc.pre(subject?.kind === 'hash32'); // a row of zeros is a number
          if (subject !== undefined) {
            expect(
              getPrivacyVerdict(subject, { isLocal: false, isUserRequested: true }).decision,
              `${lead}${name}${sign}`,
            ).toBe('never');
          }
        },
      ),
      seeded,
    );
  });

  it('detectLiteralAt agrees with detectLiterals at every offset of source-like text', () => {
    const piece = fc.oneof(
      digits(64).map(value => `0x${value}`),
      digits(40).map(value => `0x${value}`),
      digits(8).map(value => `0x${value}`),
      fc.constantFrom(
        'txHash: ',
        'privateKey = ',
        'selector ',
        'topics: [',
        ']',
        '(',
        ')',
        '"',
        ', ',
        '; ',
        '\n',
        '// ',
        '/tx/',
        '0x1234…abcd',
        '{ ',
        ' }',
        'const a = ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), pieces => {
        const text = pieces.join('');
        const all = detectLiterals(text);
        const offsets = Array.from({ length: text.length + 1 }, (_, offset) => offset);
        const expected = offsets.map(
          offset =>
            all.find(({ start, end }) => start <= offset && offset < end) ??
            all.find(({ end }) => end === offset) ??
            null,
        );
        expect(offsets.map(offset => detectLiteralAt(text, offset))).toEqual(expected);
      }),
      { ...seeded, numRuns: scaleRounds(100) },
    );
  });

  it('never throws, whatever the text', () => {
    const nasty = anyText({ maxLength: 30 });
    fc.assert(
      fc.property(nasty, nasty, digits(64), (left, right, value) => {
        detectLiterals(`${left}0x${value}${right}0x${value.slice(24)}${left}`);
      }),
      seeded,
    );
  });
});
