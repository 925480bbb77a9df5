// Every text has a translation, and every translation has a text.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { collectTexts, findTranslationProblems, pruneTranslations } from '../../scripts/localizableTexts.ts';
import { sourceTexts, translations } from '../../scripts/translations.ts';
import { commandLineTexts } from '../../src/cli/commandLine.ts';

// All of src is parsed for it: once for all tests.
const source = sourceTexts();
const shipped = translations(source);

const format = (texts: Readonly<Record<string, string>>) => JSON.stringify(texts, null, 2);

describe('the project', () => {
  test('every text is a literal, so that it can be translated', () => {
    expect(source.keys.length).toBeGreaterThan(700);
    expect(source.computed).toEqual([]);
  });

  test.each(shipped)('$path has every text', ({ path, texts, english }) => {
    const missing = Object.fromEntries(Object.entries(english).filter(([key]) => !Object.hasOwn(texts, key)));
    if (Object.keys(missing).length > 0)
      throw new Error(
        `Translate the values and add them to ${path}, or save them and run \`node scripts/generate.ts FILE\`:\n${format(missing)}`,
      );
  });

  test.each(shipped)('$path has no text that nothing uses', ({ texts, english }) => {
    const idle = Object.keys(texts).filter(key => !Object.hasOwn(english, key));
    expect(idle, 'run `node scripts/generate.ts`, which drops them').toEqual([]);
  });

  test.each(shipped)('$path keeps values, icons, links and marks', ({ texts, english }) => {
    const complaints = Object.entries(texts).flatMap(([key, text]) =>
      findTranslationProblems(english[key] ?? key, text).map(problem => `${key} ${problem}: ${text}`),
    );
    expect(complaints).toEqual([]);
  });

  test.each(shipped)('$path is not English', ({ texts, english }) => {
    // Terms may be the same; a whole sentence never is.
    const same = Object.keys(texts).filter(key => texts[key] === english[key] && / .* .* /.test(english[key] ?? ''));
    expect(same).toEqual([]);
  });

  test('the command line words texts that exist', () => {
    expect(Object.keys(commandLineTexts).filter(key => !source.keys.includes(key))).toEqual([]);
  });

  test('ships its translations', () => {
    const packed = readFileSync(new URL('../../.vscodeignore', import.meta.url), 'utf8').split('\n');
    expect(packed).toContain('!l10n/**');
    expect(packed).toContain('!package.nls.*.json');
    const { l10n } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(l10n).toBe('./l10n');
  });
});

describe('collecting', () => {
  const texts = (text: string) => collectTexts([{ path: 'src/x.ts', text }]);

  test('finds both functions, in any quotes, on any line', () => {
    const { keys } = texts(
      "const a: string = t(\"one\");\nconst b = <T>(x: T) => l10n.t(\n  `two {0}`,\n  x as string,\n);\n// t('no')\nconst c = `${t('three')}`;",
    );
    expect(keys).toEqual(['one', 'two {0}', 'three']);
  });

  test('makes the key of a commented text as vscode does', () => {
    expect(texts("l10n.t({ message: 'Open', comment: ['a verb', '!'], args: [] })").keys).toEqual(['Open/a verb!']);
    expect(texts("l10n.t({ message: 'Open', comment: 'a verb' })").keys).toEqual(['Open/a verb']);
  });

  test('tells where a text is computed', () => {
    expect(texts('\nt(name);\nl10n.t(`a ${b}`);\nt(yes ? "a" : "b")').computed).toEqual([
      'src/x.ts:2',
      'src/x.ts:3',
      'src/x.ts:4',
    ]);
  });

  test('leaves other functions alone', () => {
    expect(texts('it("a", () => {}); x.t("b"); format("c")')).toEqual({ keys: [], computed: [] });
  });
});

describe('validation', () => {
  test.each([
    ['{0} of {1}', '{0} von {0}', ['has other placeholders']],
    ['{0} of {1}', '{1}: {0}', []],
    ['$(check) Copied', 'Kopiert', ['has other icons']],
    ['**Block** `x`', '**Block** x', ['has other code marks']],
    ['[Open](command:a)', '[Öffnen](command:b)', ['has other links']],
    ['Open', ' ', ['is empty']],
  ])('%j as %j', (english, translation, complaints) => {
    expect(findTranslationProblems(english, translation)).toEqual(complaints);
  });

  test('tidies without adding anything', () => {
    expect(Object.entries(pruneTranslations({ b: '2', a: '1', c: '3' }, ['a', 'b', 'd']))).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });
});
