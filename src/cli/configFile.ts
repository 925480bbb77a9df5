// The configuration file: a JSON object whose fields are named like the options.
import { dirname, resolve } from 'node:path';
import { HexLensError } from '../base/errors.ts';
import { readTextFile, type UnreadableFileError } from './readTextFile.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;

/** For wrong use: `message` names the flag, variable or field, `fix` says how to correct it. */
export function createUsageError(message: string, fix = 'Run hexlens --help to see how it is used.'): HexLensError {
  return new HexLensError('bad-input', message, { fix });
}

export interface ConfigFile {
  /** As the user wrote it. */
  readonly path: string;
  /** Relative paths in the file start here. */
  readonly folder: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** `"port" in hexlens.json`, for messages. */
  describeField(field: string): string;
}

/** Throws `bad-input` when the file can not be read, is not a JSON object, or has unknown fields. */
export function readConfigFile(path: string, knownFields: readonly string[]): ConfigFile {
  let text: string;
  try {
    text = readTextFile(path, MAX_CONFIG_BYTES);
  } catch (error) {
    const problem = (error as UnreadableFileError).message.replace('can not be read (ENOENT)', 'does not exist');
    throw createUsageError(
      `The configuration file ${path} ${problem}.`,
      'Check the path given with --config or HEXLENS_CONFIG.',
    );
  }
  let fields: unknown;
  try {
    fields = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // Only the position: V8's message quotes the text there, which may be a key.
    const position = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '')?.[0] ?? '';
    throw createUsageError(
      `The configuration file ${path} is not valid JSON ${position}`.trim().concat('.'),
      'Comments are not allowed in it.',
    );
  }
  if (fields === null || typeof fields !== 'object' || Array.isArray(fields))
    throw createUsageError(`The configuration file ${path} must hold one JSON object.`, 'Write { "port": 8547 }.');
  const unknownField = Object.keys(fields).find(field => field !== '$schema' && !knownFields.includes(field));
  if (unknownField !== undefined)
    throw createUsageError(
      `"${unknownField}" in ${path} is not a known field.`,
      `Known fields: ${knownFields.join(', ')}.`,
    );
  return {
    path,
    folder: dirname(resolve(path)),
    fields: fields as Readonly<Record<string, unknown>>, // checked above
    describeField: field => `"${field}" in ${path}`,
  };
}
