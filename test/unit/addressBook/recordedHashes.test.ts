// Hashes that deployment tools record: forge 1.7, ignition-core 3.1, hardhat-deploy 0.11, rocketh 0.17, upgrades-core 1.46.
import { describe, expect, test } from 'vitest';
import { detectRecordTool, type RecordedHash, readRecordedHashes } from '../../../src/addressBook/recordedHashes.ts';

/** 32 bytes that are different for each number. */
const hash = (number: number) => `0x${(0xa1b2c3d4e5n * BigInt(number + 7)).toString(16).padStart(16, 'f').repeat(4)}`;
const [CREATE, CALL, FAILED, BLOCK, OTHER] = [1, 2, 3, 4, 5].map(hash) as [string, string, string, string, string];
const CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const PROXY = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';

/** `0x… creates Token on 11155111` for each hash. */
async function read(path: string, content: unknown, siblings: Readonly<Record<string, string>> = {}) {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  const recorded = await readRecordedHashes({ path, text, readSibling: async name => siblings[name] ?? null });
  const show = ({ kind, action, chainId }: RecordedHash) =>
    `${kind}${action === null ? '' : ` ${action.kind} ${action.name}`} on ${chainId}`;
  const first = new Map<string, string>();
  for (const one of recorded) if (!first.has(one.hash)) first.set(one.hash, show(one));
  return Object.fromEntries(first);
}

const run = {
  transactions: [
    {
      hash: CREATE,
      transactionType: 'CREATE',
      contractName: 'Token',
      contractAddress: CONTRACT,
      function: null,
      arguments: ['Token'],
      transaction: { from: PROXY, gas: '0x5208', value: '0x0', input: OTHER, nonce: '0x0', chainId: '0xaa36a7' },
      additionalContracts: [],
      isFixedGasLimit: false,
    },
    {
      hash: CALL.toUpperCase().replace('0X', '0x'),
      transactionType: 'CALL',
      contractName: 'Token',
      contractAddress: CONTRACT,
      function: 'grantRole(bytes32,address)',
      arguments: [OTHER, PROXY],
      transaction: { from: PROXY, to: CONTRACT, input: '0x', hash: OTHER },
      additionalContracts: [{ transactionType: 'CREATE', contractName: null, address: PROXY, initCode: OTHER }],
    },
    {
      hash: FAILED,
      transactionType: 'CREATE',
      contractName: 'ERC1967Proxy',
      contractAddress: PROXY,
      function: null,
      arguments: [CONTRACT, '0x'],
    },
  ],
  receipts: [
    { status: '0x1', transactionHash: CREATE, blockHash: BLOCK, logs: [{ topics: [OTHER], data: OTHER }] },
    { status: '0x1', transactionHash: CALL, blockHash: BLOCK, logs: [] },
    { status: '0x0', transactionHash: FAILED, blockHash: BLOCK, logs: [] },
  ],
  libraries: [`src/Math.sol:Math:${CONTRACT}`],
  pending: [],
  returns: { key: { internal_type: 'bytes32', value: OTHER } },
  timestamp: 1760000000,
  chain: 11155111,
  commit: 'a1b2c3d',
};

const recordedRun = {
  [CREATE]: 'transaction creates Token on 11155111',
  [CALL]: 'transaction calls Token.grantRole(bytes32,address) on 11155111',
  [FAILED]: 'transaction on 11155111',
  [BLOCK]: 'block on 11155111',
};

describe('Foundry', () => {
  test('records transactions and their blocks, and no other 32 bytes', async () => {
    expect(await read('broadcast/Deploy.s.sol/11155111/run-latest.json', run)).toEqual(recordedRun);
    expect(await read('app/broadcast/Deploy.s.sol/11155111/deploy-1760000000.json', run)).toEqual(recordedRun);
  });

  test('records the runs of a script for several chains', async () => {
    const text = { deployments: [run, { ...run, chain: 8453, receipts: [], transactions: [{ hash: OTHER }] }] };
    expect(await read('broadcast/multi/Deploy.s.sol-latest/run.json', text)).toEqual({
      ...recordedRun,
      [OTHER]: 'transaction on 8453',
    });
  });

  test('names a proxy after its implementation', async () => {
    const { receipts: _, ...sent } = run;
    const { [FAILED]: proxy } = await read('broadcast/Deploy.s.sol/11155111/run-latest.json', sent);
    expect(proxy).toBe('transaction creates Token (proxy) on 11155111');
  });
});

test('Ignition records what it sent and confirmed', async () => {
  const deployed = {
    artifactId: 'M#Token',
    contractName: 'Token',
    futureId: 'M#Token',
    constructorArgs: [OTHER],
    type: 'DEPLOYMENT_EXECUTION_STATE_INITIALIZE',
  };
  const called = {
    artifactId: 'M#Token',
    contractAddress: CONTRACT,
    functionName: 'mint',
    futureId: 'M#Token.mint',
    args: [OTHER],
    type: 'CALL_EXECUTION_STATE_INITIALIZE',
  };
  const sent = (futureId: string, sentHash: string) => ({
    futureId,
    networkInteractionId: 1,
    nonce: 0,
    transaction: { fees: { maxFeePerGas: { _kind: 'bigint', value: '1' } }, hash: sentHash },
    type: 'TRANSACTION_SEND',
  });
  const confirmed = (futureId: string, confirmedHash: string, status = 'SUCCESS') => ({
    futureId,
    hash: confirmedHash,
    networkInteractionId: 1,
    receipt: { blockHash: BLOCK, blockNumber: 1, contractAddress: CONTRACT, logs: [{ topics: [OTHER] }], status },
    type: 'TRANSACTION_CONFIRM',
  });
  const entries = [
    { chainId: 84532, type: 'DEPLOYMENT_INITIALIZE' },
    deployed,
    { ...sent('M#Token', OTHER), type: 'NETWORK_INTERACTION_REQUEST', hash: OTHER },
    sent('M#Token', CREATE),
    confirmed('M#Token', CREATE),
    called,
    sent('M#Token.mint', CALL),
    confirmed('M#Token.mint', CALL),
    { ...called, futureId: 'M#Token.burn', functionName: 'burn' },
    confirmed('M#Token.burn', FAILED, 'FAILURE'),
  ];
  const journal = `\n${entries.map(entry => JSON.stringify(entry)).join('\n')}\n{"futureId":"M#T`;
  expect(await read('ignition/deployments/chain-84532/journal.jsonl', journal)).toEqual({
    [CREATE]: 'transaction creates Token on 84532',
    [CALL]: 'transaction calls Token.mint on 84532',
    [FAILED]: 'transaction on 84532',
    [BLOCK]: 'block on 84532',
  });
});

