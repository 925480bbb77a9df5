// Entry of the command line: runs a command and sets the exit code.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatFault, getFaultCode, toFault } from './base/errors.ts';
import { setTranslations } from './base/localize.ts';
import { commandLineTexts } from './cli/commandLineTexts.ts';
import { commandNames, createCompletionScript, shellNames } from './cli/completion.ts';
import { createUsageError } from './cli/configFile.ts';
import { formatOperationHelp, formatOperationList, HELP_TEXT } from './cli/help.ts';
import { findOperation } from './cli/operationFlags.ts';
import { parseFlags } from './cli/options.ts';
import { serveOptions } from './cli/serveOptions.ts';

const EXIT_WRONG_USE = 2;

/** The version in the package.json above this file, both in `src` and as `dist/cli.js`. */
function readVersion(): string {
  const file = join(dirname(realpathSync(process.argv[1] ?? '')), '..', 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // our own file
  return version;
}

const print = (text: string): void => void process.stdout.write(text);
const isHelp = (arg: string) => arg === '--help' || arg === '-h';
const isVersion = (arg: string) => arg === '--version' || arg === '-v';

/** Throws a usage error as long as flags are parsed; later errors set their own exit code. */
async function serve(args: readonly string[]): Promise<void> {
  if (args.some(isHelp)) return print(HELP_TEXT);
  const flags = parseFlags(args, serveOptions, { config: { type: 'string' }, help: { type: 'boolean', short: 'h' } });
  // Imported here, because help and errors of wrong use need none of it.
  const { planServe, runServe } = await import('./cli/serveCommand.ts');
  const plan = planServe(flags, process.env);
  await runOrSetExitCode(
    () => runServe(plan),
    () => 1,
  );
}

async function call([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name.startsWith('-')) {
    if (name !== undefined && isHelp(name)) return print(HELP_TEXT);
    throw createUsageError('Name an operation: hexlens call block --block 1.', 'hexlens operations lists them.');
  }
  const id = findOperation(name);
  if (args.some(isHelp)) return print(formatOperationHelp(id));
  const { planCall, runCall, getExitCode } = await import('./cli/callCommand.ts');
  const plan = planCall(id, args, process.env);
  await runOrSetExitCode(() => runCall(plan), getExitCode);
}

async function mcp(args: readonly string[]): Promise<void> {
  if (args.some(isHelp)) return print(HELP_TEXT);
  const { planMcp, runMcp } = await import('./cli/mcpCommand.ts');
  const plan = planMcp(args, process.env);
  await runOrSetExitCode(
    () => runMcp(plan, readVersion()),
    () => 1,
  );
}

function printCompletion([shell, ...more]: readonly string[]): void {
  const shellName = shellNames.find(name => name === shell);
  if (shellName === undefined || more.length > 0)
    throw createUsageError('Name one shell.', `Known shells: ${shellNames.join(', ')}.`);
  print(createCompletionScript(shellName));
}

async function run([command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined) throw createUsageError(`Name a command: hexlens ${commandNames.join(', ')}.`);
  if (isHelp(command)) return print(HELP_TEXT);
  if (isVersion(command)) return print(`${readVersion()}\n`);
  if (command === 'serve') return serve(args);
  if (command === 'call') return call(args);
  if (command === 'mcp') return mcp(args);
  if (command === 'completion') return printCompletion(args);
  if (command !== 'operations') throw createUsageError(`"${command}" is not a command.`);
  if (args.length > 0) throw createUsageError(`"${args[0]}" is not expected after operations.`);
  print(formatOperationList());
}

/** A message may quote a node or host, whose characters must not control the terminal. */
const escapeCharacter = (character: string) => (character === '\n' ? '\n' : '·');

/** Prints the error of `work` and sets the exit code of the process. */
async function runOrSetExitCode(work: () => Promise<void>, getExitCode: (error: unknown) => number): Promise<void> {
  try {
    await work();
  } catch (error) {
    const fault = toFault(error);
    // An internal error has no log here, so its details are printed.
    const text = getFaultCode(fault) === 'internal' ? `${fault.details}` : formatFault(fault);
    process.stderr.write(`hexlens: ${text.replace(/[\p{Cc}\p{Cf}]/gu, escapeCharacter)}\n`);
    process.exitCode = getExitCode(error);
  }
}

// Other users of the machine see the arguments of a process, which may hold a key: the title replaces them.
process.title = 'hexlens';

setTranslations(commandLineTexts);

void runOrSetExitCode(
  () => run(process.argv.slice(2)),
  () => EXIT_WRONG_USE,
);
