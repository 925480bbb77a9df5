import { expect, test } from 'vitest';
import { findNodeProblem, MIN_NODE_VERSION } from '../../../src/cli/nodeVersion.ts';

test.each(['20.20.2', '22.14.9', '8.17.0'])('Node.js %s is too old', version => {
  expect(findNodeProblem(version)).toBe(
    `Node.js ${version} is too old: HexLens needs Node.js ${MIN_NODE_VERSION} or newer, for its built-in SQLite.`,
  );
});

test.each([`${MIN_NODE_VERSION}.0`, '22.19.0', '23.0.0', '24.1.0', process.versions.node])(
  'Node.js %s is new enough',
  version => {
    expect(findNodeProblem(version)).toBeNull();
  },
);
