// Native values of the transactions on one page: a sparse index has none, and asks for those that are shown.
import { type Hex, quantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/node.ts';
import { hashIn, Implausible, objectIn } from '../evm/shape.ts';

const TRANSACTION = 'eth_getTransactionByHash';

/** By transaction hash; those that the node no longer has are missing. Rejects with the node's faults. */
export async function transactionValues(
  node: EvmNode,
  hashes: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Hex, bigint>> {
  const distinct = [...new Set(hashes)];
  const answers = await node.rpc.askAll(
    distinct.map(hash => ({ method: TRANSACTION, params: [hash] })),
    signal,
  );
  const values = new Map<Hex, bigint>();
  for (const [index, hash] of distinct.entries()) {
    const result = node.result(TRANSACTION, answers[index]);
    if (result === null || result === undefined) continue;
    node.believe(TRANSACTION, () => {
      const transaction = objectIn(result, 'the transaction');
      if (hashIn(transaction, 'hash').toLowerCase() !== hash) throw new Implausible('it is another one');
      const value = quantity(transaction['value']);
      if (value !== null) values.set(hash, value);
    });
  }
  return values;
}
