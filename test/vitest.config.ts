// How vitest finds and runs the tests that need no editor.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './fileOrder.ts';
import { MAX_FAILURES, STATE_LIMIT_MS, TEST_LIMIT_MS } from './support/timeLimits.ts';
import { TEST_FOLDERS } from './testFolders.ts';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export of its configuration.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: [`test/{${TEST_FOLDERS.join()}}/**/*.test.ts`],
    globalSetup: 'test/ownFolder.ts',
    pool: 'forks',
    maxWorkers: 4, // on two processors, since workers wait for nodes, databases and child processes; each more loads the code once more
    // MB: with V8's default of 16, one part in twelve of the time is garbage collection; its threads only take time from other workers.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    // Modules are loaded once per worker instead of once per file, and files share chains and bundles: see test/support.
    isolate: false,
    sequence: { sequencer: FileOrder },
    testTimeout: TEST_LIMIT_MS,
    bail: MAX_FAILURES,
    expect: { poll: { timeout: STATE_LIMIT_MS } },
    hookTimeout: TEST_LIMIT_MS,
    typecheck: { enabled: false },
  },
});
