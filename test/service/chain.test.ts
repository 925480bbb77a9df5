// Checks the test chain on a real Anvil: other tests rely on these properties.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { decodeResult, encodeData, from as functionFrom } from 'ox/AbiFunction';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checksumAddress, getChecksumState } from '../../src/base/checksumAddress.ts';
import { type Hex, hexToBytes, isHash, toQuantity } from '../../src/base/hex.ts';
import { type Anvil, BLOCK_INTERVAL, GENESIS_TIMESTAMP, startAnvil } from '../support/chain/anvil.ts';
import { emitLogs, mineBusyBlock } from '../support/chain/chainLoad.ts';
import { compileContracts, loadSolc, type Solc } from '../support/chain/compileContracts.ts';
import { getEventTopic } from '../support/chain/contractAbis.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { startFilledAnvil } from '../support/chain/filledAnvil.ts';
import { createJsonRpc } from '../support/chain/jsonRpc.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { moveFiles } from '../support/chain/movePackageFiles.ts';
import { writeSampleWorkspace } from '../support/chain/sampleWorkspace.ts';
import {
  ACCOUNT_NAMES,
  BLOCK_NAMES,
  CONTRACT_NAMES,
  type TestChain,
  TRANSACTION_NAMES,
  type TransactionName,
} from '../support/chain/testChain.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

interface Receipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly type: Hex;
  readonly blockNumber: Hex;
  readonly contractAddress: Hex | null;
  readonly gasUsed: Hex;
  readonly logs: readonly Log[];
}

interface Block {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly Hex[];
}

interface Trace {
  readonly type: string;
  readonly error?: string;
  readonly transactionHash: Hex;
  readonly traceAddress: readonly number[];
  readonly action: {
    readonly callType?: string;
    readonly to?: Hex;
    readonly value?: Hex;
    readonly creationMethod?: string;
  };
}

const ETHER = 10n ** 18n;
let anvil: Anvil;
let chain: TestChain;

beforeAll(async () => {
  anvil = await startAnvil();
  chain = await fillChain(anvil);
});

afterAll(() => anvil?.stop());

const fetchReceipt = (name: TransactionName) =>
  anvil.rpc<Receipt>('eth_getTransactionReceipt', [chain.transactions[name]]);

const read = {
  ownerOf: functionFrom('function ownerOf(uint256 id) view returns (address)'),
  tokenURI: functionFrom('function tokenURI(uint256 id) view returns (string)'),
  tokenOfOwnerByIndex: functionFrom(
    'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
  ),
  itemBalance: functionFrom('function balanceOf(address owner, uint256 id) view returns (uint256)'),
  itemSupply: functionFrom('function totalSupply(uint256 id) view returns (uint256)'),
  balanceOf: functionFrom('function balanceOf(address owner) view returns (uint256)'),
  totalSupply: functionFrom('function totalSupply() view returns (uint256)'),
  name: functionFrom('function name() view returns (string)'),
  symbol: functionFrom('function symbol() view returns (string)'),
  oldName: functionFrom('function name() view returns (bytes32)'),
  decimals: functionFrom('function decimals() view returns (uint8)'),
};

const call = (to: Hex, data: Hex) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] });

const sum = (amounts: Iterable<string>) => [...amounts].reduce((total, amount) => total + BigInt(amount), 0n);

