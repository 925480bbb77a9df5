// Paths of the editor harness in the repository.
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** The bundle of the editor suites; not in dist, which every build empties. */
export const suiteBundle = join(root, 'out', 'test', 'suite.cjs');

/** Files built for a run that are not shipped; ignored by git. */
const out = join(root, 'out');
export const packedExtension = join(out, 'hexlens.vsix');
/** The program that makes it, from the root of the project. */
export const packageProgram = 'scripts/package.ts';
export const sampleWorkspace = join(out, 'sample-workspace');
/** Summaries that `npm test` adds up. */
export const results = join(out, 'test-results');
/** Those of `npm run test:unit`, which leaves the others as they are. */
export const unitResults = join(out, 'unit-test-results');

/** Logs of the last editor with a failed test. */
export const editorLogs = join(results, 'editor-logs');

/** Ignored by git. */
export const screenshots = join(root, 'test-results', 'screenshots');

/** The executable that replaces `code`. */
export const codeShim = join(import.meta.dirname, 'code-shim.mjs');
