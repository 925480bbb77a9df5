// Finds files of the project by pattern: sorted, from its root, with forward slashes on Windows too.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

export interface SourceFile {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

export const withForwardSlashes = (path: string): string => path.replaceAll('\\', '/');

/** Patterns begin at the root of the project. */
export const findFiles = (patterns: string | readonly string[], exclude: readonly string[] = []): readonly string[] =>
  globSync(patterns, { cwd: root, exclude }).map(withForwardSlashes).sort();

export const readFiles = (patterns: string | readonly string[], exclude?: readonly string[]): readonly SourceFile[] =>
  findFiles(patterns, exclude).map(path => ({ path, text: readFileSync(root + path, 'utf8') }));
