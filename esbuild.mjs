// Builds dist/ from one table of targets. `--watch` rebuilds on change, `--dev` keeps names and adds source maps, `--maps` maps alone.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, context } from 'esbuild';

const watch = process.argv.includes('--watch');
const dev = watch || process.argv.includes('--dev');
/** For benchmarks: the code stays what is shipped. */
const maps = process.argv.includes('--maps');

/** VS Code 1.125 runs extensions on Node 24; the browser code runs in VS Code's own Chromium. */
const node = { platform: 'node', target: 'node24', format: 'cjs' };
const browser = { platform: 'browser', target: 'chrome140', format: 'esm' };

const pages = existsSync('src/webview')
  ? readdirSync('src/webview', { withFileTypes: true }).filter(
      entry => entry.isDirectory() && existsSync(`src/webview/${entry.name}/main.ts`),
    )
  : [];

/** Parts that are loaded at first need: each a bundle of its own, beside the ones that import it. */
const lazy = [
  'src/extension/abi/workspaceAbis.ts',
  'src/extension/checksums/checksumDiagnostics.ts',
  'src/extension/links/literalLinks.ts',
  'src/extension/hover/hovers.ts',
  'src/extension/commands/openExplorerPage.ts',
  'src/extension/addressBook/openAddressBook.ts',
  'src/extension/sidebar/sidebar.ts',
  'src/extension/addressBook/addressBookCommands.ts',
  'src/extension/addressBook/inlayHints.ts',
  'src/extension/inspector/inspector.ts',
  'src/extension/siwe/siweVerification.ts',
  'src/extension/operations/operationCommands.ts',
  'src/extension/lookUp/lookUpBox.ts',
  'src/extension/nodes/nodeCommands.ts',
  'src/extension/tools/languageModelTools.ts',
  'src/extension/uris/handleUri.ts',
  'src/service/lookups/ensName.ts',
  'src/service/siwe/wasmSignatureEngine.ts',
  'src/service/siwe/jsSignatureEngine.ts',
  'src/service/store/sqlite/sqliteStore.ts',
  'src/service/store/postgres/postgresStore.ts',
  'src/server/startHttpServer.ts',
  'src/extension/http/httpService.ts',
];
const bundleOf = file => `${file.split('/').at(-1).replace(/\.ts$/, '')}.js`;

