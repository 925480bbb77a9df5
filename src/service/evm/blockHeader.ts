// Block headers as nodes return them.
import { type Hex, toQuantity } from '../../base/hex.ts';
import {
  InvalidResponseError,
  requireHash,
  requireNumber,
  requireObject,
  toDate,
  toHashOrNull,
  type WireObject,
} from './responseFields.ts';
import type { RpcCall } from './rpcMessage.ts';

/** What every use of a block needs of it. */
export interface BlockHeader {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex | null;
  readonly time: Date;
  /** The block as the node returned it. */
  readonly wire: WireObject;
}

export const HEADER_METHOD = 'eth_getBlockByNumber';

export const toHeaderCall = (block: number | 'latest' | 'finalized'): RpcCall => ({
  method: HEADER_METHOD,
  params: [typeof block === 'number' ? toQuantity(block) : block, false],
});

/** The header of a mined block, or `null` where the node returns `null`. Throws `InvalidResponseError`. */
export function parseHeader(value: unknown): BlockHeader | null {
  if (value === null || value === undefined) return null;
  const wire = requireObject(value, 'the block');
  return {
    number: requireNumber(wire, 'number'),
    hash: requireHash(wire, 'hash'),
    parentHash: toHashOrNull(wire['parentHash']),
    time: toDate(requireNumber(wire, 'timestamp')),
    wire,
  };
}

/** The same of the block with this number: another one is an `InvalidResponseError`. */
export function parseHeaderAt(value: unknown, number: number): BlockHeader | null {
  const header = parseHeader(value);
  if (header !== null && header.number !== number)
    throw new InvalidResponseError(`block ${header.number} came instead of block ${number}`);
  return header;
}

/** The header of a new head that a node announced; `null` where it lacks what is needed: then the head is requested. */
export function parseAnnouncedHead(value: unknown): BlockHeader | null {
  try {
    return parseHeader(value);
  } catch (error) {
    if (error instanceof InvalidResponseError) return null;
    throw error;
  }
}
