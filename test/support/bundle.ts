// TypeScript programs as single files for child processes: those start several times as fast as the source.
import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { makeOncePerRun } from './makeOncePerRun.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Loaded by their paths. */
const THREADS = ['src/service/store/sqlite/sqliteWorkerThread.ts', 'src/service/siwe/signatureThread.ts'];

/** By the path of the program. */
const bundles = new Map<string, Promise<string>>();

/**
 * The path of the bundle of a program, given relative to the repository's root. It is built once in a run of vitest, and
 * deleted at its end. Only `esm` allows `await` at the top level; the command line is shipped as `cjs`.
 */
export function bundleProgram(program: string, format: 'esm' | 'cjs' = 'esm'): Promise<string> {
  const known = bundles.get(program);
  if (known !== undefined) return known;
  const created = createBundle(program, format);
  bundles.set(program, created);
  return created;
}

async function createBundle(program: string, format: 'esm' | 'cjs'): Promise<string> {
  const folder = await makeOncePerRun(`bundle-${program}`, made => writeBundle(made, program, format));
  return join(folder, 'dist', `${basename(program, '.ts')}${getExtension(format)}`);
}

const getExtension = (format: 'esm' | 'cjs') => (format === 'esm' ? '.mjs' : '.js');

async function writeBundle(folder: string, program: string, format: 'esm' | 'cjs'): Promise<void> {
  // Laid out like the extension: the command line reads its version, and threads are started from files beside it.
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const entries = [program, ...THREADS].map(path => ({ in: join(ROOT, path), out: basename(path, '.ts') }));
  await build({
    entryPoints: entries,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format,
    mainFields: ['module', 'main'],
    external: ['solc'], // eight megabytes that no child process runs
    outExtension: { '.js': getExtension(format) },
    ...(format === 'esm'
      ? {
          banner: {
            js: "const require = (await import('node:module')).createRequire(import.meta.url);",
          },
        }
      : { define: { 'import.meta.filename': '__filename' } }),
    logLevel: 'silent',
    minifyWhitespace: true, // half as much to read for each process
    outdir: join(folder, 'dist'),
  });
}