describe('the scenario', () => {
  it('names every account, contract, transaction and block once', async () => {
    expect(Object.keys(chain.accounts).sort()).toEqual([...ACCOUNT_NAMES].sort());
    expect(Object.keys(chain.contracts).sort()).toEqual([...CONTRACT_NAMES].sort());
    expect(Object.keys(chain.transactions).sort()).toEqual([...TRANSACTION_NAMES].sort());
    expect(Object.keys(chain.blocks).sort()).toEqual([...BLOCK_NAMES].sort());
    expect(new Set(Object.values(chain.transactions)).size).toBe(TRANSACTION_NAMES.length);
    const codes = await anvil.batch<Hex>(
      [...Object.values(chain.contracts), chain.vacant, chain.accounts.idle].map(address => ({
        method: 'eth_getCode',
        params: [address, 'latest'],
      })),
    );
    expect(codes.slice(0, CONTRACT_NAMES.length).filter(code => code === '0x')).toEqual([]);
    expect(codes.slice(CONTRACT_NAMES.length)).toEqual(['0x', '0x']);
    expect(JSON.parse(JSON.stringify(chain))).toEqual(chain);
  });

  it('has failed transactions exactly where their names say so', async () => {
    const receipts = await Promise.all(TRANSACTION_NAMES.map(fetchReceipt));
    const failed = TRANSACTION_NAMES.filter((_, index) => receipts[index]?.status === '0x0');
    expect(failed).toEqual(TRANSACTION_NAMES.filter(name => name.startsWith('failed')));
    const outOfGas = receipts[TRANSACTION_NAMES.indexOf('failedOutOfGas')];
    expect(Number(outOfGas?.gasUsed)).toBe(200_000);
  });

  it('reverts with a custom error, a reason, a panic and a failed creation', async () => {
    const outputs = await Promise.all(
      (['failed', 'failedReason', 'failedPanic', 'failedCreation'] as const).map(async name => {
        const trace = await anvil.rpc<{ output?: Hex; error: string }>('debug_traceTransaction', [
          chain.transactions[name],
          { tracer: 'callTracer' },
        ]);
        return trace.output?.slice(0, 10) ?? '0x';
      }),
    );
    expect(outputs).toEqual([getEventTopic('TooMuch(uint256,uint256)').slice(0, 10), '0x08c379a0', '0x4e487b71', '0x']);
  });

  it('has legacy, access-list and fee-market transactions, and contract creations', async () => {
    const types = await Promise.all(
      (['ethTransferLegacy', 'ethTransferAccessList', 'ethTransfer'] as const).map(fetchReceipt),
    );
    expect(types.map(receipt => receipt.type)).toEqual(['0x0', '0x1', '0x2']);
    expect(checksumAddress((await fetchReceipt('creation')).contractAddress ?? '')).toBe(chain.contracts.apes);
    expect(checksumAddress((await fetchReceipt('creationOfSeaport')).contractAddress ?? '')).toBe(
      chain.contracts.seaport,
    );
  });

  it('has blocks 12 seconds apart, an empty one and a busy one, with the described hashes', async () => {
    for (const name of BLOCK_NAMES) {
      const described = chain.blocks[name];
      const block = await anvil.rpc<Block>('eth_getBlockByNumber', [toQuantity(described.number), false]);
      expect([block.hash, Number(block.timestamp), block.transactions.length]).toEqual([
        described.hash,
        GENESIS_TIMESTAMP + described.number * BLOCK_INTERVAL,
        described.transactions,
      ]);
      expect(described.timestamp).toBe(Number(block.timestamp));
    }
    expect(chain.blocks.empty.transactions).toBe(0);
    expect(chain.blocks.busy.transactions).toBe(80);
    expect(chain.genesisHash).toBe(chain.blocks.genesis.hash);
    const latest = await anvil.rpc<Block>('eth_getBlockByNumber', ['latest', false]);
    expect([Number(latest.number), latest.hash]).toEqual([60, chain.head.hash]);
    const tags = await anvil.batch<Block>(
      ['finalized', 'safe'].map(tag => ({ method: 'eth_getBlockByNumber', params: [tag, false] })),
    );
    expect(tags.map(block => Number(block.number))).toEqual([60 - 16, 60 - 8]);
  });
});

