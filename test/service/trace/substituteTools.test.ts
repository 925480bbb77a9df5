// Optimized builds as Foundry and Truffle leave them by default, debugged by an unoptimized build of the same sources.
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DebugOpened, DebugRequest, DebugResponse } from '../../../src/api/debugSession.ts';
import { localize } from '../../../src/base/localize.ts';
import { compileUnoptimized } from '../../../src/decode/source/unoptimizedBuilds.ts';
import { ProjectSources } from '../../../src/mcp/projectSources.ts';
import { createSolcRunner } from '../../../src/worker/runSolc.ts';
import { type Anvil, startAnvil } from '../../support/chain/anvil.ts';
import { writeFoundryProject } from '../../support/chain/foundry.ts';
import { type ServiceUnderTest, startService } from '../../support/filledChain.ts';
import { compile } from '../../support/source/compileSolidity.ts';
import { startProcess } from '../../support/startProcess.ts';

const SENDER_KEY = 'from';
const GAS = '0xf00000';
const require = createRequire(import.meta.url);

const PRICES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Prices {
    function discount(uint256 price, uint256 percent) internal pure returns (uint256) {
        uint256 saved = price * percent;
        return price - saved / 100;
    }
}
`;
const STALL = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Prices} from "./Prices.sol";

contract Stall {
    uint256 public immutable percent;
    uint256 public earned;

    constructor(uint256 percent_) {
        percent = percent_;
    }

    function sell(uint256 price) external returns (uint256 paid) {
        uint256 unused = price + 1;
        paid = Prices.discount(price, percent);
        earned += paid; // here
        return paid + unused - unused;
    }
}
`;
const OPTIMIZED = { viaIR: true, optimizer: { enabled: true, runs: 200 } };

