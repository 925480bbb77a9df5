// The command line: finds the command, runs it, and ends with a code that scripts can rely on.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatFault, getFaultCode, toFault } from './base/errors.ts';
import { commandNames, createCompletionScript, shellNames } from './cli/completion.ts';
import { formatOperationHelp, formatOperationList, HELP_TEXT } from './cli/help.ts';
import { findOperation } from './cli/operationFlags.ts';
import { parseFlags } from './cli/options.ts';
import { serveOptions } from './cli/serveOptions.ts';
import { createUsageError } from './cli/usageError.ts';

const WRONG_USE = 2;

/** The version of the package that this file is part of, as source or as `dist/cli.js`. */
function version(): string {
  const file = join(dirname(realpathSync(process.argv[1] ?? '')), '..', 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // our own file
  return version;
}

const print = (text: string): void => void process.stdout.write(text);
const isHelp = (arg: string) => arg === '--help' || arg === '-h';
const isVersion = (arg: string) => arg === '--version' || arg === '-v';

// What a command needs is loaded with it: help and complaints about flags need none of it.
async function serve(args: readonly string[]): Promise<void> {
  if (args.some(isHelp)) return print(HELP_TEXT);
  const flags = parseFlags(args, serveOptions, { config: { type: 'string' }, help: { type: 'boolean', short: 'h' } });
  const command = await import('./cli/serveCommand.ts');
  await orFail(
    async () => command.planServe(flags, process.env),
    () => WRONG_USE,
  ).then(async plan => {
    if (plan !== undefined)
      await orFail(
        () => command.runServe(plan),
        () => 1,
      );
  });
}

async function call([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name.startsWith('-')) {
    if (name !== undefined && isHelp(name)) return print(HELP_TEXT);
    throw createUsageError('Say which operation: hexlens call block --block 1.', 'hexlens operations lists them.');
  }
  const id = findOperation(name);
  if (args.some(isHelp)) return print(formatOperationHelp(id));
  const command = await import('./cli/callCommand.ts');
  await orFail(
    async () => command.planCall(id, args, process.env),
    () => WRONG_USE,
  ).then(async plan => {
    if (plan !== undefined) await orFail(() => command.runCall(plan), command.getExitCode);
  });
}

function completionFor([shell, ...more]: readonly string[]): void {
  const found = shellNames.find(known => known === shell);
  if (found === undefined || more.length > 0)
    throw createUsageError('Say for which shell.', `There are: ${shellNames.join(', ')}.`);
  print(createCompletionScript(found));
}

async function run([command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined) throw createUsageError(`Say what to do: hexlens ${commandNames.join(', ')}.`);
  if (isHelp(command)) return print(HELP_TEXT);
  if (isVersion(command)) return print(`${version()}\n`);
  if (command === 'serve') return serve(args);
  if (command === 'call') return call(args);
  if (command === 'completion') return completionFor(args);
  if (command !== 'operations') throw createUsageError(`"${command}" is not a command.`);
  if (args.length > 0) throw createUsageError(`"${args[0]}" is not expected after operations.`);
  print(formatOperationList());
}

/** Says what went wrong and sets the code that the process ends with. */
async function orFail<T>(work: () => Promise<T>, codeOf: (error: unknown) => number): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const fault = toFault(error);
    // There is no other place to look for the details of a mistake of ours.
    process.stderr.write(`hexlens: ${getFaultCode(fault) === 'internal' ? `${fault.details}` : formatFault(fault)}\n`);
    process.exitCode = codeOf(error);
    return undefined;
  }
}

void orFail(
  () => run(process.argv.slice(2)),
  () => WRONG_USE,
);