describe('the tokens', () => {
  it('has the described owner of every ERC-721 id, and none of burned ones', async () => {
    for (const collection of ['apes', 'art'] as const) {
      const tokens = Object.entries(chain.holdings[collection]);
      expect(tokens.length).toBeGreaterThan(collection === 'apes' ? 30 : 1);
      for (const [id, owner] of tokens) {
        const answer = anvil.rpc<Hex>('eth_call', [
          { to: chain.contracts[collection], data: encodeData(read.ownerOf, [BigInt(id)]) },
          'latest',
        ]);
        if (owner === null) await expect(answer).rejects.toMatchObject({ code: 'node-error' });
        else expect(checksumAddress(decodeResult(read.ownerOf, await answer))).toBe(owner);
      }
    }
    expect(chain.holdings.apes['6']).toBeNull();
    expect(Object.keys(chain.holdings.apes)).toContain((2n ** 255n + 7n).toString());
  });

  it('has the described ERC-1155 balances, and no others', async () => {
    const owners = Object.values(chain.accounts);
    const ids = Array.from({ length: 8 }, (_, index) => BigInt(index + 1));
    const pairs = owners.flatMap(owner => ids.map(id => ({ owner, id })));
    const answers = await anvil.batch<Hex>(
      pairs.map(({ owner, id }) => call(chain.contracts.items, encodeData(read.itemBalance, [owner, id]))),
    );
    const described = pairs.map(({ owner, id }) => BigInt(chain.holdings.items[owner]?.[id.toString()] ?? '0'));
    expect(answers.map(answer => BigInt(answer))).toEqual(described);
    expect(described.filter(amount => amount > 0n).length).toBeGreaterThan(15);
    const supplies = await anvil.batch<Hex>(
      ids.map(id => call(chain.contracts.items, encodeData(read.itemSupply, [id]))),
    );
    expect(supplies.reduce((total, supply) => total + BigInt(supply), 0n)).toBe(
      sum(Object.values(chain.holdings.items).flatMap(kinds => Object.values(kinds))),
    );
  });

  it('has the described ERC-20 balances, whose sum is the supply', async () => {
    for (const token of ['coin', 'usdx'] as const) {
      const contract = chain.contracts[token];
      const owners = Object.values(chain.accounts);
      const answers = await anvil.batch<Hex>(owners.map(owner => call(contract, encodeData(read.balanceOf, [owner]))));
      expect(answers.map(answer => BigInt(answer))).toEqual(
        owners.map(owner => BigInt(chain.holdings[token][owner] ?? '0')),
      );
      const supply = await anvil.rpc<Hex>('eth_call', call(contract, encodeData(read.totalSupply)).params);
      expect(BigInt(supply)).toBe(sum(Object.values(chain.holdings[token])));
    }
  });

  it('has decimals, on-chain images, stored URIs, enumeration, hostile and bytes32 names', async () => {
    const { apes, art, coin, usdx, hostile, oldToken } = chain.contracts;
    const text = async (to: Hex, fn: typeof read.name | typeof read.symbol) =>
      decodeResult(fn, await anvil.rpc<Hex>('eth_call', call(to, encodeData(fn)).params));
    const decimals = await anvil.batch<Hex>([coin, usdx, oldToken].map(to => call(to, encodeData(read.decimals))));
    expect(decimals.map(Number)).toEqual([18, 6, 9]);
    expect(await text(hostile, read.name)).toBe(HOSTILE_NAME);
    expect(await text(hostile, read.symbol)).toBe(HOSTILE_SYMBOL);
    const oldName = await anvil.rpc<Hex>('eth_call', call(oldToken, encodeData(read.oldName)).params);
    expect(Buffer.from(hexToBytes(oldName)).toString('utf8').replace(/\0+$/, '')).toBe('Old Test Token');
    const fetchUri = async (to: Hex) =>
      decodeResult(read.tokenURI, await anvil.rpc<Hex>('eth_call', call(to, encodeData(read.tokenURI, [1n])).params));
    const metadata = JSON.parse(
      Buffer.from((await fetchUri(apes)).split('base64,')[1] ?? '', 'base64').toString('utf8'),
    );
    expect(metadata).toMatchObject({ name: 'Ape #1', attributes: [{ value: 'curious' }, { value: 1 }] });
    expect(Buffer.from(metadata.image.split('base64,')[1], 'base64').toString('utf8')).toMatch(
      /^<svg .*#1<\/text><\/svg>$/,
    );
    expect(await fetchUri(art)).toContain('"image":"ipfs://bafy/1.png"');
    const first = await anvil.rpc<Hex>(
      'eth_call',
      call(art, encodeData(read.tokenOfOwnerByIndex, [chain.accounts.erin, 0n])).params,
    );
    expect(BigInt(first)).toBe(1n);
  });

  it('emits logs with the described topics, in the form of their standards', async () => {
    const { topics } = chain;
    const mints = await fetchReceipt('mintApes');
    expect(mints.logs.map(log => [log.topics.length, log.topics[0], BigInt(log.topics[3] ?? 0)])).toEqual(
      [2n, 3n, 4n, 5n, 6n].map(id => [4, topics.transfer, id]),
    );
    const [coinLog] = (await fetchReceipt('transferCoin')).logs;
    expect([coinLog?.topics.length, coinLog?.topics[0], BigInt(coinLog?.data ?? 0)]).toEqual([
      3,
      topics.transfer,
      (25n * ETHER) / 2n,
    ]);
    const expected = {
      mintItem: topics.transferSingle,
      batchMint: topics.transferBatch,
      batchTransfer: topics.transferBatch,
      burnItems: topics.transferBatch,
      approveCoin: topics.approval,
      approveAll: topics.approvalForAll,
      deposit: topics.deposited,
      internalSplit: topics.paid,
      internal: topics.refused,
      sale: topics.orderFulfilled,
    } satisfies Partial<Record<TransactionName, Hex>>;
    for (const [name, topic] of Object.entries(expected)) {
      const { logs } = await fetchReceipt(name as TransactionName);
      expect(
        logs.map(log => log.topics[0]),
        name,
      ).toContain(topic);
    }
  });
});

