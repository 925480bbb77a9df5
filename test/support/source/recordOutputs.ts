// `npm run record:solc`: records what solc writes for the contracts of tests, after they or their settings have changed and
// the tests have compiled them. To drop what no test compiles any more, first delete `recordedTexts` and the cache, and run all.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { recordContracts } from '../chain/compileContracts.ts';
import { GANACHE_EVM } from '../chain/ganache.ts';
import { CACHE, type CachedInput, type Compiler, compile, getCompilationKey } from './compileSolidity.ts';
import {
  createRecordedInput,
  getRecordedName,
  getTextsName,
  isRecordable,
  listRecordedFiles,
  listRecordedTexts,
  RECORDED,
  RECORDED_TEXTS,
  type RecordedFile,
  type RecordedOutput,
  type RecordedTextOutput,
} from './recordedOutputs.ts';

/** By name of the file. */
const files = new Map<string, RecordedFile & { readonly outputs: RecordedOutput[] }>();

function record(compiler: Compiler, sources: readonly string[], settings: unknown): void {
  const input = createRecordedInput(sources, settings);
  const key = getCompilationKey(compiler, input);
  const name = getRecordedName(sources);
  const file = files.get(name) ?? { sources, outputs: [] };
  files.set(name, file);
  if (file.outputs.some(each => each.key === key)) return;
  file.outputs.push({ key, compiler, settings, output: compile(compiler, input) });
}

/** By name of the file. */
const texts = new Map<string, { readonly outputs: RecordedTextOutput[] }>();

function recordText(recorded: RecordedTextOutput): void {
  const { sources } = JSON.parse(recorded.input) as { readonly sources: object };
  const name = getTextsName(Object.keys(sources));
  const file = texts.get(name) ?? { outputs: [] };
  texts.set(name, file);
  if (!file.outputs.some(each => each.key === recorded.key)) file.outputs.push(recorded);
}

// What is recorded already, of the files as they are now.
for (const { sources, outputs } of listRecordedFiles())
  for (const { compiler, settings } of outputs) record(compiler, sources, settings);
for (const { outputs } of listRecordedTexts()) outputs.forEach(recordText);
// What tests have compiled in this clone, unless of files as they were.
for (const name of readdirSync(CACHE)
  .filter(each => each.endsWith('.input.json'))
  .sort()) {
  const { compiler, input } = JSON.parse(readFileSync(new URL(name, CACHE), 'utf8')) as CachedInput;
  const { sources, settings } = JSON.parse(input) as { readonly sources: object; readonly settings: unknown };
  const paths = Object.keys(sources);
  if (isRecordable(paths) && createRecordedInput(paths, settings) === input) record(compiler, paths, settings);
  else recordText({ key: getCompilationKey(compiler, input), compiler, input, output: compile(compiler, input) });
}

const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };

function write(folder: URL, recordings: ReadonlyMap<string, { readonly outputs: readonly unknown[] }>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, file] of recordings) {
    const compressed = brotliCompressSync(JSON.stringify(file), { params: quality });
    writeFileSync(new URL(name, folder), compressed);
    console.log(`${name}: ${file.outputs.length} outputs, ${Math.ceil(compressed.length / 1000)} kB`);
  }
}

write(RECORDED, files);
write(RECORDED_TEXTS, texts);

for (const evmVersion of ['cancun', GANACHE_EVM] as const) await recordContracts(evmVersion);
