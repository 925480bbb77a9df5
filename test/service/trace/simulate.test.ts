// Simulated calls: what they do is what the same calls do when they are sent afterwards.
import { type Abi, encodeFunctionData, type Hex, keccak256, pad, toHex } from 'viem';
import { afterAll, describe, expect, test } from 'vitest';
import type { Simulation } from '../../../src/api/traceTarget.ts';
import { bytesToHex } from '../../../src/base/hex.ts';
import { localize } from '../../../src/base/localize.ts';
import { isUndone, type TraceFrame } from '../../../src/decode/trace/trace.ts';
import type { EvmNode } from '../../../src/service/evm/evmNode.ts';
import { getEffectiveLogs } from '../../../src/service/trace/checkReplay.ts';
import { type FetchedTrace, fetchTrace } from '../../../src/service/trace/fetchTrace.ts';
import { startAnvil } from '../../support/chain/anvil.ts';
import { findMissingHardhatPackage, startHardhat } from '../../support/chain/hardhat.ts';
import type { TestNode } from '../../support/chain/testNode.ts';
import { startService } from '../../support/filledChain.ts';
import { scaleRounds } from '../../support/rounds.ts';
import { createSourceProject } from '../../support/source/sourceProject.ts';
import { openNode } from '../../support/traceFixture.ts';

/** On each node; `HEXLENS_TEST_ROUNDS=4` tries 200. */
const CALLS = scaleRounds(50);
const GAS_PRICE = 3_000_000_000n;
const OTHER_BLOCK =
  'The node’s own eth_call gave something else: it runs in another block than this simulation, and the contract reads the block.';
const EMPTY: Hex = `0x${'0'.repeat(40)}`;

interface Workshop {
  readonly node: EvmNode;
  readonly chain: TestNode;
  readonly accounts: readonly Hex[];
  readonly address: Hex;
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function openWorkshop(chain: TestNode): Promise<Workshop> {
  const { node, stop } = openNode(chain.url);
  cleanups.push(() => chain.stop(), stop);
  const project = await createSourceProject('solc', ['Workshop.sol'], {});
  const { abi, evm } = project.contract('Workshop');
  const accounts = await chain.rpc<readonly Hex[]>('eth_accounts');
  const bytecode: Hex = `0x${evm.bytecode.object}`;
  const deployment = { from: accounts[0], data: bytecode, gas: '0x989680' };
  const hash = await chain.rpc<Hex>('eth_sendTransaction', [deployment]);
  await chain.mine();
  const { contractAddress } = await chain.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [hash]);
  return { node, chain, accounts, address: contractAddress, abi: abi as Abi, bytecode };
}

