// JSON of hosts: limits that hold whatever the size of the text is.
import { describe, expect, it } from 'vitest';
import { parseHostJson } from '../../../src/base/parseHostJson.ts';

describe('parseHostJson', () => {
  it.each([
    ['lists', '['.repeat(3_000), ']'.repeat(3_000)],
    ['objects', '{"a":'.repeat(3_000), '}'.repeat(3_000)],
  ])(
    'rejects a small text of %s inside each other, which what reads it would call itself for',
    async (_, open, close) => {
      await expect(parseHostJson(`${open}1${close}`)).rejects.toMatchObject({
        code: 'too-large',
        message: 'It is nested more than 2500 levels deep.',
      });
    },
  );

  it.each([100, 40_000])(
    'gives the values of another parser, in parts where the text is large: %i objects',
    async count => {
      const value = Array.from({ length: count }, (_, n) => ({ n, text: 'abc'.repeat(20) }));
      const parse = (json: string) => JSON.parse(json.replaceAll('abc', 'xyz'));
      const expected = value.map(each => ({ ...each, text: 'xyz'.repeat(20) }));
      expect(await parseHostJson(JSON.stringify(value), parse)).toEqual(expected);
    },
  );

  it('reads a small text that has as many brackets beside each other or in strings', async () => {
    const value = Array.from({ length: 3_000 }, (_, n) => [{ n, text: '[{'.repeat(3) }]);
    expect(await parseHostJson(JSON.stringify(value))).toEqual(value);
  });
});
