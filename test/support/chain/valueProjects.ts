// `node test/support/chain/valueProjects.ts FOLDER`: a Foundry and a Hardhat project there, deployed to an Anvil and a Hardhat node,
// which run until this process is stopped. Prints where they are as one line of JSON.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Abi, encodeDeployData, encodeFunctionData, getCreateAddress } from 'viem';
import type { Hex } from '../../../src/base/hex.ts';
import { type CompiledContract, compileSolidity } from '../source/compileSolidity.ts';
import { startAnvil } from './anvil.ts';
import { createDeployScript, deployWithForge } from './foundry.ts';
import { findMissingHardhatPackage, startHardhat } from './hardhat.ts';
import { mineBlock } from './mineBlock.ts';
import type { TestNode } from './testNode.ts';

/** Where values are: a contract as it is, and through each kind of proxy. */
export interface ValueProject {
  /** As in the setting of nodes. */
  readonly chain: string;
  readonly url: string;
  /** The project's folder below that of both. */
  readonly folder: string;
  readonly source: string;
}

const WAREHOUSE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Warehouse {
    uint256 public constant LIMIT = 40 * 3;
    uint256 public immutable rate;
    uint128 private stock;
    uint64 private since;
    bool private isOpen;
    int32 internal offset;
    address public owner;
    string private label;
    uint256[3] private bins;
    mapping(address => uint256) public balances;

    constructor(uint256 rate_) {
        rate = rate_;
    }

    function open(uint128 stock_, string memory label_) external {
        (stock, since, isOpen, offset) = (stock_, uint64(stock_ % 1000 + 5), stock_ % 2 == 0, -int32(uint32(stock_ % 77)));
        // No account that has a name.
        (owner, label) = (address(uint160(uint256(keccak256(abi.encode(stock_))))), label_);
        bins = [uint256(stock_) * 3, 1, type(uint256).max];
        balances[msg.sender] = 1;
    }

    function total() external view returns (uint256) {
        return bins[0] + stock;
    }
}
`;

const PROXIES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Forwarder {
    function target() internal view virtual returns (address);

    fallback() external payable {
        address to = target();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

contract SlotProxy is Forwarder {
    bytes32 private constant SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);

    constructor(address to) {
        bytes32 slot = SLOT;
        assembly { sstore(slot, to) }
    }

    function target() internal view override returns (address to) {
        bytes32 slot = SLOT;
        assembly { to := sload(slot) }
    }
}

contract Beacon {
    address public implementation;

    constructor(address to) {
        implementation = to;
    }
}

contract BeaconProxy is Forwarder {
    bytes32 private constant SLOT = bytes32(uint256(keccak256("eip1967.proxy.beacon")) - 1);

    constructor(address beacon) {
        bytes32 slot = SLOT;
        assembly { sstore(slot, beacon) }
    }

    function target() internal view override returns (address) {
        address beacon;
        bytes32 slot = SLOT;
        assembly { beacon := sload(slot) }
        return Beacon(beacon).implementation();
    }
}

contract Cloner {
    function clone(address to) external returns (address made) {
        bytes memory code =
            abi.encodePacked(hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", to, hex"5af43d82803e903d91602b57fd5bf3");
        assembly { made := create(0, add(code, 0x20), mload(code)) }
    }
}
`;

const LONG_LABEL = 'a label of more than thirty-one bytes, in two words';

const SCRIPT = createDeployScript(
  'import {Beacon, BeaconProxy, Cloner, SlotProxy} from "../src/Proxies.sol";\nimport {Warehouse} from "../src/Warehouse.sol";',
  [
    'Warehouse house = new Warehouse(7);',
    'house.open(1000, "first");',
    `Warehouse(address(new SlotProxy(address(house)))).open(2 ** 100, "${LONG_LABEL}");`,
    'Warehouse(address(new BeaconProxy(address(new Beacon(address(house)))))).open(3, "");',
    'Warehouse(new Cloner().clone(address(house))).open(4, "clone");',
  ],
);

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function createFoundryProject(folder: string): Promise<ValueProject> {
  const { url, rpc } = await startAnvil({ chainId: 31338 });
  await rpc('evm_setAutomine', [true]);
  const files = { 'src/Warehouse.sol': WAREHOUSE, 'src/Proxies.sol': PROXIES, 'script/Deploy.s.sol': SCRIPT };
  const project = join(folder, 'foundry');
  await mkdir(project, { recursive: true });
  const { executable } = await deployWithForge(project, url, files);
  const settings = await readFile(join(project, 'foundry.toml'), 'utf8');
  await writeFile(join(project, 'foundry.toml'), `${settings}solc = "${join(project, 'compiler', 'solc')}"\n`);
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await symlink(executable, join(project, 'node_modules/.bin/forge'));
  return { chain: '0x7a6a', url, folder: 'foundry', source: 'src/Warehouse.sol' };
}

