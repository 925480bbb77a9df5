// Sends the transactions of one block, mines it, and checks the position and status of each.
import { HexLensError } from '../../../src/base/errors.ts';
import { type Hex, toQuantity } from '../../../src/base/hex.ts';
import type { JsonRpc, RpcCall } from './jsonRpc.ts';
import type { BlockName, TransactionName } from './testChain.ts';
import type { Mining } from './testNode.ts';

/** A transaction of an unlocked account; without `to` it creates a contract. */
export interface TestTransaction {
  readonly from: Hex;
  readonly to?: Hex;
  /** Wei; default 0. */
  readonly value?: bigint;
  readonly data?: Hex;
  /** Default: the next one of the node; needed when several are sent at once. */
  readonly nonce?: number;
  /** Gas limit; default 400,000, or 6,000,000 for a creation: never estimated, so that failing ones can be sent. */
  readonly gas?: number;
  /** EIP-2718 type; default EIP-1559. */
  readonly kind?: 'legacy' | 'access-list' | 'fee-market';
  /** True when the receipt must have status 0. */
  readonly fails?: boolean;
}

export interface TestReceipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly contractAddress: Hex | null;
}

export interface MinedBlock {
  readonly number: number;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
  /** In the order of the transactions given. */
  readonly receipts: readonly TestReceipt[];
}

/** One block of the scenario: transactions with their names, or without one. */
export type NamedTransactions = readonly (readonly [TransactionName, TestTransaction] | TestTransaction)[];

/** Mines the next block of the fill and records the names of its transactions and of the block, if it has one. */
export type Mine = (transactions: NamedTransactions, block?: BlockName) => Promise<MinedBlock>;

interface Header {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly Hex[];
}

const GWEI = 1_000_000_000;

/**
 * One block with exactly these transactions in this order, on a node that mines only on request. Rejects with `internal`, naming
 * the first transaction that is missing, at another position, or has the wrong status.
 */
export async function mineBlock(node: JsonRpc & Mining, transactions: readonly TestTransaction[]): Promise<MinedBlock> {
  const hashes: Hex[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const call = sendCall(transaction); // one by one: within a batch the node may change their order
    const { method, params } = node.inOrder?.(call, index) ?? call;
    hashes.push(await node.rpc<Hex>(method, params));
  }
  await node.mine();
  const header = await node.rpc<Header>('eth_getBlockByNumber', ['latest', false]);
  // Not every node has the receipts of a whole block.
  const receipts = await node.batch<TestReceipt>(
    header.transactions.map(hash => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  const number = Number(header.number);
  transactions.forEach((transaction, index) => {
    const receipt = receipts[index];
    const problem = complaint(transaction, hashes[index], receipt);
    if (problem !== undefined)
      throw misplaced(`Transaction ${index} of block ${number} ${problem}`, transaction, receipt);
  });
  if (receipts.length !== transactions.length) {
    throw misplaced(`Block ${number} has ${receipts.length} transactions instead of ${transactions.length}`, {}, {});
  }
  return { number, hash: header.hash, timestamp: Number(header.timestamp), receipts };
}

export function sendCall(transaction: TestTransaction): RpcCall {
  const { from, to, value = 0n, data = '0x', kind = 'fee-market' } = transaction;
  const gas = transaction.gas ?? (to === undefined ? 6_000_000 : 400_000);
  const fees = {
    legacy: { type: '0x0', gasPrice: toQuantity(3 * GWEI) },
    'access-list': { type: '0x1', gasPrice: toQuantity(3 * GWEI), accessList: [] },
    'fee-market': { type: '0x2', maxFeePerGas: toQuantity(4 * GWEI), maxPriorityFeePerGas: toQuantity(GWEI) },
  }[kind];
  const target = to === undefined ? {} : { to };
  const order = transaction.nonce === undefined ? {} : { nonce: toQuantity(transaction.nonce) };
  return {
    method: 'eth_sendTransaction',
    params: [{ from, ...target, ...order, value: toQuantity(value), data, gas: toQuantity(gas), ...fees }],
  };
}

function complaint(
  transaction: TestTransaction,
  hash: Hex | undefined,
  receipt: TestReceipt | undefined,
): string | undefined {
  if (receipt === undefined) return 'was not mined';
  if (receipt.transactionHash !== hash) return 'is not in its place';
  const failed = receipt.status !== '0x1';
  if (failed !== (transaction.fails ?? false)) return failed ? 'failed' : 'did not fail';
  return undefined;
}

function misplaced(message: string, transaction: Partial<TestTransaction>, receipt: unknown): HexLensError {
  const details = JSON.stringify({ transaction, receipt }, (_, value) => {
    if (typeof value === 'bigint') return value.toString();
    return typeof value === 'string' && value.length > 500 ? `${value.slice(0, 500)}...` : value;
  });
  return new HexLensError('internal', `${message}.`, {
    details,
    fix: 'Check this transaction in test/support/chain: its arguments, gas and balance.',
  });
}
