// What `npm test` and vitest both know: the folders of tests, and whether the bundles are there.

/** Set while the bundles in `dist` are those of the sources, so that no test builds them again. */
export const BUILT_VARIABLE = 'HEXLENS_TEST_BUILT';

/** Their tests start nodes, databases and processes. */
export const NODE_FOLDERS = ['service', 'store', 'server', 'conformance'] as const;

/** Their tests need no node, database or editor. */
export const UNIT_FOLDERS = ['guard', 'api', 'unit'] as const;

/** In the order in which their files are started: long ones first. */
export const TEST_FOLDERS: readonly string[] = [...NODE_FOLDERS, ...UNIT_FOLDERS];
