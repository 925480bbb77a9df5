// Replays of what transactions seldom do: every kind of call and transaction, precompiles, failures; step by step as Anvil traces them.
import { type Hex, keccak256, sha256 } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../../src/base/isObject.ts';
import { fetchTrace } from '../../../src/service/trace/fetchTrace.ts';
import { assemble, toCreationCode } from '../../support/assemble.ts';
import { type Anvil, startAnvil, TEST_MNEMONIC } from '../../support/chain/anvil.ts';
import { forwardTo, startScriptedRpcNode } from '../../support/scriptedRpcNode.ts';
import { fetchStructLogs, formatSteps, type OpenNode, openNode } from '../../support/traceFixture.ts';

let anvil: Anvil;
let open: OpenNode;
const alice = mnemonicToAccount(TEST_MNEMONIC);
const bob = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: 1 });
beforeAll(async () => {
  anvil = await startAnvil({ args: ['--steps-tracing'] });
  open = openNode(anvil.url);
});
afterAll(async () => {
  await open?.stop();
  await anvil?.stop();
});

interface Receipt {
  readonly contractAddress: Hex;
  readonly status: Hex;
}
const getReceipt = (hash: Hex) => anvil.rpc<Receipt>('eth_getTransactionReceipt', [hash]);
async function send(call: Readonly<Record<string, unknown>>): Promise<Hex> {
  const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ from: alice.address, gas: '0x1e8480', ...call }]);
  await anvil.mine();
  return hash;
}
async function sendRaw(raw: Hex): Promise<Hex> {
  const hash = await anvil.rpc<Hex>('eth_sendRawTransaction', [raw]);
  await anvil.mine();
  return hash;
}
const deploy = async (source: string): Promise<Hex> =>
  (await getReceipt(await send({ data: toCreationCode(assemble(source)) }))).contractAddress;

/** The trace, whose steps are those that the node has, also where only the plain methods are there. */
async function traceAsNode(hash: Hex) {
  const { result } = await fetchTrace(open.node, hash, undefined);
  if (!('trace' in result)) throw new Error(JSON.stringify(result));
  const expected = await fetchStructLogs(anvil, hash);
  expect(formatSteps(result.trace)).toEqual(expected.map(({ pc, gas, depth }) => `${pc} ${gas} ${depth}`));
  const plain = openNode(anvil.url, ['debug_traceTransaction']);
  const again = await fetchTrace(plain.node, hash, undefined);
  await plain.stop();
  expect('trace' in again.result && formatSteps(again.result.trace)).toEqual(formatSteps(result.trace));
  return result.trace;
}

const RETURN_ALL = 'RETURNDATASIZE 0 0 RETURNDATACOPY RETURNDATASIZE 0';
/** Passes on all gas, but for the static call, which fails. */
const call = (kind: 'CALL' | 'STATICCALL' | 'DELEGATECALL' | 'CALLCODE', to: string, value = '0') =>
  `0 0 0 0 ${kind === 'CALL' || kind === 'CALLCODE' ? `${value} ` : ''}${to} ${kind === 'STATICCALL' ? '10000' : 'GAS'} ${kind}`;

