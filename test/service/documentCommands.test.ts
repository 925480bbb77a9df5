// The commands of the guides work when pasted: with the sample chain they need no node.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFiles } from '../../scripts/findFiles.ts';
import { type Ended, runCli, type ServeProcess, startServe } from './cliProcess.ts';

const SAMPLE = 'local=http://sample-chain.localhost';
let server: ServeProcess;

beforeAll(async () => {
  server = await startServe(['--port', '0', '--key', 'K', '--node', SAMPLE]);
});
afterAll(async () => {
  await server?.stop();
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
const PROGRAM = 'npx node dist/cli.js ';
/** The set-up of a checkout: every run of the tests begins with it, and `npm start` is run in VS Code's tests. */
const SETUP = ['npm ci && npm start', 'npm ci && npm test'];

/** With the service of this test in place of that of a reader. */
const toArguments = (line: string): readonly string[] =>
  line
    .slice(PROGRAM.length)
    .replace('http://127.0.0.1:8547', server.ready.url)
    .replace('--port 8547', '--port 0')
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

test.each(commands.filter(({ line }) => line.startsWith(PROGRAM)))(
  '$document works as written: $line',
  async ({ line }) => {
    const { code, stderr } = await run(line);
    // 1: the transaction that was traced failed.
    expect([code, stderr.includes('Usage')]).toEqual([line.includes(' trace ') ? 1 : 0, false]);
  },
);

test('finds a command that does not work', async () => {
  const { code } = await runCli(['call', 'blocks', '--block', '1', '--node', SAMPLE]);
  expect(code).toBe(2);
});
