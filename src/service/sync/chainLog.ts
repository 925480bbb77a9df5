// One log as the index reads it: checked, in lower case, and only what decoding needs.
import type { Hex } from '../../base/hex.ts';
import { isHash } from '../../base/hex.ts';
import { addressIn, dataIn, hashIn, Implausible, listIn, numberIn, objectIn } from '../evm/shape.ts';

export interface ChainLog {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: number;
  readonly logIndex: number;
  readonly address: Hex;
  /** None to four. */
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex;

/** Throws `Implausible` when it is no log of a mined block. */
export function chainLog(value: unknown): ChainLog {
  const log = objectIn(value, 'a log');
  const topics = listIn(log, 'topics').map(topic => {
    if (!isHash(topic)) throw new Implausible('a topic of a log is not 32 bytes');
    return lower(topic);
  });
  if (topics.length > 4) throw new Implausible(`a log has ${topics.length} topics`);
  return {
    blockNumber: numberIn(log, 'blockNumber'),
    blockHash: lower(hashIn(log, 'blockHash')),
    transactionHash: lower(hashIn(log, 'transactionHash')),
    transactionIndex: numberIn(log, 'transactionIndex'),
    logIndex: numberIn(log, 'logIndex'),
    address: lower(addressIn(log, 'address')),
    topics,
    data: lower(dataIn(log, 'data')),
  };
}

/** In the order of the chain, each once; throws `Implausible` when two different ones claim the same place. */
export function inChainOrder(logs: readonly ChainLog[]): readonly ChainLog[] {
  const sorted = [...logs].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  return sorted.filter((log, index) => {
    const before = sorted[index - 1];
    if (before === undefined || before.logIndex !== log.logIndex || before.blockNumber !== log.blockNumber) return true;
    if (before.transactionHash === log.transactionHash && before.address === log.address && before.data === log.data)
      return false;
    throw new Implausible(`two logs of block ${log.blockNumber} have the index ${log.logIndex}`);
  });
}
