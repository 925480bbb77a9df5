// The sign-in parser against a generator and an oracle that were written from the grammar of EIP-4361.
import { getAddress } from 'ethers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeParseSiweMessage } from '../../src/api/siwe/parseSiweMessage.ts';
import { formatSiweMessage, type SiweMessage } from '../../src/api/siwe/siweMessage.ts';
import { applyFix, type SiweProblem } from '../../src/api/siwe/siweProblem.ts';

const SEED = 4361;

// ── Generator: one arbitrary for each rule of the ABNF (EIP-4361, RFC 3986, RFC 3339) ──
const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HEX = `${DIGITS}abcdefABCDEF`;
const UNRESERVED = `${LETTERS}${DIGITS}-._~`;
const SUB_DELIMS = "!$&'()*+,;=";
const of = (chars: string) => fc.constantFrom(...chars);
const many = (unit: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.array(unit, { minLength, maxLength }).map(parts => parts.join(''));
const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map(all => all.join(''));
const optional = (part: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), part);
const encoded = many(of(HEX), 2, 2).map(digits => `%${digits}`);
const withEncoded = (chars: string) => fc.oneof({ weight: 6, arbitrary: of(chars) }, { weight: 1, arbitrary: encoded });

const scheme = joined(of(LETTERS), many(of(`${LETTERS}${DIGITS}+-.`), 0, 5));
const octet = fc.nat(255).map(String);
const ipv4 = fc.tuple(octet, octet, octet, octet).map(parts => parts.join('.'));
const h16 = many(of(HEX), 1, 4);
const ls32 = fc.oneof(
  fc.tuple(h16, h16).map(pair => pair.join(':')),
  ipv4,
);
const groups = (min: number, max: number) => fc.array(h16, { minLength: min, maxLength: max });
/** The nine alternatives of IPv6address, in the order of RFC 3986. */
const ipv6 = fc.nat(8).chain(alternative => {
  const left = alternative === 0 ? fc.constant([]) : groups(0, alternative - 1);
  const middle = groups(Math.max(0, 6 - Math.max(alternative, 0)), Math.max(0, 6 - alternative));
  const last = alternative <= 6 ? ls32 : alternative === 7 ? h16 : fc.constant('');
  return fc.tuple(left, middle, last).map(([before, after, end]) => {
    const right = [...after, ...(end === '' ? [] : [end])].join(':');
    return alternative === 0 ? right : `${before.join(':')}::${right}`;
  });
});
const ipFuture = joined(of('vV'), many(of(HEX), 1, 2), fc.constant('.'), many(of(`${UNRESERVED}${SUB_DELIMS}:`), 1, 6));
const registered = (min: number) => many(withEncoded(UNRESERVED + SUB_DELIMS), min, 12);
const authority = (min: number) =>
  joined(
    optional(many(withEncoded(`${UNRESERVED}${SUB_DELIMS}:`), 0, 6).map(user => `${user}@`)),
    fc.oneof(
      registered(min),
      ipv4,
      fc.oneof(ipv6, ipFuture).map(address => `[${address}]`),
    ),
    optional(many(of(DIGITS), 0, 5).map(port => `:${port}`)),
  );
const PCHARS = `${UNRESERVED}${SUB_DELIMS}:@`;
const segments = many(
  many(withEncoded(PCHARS), 0, 5).map(segment => `/${segment}`),
  0,
  3,
);
const rootless = joined(many(withEncoded(PCHARS), 1, 5), segments);
const after = (mark: string) => optional(many(withEncoded(`${PCHARS}/?`), 0, 6).map(part => mark + part));
const uri = joined(
  scheme,
  fc.constant(':'),
  fc.oneof(
    joined(fc.constant('//'), authority(0), segments),
    joined(fc.constant('/'), optional(rootless)),
    rootless,
    fc.constant(''),
  ),
  after('?'),
  after('#'),
);
const two = (max: number, min = 0) => fc.integer({ min, max }).map(value => String(value).padStart(2, '0'));
const day = fc.integer({ min: 0, max: 9999 }).chain(year =>
  fc.integer({ min: 1, max: 12 }).chain(month => {
    const probe = new Date(0);
    probe.setUTCFullYear(year, month, 0);
    return two(probe.getUTCDate(), 1).map(
      date => `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${date}`,
    );
  }),
);
const clock = fc.tuple(two(23), two(59), two(59)).map(parts => parts.join(':'));
const zone = fc.oneof(of('Zz'), joined(of('+-'), two(23), fc.constant(':'), two(59)));
const time = joined(day, of('Tt'), clock, optional(many(of(DIGITS), 1, 9).map(digits => `.${digits}`)), zone);
const address = many(of('0123456789abcdef'), 40, 40).map(digits => getAddress(`0x${digits}`));
const statement = many(of(`${UNRESERVED}${SUB_DELIMS}:/?#[]@ `), 0, 40);
const chainId = fc.oneof(fc.nat(100_000), fc.maxSafeNat()).map(String);
const line = (label: string, part: fc.Arbitrary<string>) => part.map(value => `\n${label}${value}`);
const messages = joined(
  optional(scheme.map(value => `${value}://`)),
  authority(1),
  fc.constant(' wants you to sign in with your Ethereum account:\n'),
  address,
  fc.constant('\n\n'),
  optional(statement.map(value => `${value}\n`)),
  line('URI: ', uri),
  fc.constant('\nVersion: 1'),
  line('Chain ID: ', chainId),
  line('Nonce: ', many(of(LETTERS + DIGITS), 8, 20)),
  line('Issued At: ', time),
  optional(line('Expiration Time: ', time)),
  optional(line('Not Before: ', time)),
  optional(line('Request ID: ', many(withEncoded(PCHARS), 0, 10))),
  optional(
    many(
      uri.map(value => `\n- ${value}`),
      0,
      4,
    ).map(list => `\nResources:${list}`),
  ),
);

