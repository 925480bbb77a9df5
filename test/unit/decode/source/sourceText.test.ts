import { expect, test } from 'vitest';
import { toByteText } from '../../../../src/decode/source/solidityTokens.ts';
import { createSourceText } from '../../../support/source/sourceText.ts';

test('counts lines by every line end, and characters in UTF-16', () => {
  const text = 'a\r\nbä\n\ud83d\ude80 x\rend';
  const source = createSourceText(text);
  const position = (part: string) => source.position(source.bytes.indexOf(toByteText(part)));
  expect(position('a')).toEqual({ line: 0, character: 0 });
  expect(position('ä')).toEqual({ line: 1, character: 1 });
  expect(position('x')).toEqual({ line: 2, character: 3 });
  expect(position('end')).toEqual({ line: 3, character: 0 });
});

test('finds the function and the innermost statement around a range', () => {
  const source = createSourceText(
    'contract A { function f() public { if (x) { revert("no"); } } function g() public {} }',
  );
  const at = (part: string) => [source.bytes.indexOf(part), source.bytes.indexOf(part) + part.length] as const;
  const f = source.functionAt(...at('revert'));
  expect(f?.name).toBe('f');
  expect(source.functionOf(...at('function g() public {}'))?.name).toBe('g');
  expect(source.functionOf(...at('function g()'))).toBeNull();
  const statements = f === null ? [] : source.statementsAt(f, ...at('revert'));
  expect(statements.map(({ kind }) => kind)).toEqual(['simple', 'block', 'if', 'block']);
});
