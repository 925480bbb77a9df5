// Read-only functions of contracts on a real Anvil: listed through a proxy, called in batches, at a block, with reasons of reverts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import { HexLensError } from '../../src/base/errors.ts';
import { formatInteger } from '../../src/base/formatUnits.ts';
import type { Hex } from '../../src/base/hex.ts';
import { readAbi } from '../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../src/decode/abiRegistry.ts';
import { createBuildIndex } from '../../src/decode/buildIndex.ts';
import { readBuiltContract } from '../../src/decode/runtimeCode.ts';
import { identifyContract } from '../../src/extension/abi/identifyContract.ts';
import { fetchContractValues } from '../../src/extension/hover/contractValues.ts';
import {
  type ContractReadPorts,
  createContractReadHandlers,
} from '../../src/extension/inspector/contractReadHandlers.ts';
import type { ContractFunction, FunctionResult } from '../../src/protocol/contractReads.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { deployLedger, HOSTILE_LABEL, treasurer } from '../support/readContracts/ledger.ts';

const LEDGER_ID = 'file:///out/Ledger.sol/Ledger.json';

let anvil: Anvil;
let service: ServiceUnderTest;
let proxy: Hex;
/** Before the second account was added. */
let firstBlock: number;
let requests: string[];
let ports: ContractReadPorts;

