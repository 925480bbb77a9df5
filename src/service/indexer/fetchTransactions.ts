// The transactions of whole blocks with the addresses that they concern: from traces where the node has those of a block.

import { TRANSACTION_GAS } from '../../api/transactionFee.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, parseQuantity, parseSafeQuantity, toLowerHex, toQuantity } from '../../base/hex.ts';
import { type BlockHeader, parseHeader } from '../evm/blockHeader.ts';
import { type CallFrame, parseParityTraces } from '../evm/callFrames.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import {
  InvalidResponseError,
  optionalAddress,
  optionalCreatedContract,
  requireAddress,
  requireHash,
  requireNumber,
  requireObject,
  requireTransactions,
  type WireObject,
} from '../evm/responseFields.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import type { TransactionRow } from '../store/rows.ts';

/**
 * Clients that store the traces of their blocks. Anvil returns them in a twentieth of the time that it takes for the
 * transactions, whose senders it recovers. Other clients execute a block again to trace it: of their transactions, the calls
 * inside are read when a page needs them.
 */
const TRACE_KEEPING_CLIENTS = /^anvil/i;
/** The highest transaction type of Ethereum. Other chains have further types, of which some use no gas, whatever they call. */
const MAX_ETHEREUM_TYPE = 4;
/** Whole blocks and traces take far more memory than the rows that they are reduced to: more at once only where they are small. */
const BLOCKS_PER_SLICE = 25;
const TRANSACTIONS_PER_SLICE = 1_000;

/** Native values by transaction hash in lower case. */
export type TransactionValues = Map<Hex, bigint>;

/** Hashes of the transactions in a header; a node that leaves them out must not keep the transfers from being indexed. */
export const getTransactionHashes = ({ wire }: BlockHeader): readonly unknown[] =>
  Array.isArray(wire['transactions']) ? wire['transactions'] : [];

/**
 * In the order of the chain; `null` when a reorg removed one of the blocks.
 *
 * @param values Gets the native values of the transactions that were read with it.
 */
export async function fetchTransactions(
  node: EvmNode,
  headers: readonly BlockHeader[],
  signal: AbortSignal,
  values?: TransactionValues,
): Promise<readonly TransactionRow[] | null> {
  const blocks = headers.filter(header => getTransactionHashes(header).length > 0);
  const rows: TransactionRow[] = [];
  for (const slice of toSlices(blocks)) {
    const read = await fetchSlice(node, slice, signal, values);
    if (read === null) return null;
    for (const row of read) rows.push(row);
  }
  return rows;
}

function* toSlices(blocks: readonly BlockHeader[]): Iterable<readonly BlockHeader[]> {
  let slice: BlockHeader[] = [];
  let count = 0;
  for (const block of blocks) {
    const transactions = getTransactionHashes(block).length;
    if (slice.length >= BLOCKS_PER_SLICE && count + transactions > TRANSACTIONS_PER_SLICE) {
      yield slice;
      slice = [];
      count = 0;
    }
    slice.push(block);
    count += transactions;
  }
  if (slice.length > 0) yield slice;
}

async function fetchSlice(
  node: EvmNode,
  blocks: readonly BlockHeader[],
  signal: AbortSignal,
  values: TransactionValues | undefined,
): Promise<readonly TransactionRow[] | null> {
  const byTrace = await fetchTracedTransactions(node, blocks, signal, values);
  const read = await fetchFullBlocks(
    node,
    blocks.filter(block => !byTrace.has(block)),
    signal,
    values,
  );
  return read === null ? null : blocks.flatMap(block => byTrace.get(block) ?? read.get(block) ?? []);
}

/** The rows of the blocks whose traces the node keeps. Its faults are not thrown: blocks can be read without traces. */
async function fetchTracedTransactions(
  node: EvmNode,
  blocks: readonly BlockHeader[],
  signal: AbortSignal,
  values: TransactionValues | undefined,
): Promise<ReadonlyMap<BlockHeader, readonly TransactionRow[]>> {
  const rows = new Map<BlockHeader, readonly TransactionRow[]>();
  const { clientVersion } = await node.getState(signal);
  if (!TRACE_KEEPING_CLIENTS.test(clientVersion ?? '') || !node.rpc.isAvailable('trace_block')) return rows;
  const calls = blocks.map(({ number }) => ({ method: 'trace_block', params: [toQuantity(number)] }));
  const responses = await node.rpc.sendAll(calls, signal).catch((error: unknown): readonly RpcResponse[] => {
    if (isFault(error, 'cancelled')) throw error;
    return [];
  });
  for (const [index, block] of blocks.entries()) {
    const traced = parseTracedBlock(block, responses[index]?.result, values);
    if (traced !== null) rows.set(block, traced);
  }
  return rows;
}

/** `null` when the traces are not those of all its transactions. */
function parseTracedBlock(
  block: BlockHeader,
  result: unknown,
  values: TransactionValues | undefined,
): readonly TransactionRow[] | null {
  const traced = parseParityTraces(result, block.hash);
  if (traced === null) return null;
  const rows: TransactionRow[] = [];
  for (const [transactionIndex, hash] of getTransactionHashes(block).entries()) {
    const transaction = typeof hash === 'string' ? traced.get(hash) : undefined;
    if (transaction === undefined || transaction.root.from === null) return null;
    const { root, calls } = transaction;
    const from = toLowerHex(root.from as Hex);
    const to = root.to === null ? null : toLowerHex(root.to);
    if (root.value !== null) values?.set(toLowerHex(hash as Hex), root.value);
    rows.push({
      blockNumber: block.number,
      transactionIndex,
      transactionHash: toLowerHex(hash as Hex),
      from,
      to,
      internalRecipients: getInternalRecipients(calls, [from, to]),
    });
  }
  return rows;
}

