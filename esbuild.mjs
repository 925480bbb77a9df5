// Builds dist/ from a table of targets. `--watch` rebuilds on change; `--dev` adds source maps and does not minify; `--maps` adds source maps only.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, context } from 'esbuild';

const watch = process.argv.includes('--watch');
const dev = watch || process.argv.includes('--dev');
/** For benchmarks: source maps beside the code exactly as it is shipped. */
const maps = process.argv.includes('--maps');

/** The oldest VS Code (`engines` in package.json) runs extensions on Node 22, and web views in Chromium 138. */
const node = { platform: 'node', target: 'node22', format: 'cjs' };
const browser = { platform: 'browser', target: 'chrome138', format: 'esm' };

const pages = existsSync('src/webview')
  ? readdirSync('src/webview', { withFileTypes: true }).filter(
      entry => entry.isDirectory() && existsSync(`src/webview/${entry.name}/main.ts`),
    )
  : [];

/** Modules that are loaded at first use: each is a bundle of its own, next to the bundles that import it. */
const lazy = [
  'src/extension/abi/workspaceAbis.ts',
  'src/extension/worker/isAptosWorkspace.ts',
  'src/client/workerConnection.ts',
  'src/extension/checksums/checksumDiagnostics.ts',
  'src/extension/links/literalLinks.ts',
  'src/extension/hover/hovers.ts',
  'src/extension/definitions/definitions.ts',
  'src/extension/source/showFailure.ts',
  'src/extension/source/missingCode.ts',
  'src/extension/source/sourceDeployments.ts',
  'src/extension/source/recordedHashes.ts',
  'src/extension/source/buildDebugInformation.ts',
  'src/extension/debug/debugTransactions.ts',
  'src/extension/source/simulateCommands.ts',
  'src/extension/commands/explorerPages.ts',
  'src/extension/backgroundFeatures.ts',
  'src/extension/report/reportIssue.ts',
  'src/extension/status/statusPickers.ts',
  'src/extension/status/indexingProgress.ts',
  'src/extension/addressBook/openAddressBook.ts',
  'src/extension/sidebar/sidebar.ts',
  'src/extension/sidebar/handleDrop.ts',
  'src/extension/addressBook/addressBookCommands.ts',
  'src/extension/addressBook/inlayHints.ts',
  'src/extension/addressBook/findDeployedContracts.ts',
  'src/extension/inspector/inspector.ts',
  'src/extension/inspector/saveAllPages.ts',
  'src/extension/siwe/siweVerification.ts',
  'src/extension/operations/operationCommands.ts',
  'src/extension/lookUp/lookUpBox.ts',
  'src/view/lookUp/recoverSender.ts',
  'src/extension/nodes/nodeCommands.ts',
  'src/extension/source/gasView.ts',
  'src/extension/source/runDiffView.ts',
  'src/extension/sample/sampleWorkspace.ts',
  'src/extension/apiKeys/apiKeyCommands.ts',
  'src/extension/apiKeys/urlSecretChecks.ts',
  'src/extension/apiKeys/resolveSecrets.ts',
  'src/extension/tools/languageModelTools.ts',
  'src/extension/uris/handleUri.ts',
  'src/extension/mcp/mcpServerDefinition.ts',
  'src/cli/commandLine.ts',
  'src/cli/mcpCommand.ts',
  'src/service/lookups/parseEnsName.ts',
  'src/service/trace/replay/replayTransaction.ts',
  'src/service/sample/sampleNode.ts',
  'src/service/siwe/wasmSignatureEngine.ts',
  'src/service/siwe/jsSignatureEngine.ts',
  'src/service/store/sqlite/sqliteStore.ts',
  'src/service/aptos/store/aptosSqliteStore.ts',
  'src/service/store/postgres/postgresStore.ts',
  'src/server/startHttpServer.ts',
  'src/extension/http/httpService.ts',
  'src/worker/browserBackend.ts',
];
/** Modules that several entries import at their start: bundles of their own instead of a copy in each of them. */
const shared = [
  'src/worker/backend.ts',
  'src/client/undiciHttp.ts',
  'src/decode/signatures/findSignatures.ts',
  'src/detect/detectLiterals.ts',
  'src/detect/privacy.ts',
  'src/api/chainNames.ts',
  'src/api/chainTable.ts',
];
const getBundleName = file => `${file.split('/').at(-1).replace(/\.ts$/, '')}.js`;

/**
 * Packages that many bundles use: each is one file in dist/ instead of a copy in every bundle, with what `src` imports of it.
 */
