// Dates in all supported forms, and text that only looks like one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDate } from '../../src/api/wire/parseDate.ts';
import { measureCpuMs } from '../support/cpuTime.ts';

const read: readonly (readonly [text: string, iso: string])[] = [
  // YYYY-MM-DD
  ['2023-01-31', '2023-01-31T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['1969-12-31', '1969-12-31T00:00:00.000Z'],
  ['0099-01-01', '0099-01-01T00:00:00.000Z'],
  ['  2023-01-31\t', '2023-01-31T00:00:00.000Z'],
  // ISO 8601
  ['2023-01-31T12:34:56Z', '2023-01-31T12:34:56.000Z'],
  ['2023-01-31t12:34:56z', '2023-01-31T12:34:56.000Z'],
  ['2023-01-31T12:34:56.7Z', '2023-01-31T12:34:56.700Z'],
  ['2023-01-31T12:34:56.789Z', '2023-01-31T12:34:56.789Z'],
  ['2023-01-31T12:34:56.789999999Z', '2023-01-31T12:34:56.789Z'],
  ['2023-01-31T12:34:56,789Z', '2023-01-31T12:34:56.789Z'],
  ['2023-01-31T12:34', '2023-01-31T12:34:00.000Z'],
  ['2023-01-31T12:34:56', '2023-01-31T12:34:56.000Z'],
  ['2023-01-31 12:34', '2023-01-31T12:34:00.000Z'],
  ['2023-01-31 12:34:56', '2023-01-31T12:34:56.000Z'],
  ['2023-01-31T12:34:56 Z', '2023-01-31T12:34:56.000Z'],
  ['2023-01-31T12:34:56+02:00', '2023-01-31T10:34:56.000Z'],
  ['2023-01-31T12:34:56+0200', '2023-01-31T10:34:56.000Z'],
  ['2023-01-31T12:34:56-05:30', '2023-01-31T18:04:56.000Z'],
  ['2023-01-31T23:59:00+23:59', '2023-01-31T00:00:00.000Z'],
  ['2023-01-31T12:34:56-00:00', '2023-01-31T12:34:56.000Z'],
  ['2023-12-31T23:30:00-01:00', '2024-01-01T00:30:00.000Z'],
  ['2023-01-31T24:00:00Z', '2023-02-01T00:00:00.000Z'],
  ['+010000-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'],
  ['-000001-06-01T00:00:00.000Z', '-000001-06-01T00:00:00.000Z'],
  // A + that was not encoded is a space when it arrives
  ['2023-01-31T12:34:56 02:00', '2023-01-31T10:34:56.000Z'],
  ['2023-01-31T12:34:56 0200', '2023-01-31T10:34:56.000Z'],
  ['2023-01-31T12:34:56.5 02:00', '2023-01-31T10:34:56.500Z'],
  ['2023-01-31 12:34 02:00', '2023-01-31T10:34:00.000Z'],
  ['Tue, 31 Jan 2023 12:34:56 0200', '2023-01-31T10:34:56.000Z'],
  // RFC 2822
  ['Tue, 31 Jan 2023 12:34:56 +0200', '2023-01-31T10:34:56.000Z'],
  ['Tue, 31 Jan 2023 12:34:56 GMT', '2023-01-31T12:34:56.000Z'],
  ['31 Jan 2023 12:34:56 UT', '2023-01-31T12:34:56.000Z'],
  ['31 Jan 2023 12:34 -0130', '2023-01-31T14:04:00.000Z'],
  ['1 Feb 2023 00:00:00 EST', '2023-02-01T05:00:00.000Z'],
  ['1 feb 2023 00:00:00 pdt', '2023-02-01T07:00:00.000Z'],
  ['Tue, 31 Jan 2023 12:34:56 +0000 (UTC)', '2023-01-31T12:34:56.000Z'],
  ['31 January 2023 12:34:56', '2023-01-31T12:34:56.000Z'],
  ['2 Sept 2023 12:34:56', '2023-09-02T12:34:56.000Z'],
  // no seconds, no zone, and a "t" in the text: the time is not a zone that lost its plus
  ['31 Oct 2023 12:34', '2023-10-31T12:34:00.000Z'],
  ['Tue, 31 Jan 2023 12:34', '2023-01-31T12:34:00.000Z'],
  // as JavaScript prints a Date, with the + that was not encoded too
  ['Tue Jan 31 2023 12:34:56 GMT+0000 (Coordinated Universal Time)', '2023-01-31T12:34:56.000Z'],
  ['Tue Jan 31 2023 14:34:56 GMT 0200 (Central European Summer Time)', '2023-01-31T12:34:56.000Z'],
  ['Tue Jan 31 2023 07:34:56 GMT-0500', '2023-01-31T12:34:56.000Z'],
  // Unix time
  ['0', '1970-01-01T00:00:00.000Z'],
  ['1675168496', '2023-01-31T12:34:56.000Z'],
  ['1675168496789', '2023-01-31T12:34:56.789Z'],
  ['999999999', '2001-09-09T01:46:39.000Z'],
  ['99999999999', '5138-11-16T09:46:39.000Z'],
  ['1000000000000', '2001-09-09T01:46:40.000Z'],
  // without separators, with slashes, without a day
  ['20231114T222320Z', '2023-11-14T22:23:20.000Z'],
  ['20231114T222320.5+0100', '2023-11-14T21:23:20.500Z'],
  ['20231114T2223', '2023-11-14T22:23:00.000Z'],
  ['2023/11/14', '2023-11-14T00:00:00.000Z'],
  ['2023/11/14 22:23:20', '2023-11-14T22:23:20.000Z'],
  ['2023-11', '2023-11-01T00:00:00.000Z'],
  // with the month's name
  ['Nov 14, 2023', '2023-11-14T00:00:00.000Z'],
  ['November 14 2023 22:23:20', '2023-11-14T22:23:20.000Z'],
  ['Tue, Nov 14, 2023, 22:23 GMT', '2023-11-14T22:23:00.000Z'],
  ['14 Nov 2023', '2023-11-14T00:00:00.000Z'],
];

const refused = [
  ['', 'nothing'],
  [' ', 'a space'],
  ['2023', 'a year or Unix seconds'],
  ['202311', 'a month or Unix seconds'],
  ['20231114', 'a day or Unix seconds'],
  ['202311142223', 'a minute or Unix milliseconds'],
  ['20231114222320', 'a second or Unix milliseconds'],
  ['11/14/2023', 'the month first'],
  ['14/11/2023', 'the day first'],
  ['Nov 31, 2023', 'a day the month does not have'],
  ['2023-13', 'month 13'],
  ['2023-02-29', 'no leap year'],
  ['1900-02-29', 'a century that is no leap year'],
  ['2023-02-30', 'a day the month does not have'],
  ['2023-04-31', 'a day the month does not have'],
  ['2023-00-10', 'month 0'],
  ['2023-13-01', 'month 13'],
  ['2023-01-00', 'day 0'],
  ['2023-1-31', 'one digit for the month'],
  ['31-01-2023', 'day first'],
  ['01/31/2023', 'slashes'],
  ['2023-W05-2', 'a week date'],
  ['2023-01-31T', 'no time after the T'],
  ['2023-01-31T12', 'an hour alone'],
  ['2023-01-31T25:00:00Z', 'hour 25'],
  ['2023-01-31T24:00:01Z', 'a second after the end of the day'],
  ['2023-01-31T12:60:00Z', 'minute 60'],
  ['2023-01-31T12:00:60Z', 'second 60'],
  ['2023-01-31T12:00:00+24:00', 'a zone a day away'],
  ['2023-01-31T12:00:00+02:60', 'a zone with 60 minutes'],
  ['2023-01-31T12:00:00Zulu', 'text after the zone'],
  ['2023-01-31T12:00:00.Z', 'a fraction without digits'],
  ['29 Feb 2023 12:00:00 GMT', 'no leap year'],
  ['31 Foo 2023 12:00:00 GMT', 'no month'],
  ['Tue Foo 31 2023 12:00:00 GMT+0000', 'no month, printed'],
  ['Tue Feb 30 2023 12:00:00 GMT+0000', 'a day the month does not have, printed'],
  ['31 Janbanana 2023 12:00:00 GMT', 'almost a month'],
  ['Someday, 31 Jan 2023 12:00:00 GMT', 'no weekday'],
  ['-1', 'a negative number'],
  ['1e9', 'an exponent'],
  ['1675168496.5', 'a fraction of a second'],
  ['1234567890123456', 'more than 15 digits'],
  ['0x63d908b0', 'hex'],
  ['now', 'a word'],
  ['٢٠٢٣-٠١-٣١', 'digits of another script'],
  ['+999999-01-01', 'a year that Date does not have'],
  ['+275760-09-13T00:00:00-01:00', 'pushed past the last moment by its zone'],
] as const;

describe('parseDate', () => {
  test.each(read)('reads %j', (text, iso) => {
    expect(parseDate(text)?.toISOString()).toBe(iso);
  });

  test.each(refused)('does not read %j as a date: %s', text => {
    expect(parseDate(text)).toBeNull();
  });

  test('never returns an invalid date', () => {
    const parts = fc.constantFrom('2023', '-02-', '31', '30', 'T', ' ', '12:34', ':56', '.9', 'Z', '+0200', 'Feb', '9');
    const texts = fc.oneof(
      fc.string(),
      fc.array(parts, { maxLength: 9 }).map(list => list.join('')),
    );
    fc.assert(
      fc.property(texts, text => {
        const date = parseDate(text);
        expect(date === null || !Number.isNaN(date.getTime())).toBe(true);
      }),
      { seed: 20261120, numRuns: 2000 },
    );
  });

  test('parses ISO strings over the whole range of dates', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), date => {
        expect(parseDate(date.toISOString())).toEqual(date);
      }),
      { seed: 20261120, numRuns: 1000 },
    );
  });

  test('parses malicious text in linear time', () => {
    for (const text of ['1 '.repeat(50_000), `${' '.repeat(100_000)}x`, '2023-01-31T12:00:00.'.padEnd(100_000, '9')]) {
      expect(measureCpuMs(() => expect(parseDate(text)).toBeNull(), 1_000)).toBeLessThan(1_000);
    }
  });
});
