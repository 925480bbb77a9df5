// Every temporary folder of a run of vitest is in one folder, which is deleted at the end, whatever failed in between.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNED_PREFIX } from './support/chain/ownedProcess.ts';
import { SHARED_FOLDER_VARIABLE } from './support/makeOncePerRun.ts';
import { readUntil } from './support/readUntil.ts';

/** What `tmpdir` of Node reads on all systems; the workers, and the processes that they start, get these variables. */
const VARIABLES = ['TMPDIR', 'TMP', 'TEMP'] as const;

/** vitest calls this before the workers start, and the function it returns after they have ended. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hexlens-'));
  chmodSync(folder, 0o711); // PostgreSQL runs as another user
  for (const name of VARIABLES) process.env[name] = folder;
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  process.env[SHARED_FOLDER_VARIABLE] = shared;
  // The processes that tests start read the compiled code of those before them.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  const remove = () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // A process that ends just now may still write into it: no reason for the tests to fail.
    }
  };
  process.once('exit', remove); // for what ended children wrote last
  return async () => {
    // Lists of processes that the shells of ended workers still read to end them.
    await readUntil(
      () => readdirSync(folder).filter(name => name.startsWith(OWNED_PREFIX)),
      lists => lists.length === 0,
    );
    remove();
  };
}
