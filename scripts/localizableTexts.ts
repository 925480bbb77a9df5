// Every text of the sources that can be translated, and what is wrong with a translation of them.
import { parseAst } from 'vitest/node';
import { operations } from '../src/api/operations/operations.ts';
import type { AnyParameter } from '../src/api/operations/parameters.ts';
import { formatParameterName } from '../src/view/operations/operationForm.ts';
import type { SourceFile } from './findFiles.ts';

/** Translations by their English text, or by the key of package.nls.json. */
export type Translations = Readonly<Record<string, string>>;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  value !== null && typeof value === 'object' && typeof (value as { type?: unknown }).type === 'string';

function* nodesBelow(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node))
    for (const inner of Array.isArray(value) ? value : [value]) if (isNode(inner)) yield* nodesBelow(inner);
}

const nameOf = (node: unknown): unknown => (isNode(node) && node.type === 'Identifier' ? node['name'] : undefined);

/** `t(…)` of base/localize.ts, `localizable(…)` of base/localize.ts, or `l10n.t(…)` of vscode. */
function translates({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false;
  if (callee.type === 'MemberExpression')
    return nameOf(callee['object']) === 'l10n' && nameOf(callee['property']) === 't';
  return nameOf(callee) === 't' || nameOf(callee) === 'localizable';
}

/** A literal without anything computed in it; `null` for any other expression. */
function literal(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  const { expressions, quasis } = node as { expressions?: unknown; quasis?: readonly { value: { cooked: string } }[] };
  return node.type === 'TemplateLiteral' && Array.isArray(expressions) && expressions.length === 0
    ? (quasis?.[0]?.value.cooked ?? null)
    : null;
}

/** The key in the bundle as vscode makes it: a comment for translators follows a slash. */
function keyOf(first: unknown): string | null {
  if (!isNode(first) || first.type !== 'ObjectExpression') return literal(first);
  const properties = first['properties'] as readonly { readonly key: unknown; readonly value: unknown }[];
  const propertyOf = (name: string) => properties.find(({ key }) => nameOf(key) === name)?.value;
  const message = literal(propertyOf('message'));
  const comment = propertyOf('comment');
  const comments =
    isNode(comment) && comment.type === 'ArrayExpression' ? (comment['elements'] as unknown[]) : [comment];
  const parts = comments.filter(part => part !== undefined).map(literal);
  if (message === null || parts.includes(null)) return null;
  return parts.length === 0 ? message : `${message}/${parts.join('')}`;
}

export interface CollectedTexts {
  /** By the key in the bundle, in the order of first use. */
  readonly keys: readonly string[];
  /** Calls whose text is computed, so that it cannot be translated. */
  readonly computed: readonly string[];
}

export function collectTexts(files: readonly SourceFile[]): CollectedTexts {
  const keys = new Set<string>();
  const computed: string[] = [];
  for (const { path, text } of files) {
    if (!/\b(t|localizable)\(/.test(text)) continue;
    for (const node of nodesBelow(parseAst(text, { lang: 'ts' }) as unknown as Node)) {
      if (!translates(node)) continue;
      const key = keyOf((node['arguments'] as readonly unknown[])[0]);
      if (key === null) computed.push(`${path}:${text.slice(0, node.start).split('\n').length}`);
      else keys.add(key);
    }
  }
  return { keys: [...keys], computed };
}

/** Words of the operations table, which `translated` looks up. */
export function collectTableTexts(): readonly string[] {
  return Object.values(operations).flatMap(({ title, summary, parameters, traits }) => [
    title,
    summary,
    ...(traits.treeSections ?? []).map(section => section.title),
    ...(traits.addressTab === undefined ? [] : [traits.addressTab.label]),
    ...Object.entries(parameters as Readonly<Record<string, AnyParameter>>).flatMap(([name, { doc, kind }]) => [
      formatParameterName(name),
      doc,
      kind.hint,
    ]),
  ]);
}

const sorted = (texts: Iterable<string>) => [...texts].sort().join(' ');
const found = (pattern: RegExp, text: string) => sorted(text.match(pattern) ?? []);

/** Parts that a translation must preserve. */
const PRESERVED: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['placeholders', /\{\w+\}/g],
  ['icons', /\$\([\w-]+\)/g],
  ['links', /\]\([^)]*\)/g],
  ['settings', /`?#[\w.]+#`?/g],
  ['bold marks', /\*\*/g],
  ['code marks', /`/g],
];

/** Problems of one translation. */
export function findTranslationProblems(english: string, translation: string): readonly string[] {
  if (translation.trim() === '') return ['is empty'];
  const lost = PRESERVED.filter(([, pattern]) => found(pattern, english) !== found(pattern, translation));
  return lost.map(([what]) => `has other ${what}`);
}

/** The translations that something uses, in the order of the alphabet. */
export function pruneTranslations(translations: Translations, used: readonly string[]): Translations {
  const wanted = new Set(used);
  const entries = Object.entries(translations).filter(([key]) => wanted.has(key));
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
