// A block with its transactions and receipts, read in one go and checked to belong together.

import { type Hex, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from './evmNode.ts';
import {
  type BlockHeader,
  InvalidResponseError,
  parseHeader,
  requireArray,
  requireHash,
  requireObject,
  type WireObject,
} from './responseFields.ts';
import type { RpcResponse } from './rpcMessage.ts';

// Receipts of a whole block: in one call where the node has it, else one call per transaction, always checked.
export const BLOCK_RECEIPTS = 'eth_getBlockReceipts';
const RECEIPT = 'eth_getTransactionReceipt';

/**
 * The receipts in the order of the transactions, or what is wrong with them: they are of another block (a reorg came
 * between two calls), some are missing, or one is there twice.
 */
export function matchReceipts(
  header: BlockHeader,
  hashes: readonly Hex[],
  list: readonly unknown[],
): readonly WireObject[] | string {
  if (list.length !== hashes.length)
    return `there are ${list.length} receipts for the ${hashes.length} transactions of block ${header.number}`;
  const receipts: WireObject[] = [];
  let byHash: ReadonlyMap<unknown, unknown> | null = null;
  for (const [index, hash] of hashes.entries()) {
    let candidate = list[index];
    if (transactionHashOf(candidate) !== hash) {
      // Allowed, if unusual: another order than that of the transactions.
      byHash ??= new Map(list.map(entry => [transactionHashOf(entry), entry]));
      candidate = byHash.get(hash);
      if (candidate === undefined) return `there is no receipt for transaction ${hash} of block ${header.number}`;
    }
    const receipt = requireObject(candidate, 'a receipt');
    if (receipt['blockHash'] !== header.hash) return `the receipt of transaction ${hash} is of another block`;
    receipts.push(receipt);
  }
  return receipts;
}

function transactionHashOf(receipt: unknown): unknown {
  return (receipt as { readonly transactionHash?: unknown } | null | undefined)?.transactionHash;
}

/** The receipts in an answer to `eth_getBlockReceipts`; `null` when the node could not give them this way. */
export function receiptList(answer: RpcResponse | null): readonly unknown[] | null {
  return Array.isArray(answer?.result) ? answer.result : null;
}

/** One call per transaction, in batches; `null` for each one that the node does not have. */
export async function receiptsOneByOne(
  node: EvmNode,
  hashes: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  const answers = await node.rpc.sendAll(
    hashes.map(hash => ({ method: RECEIPT, params: [hash] })),
    signal,
  );
  return answers.map(answer => node.getResult(RECEIPT, answer));
}

export interface FullBlock {
  readonly header: BlockHeader;
  readonly transactions: readonly WireObject[];
  readonly hashes: readonly Hex[];
  /** In the order of the transactions. */
  readonly receipts: readonly WireObject[];
}

/** A reorg between the two calls makes their answers differ; this often we ask again, then it is the node's fault. */
const ATTEMPTS = 3;

const methodFor = (id: number | Hex) => (typeof id === 'number' ? 'eth_getBlockByNumber' : 'eth_getBlockByHash');
const parameter = (id: number | Hex): Hex => (typeof id === 'number' ? toQuantity(id) : id);

/**
 * The block by number or hash; `null` when the node has none. Rejects with `node-answer` when block, transactions and
 * receipts do not fit together even after asking again.
 */
export async function fetchBlock(
  node: EvmNode,
  id: number | Hex,
  signal: AbortSignal | undefined,
): Promise<FullBlock | null> {
  let wanted = id;
  let problem = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [blockAnswer, receiptsAnswer] = await Promise.all([
      node.rpc.send(methodFor(wanted), [parameter(wanted), true], signal),
      node.rpc.isAvailable(BLOCK_RECEIPTS) ? node.rpc.send(BLOCK_RECEIPTS, [parameter(wanted)], signal) : null,
    ]);
    const block = readBlock(node, wanted, blockAnswer);
    if (block === null) {
      if (wanted === id) return null;
      wanted = id; // the block that we saw a moment ago is gone: a reorg
      continue;
    }
    const list = await receiptsFor(node, block, receiptsAnswer, signal);
    const receipts = node.validate(BLOCK_RECEIPTS, () => matchReceipts(block.header, block.hashes, list));
    if (typeof receipts !== 'string') {
      node.cache.timeByHash.set(block.header.hash, block.header.time);
      return { ...block, receipts };
    }
    problem = receipts;
    wanted = block.header.hash;
  }
  throw node.rpc.invalidResponse(BLOCK_RECEIPTS, problem);
}

async function receiptsFor(
  node: EvmNode,
  block: Omit<FullBlock, 'receipts'>,
  answer: RpcResponse | null,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  if (block.hashes.length === 0) return [];
  const first = receiptList(answer);
  if (first !== null) return first;
  // Some nodes take a height here but no hash.
  if (answer !== null && node.rpc.isAvailable(BLOCK_RECEIPTS)) {
    const second = receiptList(await node.rpc.send(BLOCK_RECEIPTS, [toQuantity(block.header.number)], signal));
    if (second !== null) return second;
  }
  return (await receiptsOneByOne(node, block.hashes, signal)).filter(receipt => receipt !== null);
}

function readBlock(node: EvmNode, wanted: number | Hex, answer: RpcResponse): Omit<FullBlock, 'receipts'> | null {
  const method = methodFor(wanted);
  const result = node.getResult(method, answer);
  return node.validate(method, () => {
    const header = parseHeader(result);
    if (header === null) return null;
    if (header.number !== wanted && header.hash !== wanted)
      throw new InvalidResponseError(`block ${header.number} (${header.hash}) came instead of block ${wanted}`);
    const transactions = requireArray(header.wire, 'transactions').map(entry => requireObject(entry, 'a transaction'));
    const hashes = transactions.map((transaction, index) => {
      const hash = requireHash(transaction, 'hash');
      if (transaction['blockHash'] !== header.hash)
        throw new InvalidResponseError(`transaction ${hash} is of another block`);
      if (Number(transaction['transactionIndex']) !== index)
        throw new InvalidResponseError(`transaction ${hash} is not the ${index + 1}. of block ${header.number}`);
      return hash;
    });
    return { header, transactions, hashes };
  });
}

/** Times of blocks by hash: from memory, else all headers in one round trip. Rejects when the node has one no more. */
export async function fetchBlockTimes(
  node: EvmNode,
  hashes: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<(hash: Hex) => Date> {
  const times = new Map<Hex, Date>();
  const unknown: Hex[] = [];
  for (const hash of new Set(hashes)) {
    const time = node.cache.timeByHash.get(hash);
    if (time === undefined) unknown.push(hash);
    else times.set(hash, time);
  }
  const method = 'eth_getBlockByHash';
  const answers = await node.rpc.sendAll(
    unknown.map(hash => ({ method, params: [hash, false] })),
    signal,
  );
  for (const [index, hash] of unknown.entries()) {
    const result = node.getResult(method, answers[index]);
    const header = node.validate(method, () => parseHeader(result));
    if (header === null || header.hash !== hash)
      throw node.rpc.invalidResponse(method, `block ${hash}, which it named itself, is not there`);
    node.cache.timeByHash.set(hash, header.time);
    times.set(hash, header.time);
  }
  return hash => times.get(hash) ?? new Date(0);
}
