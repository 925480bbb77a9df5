// Options as data: each may be a flag, an environment variable or a field of the configuration file, and is judged once.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { ConfigFile } from './configFile.ts';
import { createUsageError } from './usageError.ts';

/** Where a value was written, for messages and for relative paths. */
export interface OptionSource {
  /** `--port`, `HEXLENS_PORT`, `"port" in hexlens.json`. */
  readonly name: string;
  /** What relative paths start from. */
  readonly folder: string;
}

export interface Option<T> {
  /** Without the dashes. */
  readonly flag: string;
  /** What stands for its value in help texts; `null` for a switch. */
  readonly valueName: string | null;
  readonly isRepeatable?: true;
  readonly env: string;
  /** In the configuration file. */
  readonly field: string;
  /** How the field is written: a map is an object of texts, which become `name=value`. */
  readonly jsonType: 'number' | 'string' | 'boolean' | 'list' | 'map';
  readonly help: string;
  /** What the texts mean; throws with the place's name and the fix. Switches get `true` or `false`. */
  parse(texts: readonly string[], place: OptionSource): T;
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where options of every type meet.
export type OptionTable = Readonly<Record<string, Option<any>>>;
export type OptionValues<O extends OptionTable> = { readonly [K in keyof O]: ReturnType<O[K]['parse']> | undefined };

export interface OptionSources {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: ConfigFile | null;
  readonly folder: string;
}

const jsonWords = {
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  list: 'a list of texts',
  map: 'an object of texts',
} as const;

function textsInFile(value: unknown, { jsonType: json, field }: Option<unknown>, file: ConfigFile): readonly string[] {
  const refuse = () =>
    createUsageError(`${file.describeField(field)} must be ${jsonWords[json]}.`, `Correct it in ${file.path}.`);
  if (json === 'list') {
    const list = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(list) || !list.every(item => typeof item === 'string')) throw refuse();
    return list;
  }
  if (json === 'map') {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse();
    return Object.entries(value).map(([name, text]) => {
      if (typeof text !== 'string') throw refuse();
      return `${name}=${text}`;
    });
  }
  if (typeof value !== json) throw refuse();
  return [String(value)];
}

/** What stands in the first source that has the option: flag before environment before file. */
function readOption<T>(option: Option<T>, { flags, env, file, folder }: OptionSources): T | undefined {
  const { flag, field, valueName: value, isRepeatable: many } = option;
  const given = flags[flag];
  if (given !== undefined) {
    const texts = Array.isArray(given) ? (given as readonly string[]) : [String(given)];
    return option.parse(texts, { name: `--${flag}`, folder });
  }
  const variable = env[option.env];
  if (variable !== undefined && variable !== '') {
    const texts = many === true ? variable.trim().split(/\s+/) : [variable];
    const word = value === null ? switchTexts(texts[0] ?? '', option.env) : texts;
    return option.parse(word, { name: option.env, folder });
  }
  const written = file?.fields[field];
  if (file === null || written === undefined) return undefined;
  return option.parse(textsInFile(written, option, file), { name: file.describeField(field), folder: file.folder });
}

function switchTexts(text: string, name: string): readonly string[] {
  if (/^(1|true|yes|on)$/i.test(text)) return ['true'];
  if (/^(0|false|no|off)$/i.test(text)) return ['false'];
  throw createUsageError(`${name} must be true or false, not "${text}".`, 'Unset it to leave the default.');
}

/** Every option; throws one `bad-input` for the first that is wrong. */
export function readOptions<O extends OptionTable>(options: O, sources: OptionSources): OptionValues<O> {
  const entries = Object.entries(options).map(([name, option]) => [name, readOption(option, sources)]);
  return Object.fromEntries(entries) as OptionValues<O>; // name by name what its own `read` returns
}

export interface ParsedFlags {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

/** The flags of options, and further ones; throws for unknown flags and missing values, with `fix`. */
export function parseFlags(
  args: readonly string[],
  options: OptionTable,
  more: ParseArgsOptionsConfig = {},
  fix?: string,
): ParsedFlags {
  const known: ParseArgsOptionsConfig = { ...more };
  for (const { flag, valueName: value, isRepeatable: many } of Object.values(options))
    known[flag] = { type: value === null ? 'boolean' : 'string', ...(many && { multiple: true }) };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: known });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw createUsageError(said.split(/\. |\n/)[0]?.replace(/\.?$/, '.') ?? said, fix);
  }
}
