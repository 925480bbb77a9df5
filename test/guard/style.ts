// Rules for source files beyond what the linter checks: header comment, size, names and exports.
import type { SourceFile } from '../../scripts/findFiles.ts';

/** Files that may be longer than the rest, with the reason. */
export type Exceptions = Readonly<Record<string, string>>;

export const MAX_LINES = 600;
export const MAX_ENTRY_LINES = 60;

const splitLines = (text: string) => text.replace(/\n$/, '').split('\n');

/** The comment that a file starts with, as one text; `null` where it starts with code. */
function getHeader(text: string): string | null {
  const lines = splitLines(text);
  const end = lines.findIndex(line => !line.startsWith('// ') || line.startsWith('// biome-ignore'));
  const header = lines.slice(0, end < 0 ? undefined : end).map(line => line.slice(3));
  return header.length === 0 ? null : header.join(' ');
}

const VAGUE_WORDS = ['util', 'utils', 'helper', 'helpers', 'manager', 'managers', 'misc'];
/** Only where it is the whole name: `commonAncestor` says what it is. */
const VAGUE_NAMES = ['common'];

/** `keyManager.test.ts` is key, manager, test, ts. */
const splitWords = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const MESSAGES_FILE = 'src/extension/prompts/showMessage.ts';

const SHOWS_MESSAGE = /\bwindow\s*\.(?:show(?:Information|Warning|Error)Message|withProgress)\b/;

/** Lazy values whose load is started without `catch`: where the bundle is damaged, the rejection is unhandled. */
const findUnhandledLoads = (text: string): readonly string[] =>
  [...text.matchAll(/\bconst (\w+) = lazy\(/g)]
    .map(([, name = '']) => name)
    .filter(name => new RegExp(`\\bvoid ${name}(?:\\(|\\.peek\\()`).test(text));

const INDEX_FILES = ['test/editor/suite/index.ts'];

/** Every problem of one file. */
export function findStyleProblems({ path, text }: SourceFile, long: Exceptions): readonly string[] {
  const problems: string[] = [];
  const header = getHeader(text);
  if (header !== null && !/^\S.{10,}[.:]$/.test(header))
    problems.push(`${path} starts with a comment that is not a sentence about what the file is for.`);
  const lines = splitLines(text).length;
  const limit = path === 'src/extension.ts' ? MAX_ENTRY_LINES : MAX_LINES;
  if (lines > limit && !Object.hasOwn(long, path)) problems.push(`${path} has ${lines} lines; ${limit} are allowed.`);
  const vague =
    splitWords(path).find(word => VAGUE_WORDS.includes(word)) ??
    path.split(/[/.]/).find(name => VAGUE_NAMES.includes(name));
  if (vague !== undefined) problems.push(`${path}: "${vague}" does not say what is in it.`);
  if (/(^|\/)index\.ts$/.test(path) && !INDEX_FILES.includes(path)) problems.push(`${path} is a barrel.`);
  if (/^export \* from/m.test(text)) problems.push(`${path} exports everything of another file.`);
  if (path.startsWith('src/') && path !== MESSAGES_FILE && SHOWS_MESSAGE.test(text))
    problems.push(`${path} shows a message in which text of others may be a link: use ${MESSAGES_FILE}.`);
  for (const name of findUnhandledLoads(text))
    problems.push(`${path} does not handle a failure of ${name}(): catch it, or use ifLoaded of base/lazy.ts.`);
  if (/^export default\b/m.test(text) && !/^\/\/ biome-ignore lint\/style\/noDefaultExport: \S/m.test(text))
    problems.push(`${path} has a default export.`);
  return problems;
}

/** Exceptions for files that are gone or short. */
export function findUnusedExceptions(files: readonly SourceFile[], long: Exceptions): readonly string[] {
  return Object.keys(long).filter(path => {
    const file = files.find(candidate => candidate.path === path);
    return file === undefined || splitLines(file.text).length <= MAX_LINES;
  });
}
