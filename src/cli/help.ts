// What `--help` and `hexlens operations` print, made of the same tables that are read.
import { basePaths } from '../api/operations/operation.ts';
import { type OperationId, operationIds, operations } from '../api/operations/operations.ts';
import { isListKind } from '../api/operations/parameters.ts';
import { getOperationFlags, isSwitch } from './operationFlags.ts';
import type { OptionTable } from './options.ts';
import { serveOptions, sourceOptions } from './serveOptions.ts';

const WIDTH = 88;

/** `text` in lines that fit beside a column of `indent` characters. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > WIDTH - indent) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

const row = (name: string, help: string, column: number) =>
  name.length + 4 > column
    ? `  ${name}\n${' '.repeat(column)}${wrapped(help, column)}`
    : `  ${name.padEnd(column - 2)}${wrapped(help, column)}`;

const COLUMN = 20;

const optionRows = (options: OptionTable) =>
  Object.values(options)
    .map(({ flag, valueName: value, help, env, field }) =>
      row(`--${flag}${value === null ? '' : ` ${value}`}`, `${help} [${env}, "${field}"]`, COLUMN),
    )
    .join('\n');

export const HELP_TEXT = `HexLens: blockchain data and sign-in verification from your own node.

Usage:
  hexlens serve [--port PORT] [--key KEY] [--node NAME=URL ...] [OPTION ...]
  hexlens call OPERATION [--PARAMETER VALUE ...] [--url URL --key KEY] [--all] [--pretty]
  hexlens operations
  hexlens completion bash|zsh|fish

serve answers the service's HTTP operations on 127.0.0.1. When it is ready it prints
one line on standard output, {"url":"http://127.0.0.1:8547","key":"..."}, and logs
one line per request on standard error. The reference is at /docs and /openapi.json,
its state at /health, /ready and (with the key) /metrics.

${optionRows(serveOptions)}
${row('--config FILE', 'JSON file with any of the fields named above, and "keys": several keys, each with a name, key or sha256, perSecond, perMinute, groups [HEXLENS_CONFIG]', COLUMN)}

A flag beats the environment variable named in brackets, which beats the field of the file.
Lists in variables are separated by spaces.

call asks one operation and prints its answer as JSON on standard output: from your own
nodes, or from the service at --url [HEXLENS_URL] with --key [HEXLENS_API_KEY].
hexlens call OPERATION --help lists its parameters.

  -h, --help        Print this text
  -v, --version     Print the version

Exit codes: 0 ended as asked, 1 could not do it, 2 wrong use or a wrong parameter,
3 nothing there, 4 not allowed (the key, or a host nobody named), 130 interrupted.
`;

export function formatOperationHelp(id: OperationId): string {
  const { title, summary, method, group, path } = operations[id];
  const flags = getOperationFlags(id);
  const column = 24;
  const rows = flags.map(({ flag, parameter }) => {
    const { kind, required, doc } = parameter;
    const value = isSwitch(parameter) ? '' : ' VALUE';
    const repeat = isListKind(kind) ? '; may be repeated' : '';
    return row(`--${flag}${value}`, `${required ? 'Required. ' : ''}${doc} (${kind.hint}${repeat})`, column);
  });
  return `${title}: ${wrapped(summary, 0)}

  hexlens call ${id}${flags
    .filter(({ parameter }) => parameter.required)
    .map(({ flag }) => ` --${flag} VALUE`)
    .join('')}
  ${method} ${basePaths[group][0]}${path}

${rows.join('\n')}

  --all${' '.repeat(column - 7)}Every page, one record per line
  --pretty${' '.repeat(column - 10)}JSON over several lines
  --url URL${' '.repeat(column - 11)}A service to ask instead of your own nodes [HEXLENS_URL]
  --key KEY${' '.repeat(column - 11)}Its key [HEXLENS_API_KEY]
${optionRows(sourceOptions)}
  --config FILE     JSON file with any of the fields named above [HEXLENS_CONFIG]
`;
}

export function formatOperationList(): string {
  const width = Math.max(...operationIds.map(id => id.length)) + 2;
  return operationIds.map(id => `${id.padEnd(width)}${operations[id].title}\n`).join('');
}
