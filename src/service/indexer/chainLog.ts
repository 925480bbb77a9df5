// One log as the index reads it: checked, in lower case, and only what decoding needs.
import { type Hex, isHash } from '../../base/hex.ts';
import {
  InvalidResponseError,
  requireAddress,
  requireArray,
  requireHash,
  requireHex,
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
  /** None to four. */
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex;

/** Many logs in a row are of one block, transaction and contract: what was read just now is not read again. */
function remembering<T>(read: (source: WireObject, key: string) => T): (source: WireObject, key: string) => T {
  let known: { readonly wire: unknown; readonly value: T } | null = null;
  return (source, key) => {
    const wire = source[key];
    if (known === null || known.wire !== wire) known = { wire, value: read(source, key) };
    return known.value;
  };
}

const hash = (source: WireObject, key: string) => lower(requireHash(source, key));
const blockHash = remembering(hash);
const transactionHash = remembering(hash);
const blockNumber = remembering(requireNumber);
const transactionIndex = remembering(requireNumber);
const contract = remembering((source, key) => lower(requireAddress(source, key)));

/** Most nodes write lower case, which one look makes sure of. */
const LOWER = /^0x[0-9a-f]*$/;
const isLower = (value: unknown, length: number): value is Hex =>
  typeof value === 'string' && value.length === length && LOWER.test(value);

function topicIn(value: unknown): Hex {
  if (isLower(value, 66)) return value;
  if (!isHash(value)) throw new InvalidResponseError('a topic of a log is not 32 bytes');
  return lower(value);
}

/** Throws `InvalidResponseError` when it is no log of a mined block. */
export function parseChainLog(value: unknown): ChainLog {
  const log = requireObject(value, 'a log');
  const topics = requireArray(log, 'topics').map(topicIn);
  if (topics.length > 4) throw new InvalidResponseError(`a log has ${topics.length} topics`);
  return {
    blockNumber: blockNumber(log, 'blockNumber'),
    blockHash: blockHash(log, 'blockHash'),
    transactionHash: transactionHash(log, 'transactionHash'),
    transactionIndex: transactionIndex(log, 'transactionIndex'),
    logIndex: requireNumber(log, 'logIndex'),
    address: contract(log, 'address'),
    topics,
    data: lower(requireHex(log, 'data')),
  };
}

/** In the order of the chain, each once; throws `InvalidResponseError` when two different ones claim the same place. */
export function sortChainLogs(logs: readonly ChainLog[]): readonly ChainLog[] {
  const sorted = [...logs].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  return sorted.filter((log, index) => {
    const before = sorted[index - 1];
    if (before === undefined || before.logIndex !== log.logIndex || before.blockNumber !== log.blockNumber) return true;
    if (before.transactionHash === log.transactionHash && before.address === log.address && before.data === log.data)
      return false;
    throw new InvalidResponseError(`two logs of block ${log.blockNumber} have the index ${log.logIndex}`);
  });
}
