// `storageKeys`: what is known of keys of a contract's mappings: hashes in traces, words of calldata and logs.
import { MAX_STORAGE_KEYS, type StorageKeys } from '../../api/lookups.ts';
import { bytesToHex, type Hex, hexToBytes, toLowerHex, toQuantity } from '../../base/hex.ts';
import type { Trace } from '../../decode/trace/trace.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import {
  optionalAddress,
  readArray,
  readHex,
  readLogs,
  requireHash,
  requireObject,
  toHashOrNull,
  type WireObject,
} from '../evm/responseFields.ts';
import { fetchTrace, listCachedTraces } from '../trace/fetchTrace.ts';
import type { Lookup } from './lookup.ts';

/** The newest blocks whose transactions are looked at. */
const MAX_BLOCKS = 512;
const BLOCKS_PER_REQUEST = 128;
/** Transactions that are run again, the newest that name the contract first, within the time. */
const MAX_TRACED = 128;
const MAX_TRACING_MS = 1_500;
const MAX_INPUT_WORDS = 64;

/** Collects them, each once. */
class Collector {
  readonly #preimages = new Set<Hex>();
  readonly #words = new Set<bigint>();

  addTrace({ preimages, frames, logs }: Trace): void {
    for (const { input } of preimages)
      if (input.length >= 32 && this.#preimages.size < MAX_STORAGE_KEYS) this.#preimages.add(bytesToHex(input));
    for (const { caller, address } of frames.slice(0, MAX_INPUT_WORDS))
      for (const each of [caller, address]) this.#addWord(each);
    for (const { topics, data } of logs.slice(0, MAX_INPUT_WORDS)) this.addLog(topics, data);
  }

  addLog(topics: readonly Hex[], data: Uint8Array): void {
    for (const topic of topics.slice(1)) this.#addWord(topic);
    this.#addWords(data, 0);
  }

  addTransaction({ from, to, input }: Transaction): void {
    for (const each of [from, to]) if (each !== null) this.#addWord(each);
    this.#addWords(hexToBytes(input), 4);
  }

  #addWords(bytes: Uint8Array, from: number): void {
    const end = Math.min(bytes.length, from + 32 * MAX_INPUT_WORDS);
    for (let at = from; at + 32 <= end; at += 32) this.#addWord(bytesToHex(bytes.subarray(at, at + 32)));
  }

  #addWord(word: Hex): void {
    if (word !== '0x' && this.#words.size < MAX_STORAGE_KEYS) this.#words.add(BigInt(word));
  }

  result(isComplete: boolean): StorageKeys {
    return { kind: 'storageKeys', preimages: [...this.#preimages], words: [...this.#words], isComplete };
  }
}

interface Transaction {
  readonly hash: Hex;
  readonly from: Hex | null;
  readonly to: Hex | null;
  readonly input: Hex;
}

/** Not cached: traces are, and each one more adds keys. */
export const storageKeys: Lookup<'storageKeys'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = toLowerHex(input.address);
  const state = await node.getState(signal);
  const keys = new Collector();
  for (const { trace } of listCachedTraces(node)) keys.addTrace(trace);
  // Elsewhere it would take many requests.
  const isComplete = state.isLocal && (await addTransactions(node, state, address, keys, signal));
  return { value: keys.result(isComplete) };
};

/** Whether all transactions of the chain were run again. */
async function addTransactions(
  node: EvmNode,
  { headNumber }: NodeState,
  address: Hex,
  keys: Collector,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const first = Math.max(0, headNumber - MAX_BLOCKS + 1);
  const transactions = await listTransactions(node, first, headNumber, signal);
  const named = await addLogs(node, address, first, keys, signal);
  const isNamed = ({ hash, to }: Transaction) => to === address || named.has(hash);
  const callsCode = ({ to, input }: Transaction) => to === null || input !== '0x';
  const ofContract = transactions.filter(isNamed);
  for (const each of ofContract) keys.addTransaction(each);
  const others = transactions.filter(each => !isNamed(each) && callsCode(each));
  const end = performance.now() + MAX_TRACING_MS;
  let traced = 0;
  for (const { hash } of [...ofContract, ...others]) {
    if (traced >= MAX_TRACED || performance.now() > end) return false;
    traced++;
    const { result } = await fetchTrace(node, hash, signal);
    if ('trace' in result) keys.addTrace(result.trace);
  }
  return first === 0;
}

/** The newest first. */
async function listTransactions(
  node: EvmNode,
  first: number,
  head: number,
  signal: AbortSignal | undefined,
): Promise<readonly Transaction[]> {
  const found: Transaction[] = [];
  for (let to = head; to >= first; to -= BLOCKS_PER_REQUEST) {
    const from = Math.max(first, to - BLOCKS_PER_REQUEST + 1);
    const calls = Array.from({ length: to - from + 1 }, (_, index) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(to - index), true],
    }));
    const responses = await node.rpc.sendAll(calls, signal);
    for (const response of responses) {
      const result = node.getResult('eth_getBlockByNumber', response);
      if (result === null) continue;
      found.push(
        ...node.validate('eth_getBlockByNumber', () =>
          readArray(requireObject(result, 'the block'), 'transactions')
            .map(each => toTransaction(requireObject(each, 'a transaction')))
            .toReversed(),
        ),
      );
    }
  }
  return found;
}

const toTransaction = (wire: WireObject): Transaction => ({
  hash: requireHash(wire, 'hash'),
  from: toLower(optionalAddress(wire, 'from')),
  to: toLower(optionalAddress(wire, 'to')),
  input: readHex(wire, 'input'),
});

const toLower = (address: Hex | null): Hex | null => (address === null ? null : toLowerHex(address));

/** Hashes of the transactions with logs of the contract; none where the node does not give logs. */
async function addLogs(
  node: EvmNode,
  address: Hex,
  first: number,
  keys: Collector,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<Hex>> {
  const filter = { address, fromBlock: toQuantity(first), toBlock: 'latest' };
  const response = await node.rpc.send('eth_getLogs', [filter], signal).catch(() => undefined);
  signal?.throwIfAborted();
  if (response === undefined || response.error !== undefined) return new Set();
  return node.validate(
    'eth_getLogs',
    () =>
      new Set(
        readLogs(response.result).map(each => {
          const log = requireObject(each, 'a log');
          const topics = readArray(log, 'topics').flatMap(topic => toHashOrNull(topic) ?? []);
          keys.addLog(topics, hexToBytes(readHex(log, 'data')));
          return requireHash(log, 'transactionHash');
        }),
      ),
  );
}
