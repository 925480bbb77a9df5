// `node test/mutate.ts src/FILE.ts TEST…`: changes one operator or constant of a module at a time, and lists changes that no test noticed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What takes the place of an operator. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '&&': '||', '||': '&&', '??': '&&' },
};
const CONSTANTS: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  0: '1',
  1: '2',
  '0n': '1n',
  '1n': '2n',
};

interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
interface Node {
  readonly type?: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

function findMutations(source: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const { type, start, end, operator, left, right, test } = value as Node & Record<'left' | 'right' | 'test', Node>;
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      const at = source.indexOf(String(operator), left.end);
      const text = OPERATORS[String(operator)];
      if (text !== undefined && at < right.start) found.push({ start: at, end: at + String(operator).length, text });
    }
    if (type === 'Literal') {
      const text = CONSTANTS[source.slice(start, end)];
      if (text !== undefined) found.push({ start, end, text });
    }
    if (type === 'IfStatement') found.push({ start: test.start, end: test.end, text: 'false as boolean' });
    if (!type?.startsWith('TS')) for (const child of Object.values(value)) visit(child);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return found.sort((a, b) => a.start - b.start);
}

const [file = '', ...tests] = process.argv.slice(2);
const path = join(root, file);
const source = readFileSync(path, 'utf8');
const mutations = findMutations(source);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
let survived = 0;
process.once('SIGINT', () => process.exit(130));
process.once('exit', () => writeFileSync(path, source));
for (const { start, end, text } of mutations) {
  writeFileSync(path, source.slice(0, start) + text + source.slice(end));
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', '--bail', '1', ...tests];
  // An endless loop counts as noticed.
  if (spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore', timeout: 120_000 }).status !== 0) continue;
  survived++;
  const lines = source.slice(0, start).split('\n');
  console.log(
    `${file}:${lines.length} ${source.slice(start, end)} -> ${text}: ${source.split('\n')[lines.length - 1]?.trim()}`,
  );
}
console.log(`${file}: ${mutations.length - survived} of ${mutations.length} changes were noticed.`);
