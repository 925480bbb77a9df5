// What solc wrote for the contracts of tests: each clone would compile them for minutes of processor time.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
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

/** All outputs for the same files of the folder `contracts`, which have much in common. */
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

/** All outputs for contracts at the same paths whose text is in tests or in packages. */
export interface RecordedTexts {
  readonly outputs: readonly RecordedTextOutput[];
}

export interface RecordedTextOutput {
  /** {@link getCompilationKey} */
  readonly key: string;
  readonly compiler: Compiler;
  readonly input: string;
  /** As the compiler wrote it. */
  readonly output: string;
}

/** Beside {@link RECORDED}. */
export const RECORDED_TEXTS = new URL('recordedTexts/', import.meta.url);

/** Of the first of these paths. */
export const getTextsName = (paths: readonly string[]): string =>
  `${paths
    .slice(0, 2)
    .map(path => basename(path, '.sol'))
    .join('-')}.json.br`;

const readRecording = <T>(folder: URL, name: string): T =>
  JSON.parse(brotliDecompressSync(readFileSync(new URL(name, folder))).toString()) as T;

const listRecordings = <T>(folder: URL): readonly T[] =>
  existsSync(folder) ? readdirSync(folder).map(name => readRecording<T>(folder, name)) : [];

export const listRecordedFiles = () => listRecordings<RecordedFile>(RECORDED);
export const listRecordedTexts = () => listRecordings<RecordedTexts>(RECORDED_TEXTS);

interface Recording {
  readonly outputs: readonly { readonly key: string; readonly output: string }[];
}

/** By path. */
const opened = new Map<string, Recording | null>();

function openRecording(folder: URL, name: string): Recording | null {
  const { href } = new URL(name, folder);
  const known = opened.get(href);
  if (known !== undefined) return known;
  const recording = existsSync(new URL(href)) ? readRecording<Recording>(folder, name) : null;
  opened.set(href, recording);
  return recording;
}

/** `undefined` when the input is not recorded, or has changed since. */
export function readRecordedOutput(input: string, key: string): string | undefined {
  const paths = Object.keys((JSON.parse(input) as { readonly sources?: object }).sources ?? {});
  const recordings = [
    ...(isRecordable(paths) ? [openRecording(RECORDED, getRecordedName(paths))] : []),
    openRecording(RECORDED_TEXTS, getTextsName(paths)),
  ];
  return recordings.flatMap(recording => recording?.outputs ?? []).find(each => each.key === key)?.output;
}
