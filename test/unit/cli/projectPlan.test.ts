// The folder of the project that the command line names.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { planProject } from '../../../src/cli/projectPlan.ts';

test.each([
  ['is not there', fileURLToPath(new URL('nothing-here', import.meta.url))],
  ['is a file', fileURLToPath(import.meta.url)],
])('says that --project is no folder, where it %s', (_, project) => {
  expect(() => planProject({ project }, {})).toThrow(`--project is not a folder: ${project}.`);
});

test('takes a folder, and the current one where none is named', () => {
  expect(planProject({ project: import.meta.dirname }, {})).toMatchObject({ project: import.meta.dirname });
  expect(planProject({}, {})).toMatchObject({ project: process.cwd(), isProjectNamed: false });
});