// ── Oracle: the ABNF as one expression, and what it leaves to prose ──
const pct = '%[0-9A-Fa-f]{2}';
const set = (chars: string) => `(?:[${chars}]|${pct})`;
const U = 'A-Za-z0-9._~\\-';
const S = "!$&'()*+,;=";
const oct = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const v4 = `${oct}(?:\\.${oct}){3}`;
const h = '[0-9A-Fa-f]{1,4}';
const ls = `(?:${h}:${h}|${v4})`;
const v6 = [
  `(?:${h}:){6}${ls}`,
  `::(?:${h}:){5}${ls}`,
  ...[4, 3, 2, 1, 0].map((count, index) => `(?:(?:${h}:){0,${index}}${h})?::(?:${h}:){${count}}${ls}`),
  `(?:(?:${h}:){0,5}${h})?::${h}`,
  `(?:(?:${h}:){0,6}${h})?::`,
].join('|');
const literal = `\\[(?:${v6}|[vV][0-9A-Fa-f]+\\.[${U}${S}:]+)\\]`;
const authorityOf = (least: string) => `(?:${set(`${U}${S}:`)}*@)?(?:${literal}|${set(U + S)}${least})(?::[0-9]*)?`;
const p = set(`${U}${S}:@`);
const path = `(?://${authorityOf('*')}(?:/${p}*)*|/(?:${p}+(?:/${p}*)*)?|${p}+(?:/${p}*)*|)`;
const rest = set(`${U}${S}:@/?`);
const URI = `[A-Za-z][A-Za-z0-9+.\\-]*:${path}(?:\\?${rest}*)?(?:#${rest}*)?`;
const DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})';
const GRAMMAR = new RegExp(
  `^(?:(?<scheme>[A-Za-z][A-Za-z0-9+.\\-]*)://)?(?<domain>${authorityOf('+')}) wants you to sign in with your Ethereum account:\\n` +
    `(?<address>0x[0-9A-Fa-f]{40})\\n\\n(?:(?<statement>[${U}${S}:/?#[\\]@ ]*)\\n)?\\nURI: (?<uri>${URI})\\nVersion: 1\\n` +
    `Chain ID: (?<chainId>[0-9]+)\\nNonce: (?<nonce>[A-Za-z0-9]{8,})\\nIssued At: (?<issuedAt>${DATE})` +
    `(?:\\nExpiration Time: (?<expirationTime>${DATE}))?(?:\\nNot Before: (?<notBefore>${DATE}))?` +
    `(?:\\nRequest ID: (?<requestId>${p}*))?(?:\\nResources:(?<resources>(?:\\n- ${URI})*))?$`,
);

/** Milliseconds, by the platform's calendar; `null` when it would have moved the date on. */
function momentOf(text: string): number | null {
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(Number);
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, date);
  moment.setUTCHours(hour, minute, second, Math.floor(Number(/\.\d+/.exec(text)?.[0].slice(0, 4) ?? 0) * 1000 + 1e-6));
  const same = moment.getUTCDate() === date && moment.getUTCMonth() === month - 1 && moment.getUTCHours() === hour;
  if (!same || moment.getUTCMinutes() !== minute || moment.getUTCSeconds() !== second) return null;
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  if (sign === undefined) return moment.getTime();
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  return moment.getTime() - Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** What the text means by grammar and prose; `null` when it is no message. Our policies on chain ids are in it. */
function oracle(text: string): SiweMessage | null {
  const parts = GRAMMAR.exec(text)?.groups;
  if (parts === undefined) return null;
  const { scheme = null, domain = '', statement = null, uri = '', nonce = '', requestId = null, resources } = parts;
  const chain = parts['chainId'] ?? '';
  if (String(Number(chain)) !== chain || !Number.isSafeInteger(Number(chain))) return null;
  if (getAddress((parts['address'] ?? '').toLowerCase()) !== parts['address']) return null;
  const timeOf = (written: string | undefined) =>
    written === undefined ? null : { text: written, time: momentOf(written) };
  const [issuedAt, expirationTime, notBefore] = ['issuedAt', 'expirationTime', 'notBefore'].map(name =>
    timeOf(parts[name]),
  );
  if ([issuedAt, expirationTime, notBefore].some(read => read?.time === null)) return null;
  const list = resources === undefined ? null : resources.split('\n- ').slice(1);
  const message = {
    scheme,
    domain,
    address: parts['address'],
    statement,
    uri,
    version: '1',
    chainId: Number(chain),
    nonce,
  };
  return { ...message, issuedAt, expirationTime, notBefore, requestId, resources: list } as SiweMessage;
}

