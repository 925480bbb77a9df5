// A block with its transactions and receipts, fetched together and checked to belong together.
import { type Hex, toQuantity } from '../../base/hex.ts';
import { type BlockHeader, parseHeader } from './blockHeader.ts';
import type { EvmNode } from './evmNode.ts';
import {
  InvalidResponseError,
  requireHash,
  requireObject,
  requireTransactions,
  type WireObject,
} from './responseFields.ts';
import type { RpcResponse } from './rpcMessage.ts';

export interface FullBlock {
  readonly header: BlockHeader;
  readonly transactions: readonly WireObject[];
  readonly hashes: readonly Hex[];
  /** In the order of the transactions. */
  readonly receipts: readonly WireObject[];
  /** Receipts of what the chain did itself, which the block does not list as transactions; they may have logs. */
  readonly otherReceipts: readonly WireObject[];
}

type Receipts = Pick<FullBlock, 'receipts' | 'otherReceipts'>;
type BlockWithoutReceipts = Omit<FullBlock, keyof Receipts>;

/** A reorg between the two calls makes their responses differ; after so many attempts it is the node's fault. */
const MAX_ATTEMPTS = 3;

const getMethod = (id: number | Hex) => (typeof id === 'number' ? 'eth_getBlockByNumber' : 'eth_getBlockByHash');
const toParameter = (id: number | Hex): Hex => (typeof id === 'number' ? toQuantity(id) : id);

/**
 * The block by number or hash; `null` when the node has none. Rejects with `node-answer` when block, transactions and
 * receipts do not belong together after several attempts.
 */
export async function fetchBlock(
  node: EvmNode,
  id: number | Hex,
  signal: AbortSignal | undefined,
): Promise<FullBlock | null> {
  let wanted = id;
  let problem = '';
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const [blockResponse, receiptsResponse] = await Promise.all([
      node.rpc.send(getMethod(wanted), [toParameter(wanted), true], signal),
      node.rpc.isAvailable('eth_getBlockReceipts')
        ? node.rpc.send('eth_getBlockReceipts', [toParameter(wanted)], signal)
        : null,
    ]);
    const block = parseBlock(node, wanted, blockResponse);
    if (block === null) {
      if (wanted === id) return null;
      wanted = id; // a reorg removed the block of the attempt before
      continue;
    }
    const list = await fetchReceipts(node, block, receiptsResponse, signal);
    const receipts = node.validate('eth_getBlockReceipts', () => matchReceipts(block, list));
    if (typeof receipts !== 'string') {
      node.cache.timeByHash.set(block.header.hash, block.header.time);
      return { ...block, ...receipts };
    }
    problem = receipts;
    wanted = block.header.hash;
  }
  throw node.rpc.invalidResponse('eth_getBlockReceipts', problem);
}

function parseBlock(node: EvmNode, wanted: number | Hex, response: RpcResponse): BlockWithoutReceipts | null {
  const method = getMethod(wanted);
  const result = node.getResult(method, response);
  return node.validate(method, () => {
    const header = parseHeader(result);
    if (header === null) return null;
    if (header.number !== wanted && header.hash !== wanted)
      throw new InvalidResponseError(`block ${header.number} (${header.hash}) came instead of block ${wanted}`);
    const transactions = requireTransactions(header.wire);
    const hashes = transactions.map(transaction => {
      const hash = requireHash(transaction, 'hash');
      if (transaction['blockHash'] !== header.hash)
        throw new InvalidResponseError(`transaction ${hash} is of another block`);
      return hash;
    });
    return { header, transactions, hashes };
  });
}

/** All receipts in one call where the node has it, and those that it lacks in one call per transaction. */
async function fetchReceipts(
  node: EvmNode,
  block: BlockWithoutReceipts,
  response: RpcResponse | null,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  let receipts: readonly unknown[] = [];
  if (Array.isArray(response?.result)) receipts = response.result;
  else if (block.hashes.length === 0) return [];
  // Some nodes take a block number here but no hash.
  else if (response !== null && node.rpc.isAvailable('eth_getBlockReceipts')) {
    const { result } = await node.rpc.send('eth_getBlockReceipts', [toQuantity(block.header.number)], signal);
    if (Array.isArray(result)) receipts = result;
  }
  // Some nodes leave out the receipts of a chain's own transactions (Polygon's state syncs), but have each of them.
  const received = new Set(receipts.map(getTransactionHash));
  const missing = block.hashes.filter(hash => !received.has(hash));
  const responses = await node.rpc.sendAll(
    missing.map(hash => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    signal,
  );
  const found = responses
    .map(each => node.getResult('eth_getTransactionReceipt', each))
    .filter(receipt => receipt !== null);
  return [...receipts, ...found];
}

/**
 * The receipts, or what is wrong with them: one is missing, or is of another block (a reorg came between the two calls). They
 * may be in any order, and one may be there twice.
 */
function matchReceipts({ header, hashes }: BlockWithoutReceipts, list: readonly unknown[]): Receipts | string {
  const byHash = new Map<unknown, WireObject>();
  for (const entry of list.filter(receipt => receipt !== null)) {
    const receipt = requireObject(entry, 'a receipt');
    if (receipt['blockHash'] !== header.hash)
      return `the receipt of transaction ${String(receipt['transactionHash']).slice(0, 66)} is of another block`;
    byHash.set(receipt['transactionHash'], receipt);
  }
  const receipts: WireObject[] = [];
  for (const hash of hashes) {
    const receipt = byHash.get(hash);
    if (receipt === undefined) return `there is no receipt for transaction ${hash} of block ${header.number}`;
    receipts.push(receipt);
    byHash.delete(hash);
  }
  return { receipts, otherReceipts: [...byHash.values()] };
}

function getTransactionHash(receipt: unknown): unknown {
  return (receipt as { readonly transactionHash?: unknown } | null | undefined)?.transactionHash;
}

/** Times of blocks by hash: cached, or all headers in one round trip. Rejects when the node no longer has one. */
export async function fetchBlockTimes(
  node: EvmNode,
  hashes: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<(hash: Hex) => Date> {
  const times = new Map<Hex, Date>();
  const missing: Hex[] = [];
  for (const hash of new Set(hashes)) {
    const time = node.cache.timeByHash.get(hash);
    if (time === undefined) missing.push(hash);
    else times.set(hash, time);
  }
  const responses = await node.rpc.sendAll(
    missing.map(hash => ({ method: 'eth_getBlockByHash', params: [hash, false] })),
    signal,
  );
  for (const [index, hash] of missing.entries()) {
    const result = node.getResult('eth_getBlockByHash', responses[index]);
    const header = node.validate('eth_getBlockByHash', () => parseHeader(result));
    if (header === null || header.hash !== hash)
      throw node.rpc.invalidResponse('eth_getBlockByHash', `block ${hash}, which it named itself, is not there`);
    node.cache.timeByHash.set(hash, header.time);
    times.set(hash, header.time);
  }
  return hash => times.get(hash) ?? new Date(0);
}
