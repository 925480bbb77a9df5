// How vitest finds and runs the tests that need no editor.
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export of its configuration.
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/{unit,api,server,service,store,guard,conformance}/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // For what hangs: a busy machine is slow, and no test is about how fast something is.
    testTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
    // Machines of CI stall now and then; vitest says which tests passed only the second time.
    retry: process.env.CI === undefined ? 0 : 1,
    hookTimeout: 120_000,
    typecheck: { enabled: false },
  },
});
