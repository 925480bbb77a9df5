// All indexed logs of the transactions with NFT transfers of one contract: a sale shows in the other logs of its transaction.
import type { Hex } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { InvalidResponseError, requireArray, requireHash, requireObject } from '../evm/responseFields.ts';
import { type ChainLog, parseChainLog, sortChainLogs } from './chainLog.ts';
import { INDEXED_TOPICS } from './indexedTopics.ts';

const RECEIPT = 'eth_getTransactionReceipt';

/**
 * Read from receipts: marketplaces log the sales of all collections, so a filter by marketplace would match far more.
 * Rejects with `node-answer` when a receipt is missing.
 */
export async function fetchTransactionLogs(
  node: EvmNode,
  transferLogs: readonly ChainLog[],
  signal: AbortSignal,
): Promise<readonly ChainLog[]> {
  const hashes = [...new Set(transferLogs.map(log => log.transactionHash))];
  const blockHashes = new Map(transferLogs.map(log => [log.transactionHash, log.blockHash]));
  const responses = await node.rpc.sendAll(
    hashes.map(hash => ({ method: RECEIPT, params: [hash] })),
    signal,
  );
  const logs = hashes.flatMap((hash, index) => {
    const result = node.getResult(RECEIPT, responses[index]);
    return node.validate(RECEIPT, () => {
      const receipt = requireObject(result, 'the receipt');
      if ((requireHash(receipt, 'transactionHash').toLowerCase() as Hex) !== hash)
        throw new InvalidResponseError('it is of another transaction');
      const receiptLogs = requireArray(receipt, 'logs').map(parseChainLog);
      if (receiptLogs.some(log => log.blockHash !== blockHashes.get(hash)))
        throw new InvalidResponseError('it is in another block than its logs were');
      const shift = getIndexShift(
        receiptLogs,
        transferLogs.find(log => log.transactionHash === hash),
      );
      return receiptLogs
        .map(log => (shift === 0 ? log : { ...log, logIndex: log.logIndex + shift }))
        .filter(({ topics: [topic] }) => topic !== undefined && INDEXED_TOPICS.includes(topic));
    });
  });
  return node.validate(RECEIPT, () => sortChainLogs(logs));
}

/** Some nodes (Ganache) number the logs of each receipt from 0, while `eth_getLogs` numbers those of the block. */
function getIndexShift(receiptLogs: readonly ChainLog[], transferLog: ChainLog | undefined): number {
  const isSame = (log: ChainLog) =>
    log.address === transferLog?.address &&
    log.data === transferLog.data &&
    log.topics.join() === transferLog.topics.join();
  const found = receiptLogs.find(isSame);
  if (found === undefined || transferLog === undefined)
    throw new InvalidResponseError('a log that it should have is missing');
  return transferLog.logIndex - found.logIndex;
}