/** As Hardhat 3 writes them, with the deployments as Ignition does. */
async function createHardhatProject(folder: string): Promise<ValueProject> {
  const node = await startHardhat({ chainId: 31339 });
  const texts = { 'contracts/Warehouse.sol': WAREHOUSE, 'contracts/Proxies.sol': PROXIES };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(texts).map(([path, content]) => [`project/${path}`, { content }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'], '': ['ast'] } },
    },
  };
  const output = compileSolidity<CompiledContract>(input);
  const buildInfoId = 'solc-0_8_30-values';
  const info = { _format: 'hh3-sol-build-info-1', id: buildInfoId, compilerType: 'solc', solcVersion: '0.8.30', input };
  const contracts = Object.entries(output.contracts).flatMap(([inputSourceName, ofSource]) =>
    Object.entries(ofSource).map(([contractName, contract]) => ({ inputSourceName, contractName, contract })),
  );
  const artifacts = contracts.map(({ inputSourceName, contractName, contract: { abi, evm } }) => {
    const sourceName = inputSourceName.replace('project/', '');
    const code = { bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` };
    const { immutableReferences = {} } = evm.deployedBytecode as { readonly immutableReferences?: object };
    const names = { _format: 'hh3-artifact-1', contractName, sourceName, inputSourceName, buildInfoId };
    const artifact = { ...names, abi, ...code, immutableReferences };
    return [`artifacts/${sourceName}/${contractName}.json`, JSON.stringify(artifact)] as const;
  });
  const deployed = await deployAll(node, name => {
    const found = contracts.find(({ contractName }) => contractName === name);
    if (found === undefined) throw new Error(`no contract ${name}`);
    return found.contract;
  });
  await write(join(folder, 'hardhat'), {
    ...texts,
    ...Object.fromEntries(artifacts),
    'hardhat.config.ts': 'export default {};\n',
    [`artifacts/build-info/${buildInfoId}.json`]: JSON.stringify(info),
    [`artifacts/build-info/${buildInfoId}.output.json`]: JSON.stringify({ id: buildInfoId, output }),
    'ignition/deployments/chain-31339/deployed_addresses.json': JSON.stringify(deployed),
  });
  return { chain: '0x7a6b', url: node.url, folder: 'hardhat', source: 'contracts/Warehouse.sol' };
}

/** Addresses by the names of Ignition's futures. */
async function deployAll(node: TestNode, find: (name: string) => CompiledContract): Promise<Record<string, Hex>> {
  const [from] = (await node.rpc<Hex[]>('eth_accounts', [])) as [Hex];
  const deploy = async (name: string, ...args: readonly unknown[]): Promise<Hex> => {
    const { abi, evm } = find(name);
    const data = encodeDeployData({ abi: abi as Abi, bytecode: `0x${evm.bytecode.object}`, args });
    return (await mineBlock(node, [{ from, data }])).receipts[0]?.contractAddress as Hex;
  };
  const call = (name: string, to: Hex, functionName: string, ...args: readonly unknown[]) =>
    mineBlock(node, [{ from, to, data: encodeFunctionData({ abi: find(name).abi as Abi, functionName, args }) }]);
  const house = await deploy('Warehouse', 9n);
  const slotProxy = await deploy('SlotProxy', house);
  const beaconProxy = await deploy('BeaconProxy', await deploy('Beacon', house));
  const cloner = await deploy('Cloner');
  await call('Cloner', cloner, 'clone', house);
  const clone = getCreateAddress({ from: cloner, nonce: 1n });
  await call('Warehouse', house, 'open', 2000n, 'first');
  await call('Warehouse', slotProxy, 'open', 2n ** 101n, LONG_LABEL);
  await call('Warehouse', beaconProxy, 'open', 5n, '');
  await call('Warehouse', clone, 'open', 6n, 'clone');
  return {
    'Houses#Warehouse': house,
    'Houses#SlotProxy': slotProxy,
    'Houses#BeaconProxy': beaconProxy,
    'Houses#Clone': clone,
  };
}

const [folder = ''] = process.argv.slice(2);
const projects = await Promise.all([
  createFoundryProject(folder),
  ...(findMissingHardhatPackage() === null ? [createHardhatProject(folder)] : []),
]);
process.stdout.write(`${JSON.stringify(projects)}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