const sharedPackages = {
  'ox/Hash': { file: 'keccak256.js', contents: "export { keccak256 } from 'ox/Hash';" },
  // The browser's build: the other one needs a module of Node.js for its metrics.
  'lru-cache': { file: 'lruCache.js', contents: "export { LRUCache } from 'lru-cache';", conditions: ['browser'] },
  'jsonc-parser': {
    file: 'jsoncParser.js',
    contents: "export { createScanner, parse, parseTree, printParseErrorCode } from 'jsonc-parser';",
  },
  // Imported as default: in the Node mode of ES modules that is `module.exports`.
  'ipaddr.js': { file: 'ipaddr.js', contents: "module.exports = require('ipaddr.js');" },
};
const sharePackages = {
  name: 'share-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path }) =>
      Object.hasOwn(sharedPackages, path) ? { path: `./${sharedPackages[path].file}`, external: true } : undefined,
    );
  },
};

/**
 * VS Code finds the extension of each `require('vscode')` by the real path of the file, which takes as long as all else that a
 * module does at its start: a bundle calls it once, for all its modules.
 */
const vscodeNames = readdirSync('src/extension', { recursive: true })
  .filter(file => file.endsWith('.ts'))
  .flatMap(file => [...readFileSync(`src/extension/${file}`, 'utf8').matchAll(/^import \{([^}]*)\} from 'vscode'/gm)])
  .flatMap(([, names]) => names.split(',').map(name => name.trim()))
  .filter(name => /^\w+$/.test(name)); // no types
const requireVSCodeOnce = {
  name: 'require-vscode-once',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/ }, ({ kind }) =>
      kind === 'require-call' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'vscode' },
    );
    onLoad({ filter: /^/, namespace: 'vscode' }, () => ({
      contents: `export const { ${[...new Set(vscodeNames)].join(', ')} } = require('vscode');`,
    }));
  },
};

/** Turns `import('./hovers.ts')` into `require('./hovers.js')`: otherwise esbuild would inline the module that should load late. */
const lazyImports = strict => ({
  name: 'lazy-imports',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, importer, resolveDir }) => {
      if (kind === 'entry-point') return undefined;
      // Compared by path: two folders may have a file of the same name.
      const target = resolve(resolveDir, path);
      const isDynamic = kind === 'dynamic-import';
      const file = (isDynamic ? lazy : shared).find(entry => resolve(entry) === target);
      if (file !== undefined) return { path: `./${getBundleName(file)}`, external: true };
      if (!isDynamic || !strict) return undefined; // bundled with its importer, initialized at first use
      const text = `${path} is imported lazily by ${importer} but has no bundle: add it to \`lazy\` in esbuild.mjs.`;
      return { errors: [{ text }] };
    });
  },
});
/**
 * In a browser VS Code gives no `require` for files: `import('./hovers.ts')` loads the bundle by `loadBundle`. A module
 * that exports `then` is awaited by `import()`.
 */
