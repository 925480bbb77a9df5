// Lists of group C: what every page of one begins and ends with: network, filters, cursor, offset, what is only partly there.

import type { OperationId } from '../../api/operations/operations.ts';
import { type CursorContent, type CursorKey, decodeCursor, encodeCursor } from '../../api/wire/cursor.ts';
import { createPage, type Page } from '../../api/wire/reply.ts';
import { NETWORK_HEADER, PARTIAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { badInputFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { HandlerContext, HandlerResult } from '../handler.ts';
import type { AptosPage, AptosPageRequest, AptosSource } from './aptosSource.ts';
import type { ActivityKey, OwnershipKey, TokenDataKey } from './models.ts';

/** Parameters that every list of the group has, and those of dates. */
export interface AptosListInput {
  readonly network?: string | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
  readonly fromDate?: Date | undefined;
  readonly toDate?: Date | undefined;
}

/** How a list's key stands in a cursor. */
export interface KeyCodec<Key> {
  encode(key: Key): CursorKey;
  /** `null` when it is no key of this list. */
  decode(key: CursorKey): Key | null;
}

export interface AptosListDefinition<Row extends Key, Key, Record> {
  readonly keyCodec: KeyCodec<Key>;
  readPage(source: AptosSource, slice: AptosPageRequest<Key>): Promise<AptosPage<Row>>;
  toRecord(row: Row): Record;
}

/** How many there are and where the page starts does not shape the list. */
const PLACE = ['cursor', 'limit', 'offset', 'network'];

/** Rejects with `bad-input`, `no-node` and the source's faults. */
export async function listAptosRecords<Row extends Key, Key, Record>(
  operation: OperationId,
  input: AptosListInput,
  { aptos }: HandlerContext,
  list: AptosListDefinition<Row, Key, Record>,
): Promise<HandlerResult<Page<Record>>> {
  const network = aptos.get(input.network);
  const filters = filtersOf(operation, network.name, input);
  const { fromDate, toDate } = input;
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate)
    throw badInputFault([{ field: 'from_date', message: 'from_date is later than to_date' }]);
  const cursor = input.cursor === undefined ? null : decodeCursor(input.cursor, filters);
  const after = cursor === null ? undefined : list.keyCodec.decode(cursor.key);
  if (after === null)
    throw badInputFault([{ field: 'cursor', message: 'cursor is not one of this list: start without one' }]);
  // SDKs repeat the whole request with the cursor: the offset was skipped on the first page.
  const offset = cursor === null ? (input.offset ?? 0) : 0;
  const {
    rows,
    hasNext,
    partialReason: problem,
  } = await list.readPage(network.source, { limit: input.limit, offset, after });
  const last = rows.at(-1);
  const next =
    hasNext && last !== undefined
      ? encodeCursor({ filters, key: list.keyCodec.encode(last), page: (cursor?.page ?? 0) + 1, total: null })
      : null;
  return {
    output: createPage({ result: rows.map(row => list.toRecord(row)), cursor: next }),
    headers: { [NETWORK_HEADER]: network.name, ...(problem !== null && { [PARTIAL_HEADER]: headerText(problem) }) },
  };
}

function filtersOf(operation: OperationId, network: string, input: AptosListInput): CursorContent['filters'] {
  const shaping = Object.entries(input).filter(([name]) => !PLACE.includes(name));
  const plain = shaping.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]);
  return { ...Object.fromEntries(plain), operation, network };
}

/** A host's words may be in it: one line of printable characters, as a header must be. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 400);

const unsigned = (value: number | string | undefined): bigint | null =>
  typeof value === 'string' && /^\d{1,40}$/.test(value) ? BigInt(value) : null;

const hex64 = (value: number | string | undefined): string | null =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null;

export const activityKeyCodec: KeyCodec<ActivityKey> = {
  encode: ({ transactionVersion, eventIndex }) => [String(transactionVersion), eventIndex],
  decode([version, index]) {
    const transactionVersion = unsigned(version);
    if (transactionVersion === null || typeof index !== 'number' || !Number.isSafeInteger(index)) return null;
    return { transactionVersion, eventIndex: index };
  },
};

export const tokenDataKeyCodec: KeyCodec<TokenDataKey> = {
  encode: ({ lastTransactionVersion, tokenDataIdHash }) => [String(lastTransactionVersion), tokenDataIdHash],
  decode([version, id]) {
    const lastTransactionVersion = unsigned(version);
    const tokenDataIdHash = hex64(id);
    return lastTransactionVersion === null || tokenDataIdHash === null
      ? null
      : { lastTransactionVersion, tokenDataIdHash };
  },
};

export const ownershipKeyCodec: KeyCodec<OwnershipKey> = {
  encode: key => [...tokenDataKeyCodec.encode(key), String(key.propertyVersion), key.ownerAddress.slice(2)],
  decode(parts) {
    const data = tokenDataKeyCodec.decode(parts);
    const propertyVersion = unsigned(parts[2]);
    const owner = hex64(parts[3]);
    if (data === null || propertyVersion === null || owner === null) return null;
    return { ...data, propertyVersion, ownerAddress: `0x${owner}` satisfies Hex };
  },
};
