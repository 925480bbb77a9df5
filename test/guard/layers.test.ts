// Every import in src stays within the layer table, and there are no circles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { findFiles } from '../../scripts/findFiles.ts';
import {
  describeViolation,
  findImportCircles,
  findLayerCycles,
  getLayer,
  type Import,
  layers,
  resolveImport,
  scanImports,
} from './layers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = findFiles('src/**/*.ts');
const sourceOf = (file: string) => readFileSync(root + file, 'utf8');
const scanned = files.flatMap(file => scanImports(file, sourceOf(file)));

/** What esbuild, which really reads TypeScript, found: imports of values by importing file. */
async function bundled(imported: readonly string[]): Promise<readonly Import[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    // One bundle of all files: one for each would be written hundreds of times.
    stdin: {
      contents: imported.map(file => `import './${file}';`).join('\n'),
      resolveDir: root,
      sourcefile: ALL_FILES,
    },
    outfile: join(root, 'out/never-written'),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  expect(metafile.inputs[ALL_FILES]?.imports.length).toBe(imported.length);
  return Object.entries(metafile.inputs).flatMap(([file, input]) =>
    file === ALL_FILES ? [] : input.imports.map(({ path, original }) => ({ file, specifier: original ?? path })),
  );
}
const ALL_FILES = 'all-files';

describe('src', () => {
  test('is all in layers of the table', () => {
    expect([...new Set(files.map(getLayer))].filter(layer => layer === null || layers[layer] === undefined)).toEqual(
      [],
    );
    expect(files.length).toBeGreaterThan(50);
  });

  test('imports only what the layer table allows', () => {
    expect(scanned.map(describeViolation).filter(violation => violation !== null)).toEqual([]);
  });

  test('has no import that esbuild sees and this guard does not, nor one that esbuild’s reading would forbid', async () => {
    const found = await bundled(files.filter(file => !file.endsWith('.d.ts')));
    const known = new Set(scanned.map(({ file, specifier }) => `${file} ${specifier}`));
    expect(found.length).toBeGreaterThan(100);
    expect(found.map(({ file, specifier }) => `${file} ${specifier}`).filter(entry => !known.has(entry))).toEqual([]);
    expect(found.map(describeViolation).filter(violation => violation !== null)).toEqual([]);
  });

  test('has no circle of imports, those of types included', () => {
    const circles = findImportCircles(scanned);
    if (circles.length > 0) throw new Error(circles.map(circle => circle.join('\n  ')).join('\n\n'));
  });

  test('client and service meet only in what both may import', () => {
    expect(layers['client']?.mayImport).not.toContain('service');
    expect(layers['service']?.mayImport).not.toContain('client');
  });
});

describe('the table', () => {
  test('names only layers of its own, and no layer reaches itself through others', () => {
    for (const { mayImport } of Object.values(layers))
      for (const name of mayImport) expect(Object.keys(layers)).toContain(name);
    expect(findLayerCycles(layers)).toEqual([]);
    const pure = { platform: 'pure', packages: [] } as const;
    expect(
      findLayerCycles({
        a: { ...pure, mayImport: ['b'] },
        b: { ...pure, mayImport: ['c'] },
        c: { ...pure, mayImport: ['b'] },
      }),
    ).toEqual(['a', 'b', 'c']);
  });

  test('is the one by which TypeScript builds: references of each layer’s tsconfig.json', () => {
    for (const [name, { mayImport, platform }] of Object.entries(layers)) {
      if (name.endsWith('.ts')) continue;
      const config = JSON.parse(sourceOf(`src/${name}/tsconfig.json`)) as {
        readonly references: readonly { readonly path: string }[];
        readonly compilerOptions: { readonly types?: readonly string[]; readonly lib?: readonly string[] };
      };
      expect(
        config.references.map(({ path }) => path.replace('../', '')),
        name,
      ).toEqual(mayImport);
      const { types = [], lib = [] } = config.compilerOptions;
      expect(types.includes('node'), name).toBe(platform === 'node' || platform === 'editor');
      expect(types.includes('vscode'), name).toBe(platform === 'editor');
      expect(lib.includes('DOM'), name).toBe(platform === 'dom');
    }
  });

  test('lets only the extension and its entry use vscode, and only the client undici', () => {
    const users = (name: string) => Object.keys(layers).filter(layer => layers[layer]?.packages.includes(name));
    expect(users('vscode')).toEqual(['extension', 'extension.ts', 'extension.web.ts']);
    expect(users('undici')).toEqual(['client']);
  });
});

