// Nodes as chains and gateways really are: one named profile each, over the same small chain, for a table of tests.
import type { Hex } from '../../src/base/hex.ts';
import { toQuantity, ZERO_ADDRESS } from '../../src/base/hex.ts';
import {
  type NodeScript,
  notFound,
  type ScriptedCall,
  type ScriptedExchange,
  type ScriptedReply,
  type ScriptedRpcNode,
  startScriptedRpcNode,
} from './scriptedRpcNode.ts';

type Wire = Record<string, unknown>;

/** How a node differs from one that follows the Execution APIs. */
export interface NodeProfile {
  /** Which chains or gateways, and what they do. */
  readonly about: string;
  readonly chainId: number;
  readonly client?: string;
  /** Changes a transaction; `index` is its place in the block. */
  transaction?(wire: Wire, index: number): Wire;
  receipt?(wire: Wire, index: number): Wire;
  log?(wire: Wire): Wire;
  /** All logs of a block with transactions, made of its one log; each names its transaction. */
  logs?(wire: Wire, number: number): readonly Wire[];
  block?(wire: Wire): Wire;
  /** Numbers without a block: the block above names the one below as its parent. */
  readonly nullRounds?: readonly number[];
  /** The reply instead of the honest one; `undefined` leaves the honest one. `state` lasts as long as the node. */
  reply?(
    call: ScriptedCall,
    honest: (call?: ScriptedCall) => ScriptedReply,
    state: ProfileState,
  ): ScriptedReply | undefined;
  /** How many logs each transaction of a block with transactions has; one in the first where absent. */
  readonly logCounts?: readonly [number, number];
  /** What the first transaction of a block paid; 147,000 wei where absent. */
  readonly fee?: { readonly amount: bigint; readonly token?: Hex; readonly isIncomplete?: boolean };
  /** Has balances and code of its newest block only. */
  readonly isWithoutOldState?: true;
  /** Does not return logs, so that only blocks and receipts have them. */
  readonly isWithoutLogs?: true;
  /** Takes over a whole HTTP request; `false` leaves it to the node. */
  exchange?: NodeScript['exchange'];
}

/** What a node has done so far. */
export interface ProfileState {
  /** How often each method was called. */
  readonly counts: Map<string, number>;
}

/** The newest block. */
export const PROFILE_HEAD = 200;
export const PROFILE_FINALIZED = 140;
/** The blocks with transactions: two in each, whose first one mints a token to its holder. */
export const PROFILE_BLOCKS = { final: 50, recent: 195 } as const;
/** What the second transaction of a block creates in profiles where it does. */
export const PROFILE_CREATED: Hex = `0x${'99'.repeat(20)}`;
export const PROFILE_CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
/** Token id -> whom it was minted to. */
export const PROFILE_HOLDERS: ReadonlyMap<number, Hex> = new Map<number, Hex>([
  [50, `0x${'a1'.repeat(20)}`],
  [195, `0x${'a2'.repeat(20)}`],
]);

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ALL_LOGS: Hex = `0x${'ff'.repeat(256)}`;
const NO_LOGS: Hex = `0x${'00'.repeat(256)}`;
const GENESIS_TIME = 1_700_000_000;