describe('calls', () => {
  test('of all kinds run in the right storage, and what failed inside is undone', async () => {
    const child = await deploy('1 CALLER SSTORE 7 0 TSTORE 0 TLOAD 1 SSTORE CALLVALUE 2 SSTORE 0 0 REVERT');
    const writer = await deploy('1 CALLER SSTORE ADDRESS 3 SSTORE 5 6 7 0 0 LOG3 32 0 RETURN');
    const parent = await deploy(
      `${call('CALL', child)} POP ${call('CALL', writer, '3')} POP ${call('DELEGATECALL', writer)} POP ${call('CALLCODE', writer, '1')} POP ${call('STATICCALL', writer)} POP ${call('CALL', '0xdead', '5')} POP ${call('CALL', '0xbeef', '0xffffffffffffffffffff')} 9 SSTORE STOP`,
    );
    const trace = await traceAsNode(await send({ to: parent, value: '0x64' }));
    const [, failed, ...rest] = trace.frames;
    expect(failed).toMatchObject({ kind: 'CALL', address: child, status: 'reverted', parent: 0, depth: 1 });
    expect(
      rest.map(({ kind, address, codeAddress, value, status, haltReason }) => [
        kind,
        address,
        codeAddress,
        value,
        status,
        haltReason,
      ]),
    ).toEqual([
      ['CALL', writer, writer, 3n, 'success', undefined],
      ['DELEGATECALL', parent, writer, 100n, 'success', undefined],
      ['CALLCODE', parent, writer, 1n, 'success', undefined],
      ['STATICCALL', writer, writer, 0n, 'exceptional', 'staticStateChange'],
      ['CALL', `0x${'0'.repeat(36)}dead`, `0x${'0'.repeat(36)}dead`, 5n, 'success', undefined],
      [
        'CALL',
        `0x${'0'.repeat(36)}beef`,
        `0x${'0'.repeat(36)}beef`,
        0xffffffffffffffffffffn,
        'exceptional',
        'insufficientBalance',
      ],
    ]);
    const delegated = trace.writes.filter(({ frame }) => frame === 3);
    expect(delegated.map(({ address, slot, oldValue, newValue }) => [address, slot, oldValue, newValue])).toEqual([
      [parent, BigInt(alice.address), 0n, 1n],
      [parent, 3n, 0n, BigInt(parent)],
    ]);
    expect(
      trace.writes.filter(({ isTransient }) => isTransient).map(({ frame, slot, newValue }) => [frame, slot, newValue]),
    ).toEqual([[1, 0n, 7n]]);
    expect(trace.logs.map(({ frame, address }) => [frame, address])).toEqual([
      [2, writer],
      [3, parent],
      [4, parent],
    ]);
  });

  test('create contracts, also at an address that is taken, and contracts that destroy themselves', async () => {
    // The child's code is `CALLER SELFDESTRUCT`; its init code stores it by MSTORE.
    const initCode = assemble('0x33ff 0 MSTORE 2 30 RETURN');
    const size = initCode.length / 2;
    const store = `0x${initCode} ${256 - 8 * size} SHL 0 MSTORE`;
    const factory = await deploy(
      `${store} 1 ${size} 0 5 CREATE2 ${size} 0 0 CREATE 2 SSTORE 0 0 0 0 0 DUP6 GAS CALL POP 1 ${size} 0 0 CREATE2 POP STOP`,
    );
    const trace = await traceAsNode(await send({ to: factory, value: '0x64' }));
    expect(trace.frames.map(({ kind, status, haltReason }) => [kind, status, haltReason])).toEqual([
      ['CALL', 'success', undefined],
      ['CREATE2', 'success', undefined],
      ['CREATE', 'success', undefined],
      ['CALL', 'success', undefined],
      ['CREATE2', 'exceptional', 'addressCollision'],
    ]);
    expect(trace.frames[4]?.address).toBe(trace.frames[1]?.address);
    expect(trace.selfDestructs.map(({ frame, beneficiary, value }) => [frame, beneficiary, value])).toEqual([
      [3, factory, 5n],
    ]);
    // The child was destroyed with that transaction: the same address can be used again.
    const again = await traceAsNode(await send({ to: factory, value: '0x64' }));
    expect(again.frames[1]).toMatchObject({ address: trace.frames[1]?.address, status: 'success' });
  });

  test.each([
    ['invalidOpcode', 'INVALID'],
    ['badJump', '3 JUMP'],
    ['stackUnderflow', 'ADD'],
    ['outOfGas', 'again: @again JUMP'],
    ['returnDataOutOfBounds', '1 0 0 RETURNDATACOPY'],
    ['stackOverflow', 'again: 0 @again JUMP'],
  ])('that halt have the reason %s', async (reason, source) => {
    const trace = await traceAsNode(await send({ to: await deploy(source), gas: '0x186a0' }));
    expect(trace.frames[0]).toMatchObject({ status: 'exceptional', haltReason: reason, output: new Uint8Array() });
  });

  test.each([
    ['codeBeginsWithEf', assemble('0xef 0 MSTORE8 1 0 RETURN')],
    ['codeSizeLimit', assemble('0x6001 0 RETURN')],
    ['outOfGas', assemble('0x5000 0 RETURN')],
  ])('that create a contract fail by the reason %s', async (reason, code) => {
    const trace = await traceAsNode(
      await send({ data: `0x${code}`, gas: reason === 'outOfGas' ? '0xf4240' : '0x989680' }),
    );
    expect(trace.frames[0]).toMatchObject({ kind: 'CREATE', status: 'exceptional', haltReason: reason });
  });
});

