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
import { MAX_LOG_INDEX } from '../store/rows.ts';

export interface ChainLog {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: number;
  /** See `getLogPlaces`. */
  readonly place: number;
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

function parseLogIndex(log: WireObject): number {
  const logIndex = requireNumber(log, 'logIndex');
  if (logIndex > MAX_LOG_INDEX) throw new InvalidResponseError(`a log has the index ${logIndex}`);
  return logIndex;
}

/** With the log index as its place. Throws `InvalidResponseError` when it is no log of a mined block. */
export function parseChainLog(value: unknown): ChainLog {
  const log = requireObject(value, 'a log');
  const topics = readArray(log, 'topics').map(parseTopic);
  if (topics.length > 4) throw new InvalidResponseError(`a log has ${topics.length} topics`);
  return {
    blockNumber: parseBlockNumber(log, 'blockNumber'),
    blockHash: parseBlockHash(log, 'blockHash'),
    transactionHash: parseTransactionHash(log, 'transactionHash'),
    transactionIndex: parseTransactionIndex(log, 'transactionIndex'),
    place: parseLogIndex(log),
    address: parseContract(log, 'address'),
    topics,
    data: toLowerHex(readHex(log, 'data')),
  };
}
