// The folders of tests that vitest runs.

/** Their tests start nodes, databases and processes. */
export const NODE_FOLDERS = ['service', 'store', 'server', 'conformance'] as const;

/** Their tests need no node, database or editor. */
export const UNIT_FOLDERS = ['guard', 'api', 'unit'] as const;

/** In the order in which their files are started: long ones first. */
export const TEST_FOLDERS: readonly string[] = [...NODE_FOLDERS, ...UNIT_FOLDERS];