describe('internal transfers', () => {
  const tracesOf = async (name: TransactionName) => {
    const traces = await anvil.rpc<Trace[]>('trace_block', [toQuantity(chain.blocks.internal.number)]);
    return traces.filter(trace => trace.transactionHash === chain.transactions[name]);
  };

  it('pass through four nested calls, after one that reverts and is caught', async () => {
    const traces = await tracesOf('internal');
    const value = traces.find(trace => trace.traceAddress.length === 4);
    expect(checksumAddress(value?.action.to ?? '')).toBe(chain.accounts.erin);
    expect(BigInt(value?.action.value ?? 0)).toBe(2n * ETHER);
    const refused = traces.filter(trace => trace.error !== undefined);
    expect(refused.map(trace => checksumAddress(trace.action.to ?? ''))).toEqual([chain.contracts.picky]);
    expect((await fetchReceipt('internal')).status).toBe('0x1');
  });

  it('split a value, and create and destroy contracts', async () => {
    const split = await tracesOf('internalSplit');
    expect(split.slice(1).map(trace => BigInt(trace.action.value ?? 0))).toEqual([ETHER, ETHER, ETHER, ETHER]);
    const purses = await tracesOf('internalCreate');
    expect(purses.map(trace => trace.type)).toEqual(['call', 'create', 'create', 'call', 'suicide']);
  });

  it('are in the results of the call tracer', async () => {
    interface Frame {
      readonly calls?: readonly Frame[];
    }
    const depth = (frame: Frame): number => 1 + Math.max(0, ...(frame.calls ?? []).map(depth));
    const frames = await anvil.rpc<{ txHash: Hex; result: Frame }[]>('debug_traceBlockByNumber', [
      toQuantity(chain.blocks.internal.number),
      { tracer: 'callTracer' },
    ]);
    const internal = frames.find(frame => frame.txHash === chain.transactions.internal);
    expect(depth(internal?.result ?? {})).toBe(5);
  });
});

describe('the marketplace', () => {
  it('sells for ether with a fee, for a bid, and two tokens at once', async () => {
    const { apes, art, coin, seaport } = chain.contracts;
    const { transactions, accounts } = chain;
    const values = await Promise.all(
      (['sale', 'bid', 'bundle'] as const).map(async name => {
        const { value } = await anvil.rpc<{ value: Hex }>('eth_getTransactionByHash', [transactions[name]]);
        const { logs } = await fetchReceipt(name);
        const sold = logs.filter(log => log.topics[0] === chain.topics.orderFulfilled);
        const moved = logs.filter(log => log.topics[0] === chain.topics.transfer);
        return {
          value: BigInt(value),
          market: sold.map(log => checksumAddress(log.address)),
          moved: moved.map(log => checksumAddress(log.address)).sort(),
        };
      }),
    );
    expect(values).toEqual([
      { value: ETHER, market: [seaport], moved: [apes] },
      { value: 0n, market: [seaport], moved: [apes, coin, coin].sort() },
      { value: 3n * ETHER, market: [seaport], moved: [apes, art].sort() },
    ]);
    const fees = await anvil.rpc<Hex>('eth_getBalance', [accounts.fees, 'latest']);
    expect(BigInt(fees) - 10_000n * ETHER).toBe((4n * ETHER) / 40n);
    expect(chain.holdings.coin[accounts.fees]).toBe(ETHER.toString());
  });
});

