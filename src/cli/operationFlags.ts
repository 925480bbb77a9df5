// Flags for the parameters of an operation: `--from-block 12` for `fromBlock`; other spellings work too.
import { readFileSync } from 'node:fs';
import { type OperationId, operationIds, operations } from '../api/operations/operations.ts';
import { type AnyParameter, getWireName, isListKind, type Parameters } from '../api/operations/parameters.ts';
import type { InputTexts } from '../api/wire/inputTexts.ts';
import { createBadInputFault, HexLensError } from '../base/errors.ts';
import { createUsageError } from './configFile.ts';
import { readTextFile, UnreadableFileError } from './readTextFile.ts';

const toKebabCase = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

export interface ParameterFlag {
  /** Property of the input. */
  readonly name: string;
  /** Without the dashes. */
  readonly flag: string;
  readonly parameter: AnyParameter;
}

export function getOperationFlags(id: OperationId): readonly ParameterFlag[] {
  const parameters: Parameters = operations[id].parameters;
  return Object.entries(parameters).map(([name, parameter]) => ({ name, flag: toKebabCase(name), parameter }));
}

/** Finds it by `walletNfts`, `wallet-nfts` or `WALLETNFTS`. Throws an error that suggests similar names. */
export function findOperation(text: string): OperationId {
  const simplify = (name: string) => name.replace(/[-_]/g, '').toLowerCase();
  const id = operationIds.find(candidate => simplify(candidate) === simplify(text));
  if (id !== undefined) return id;
  const similar = operationIds.filter(candidate => simplify(candidate).includes(simplify(text))).slice(0, 5);
  throw createUsageError(
    `"${text}" is not an operation.`,
    similar.length === 0 ? 'hexlens operations lists them.' : `Did you mean ${similar.join(', ')}?`,
  );
}

/** Whether the flag needs no value: without one it is true. */
export const isSwitch = ({ kind }: AnyParameter) => !isListKind(kind) && kind.name === 'flag';

/**
 * Takes the operation's flags out of `args` and returns the other arguments as `rest`. A parameter of the body, such as a
 * sign-in message, can be read from a file with `@path`, or from standard input with `@-`.
 */
export function extractParameters(
  id: OperationId,
  args: readonly string[],
): { readonly texts: InputTexts; readonly rest: readonly string[] } {
  const flags = getOperationFlags(id);
  const texts: Record<string, string[]> = {};
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    const [, spelling = '', , inlineValue] = /^--([^=]+)(=([\s\S]*))?$/.exec(arg) ?? [];
    const match = flags.find(({ name, flag, parameter }) =>
      [name, flag, getWireName(name, parameter)].includes(spelling),
    );
    if (match === undefined) {
      rest.push(arg);
      continue;
    }
    const next = args[i + 1];
    let value = inlineValue;
    if (value === undefined && isSwitch(match.parameter) && !/^(true|false)$/i.test(next ?? '')) value = 'true';
    if (value === undefined) {
      if (next === undefined)
        throw createUsageError(`--${match.flag} needs a value.`, `hexlens call ${id} --help explains it.`);
      value = next;
      i++;
    }
    const text = match.parameter.in === 'body' ? readBodyText(value, match.flag) : value;
    texts[match.name] = [...(texts[match.name] ?? []), text];
  }
  return { texts, rest };
}

/** Replaces the names of input fields in a `bad-input` fault by those of their flags. */
export function toFlagError(error: unknown): unknown {
  if (!(error instanceof HexLensError) || error.issues.length === 0) return error;
  return createBadInputFault(
    error.issues.map(({ field, message }) => ({
      field,
      message: message.startsWith(`${field} `) ? `--${toKebabCase(field)}${message.slice(field.length)}` : message,
    })),
  );
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;

function readBodyText(value: string, flag: string): string {
  if (!value.startsWith('@')) return value;
  const file = value.slice(1);
  try {
    return file === '-' ? readFileSync(0, 'utf8') : readTextFile(file, MAX_BODY_BYTES);
  } catch (error) {
    const problem =
      error instanceof UnreadableFileError
        ? error.message
        : `can not be read (${(error as NodeJS.ErrnoException).code})`;
    throw createUsageError(`--${flag}: ${file} ${problem}.`, 'Write @ and the path of a file, or the text itself.');
  }
}