describe('describeViolation', () => {
  const allowed: readonly (readonly [file: string, specifier: string])[] = [
    ['src/base/checksumAddress.ts', './hex.ts'],
    ['src/base/checksumAddress.ts', 'ox/Hash'],
    ['src/api/operations/evmOperations.ts', './parameters.ts'],
    ['src/api/operations/evmOperations.ts', '../../base/errors.ts'],
    ['src/client/undiciHttp.ts', 'undici/types/agent'],
    ['src/client/undiciHttp.ts', 'node:tls'],
    ['src/server/metrics.ts', 'prom-client'],
    ['src/worker/backend.ts', '../service/service.ts'],
    ['src/worker/worker.ts', '../server/httpServerController.ts'],
    ['src/extension/hover/registerHovers.ts', 'vscode'],
    ['src/extension/hover/registerHovers.ts', '../../manifest/commands.ts'],
    ['src/extension/worker/workerClient.ts', 'node:worker_threads'],
    ['src/webview/inspector/main.ts', './page.css'],
    ['src/extension.ts', './extension/hover/registerHovers.ts'],
    ['src/extension.ts', 'vscode'],
    ['src/cli.ts', './cli/serve.ts'],
  ];

  test.each(allowed)('%s may import %s', (file, specifier) => {
    expect(describeViolation({ file, specifier })).toBeNull();
  });

  const forbidden: readonly (readonly [file: string, specifier: string, message: RegExp])[] = [
    ['src/base/hex.ts', '../api/chains.ts', /base may not import api/],
    ['src/api/wire/queryString.ts', '../../client/client.ts', /api may not import client/],
    ['src/api/wire/queryString.ts', 'node:querystring', /api is pure and has no Node modules/],
    ['src/client/client.ts', '../service/service.ts', /client may not import service/],
    ['src/service/service.ts', '../client/undiciHttp.ts', /service may not import client/],
    ['src/service/service.ts', '../worker/egress.ts', /service may not import worker/],
    ['src/server/httpApp.ts', '../worker/backend.ts', /server may not import worker/],
    ['src/worker/backend.ts', '../server/httpListener.ts', /only src.worker.worker.ts may import server/],
    ['src/service/evm/rpcClient.ts', 'undici', /service may not use the package undici/],
    ['src/service/evm/rpcClient.ts', 'undici/lib/api/api-request.js', /package undici\./],
    ['src/worker/worker.ts', 'vscode', /worker may not use the package vscode/],
    ['src/worker/worker.ts', '../extension/log/logChannel.ts', /worker may not import extension/],
    ['src/view/hover/render.ts', '../../manifest/commands.ts', /view may not import manifest/],
    ['src/view/hover/render.ts', 'node:path', /view is pure/],
    ['src/view/hover/render.ts', 'vscode', /view may not use the package vscode/],
    ['src/manifest/write.ts', 'node:fs', /manifest is pure/],
    ['src/webview/inspector/main.ts', 'node:events', /webview is dom/],
    ['src/webview/inspector/main.ts', '../../extension/hover/x.ts', /webview may not import extension/],
    ['src/extension/hover/x.ts', '../../service/service.ts', /extension may not import service/],
    ['src/extension/hover/x.ts', '../../webview/inspector/main.ts', /extension may not import webview/],
    ['src/extension.ts', './worker/worker.ts', /extension\.ts may not import worker/],
    ['src/cli.ts', './client/client.ts', /cli\.ts may not import client/],
    ['src/cli.ts', './extension/x.ts', /cli\.ts may not import extension/],
    ['src/extension/x.ts', '../extension.ts', /extension may not import extension\.ts/],
    ['src/extension/x.ts', 'fs', /without node: before it/],
    ['src/extension/x.ts', '@scope/name/deep.js', /package @scope\/name\./],
    ['src/extension/x.ts', '/etc/passwd', /absolute path/],
    ['src/extension/x.ts', '../../test/guard/layers.ts', /outside of src/],
    ['src/extension/x.ts', '../../../elsewhere/x.ts', /outside of src/],
    ['src/extension/x.ts', './y', /without its extension/],
    ['src/extension/x.ts', './y.js', /without its extension/],
    ['src/extension/x.ts', '../attic/y.ts', /in no layer/],
    ['src/attic/y.ts', '../base/hex.ts', /in no layer/],
    ['src/loose.ts', './base/hex.ts', /in no layer/],
    ['src/base/x.ts', '?', /package \?/],
  ];

  test.each(forbidden)('%s may not import %s', (file, specifier, message) => {
    expect(describeViolation({ file, specifier })).toMatch(message);
  });

  test('targets are found from the importing file', () => {
    expect(resolveImport({ file: 'src/a/b/c.ts', specifier: '../../d/e.ts' })).toBe('src/d/e.ts');
    expect(resolveImport({ file: 'src/a.ts', specifier: './b.ts' })).toBe('src/b.ts');
    expect(resolveImport({ file: 'src/a.ts', specifier: '../../../b.ts' })).toBe('../../b.ts');
  });
});

