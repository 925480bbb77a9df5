// Flags of an operation's parameters: `--from-block 12` for `fromBlock`, in every spelling that people know it by.
import { readFileSync } from 'node:fs';
import { type OperationId, operationIds, operations } from '../api/operations/operations.ts';
import { type AnyParameter, getWireName, isListKind, type Parameters } from '../api/operations/parameters.ts';
import type { InputTexts } from '../api/wire/inputTexts.ts';
import { badInputFault, HexLensError } from '../base/errors.ts';
import { createUsageError } from './usageError.ts';

const kebab = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

export interface ParameterFlag {
  /** Property name of the input. */
  readonly name: string;
  /** Without the dashes. */
  readonly flag: string;
  readonly parameter: AnyParameter;
}

export function getOperationFlags(id: OperationId): readonly ParameterFlag[] {
  const parameters: Parameters = operations[id].parameters;
  return Object.entries(parameters).map(([name, parameter]) => ({ name, flag: kebab(name), parameter }));
}

/** `walletNfts`, `wallet-nfts` and `WALLETNFTS` are the same operation. Throws with what is close. */
export function findOperation(text: string): OperationId {
  const plain = (name: string) => name.replace(/[-_]/g, '').toLowerCase();
  const found = operationIds.find(id => plain(id) === plain(text));
  if (found !== undefined) return found;
  const close = operationIds.filter(id => plain(id).includes(plain(text))).slice(0, 5);
  throw createUsageError(
    `"${text}" is not an operation.`,
    close.length === 0 ? 'hexlens operations lists them.' : `Did you mean ${close.join(', ')}?`,
  );
}

/** Whether the flag may stand without a value: then it is true. */
export const isSwitch = ({ kind }: AnyParameter) => !isListKind(kind) && kind.name === 'flag';

/**
 * Takes the operation's flags out of `args`: the texts of its input, and what is left for others. `@file` is read from a
 * file and `@-` from standard input where a parameter is text of its own, such as a sign-in message.
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
    const [, spelled = '', , inline] = /^--([^=]+)(=([\s\S]*))?$/.exec(arg) ?? [];
    const found = flags.find(({ name, flag, parameter }) =>
      [name, flag, getWireName(name, parameter)].includes(spelled),
    );
    if (found === undefined) {
      rest.push(arg);
      continue;
    }
    const next = args[i + 1];
    let value = inline;
    if (value === undefined && isSwitch(found.parameter) && !/^(true|false)$/i.test(next ?? '')) value = 'true';
    if (value === undefined) {
      if (next === undefined)
        throw createUsageError(`--${found.flag} needs a value.`, `hexlens call ${id} --help explains it.`);
      value = next;
      i++;
    }
    const text = found.parameter.in === 'body' ? ownText(value, found.flag) : value;
    texts[found.name] = [...(texts[found.name] ?? []), text];
  }
  return { texts, rest };
}

/** What the contract says of an input's fields, said of the flags that they came from. */
export function toFlagError(error: unknown): unknown {
  if (!(error instanceof HexLensError) || error.issues.length === 0) return error;
  return badInputFault(
    error.issues.map(({ field, message }) => ({
      field,
      message: message.startsWith(`${field} `) ? `--${kebab(field)}${message.slice(field.length)}` : message,
    })),
  );
}

function ownText(value: string, flag: string): string {
  if (!value.startsWith('@')) return value;
  const file = value.slice(1);
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw createUsageError(
      `--${flag}: ${file} can not be read (${code}).`,
      'Write @ and the path of a file, or the text itself.',
    );
  }
}