describe('determinism', () => {
  it('gives the same hashes on every run, and a shorter fill is a prefix of a longer one', async () => {
    const [again, short] = await Promise.all([startAnvil(), startAnvil()]);
    try {
      const twin = await fillChain(again);
      expect({ ...twin, url: '' }).toEqual({ ...chain, url: '' });
      const prefix = await fillChain(short, { blocks: 20 });
      expect(prefix.transactions).toEqual(chain.transactions);
      const same = await anvil.rpc<Block>('eth_getBlockByNumber', [toQuantity(20), false]);
      expect(prefix.head).toMatchObject({ number: 20, hash: same.hash });
    } finally {
      await Promise.all([again.stop(), short.stop()]);
    }
  });

  it('is the same chain when it is started from its saved state', async () => {
    const own = await startAnvil();
    const blocks = chain.head.number;
    const nodes = [{ anvil: own, chain: await fillChain(own) }, await startFilledAnvil({ blocks })] as const;
    const read = async (node: Anvil) => {
      const numbers = Array.from({ length: chain.head.number + 1 }, (_, number) => toQuantity(number));
      const of = (method: string, hash: Hex, ...more: unknown[]) => ({ method, params: [hash, ...more] });
      const list = Object.values(chain.transactions);
      return {
        blocks: await node.batch(numbers.map(number => ({ method: 'eth_getBlockByNumber', params: [number, true] }))),
        logs: await node.rpc('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]),
        receipts: await node.batch(list.map(hash => of('eth_getTransactionReceipt', hash))),
        traces: await node.batch(list.map(hash => of('debug_traceTransaction', hash, { tracer: 'callTracer' }))),
        oldBalances: await node.batch(numbers.map(number => of('eth_getBalance', chain.accounts.alice, number))),
        automine: await node.rpc('anvil_getAutomine'),
      };
    };
    try {
      const [filled, loaded] = [await read(nodes[0].anvil), await read(nodes[1].anvil)];
      expect(loaded).toEqual(filled);
      expect(loaded.automine).toBe(false);
      expect(nodes[1].chain).toEqual({ ...chain, url: nodes[1].anvil.url });
      for (const { anvil: node } of nodes) await node.mine();
      const [head, twin] = await Promise.all(
        nodes.map(({ anvil: node }) => node.rpc<Block>('eth_getBlockByNumber', ['latest', false])),
      );
      expect(twin?.timestamp).toBe(head?.timestamp);
    } finally {
      await Promise.all(nodes.map(node => node.anvil.stop()));
    }
  });

  it('has another genesis hash with another genesis timestamp', async () => {
    const other = await startAnvil({ timestamp: GENESIS_TIMESTAMP + 1, chainId: 1 });
    try {
      const genesis = await other.rpc<Block>('eth_getBlockByNumber', ['0x0', false]);
      expect(genesis.hash).not.toBe(chain.genesisHash);
      expect(await other.rpc('eth_chainId')).toBe('0x1');
    } finally {
      await other.stop();
    }
  });
});

describe('after the fill', () => {
  it('mines on request: a transaction, busy blocks and many logs', async () => {
    const own = await startAnvil();
    try {
      await expect(fillChain(own, { blocks: 301 })).rejects.toMatchObject({ code: 'bad-input' });
      await expect(fillChain(own, { blocks: 19 })).rejects.toThrow('blocks must be a whole number from 20 to 300');
      const { accounts, head } = await fillChain(own, { blocks: 20 });
      await expect(fillChain(own)).rejects.toThrow('The chain already has 20 blocks');
      const { number, receipts: sent } = await mineBlock(own, [{ from: accounts.idle, to: accounts.alice, value: 1n }]);
      expect([number, sent.map(receipt => receipt.status)]).toEqual([head.number + 1, ['0x1']]);

      const busy = await mineBusyBlock(own, 700); // more than fits in a block of 30,000,000 gas
      const receipts = await own.rpc<Receipt[]>('eth_getBlockReceipts', [toQuantity(busy.number)]);
      expect(receipts.map(receipt => receipt.transactionHash)).toEqual(busy.transactionHashes);
      expect(receipts.every(receipt => receipt.status === '0x1' && receipt.logs.length === 3)).toBe(true);
      expect(busy.logs).toBe(2_100);

      const load = await emitLogs(own, 1_234);
      const logs = await own.rpc<Log[]>('eth_getLogs', [
        { fromBlock: toQuantity(load.fromBlock), toBlock: toQuantity(load.toBlock), address: load.contract },
      ]);
      expect(logs.length).toBe(1_234);
      expect(new Set(logs.map(log => log.topics.length))).toEqual(new Set([3, 4]));
      expect(await own.rpc('anvil_getAutomine')).toBe(false);
      await expect(emitLogs(own, 0)).rejects.toMatchObject({ issues: [{ field: 'logs' }] });
    } finally {
      await own.stop();
    }
  });
});

describe('the process', () => {
  const exists = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('reports a missing binary, a used port and an unknown argument with a fix', async () => {
    await expect(startAnvil({ binary: '/nowhere/anvil' })).rejects.toMatchObject({
      code: 'no-node',
      message: 'There is no Anvil at /nowhere/anvil.',
      fix: expect.stringContaining('npm ci'),
    });
    await expect(startAnvil({ port: anvil.port })).rejects.toMatchObject({
      code: 'node-unreachable',
      message: expect.stringContaining('Address already in use'),
      fix: expect.stringContaining('Choose another port'),
    });
    await expect(startAnvil({ args: ['--nonsense'] })).rejects.toThrow('--nonsense');
  });

  it('ends and deletes its folder on stop, which may be called twice; later calls reject', async () => {
    const own = await startAnvil();
    expect([exists(own.pid), existsSync(own.folder)]).toEqual([true, true]);
    await Promise.all([own.stop(), own.stop()]);
    await own.stop();
    expect([exists(own.pid), existsSync(own.folder)]).toEqual([false, false]);
    await expect(own.rpc('eth_chainId')).rejects.toMatchObject({ code: 'node-unreachable' });
  });

  const start = fileURLToPath(new URL('../support/chain/start.ts', import.meta.url));
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', start, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
  const firstLine = async (child: ChildProcess) => {
    for await (const line of createInterface({ input: child.stdout! })) return line;
    return '';
  };
  const ended = (child: ChildProcess) =>
    new Promise<number | null>(resolve => {
      child.once('exit', resolve);
    });
  const answers = (url: string) =>
    fetch(url, { method: 'POST', body: '[]' }).then(
      () => true,
      () => false,
    );

  it('prints one line of JSON when started as a command, and ends on SIGTERM', async () => {
    const child = run(['--blocks', '20']);
    const exit = ended(child);
    const described = JSON.parse(await firstLine(child)) as TestChain;
    expect(described.head.number).toBe(20);
    expect(described.transactions).toEqual(chain.transactions);
    expect(await createJsonRpc(described.url).rpc('anvil_getAutomine'), 'for the user of npm start').toBe(true);
    expect(await answers(described.url)).toBe(true);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(await answers(described.url)).toBe(false);
  });

  it('ends and deletes its files when its parent is killed', async () => {
    const temporary = createTemporaryFolder('hexlens-parent-');
    try {
      const child = run(['--blocks', '20'], { TMPDIR: temporary });
      const { url } = JSON.parse(await firstLine(child)) as TestChain;
      expect(await readdir(temporary)).toHaveLength(2); // of Anvil, and of what is cleaned up
      child.kill('SIGKILL');
      await expect.poll(() => answers(url)).toBe(false);
      await expect.poll(() => readdir(temporary)).toEqual([]);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });

  it('prints its usage for invalid arguments when started as a command', async () => {
    const child = run(['--blocks', '1000']);
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', text => {
      complaint += text;
    });
    expect(await ended(child)).toBe(2);
    expect(complaint).toContain('--blocks must be a whole number from 20 to 300, not "1000".');
    expect(complaint).toContain('Usage: ');
  });
});

