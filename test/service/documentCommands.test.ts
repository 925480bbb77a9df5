// The commands of the guides work when pasted, over a real chain.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFiles } from '../../scripts/findFiles.ts';
import { type FilledChain, startFilledChain } from '../support/filledChain.ts';
import { type Ended, runCli, type ServeProcess, startServe } from './cliProcess.ts';

let world: FilledChain;
let server: ServeProcess;

beforeAll(async () => {
  world = await startFilledChain();
  server = await startServe(['--port', '0', '--key', 'K', '--node', `local=${world.anvil.url}`]);
});
afterAll(async () => {
  await server?.stop();
  await world?.stop();
});

interface DocumentedCommand {
  readonly document: string;
  readonly line: string;
}

const commands: readonly DocumentedCommand[] = findFiles(['README.md', 'docs/*.md']).flatMap(document =>
  [...readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .map(line => ({ document, line })),
);
const PROGRAM = 'node dist/cli.js ';
/** The set-up of a checkout: every run of the tests begins with it, and `npm start` is run in VS Code's tests. */
const SETUP = ['npm ci && npm start', 'npm ci && npm test'];

/** With the chain, service and transaction of this test in place of those of a reader. */
const toArguments = (line: string): readonly string[] =>
  line
    .slice(PROGRAM.length)
    .replace('http://127.0.0.1:8545', world.anvil.url)
    .replace('http://127.0.0.1:8547', server.ready.url)
    .replace('--port 8547', '--port 0')
    .replace('0x…', world.chain.transactions.failed)
    .split(' ')
    .map(word => word.replace(/^'(.*)'$/, '$1'));

/** Those that run until they are stopped print a line when they are ready. */
async function run(line: string): Promise<Ended> {
  const [command = '', ...rest] = toArguments(line);
  if (command !== 'serve') return runCli([command, ...rest]);
  const started = await startServe(rest.includes('--port') ? rest : ['--port', '0', ...rest]);
  expect(started.ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  return started.stop();
}

test('the guides have commands, and no others than those of the set-up and of hexlens', () => {
  const documents = new Set(commands.map(({ document }) => document));
  for (const document of ['service', 'cli', 'agents', 'browser', 'debugging'])
    expect(documents).toContain(`docs/${document}.md`);
  const others = commands.filter(({ line }) => !line.startsWith(PROGRAM) && !SETUP.includes(line));
  expect(others).toEqual([]);
});

test.each(commands.filter(({ line }) => line.startsWith(PROGRAM)))('$document: $line', async ({ line }) => {
  const { code, stderr } = await run(line);
  // 1: the transaction that was traced failed.
  expect([code, stderr.includes('Usage')]).toEqual([line.includes(' trace ') ? 1 : 0, false]);
});

test('finds a command that does not work', async () => {
  const { code } = await runCli(['call', 'blocks', '--block', '1', '--node', `local=${world.anvil.url}`]);
  expect(code).toBe(2);
});
