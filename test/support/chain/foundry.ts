// A Foundry project on disk, deployed by the real `forge script`, for its real `broadcast` folder.
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startProcess } from '../startProcess.ts';

const require = createRequire(import.meta.url);

/** Public key material: the first account of the test mnemonic. */
const DEPLOYER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

const COUNTER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Child {
    uint256 public value = 1;
}

contract Counter {
    uint256 public number;
    Child public child = new Child();

    error TooLow(uint256 number, uint256 wanted);

    function increment() external {
        number++;
    }

    function decrement(uint256 by) external {
        _requireAtLeast(by);
        number -= by;
    }

    function _requireAtLeast(uint256 wanted) internal view {
        if (number < wanted) revert TooLow(number, wanted);
    }
}
`;

/** A script of forge that runs the statements from the account that broadcasts. */
export const createDeployScript = (
  imports: string,
  statements: readonly string[],
): string => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

${imports}

interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

contract Deploy {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public IS_SCRIPT = true;

    function run() external {
        vm.startBroadcast();
        ${statements.join('\n        ')}
        vm.stopBroadcast();
    }
}
`;

/** One contract by CREATE, a call to it, one by CREATE2; each creates a child. */
const SCRIPT = createDeployScript('import {Counter} from "../src/Counter.sol";', [
  'Counter counter = new Counter();',
  'counter.increment();',
  'new Counter{salt: bytes32(uint256(1))}();',
]);

/** A compiler executable for forge: npm's solc with the two ways in which forge calls it, and the cache of all tests. */
const COMPILER = `import { compile, readCompilerVersion } from ${JSON.stringify(import.meta.resolve('../source/compileSolidity.ts'))};
if (process.argv.includes('--version')) {
  console.log('solc, the solidity compiler commandline interface');
  console.log('Version: ' + readCompilerVersion('solc').replace('Emscripten.clang', 'Linux.g++'));
} else {
  let input = '';
  process.stdin.on('data', chunk => (input += chunk)).on('end', () => process.stdout.write(compile('solc', input)));
}
`;

export interface FoundryRun {
  /** Relative to the project's folder. */
  readonly latest: string;
}

/** The command to run in the project's folder. */
export interface ForgeCommand extends FoundryRun {
  readonly executable: string;
  readonly args: readonly string[];
}

function forgeBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return require.resolve(`@foundry-rs/forge-${process.platform}-${arch}/bin/forge`);
}

/**
 * Writes the project into `folder`, and returns the command that deploys it to the node at `url`, which must mine automatically.
 * `own`: sources in place of the counter's.
 */
export async function writeFoundryProject(
  folder: string,
  url: string,
  own: Readonly<Record<string, string>> = { 'src/Counter.sol': COUNTER, 'script/Deploy.s.sol': SCRIPT },
): Promise<ForgeCommand> {
  const compiler = join(folder, 'compiler', 'solc');
  const files: Readonly<Record<string, string>> = {
    'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\nlibs = []\noffline = true\n',
    ...own,
    'compiler/solc.mjs': COMPILER,
    'compiler/solc': `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(`${compiler}.mjs`)} "$@"\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await chmod(compiler, 0o755);
  const args = ['script', 'script/Deploy.s.sol', '--use', compiler, '--offline', '--rpc-url', url, '--broadcast'];
  return {
    executable: forgeBinary(),
    args: [...args, '--private-key', DEPLOYER_KEY],
    latest: 'broadcast/Deploy.s.sol/31337/run-latest.json',
  };
}

/** Writes the project into `folder` and deploys it. Rejects with forge's output. */
export async function deployWithForge(
  folder: string,
  url: string,
  own?: Readonly<Record<string, string>>,
): Promise<ForgeCommand> {
  const command = await writeFoundryProject(folder, url, own);
  const { executable, args } = command;
  const forge = await startProcess(executable, args, {
    cwd: folder,
    // A home folder of its own: no settings or compilers of this machine.
    env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [forge.stdout, forge.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = (await once(forge, 'close')) as [number | null];
  if (code !== 0) throw new Error(`forge script ended with ${code}: ${output.slice(-2_000)}`);
  return command;
}
