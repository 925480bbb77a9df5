// Transactions of an address, read block by block without the code under test: direct ones, and payments by calls inside.
import type { Hex } from '../../src/base/hex.ts';
import { toQuantity } from '../../src/base/hex.ts';
import type { JsonRpc } from './chain/jsonRpc.ts';

export interface RawTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly value: Hex;
}

interface RawReceipt {
  readonly contractAddress: Hex | null;
  readonly status: Hex;
}

interface RawCall {
  readonly type: string;
  readonly from: Hex;
  readonly to?: Hex;
  readonly value?: Hex;
  readonly error?: string;
  readonly calls?: readonly RawCall[];
}

export interface TransactionWitness {
  /** Every transaction of the chain, oldest first. */
  readonly all: readonly RawTransaction[];
  /** Those that the address sent or received, or that created it by themselves. */
  direct(address: Hex): readonly Hex[];
}

/** From every block and receipt. */
export async function readTransactions(node: JsonRpc): Promise<TransactionWitness> {
  const head = Number(await node.rpc<Hex>('eth_blockNumber', []));
  const blocks = await node.batch<{ transactions: readonly RawTransaction[] }>(
    Array.from({ length: head + 1 }, (_, number) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(number), true],
    })),
  );
  const all = blocks.flatMap(block => block.transactions);
  const receipts = await node.batch<RawReceipt>(
    all.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  const sides = all.map(({ from, to }, index) => {
    const { contractAddress = null, status } = receipts[index] ?? { status: '0x0' };
    return [from, to, Number(status) === 1 ? contractAddress : null].map(side => side?.toLowerCase());
  });
  return {
    all,
    direct: address => all.filter((_, index) => sides[index]?.includes(address.toLowerCase())).map(({ hash }) => hash),
  };
}

/** By the hashes of block and transaction: chains that are filled alike have the same. */
const traced = new Map<string, ReadonlySet<string>>();

/** The addresses that calls inside each transaction paid or created, by its hash, from one `callTracer` each. */
export async function traceRecipients(
  node: JsonRpc,
  transactions: readonly RawTransaction[],
): Promise<ReadonlyMap<Hex, ReadonlySet<string>>> {
  const getKey = ({ blockHash, hash }: RawTransaction) => `${blockHash} ${hash}`;
  const untraced = transactions.filter(transaction => !traced.has(getKey(transaction)));
  const traces = await node.batch<RawCall>(
    untraced.map(({ hash }) => ({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] })),
  );
  for (const [index, transaction] of untraced.entries()) {
    const root = traces[index];
    const found = new Set<string>();
    if (root !== undefined) collectRecipients(root, false, found);
    traced.set(getKey(transaction), found);
  }
  return new Map(transactions.map(transaction => [transaction.hash, traced.get(getKey(transaction)) ?? new Set()]));
}

function collectRecipients(call: RawCall, isInside: boolean, found: Set<string>): void {
  if (call.error !== undefined) return;
  const isCreation = call.type.startsWith('CREATE');
  const pays = ['CALL', 'SELFDESTRUCT'].includes(call.type) && BigInt(call.value ?? 0) > 0n && call.to !== call.from;
  if (isInside && call.to !== undefined && (isCreation || pays)) found.add(call.to.toLowerCase());
  for (const inner of call.calls ?? []) collectRecipients(inner, true, found);
}
