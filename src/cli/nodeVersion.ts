// The oldest Node.js that runs the command line: that of the oldest supported VS Code, in which the tests run.

export const MIN_NODE_VERSION = '22.15';

/** One sentence when a version such as `20.19.4` is too old, else `null`. */
export function findNodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_NODE_VERSION.split('.').map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return null;
  return `Node.js ${version} is too old: HexLens needs Node.js ${MIN_NODE_VERSION} or newer, for its built-in SQLite.`;
}
