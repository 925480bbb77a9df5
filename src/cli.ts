// Entry of the command line: checks the version of Node.js before it loads the rest, which older versions cannot parse.
import { findNodeProblem } from './cli/nodeVersion.ts';

// Other users of the machine see the arguments of a process, which may hold a key: the title replaces them.
process.title = 'hexlens';

const problem = findNodeProblem(process.versions.node);
if (problem === null) void import('./cli/commandLine.ts').then(({ runCommandLine }) => runCommandLine());
else {
  process.stderr.write(`hexlens: ${problem}\n`);
  process.exitCode = 1;
}
