// The configuration file: one JSON object whose fields are the long names of the options.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createUsageError } from './usageError.ts';

export interface ConfigFile {
  /** As the user wrote it, for messages. */
  readonly path: string;
  /** What relative paths in it start from. */
  readonly folder: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** `"port" in hexlens.json`. */
  describeField(field: string): string;
}

/** Throws `bad-input` when it can not be read, is no JSON object, or has fields that mean nothing. */
export function readConfigFile(path: string, known: readonly string[]): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'ENOENT' ? 'does not exist' : `can not be read (${code})`;
    throw createUsageError(
      `The configuration file ${path} ${why}.`,
      'Check the path given with --config or HEXLENS_CONFIG.',
    );
  }
  let fields: unknown;
  try {
    fields = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/\.?$/, '.') : '';
    // V8 quotes what stands there, which may be a key.
    const where = /\(line \d+ column \d+\)/.exec(said)?.[0] ?? '';
    throw createUsageError(
      `The configuration file ${path} is not valid JSON ${where}`.trim().concat('.'),
      'It has no comments.',
    );
  }
  if (fields === null || typeof fields !== 'object' || Array.isArray(fields))
    throw createUsageError(`The configuration file ${path} must hold one JSON object.`, 'Write { "port": 8547 }.');
  const unknown = Object.keys(fields).find(field => field !== '$schema' && !known.includes(field));
  if (unknown !== undefined)
    throw createUsageError(`"${unknown}" in ${path} means nothing.`, `There are: ${known.join(', ')}.`);
  return {
    path,
    folder: dirname(resolve(path)),
    fields: fields as Readonly<Record<string, unknown>>, // checked above
    describeField: field => `"${field}" in ${path}`,
  };
}
