// Native values of a page's transactions: those that the index lacks are fetched and stored.
import { type Hex, parseQuantity, toQuantity } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { InvalidResponseError, requireHash, requireObject } from '../evm/responseFields.ts';
import type { BlockRow, TransferRow } from '../store/rows.ts';
import type { StoreWriter } from '../store/store.ts';

const BY_HASH = 'eth_getTransactionByHash';
const BY_POSITION = 'eth_getTransactionByBlockHashAndIndex';

interface FetchTransactionValuesDeps {
  readonly node: EvmNode;
  readonly store: Pick<StoreWriter, 'writeTransactionValues'>;
  readonly getBlock: (number: number) => BlockRow;
  readonly log: Log;
}

/** By transaction hash, without transactions that the node no longer has. Rejects with the node's faults. */
export async function fetchTransactionValues(
  { node, store, getBlock, log }: FetchTransactionValuesDeps,
  rows: readonly TransferRow[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Hex, bigint>> {
  const values = new Map<Hex, bigint>();
  const withoutValue = new Map<Hex, TransferRow>();
  for (const row of rows) {
    if (row.value === null) withoutValue.set(row.transactionHash, row);
    else values.set(row.transactionHash, row.value);
  }
  if (withoutValue.size === 0) return values;
  const fetchMissing = async (method: string, toParams: (row: TransferRow) => readonly unknown[]) => {
    const missing = [...withoutValue.values()].filter(row => !values.has(row.transactionHash));
    const responses = await node.rpc.sendAll(
      missing.map(row => ({ method, params: toParams(row) })),
      signal,
    );
    for (const [index, { transactionHash }] of missing.entries()) {
      const value = node.validate(method, () => parseValue(node.getResult(method, responses[index]), transactionHash));
      if (value !== null) values.set(transactionHash, value);
    }
  };
  await fetchMissing(BY_HASH, row => [row.transactionHash]);
  // Nodes may have dropped an old transaction from their index by hash, and still have it in its block.
  await fetchMissing(BY_POSITION, row => [getBlock(row.blockNumber).hash, toQuantity(row.transactionIndex)]);
  const found = [...withoutValue.values()].flatMap(({ blockNumber, transactionHash }) => {
    const value = values.get(transactionHash);
    return value === undefined ? [] : [{ blockNumber, transactionHash, value }];
  });
  // The page does not wait for this, and a full disk must not make it fail: it only makes later pages faster.
  void store
    .writeTransactionValues(found)
    .catch(error => log.debug(`Values of transactions could not be stored: ${error}`));
  return values;
}

/** `null` when the node does not have the transaction. */
function parseValue(result: unknown, hash: Hex): bigint | null {
  if (result === null || result === undefined) return null;
  const transaction = requireObject(result, 'the transaction');
  if (requireHash(transaction, 'hash').toLowerCase() !== hash) throw new InvalidResponseError('it is another one');
  return parseQuantity(transaction['value']);
}