test('every instruction that reads the block and the transaction gives what the chain had', async () => {
  const reads =
    'NUMBER 1 SWAP1 SUB BLOCKHASH|NUMBER 3 SWAP1 SUB BLOCKHASH|COINBASE|COINBASE BALANCE|TIMESTAMP|NUMBER|PREVRANDAO|GASLIMIT|CHAINID|SELFBALANCE|BASEFEE|0 BLOBHASH|BLOBBASEFEE|GASPRICE|ORIGIN|CALLER BALANCE|ADDRESS EXTCODEHASH|0xdead EXTCODEHASH|ORIGIN EXTCODESIZE|CODESIZE|5 CLZ';
  const source = reads
    .split('|')
    .map((read, index) => `${read} ${index} SSTORE`)
    .join(' ');
  const contract = await deploy(source);
  await anvil.mine();
  const trace = await traceAsNode(await send({ to: contract, gas: '0x4c4b40' }));
  const expected = await anvil.batch<Hex>(
    reads
      .split('|')
      .map((_, index) => ({ method: 'eth_getStorageAt', params: [contract, `0x${index.toString(16)}`, 'latest'] })),
  );
  expect(trace.writes.map(({ newValue }) => newValue)).toEqual(expected.map(BigInt));
});

test('the price of blobs is what the node says that it was', async () => {
  const hash = await send({ to: await deploy('BLOBBASEFEE 0 SSTORE STOP') });
  const forward = forwardTo(anvil.url);
  const scripted = await startScriptedRpcNode({
    async answer(call) {
      if (call.method === 'eth_feeHistory') return { result: { baseFeePerBlobGas: ['0x7', '0x8'] } };
      const reply = await forward(call);
      if (!('result' in reply) || !isObject(reply.result)) return reply;
      if (call.method === 'eth_getBlockByHash') return { result: { ...reply.result, excessBlobGas: '0x4c6964' } };
      return { result: { ...reply.result, blobGasPrice: undefined } };
    },
  });
  const { node, stop } = openNode(scripted.url);
  const { result } = await fetchTrace(node, hash, undefined);
  expect('trace' in result && result.trace.writes.map(({ newValue }) => newValue)).toEqual([7n]);
  await stop();
  await scripted.stop();
});

/** Lengths of zeros that the precompiles accept, and some that they reject. */
const PRECOMPILES = [
  [1, 128, 'ecrecover'],
  [2, 70, 'sha256'],
  [3, 70, 'ripemd160'],
  [4, 33, 'identity'],
  [5, 96, 'modexp'],
  [6, 128, 'ecAdd'],
  [7, 96, 'ecMul'],
  [8, 192, 'ecPairing'],
  [9, 213, 'blake2f'],
  [11, 256, 'bls12G1Add'],
  [12, 160, 'bls12G1Msm'],
  [13, 512, 'bls12G2Add'],
  [14, 288, 'bls12G2Msm'],
  [15, 384, 'bls12PairingCheck'],
  [16, 64, 'bls12MapFpToG1'],
  [17, 128, 'bls12MapFp2ToG2'],
  [256, 160, 'p256Verify'],
  [8, 100, 'ecPairing'],
  [9, 212, 'blake2f'],
] as const;

test('precompiled contracts have a frame with their name, and their result', async () => {
  const source = PRECOMPILES.map(
    ([address, size]) => `0 0 ${size} 0 ${address} 0x30d40 STATICCALL POP ${RETURN_ALL} KECCAK256 ${address} SSTORE`,
  ).join(' ');
  const trace = await traceAsNode(await send({ to: await deploy(source), gas: '0x895440' }));
  const [, ...calls] = trace.frames;
  expect(calls.map(({ precompile }) => precompile)).toEqual(PRECOMPILES.map(([, , name]) => name));
  expect(calls.slice(-2).map(({ status }) => status)).toEqual(['exceptional', 'exceptional']);
});

