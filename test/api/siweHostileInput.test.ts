// The sign-in parser with malicious texts: a clear problem, in linear time up to the size limit.
import { describe, expect, test } from 'vitest';
import { locateSiweFields } from '../../src/api/siwe/locateFields.ts';
import { safeParseSiweMessage } from '../../src/api/siwe/parseSiweMessage.ts';
import { MAX_MESSAGE_BYTES, MAX_RESOURCES } from '../../src/api/siwe/siweMessage.ts';
import { applyFix } from '../../src/api/siwe/siweProblem.ts';
import { measureCpuMs } from '../support/cpuTime.ts';

const GREETING = ' wants you to sign in with your Ethereum account:';
const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const TAIL = 'URI: a:b\nVersion: 1\nChain ID: 1\nNonce: 32891756\nIssued At: 2021-09-30T16:25:24Z';
const start = (domain = 'example.com') => `${domain}${GREETING}\n${ADDRESS}\n\n`;
const PLAIN = `${start()}\n${TAIL}`;
const MILLION = 1_000_000;
/** As long as a message can be: the worst that gets past the size limit. */
const fill = (unit: string, before: string, after: string) =>
  before + unit.repeat(Math.floor((MAX_MESSAGE_BYTES - before.length - after.length) / unit.length)) + after;

const hostile: readonly (readonly [string, string, string])[] = [
  ['20,000 resources', `${PLAIN}\nResources:${'\n- a:b'.repeat(20_000)}`, 'at most 10000 bytes'],
  ['a statement of a megabyte', `${start()}${'a'.repeat(MILLION)}\n\n${TAIL}`, 'at most 10000 bytes'],
  ['a million colons', ':'.repeat(MILLION), 'at most 10000 bytes'],
  ['a million line feeds', '\n'.repeat(MILLION), 'at most 10000 bytes'],
  ['a million NULs', '\0'.repeat(MILLION), 'at most 10000 bytes'],
  ['65 resources', `${PLAIN}\nResources:${'\n- a:b'.repeat(MAX_RESOURCES + 1)}`, 'at most 64 resources'],
  ['as many resources as fit', fill('\n- a:b', `${PLAIN}\nResources:`, ''), 'at most 64 resources'],
  ['line feeds only', fill('\n', '', ''), 'a first line'],
  ['carriage returns and line feeds', fill('\r\n', start(), ''), 'line feed only'],
  ['CRLF through and through', fill('\r\n', `example.com${GREETING}`, ''), 'line feed only'],
  ['blank lines under the address', fill('\n', start(), TAIL), 'two blank lines'],
  ['blank lines at the end', fill('\n', PLAIN, ''), 'the end of the message'],
  ['blank lines and junk at the end', fill('\n', PLAIN, 'x'), 'one of the lines'],
  ['labels only', fill('URI: a:b\n', `${start()}\n`, ''), '"Version: "'],
  ['near labels only', fill('Uri : a:b\n', `${start()}\n`, TAIL), '"URI: "'],
  ['greetings only', fill(`a${GREETING}\n`, '', ''), 'an address'],
  ['userinfo without end', fill('a:', '', `@@h${GREETING}`), 'a host'],
  ['colons in the domain', fill(':', '', GREETING), 'a host'],
  ['percents in the domain', fill('%', '', GREETING), '%'],
  ['brackets in the domain', fill('[', '', GREETING), '"]"'],
  ['IPv6 colons', fill(':', '[', `]${GREETING}`), 'IPv6'],
  ['IPv6 digits', fill('1', '[', `]${GREETING}`), 'IPv6'],
  ['IPv6 groups', fill('1:', '[', `1]${GREETING}`), '8 groups'],
  ['schemes', fill('a://', '', `a${GREETING}`), 'digits of a port'],
  ['a URI of colons', fill(':', `${start()}\nURI: `, ''), 'a URI with its scheme'],
  ['a URI of bad percents', fill('%a', `${start()}\nURI: a:`, ''), 'two hex digits'],
  ['a URI without end', fill('a/?', `${start()}\nURI: a:`, ''), '"Version: "'],
  ['a chain id without end', fill('9', `${start()}\nURI: a:b\nVersion: 1\nChain ID: `, ''), 'at most 9007199254740991'],
  ['a fraction without end', fill('9', `${PLAIN.slice(0, -1)}.`, ''), '"Z" or an offset'],
  ['lone surrogates', fill('\uD800', start(), ''), 'letters'],
  ['emoji', fill('\u{1F600}', start(), ''), 'letters'],
  ['a statement of line feeds', fill('a\n', start(), TAIL), 'one blank line above'],
];

describe('hostile texts', () => {
  test.each(hostile)('are read in linear time: %s', (_, text, allowed) => {
    const reading = safeParseSiweMessage(text);
    const took = measureCpuMs(() => safeParseSiweMessage(text), 250);
    if ('message' in reading) throw new Error('Read as a message.');
    expect(reading.problem.allowed).toContain(allowed);
    expect(reading.problem.message.length).toBeLessThan(400);
    expect(reading.problem.message).toMatch(/^[ -~]+$/);
    if (reading.problem.fix !== undefined)
      expect(safeParseSiweMessage(applyFix(text, reading.problem.fix))).not.toEqual(reading);
    // Microseconds to a few milliseconds.
    expect(took).toBeLessThan(250);
  });

  test.each(['', '\n', ':', '%', '[', '\uD800', '0x', GREETING, 'URI: ', 'Resources:'])('%j alone is refused', text => {
    expect(safeParseSiweMessage(text)).toHaveProperty('problem');
  });

  test('accepts messages up to exactly the size limit', () => {
    const largest = fill('a', start(), `\n\n${TAIL}`);
    expect(largest).toHaveLength(MAX_MESSAGE_BYTES);
    expect(safeParseSiweMessage(largest)).toHaveProperty('message');
    expect(safeParseSiweMessage(`${PLAIN}\nResources:${'\n- a:b'.repeat(MAX_RESOURCES)}`)).toHaveProperty('message');
    expect(safeParseSiweMessage(swapOnce(largest, 'aa', 'aaa'))).toMatchObject({ problem: { field: 'message' } });
  });

  test('takes linear time', () => {
    const grown = (unit: string, times: number) => `${start()}\nURI: a:${unit.repeat(times)}`;
    for (const unit of ['%a', 'a/', ':@', '%41', '?']) {
      const small = callsOf(() => safeParseSiweMessage(grown(unit, 500)));
      const large = callsOf(() => safeParseSiweMessage(grown(unit, 2_000)));
      expect(large, unit).toBeLessThan(4.5 * small + 1_000);
    }
  });

  test('locates the fields of a large text in one pass', () => {
    const took = measureCpuMs(() => {
      expect(locateSiweFields(fill('\nURI: a\n', PLAIN, '')).length).toBeGreaterThan(1_000);
      expect(locateSiweFields(fill('\nx\n', start(), '')).length).toBeGreaterThan(1_000);
    }, 2_000);
    expect(took).toBeLessThan(2_000);
  });
});

function swapOnce(text: string, from: string, to: string): string {
  return text.replace(from, to);
}

/** How often characters are read by code while something runs. */
function callsOf(run: () => unknown): number {
  const real = String.prototype.charCodeAt;
  let calls = 0;
  String.prototype.charCodeAt = function counted(this: string, index: number) {
    calls++;
    return real.call(this, index);
  };
  try {
    run();
  } finally {
    String.prototype.charCodeAt = real;
  }
  return calls;
}
