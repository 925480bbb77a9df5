// How vitest finds and runs the tests that need no editor.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export of its configuration.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/{unit,api,server,service,store,guard,conformance}/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Modules are loaded once per worker instead of once per file, and files share chains and bundles: see test/support.
    isolate: false,
    // Long on purpose: the timeout catches what hangs, and slow machines must pass.
    testTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
    typecheck: { enabled: false },
  },
});