/** `import('./hovers.ts')` becomes `require('./hovers.js')`: a bundle on its own would swallow what it should put off. */
const lazyImports = strict => ({
  name: 'lazy-imports',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      // By its place, not by its name: two folders may hold a file of the same one.
      const meant = resolve(resolveDir, path);
      const known = lazy.find(file => resolve(file) === meant);
      if (known !== undefined) return { path: `./${bundleOf(known)}`, external: true };
      if (!strict) return undefined; // bundled with its importer, initialised late
      const text = `${path} is imported lazily by ${importer} but has no bundle: add it to \`lazy\` in esbuild.mjs.`;
      return { errors: [{ text }] };
    });
  },
});
/** Styles and markup of pages stand in template literals, which esbuild leaves alone: their indentation is not shipped. */
const smallTemplates = {
  name: 'small-templates',
  setup({ onLoad }) {
    const small = style => style.replace(/\s+/g, ' ').replace(/\s?([{};:,])\s/g, '$1');
    onLoad({ filter: /[\\/]src[\\/]webview[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/\bcss`[^`]*`/g, small)
        .replace(/\n\s+/g, '\n'),
      loader: 'ts',
    }));
  },
};
/** What pages load at first need stands beside them: most never draw a chart. */
const lazyCharts = {
  name: 'lazy-charts',
  setup({ onResolve }) {
    onResolve({ filter: /^uplot$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './uPlot.js', external: true } : undefined,
    );
  },
};
const inNode = { ...node, plugins: [lazyImports(false)], supported: { 'dynamic-import': false } };
const inHost = { ...inNode, plugins: [lazyImports(true)], external: ['vscode'] };

const targets = [
  { name: 'extension', ...inHost, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' },
  { name: 'worker', ...inNode, entryPoints: ['src/worker/worker.ts'], outfile: 'dist/worker.js' },
  {
    name: 'checker',
    ...node,
    entryPoints: ['src/extension/checksums/checksumWorker.ts'],
    outfile: 'dist/checker.js',
  },
  {
    name: 'fileThread',
    ...node,
    entryPoints: ['src/service/store/sqlite/sqliteWorkerThread.ts'],
    outfile: 'dist/fileThread.js',
  },
  {
    name: 'cli',
    ...inNode,
    entryPoints: ['src/cli.ts'],
    outfile: 'dist/cli.js',
    banner: { js: '#!/usr/bin/env node' },
  },
  ...lazy.map(file => ({
    name: bundleOf(file).replace('.js', ''),
    ...(file.startsWith('src/extension/') ? inHost : inNode),
    entryPoints: [file],
    outfile: `dist/${bundleOf(file)}`,
  })),
  ...pages.map(page => ({
    name: `webview-${page.name}`,
    ...browser,
    plugins: dev ? [lazyCharts] : [lazyCharts, smallTemplates],
    charset: 'utf8',
    entryPoints: [`src/webview/${page.name}/main.ts`],
    outfile: `dist/webview/${page.name}.js`,
  })),
  {
    name: 'webview-uplot',
    ...browser,
    entryPoints: ['uplot'],
    outfile: 'dist/webview/uPlot.js',
  },
];

const options = ({ name: _name, ...target }) => ({
  bundle: true,
  minify: !dev,
  sourcemap: dev ? 'linked' : maps && 'external',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // Packages with ES module builds are smaller and load faster than their CommonJS twins.
  mainFields: target.platform === 'browser' ? ['browser', 'module', 'main'] : ['module', 'main'],
  define: {
    'process.env.NODE_ENV': dev ? '"development"' : '"production"',
    'import.meta.filename': '__filename', // bundles are CommonJS
  },
  ...target,
});

/** The licences of all packages that went into the bundles: each asks that its text is passed on. */
function writeNotices(metafiles) {
  const folders = new Set(['node_modules/@vscode/codicons']); // copied, not bundled
  for (const { inputs } of metafiles)
    for (const input of Object.keys(inputs)) {
      const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (folder !== undefined) folders.add(folder);
    }
  const notices = [...folders].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
  });
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices.join(`\n${'-'.repeat(80)}\n\n`));
}

/** The icon font of the pages and a stylesheet of the icons that the pages' code names: nothing is painted before it is read. */
function copyIcons() {
  mkdirSync('dist/webview', { recursive: true });
  copyFileSync('node_modules/@vscode/codicons/dist/codicon.ttf', 'dist/webview/codicon.ttf');
  const code = readdirSync('src/webview', { recursive: true })
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(`src/webview/${file}`, 'utf8'))
    .join('\n');
  const named = new Set(code.match(/(?<=['"`])[a-z][a-z-]*(?=['"`])/g));
  const rules =
    readFileSync('node_modules/@vscode/codicons/dist/codicon.css', 'utf8').match(
      /[^{}]*\{(?:[^{}]*\{[^}]*\})*[^}]*\}/g,
    ) ?? [];
  const kept = rules.filter(rule => {
    const [, name] = /^\s*\.codicon-([a-z-]+):before/.exec(rule) ?? [];
    return name === undefined || named.has(name) || name === 'loading';
  });
  writeFileSync('dist/webview/codicon.css', kept.join(''));
}

const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} kB`;

if (!watch) rmSync('dist', { recursive: true, force: true });
mkdirSync('out/meta', { recursive: true });

if (watch) {
  copyIcons();
  for (const target of targets) await (await context(options(target))).watch();
  console.log('Watching. Ctrl+C ends it.');
} else {
  const metafiles = [];
  for (const target of targets) {
    const { metafile } = await build(options(target));
    metafiles.push(metafile);
    writeFileSync(`out/meta/${target.name}.json`, JSON.stringify(metafile));
    console.log(`${target.outfile.padEnd(24)} ${kilobytes(metafile.outputs[target.outfile]?.bytes ?? 0)}`);
  }
  writeNotices(metafiles);
  copyIcons();
}
