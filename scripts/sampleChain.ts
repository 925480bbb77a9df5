// `npm run sample`: compiles the contracts of the sample workspace, sends transactions to a real Anvil, and records its answers.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi } from 'ox/Abi';
import { fromAbi as constructorFromAbi, encode as encodeConstructor } from 'ox/AbiConstructor';
import { encodeData, fromAbi } from 'ox/AbiFunction';
import { checksumAddress } from '../src/base/checksumAddress.ts';
import { type Hex, isHex } from '../src/base/hex.ts';
import type { RecordedAccount, RecordedChain } from '../src/service/sample/recordedChain.ts';
import { type Anvil, startAnvil } from '../test/support/chain/anvil.ts';
import { sampleFiles } from './sampleFiles.ts';

const require = createRequire(import.meta.url);
const workspace = fileURLToPath(new URL('../media/sample/', import.meta.url));

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

interface Contract {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

/** Writes the artifacts as Hardhat 2 does, and returns the contracts by name. */
function compile(): ReadonlyMap<string, Contract> {
  const paths = readdirSync(`${workspace}contracts`).map(name => `contracts/${name}`);
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(paths.map(path => [path, { content: readFileSync(workspace + path, 'utf8') }])),
    settings: {
      outputSelection: {
        '*': {
          '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers', 'storageLayout'],
          '': ['ast'],
        },
      },
    },
  };
  const solc = require('solc') as { compile(text: string): string; version(): string };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    readonly errors?: readonly { readonly formattedMessage: string }[];
    readonly contracts: Readonly<Record<string, Readonly<Record<string, Contract>>>>;
  };
  if (output.errors !== undefined) throw new Error(output.errors.map(error => error.formattedMessage).join('\n'));
  rmSync(`${workspace}artifacts`, { recursive: true, force: true });
  const solcLongVersion = solc.version().replace(/\.Emscripten.*$/, '');
  const info = { _format: 'hh-sol-build-info-1', id: 'sample', solcVersion: '0.8.30', solcLongVersion, input, output };
  write(`${workspace}artifacts/build-info/sample.json`, JSON.stringify(info));
  const contracts = new Map<string, Contract>();
  for (const [sourceName, ofSource] of Object.entries(output.contracts))
    for (const [contractName, contract] of Object.entries(ofSource)) {
      contracts.set(contractName, contract);
      const artifact = {
        _format: 'hh-sol-artifact-1',
        contractName,
        sourceName,
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
        deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
        linkReferences: {},
        deployedLinkReferences: {},
      };
      const path = `${workspace}artifacts/${sourceName}/${contractName}`;
      write(`${path}.json`, `${JSON.stringify(artifact, null, 2)}\n`);
      write(
        `${path}.dbg.json`,
        `${JSON.stringify({ _format: 'hh-sol-dbg-1', buildInfo: '../../build-info/sample.json' })}\n`,
      );
    }
  return contracts;
}

/** Gas limit of every transaction, so that failing ones are sent too. */
const GAS = '0x7a120';
const UNIT = 10n ** 18n;

interface Receipt {
  readonly transactionHash: Hex;
  readonly contractAddress: Hex | null;
  readonly status: Hex;
}

/** Sends one transaction per block. */
class Story {
  readonly #anvil: Anvil;
  readonly #contracts: ReadonlyMap<string, Contract>;

  constructor(anvil: Anvil, contracts: ReadonlyMap<string, Contract>) {
    this.#anvil = anvil;
    this.#contracts = contracts;
  }