// ── Mutations ──
const ODD = [
  '\n',
  '\r',
  '\t',
  '\0',
  ' ',
  '%',
  '"',
  '\\',
  '@',
  '[',
  ']',
  ':',
  '/',
  '-',
  '0',
  '6',
  'a',
  'A',
  'é',
  'а',
  '：',
  '\uD800',
  '\uDC00',
  '\uFEFF',
  '😀',
];
type Mutation = (text: string, at: number, other: number, odd: string) => string;
const onLines = (
  text: string,
  change: (lines: string[], at: number, other: number) => void,
  at: number,
  other: number,
) => {
  const lines = text.split('\n');
  change(lines, at % lines.length, other % lines.length);
  return lines.join('\n');
};
const mutations: readonly Mutation[] = [
  (text, at, _, odd) => text.slice(0, at) + odd + text.slice(at),
  (text, at, _, odd) => text.slice(0, at) + odd + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + (text[at] ?? '') + text.slice(at),
  (text, at, other) => onLines(text, (lines, i, j) => void lines.splice(j, 0, ...lines.splice(i, 1)), at, other),
  (text, at, other) => onLines(text, (lines, i, j) => void lines.splice(j, 0, lines[i] ?? ''), at, other),
  (text, at, other) => onLines(text, (lines, i) => void lines.splice(i, 1), at, other),
  (text, at, other) => onLines(text, (lines, i) => void lines.splice(i, 0, ''), at, other),
];

/** Every claim a problem makes about the text it is about. */
function expectSound(text: string, problem: SiweProblem): void {
  const line = text.split('\n')[problem.line - 1] ?? '';
  expect(problem.column + problem.length).toBeLessThanOrEqual(line.length);
  expect(problem.found).toMatch(/^[ -~]+$/);
  expect(problem.message).toMatch(/^Line \d+[^\n]*\.$/);
  if (problem.fix === undefined) return;
  const again = safeParseSiweMessage(applyFix(text, problem.fix));
  if ('problem' in again) expect(again.problem.message).not.toBe(problem.message);
}

describe('sign-in messages, fuzzed', () => {
  test('parses every generated message as the oracle does and formats it to the same text', () => {
    fc.assert(
      fc.property(messages, text => {
        const reading = safeParseSiweMessage(text);
        expect('problem' in reading ? reading.problem.message : reading.message).toEqual(oracle(text));
        expect('message' in reading && formatSiweMessage(reading.message)).toBe(text);
      }),
      { seed: SEED, numRuns: 1_000 },
    );
  });

  test('accepts 10,000 messages with one change exactly if the oracle does', () => {
    const seen = { read: 0, refused: 0, fixed: 0 };
    const change = fc.tuple(fc.nat(mutations.length - 1), fc.nat(), fc.nat(), fc.constantFrom(...ODD));
    fc.assert(
      fc.property(messages, fc.array(change, { minLength: 10, maxLength: 10 }), (text, changes) => {
        for (const [kind, at, other, odd] of changes) {
          const changed = mutations[kind]?.(text, at % (text.length + 1), other, odd) ?? text;
          const reading = safeParseSiweMessage(changed);
          if ('message' in reading) {
            seen.read++;
            expect(reading.message, JSON.stringify(changed)).toEqual(oracle(changed));
            continue;
          }
          seen.refused++;
          if (reading.problem.fix !== undefined) seen.fixed++;
          expect(oracle(changed), `${reading.problem.message} ${JSON.stringify(changed)}`).toBeNull();
          expectSound(changed, reading.problem);
        }
      }),
      { seed: SEED, numRuns: 1_000 },
    );
    // Both sides of the line were tried, and fixes were.
    expect(seen.read + seen.refused).toBe(10_000);
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(1_000);
    expect(seen.fixed).toBeGreaterThan(500);
  });
});
