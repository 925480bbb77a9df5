// What `npm test` and vitest both know: the folders of tests, whether the bundles are there, and options of V8.

/** Set while the bundles in `dist` are those of the sources, so that no test builds them again. */
export const BUILT_VARIABLE = 'HEXLENS_TEST_BUILT';

/** Their tests start nodes, databases and processes. */
export const NODE_FOLDERS = ['service', 'store', 'server', 'conformance'] as const;

/** Their tests need no node, database or editor. */
export const UNIT_FOLDERS = ['guard', 'api', 'unit'] as const;

/** In the order in which their files are started: long ones first. */
export const TEST_FOLDERS: readonly string[] = [...NODE_FOLDERS, ...UNIT_FOLDERS];

/**
 * Sizes in MB. With V8's defaults a tenth of the processor time of vitest is garbage collection: a worker that waits has its
 * memory made small, and grows it again. Threads of the collection would only take time from other workers.
 */
export const RARE_GARBAGE_COLLECTION: readonly string[] = [
  ...['--min-semi-space-size=64', '--max-semi-space-size=64', '--initial-old-space-size=800'],
  ...['--no-memory-reducer', '--single-threaded-gc'],
];