type Authorization = Parameters<NonNullable<typeof bob.signAuthorization>>[0];
function authorize(authorization: Authorization) {
  if (bob.signAuthorization === undefined) throw new Error('The account cannot sign authorizations.');
  return bob.signAuthorization(authorization);
}

test('the point evaluation of EIP-4844 accepts the proof of a value, and rejects another value', async () => {
  // Versioned hash, point, value, commitment and proof.
  const input = [
    '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b',
    '564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306',
    '24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1',
    '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7',
    '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a',
  ];
  const caller = await deploy(
    `CALLDATASIZE 0 0 CALLDATACOPY 0 0 CALLDATASIZE 0 10 60000 STATICCALL POP ${RETURN_ALL} RETURN`,
  );
  const valid = await traceAsNode(await send({ to: caller, data: `0x${input.join('')}` }));
  expect(valid.frames[1]).toMatchObject({ precompile: 'pointEvaluation', status: 'success', gasUsed: 50_000 });
  expect(Buffer.from(valid.frames[0]?.output ?? []).toString('hex')).toBe(
    `${'1000'.padStart(64, '0')}73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001`,
  );
  const other = input.with(2, input[2]?.replace(/^24/, '25') ?? '');
  const invalid = await traceAsNode(await send({ to: caller, data: `0x${other.join('')}` }));
  expect(invalid.frames[1]).toMatchObject({ status: 'exceptional', haltReason: 'precompile', gasUsed: 60_000 });
});

describe('transactions', () => {
  const fees = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, chainId: 31337 };
  const getNonce = async (address: Hex) =>
    Number(await anvil.rpc<Hex>('eth_getTransactionCount', [address, 'pending']));

  test('with an access list pay for it before their first step, and less in it', async () => {
    const contract = await deploy('1 SLOAD 2 SLOAD 0xdead BALANCE STOP');
    const accessList = [
      { address: contract, storageKeys: [`0x${'0'.repeat(63)}1`] },
      { address: `0x${'0'.repeat(36)}dead`, storageKeys: [] },
    ];
    const trace = await traceAsNode(await send({ to: contract, accessList }));
    const costs = [1, 3, 5].map(step => (trace.steps.gas[step] ?? 0) - (trace.steps.gas[step + 1] ?? 0));
    expect(costs).toEqual([100, 2_100, 100]);
  });

  test('of EIP-7702 run the code that the account delegates to', async () => {
    const target = await deploy('ADDRESS 1 SSTORE CALLVALUE 2 SSTORE STOP');
    const authorizationList = [
      await authorize({ address: target, chainId: 31337, nonce: await getNonce(bob.address) }),
      // Of another chain: without effect.
      await authorize({ address: target, chainId: 5, nonce: 7 }),
    ];
    const raw = await alice.signTransaction({
      ...{ type: 'eip7702', ...fees, authorizationList, nonce: await getNonce(alice.address) },
      ...{ to: bob.address, value: 5n, gas: 300_000n },
    });
    const trace = await traceAsNode(await sendRaw(raw));
    expect(trace.frames[0]).toMatchObject({
      address: bob.address.toLowerCase(),
      codeAddress: target,
      status: 'success',
    });
    expect(trace.writes.map(({ address, slot, newValue }) => [address, slot, newValue])).toEqual([
      [bob.address.toLowerCase(), 1n, BigInt(bob.address)],
      [bob.address.toLowerCase(), 2n, 5n],
    ]);
    // Later transactions and calls of other contracts find the delegation.
    const caller = await deploy(`${call('CALL', bob.address)} POP STOP`);
    const later = await traceAsNode(await send({ to: caller }));
    expect(later.frames[1]).toMatchObject({ address: bob.address.toLowerCase(), codeAddress: target });
    const removal = await authorize({
      ...{ address: `0x${'0'.repeat(40)}`, chainId: 0, nonce: await getNonce(bob.address) },
    });
    const removing = await alice.signTransaction({
      ...{ type: 'eip7702', ...fees, authorizationList: [removal], nonce: await getNonce(alice.address) },
      ...{ to: bob.address, gas: 300_000n },
    });
    expect((await traceAsNode(await sendRaw(removing))).steps.length).toBe(0);
  });

  test('with blobs read their hashes and pay for them', async () => {
    const contract = await deploy('0 BLOBHASH 0 SSTORE 1 BLOBHASH 1 SSTORE BLOBBASEFEE 2 SSTORE STOP');
    // The commitment to a blob of zeros is the point at infinity, and so is its proof.
    const blob: Hex = `0x${'0'.repeat(262_144)}`;
    const commitment: Hex = `0xc0${'0'.repeat(94)}`;
    const versionedHash: Hex = `0x01${sha256(commitment).slice(4)}`;
    const raw = await alice.signTransaction({
      ...{ type: 'eip4844', ...fees, maxFeePerBlobGas: 1_000_000_000n, blobVersionedHashes: [versionedHash] },
      sidecars: [{ blob, commitment, proof: commitment }],
      ...{ nonce: await getNonce(alice.address), to: contract, gas: 300_000n },
    });
    const trace = await traceAsNode(await sendRaw(raw));
    expect(trace.writes.map(({ newValue }) => newValue)).toEqual([BigInt(versionedHash), 0n, 1n]);
  });

  test('with much data cost at least the floor of EIP-7623', async () => {
    const hash = await send({ to: bob.address, data: `0x${'11'.repeat(3_000)}` });
    const { result } = await fetchTrace(open.node, hash, undefined);
    expect('trace' in result && result.trace.isVerified).toBe(true);
  });

  test('that clear storage get a refund of at most a fifth', async () => {
    const contract = await deploy(
      `${Array.from({ length: 20 }, (_, slot) => `CALLVALUE ${slot} SSTORE`).join(' ')} STOP`,
    );
    await traceAsNode(await send({ to: contract, value: '0x1' }));
    expect((await traceAsNode(await send({ to: contract }))).writes).toHaveLength(20);
  });
});

