// The field's words are used everywhere: language.ts lists the ones that are not, and what to write instead.
import { describe, expect, test } from 'vitest';
import { readFiles } from '../../scripts/findFiles.ts';
import { allowedLines, findLanguageProblems, findOfExports, forbiddenPhrases, forbiddenWords } from './language.ts';

/** Accessors such as `nameOf(x)` are fine where nothing but a cheap look at a value happens. */
const MAX_OF_EXPORTS = 24;

const files = readFiles(
  [
    'src/**/*.ts',
    'src/**/*.md',
    'test/**/*.ts',
    'scripts/**/*.ts',
    'docs/**/*.md',
    '*.md',
    '*.mjs',
    'package.nls.json',
  ],
  ['**/fixtures/**', 'test/guard/language.ts', 'test/guard/language.test.ts'],
);

/** One line per file: `src/x.ts  kept 3 (lines 4, 9, 12), told 1 (line 7)`. */
function report(problems: ReturnType<typeof findLanguageProblems>): string {
  const byFile = Map.groupBy(problems, ({ path }) => path);
  return [...byFile]
    .map(([path, list]) => {
      const words = [...Map.groupBy(list, ({ word }) => word)].map(
        ([word, uses]) => `${word} (${[...new Set(uses.map(({ line }) => line))].join(', ')})`,
      );
      return `${path}: ${words.join('; ')}`;
    })
    .join('\n');
}

describe('the project', () => {
  test('uses no word that the field has another one for', () => {
    const problems = files.flatMap(file => findLanguageProblems(file));
    if (problems.length > 0) {
      const used = [...new Set(problems.map(({ word, instead }) => `${word} -> ${instead}`))].sort();
      throw new Error(`${problems.length} words to replace. Lines by file:\n${report(problems)}\n\n${used.join('\n')}`);
    }
  });

  test(`exports at most ${MAX_OF_EXPORTS} functions whose names end in Of`, () => {
    const sources = files.filter(({ path }) => path.startsWith('src/'));
    expect(sources.length).toBeGreaterThan(300);
    const found = sources.flatMap(findOfExports);
    if (found.length > MAX_OF_EXPORTS) throw new Error(`${found.length} exports end in Of:\n${found.join('\n')}`);
  });

  test('has no allowed line that no file holds, and a reason for each', () => {
    const all = files.map(({ text }) => text).join('\n');
    expect(allowedLines.filter(({ line }) => !all.includes(line))).toEqual([]);
    for (const { reason } of allowedLines) expect(reason).toMatch(/^\S.{10,}\.$/);
  });
});

describe('findLanguageProblems', () => {
  const found = (text: string) =>
    findLanguageProblems({ path: 'src/x.ts', text }, []).map(({ line, word }) => `${line} ${word}`);

  test('finds words in comments, strings and the parts of names', () => {
    expect(found("// Whoever asks\nconst keptRows = 'told';\nconst MAX_KEPT = 1;")).toEqual([
      '1 whoever',
      '2 kept',
      '2 told',
      '3 kept',
    ]);
  });

  test('finds phrases and constants with MOST and LEAST', () => {
    expect(found('it goes on\nconst MOST_ROWS = 1;')).toEqual(['1 goes on', '2 MOST_ROWS']);
  });

  test('finds British spellings, in names too', () => {
    expect(found('#colour, isNormalised\nlabelled, reorganisation, a catalogue')).toEqual([
      '1 colour',
      '1 isNormalised',
      '2 reorganisation',
      '2 labelled',
      '2 catalogue',
    ]);
    expect(found('four hours, a promise to advise, precise, otherwise, cancelled, optimism, arises')).toEqual([]);
  });

  test('leaves longer words and allowed lines alone', () => {
    expect(found('indoor, understands, besaid')).toEqual([]);
    expect(
      findLanguageProblems({ path: 'x', text: 'as the RFC said' }, [{ line: 'the RFC said', reason: 'A quotation.' }]),
    ).toEqual([]);
  });

  test('names a replacement for each', () => {
    for (const instead of [...Object.values(forbiddenWords), ...forbiddenPhrases.map(([, text]) => text)])
      expect(instead).not.toBe('');
  });
});
