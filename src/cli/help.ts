// The texts of `--help` and `hexlens operations`, made of the same tables that parse the arguments.
import { basePaths } from '../api/operations/operation.ts';
import { type OperationId, operationIds, operations } from '../api/operations/operations.ts';
import { isListKind } from '../api/operations/parameters.ts';
import { mcpOptions } from './mcpOptions.ts';
import { getOperationFlags, isSwitch } from './operationFlags.ts';
import type { OptionTable } from './options.ts';
import { chainOptions, groupOptions, serveOptions } from './serveOptions.ts';

const LINE_WIDTH = 88;

/** Breaks `text` into lines beside a column of `indent` characters. */
function wrapLines(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > LINE_WIDTH - indent) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

const formatRow = (name: string, help: string, column: number) =>
  name.length + 4 > column
    ? `  ${name}\n${' '.repeat(column)}${wrapLines(help, column)}`
    : `  ${name.padEnd(column - 2)}${wrapLines(help, column)}`;

const HELP_COLUMN = 20;

const formatOptions = (options: OptionTable) =>
  Object.values(options)
    .flatMap(({ flag, valueName, help, env, field, isSecret }) => [
      formatRow(`--${flag}${valueName === null ? '' : ` ${valueName}`}`, `${help} [${env}, "${field}"]`, HELP_COLUMN),
      ...(isSecret
        ? [formatRow(`--${flag}-file FILE`, `File that holds the value of --${flag} [${env}_FILE]`, HELP_COLUMN)]
        : []),
    ])
    .join('\n');

interface CommandHelp {
  readonly usage: string;
  readonly text: string;
  readonly options: string;
}

const configRow = formatRow(
  '--config FILE',
  'JSON file with any of the fields named above [HEXLENS_CONFIG]',
  HELP_COLUMN,
);
const chainHelp = `${formatOptions(chainOptions)}
${configRow}`;