describe('findImportCircles', () => {
  const from = (file: string, ...specifiers: readonly string[]) => specifiers.map(specifier => ({ file, specifier }));

  test('finds files that reach themselves through others, and no others', () => {
    expect(
      findImportCircles([
        ...from('src/a.ts', './b.ts', './d.ts'),
        ...from('src/b.ts', './c/c.ts'),
        ...from('src/c/c.ts', '../a.ts', '../d.ts'),
        ...from('src/d.ts', './e.ts', 'node:fs'),
      ]),
    ).toEqual([['src/a.ts', 'src/b.ts', 'src/c/c.ts']]);
    expect(findImportCircles(from('src/a.ts', './a.ts'))).toEqual([['src/a.ts']]);
  });
});

describe('scanImports', () => {
  const found = (source: string) => scanImports('src/x/y.ts', source).map(({ specifier }) => specifier);
  const sources: readonly (readonly [source: string, specifiers: readonly string[]])[] = [
    ["import a from 'a';", ['a']],
    ["import { a, type B } from './a.ts';", ['./a.ts']],
    ["import {\n  a,\n  b as c,\n} from\n  './a.ts';", ['./a.ts']],
    ["import type { A } from './a.ts';", ['./a.ts']],
    ['import * as a from "a";import b, { c } from \'b\'', ['a', 'b']],
    ["import './side.css';", ['./side.css']],
    [
      "export { a } from './a.ts';\nexport * from './b.ts';\nexport type { C } from './c.ts';",
      ['./a.ts', './b.ts', './c.ts'],
    ],
    ["const a = await import('./a.ts');", ['./a.ts']],
    ["type A = import('./a.ts').A;", ['./a.ts']],
    ["const a = require('./a.ts');", ['./a.ts']],
    ["import data from './a.json' with { type: 'json' };", ['./a.json']],
    ["const b = await import('./b.json', { with: { type: 'json' } });", ['./b.json']],
    ['await import(name);', ['?']],
    ['await import(`./a.ts`);', ['?']],
    ["// import a from 'a';\n/* import b from 'b'; */\nimport c from 'c'; // from 'd'", ['c']],
    ["export const a = 1;\nexport function b() {}\nexport { a as c };\nimport d from 'd';", ['d']],
    ["const text = 'they came from a place';", []],
    ["const important = x(y);\nconst from = 'z';", []],
    ['', []],
  ];

  test.each(sources)('finds the imports of %j', (source, specifiers) => {
    expect(found(source)).toEqual(specifiers);
  });
});
