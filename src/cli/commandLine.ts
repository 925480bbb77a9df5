// Runs a command of the command line and sets the exit code.

import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatFault, getFaultCode, toFault } from '../base/errors.ts';
import { setTranslations, type Translations } from '../base/localize.ts';
import { commandNames, createCompletionScript, shellNames } from './completion.ts';
import { createUsageError } from './configFile.ts';
import { formatCommandHelp, formatOperationHelp, formatOperationList, HELP_TEXT } from './help.ts';
import { findOperation } from './operationFlags.ts';
import { parseFlags } from './options.ts';
import { serveOptions } from './serveOptions.ts';

const EXIT_WRONG_USE = 2;

/** Texts of faults that name a setting of the editor, as they are on the command line. */
export const commandLineTexts: Translations = {
  'the setting hexlens.nodes': 'the option --node',
  'the setting hexlens.aptos.networks': 'the option --aptos',
  'Connect one with "HexLens: Connect Node", or add {0} to the setting hexlens.nodes.':
    'Add one with --node "{0}=URL".',
  'Start your node (anvil, npx hardhat node) or change hexlens.nodes.':
    'Start your node (anvil, npx hardhat node) or change --node.',
  'Add its indexer to the setting hexlens.aptos.networks.': 'Add its indexer with --aptos-indexer NAME=URL.',
  'If it should be, add {0} to the setting hexlens.metadata.hosts.':
    'If it should be, start the service with --metadata-host {0}.',
};

/** The version in the package.json above the entry, both `src/cli.ts` and `dist/cli.js`. */
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
  if (args.some(isHelp)) return print(formatCommandHelp('serve'));
  const flags = parseFlags(args, serveOptions, { config: { type: 'string' }, help: { type: 'boolean', short: 'h' } });
  // Imported here, because help and errors of wrong use need none of it.
  const { planServe, runServe } = await import('./serveCommand.ts');
  const plan = planServe(flags, process.env);
  await runOrSetExitCode(
    () => runServe(plan),
    () => 1,
  );
}

async function call([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name.startsWith('-')) {
    if (name !== undefined && isHelp(name)) return print(formatCommandHelp('call'));
    throw createUsageError('Name an operation: hexlens call block --block 1.', 'hexlens operations lists them.');
  }
  const id = findOperation(name);
  if (args.some(isHelp)) return print(formatOperationHelp(id));
  const { planCall, runCall, getExitCode } = await import('./callCommand.ts');
  const plan = planCall(id, args, process.env);
  await runOrSetExitCode(() => runCall(plan), getExitCode);
}

/** Runs a command about a project, which resolves with its exit code. */
async function runForProject(run: () => Promise<number>): Promise<void> {
  const { getNoAnswerExitCode } = await import('./runWithBackend.ts');
  await runOrSetExitCode(async () => {
    process.exitCode = await run();
  }, getNoAnswerExitCode);
}

async function trace(args: readonly string[]): Promise<void> {
  if (args.some(isHelp)) return print(formatCommandHelp('trace'));
  const { planTrace, runTrace } = await import('./traceCommand.ts');
  const plan = planTrace(args, process.env);
  await runForProject(() => runTrace(plan));
}

async function simulate(args: readonly string[]): Promise<void> {
  if (args.some(isHelp)) return print(formatCommandHelp('simulate'));
  const { planSimulation, runSimulation } = await import('./simulateCommand.ts');
  const plan = planSimulation(args, process.env);
  await runForProject(() => runSimulation(plan));
}

async function diff(args: readonly string[]): Promise<void> {
  if (args.some(isHelp)) return print(formatCommandHelp('diff'));
  const { planDiff, runDiff } = await import('./diffCommand.ts');
  const plan = planDiff(args, process.env);
  await runForProject(() => runDiff(plan));
}

async function mcp(args: readonly string[]): Promise<void> {
  if (args.some(isHelp)) return print(formatCommandHelp('mcp'));
  const { planMcp, runMcp } = await import('./mcpCommand.ts');
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

/** The commands whose arguments go to a node. */
const queries: ReadonlyMap<string, (args: readonly string[]) => Promise<void>> = new Map(
  Object.entries({ call, trace, simulate, diff }),
);

async function run([command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined) throw createUsageError(`Name a command: hexlens ${commandNames.join(', ')}.`);
  if (isHelp(command)) return print(HELP_TEXT);
  if (isVersion(command)) return print(`${readVersion()}\n`);
  if (command === 'serve') return serve(args);
  const query = queries.get(command);
  if (query !== undefined) {
    // A known key that is typed as a hash goes to no node. URLs of nodes have keys of their own.
    const { rejectSecretTexts } = await import('../mcp/mcpTool.ts');
    rejectSecretTexts(args.filter(arg => !arg.includes('://')));
    return query(args);
  }
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

export async function runCommandLine(): Promise<void> {
  setTranslations(commandLineTexts);
  await runOrSetExitCode(
    () => run(process.argv.slice(2)),
    () => EXIT_WRONG_USE,
  );
}
