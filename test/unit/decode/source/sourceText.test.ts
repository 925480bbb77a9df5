import { expect, test } from 'vitest';
import { BuiltTexts, getTextHash } from '../../../../src/decode/source/builtText.ts';
import { toByteText } from '../../../../src/decode/source/solidityTokens.ts';
import { SourceText } from '../../../../src/decode/source/sourceText.ts';
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

test('names the text that was built where the file has another one or there is none, so that it can be opened', () => {
  const text = 'contract Vault {}';
  const source = { id: 0, path: 'src/Vault.sol', text, file: 'src/Vault.sol', isChanged: false };
  const locate = (built: typeof source | (Omit<typeof source, 'file'> & { file: null })) =>
    new SourceText(built, text).location({ start: 0, end: 8 }).textHash;
  expect(locate(source)).toBeUndefined();
  expect(locate({ ...source, isChanged: true })).toBe(getTextHash(text));
  expect(locate({ ...source, file: null })).toBe(getTextHash(text));
  const texts = new BuiltTexts();
  texts.add([source, { ...source, path: 'lib/Lost.sol', text: null, isChanged: true }]);
  expect(texts.get(getTextHash(text))).toBeNull();
  texts.add([{ ...source, isChanged: true }]);
  expect(texts.get(getTextHash(text))?.path).toBe('src/Vault.sol');
});
