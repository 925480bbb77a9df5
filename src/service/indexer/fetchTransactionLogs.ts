// All indexed logs of the transactions in which NFTs of one contract moved: a sale is told by what else happened there.
import type { Hex } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { InvalidResponseError, requireArray, requireHash, requireObject } from '../evm/responseFields.ts';
import { type ChainLog, parseChainLog, sortChainLogs } from './chainLog.ts';
import { INDEXED_TOPICS } from './indexedTopics.ts';

const RECEIPT = 'eth_getTransactionReceipt';

/**
 * By receipts: marketplaces log every sale of all collections, so that a collection's own transfers are the shorter way.
 * Rejects with `node-answer` when a receipt is missing.
 */
export async function fetchTransactionLogs(
  node: EvmNode,
  moves: readonly ChainLog[],
  signal: AbortSignal,
): Promise<readonly ChainLog[]> {
  const hashes = [...new Set(moves.map(log => log.transactionHash))];
  const blockOf = new Map(moves.map(log => [log.transactionHash, log.blockHash]));
  const answers = await node.rpc.sendAll(
    hashes.map(hash => ({ method: RECEIPT, params: [hash] })),
    signal,
  );
  const logs = hashes.flatMap((hash, index) => {
    const result = node.getResult(RECEIPT, answers[index]);
    return node.validate(RECEIPT, () => {
      const receipt = requireObject(result, 'the receipt');
      if ((requireHash(receipt, 'transactionHash').toLowerCase() as Hex) !== hash)
        throw new InvalidResponseError('it is of another transaction');
      const own = requireArray(receipt, 'logs').map(parseChainLog);
      if (own.some(log => log.blockHash !== blockOf.get(hash)))
        throw new InvalidResponseError('it stands in another block than its logs did');
      const shift = shiftOf(
        own,
        moves.find(log => log.transactionHash === hash),
      );
      return own
        .map(log => (shift === 0 ? log : { ...log, logIndex: log.logIndex + shift }))
        .filter(({ topics: [topic] }) => topic !== undefined && INDEXED_TOPICS.includes(topic));
    });
  });
  return node.validate(RECEIPT, () => sortChainLogs(logs));
}

/** Some nodes (Ganache) count the logs of every receipt from 0, where `eth_getLogs` counts those of the block. */
function shiftOf(own: readonly ChainLog[], move: ChainLog | undefined): number {
  const same = (log: ChainLog) =>
    log.address === move?.address && log.data === move.data && log.topics.join() === move.topics.join();
  const found = own.find(same);
  if (found === undefined || move === undefined) throw new InvalidResponseError('a log that it should have is missing');
  return move.logIndex - found.logIndex;
}