describe('the compiler', () => {
  const folder = createTemporaryFolder('hexlens-solc-');

  it('runs again only when its cache is missing, truncated or changed, or an input changed', async () => {
    const file = join(folder, 'deeper', 'contracts.json');
    let runs = 0;
    let output = '';
    const solc: Solc = {
      compile: (input, callbacks) => {
        runs++;
        output ||= real.compile(input, callbacks); // its output is the same each time, and takes seconds
        return output;
      },
    };
    // Two of them: all take ten times as long, and are compiled once on each machine.
    const only = ['Token.sol', 'Vault.sol'];
    const compile = () => compileContracts({ cacheFolder: join(folder, 'deeper'), loadSolc: async () => solc, only });
    const listeners = process.listenerCount('unhandledRejection');
    const real = await loadSolc();
    expect(process.listenerCount('unhandledRejection')).toBe(listeners);

    const right = await compile();
    expect(await compileContracts()).toMatchObject(right);
    expect(Object.keys(right)).toEqual(['Token', 'Forwarder', 'Picky', 'Purse', 'Vault']);
    expect(right.Vault?.bytecode).toMatch(/^0x60[0-9a-f]+$/);
    expect(await compile()).toEqual(right);
    expect(runs).toBe(1);

    const written = await readFile(file, 'utf8');
    const library = '@openzeppelin/contracts/token/ERC20/ERC20.sol';
    const damaged = [
      written.slice(0, 1_000),
      '',
      'null',
      '{}',
      written.replace('"bytecode":"0x60', '"bytecode":"0x61'),
      written.replace(`"${library}":"`, `"${library}":"0`),
      written.replace(`"Vault.sol"`, `"Other.sol"`),
      written.replace('"compiler":"0.8', '"compiler":"0.7'),
    ];
    expect(damaged).not.toContain(written);
    for (const text of damaged) {
      await writeFile(file, text);
      const before = runs;
      expect(await compile()).toEqual(right);
      expect(runs, text.slice(0, 100)).toBe(before + 1);
    }
  });

  it('works in a read-only folder, and reports errors of solc', async () => {
    const blocked = join(folder, 'a-file');
    await writeFile(blocked, '');
    const message = 'ParserError: Expected identifier';
    const complaint = JSON.stringify({ errors: [{ severity: 'error', formattedMessage: message }] });
    const asked = compileContracts({ cacheFolder: blocked, loadSolc: async () => ({ compile: () => complaint }) });
    await expect(asked).rejects.toMatchObject({ code: 'internal', fix: expect.stringContaining(message) });
    const contracts = { 'Apes.sol': { Apes: { abi: [], evm: { bytecode: { object: '6001' } } } } };
    const answer = JSON.stringify({ contracts });
    const compiled = await compileContracts({
      cacheFolder: blocked,
      loadSolc: async () => ({ compile: () => answer }),
    });
    expect(compiled).toEqual({ Apes: { bytecode: '0x6001', abi: [] } });
  });
});