beforeAll(async () => {
  anvil = await startAnvil();
  service = startService({ local: anvil.url });
  const ledger = await deployLedger(anvil);
  ({ proxy, firstBlock } = ledger);

  const registry = createAbiRegistry();
  registry.set({ id: LEDGER_ID, items: readAbi(ledger.abi, 'Ledger') });
  const index = createBuildIndex();
  const built = readBuiltContract(ledger.artifact, '/out/Ledger.sol/Ledger.json');
  if (built === null) throw new Error('not an artifact');
  index.set(LEDGER_ID, built, { kind: 'build' });
  requests = [];
  const lookup = (async (id, input, signal) => {
    requests.push(id);
    return (await service.lookup(id, input, { ...(signal && { signal }) })).value;
  }) as ContractReadPorts['lookup'];
  const find = async (code: Hex) => {
    const match = index.find(code.slice(2));
    return match === null ? null : { ...match, difference: null };
  };
  const deps = {
    worker: { lookup },
    abis: { load: async () => registry, builds: async () => ({ find }) },
    book: { getName: () => null },
  } as unknown as Parameters<typeof identifyContract>[2];
  ports = {
    lookup,
    getVerifiedHosts: async () => [],
    addVerifiedAbis: async () => {},
    loadAbis: async () => registry,
    identify: (chain, address, signal) => identifyContract(chain, address, deps, signal),
    getName: address => (address.toLowerCase() === treasurer.toLowerCase() ? 'Tina' : null),
    getNameSources: async () => ({
      saved: [{ kind: 'wallet', name: 'Tina', address: treasurer.toLowerCase(), chains: [] }] as never,
      events: [],
      chains: [],
    }),
  };
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

const signal = new AbortController().signal;

async function list(address: string, declared: readonly string[] = []): Promise<readonly ContractFunction[]> {
  const parts: { readonly functions: readonly ContractFunction[] }[] = [];
  const { contractFunctions } = createContractReadHandlers(ports);
  await contractFunctions({ chain: 'local', address, declared }, { sendPart: part => parts.push(part), signal });
  return parts.flatMap(({ functions }) => functions);
}

async function read(
  calls: readonly (readonly [signature: string, ...args: string[]])[],
  block = 'latest',
  address: string = proxy,
): Promise<readonly FunctionResult[]> {
  const results: FunctionResult[] = [];
  await createContractReadHandlers(ports).readContract(
    { chain: 'local', address, block, calls: calls.map(([signature, ...args]) => ({ signature, args })) },
    { sendPart: part => results.push(part), signal },
  );
  return results;
}

const readOne = async (...call: readonly [string, ...string[]]) => (await read([call]))[0] as FunctionResult;

describe('functions of a contract', () => {
  test('are those of the implementation behind the proxy that change nothing', async () => {
    const functions = (await list(proxy)).filter(({ isWriting }) => !isWriting);
    expect(functions.map(({ signature }) => signature).sort()).toEqual(
      [
        'accountAt(uint256,address)',
        'accounts()',
        'closed()',
        'share(uint256,uint256)',
        'sum((address,uint256,string)[],uint256[2])',
        'total()',
        'treasurer()',
      ].sort(),
    );
    expect(new Set(functions.map(({ source }) => source))).toEqual(new Set(['Ledger']));
    expect(functions.find(({ name }) => name === 'accountAt')?.outputs).toEqual([
      { name: 'account', type: '(address,uint256,string)' },
      { name: 'isFirst', type: 'bool' },
    ]);
  });

  test('include those that the user declares, which are read as declared', async () => {
    const [own] = await list(proxy, ['total() returns (uint128 sum)', 'nonsense']);
    expect(own).toMatchObject({ signature: 'total() returns (uint128 sum)', source: null, inputs: [] });
    const atFirst = await read([['total() returns (uint128 sum)']], String(firstBlock));
    expect(atFirst[0]).toMatchObject({ outcome: 'returned', text: '5', values: [{ name: 'sum', value: '5' }] });
  });
});

describe('results', () => {
  test('are decoded: numbers, addresses with checksum and name, lists of tuples', async () => {
    const [total, owner, accounts] = await read([['total()'], ['treasurer()'], ['accounts()']]);
    expect(total).toMatchObject({ outcome: 'returned', text: String(2n ** 200n + 5n) });
    expect(owner).toMatchObject({ text: treasurer, names: { [treasurer.toLowerCase()]: 'Tina' } });
    expect(JSON.parse(accounts?.text ?? '')).toEqual([
      { owner: treasurer, amount: '5', label: HOSTILE_LABEL },
      { owner: `0x${'2'.repeat(40)}`, amount: String(2n ** 200n), label: 'second' },
    ]);
    expect(accounts?.values.map(({ name, depth, value }) => [name, depth, value]).slice(1, 5)).toEqual([
      ['0', 1, ''],
      ['owner', 2, checksumAddress(treasurer)],
      ['amount', 2, '5'],
      ['label', 2, HOSTILE_LABEL],
    ]);
  });

  test('are those of the requested block', async () => {
    expect((await read([['total()']], String(firstBlock)))[0]?.text).toBe('5');
    await expect(read([['total()']], '1000000')).rejects.toThrow(/block 1000000/);
  });

  test('of several calls come in one request to the node', async () => {
    requests.length = 0;
    await read([['total()'], ['treasurer()'], ['accounts()'], ['closed()']]);
    expect(requests.filter(id => id === 'contractCalls')).toHaveLength(1);
  });

  test('take tuples, lists and saved names as arguments', async () => {
    const sum = 'sum((address,uint256,string)[],uint256[2])';
    expect(
      (await readOne(sum, `[(${treasurer}, 7, "x"), {owner: ${treasurer}, amount: 0x10, label: "y"}]`, '[1, 2]')).text,
    ).toBe('26');
    const account = await readOne('accountAt(uint256,address)', '0', ' tina ');
    expect(JSON.parse(account.text)).toMatchObject({ account: { owner: treasurer }, isFirst: true });
  });
});

describe('values in hovers', () => {
  test('are those of the named functions that the contract has; one that reverts is left out', async () => {
    const wanted = ['treasurer', 'closed', 'missing', 'total() returns (uint256)', 'share', 'gone() returns (uint256)'];
    const getName = (address: Hex) => ports.getName(address, 'local');
    const summary = { address: proxy, token: null };
    expect(await fetchContractValues(wanted, summary, 'local', ports, getName, signal)).toEqual([
      { name: 'treasurer', text: 'Tina' },
      { name: 'total', text: formatInteger(2n ** 200n + 5n) },
    ]);
  });

  test('are in the unit of the token', async () => {
    const token = { standard: 'ERC20', name: 'Fee', symbol: 'MFT', decimals: 2, totalSupply: null } as const;
    const output = `0x${(125_050).toString(16).padStart(64, '0')}`;
    const lookup = async (...[id, input]: Parameters<typeof ports.lookup>) =>
      id === 'contractCalls' ? { kind: 'calls', results: [{ outcome: 'returned', output }] } : ports.lookup(id, input);
    const tokenPorts = { ...ports, lookup: lookup as unknown as typeof ports.lookup };
    const values = fetchContractValues(
      ['totalSupply() returns (uint256)'],
      { address: proxy, token },
      'local',
      tokenPorts,
      () => null,
      signal,
    );
    expect(await values).toEqual([{ name: 'totalSupply', text: '1,250.5 MFT' }]);
  });
});

describe('what is no result', () => {
  test('a revert says why: a text, a panic, a custom error of the implementation with names', async () => {
    const [text, panic, custom] = await read([
      ['closed()'],
      ['share(uint256,uint256)', '1', '0'],
      ['accountAt(uint256,address)', '9', treasurer],
    ]);
    expect(text).toMatchObject({ outcome: 'reverted', message: 'Ledger: closed' });
    expect(panic).toMatchObject({ outcome: 'reverted', message: 'Panic(0x12): division or modulo by zero' });
    expect(custom).toMatchObject({ outcome: 'reverted', message: 'NoSuchAccount(index: 9, asked: Tina)' });
  });

  test('a wrong argument is named, and nothing is sent', async () => {
    requests.length = 0;
    const result = await readOne('accountAt(uint256,address)', '-1', 'Someone else');
    expect(result.outcome).toBe('invalid');
    expect(result.issues).toEqual([
      expect.stringMatching(/^index must be a whole number of uint256/),
      'asked must be an address: 0x and 40 hex digits',
    ]);
    expect(requests).not.toContain('contractCalls');
  });

  test('a private key of a development account is not sent', async () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    const result = await readOne('seen(bytes32 hash) returns (bool)', key);
    expect([result.outcome, result.values]).toEqual(['invalid', []]);
  });

  test('an account without code, and a function that the contract does not have', async () => {
    const [missing] = await read([['total() returns (uint256)']], 'latest', `0x${'9'.repeat(40)}`);
    expect(missing).toMatchObject({ outcome: 'failed', message: expect.stringContaining('Nothing was returned') });
    const [other] = await read([['symbol() returns (string)']]);
    expect(other?.outcome).toBe('reverted');
    expect(await readOne('gone()')).toMatchObject({ outcome: 'failed' });
  });
});

test('the ABIs of a verified contract that were loaded stay when that of another part of it can not be', async () => {
  const abi = JSON.stringify([{ type: 'function', name: 'cap', inputs: [], outputs: [], stateMutability: 'view' }]);
  const lookup = (async (id: string, input: { readonly address: string }) => {
    if (id === 'contractCode') return { proxy: { implementations: [`0x${'22'.repeat(20)}`] }, delegate: null };
    if (input.address !== proxy) throw new HexLensError('rate-limited', 'abis.example is limiting requests.');
    return { found: { host: 'abis.example', match: 'exact', name: 'Vault', abi } };
  }) as unknown as ContractReadPorts['lookup'];
  const messages: string[] = [];
  const { loadVerifiedAbi } = createContractReadHandlers({
    ...ports,
    lookup,
    getVerifiedHosts: async () => ['abis.example'],
    loadAbis: async () => createAbiRegistry(),
  });
  await loadVerifiedAbi(
    { chain: 'eth', address: proxy },
    { sendPart: ({ message }) => messages.push(message), signal },
  );
  expect(messages).toEqual(['Vault, exact match at abis.example · abis.example is limiting requests.']);
});
