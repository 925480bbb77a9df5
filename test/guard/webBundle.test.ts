// What the extension loads in a browser has no module of Node.js, and starts small.

import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Loaded only on a machine; in a browser `loadBundle` says so in one sentence. */
const DESKTOP_ONLY = [
  'src/extension/debug/debugTransactions.ts',
  'src/extension/inspector/saveAllPages.ts',
  'src/extension/source/buildDebugInformation.ts',
  'src/extension/http/httpService.ts',
  'src/service/store/sqlite/sqliteStore.ts',
  'src/service/store/postgres/postgresStore.ts',
  'src/service/aptos/store/aptosSqliteStore.ts',
];
const DESKTOP_NAMES = DESKTOP_ONLY.map(file => file.slice(file.lastIndexOf('/')));
/** Code that a browser loads and never runs, or that asks whether there is such a global. */
const NODE_GLOBALS: Readonly<Record<string, string>> = {
  'src/base/yieldToEventLoop.ts': 'has a replacement',
  'src/extension/mcp/registerMcpServer.ts': 'not registered in a browser',
  'src/service/indexer/readLogsBody.ts': 'its callers check that there is a Buffer, or are HTTP clients of Node.js',
};
/** In bytes; its features are bundles that the desktop has too. All names of chains (12 kB) are in it: settings use them. */
const MAX_ENTRY_SIZE = 74_000;

const externalBundles = (isExternal: (path: string, kind: string) => boolean): Plugin => ({
  name: 'external-bundles',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind }) => (isExternal(path, kind) ? { path, external: true } : undefined));
    onResolve({ filter: /^/ }, ({ path }) => (isBuiltin(path) ? { path, external: true } : undefined));
  },
});

const buildWeb = (options: BuildOptions) =>
  build({
    absWorkingDir: root,
    entryPoints: ['src/extension.web.ts'],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    conditions: ['browser'],
    outdir: 'out/never-written',
    external: ['vscode'],
    logLevel: 'silent',
    ...options,
  });

let metafile: Metafile | undefined;
beforeAll(async () => {
  ({ metafile } = await buildWeb({
    splitting: true,
    plugins: [
      externalBundles((path, kind) => kind === 'dynamic-import' && DESKTOP_NAMES.some(name => path.endsWith(name))),
    ],
  }));
});

test('no bundle of a browser imports a module of Node.js', async () => {
  const inputs = Object.entries(metafile?.inputs ?? {});
  expect(inputs.length).toBeGreaterThan(300);
  const imported = inputs.flatMap(([file, { imports }]) =>
    imports.flatMap(({ path }) => (isBuiltin(path) ? [`${file} imports ${path}`] : [])),
  );
  expect(imported).toEqual([]);
  // The list above has no file that a browser could load.
  const external = inputs.flatMap(([, { imports }]) => imports.flatMap(({ path, external }) => (external ? path : [])));
  for (const name of DESKTOP_NAMES)
    expect(
      external.some(path => path.endsWith(name)),
      name,
    ).toBe(true);
});

test('no code of a browser uses a global of Node.js', async () => {
  const using = Object.keys(metafile?.inputs ?? {}).filter(file => {
    if (!file.startsWith('src/')) return false;
    const code = readFileSync(root + file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    return /\b(?<!\.)(setImmediate\(|Buffer\.|process\.(?!index\b))/.test(code);
  });
  expect(using.sort()).toEqual(Object.keys(NODE_GLOBALS).sort());
});

test('the entry of a browser stays within its budget', async () => {
  const { outputFiles } = await buildWeb({ plugins: [externalBundles((_path, kind) => kind === 'dynamic-import')] });
  expect(outputFiles?.length).toBe(1);
  expect(outputFiles?.[0]?.contents.length).toBeLessThan(MAX_ENTRY_SIZE);
});
