// The examples of the public API compile.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { readFiles } from '../../scripts/findFiles.ts';
import { extractExamples, toModule } from './examples.ts';

const root = new URL('../../', import.meta.url);
const folder = fileURLToPath(new URL('out/examples/', root));
const sources = new Map(readFiles('src/**/*.ts').map(({ path, text }) => [path, text] as const));
const examples = [...sources].flatMap(([path, source]) => extractExamples(path, source));

/** Output of the type checker; empty when everything compiles. */
function compile(modules: readonly string[]): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, text] of modules.entries()) writeFileSync(`${folder}example${index}.ts`, text);
  const config = {
    extends: '../../src/tsconfig.base.json',
    compilerOptions: {
      ...{ composite: false, declaration: false, emitDeclarationOnly: false, noEmit: true, paths: {} },
      ...{
        lib: ['ES2024', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
        types: ['node'],
        typeRoots: ['../../node_modules/@types'],
      },
      ...{ noUnusedLocals: false, noUnusedParameters: false },
    },
    include: ['*.ts', '../../src/client/undiciModules.d.ts'],
  };
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config));
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL('node_modules/typescript/bin/tsc', root)), '-p', folder]);
    return '';
  } catch (error) {
    return String((error as { readonly stdout: unknown }).stdout);
  }
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the examples', () => {
  test('exist for the public API', () => {
    const documented = new Set(examples.map(({ path }) => path));
    for (const path of ['src/client/client.ts', 'src/service/service.ts', 'src/api/operations/operation.ts'])
      expect(documented).toContain(path);
  });

  test('compile against the sources', () => {
    const problems = compile(examples.map(example => toModule(example, sources.get(example.path) ?? '', root.href)));
    const named = problems.replace(/example(\d+)\.ts/g, (name, index) => {
      const example = examples[Number(index)];
      return example === undefined ? name : `${example.path}:${example.line}`;
    });
    expect(named).toBe('');
  });

  test('would not compile with a mistake', () => {
    expect(compile(["export const wrong: number = 'text';"])).toMatch(/TS2322/);
  });
});

test('extractExamples finds code blocks with their lines', () => {
  const source = '/**\n * Text.\n *\n * @example\n * ```ts\n * const a = 1;\n *\n * a;\n * ```\n */\n';
  expect(extractExamples('src/x.ts', source)).toEqual([{ path: 'src/x.ts', line: 4, code: 'const a = 1;\n\na;\n' }]);
});
