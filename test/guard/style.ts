// What every source file keeps to beyond what the linter knows: its first line, its size, its name, its exports.

export interface SourceFile {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** Files that may be longer than the rest, with the reason. */
export type Exceptions = Readonly<Record<string, string>>;

export const MAX_LINES = 300;
export const ENTRY_LINES = 60;

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');

/** The comment that a file starts with, as one text. */
function opening(text: string): string {
  const lines = linesOf(text);
  const end = lines.findIndex(line => !line.startsWith('// ') || line.startsWith('// biome-ignore'));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map(line => line.slice(3))
    .join(' ');
}

const FORBIDDEN_WORDS = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers', 'misc'];

/** `keyManager.test.ts` is key, manager, test, ts. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** The only index file: the table of operations. */
const INDEX_FILES = ['src/api/operations/operations.ts', 'test/editor/suite/index.ts'];

/** Every complaint about one file. */
export function findStyleProblems({ path, text }: SourceFile, long: Exceptions): readonly string[] {
  const complaints: string[] = [];
  const first = opening(text);
  if (!/^\S.{20,}[.:]$/.test(first))
    complaints.push(`${path} does not start with a comment of one sentence: what it is responsible for.`);
  const lines = linesOf(text).length;
  const limit = path === 'src/extension.ts' ? ENTRY_LINES : MAX_LINES;
  if (lines > limit && !Object.hasOwn(long, path)) complaints.push(`${path} has ${lines} lines; ${limit} are allowed.`);
  const forbidden = wordsOf(path).find(word => FORBIDDEN_WORDS.includes(word));
  if (forbidden !== undefined) complaints.push(`${path}: "${forbidden}" does not say what is in it.`);
  if (/(^|\/)index\.ts$/.test(path) && !INDEX_FILES.includes(path)) complaints.push(`${path} is a barrel.`);
  if (/^export \* from/m.test(text)) complaints.push(`${path} exports everything of another file.`);
  if (/^export default\b/m.test(text) && !/^\/\/ biome-ignore lint\/style\/noDefaultExport: \S/m.test(text))
    complaints.push(`${path} has a default export.`);
  return complaints;
}

/** Exceptions that nothing needs any more. */
export function findUnusedExceptions(files: readonly SourceFile[], long: Exceptions): readonly string[] {
  return Object.keys(long).filter(path => {
    const file = files.find(candidate => candidate.path === path);
    return file === undefined || linesOf(file.text).length <= MAX_LINES;
  });
}