const word = (value: number | bigint | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
/** A made-up hash: the kind in the first byte, then the number and the place. */
const hashOf = (kind: number, number: number, place = 0): Hex =>
  `0x${kind.toString(16).padStart(2, '0')}${number.toString(16).padStart(46, '0')}${place.toString(16).padStart(16, '0')}`;
const blockHash = (number: number): Hex => hashOf(0xb1, number);

export const profileTransactionHash = (block: number, index: number): Hex => hashOf(0x71, block, index);
export const profileBlockHash = blockHash;

const refuse = (message: string, code = -32000): ScriptedReply => ({ error: { code, message } });

interface ProfileChain {
  answer(call: ScriptedCall): ScriptedReply | undefined;
}

function createProfileChain(profile: NodeProfile): ProfileChain {
  const missing = new Set(profile.nullRounds);
  const exists = (number: number) => number >= 0 && number <= PROFILE_HEAD && !missing.has(number);
  const hasTransactions = (number: number) => PROFILE_HOLDERS.has(number);
  const parentOf = (number: number): number => (number === 0 || exists(number - 1) ? number - 1 : parentOf(number - 1));
  const place = (number: number, index: number): Wire => ({
    ...{ blockHash: blockHash(number), blockNumber: toQuantity(number), transactionIndex: toQuantity(index) },
  });
  const transactionsOf = (number: number): readonly Wire[] =>
    hasTransactions(number)
      ? [0, 1].map(index => {
          const wire: Wire = {
            ...place(number, index),
            hash: profileTransactionHash(number, index),
            ...{ from: `0x${'f0'.repeat(20)}`, to: PROFILE_CONTRACT, value: '0x0', gas: '0x5208', gasPrice: '0x7' },
            ...{ nonce: toQuantity(number + index), input: '0x', type: '0x2', v: '0x0', r: '0x1', s: '0x1' },
          };
          return profile.transaction?.(wire, index) ?? wire;
        })
      : [];
  const logsOf = (number: number): readonly Wire[] => {
    const holder = PROFILE_HOLDERS.get(number);
    if (holder === undefined) return [];
    const wire: Wire = {
      ...place(number, 0),
      ...{ address: PROFILE_CONTRACT, topics: [TRANSFER, word(0), word(holder), word(number)], data: '0x' },
      ...{ transactionHash: profileTransactionHash(number, 0), logIndex: '0x0', removed: false },
    };
    return profile.logs?.(wire, number) ?? [profile.log?.(wire) ?? wire];
  };
  const receiptsOf = (number: number): readonly Wire[] =>
    transactionsOf(number).map((transaction, index) => {
      const wire: Wire = {
        ...place(number, index),
        ...{ transactionHash: transaction['hash'], from: transaction['from'], to: transaction['to'], type: '0x2' },
        ...{ cumulativeGasUsed: toQuantity(21_000 * (index + 1)), gasUsed: '0x5208', effectiveGasPrice: '0x7' },
        ...{
          contractAddress: null,
          logs: logsOf(number).filter(log => log['transactionHash'] === transaction['hash']),
          logsBloom: NO_LOGS,
          status: '0x1',
        },
      };
      return profile.receipt?.(wire, index) ?? wire;
    });
  const blockOf = (number: number, isFull: boolean): Wire | null => {
    if (!exists(number)) return null;
    const transactions = transactionsOf(number);
    const wire: Wire = {
      ...{
        number: toQuantity(number),
        hash: blockHash(number),
        parentHash: number === 0 ? word(0) : blockHash(parentOf(number)),
      },
      ...{ timestamp: toQuantity(GENESIS_TIME + 2 * number), nonce: '0x0000000000000000', sha3Uncles: word(1) },
      ...{ logsBloom: hasTransactions(number) ? ALL_LOGS : NO_LOGS, transactionsRoot: word(2), stateRoot: word(3) },
      ...{ receiptsRoot: word(4), miner: `0x${'11'.repeat(20)}`, difficulty: '0x0', size: '0x220', extraData: '0x' },
      ...{ gasLimit: '0x1c9c380', gasUsed: '0xa410', baseFeePerGas: '0x7', uncles: [] },
      transactions: isFull ? transactions : transactions.map(({ hash }) => hash),
    };
    return profile.block?.(wire) ?? wire;
  };
  const numbers = Array.from({ length: PROFILE_HEAD + 1 }, (_, number) => number);
  const toNumber = (block: unknown): number =>
    block === 'latest'
      ? PROFILE_HEAD
      : block === 'finalized'
        ? PROFILE_FINALIZED
        : typeof block === 'string' && block.length === 66
          ? (numbers.find(number => blockHash(number) === block) ?? -1)
          : Number(block);
  const findLogs = (filter: Wire): readonly Wire[] => {
    const from = filter['blockHash'] === undefined ? toNumber(filter['fromBlock']) : toNumber(filter['blockHash']);
    const to = filter['blockHash'] === undefined ? toNumber(filter['toBlock']) : from;
    const topics = (filter['topics'] ?? []) as readonly (Hex | readonly Hex[] | null)[];
    const address = filter['address'] as Hex | readonly Hex[] | undefined;
    return numbers
      .filter(number => number >= from && number <= to)
      .flatMap(logsOf)
      .filter(log => address === undefined || [address].flat().includes(log['address'] as Hex))
      .filter(log =>
        topics.every(
          (wanted, index) => wanted === null || [wanted].flat().includes((log['topics'] as Hex[])[index] ?? '0x'),
        ),
      );
  };
  const findTransaction = (hash: unknown, list: (number: number) => readonly Wire[], key: string) =>
    [...PROFILE_HOLDERS.keys()].flatMap(list).find(wire => wire[key] === hash) ?? null;
  return {
    answer({ method, params }) {
      const [first, second] = params;
      switch (method) {
        case 'eth_chainId':
          return { result: toQuantity(profile.chainId) };
        case 'web3_clientVersion':
          return { result: profile.client ?? 'Geth/v1.16.5-stable/linux-amd64/go1.25.1' };
        case 'eth_blockNumber':
          return { result: toQuantity(PROFILE_HEAD) };
        case 'eth_getBlockByNumber':
        case 'eth_getBlockByHash':
          return { result: blockOf(toNumber(first), second === true) };
        case 'eth_getBlockReceipts':
          return { result: exists(toNumber(first)) ? receiptsOf(toNumber(first)) : null };
        case 'eth_getTransactionByHash':
          return { result: findTransaction(first, transactionsOf, 'hash') };
        case 'eth_getTransactionReceipt':
          return { result: findTransaction(first, receiptsOf, 'transactionHash') };
        case 'eth_getLogs':
          return { result: findLogs(first as Wire) };
        case 'eth_getCode':
          return { result: first === PROFILE_CONTRACT && toNumber(second) >= 45 ? '0x6001' : '0x' };
        case 'eth_call':
        case 'eth_getStorageAt':
          return { result: '0x' };
        case 'eth_getBalance':
          return { result: '0x5' };
        case 'eth_getTransactionCount':
          return { result: first === PROFILE_CONTRACT ? '0x0' : '0x5' };
        default:
          return undefined;
      }
    },
  };
}

/** Around the finalized block, below the head, in a row, and at the ends of ranges of 32 blocks from the head down. */
const NULL_ROUNDS: readonly number[] = [7, 28, 100, 137, 168, 169, 171, 196, 199];

const isLogsCall = ({ method }: ScriptedCall) => method === 'eth_getLogs';

/** The range of an `eth_getLogs`; `null` where it is one block by hash, and for other methods. */
function getLogRange({ method, params }: ScriptedCall): { readonly from: number; readonly to: number } | null {
  const { fromBlock, toBlock } = (params[0] ?? {}) as { readonly fromBlock?: string; readonly toBlock?: string };
  if (method !== 'eth_getLogs' || fromBlock === undefined || toBlock === undefined) return null;
  return { from: Number(fromBlock), to: Number(toBlock) };
}

const spansMoreThan = (blocks: number) => (call: ScriptedCall) => {
  const range = getLogRange(call);
  return range !== null && range.to - range.from + 1 > blocks;
};

/** A block above the head, or a hash that is not known. */
const isUnknown = (call: ScriptedCall, honest: () => ScriptedReply): boolean => {
  const reply = honest();
  return /^eth_get(Block|Transaction)(By|Rec)/.test(call.method) && 'result' in reply && reply.result === null;
};

/** Gateways that end wide ranges of `eth_getLogs` by something that is no JSON-RPC. */
const onWideRanges = (about: string, chainId: number, end: (exchange: ScriptedExchange) => void): NodeProfile => ({
  ...{ about, chainId },
  // Without code, the first log is looked for in the whole chain.
  reply: ({ method }) => (method === 'eth_getCode' ? { result: '0x' } : undefined),
  exchange(exchange) {
    if (!exchange.calls.some(spansMoreThan(20))) return false;
    end(exchange);
    return true;
  },
});

/** A node that refuses the first calls of a kind. */
const refuseFirst = (
  about: string,
  chainId: number,
  message: string,
  isOfKind: (call: ScriptedCall) => boolean,
  times = 3,
): NodeProfile => ({
  ...{ about, chainId },
  reply(call, _honest, { counts }) {
    if (!isOfKind(call)) return undefined;
    counts.set(message, (counts.get(message) ?? 0) + 1);
    return (counts.get(message) ?? 0) <= times ? refuse(message, -32602) : undefined;
  },
});

const endsAtHead = (call: ScriptedCall): boolean => getLogRange(call)?.to === PROFILE_HEAD;

/** A node that says by an error what others say by `null`. */
const errorForUnknown = (about: string, chainId: number, message: string, code?: number): NodeProfile => ({
  ...{ about, chainId },
  reply: (call, honest) => (isUnknown(call, honest) ? refuse(message, code) : undefined),
});

const without = (call: ScriptedCall, ...methods: readonly string[]): ScriptedReply | undefined =>
  methods.includes(call.method) ? notFound : undefined;

/** A log of another contract than that of the tests. */
const toOtherLog = (wire: Wire, changes: Wire): Wire => ({
  ...{ ...wire, address: `0x${'c1'.repeat(20)}`, topics: [word(0xa1)], data: word(1) },
  ...changes,
});

const drop = (wire: Wire, ...keys: readonly string[]): Wire =>
  Object.fromEntries(Object.entries(wire).filter(([key]) => !keys.includes(key)));

/** By name; what a profile must not change is in the test that runs all of them. */
export const nodeProfiles = {
  executionApis: { about: 'a node that follows the Execution APIs', chainId: 1 },
  opStackWithoutNonce: {
    about: 'gateways of Base and Optimism, which leave out the nonce of deposits',
    chainId: 8453,
    transaction: (wire, index) =>
      index === 0 ? { ...drop(wire, 'nonce', 'v', 'r', 's'), type: '0x7e', mint: '0x0', sourceHash: word(9) } : wire,
    fee: { amount: 147_000n },
  },
  emptyFieldsDropped: {
    about: 'gateways that leave out whatever is zero or empty',
    chainId: 10,
    transaction: (wire, index) => (index === 1 ? drop(wire, 'nonce', 'value', 'input', 'v', 'r', 's') : wire),
    receipt: (wire, index) => (index === 1 ? drop(wire, 'logs', 'contractAddress') : wire),
    log: wire => drop(wire, 'data', 'removed'),
    block: wire => ((wire['transactions'] as unknown[]).length === 0 ? drop(wire, 'transactions', 'uncles') : wire),
  },
  oldGanacheCreation: {
    about:
      'old Ganache, where the recipient of a creation is 0x0 and the contract of other transactions the zero address',
    chainId: 1337,
    client: 'EthereumJS TestRPC/v2.2.1/ethereum-js',
    transaction: (wire, index) => (index === 1 ? { ...wire, to: '0x0' } : wire),
    receipt: (wire, index) => ({ ...wire, contractAddress: index === 1 ? PROFILE_CREATED : ZERO_ADDRESS }),
  },
  emptyRecipient: {
    about: 'nodes that write an empty text or 0x for the recipient of a creation',
    chainId: 100,
    transaction: (wire, index) => (index === 1 ? { ...wire, to: wire['blockNumber'] === '0x32' ? '' : '0x' } : wire),
    receipt: (wire, index) => ({ ...wire, contractAddress: index === 1 ? PROFILE_CREATED : '' }),
  },
  nullLogLists: {
    about: 'Flow EVM and smartBCH, which write empty lists as null',
    chainId: 747,
    receipt: (wire, index) => (index === 1 ? { ...wire, logs: null } : wire),
    block: wire => ((wire['transactions'] as unknown[]).length === 0 ? { ...wire, transactions: null } : wire),
    reply(call, honest) {
      const reply = honest();
      return isLogsCall(call) && 'result' in reply && (reply.result as unknown[]).length === 0
        ? { result: null }
        : undefined;
    },
  },
  nonceOf64Bits: {
    about: 'chains whose nonces are random numbers of 64 bits',
    chainId: 5031,
    transaction: wire => ({ ...wire, nonce: '0xb2f1e00c44e90a8e' }),
    reply: ({ method }) => (method === 'eth_getTransactionCount' ? { result: '0xb2f1e00c44e90a8e' } : undefined),
  },
  numbersAsNumbers: {
    about: 'nodes that write some quantities as numbers, and leading zeros',
    chainId: 1666600000,
    transaction: wire => ({ ...wire, gas: 21_000, nonce: '0x0007' }),
    block: wire => ({ ...wire, timestamp: Number(wire['timestamp']), size: 544 }),
  },
  extraReceipts: {
    about: 'Sei and Erigon of Polygon, which have receipts of transactions that the block does not list, or one twice',
    chainId: 137,
    reply({ method }, honest) {
      const reply = honest();
      if (method !== 'eth_getBlockReceipts' || !('result' in reply) || !Array.isArray(reply.result)) return undefined;
      const [first] = reply.result as readonly Wire[];
      if (first === undefined) return undefined;
      const other = { ...first, transactionHash: word(0x5e1), transactionIndex: '0x2', logs: [] };
      return { result: [other, ...reply.result, first] };
    },
  },
  seiLogIndex: {
    about: 'Sei, Cosmos EVM and Zeta, whose log indexes begin again in each transaction',
    chainId: 1329,
    logCounts: [2, 1],
    logs: (wire, number) => [
      wire,
      toOtherLog(wire, { logIndex: '0x1' }),
      toOtherLog(wire, {
        ...{ transactionHash: profileTransactionHash(number, 1), transactionIndex: '0x1', logIndex: '0x0' },
      }),
    ],
  },
  veChainClauses: {
    about: 'VeChain behind its RPC gateway, whose log indexes begin again in each clause of a transaction',
    chainId: 100009,
    logCounts: [2, 0],
    logs: wire => [wire, toOtherLog(wire, { logIndex: '0x0' })],
    transaction: wire => ({ ...drop(wire, 'r', 's', 'v'), type: '0x0', chainId: '0x186a9' }),
    reply: call => without(call, 'eth_getBlockReceipts'),
  },
  zkSyncCalls: {
    about: 'zkSync, Abstract, Lens: fields of batches, type 0x71, and no call without a recipient',
    chainId: 324,
    transaction: wire => ({ ...wire, type: '0x71', l1BatchNumber: null, l1BatchTxIndex: null }),
    receipt: wire => ({ ...wire, type: '0x71', l2ToL1Logs: [], root: word(8), l1BatchNumber: null }),
    log: wire => ({ ...wire, transactionLogIndex: '0x0', logType: null, l1BatchNumber: null }),
    block: wire => ({ ...wire, l1BatchNumber: null, l1BatchTimestamp: null, sealFields: [] }),
    reply: (call, honest) =>
      call.method === 'eth_call' && (call.params[0] as Wire)['to'] === undefined
        ? refuse('Failed to deploy contract: bytecode is not allowed', 3)
        : isUnknown(call, honest)
          ? refuse("Block with such an ID doesn't exist yet", -32603)
          : undefined,
  },
  opStackFees: {
    about: 'Base, Optimism, Blast, Metis and Scroll, which charge the data on the chain below',
    chainId: 8453,
    receipt: wire => ({ ...wire, l1Fee: '0x2386f26fc10000', l1GasUsed: '0x640', l1GasPrice: '0x1' }),
    fee: { amount: 10_000_000_000_147_000n },
  },
  opStackWithoutL1Fee: {
    about: 'gateways that drop the fee for the chain below',
    chainId: 10,
    fee: { amount: 147_000n, isIncomplete: true },
  },
  arbitrumFees: {
    about: 'Arbitrum, whose gas includes that for the chain below; its own transaction begins each block',
    chainId: 42161,
    transaction: (wire, index) => (index === 1 ? { ...drop(wire, 'r', 's', 'v'), type: '0x6a' } : wire),
    receipt: wire => ({ ...wire, gasUsedForL1: '0x1000', l1BlockNumber: '0x10', timeboosted: false }),
  },
  celoFees: {
    about: 'Celo, where the sender chooses the token of the fee',
    chainId: 42220,
    transaction: (wire, index) =>
      index === 0 ? { ...wire, type: '0x7b', feeCurrency: `0x${'ce'.repeat(20)}` } : { ...wire, feeCurrency: null },
    fee: { amount: 147_000n, token: `0x${'ce'.repeat(20)}` },
  },
  blobFees: {
    about: 'Ethereum and Gnosis: gas of blobs',
    chainId: 100,
    transaction: (wire, index) =>
      index === 0 ? { ...wire, type: '0x3', blobVersionedHashes: [word(1)], maxFeePerBlobGas: '0x2' } : wire,
    receipt: (wire, index) =>
      index === 0 ? { ...wire, type: '0x3', blobGasUsed: '0x20000', blobGasPrice: '0x2' } : wire,
    fee: { amount: 147_000n + 0x4_0000n },
  },
  tronCalls: {
    about: 'TRON: calls and balances at the newest block only, no receipts of a block, no finalized block, empty roots',
    chainId: 728126428,
    isWithoutOldState: true,
    client: 'TRON/v4.8.0/Linux/Java1.8/GreatVoyage-v4.8.0',
    block: wire => ({ ...wire, stateRoot: '0x', extraData: '0x', baseFeePerGas: '0x0', mixHash: word(0) }),
    transaction: wire => ({ ...wire, type: '0x0', nonce: '0x0000000000000000' }),
    reply(call) {
      const { method, params } = call;
      const block = params.at(-1);
      if (method === 'eth_getBlockByNumber' && (params[0] === 'finalized' || params[0] === 'safe'))
        return refuse('invalid block number', -32602);
      const isOld = /^eth_(call|getCode|getBalance|getStorageAt)$/.test(method) && block !== 'latest';
      if (isOld && Number(block) !== PROFILE_HEAD)
        return refuse('QUANTITY not supported, just support TAG as latest', -32602);
      return without(call, 'eth_getBlockReceipts', 'eth_getTransactionCount');
    },
  },
  rootstockRewards: {
    about: 'Rootstock: each block ends with a transaction of its own, there is no base fee and no receipts of a block',
    chainId: 30,
    client: 'RskJ/7.2.0/Linux/Java17/LOVELL-7.2.0',
    block: wire => ({ ...drop(wire, 'baseFeePerGas'), minimumGasPrice: '0x387ee40', hashForMergedMining: word(3) }),
    transaction: (wire, index) => ({
      ...drop(wire, 'type'),
      ...(index === 1 && { from: ZERO_ADDRESS, v: '0x0', r: '0x0', s: '0x0', gas: '0x0', gasPrice: '0x0' }),
    }),
    receipt: wire => drop(wire, 'effectiveGasPrice', 'type'),
    reply: call =>
      call.method === 'eth_getBlockByNumber' && call.params[0] === 'finalized'
        ? refuse('invalid blocknumber finalized', -32602)
        : without(call, 'eth_getBlockReceipts'),
  },
  kaiaTypes: {
    about: 'Kaia: types of transactions as words, signatures in a list, no difficulty',
    chainId: 8217,
    client: 'Klaytn/v2.1.0/linux-amd64/go1.25.1',
    block: wire => ({ ...drop(wire, 'difficulty', 'nonce', 'sha3Uncles', 'uncles'), blockscore: '0x1' }),
    transaction: wire => ({
      ...drop(wire, 'v', 'r', 's'),
      ...{ type: 'TxTypeFeeDelegatedSmartContractExecution', typeInt: 49, feePayer: `0x${'fe'.repeat(20)}` },
      signatures: [{ V: '0x4055', R: '0x1', S: '0x1' }],
    }),
    receipt: wire => ({ ...wire, type: 'TxTypeFeeDelegatedSmartContractExecution', typeInt: 49 }),
  },
  hederaRelay: {
    about: 'the relay of Hedera: no bloom filters, signatures without values, small blocks of zero size',
    chainId: 295,
    block: wire => ({ ...wire, logsBloom: '0x', size: '0x0', nonce: '0x0', mixHash: word(0), withdrawals: [] }),
    transaction: wire => ({ ...wire, v: null, r: null, s: null, accessList: null, maxFeePerGas: null }),
    receipt: wire => ({ ...wire, logsBloom: '0x', root: null }),
  },
  cosmosWithoutBlooms: {
    about: 'Kava, Cronos, Injective and Evmos: bloom filters of zeros, null lists, no receipts of a block',
    chainId: 2222,
    block: wire => ({ ...wire, logsBloom: NO_LOGS, uncles: null }),
    reply: call => without(call, 'eth_getBlockReceipts'),
  },
  moonbeamAuthors: {
    about: 'Moonbeam, Aurora and IoTeX: fields left out of headers, texts without digits',
    chainId: 1284,
    block: wire => ({
      ...drop(wire, 'nonce', 'difficulty', 'receiptsRoot', 'extraData'),
      author: wire['miner'],
      size: '0x',
    }),
    receipt: wire => drop(wire, 'cumulativeGasUsed', 'logsBloom', 'contractAddress'),
    reply: call => without(call, 'eth_getBlockReceipts'),
  },
  confluxFields: {
    about: 'Conflux eSpace: fields of its own, null where a transaction has nothing',
    chainId: 1030,
    transaction: wire => ({ ...wire, creates: null, standardV: '0x0', publicKey: null, status: '0x1', raw: '0x' }),
    receipt: wire => ({ ...wire, transactionLogIndex: '0x0', txExecErrorMsg: null, burntGasFee: null }),
    log: wire => ({ ...wire, transactionLogIndex: '0x0' }),
    block: wire => ({ ...wire, espaceGasLimit: '0x1c9c380', sealFields: null, author: wire['miner'] }),
  },
  gapsInTransactionIndex: {
    about: 'Sei, where transactions of Cosmos are counted too and not listed',
    chainId: 1329,
    transaction: (wire, index) => ({ ...wire, transactionIndex: toQuantity(3 + 2 * index) }),
    receipt: (wire, index) => ({ ...wire, transactionIndex: toQuantity(3 + 2 * index) }),
    log: wire => ({ ...wire, transactionIndex: '0x3' }),
  },
  errorForUnknownBlock: errorForUnknown('the Execution APIs in words', 1, 'Unknown block', -39001),
  avalancheUnfinalized: errorForUnknown('Avalanche, above its head', 43114, 'cannot query unfinalized data'),
  harmonyAboveHead: errorForUnknown('Harmony', 1666600000, 'requested block number greater than current block number'),
  zkSyncUnknownBlock: errorForUnknown('zkSync', 324, "Block with such an ID doesn't exist yet", -32603),
  cosmosUnknownHeight: errorForUnknown(
    'chains of the Cosmos SDK',
    9001,
    'height 900 must be less than or equal to the current blockchain height 200',
  ),
  filecoinNullRounds: { about: 'Filecoin: numbers without a block are null', chainId: 314, nullRounds: NULL_ROUNDS },
  filecoinMissingParents: {
    about: 'gateways of Filecoin whose blocks name the number below as their parent, whether there is one or not',
    chainId: 314,
    nullRounds: NULL_ROUNDS,
    block: wire => {
      const number = Number(wire['number']);
      return number === 0 ? wire : { ...wire, parentHash: blockHash(number - 1) };
    },
  },
  filecoinNullRoundErrors: {
    about: 'Filecoin before 2025: numbers without a block are an error, for calls too',
    chainId: 314159,
    nullRounds: NULL_ROUNDS,
    reply({ method, params }) {
      const [first, second] = params;
      const block = /Block(ByNumber|Receipts)/.test(method)
        ? first
        : /^eth_(call|getCode)/.test(method)
          ? second
          : null;
      return typeof block === 'string' && NULL_ROUNDS.includes(Number(block))
        ? refuse(`requested epoch was a null round (${Number(block)})`, 12)
        : undefined;
    },
  },
  nullRoundsOnPublicChain: {
    about: 'the same of a chain that is not indexed whole',
    chainId: 8453,
    nullRounds: NULL_ROUNDS,
  },
  ownChainWithNullRounds: {
    about: "a chain of one's own with null rounds",
    chainId: 31415926,
    nullRounds: NULL_ROUNDS,
  },
  filecoinRange: {
    about: 'Filecoin: the range of logs is limited, in words of its own',
    chainId: 314,
    reply: call =>
      spansMoreThan(20)(call)
        ? refuse('invalid epoch range: range between to and from blocks is too large (maximum: 20)')
        : undefined,
  },
  rangeByGap: {
    about: 'gateways that call the range a gap',
    chainId: 137,
    reply: call =>
      spansMoreThan(20)(call) ? refuse('the maximum gap between fromBlock and toBlock is 19 blocks') : undefined,
  },
  laggingGateway: refuseFirst(
    'Geth and Reth behind a load balancer: the range ends above the head of the node that got the call',
    8453,
    `block range extends beyond current head block: requested ${PROFILE_HEAD}, head ${PROFILE_HEAD - 1}`,
    endsAtHead,
  ),
  laggingGeth: refuseFirst('Geth: the same in other words', 59144, 'invalid block range params', endsAtHead),
  bscGetLogsOff: {
    about: 'public nodes of BNB Smart Chain: no logs, of one block neither',
    chainId: 56,
    isWithoutLogs: true,
    reply: call => (isLogsCall(call) ? refuse('limit exceeded', -32005) : undefined),
  },
  logsNotOffered: {
    about: 'gateways that do not offer eth_getLogs',
    chainId: 43114,
    isWithoutLogs: true,
    reply: call => (isLogsCall(call) ? refuse('eth_getLogs is disabled on public endpoints', -32000) : undefined),
  },
  timeoutOnWideRanges: onWideRanges('nodes that hang on wide ranges', 8453, exchange => exchange.hang()),
  gatewayTimeoutOnWideRanges: onWideRanges('gateways that end wide ranges with 504', 5000, exchange =>
    exchange.sendText('<html>504 Gateway Time-out</html>', 504, { 'content-type': 'text/html' }),
  ),
  tooLargeOnWideRanges: onWideRanges('gateways that end wide ranges with 413', 10, exchange =>
    exchange.sendText('Payload Too Large', 413, { 'content-type': 'text/plain' }),
  ),
  pageOnWideRanges: onWideRanges('gateways that end wide ranges with a page', 42161, exchange =>
    exchange.sendText('<!doctype html><title>Error 1102</title>', 200, { 'content-type': 'text/html' }),
  ),
  closedOnWideRanges: onWideRanges('gateways that close the connection on wide ranges', 250, exchange =>
    exchange.close(),
  ),
  notFoundInWords: errorForUnknown('gateways that answer with 404 in words', 42161, 'not found'),
} satisfies Readonly<Record<string, NodeProfile>>;

export type ProfileName = keyof typeof nodeProfiles;

export function startProfileNode(profile: NodeProfile): Promise<ScriptedRpcNode> {
  const chain = createProfileChain(profile);
  const state: ProfileState = { counts: new Map() };
  return startScriptedRpcNode({
    ...(profile.exchange !== undefined && { exchange: profile.exchange }),
    answer(call) {
      state.counts.set(call.method, (state.counts.get(call.method) ?? 0) + 1);
      const honest = (other = call): ScriptedReply => chain.answer(other) ?? notFound;
      return profile.reply?.(call, honest, state) ?? honest();
    },
  });
}