const loadBundles = {
  name: 'load-bundles',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const target = resolve(resolveDir, path);
      const file = [...lazy, ...shared].find(entry => resolve(entry) === target);
      return kind === 'dynamic-import' && file !== undefined
        ? { path: getBundleName(file), namespace: 'bundle' }
        : undefined;
    });
    onLoad({ filter: /^/, namespace: 'bundle' }, ({ path }) => ({
      contents: `import { loadBundle } from './src/extension/web/loadBundle.ts';
        export const then = (...callbacks) => loadBundle('${path}').then(...callbacks);`,
      resolveDir: '.',
    }));
  },
};
/** Removes the indentation of styles and markup in template literals, which esbuild does not minify. */
const minifyTemplates = {
  name: 'minify-templates',
  setup({ onLoad }) {
    const minifyStyle = style => style.replace(/\s+/g, ' ').replace(/\s?([{};:,])\s/g, '$1');
    onLoad({ filter: /[\\/]src[\\/]webview[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/\bcss`[^`]*`/g, minifyStyle)
        .replace(/\n\s+/g, '\n'),
      loader: 'ts',
    }));
  },
};
/** Elements of pages that are loaded at first use: most pages show none of them. */
const lazyElements = ['contractReadsView', 'stateChangesView'];
const LAZY_ELEMENT = new RegExp(`[\\\\/](${lazyElements.join('|')})\\.ts$`);
/** Bundles that pages load at first use: charts, and those elements. */
const lazyPageParts = {
  name: 'lazy-page-parts',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^uplot$|${LAZY_ELEMENT.source}`) }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: path === 'uplot' ? './uPlot.js' : `./${LAZY_ELEMENT.exec(path)?.[1]}.js`, external: true }
        : undefined,
    );
  },
};
/** What a part shares with its page comes from the page: `main.ts` exports it. */
const sharePage = {
  name: 'share-page',
  setup({ onResolve }) {
    onResolve({ filter: /^/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.endsWith('/protocol/contractReads.ts')
        ? undefined
        : { path: './inspector.js', external: true },
    );
  },
};
const nodeBundle = { ...node, plugins: [sharePackages, lazyImports(false)], supported: { 'dynamic-import': false } };
const extensionBundle = { ...nodeBundle, plugins: [sharePackages, lazyImports(true), requireVSCodeOnce] };

const targets = [
  { name: 'extension', ...extensionBundle, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' },
  { name: 'worker', ...nodeBundle, entryPoints: ['src/worker/worker.ts'], outfile: 'dist/worker.js' },
  {
    name: 'checksumWorker',
    ...nodeBundle,
    entryPoints: ['src/extension/checksums/checksumWorker.ts'],
    outfile: 'dist/checksumWorker.js',
  },
  {
    name: 'sqliteWorkerThread',
    ...nodeBundle,
    entryPoints: ['src/service/store/sqlite/sqliteWorkerThread.ts'],
    outfile: 'dist/sqliteWorkerThread.js',
  },
  {
    name: 'signatureThread',
    ...nodeBundle,
    entryPoints: ['src/service/siwe/signatureThread.ts'],
    outfile: 'dist/signatureThread.js',
  },
  {
    name: 'cli',
    ...nodeBundle,
    entryPoints: ['src/cli.ts'],
    outfile: 'dist/cli.js',
    banner: { js: '#!/usr/bin/env node' },
  },
  { name: 'mcp', ...nodeBundle, entryPoints: ['src/mcp.ts'], outfile: 'dist/mcp.js' },
  ...Object.values(sharedPackages).map(({ file, contents, conditions }) => ({
    name: file.replace('.js', ''),
    ...node,
    conditions,
    stdin: { contents, resolveDir: '.' },
    outfile: `dist/${file}`,
  })),
  ...[...lazy, ...shared].map(file => ({
    name: getBundleName(file).replace('.js', ''),
    ...(file.startsWith('src/extension/') ? extensionBundle : nodeBundle),
    entryPoints: [file],
    outfile: `dist/${getBundleName(file)}`,
  })),
  ...pages.map(page => ({
    name: `webview-${page.name}`,
    ...browser,
    plugins: dev ? [lazyPageParts] : [lazyPageParts, minifyTemplates],
    charset: 'utf8',
    entryPoints: [`src/webview/${page.name}/main.ts`],
    outfile: `dist/webview/${page.name}.js`,
  })),
  ...lazyElements.map(element => ({
    name: `webview-${element}`,
    ...browser,
    plugins: dev ? [sharePage] : [sharePage, minifyTemplates],
    charset: 'utf8',
    entryPoints: [`src/webview/inspector/components/${element}.ts`],
    outfile: `dist/webview/${element}.js`,
  })),
  {
    name: 'webview-uplot',
    ...browser,
    entryPoints: ['uplot'],
    outfile: 'dist/webview/uPlot.js',
  },
];

/** The extension in a browser: built last, since it has the table of the bundles that run there. */
const createWebTarget = () => ({
  name: 'web',
  ...browser,
  format: 'cjs',
  plugins: [loadBundles],
  external: ['vscode'],
  supported: { 'dynamic-import': false },
  entryPoints: ['src/extension.web.ts'],
  outfile: 'dist/web.js',
  define: { BROWSER_BUNDLES: JSON.stringify(findBrowserBundles()) },
});

/** By bundle: itself and all that it requires, without those that need Node.js. */
function findBrowserBundles() {
  const required = Object.fromEntries(
    readdirSync('dist')
      .filter(file => file.endsWith('.js'))
      .map(file => [
        file,
        [...readFileSync(`dist/${file}`, 'utf8').matchAll(/\brequire\("(?:\.\/)?([^"]+)"\)/g)].map(([, id]) => id),
      ]),
  );
  const runs = file => required[file]?.every(id => id === 'vscode' || id.endsWith('.js')) === true;
  const collect = (file, found) => {
    if (found.has(file) || !runs(file)) return found;
    found.add(file);
    for (const id of required[file]) collect(id, found);
    return found;
  };
  const entries = [...lazy, ...shared].map(getBundleName).filter(runs);
  return Object.fromEntries(entries.map(file => [file, [...collect(file, new Set())]]));
}

const options = ({ name: _name, define = {}, ...target }) => ({
  bundle: true,
  minify: !dev,
  sourcemap: dev ? 'linked' : maps && 'external',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // ES module builds of packages are smaller and load faster than the CommonJS ones.
  mainFields: target.platform === 'browser' ? ['browser', 'module', 'main'] : ['module', 'main'],
  define: {
    'process.env.NODE_ENV': dev ? '"development"' : '"production"',
    'import.meta.filename': '__filename', // bundles are CommonJS
    ...define,
  },
  ...target,
});

/** Creative Commons Attribution asks for the author, the source, the license, and what was changed. */
const attributions = {
  '@vscode/codicons': [
    'Codicons, the icon font of the pages (webview/codicon.ttf), are by Microsoft Corporation, https://github.com/microsoft/vscode-codicons, licensed under CC BY 4.0, https://creativecommons.org/licenses/by/4.0/. The font is unchanged; its stylesheet (webview/codicon.css) holds only the icons that HexLens uses.',
  ],
};

/** Writes the licenses of all bundled packages, which require that their text is distributed. */
function writeNotices(metafiles) {
  // Not bundled as code: the icons are copied, and the table of chains (src/api/chainTable.ts) is generated from viem's.
  const folders = new Set(['node_modules/@vscode/codicons', 'node_modules/viem']);
  for (const { inputs } of metafiles)
    for (const input of Object.keys(inputs)) {
      const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (folder !== undefined) folders.add(folder);
    }
  const notices = [...folders].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const licenses = readdirSync(folder).filter(entry => /^licen[cs]e/i.test(entry));
    const read = file => readFileSync(`${folder}/${file}`, 'utf8').replace(/^\ufeff/, '');
    // Some packages have their license only at the end of their README.
    const readme = () => /^#+ licen[cs]e\s+([\s\S]*)$/im.exec(read('README.md'))?.[1] ?? '';
    const standard = () =>
      license === 'Apache-2.0' ? readFileSync('node_modules/playwright-core/LICENSE', 'utf8') : '';
    const texts = (licenses.length > 0 ? licenses.map(read) : [readme() || standard()]).map(text => text.trim());
    if (texts.join('').length < 500 && attributions[name] === undefined)
      throw new Error(`${name} has no text of its license.`);
    return `${[`${name} ${version} (${license})`, ...(attributions[name] ?? []), ...texts].join('\n\n')}\n`;
  });
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Copies the icon font, and the styles of only those icons that the pages use: pages wait for this stylesheet before they paint. */
function copyIcons() {
  mkdirSync('dist/webview', { recursive: true });
  copyFileSync('node_modules/@vscode/codicons/dist/codicon.ttf', 'dist/webview/codicon.ttf');
  const code = readdirSync('src/webview', { recursive: true })
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(`src/webview/${file}`, 'utf8'))
    .join('\n');
  const usedNames = new Set(code.match(/(?<=['"`])[a-z][a-z-]*(?=['"`])/g));
  const rules =
    readFileSync('node_modules/@vscode/codicons/dist/codicon.css', 'utf8').match(
      /[^{}]*\{(?:[^{}]*\{[^}]*\})*[^}]*\}/g,
    ) ?? [];
  const usedRules = rules.filter(rule => {
    const [, name] = /^\s*\.codicon-([a-z-]+):before/.exec(rule) ?? [];
    return name === undefined || usedNames.has(name) || name === 'loading';
  });
  writeFileSync('dist/webview/codicon.css', usedRules.join(''));
}

const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} kB`;

if (!watch) rmSync('dist', { recursive: true, force: true });
mkdirSync('out/meta', { recursive: true });

if (watch) {
  copyIcons();
  for (const create of [...targets.map(target => () => target), createWebTarget]) {
    const watched = await context(options(create()));
    await watched.rebuild();
    await watched.watch();
  }
  console.log('Watching for changes. Press Ctrl+C to stop.');
} else {
  const metafiles = [];
  for (const create of [...targets.map(target => () => target), createWebTarget]) {
    const target = create();
    const { metafile } = await build(options(target));
    metafiles.push(metafile);
    writeFileSync(`out/meta/${target.name}.json`, JSON.stringify(metafile));
    console.log(`${target.outfile.padEnd(24)} ${kilobytes(metafile.outputs[target.outfile]?.bytes ?? 0)}`);
  }
  writeNotices(metafiles);
  copyIcons();
}