  #find(name: string): Contract {
    const contract = this.#contracts.get(name);
    if (contract === undefined) throw new Error(`There is no contract ${name}.`);
    return contract;
  }

  async #send(transaction: object): Promise<Receipt> {
    const { rpc } = this.#anvil;
    const hash = await rpc<Hex>('eth_sendTransaction', [
      { gas: GAS, maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00', ...transaction },
    ]);
    await this.#anvil.mine();
    return rpc<Receipt>('eth_getTransactionReceipt', [hash]);
  }

  encode(name: string, method: string, args: readonly unknown[]): Hex {
    return encodeData(fromAbi(this.#find(name).abi, method) as never, args as never);
  }

  async deploy(from: Hex, name: string, args: readonly unknown[] = []): Promise<Hex> {
    const { abi, evm } = this.#find(name);
    const bytecode: Hex = `0x${evm.bytecode.object}`;
    const hasConstructor = abi.some(({ type }) => type === 'constructor');
    const data = hasConstructor
      ? encodeConstructor(constructorFromAbi(abi), { bytecode, args: args as never })
      : bytecode;
    const { contractAddress } = await this.#send({ from, data, gas: '0x2dc6c0' });
    if (contractAddress === null) throw new Error(`${name} was not deployed.`);
    return checksumAddress(contractAddress);
  }

  async call(
    from: Hex,
    to: Hex,
    name: string,
    method: string,
    args: readonly unknown[],
    status: Hex = '0x1',
  ): Promise<Hex> {
    const receipt = await this.#send({ from, to, data: this.encode(name, method, args) });
    if (receipt.status !== status) throw new Error(`${method} has the status ${receipt.status}.`);
    return receipt.transactionHash;
  }
}

async function tell(anvil: Anvil, contracts: ReadonlyMap<string, Contract>) {
  const story = new Story(anvil, contracts);
  const [deployer, alice, bob] = (await anvil.rpc<Hex[]>('eth_accounts')).map(checksumAddress);
  if (deployer === undefined || alice === undefined || bob === undefined) throw new Error('Anvil has no accounts.');
  const token = await story.deploy(deployer, 'HarborToken');
  const implementation = await story.deploy(deployer, 'HarborVault');
  const initialize = story.encode('HarborVault', 'initialize', [token]);
  const vault = await story.deploy(deployer, 'HarborProxy', [implementation, initialize]);
  for (const [account, value] of [
    [alice, 500n],
    [bob, 200n],
  ] as const) {
    await story.call(deployer, token, 'HarborToken', 'mint', [account, value * UNIT]);
    await story.call(account, token, 'HarborToken', 'approve', [vault, 1_000n * UNIT]);
  }
  const deposited = await story.call(alice, vault, 'HarborVault', 'deposit', [120n * UNIT]);
  await story.call(bob, vault, 'HarborVault', 'deposit', [75n * UNIT]);
  const withdrawn = await story.call(alice, vault, 'HarborVault', 'withdraw', [20n * UNIT]);
  const paid = await story.call(alice, token, 'HarborToken', 'transfer', [bob, 30n * UNIT]);
  const failed = await story.call(bob, vault, 'HarborVault', 'withdraw', [90n * UNIT], '0x0');
  const locked = await story.call(deployer, vault, 'HarborVault', 'lock', [bob]);
  const refused = await story.call(bob, vault, 'HarborVault', 'withdraw', [5n * UNIT], '0x0');
  return { deployer, alice, bob, token, implementation, vault, deposited, withdrawn, paid, failed, locked, refused };
}

export type SampleStory = Awaited<ReturnType<typeof tell>>;

type Prestate = Readonly<Record<Hex, { readonly storage?: Readonly<Record<Hex, Hex>> }>>;

/** Accounts and slots that any transaction touched. */
async function listState({ rpc }: Anvil, hashes: readonly Hex[]): Promise<ReadonlyMap<Hex, ReadonlySet<Hex>>> {
  const state = new Map<Hex, Set<Hex>>();
  for (const hash of hashes) {
    const diff = await rpc<{ pre: Prestate; post: Prestate }>('debug_traceTransaction', [
      hash,
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    ]);
    const read = await rpc<Prestate>('debug_traceTransaction', [hash, { tracer: 'prestateTracer' }]);
    for (const accounts of [diff.pre, diff.post, read])
      for (const [address, { storage }] of Object.entries(accounts)) {
        const slots = state.get(address as Hex) ?? new Set();
        for (const slot of Object.keys(storage ?? {})) slots.add(slot as Hex);
        state.set(address as Hex, slots);
      }
  }
  return state;
}

/** `[block, value]` from where the value is another one. */
async function recordValue(
  read: (block: Hex) => Promise<Hex>,
  head: number,
): Promise<readonly (readonly [number, Hex])[]> {
  const changes: (readonly [number, Hex])[] = [];
  for (let block = 0; block <= head; block++) {
    const value = await read(`0x${block.toString(16)}`);
    if (value !== changes.at(-1)?.[1]) changes.push([block, value]);
  }
  return changes;
}

async function record(anvil: Anvil): Promise<RecordedChain> {
  const { rpc } = anvil;
  const head = Number(await rpc<Hex>('eth_blockNumber'));
  const blocks: RecordedChain['blocks'][number][] = [];
  for (let number = 0; number <= head; number++) {
    const block = await rpc<RecordedChain['blocks'][number]['block']>('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      true,
    ]);
    const receipts = await rpc<RecordedChain['blocks'][number]['receipts']>('eth_getBlockReceipts', [
      `0x${number.toString(16)}`,
    ]);
    blocks.push({ block, receipts });
  }
  const hashes = blocks.flatMap(({ receipts }) => receipts.map(({ transactionHash }) => transactionHash)).filter(isHex);
  const touched = await listState(anvil, hashes);
  const accounts: Record<Hex, RecordedAccount> = {};
  const genesis = await rpc<Hex[]>('eth_accounts');
  for (const address of new Set([...touched.keys(), ...genesis])) {
    const at = (method: string) => (block: Hex) => rpc<Hex>(method, [address, block]);
    const storage: Record<Hex, readonly (readonly [number, Hex])[]> = {};
    for (const slot of touched.get(address) ?? [])
      storage[slot] = await recordValue(block => rpc<Hex>('eth_getStorageAt', [address, slot, block]), head);
    accounts[address] = {
      balance: await recordValue(at('eth_getBalance'), head),
      nonce: await recordValue(at('eth_getTransactionCount'), head),
      code: await recordValue(at('eth_getCode'), head),
      storage,
    };
  }
  return { chainId: 31337, blocks, accounts };
}

const contracts = compile();
const anvil = await startAnvil({ timestamp: 1_790_000_000 });
try {
  const story = await tell(anvil, contracts);
  writeFileSync(
    fileURLToPath(new URL('../src/service/sample/chain.json', import.meta.url)),
    JSON.stringify(await record(anvil)),
  );
  for (const [path, text] of sampleFiles(story)) write(workspace + path, text);
  console.log(story);
} finally {
  await anvil.stop();
}