describe('hardhat-deploy', () => {
  const receipt = { from: PROXY, transactionHash: CREATE, blockHash: BLOCK, logs: [{ topics: [OTHER], data: OTHER }] };
  const deployment = {
    address: CONTRACT,
    abi: [],
    transactionHash: CREATE,
    receipt: { ...receipt, to: null, contractAddress: CONTRACT, status: 1 },
    args: [OTHER],
    solcInputHash: OTHER,
    userdoc: { hash: OTHER },
  };

  test('records the creation of a contract', async () => {
    const expected = { [CREATE]: 'transaction creates Token on 11155111', [BLOCK]: 'block on 11155111' };
    expect(await read('deployments/staging/Token.json', deployment, { '.chainId': '11155111' })).toEqual(expected);
    expect(await read('deployments/sepolia/Token.json', deployment)).toEqual(expected);
    expect(await read('deployments/localhost/Token.json', deployment)).toEqual({
      [CREATE]: 'transaction creates Token on null',
      [BLOCK]: 'block on null',
    });
  });

  test('records the transaction of rocketh', async () => {
    const written = {
      address: CONTRACT,
      argsData: OTHER,
      transaction: { hash: CREATE, nonce: '0x1', origin: PROXY },
      receipt: { blockHash: BLOCK, blockNumber: '0x1', transactionIndex: '0x0' },
    };
    const chain = { '.chain': JSON.stringify({ chainId: '8453', genesisHash: OTHER }) };
    expect(await read('deployments/base-main/Token.json', written, chain)).toEqual({
      [CREATE]: 'transaction on 8453',
      [BLOCK]: 'block on 8453',
    });
  });
});

test('the upgrades plugin of OpenZeppelin records creations', async () => {
  const manifest = {
    manifestVersion: '3.2',
    admin: { address: PROXY, txHash: CALL },
    proxies: [{ address: CONTRACT, txHash: CREATE, kind: 'uups' }],
    impls: { [OTHER.slice(2)]: { address: CONTRACT, txHash: FAILED, layout: { storage: [{ hash: OTHER }] } } },
  };
  const on = (chain: number) => ({
    [CREATE]: `transaction creates ERC1967Proxy on ${chain}`,
    [CALL]: `transaction creates ProxyAdmin on ${chain}`,
    [FAILED]: `transaction on ${chain}`,
  });
  expect(await read('.openzeppelin/arbitrum-one.json', manifest)).toEqual(on(42_161));
  expect(await read('.openzeppelin/unknown-81457.json', manifest)).toEqual(on(81_457));
  expect(await read('.openzeppelin/mainnet.json', { ...manifest, manifestVersion: undefined })).toEqual({});
});

test.each([
  ['broadcast/Deploy.s.sol/1/run-latest.json', 'foundry'],
  ['broadcast/Deploy.s.sol/1/dry-run/run-latest.json', null],
  ['lib/dependency/broadcast/Deploy.s.sol/1/run-latest.json', null],
  ['node_modules/dependency/deployments/mainnet/Token.json', null],
  ['broadcast/notes.json', null],
  ['src/run-latest.json', null],
  ['ignition/deployments/chain-1/journal.jsonl', 'ignition'],
  ['ignition/deployments/chain-1/deployed_addresses.json', null],
  ['ignition/deployments/chain-1/artifacts/M#Token.json', null],
  ['deployments/mainnet/Token.json', 'hardhat-deploy'],
  ['deployments/mainnet/solcInputs/5a.json', null],
  ['deployments/mainnet/.migrations.json', null],
  ['packages/app/.openzeppelin/mainnet.json', 'openzeppelin'],
  ['openzeppelin/mainnet.json', null],
])('%s is a file of %s', (path, tool) => {
  expect(detectRecordTool(path)).toBe(tool);
});

test.each([
  '',
  '{',
  '[]',
  'null',
  '{"transactions":5,"receipts":{}}',
  '{"receipt":1,"transaction":[]}',
  '{"proxies":{}}',
])('reads nothing of %j', async text => {
  for (const path of [
    'broadcast/Deploy.s.sol/1/run-latest.json',
    'ignition/deployments/chain-1/journal.jsonl',
    'deployments/mainnet/Token.json',
    '.openzeppelin/mainnet.json',
  ])
    expect(await read(path, text)).toEqual({});
});

test.each([
  ['31 bytes', CREATE.slice(0, 64)],
  ['33 bytes', `${CREATE}00`],
  ['no prefix', CREATE.slice(2)],
  ['a number', 5],
])('%s are no hash', async (_, value) => {
  const text = { ...run, receipts: [], transactions: [{ hash: value, transactionType: 'CALL' }] };
  expect(await read('broadcast/Deploy.s.sol/1/run-latest.json', text)).toEqual({});
});
