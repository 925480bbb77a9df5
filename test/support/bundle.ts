// TypeScript programs as single files for child processes: those start several times as fast as the source.
import { chmodSync, copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { createTemporaryFolder } from './temporaryFolder.ts';

const ROOT = join(import.meta.dirname, '../..');
const SQLITE_THREAD = 'src/service/store/sqlite/sqliteWorkerThread.ts';

/** By the path of the program. */
const bundles = new Map<string, Promise<string>>();

/**
 * The path of the bundle of a program, given relative to the repository's root. It is built once in this process, and
 * deleted when the process ends. Only `esm` allows `await` at the top level; the command line is shipped as `cjs`.
 */
export function bundleProgram(program: string, format: 'esm' | 'cjs' = 'esm'): Promise<string> {
  const known = bundles.get(program);
  if (known !== undefined) return known;
  const created = createBundle(program, format);
  bundles.set(program, created);
  return created;
}

async function createBundle(program: string, format: 'esm' | 'cjs'): Promise<string> {
  // Laid out like the extension: the command line reads its version, and the store starts the SQLite thread.
  const folder = createTemporaryFolder('hexlens-bundle-');
  chmodSync(folder, 0o755); // some programs run as another user
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const extension = format === 'esm' ? '.mjs' : '.js';
  const entries = [program, SQLITE_THREAD].map(path => ({ in: join(ROOT, path), out: basename(path, '.ts') }));
  await build({
    entryPoints: entries,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format,
    mainFields: ['module', 'main'],
    external: ['solc'], // eight megabytes that no child process runs
    outExtension: { '.js': extension },
    ...(format === 'esm'
      ? {
          banner: {
            js: "const require = (await import('node:module')).createRequire(import.meta.url);",
          },
        }
      : { define: { 'import.meta.filename': '__filename' } }),
    logLevel: 'silent',
    outdir: join(folder, 'dist'),
  });
  return join(folder, 'dist', `${basename(program, '.ts')}${extension}`);
}