test('hashed words are recorded with what was hashed', async () => {
  const contract = await deploy('CALLER 0 MSTORE 3 32 MSTORE 64 0 KECCAK256 1 SWAP1 SSTORE STOP');
  const { preimages, writes } = await traceAsNode(await send({ to: contract }));
  const input: Hex = `0x${alice.address.slice(2).toLowerCase().padStart(64, '0')}${'3'.padStart(64, '0')}`;
  expect(preimages.map(({ input: bytes, hash }) => [Buffer.from(bytes).toString('hex'), hash])).toEqual([
    [input.slice(2), BigInt(keccak256(input))],
  ]);
  expect(writes[0]?.slot).toBe(BigInt(keccak256(input)));
});

test('stack and memory of any step are those that the node has', async () => {
  const inner = await deploy('CALLDATASIZE 0 0 CALLDATACOPY 1 0 MSTORE8 7 8 ADD 32 0 RETURN');
  const endless = await deploy('9 0 MSTORE 5');
  const outer = await deploy(
    `60 again: 0 0 0 0 0 ${endless} GAS CALL POP DUP1 0 MSTORE 0xabcd 33 MSTORE 32 64 40 0 ${inner} GAS STATICCALL POP 64 MLOAD POP 1 SWAP1 SUB DUP1 @again JUMPI STOP`,
  );
  const hash = await send({ to: outer, gas: '0x4c4b40' });
  const { result } = await fetchTrace(open.node, hash, undefined);
  if (!('trace' in result)) throw new Error('There is no trace.');
  const { structLogs } = await anvil.rpc<{ readonly structLogs: readonly { stack: Hex[]; memory?: Hex[] }[] }>(
    'debug_traceTransaction',
    [hash, { enableMemory: true }],
  );
  expect(structLogs.length).toBeGreaterThan(1_500);
  // In no order, across calls and windows.
  for (let index = 0; index < 150; index++) {
    const step = (index * 2_741) % structLogs.length;
    const { stack, memory } = (await result.states?.at(step, undefined)) ?? { stack: [], memory: new Uint8Array() };
    const expected = structLogs[step];
    expect(stack, `stack at ${step}`).toEqual(expected?.stack.map(BigInt));
    const words = (expected?.memory ?? []).map(word => word.replace('0x', '').padStart(64, '0')).join('');
    expect(Buffer.from(memory).toString('hex'), `memory at ${step}`).toBe(words);
  }
  await expect(result.states?.at(structLogs.length, undefined)).rejects.toMatchObject({ code: 'bad-input' });
});
