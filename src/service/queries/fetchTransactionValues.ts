// Native values of the transactions on one page that the index has no values of: asked for when shown, kept from then on.
import { type Hex, parseQuantity, toQuantity } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { InvalidResponseError, requireHash, requireObject } from '../evm/responseFields.ts';
import type { BlockRow, TransferRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

const BY_HASH = 'eth_getTransactionByHash';
const BY_PLACE = 'eth_getTransactionByBlockHashAndIndex';

interface Deps {
  readonly node: EvmNode;
  readonly store: Store;
  readonly blockOf: (number: number) => BlockRow;
  readonly log: Log;
}

/** By transaction hash; those that the node no longer has are missing. Rejects with the node's faults. */
export async function fetchTransactionValues(
  { node, store, blockOf, log }: Deps,
  rows: readonly TransferRow[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Hex, bigint>> {
  const values = new Map<Hex, bigint>();
  const unknown = new Map<Hex, TransferRow>();
  for (const row of rows) {
    if (row.value === null) unknown.set(row.transactionHash, row);
    else values.set(row.transactionHash, row.value);
  }
  if (unknown.size === 0) return values;
  const ask = async (method: string, params: (row: TransferRow) => readonly unknown[]) => {
    const asked = [...unknown.values()].filter(row => !values.has(row.transactionHash));
    const answers = await node.rpc.sendAll(
      asked.map(row => ({ method, params: params(row) })),
      signal,
    );
    for (const [index, { transactionHash }] of asked.entries()) {
      const value = node.validate(method, () => valueIn(node.getResult(method, answers[index]), transactionHash));
      if (value !== null) values.set(transactionHash, value);
    }
  };
  await ask(BY_HASH, row => [row.transactionHash]);
  // Nodes may forget which block an old transaction is in, and still have it there.
  await ask(BY_PLACE, row => [blockOf(row.blockNumber).hash, toQuantity(row.transactionIndex)]);
  const found = [...unknown.values()].flatMap(({ blockNumber, transactionHash }) => {
    const value = values.get(transactionHash);
    return value === undefined ? [] : [{ blockNumber, transactionHash, value }];
  });
  // The page does not wait for what makes the next one quicker, and a full disk must not cost it.
  void store.writeTransactionValues(found).catch(error => log.debug(`Values of transactions are not kept: ${error}`));
  return values;
}

/** `null` when the node does not have the transaction. */
function valueIn(result: unknown, wanted: Hex): bigint | null {
  if (result === null || result === undefined) return null;
  const transaction = requireObject(result, 'the transaction');
  if (requireHash(transaction, 'hash').toLowerCase() !== wanted) throw new InvalidResponseError('it is another one');
  return parseQuantity(transaction['value']);
}
