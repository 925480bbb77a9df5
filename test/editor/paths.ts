// Where the editor harness finds and leaves things inside the repository.
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** The one bundle of the in-editor suite, CommonJS; not in dist, which every build empties. */
export const suiteBundle = join(root, 'out', 'test', 'suite.cjs');

/** Things built for a run that are not shipped; ignored by git. */
const out = join(root, 'out');
export const packedExtension = join(out, 'hexlens.vsix');
export const sampleWorkspace = join(out, 'sample-workspace');
/** Summaries that `npm test` adds up. */
export const results = join(out, 'test-results');

/** Logs of the last editor in which a test failed. */
export const editorLogs = join(results, 'editor-logs');

/** What the editor showed, for people; ignored by git. */
export const screenshots = join(root, 'test-results', 'screenshots');

/** The executable that takes the place of `code`. */
export const codeShim = join(import.meta.dirname, 'code-shim.mjs');
