// What is costly to make, and the same for all test workers, is made once per run of vitest.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUntil } from './readUntil.ts';
import { createTemporaryFolder } from './temporaryFolder.ts';

/** The folder of a run for what its workers share; outside of vitest there is none. */
export const SHARED_FOLDER_VARIABLE = 'HEXLENS_TEST_SHARED_FOLDER';

/**
 * The folder of this name that the first worker filled by `make`; the others wait for it. When that rejects, the next one tries.
 * Outside of a run of vitest, a new folder each time.
 */
export async function makeOncePerRun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const shared = process.env[SHARED_FOLDER_VARIABLE];
  if (shared === undefined) {
    const own = createTemporaryFolder('hexlens-made-');
    await make(own);
    return own;
  }
  const folder = join(shared, name.replace(/[^\w.-]/g, '-'));
  const mark = `${folder}.made`;
  for (;;) {
    if (createFolder(folder)) {
      try {
        await make(folder);
        writeFileSync(mark, '');
        return folder;
      } catch (error) {
        rmSync(folder, { recursive: true, force: true });
        throw error;
      }
    }
    await readUntil(
      () => existsSync(mark) || !existsSync(folder),
      isOver => isOver,
    );
    if (existsSync(mark)) return folder;
  }
}

/** `false` when there is one. */
function createFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
