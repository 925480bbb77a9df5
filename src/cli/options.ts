// Options as data: each can be given as a flag, an environment variable or a field of the configuration file.
import { resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { getEntriesByChain } from '../api/chainNames.ts';
import { type ConfigFile, createUsageError } from './configFile.ts';
import { readTextFile, type UnreadableFileError } from './readTextFile.ts';

/** Where a value was given. */
export interface OptionSource {
  /** For messages: `--port`, `HEXLENS_PORT`, `"port" in hexlens.json`. */
  readonly name: string;
  /** Relative paths start here. */
  readonly folder: string;
}

export interface Option<T> {
  /** Without the dashes. */
  readonly flag: string;
  /** Placeholder of the value in help texts; `null` for a switch. */
  readonly valueName: string | null;
  readonly isRepeatable?: true;
  /** The value may also be given as the path of a file: `--key-file`, `HEXLENS_API_KEY_FILE`. */
  readonly isSecret?: true;
  /** Environment variable. */
  readonly env: string;
  /** Field of the configuration file. */
  readonly field: string;
  /** Type of that field. A map is an object of strings, which become `name=value`. */
  readonly jsonType: 'number' | 'string' | 'boolean' | 'list' | 'map';
  readonly help: string;
  /** Throws an error that names the source and the fix. Switches get `true` or `false` as text. */
  parse(texts: readonly string[], source: OptionSource): T;
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where options of every type meet.
export type OptionTable = Readonly<Record<string, Option<any>>>;
/** As tables write it: with the names that are others than those `defineOptions` gives. */
export type DeclaredOption<T> = Omit<Option<T>, 'env' | 'field'> & Partial<Pick<Option<T>, 'env' | 'field'>>;
export type OptionValues<O extends OptionTable> = { readonly [K in keyof O]: ReturnType<O[K]['parse']> | undefined };

/** Named after the flag: `strict-dates` is the field `strictDates` and the variable `HEXLENS_STRICT_DATES`. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function defineOptions<const O extends Readonly<Record<string, DeclaredOption<any>>>>(
  table: O,
): { readonly [K in keyof O]: O[K] & Pick<Option<unknown>, 'env' | 'field'> } {
  const complete = Object.entries(table).map(([key, option]) => {
    const field = option.field ?? option.flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const env = option.env ?? `HEXLENS_${field.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
    return [key, { ...option, field, env }];
  });
  return Object.fromEntries(complete) as ReturnType<typeof defineOptions<O>>; // each option with its own names
}

export interface OptionSources {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: ConfigFile | null;
  readonly folder: string;
}

const jsonTypeNames = {
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  list: 'a list of texts',
  map: 'an object of texts',
} as const;

function toTexts(value: unknown, { jsonType, field }: Option<unknown>, file: ConfigFile): readonly string[] {
  const createTypeError = () =>
    createUsageError(`${file.describeField(field)} must be ${jsonTypeNames[jsonType]}.`, `Correct it in ${file.path}.`);
  if (jsonType === 'list') {
    const list = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(list) || !list.every(item => typeof item === 'string')) throw createTypeError();
    return list;
  }
  if (jsonType === 'map') {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw createTypeError();
    return getEntriesByChain(value).map(([name, text]) => {
      if (typeof text !== 'string') throw createTypeError();
      return `${name}=${text}`;
    });
  }
  if (typeof value !== jsonType) throw createTypeError();
  return [String(value)];
}

/** The value of the first source that has it: flag, then environment, then file. */
function readOption<T>(option: Option<T>, { flags, env, file, folder }: OptionSources): T | undefined {
  const flagValue = flags[option.flag];
  if (flagValue !== undefined) {
    const texts = Array.isArray(flagValue) ? (flagValue as readonly string[]) : [String(flagValue)];
    return option.parse(texts, { name: `--${option.flag}`, folder });
  }
  if (option.isSecret) {
    const path =
      flags[`${option.flag}-file`] ?? (flagValue === undefined && !env[option.env] && env[`${option.env}_FILE`]);
    if (path)
      return option.parse([readSecretFile(resolve(folder, String(path)))], { name: `--${option.flag}-file`, folder });
  }
  const variable = env[option.env];
  if (variable !== undefined && variable !== '') {
    const source = { name: option.env, folder };
    if (option.valueName === null) return option.parse([parseSwitch(variable, option.env)], source);
    return option.parse(option.isRepeatable ? variable.trim().split(/\s+/) : [variable], source);
  }
  const fieldValue = file?.fields[option.field];
  if (file === null || fieldValue === undefined) return undefined;
  const source = { name: file.describeField(option.field), folder: file.folder };
  return option.parse(toTexts(fieldValue, option, file), source);
}

const MAX_SECRET_BYTES = 64 * 1024;

/** The text of the file without the line break at its end. */
export function readSecretFile(path: string): string {
  try {
    return readTextFile(path, MAX_SECRET_BYTES).replace(/\r?\n$/, '');
  } catch (error) {
    throw createUsageError(
      `The file ${path} ${(error as UnreadableFileError).message}.`,
      'It must hold the value alone.',
    );
  }
}

function parseSwitch(text: string, name: string): 'true' | 'false' {
  if (/^(1|true|yes|on)$/i.test(text)) return 'true';
  if (/^(0|false|no|off)$/i.test(text)) return 'false';
  throw createUsageError(`${name} must be true or false, not "${text}".`, 'Unset it to leave the default.');
}

/** Throws `bad-input` for the first option that is wrong. */
export function readOptions<O extends OptionTable>(options: O, sources: OptionSources): OptionValues<O> {
  const entries = Object.entries(options).map(([name, option]) => [name, readOption(option, sources)]);
  return Object.fromEntries(entries) as OptionValues<O>; // each name with what its own `parse` returns
}

export const HELP_HINT = 'See hexlens --help.';

export interface ParsedFlags {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

/** Parses the flags of `options` and `moreFlags`. Throws `bad-input` for unknown flags and missing values. */
export function parseFlags(
  args: readonly string[],
  options: OptionTable,
  moreFlags: ParseArgsOptionsConfig = {},
  fix?: string,
): ParsedFlags {
  const config: ParseArgsOptionsConfig = { ...moreFlags };
  for (const { flag, valueName, isRepeatable, isSecret } of Object.values(options)) {
    config[flag] = { type: valueName === null ? 'boolean' : 'string', ...(isRepeatable && { multiple: true }) };
    if (isSecret) config[`${flag}-file`] = { type: 'string' };
  }
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: config });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const firstSentence = message.split(/\. |\n/)[0] ?? message;
    throw createUsageError(firstSentence.replace(/\.?$/, '.'), fix);
  }
}