describe('the sample workspace', () => {
  const folder = createTemporaryFolder('hexlens-sample-');

  it('has only hashes of the chain, known topics and the well-known key', async () => {
    const { files, literals } = await writeSampleWorkspace(folder, chain);
    expect(files).not.toContain('.vscode/settings.json');
    const known = new Set<string>([
      ...Object.values(chain.transactions),
      ...Object.values(chain.blocks).map(block => block.hash),
      ...Object.values(chain.topics),
    ]);
    const seen = new Set<string>();
    // The Aptos files are of another chain, made up by the tests of Aptos.
    for (const name of files.filter(file => !moveFiles.has(file))) {
      const text = await readFile(join(folder, name), 'utf8');
      for (const [literal] of text.matchAll(/\b0x[0-9a-fA-F]+\b/g)) {
        if (!isHash(literal)) continue;
        seen.add(literal);
        if (literal === literals.devPrivateKey) expect(name).toBe('.env');
        else expect(known, `${literal} in ${name}`).toContain(literal);
      }
    }
    expect(seen.size).toBeGreaterThan(15);
    expect(seen).toContain(literals.devPrivateKey);
  });

  it('has one mistyped and two shortened addresses, and settings only on request', async () => {
    const { literals, files } = await writeSampleWorkspace(folder, chain, { nodeUrl: chain.url });
    const readme = await readFile(join(folder, 'README.md'), 'utf8');
    const log = await readFile(join(folder, 'transactions.log'), 'utf8');
    expect(getChecksumState(literals.wrongChecksum)).toBe('invalid');
    const addresses = [...readme.matchAll(/\b0x[0-9a-fA-F]{40}\b/g)].map(match => match[0] as Hex);
    expect(addresses.filter(address => getChecksumState(address) !== 'valid')).toEqual([literals.wrongChecksum]);
    expect(readme).toContain(literals.masked);
    expect(log).toContain(literals.maskedInLog);
    expect(literals.masked).toMatch(/^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/);
    expect(log).toContain(literals.calldata);
    expect(files).toContain('.vscode/settings.json');
    const settings = JSON.parse(await readFile(join(folder, '.vscode/settings.json'), 'utf8'));
    expect(settings).toEqual({ 'hexlens.nodes': { local: chain.url } });
  });

  it('reports a folder that can not be written', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await expect(writeSampleWorkspace(join(file, 'below'), chain)).rejects.toMatchObject({
      code: 'bad-input',
      fix: expect.stringContaining('folder'),
    });
  });
});