/** Whom calls paid and what they created, each once, without `excluded`, in lower case. */
export function getInternalRecipients(calls: readonly CallFrame[], excluded: readonly (Hex | null)[]): readonly Hex[] {
  const recipients = new Set<Hex>();
  for (const { type, from, to, value, isReverted } of calls) {
    if (isReverted || to === null) continue;
    const isCreation = type === 'CREATE' || type === 'CREATE2';
    // Opcodes do not tell what a destroyed contract held: its value is `null`.
    const isPayment = (type === 'CALL' || type === 'SELFDESTRUCT') && value !== 0n && to !== from;
    if (isCreation || isPayment) recipients.add(toLowerHex(to));
  }
  return [...recipients].filter(address => !excluded.includes(address));
}

interface FullTransaction extends Omit<TransactionRow, 'internalRecipients'> {
  readonly isCreation: boolean;
  readonly isOfEthereum: boolean;
}

/** `null` when the node no longer has one of the blocks. */
async function fetchFullBlocks(
  node: EvmNode,
  blocks: readonly BlockHeader[],
  signal: AbortSignal,
  values: TransactionValues | undefined,
): Promise<ReadonlyMap<BlockHeader, readonly TransactionRow[]> | null> {
  const responses = await node.rpc.sendAll(
    blocks.map(({ hash }) => ({ method: 'eth_getBlockByHash', params: [hash, true] })),
    signal,
  );
  const parsed = blocks.map((block, index) => {
    const result = node.getResult('eth_getBlockByHash', responses[index]);
    return node.validate('eth_getBlockByHash', () => parseFullBlock(block, result, values));
  });
  if (parsed.includes(null)) return null;
  const created = await fetchCreatedContracts(
    node,
    parsed.flatMap(transactions => transactions ?? []),
    signal,
  );
  if (created === null) return null;
  return new Map(
    blocks.map((block, index) => {
      const transactions = parsed[index] ?? [];
      const gasUsed = parseQuantity(block.wire['gasUsed']);
      const hasCalls =
        gasUsed === null ||
        // Before London, refunds took off up to half of the gas.
        block.wire['baseFeePerGas'] === undefined ||
        gasUsed > TRANSACTION_GAS * BigInt(transactions.length) ||
        transactions.some(({ isOfEthereum }) => !isOfEthereum);
      const rows = transactions.map(
        ({ isCreation, isOfEthereum: _, ...row }): TransactionRow => ({
          ...row,
          to: isCreation ? (created.get(row.transactionHash) ?? null) : row.to,
          internalRecipients: hasCalls ? null : [],
        }),
      );
      return [block, rows];
    }),
  );
}

function parseFullBlock(
  block: BlockHeader,
  result: unknown,
  values: TransactionValues | undefined,
): readonly FullTransaction[] | null {
  const found = parseHeader(result);
  if (found === null) return null;
  if (found.hash !== block.hash) throw new InvalidResponseError(`block ${found.hash} came instead of ${block.hash}`);
  return requireTransactions(found.wire).map(wire => {
    const to = optionalAddress(wire, 'to');
    const transactionHash = toLowerHex(requireHash(wire, 'hash'));
    const value = parseQuantity(wire['value']);
    if (value !== null) values?.set(transactionHash, value);
    return {
      blockNumber: block.number,
      transactionIndex: requireNumber(wire, 'transactionIndex'),
      transactionHash,
      from: toLowerHex(requireAddress(wire, 'from')),
      to: to === null ? null : toLowerHex(to),
      isCreation: to === null,
      isOfEthereum: (parseSafeQuantity(wire['type'] ?? '0x0') ?? Infinity) <= MAX_ETHEREUM_TYPE,
    };
  });
}

/** By transaction hash, without those that failed; `null` when the node no longer has one of the transactions. */
async function fetchCreatedContracts(
  node: EvmNode,
  transactions: readonly FullTransaction[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Hex, Hex> | null> {
  const creations = transactions.filter(({ isCreation }) => isCreation);
  const responses = await node.rpc.sendAll(
    creations.map(({ transactionHash }) => ({ method: 'eth_getTransactionReceipt', params: [transactionHash] })),
    signal,
  );
  const created = new Map<Hex, Hex>();
  for (const [index, { transactionHash }] of creations.entries()) {
    const receipt = node.getResult('eth_getTransactionReceipt', responses[index]);
    if (receipt === null || receipt === undefined) return null;
    const contract = node.validate('eth_getTransactionReceipt', () =>
      getCreatedContract(requireObject(receipt, 'the receipt')),
    );
    if (contract !== null) created.set(transactionHash, contract);
  }
  return created;
}

const getCreatedContract = (receipt: WireObject): Hex | null => {
  const contract = optionalCreatedContract(receipt);
  return contract === null || parseSafeQuantity(receipt['status']) === 0 ? null : toLowerHex(contract);
};
