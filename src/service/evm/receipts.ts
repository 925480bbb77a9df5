// Receipts of a whole block: in one call where the node has it, else one call per transaction, always checked.
import type { Hex } from '../../base/hex.ts';
import type { EvmNode } from './evmNode.ts';
import { type BlockHeader, requireObject, type WireObject } from './responseFields.ts';
import type { RpcResponse } from './rpcMessage.ts';

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