const commandHelps = {
  serve: {
    usage: '  hexlens serve [--port PORT] [--key KEY] [--node NAME=URL ...] [OPTION ...]',
    text: `serve offers the service's operations over HTTP on 127.0.0.1. When it is ready it prints
one line on standard output, {"url":"http://127.0.0.1:8547","key":"..."}, and logs
one line per request on standard error. The reference is at /docs and /openapi.json,
its state at /health, /ready and (with the key) /metrics.`,
    options: `${formatOptions(serveOptions)}
${formatRow('--config FILE', 'JSON file with any of the fields named above, and "keys": several keys, each with a name, key or sha256, perSecond, perMinute, groups [HEXLENS_CONFIG]', HELP_COLUMN)}`,
  },
  call: {
    usage: '  hexlens call OPERATION [--PARAMETER VALUE ...] [--url URL --key KEY] [--all] [--pretty]',
    text: `call executes one operation and prints its reply as JSON on standard output: with your own
nodes, or with the service at --url [HEXLENS_URL] with --key [HEXLENS_API_KEY].
hexlens call OPERATION --help lists its parameters, and what only some operations take, such as
options of sign-in.`,
    options: `${formatOptions({ ...groupOptions.evm, ...groupOptions.aptos })}
${configRow}`,
  },
  trace: {
    usage: `  hexlens trace HASH [--node NAME=URL] [--project DIR] [--calls] [--internal] [--state [--build]] [--gas] [--json]
                [OPTION ...]`,
    text: `trace says why a transaction failed and what it called, from any node: it is run again here and
compared with the chain. --project DIR has the builds that name contracts, functions and errors
(default: the working folder), --calls prints the tree of calls, --internal with
the functions that were called inside contracts, --state what it changed, by name of variable
(--build: Foundry builds the project once more, in a folder of HexLens, for these names), --gas
what its functions and lines cost, --json everything for programs, --chain NAME chooses among
several nodes. Its exit code is 0 for a successful transaction, 1 for a failed one, 2 when there
is no answer.`,
    options: chainHelp,
  },
  simulate: {
    usage: `  hexlens simulate --to ADDRESS --from ADDRESS --function DECLARATION --args ARGUMENT ...
                   [--value AMOUNT] [--block N] [--override ...] [OPTIONS OF trace ...]`,
    text: `simulate says the same of a call that is not on the chain, and what it returns and moves: it is
run here on the state of the node, never signed and never sent. --to and --from, then
--function 'transfer(address,uint256)' --args 0x… 5, or --data 0x…; --transaction HASH begins with
what a transaction called. --value, --gas and --gas-price take 1000, 3gwei or 1.5ether; --block N
runs it after that block; --override 0x….balance=1ether, .nonce=5, .code=0x… or .0xSLOT=0x… puts
state in place of the chain's and may be repeated. Exit codes as those of trace.`,
    options: chainHelp,
  },
  diff: {
    usage: '  hexlens diff --from BLOCK [--to BLOCK] [--node NAME=URL] [--project DIR] [--json] [OPTION ...]',
    text: `diff says what the transactions after block --from up to --to (default: the newest) did together:
methods with their outcome, failures with their lines, contracts that were created, and what is
different afterwards: balances, and storage by name of variable. --json is for programs.`,
    options: chainHelp,
  },
  mcp: {
    usage: '  hexlens mcp [--allow-host HOST ...] [--abi PATH ...] [OPTION ...]',
    text: `mcp serves the operations, look-ups and decoders to agents over standard input and output
(Model Context Protocol): read-only, and only for nodes on this machine and allowed hosts.
It takes the options of call, and:`,
    options: formatOptions({ allowHost: mcpOptions.allowHost, abi: mcpOptions.abi }),
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;

const EXIT_CODES = `Exit codes: 0 success, 1 failure, 2 wrong use or a wrong parameter,
3 not found, 4 not allowed (the key or a host), 130 interrupted.
`;

export const HELP_TEXT = `HexLens: blockchain data and sign-in verification from your own node.

Usage:
${Object.values(commandHelps)
  .map(({ usage }) => usage)
  .join('\n')}
  hexlens operations
  hexlens completion bash|zsh|fish

${commandHelps.serve.text}

${commandHelps.serve.options}

A flag beats the environment variable named in brackets, which beats the field of the file.
Lists in variables are separated by spaces.

${(['call', 'trace', 'simulate', 'diff', 'mcp'] as const).map(command => commandHelps[command].text).join('\n\n')}

${commandHelps.mcp.options}

  -h, --help        Print this text; after a command what it takes
  -v, --version     Print the version

${EXIT_CODES}`;

export function formatCommandHelp(command: keyof typeof commandHelps): string {
  const { usage, text, options } = commandHelps[command];
  return `Usage:\n${usage}\n\n${text}\n\n${options}\n`;
}

export function formatOperationHelp(id: OperationId): string {
  const { title, summary, method, group, path } = operations[id];
  const flags = getOperationFlags(id);
  const column = 24;
  const rows = flags.map(({ flag, parameter }) => {
    const { kind, required, doc } = parameter;
    const value = isSwitch(parameter) ? '' : ' VALUE';
    const repeat = isListKind(kind) ? '; may be repeated' : '';
    return formatRow(`--${flag}${value}`, `${required ? 'Required. ' : ''}${doc} (${kind.hint}${repeat})`, column);
  });
  return `${title}: ${wrapLines(summary, 0)}

  hexlens call ${id}${flags
    .filter(({ parameter }) => parameter.required)
    .map(({ flag }) => ` --${flag} VALUE`)
    .join('')}
  ${method} ${basePaths[group][0]}${path}

${rows.join('\n')}

  --all${' '.repeat(column - 7)}Every page, one record per line
  --pretty${' '.repeat(column - 10)}JSON over several lines
  --url URL${' '.repeat(column - 11)}A service to use instead of your own nodes [HEXLENS_URL]
  --key KEY${' '.repeat(column - 11)}Its key [HEXLENS_API_KEY]
${formatOptions(groupOptions[group])}
${configRow}
`;
}

export function formatOperationList(): string {
  const width = Math.max(...operationIds.map(id => id.length)) + 2;
  return operationIds.map(id => `${id.padEnd(width)}${operations[id].title}\n`).join('');
}