/** What forge writes, without build info. */
async function writeFoundry(folder: string): Promise<void> {
  await writeFoundryProject(folder, 'http://127.0.0.1:1');
  await Promise.all(['src/Counter.sol', 'script/Deploy.s.sol'].map(path => rm(join(folder, path))));
  await writeFile(join(folder, 'src/Prices.sol'), PRICES);
  await writeFile(join(folder, 'src/Stall.sol'), STALL);
  const compiler = join(folder, 'compiler', 'solc');
  const settings = await readFile(join(folder, 'foundry.toml'), 'utf8');
  await writeFile(
    join(folder, 'foundry.toml'),
    `${settings}solc = "${compiler}"\nvia_ir = true\noptimizer = true\noptimizer_runs = 200\n`,
  );
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const forge = await startProcess(
    require.resolve(`@foundry-rs/forge-${process.platform}-${arch}/bin/forge`),
    ['build', '--offline'],
    { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' } },
  );
  const [code] = (await once(forge, 'close')) as [number | null];
  if (code !== 0) throw new Error(`forge build ended with ${code}`);
}

/** What `truffle compile` writes: an artifact with the text and the tree of the contract's own source. */
async function writeTruffle(folder: string): Promise<void> {
  const sources = { 'project:/contracts/Stall.sol': STALL, 'project:/contracts/Prices.sol': PRICES };
  const outputSelection = { '*': { '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'], '': ['ast'] } };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: { ...OPTIMIZED, outputSelection },
  };
  const output = JSON.parse(compile('solc', JSON.stringify(input)));
  const path = 'project:/contracts/Stall.sol';
  const { abi, metadata, evm } = output.contracts[path].Stall;
  const artifact = {
    contractName: 'Stall',
    ...{ abi, metadata, source: STALL, sourcePath: join(folder, 'contracts/Stall.sol'), ast: output.sources[path].ast },
    ...{ bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` },
    ...{ sourceMap: evm.bytecode.sourceMap, deployedSourceMap: evm.deployedBytecode.sourceMap },
    immutableReferences: evm.deployedBytecode.immutableReferences,
    compiler: { name: 'solc', version: JSON.parse(metadata).compiler.version },
    ...{ networks: {}, schemaVersion: '3.4.16' },
  };
  const files = {
    'build/contracts/Stall.json': JSON.stringify(artifact),
    'contracts/Stall.sol': STALL,
    'contracts/Prices.sol': PRICES,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await mkdir(join(folder, 'node_modules/solc'), { recursive: true });
  await writeFile(
    join(folder, 'node_modules/solc/soljson.js'),
    `module.exports = require(${JSON.stringify(join(dirname(require.resolve('solc/package.json')), 'soljson.js'))});`,
  );
}

describe.each([
  ['Foundry', 'out/Stall.sol/Stall.json', writeFoundry],
  ['Truffle', 'build/contracts/Stall.json', writeTruffle],
] as const)('an unoptimized build in place of a deployment by %s', (_, artifact, write) => {
  let anvil: Anvil;
  let service: ServiceUnderTest;
  let folder: string;
  beforeAll(async () => {
    [anvil, folder] = await Promise.all([startAnvil(), mkdtemp(join(tmpdir(), 'hexlens-tools-'))]);
    service = startService({ local: anvil.url });
    await write(folder);
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await anvil.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('gives the locals that via-IR and the optimizer removed', { timeout: 120_000 }, async () => {
    const { abi, bytecode } = JSON.parse(await readFile(join(folder, artifact), 'utf8'));
    const code = (bytecode.object ?? bytecode) as Hex;
    const [account] = await anvil.rpc<[Hex]>('eth_accounts');
    const send = async (transaction: object) => {
      const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ [SENDER_KEY]: account, gas: GAS, ...transaction }]);
      await anvil.mine();
      return hash;
    };
    const deployment = await send({ data: encodeDeployData({ abi: abi as Abi, bytecode: code, args: [25n] }) });
    const { contractAddress: to } = await anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [
      deployment,
    ]);
    const hash = await send({ to, data: encodeFunctionData({ abi: abi as Abi, functionName: 'sell', args: [80n] }) });

    const builds = await new ProjectSources(folder).load();
    const { value: codes } = await service.lookup('tracedCodes', { chain: 'local', hash });
    const places = () => ({ home: folder, env: {}, folders: [folder] });
    const runner = createSolcRunner(places, new AbortController().signal);
    const { substitutes, skipped } = await compileUnoptimized(builds, codes, runner);
    expect(skipped).toEqual([]);
    const request = async (sent: DebugRequest): Promise<DebugResponse> =>
      (await service.lookup('debugRequest', { chain: 'local', hash, session: hash, request: sent })).value;
    const opened = (await request({
      ...{ kind: 'open', builds: (await builds.match(codes, false)).matched, substitutes },
    })) as DebugOpened;
    expect(opened.substitution).toEqual({ isUsed: true, contracts: ['Stall'] });
    const source = opened.sources.find(({ path }) => path.endsWith('Stall.sol'))?.id ?? -1;
    const line = STALL.split('\n').findIndex(text => text.endsWith('// here'));
    const breakpoints = [{ id: 1, at: { kind: 'statement', source, line } as const }];
    const run = await request({ kind: 'run', step: 0, isBack: false, breakpoints, filters: [] });
    const step = ('reason' in run ? run.step : null) ?? -1;
    const read = async (scope: 'locals' | 'state') => {
      const reference = { kind: 'scope', scope } as const;
      const response = await request({ kind: 'variables', step, frame: 0, reference });
      const variables = 'variables' in response ? response.variables : [];
      return Object.fromEntries(variables.map(({ name, value }) => [name, localize(value)]));
    };
    expect(await read('locals')).toEqual({ price: '80', paid: '60', unused: '81' });
    expect(await read('state')).toEqual({ earned: '0', percent: '25' });
    const called = await request({
      kind: 'evaluate',
      step,
      frame: 0,
      expression: 'percent() + earned()',
      functions: [],
    });
    expect('variable' in called && called.variable.value).toBe('25');
  });
});
