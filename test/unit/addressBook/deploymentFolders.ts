// Folders of deployment tools, cut down to a few contracts. Shapes and names as the tools wrote them on a chain of Anvil:
// Hardhat Ignition 3.1 (ignition-core 3.1.9, hardhat 3.18.0), hardhat-deploy 0.11.45 (hardhat 2.29.1), and the chain file
// of rocketh 0.17, which hardhat-deploy 2 writes with.

/** The text of each file by its path. */
export type Folder = Readonly<Record<string, string>>;

const lines = (...entries: readonly object[]) => `\n${entries.map(entry => JSON.stringify(entry)).join('\n')}\n`;

const sender = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const deployed = (futureId: string, contractName: string, futureType: string, libraries: object = {}) => ({
  artifactId: futureId,
  constructorArgs: [{ _kind: 'bigint', value: '3' }],
  contractName,
  dependencies: [],
  from: sender,
  futureId,
  futureType,
  libraries,
  strategy: 'basic',
  strategyConfig: {},
  type: 'DEPLOYMENT_EXECUTION_STATE_INITIALIZE',
  value: { _kind: 'bigint', value: '0' },
});
const attached = (futureId: string, contractName: string, contractAddress: string, dependency: string) => ({
  artifactId: futureId,
  contractAddress,
  contractName,
  dependencies: [dependency],
  futureId,
  futureType: 'NAMED_ARTIFACT_CONTRACT_AT',
  strategy: 'basic',
  strategyConfig: {},
  type: 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE',
});
const called = (futureId: string, contractAddress: string, functionName: string) => ({
  args: [],
  artifactId: futureId.split('.')[0],
  contractAddress,
  dependencies: [],
  from: sender,
  functionName,
  futureId,
  strategy: 'basic',
  strategyConfig: {},
  type: 'CALL_EXECUTION_STATE_INITIALIZE',
  value: { _kind: 'bigint', value: '0' },
});

const library = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';
const proxy = '0xa513E6E4b8f2a923D98304ec87F64353C4D5C853';

/** A module with a library, two contracts of one kind, one that a factory made, and a module of a proxy; on two chains. */
export function ignitionFolder(chains: readonly number[]): Folder {
  const journal = (chainId: number) =>
    lines(
      { chainId, type: 'DEPLOYMENT_INITIALIZE' },
      deployed('Main#MathLib', 'MathLib', 'NAMED_ARTIFACT_LIBRARY_DEPLOYMENT'),
      deployed('ProxiedBox#Box', 'Box', 'NAMED_ARTIFACT_CONTRACT_DEPLOYMENT'),
      deployed('Main#Counter', 'Counter', 'NAMED_ARTIFACT_CONTRACT_DEPLOYMENT', { MathLib: library }),
      { futureId: 'Main#Counter', networkInteractionId: 1, nonce: 4, sender, type: 'TRANSACTION_PREPARE_SEND' },
      deployed('Main#SecondCounter', 'Counter', 'NAMED_ARTIFACT_CONTRACT_DEPLOYMENT', { MathLib: library }),
      deployed('ProxiedBox#SimpleProxy', 'SimpleProxy', 'NAMED_ARTIFACT_CONTRACT_DEPLOYMENT'),
      called('Main#Counter.inc', '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9', 'inc'),
      attached('ProxiedBox#BoxThroughProxy', 'Box', proxy, 'ProxiedBox#SimpleProxy'),
      attached('Main#MadeChild', 'Child', '0xa16E02E87b7454126E5E10d957A927A7F5B5d2be', 'Main#Factory.Made.child.0'),
    );
  const addresses = {
    'Main#MathLib': library,
    'ProxiedBox#Box': '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
    'Main#Counter': '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9',
    'Main#SecondCounter': '0x0165878A594ca255338adfa4d48449f69242Eb8F',
    'ProxiedBox#SimpleProxy': proxy,
    'ProxiedBox#BoxThroughProxy': proxy,
    'Main#MadeChild': '0xa16E02E87b7454126E5E10d957A927A7F5B5d2be',
  };
  return Object.fromEntries(
    chains.flatMap(chain => {
      const folder = `/p/ignition/deployments/chain-${chain}`;
      return [
        [`${folder}/deployed_addresses.json`, JSON.stringify(addresses, null, 2)],
        [`${folder}/journal.jsonl`, journal(chain)],
        [`${folder}/artifacts/Main#Counter.json`, '{"_format":"hh3-artifact-1","contractName":"Counter"}'],
      ];
    }),
  );
}

const deployment = (address: string, more: object = {}) =>
  JSON.stringify(
    {
      address,
      abi: [],
      transactionHash: '0x03610ba460ab93b2133f27857d91b6846cf1e0ab79451304d8d547433f66660f',
      receipt: { to: null, from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', contractAddress: address, status: 1 },
      args: [],
      numDeployments: 1,
      bytecode: '0x6101be',
      deployedBytecode: '0x7300',
      ...more,
    },
    null,
    2,
  );

/** A library, a contract that is linked to it, and a proxy with its admin; `chain` is the file that names the chain. */
export function hardhatDeployFolder(network: string, chain: Folder): Folder {
  const folder = `/p/deployments/${network}`;
  const implementation = '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9';
  const box = '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707';
  const solcInputHash = '0e89febeebc7444140de8e67c9067d2c';
  return {
    ...Object.fromEntries(Object.entries(chain).map(([name, text]) => [`${folder}/${name}`, text])),
    [`${folder}/Box.json`]: deployment(box, {
      solcInputHash,
      implementation,
      execute: { methodName: 'initialize', args: [7] },
    }),
    [`${folder}/Box_Implementation.json`]: deployment(implementation),
    [`${folder}/Box_Proxy.json`]: deployment(box, { solcInputHash }),
    [`${folder}/Counter.json`]: deployment('0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512', {
      libraries: { MathLib: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
    }),
    [`${folder}/DefaultProxyAdmin.json`]: deployment('0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9', { solcInputHash }),
    [`${folder}/MathLib.json`]: deployment('0x5FbDB2315678afecb367f032d93F642f64180aa3'),
    [`${folder}/solcInputs/${solcInputHash}.json`]: '{"language":"Solidity","sources":{}}',
  };
}