/** The same calls in each run. */
function createRandom(): (limit: number) => number {
  let state = 20_261_126;
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function createCall({ abi, address, accounts, bytecode }: Workshop, random: (limit: number) => number): Simulation {
  const number = () => BigInt(random(12));
  const to = accounts[random(5)] ?? EMPTY;
  const calls: readonly (readonly [string, readonly unknown[], isPayable?: true])[] = [
    ['store', [number(), number()]],
    ['clear', [number(), random(12)]],
    ['pack', [number(), number(), random(2) === 1]],
    ['write', [toHex('ab'.repeat(random(60)))]],
    ['pay', [random(3) === 0 ? address : to], true],
    ['make', [number(), pad(toHex(random(4))), random(2) === 1], true],
    ['weigh', [number()]],
    ['attempt', [number()]],
    ['nest', [random(6)]],
    ['facts', []],
  ];
  const [functionName, args, isPayable] = calls[random(calls.length)] ?? ['facts', []];
  const call = {
    from: accounts[random(4)] ?? EMPTY,
    gas: toHex(300_000 + random(2_000_000)),
    gasPrice: toHex(GAS_PRICE),
    value: toHex(isPayable || random(10) === 0 ? random(1_000) : 0),
  };
  if (random(15) === 0) return { ...call, gas: toHex(5_000_000), value: '0x0', to: null, data: bytecode };
  if (random(15) === 0)
    return { ...call, to: random(2) === 0 ? to : pad(toHex(random(900) + 20), { size: 20 }), data: '0x' };
  return { ...call, to: address, data: encodeFunctionData({ abi, functionName, args }) };
}

async function trace(node: EvmNode, subject: Hex | Simulation): Promise<FetchedTrace> {
  const { result } = await fetchTrace(node, subject, undefined);
  if (!('trace' in result)) throw new Error(JSON.stringify(result));
  return result;
}

/** What the call did, as text that is the same for a simulation and a transaction. */
const summarize = ({ trace: { frames, logs, writes, accounts }, isSuccessful, receipt }: FetchedTrace) => ({
  isSuccessful,
  gasUsed: receipt['gasUsed'],
  output: bytesToHex(frames[0]?.output ?? new Uint8Array()),
  calls: frames.map(({ kind, address, gasUsed, status }) => `${kind} ${address} ${gasUsed} ${status}`),
  logs: getEffectiveLogs(frames, logs).map(({ address, topics, data }) => `${address} ${topics} ${bytesToHex(data)}`),
  writes: writes.map(({ address, slot, oldValue, newValue }) => `${address} ${slot}: ${oldValue} ${newValue}`),
  accounts,
});

interface NodeState {
  readonly storage: Readonly<Record<string, bigint>>;
  readonly accounts: Readonly<Record<Hex, readonly [balance: bigint, nonce: bigint, code: Hex]>>;
}

/** What a simulation says that words of storage and accounts are afterwards. */
function listStateAfter({ trace: { frames, writes, accounts = [], selfDestructs } }: FetchedTrace): NodeState {
  // Only a contract of the same transaction is destroyed (EIP-6780).
  const isNew = (address: Hex) => frames.some(frame => frame.isCreation && frame.address === address);
  const gone = new Set(selfDestructs.flatMap(({ address }) => (isNew(address) ? [address] : [])));
  const lasting = writes.filter(({ frame, address, isTransient }) => {
    const isGone = gone.has(address) || isUndone(frames, frames[frame] as TraceFrame);
    return !isTransient && !isGone;
  });
  return {
    storage: Object.fromEntries(lasting.map(({ address, slot, newValue }) => [`${address} ${toHex(slot)}`, newValue])),
    accounts: Object.fromEntries(
      accounts.map(({ address, after }) => [
        address,
        [after?.balance ?? 0n, after?.nonce ?? 0n, bytesToHex(after?.code ?? new Uint8Array())],
      ]),
    ),
  };
}

/** The same, as the node says it. */
async function readState({ rpc }: TestNode, { storage, accounts }: NodeState): Promise<NodeState> {
  const words = Object.keys(storage).map(async key => {
    const word = await rpc<Hex>('eth_getStorageAt', [...key.split(' '), 'latest']);
    return [key, BigInt(word)] as const;
  });
  const states = Object.keys(accounts).map(async address => {
    const [balance, nonce, code] = await Promise.all(
      ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map(method => rpc<Hex>(method, [address, 'latest'])),
    );
    return [address, [BigInt(balance ?? 0), BigInt(nonce ?? 0), code ?? '0x'] as const] as const;
  });
  return {
    storage: Object.fromEntries(await Promise.all(words)),
    accounts: Object.fromEntries(await Promise.all(states)),
  };
}

/** The simulation, then the transaction that was sent with the same fields, in the block that was simulated. */
async function simulateAndSend({ node, chain }: Workshop, call: Simulation) {
  const simulated = await trace(node, call);
  const { to, ...rest } = call;
  const hash = await chain.rpc<Hex>('eth_sendTransaction', [{ ...rest, ...(to !== null && { to }) }]);
  await chain.rpc('evm_setNextBlockTimestamp', [simulated.simulation?.context?.time]);
  await chain.rpc('evm_mine');
  return { simulated, sent: await trace(node, hash) };
}

describe.each([
  { title: 'Anvil', start: () => startAnvil(), isMissing: false, takesBlock: true },
  {
    title: 'Hardhat 3',
    start: () => startHardhat(),
    isMissing: findMissingHardhatPackage() !== null,
    takesBlock: false,
  },
])('$title', ({ start, isMissing, takesBlock }) => {
  test.skipIf(isMissing)(
    'does what the simulation of each random call did when it is sent, and leaves the same state on the node',
    async () => {
      const workshop = await openWorkshop(await start());
      const random = createRandom();
      const outcomes = { success: 0, failed: 0, confirmed: 0, otherBlock: 0 };
      for (let index = 0; index < CALLS; index++) {
        const call = createCall(workshop, random);
        const { simulated, sent } = await simulateAndSend(workshop, call);
        expect(summarize(simulated), JSON.stringify(call)).toEqual(summarize(sent));
        const after = listStateAfter(simulated);
        expect(await readState(workshop.chain, after), JSON.stringify(call)).toEqual(after);
        const notes = simulated.notes.map(localize);
        // It does not take the block of a call, and these calls read it.
        if (!takesBlock && notes[0] === OTHER_BLOCK) outcomes.otherBlock++;
        else expect(notes, JSON.stringify(call)).toEqual([]);
        outcomes[sent.isSuccessful ? 'success' : 'failed']++;
        if (simulated.trace.isVerified) outcomes.confirmed++;
      }
      expect(outcomes.success).toBeGreaterThan(CALLS / 3);
      expect(outcomes.failed).toBeGreaterThan(CALLS / 20);
      expect(outcomes.confirmed + outcomes.otherBlock).toBe(CALLS);
      expect(outcomes.otherBlock).toBeLessThan(CALLS / 4);
    },
  );
});

describe('a simulation', () => {
  const open = async () => openWorkshop(await startAnvil());
  const readStored = ({ trace: { frames } }: FetchedTrace) => BigInt(bytesToHex(frames[0]?.output ?? new Uint8Array()));
  const store = ({ abi }: Workshop, value: bigint) =>
    encodeFunctionData({ abi, functionName: 'store', args: [1n, value] });

  test('begins with the state after the block that was named, and is the same when it is run again later', async () => {
    const workshop = await open();
    const { node, chain, accounts, address } = workshop;
    const from = accounts[0] ?? EMPTY;
    for (const value of [5n, 8n]) {
      await chain.rpc('eth_sendTransaction', [{ from, to: address, data: store(workshop, value) }]);
      await chain.mine();
    }
    const call = { from, to: address, data: store(workshop, 9n) };
    const newest = await trace(node, call);
    const older = await trace(node, { ...call, block: 2 });
    const [before, after] = [older, newest].map(readStored);
    expect([before, after]).toEqual([5n, 8n]);
    expect(older.minedIn.number).toBe(3);
    await chain.mine();
    const again = await trace(node, newest.simulation ?? call);
    expect(summarize(again)).toEqual(summarize(newest));
    expect((await trace(node, call)).minedIn.number).toBe(newest.minedIn.number + 1);
  });

  test('takes balance, code and storage in place of those of the chain', async () => {
    const workshop = await open();
    const { node, accounts, address, abi } = workshop;
    const poor: Hex = '0x00000000000000000000000000000000000a11ce';
    const pay = encodeFunctionData({ abi, functionName: 'pay', args: [accounts[1]] });
    const call = { from: poor, to: address, data: pay, value: toHex(1_000n) };
    const { result } = await fetchTrace(node, call, undefined);
    expect('reason' in result && localize(result.reason)).toBe(
      'The sender has 0 wei, and the call needs 1000 wei: override its balance, or send less.',
    );
    const rich = await trace(node, { ...call, overrides: { [poor]: { balance: toHex(1_000n) } } });
    expect([rich.isSuccessful, rich.trace.isVerified, rich.notes]).toEqual([true, true, []]);
    // PUSH1 42 PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
    const code = '0x602a5f5260205ff3';
    const other = await trace(node, { from: poor, to: address, data: '0x', overrides: { [address]: { code } } });
    expect(readStored(other)).toBe(42n);
    const slot = keccak256(`0x${pad(toHex(1)).slice(2)}${'0'.repeat(64)}`);
    const stateDiff = { [slot]: pad(toHex(77)) };
    const stored = await trace(node, {
      from: poor,
      to: address,
      data: store(workshop, 9n),
      overrides: { [address]: { stateDiff } },
    });
    expect([readStored(stored), stored.trace.isVerified]).toEqual([77n, true]);
  });

  test('never asks the node to sign or send', async () => {
    const workshop = await open();
    const { node, accounts, address } = workshop;
    const { send, sendAll } = node.rpc;
    const methods = new Set<string>();
    const spies: Pick<EvmNode['rpc'], 'send' | 'sendAll'> = {
      send: (method, ...rest) => {
        methods.add(method);
        return send.call(node.rpc, method, ...rest);
      },
      sendAll: (calls, signal) => {
        for (const { method } of calls) methods.add(method);
        return sendAll.call(node.rpc, calls, signal);
      },
    };
    Object.assign(node.rpc, spies);
    await trace(node, { from: accounts[0] ?? EMPTY, to: address, data: store(workshop, 9n) });
    expect([...methods].filter(method => method.includes('Storage') || method.includes('Code'))).toEqual([
      'eth_getCode',
      'eth_getStorageAt',
    ]);
    expect([...methods].filter(method => /sign|send|impersonate|set|mine/i.test(method))).toEqual([]);
  });

  test('has the calls, codes, lines and state changes of a transaction, by the same lookups', async () => {
    const workshop = await open();
    const { chain, accounts, address } = workshop;
    const service = startService({ local: chain.url });
    cleanups.push(() => service.stop());
    const simulation = { from: accounts[0] ?? EMPTY, to: address, data: store(workshop, 9n) };
    const { value } = await service.lookup('transactionTrace', { chain: 'local', simulation });
    if (value.kind !== 'trace') throw new Error(JSON.stringify(value));
    expect([value.hash, value.blockHash, value.status, value.blockNumber]).toEqual([null, null, 'success', 2]);
    // Nodes reject calls with more gas than a transaction may have (EIP-7825).
    expect(value.calls[0]?.gasLimit).toBeLessThan(16_777_216);
    expect(value.verified).toBe(true);
    const target = { chain: 'local', simulation: value.simulation ?? simulation };
    const codes = await service.lookup('tracedCodes', target);
    expect(codes.value).toHaveLength(1);
    const changes = await service.lookup('stateChanges', { ...target, builds: [] });
    expect(changes.value.kind === 'stateChanges' && changes.value.accounts.map(each => each.storage.length)).toContain(
      1,
    );
  });
});
