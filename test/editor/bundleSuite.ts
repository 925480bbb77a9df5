// Bundles the Mocha suites into one CommonJS file for the extension host.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root, suiteBundle } from './paths.ts';
import { asProgram } from './processes.ts';

const suiteFolder = join(import.meta.dirname, 'suite');

/** Finds every `*.suite.ts`, so that a new file cannot be forgotten. */
const discoverSuites: Plugin = {
  name: 'discover-suites',
  setup(context) {
    context.onResolve({ filter: /^hexlens:suites$/ }, ({ path }) => ({ path, namespace: 'discovered' }));
    context.onLoad({ filter: /.*/, namespace: 'discovered' }, async () => {
      const files = (await readdir(suiteFolder, { recursive: true })).filter(file => file.endsWith('.suite.ts')).sort();
      const entries = files.map(file => {
        const name = JSON.stringify(file);
        return `{ file: ${name}, load: () => import(${JSON.stringify(`./${file}`)}) }`;
      });
      return { contents: `export const suites = [${entries.join(', ')}];`, resolveDir: suiteFolder };
    });
  },
};

/** Writes `out/test/suite.cjs` and returns its path. */
export async function bundleSuite(): Promise<string> {
  await build({
    entryPoints: [join(suiteFolder, 'index.ts')],
    outfile: suiteBundle,
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    // As in esbuild.mjs: the CommonJS builds of some packages cannot be bundled.
    mainFields: ['module', 'main'],
    sourcemap: 'inline',
    // `vscode` exists only in the editor. Mocha finds its reporters by path, so it stays in node_modules.
    external: ['vscode', 'mocha'],
    plugins: [discoverSuites],
    logLevel: 'warning',
  });
  return suiteBundle;
}

await asProgram(import.meta.url, async () => console.log(await bundleSuite()));
