// What solc wrote for the folder `contracts`: each clone would compile it for minutes of processor time.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Compiler } from './compileSolidity.ts';

/** Written by `npm run record:solc`. */
export const RECORDED = new URL('recorded/', import.meta.url);

export interface RecordedOutput {
  /** {@link getCompilationKey} */
  readonly key: string;
  readonly compiler: Compiler;
  readonly settings: unknown;
  /** As the compiler wrote it. */
  readonly output: string;
}

/** All outputs for the same files, which have much in common. */
export interface RecordedFile {
  /** Paths, such as `contracts/Depot.sol`. */
  readonly sources: readonly string[];
  readonly outputs: readonly RecordedOutput[];
}

const PATH = /^contracts\/(\w+)\.sol$/;

export const isRecordable = (paths: readonly string[]): boolean =>
  paths.every(path => PATH.test(path) && existsSync(new URL(path, import.meta.url)));

export const getRecordedName = (paths: readonly string[]): string =>
  `${paths.map(path => PATH.exec(path)?.[1]).join('-')}.json.br`;

/** The compiler's input for the files as they are now. */
export function createRecordedInput(paths: readonly string[], settings: unknown): string {
  const read = (path: string) => ({ content: readFileSync(new URL(path, import.meta.url), 'utf8') });
  const sources = Object.fromEntries(paths.map(path => [path, read(path)]));
  return JSON.stringify({ language: 'Solidity', sources, settings });
}

const readRecordedFile = (name: string): RecordedFile =>
  JSON.parse(brotliDecompressSync(readFileSync(new URL(name, RECORDED))).toString()) as RecordedFile;

export const listRecordedFiles = (): readonly RecordedFile[] =>
  existsSync(RECORDED) ? readdirSync(RECORDED).map(readRecordedFile) : [];

/** By name. */
const opened = new Map<string, RecordedFile | null>();

/** `undefined` when the input is not recorded, or has changed since. */
export function readRecordedOutput(input: string, key: string): string | undefined {
  const paths = Object.keys((JSON.parse(input) as { readonly sources?: object }).sources ?? {});
  if (!isRecordable(paths)) return undefined;
  const name = getRecordedName(paths);
  let file = opened.get(name);
  if (file === undefined) {
    file = existsSync(new URL(name, RECORDED)) ? readRecordedFile(name) : null;
    opened.set(name, file);
  }
  return file?.outputs.find(each => each.key === key)?.output;
}
