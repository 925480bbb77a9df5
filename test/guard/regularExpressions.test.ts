// No regular expression takes more than linear time: hostile text must not block the editor or the service.
import { parseAst } from 'rolldown/parseAst';
import { analyse } from 'scslre';
import { describe, expect, test } from 'vitest';
import { readFiles } from '../../scripts/findFiles.ts';
import { measureCpuMs } from '../support/cpuTime.ts';
import { measureGrowth } from '../support/measureGrowth.ts';
import { createRepeatedTexts, type RepeatedText } from './repeatedTexts.ts';

interface Expression {
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** Repetitions up to this number are short enough to be tried from every position. */
const MAX_SHORT_REPETITION = 255;

function collectExpressions(path: string, text: string): readonly Expression[] {
  const expressions: Expression[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { start, regex } = node as { readonly start?: number; readonly regex?: { pattern: string; flags: string } };
    if (regex !== undefined && start !== undefined)
      expressions.push({
        path,
        line: text.slice(0, start).split('\n').length,
        source: regex.pattern,
        flags: regex.flags,
      });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return expressions;
}

/** What repeats super-linearly: a character and the kind of repetition. */
function findProblems({ source, flags }: Pick<Expression, 'source' | 'flags'>): readonly string[] {
  const unbounded = source.replace(/\{(\d+),(\d+)\}/g, (text, from: string, to: string) =>
    Number(to) > MAX_SHORT_REPETITION ? `{${from},}` : text,
  );
  const { reports } = analyse({ source: unbounded, flags }, { assumeRejectingSuffix: false });
  return reports.map(({ type, exponential, character }) => {
    const time = exponential ? 'exponential' : 'quadratic';
    return `${time} in repeated ${JSON.stringify(character.pick)} (${type})`;
  });
}

/** Characters of the short text; that of the long one is 16 times as much. */
const SHORT_LENGTH = 2_000;
const FACTOR = 16;
/** What takes no longer for the long text is not measured more closely. */
const MAX_MS = 30;
/** About 1 is linear, `FACTOR` quadratic. */
const MAX_GROWTH = 3;
/** A text of this length takes quadratic time a sixteenth as long as the long one, and linear time a fourth. */
const MIDDLE_LENGTH = (SHORT_LENGTH * FACTOR) / 4;
const MIDDLE_MAX_MS = MAX_MS / 20;
/**
 * Of a text that is four times as long: 4 is linear. What grows by `MAX_GROWTH` over `FACTOR` grows by 5.6 from the short text
 * to the middle one, and by more from there to the long one.
 */
const MAX_STEP = 5;

function findSlowText({ source, flags }: Pick<Expression, 'source' | 'flags'>): RepeatedText | undefined {
  const expression = new RegExp(source, flags.replace('y', ''));
  const run = (text: string) => (expression.global ? text.replace(expression, '') : expression.test(text));
  return createRepeatedTexts(source, flags).find(({ prefix, piece }) => {
    const create = (length: number) => `${prefix}${piece.repeat(Math.ceil(length / piece.length))}\0!`;
    const takesLonger = (length: number, maxMs: number) => {
      const text = create(length);
      return measureCpuMs(() => run(text), maxMs) > maxMs;
    };
    const short = create(SHORT_LENGTH);
    const middleMaxMs = Math.max(MIDDLE_MAX_MS, MAX_STEP * measureCpuMs(() => run(short), MIDDLE_MAX_MS / FACTOR));
    return (
      takesLonger(MIDDLE_LENGTH, middleMaxMs) &&
      takesLonger(SHORT_LENGTH * FACTOR, Math.max(MAX_MS, MAX_STEP * middleMaxMs)) &&
      measureGrowth(create, run, SHORT_LENGTH, FACTOR) > MAX_GROWTH
    );
  });
}

describe('the project', () => {
  const expressions = readFiles('src/**/*.ts').flatMap(({ path, text }) => collectExpressions(path, text));

  test('has only regular expressions that take linear time', () => {
    expect(expressions.length).toBeGreaterThan(400);
    const problems = expressions.flatMap(expression =>
      findProblems(expression).map(
        problem => `${expression.path}:${expression.line} /${expression.source}/ ${problem}`,
      ),
    );
    expect(problems).toEqual([]);
  });

  test('has no regular expression that takes more than linear time for repeated pieces of what it matches', () => {
    const texts = new Map<string, RepeatedText | undefined>();
    const slow = expressions.flatMap(expression => {
      const key = `${expression.flags}/${expression.source}`;
      if (!texts.has(key)) texts.set(key, findSlowText(expression));
      const text = texts.get(key);
      return text === undefined
        ? []
        : [`${expression.path}:${expression.line} /${expression.source}/ ${JSON.stringify(text)}`];
    });
    expect(slow).toEqual([]);
  });
});

describe('the checker', () => {
  test.each([
    ['^\\s*//.*$', 'gm', 'quadratic'],
    ['a{0,20000}b', 'g', 'quadratic'],
    ['(a+)+$', '', 'exponential'],
    ['/+$', '', 'quadratic'],
  ])('reports /%s/%s as %s', (source, flags, time) => {
    expect(findProblems({ source, flags }).join()).toContain(time);
  });

  test.each([
    ['field .* not found', 'i'],
    ['(^|/)broadcast/(.*/)?run-latest.json$', ''],
  ])('finds a text for which /%s/%s is slow', (source, flags) => {
    expect(findSlowText({ source, flags })).toBeDefined();
  });

  test.each([
    ['^[ \\t]*//.*', 'gm'],
    ['(?<!/)/+$', ''],
    ['0x[0-9a-f]{40}', 'gi'],
  ])('accepts /%s/%s', (source, flags) => {
    expect(findProblems({ source, flags })).toEqual([]);
  });

  test('finds expressions in TypeScript, none in texts', () => {
    const text = "const a: RegExp = /a+b/i;\nconst b = '/c/';\n";
    expect(collectExpressions('a.ts', text)).toEqual([{ path: 'a.ts', line: 1, source: 'a+b', flags: 'i' }]);
  });
});
