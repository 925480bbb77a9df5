import { expect, test } from 'vitest';
import { JsonBytes } from '../../../../src/decode/source/jsonBytes.ts';

const read = (text: string) => new JsonBytes(new TextEncoder().encode(text));

test('reads a value by its path and parses nothing else', () => {
  const json = read(
    '{ "skipped": [{"a": "]}\\"{"}, 1, null], "out" : {"src/Ä.sol": {"id": 7, "text": "a\\\\"}}, "last":true }',
  );
  expect(json.get('out', 'src/Ä.sol', 'id')?.parse()).toBe(7);
  expect(json.get('out', 'src/Ä.sol', 'text')?.parse()).toBe('a\\');
  expect(json.get('last')?.parse()).toBe(true);
  expect(json.get('out', 'missing')).toBeNull();
  expect(json.get('skipped', 'a')).toBeNull();
  expect([...json.members()].map(([name]) => name)).toEqual(['skipped', 'out', 'last']);
});

test('ends on a text that is cut off', () => {
  const text = '{"a": {"b": [1, {"c": "d"}]}, "e": "f"}';
  for (let length = 0; length < text.length; length++) {
    let value: unknown = null;
    try {
      value = read(text.slice(0, length)).get('e')?.parse() ?? null;
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError);
    }
    expect(value, text.slice(0, length)).toBe(length === text.length - 1 ? 'f' : null);
  }
});
