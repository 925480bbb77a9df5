// A log as the index reads it: validated, in lower case, with only the fields that decoding needs.
import { type Hex, isHash, toLowerHex } from '../../base/hex.ts';
import {
  InvalidResponseError,
  readArray,
  readHex,
  requireAddress,
  requireHash,
  requireNumber,
  requireObject,
  type WireObject,
} from '../evm/responseFields.ts';

export interface ChainLog {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: number;
  readonly logIndex: number;
  readonly address: Hex;
  /** Zero to four. */
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Many logs in a row are of one block, transaction and contract: an equal field is not parsed again. */
function cacheLast<T>(parse: (source: WireObject, key: string) => T): (source: WireObject, key: string) => T {
  let cached: { readonly wire: unknown; readonly value: T } | null = null;
  return (source, key) => {
    const wire = source[key];
    if (cached === null || cached.wire !== wire) cached = { wire, value: parse(source, key) };
    return cached.value;
  };
}

const parseHash = (source: WireObject, key: string) => toLowerHex(requireHash(source, key));
const parseBlockHash = cacheLast(parseHash);
const parseTransactionHash = cacheLast(parseHash);
const parseBlockNumber = cacheLast(requireNumber);
const parseTransactionIndex = cacheLast(requireNumber);
const parseContract = cacheLast((source, key) => toLowerHex(requireAddress(source, key)));

/** Most nodes write lower case, which is quick to check. */
const LOWER_CASE_HEX = /^0x[0-9a-f]*$/;
const isLowerCaseHex = (value: unknown, length: number): value is Hex =>
  typeof value === 'string' && value.length === length && LOWER_CASE_HEX.test(value);

function parseTopic(value: unknown): Hex {
  if (isLowerCaseHex(value, 66)) return value;
  if (!isHash(value)) throw new InvalidResponseError('a topic of a log is not 32 bytes');
  return toLowerHex(value);
}

/** Throws `InvalidResponseError` when it is no log of a mined block. */
export function parseChainLog(value: unknown): ChainLog {
  const log = requireObject(value, 'a log');
  const topics = readArray(log, 'topics').map(parseTopic);
  if (topics.length > 4) throw new InvalidResponseError(`a log has ${topics.length} topics`);
  return {
    blockNumber: parseBlockNumber(log, 'blockNumber'),
    blockHash: parseBlockHash(log, 'blockHash'),
    transactionHash: parseTransactionHash(log, 'transactionHash'),
    transactionIndex: parseTransactionIndex(log, 'transactionIndex'),
    logIndex: requireNumber(log, 'logIndex'),
    address: parseContract(log, 'address'),
    topics,
    data: toLowerHex(readHex(log, 'data')),
  };
}

/** In the order of the chain, without duplicates; throws `InvalidResponseError` when two different logs have the same position. */
export function sortChainLogs(logs: readonly ChainLog[]): readonly ChainLog[] {
  const sorted = [...logs].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  return sorted.filter((log, index) => {
    const previous = sorted[index - 1];
    if (previous === undefined || previous.logIndex !== log.logIndex || previous.blockNumber !== log.blockNumber)
      return true;
    if (
      previous.transactionHash === log.transactionHash &&
      previous.address === log.address &&
      previous.data === log.data
    )
      return false;
    throw new InvalidResponseError(`two logs of block ${log.blockNumber} have the index ${log.logIndex}`);
  });
}
