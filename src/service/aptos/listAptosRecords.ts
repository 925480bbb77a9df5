// Answers the Aptos list operations: resolves network, cursor and offset, reads a page, and converts its rows to records.
import type { OperationId } from '../../api/operations/operations.ts';
import { type CursorContent, type CursorKey, decodeCursor, encodeCursor } from '../../api/wire/cursor.ts';
import { createPage, type Page } from '../../api/wire/reply.ts';
import { NETWORK_HEADER, PARTIAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { createBadInputFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import type { HandlerContext, HandlerResult } from '../handler.ts';
import type { AptosKey, AptosListName, AptosQuery, AptosRow } from './aptosSource.ts';
import type { ActivityKey, OwnershipKey, TokenDataKey } from './models.ts';

/** The parameters that every Aptos list has, and the dates that some have. */
export interface AptosListInput {
  readonly network?: string | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
  readonly fromDate?: Date | undefined;
  readonly toDate?: Date | undefined;
}

/** Converts the key of a list to the key in a cursor and back. */
interface KeyCodec<Key> {
  encode(key: Key): CursorKey;
  /** `null` when the key does not belong to this list. */
  decode(key: CursorKey): Key | null;
}

export interface AptosListDefinition<Name extends AptosListName, Record> {
  readonly list: Name;
  readonly query: AptosQuery<Name>;
  toRecord(row: AptosRow<Name>): Record;
}

/** The parameters that select a page and a network but do not filter the list. */
const PAGE_PARAMETERS: readonly string[] = ['cursor', 'limit', 'offset', 'network'];

/** Rejects with `bad-input`, `no-node` and the faults of the source. */
export async function listAptosRecords<Name extends AptosListName, Record>(
  operation: OperationId,
  input: AptosListInput,
  { aptos }: HandlerContext,
  signal: AbortSignal | undefined,
  { list, query, toRecord }: AptosListDefinition<Name, Record>,
): Promise<HandlerResult<Page<Record>>> {
  const network = aptos.get(input.network);
  const filters = getCursorFilters(operation, network.name, input);
  const { fromDate, toDate } = input;
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate)
    throw createBadInputFault([{ field: 'from_date', message: localizable('from_date is later than to_date') }]);
  const cursor = input.cursor === undefined ? null : decodeCursor(input.cursor, filters);
  const keyCodec: KeyCodec<AptosKey<Name>> = keyCodecs[list];
  const after = cursor === null ? undefined : keyCodec.decode(cursor.key);
  if (after === null)
    throw createBadInputFault([{ field: 'cursor', message: 'cursor is not one of this list: start without one' }]);
  // SDKs repeat the whole request with the cursor: the offset was skipped on the first page.
  const offset = cursor === null ? (input.offset ?? 0) : 0;
  const page = { limit: input.limit, offset, after };
  const { rows, hasNext, partialReason } = await network.source.fetchPage(list, query, page, signal);
  const last = rows.at(-1);
  const next =
    hasNext && last !== undefined
      ? encodeCursor({ filters, key: keyCodec.encode(last), page: (cursor?.page ?? 0) + 1, total: null })
      : null;
  return {
    output: createPage({ result: rows.map(toRecord), cursor: next }),
    headers: {
      [NETWORK_HEADER]: network.name,
      ...(partialReason !== null && { [PARTIAL_HEADER]: toHeaderText(partialReason) }),
    },
  };
}

function getCursorFilters(operation: OperationId, network: string, input: AptosListInput): CursorContent['filters'] {
  const filters = Object.entries(input).filter(([name]) => !PAGE_PARAMETERS.includes(name));
  const plain = filters.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]);
  return { ...Object.fromEntries(plain), operation, network };
}

/** The text may quote a host: a header is one line of printable ASCII characters. */
const toHeaderText = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 400);

const parseUnsigned = (value: number | string | undefined): bigint | null =>
  typeof value === 'string' && /^\d{1,40}$/.test(value) ? BigInt(value) : null;

const parseHex64 = (value: number | string | undefined): string | null =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null;

const activityKeyCodec: KeyCodec<ActivityKey> = {
  encode: ({ transactionVersion, eventIndex }) => [String(transactionVersion), eventIndex],
  decode([version, index]) {
    const transactionVersion = parseUnsigned(version);
    if (transactionVersion === null || typeof index !== 'number' || !Number.isSafeInteger(index)) return null;
    return { transactionVersion, eventIndex: index };
  },
};

const tokenDataKeyCodec: KeyCodec<TokenDataKey> = {
  encode: ({ lastTransactionVersion, tokenDataIdHash }) => [String(lastTransactionVersion), tokenDataIdHash],
  decode([version, id]) {
    const lastTransactionVersion = parseUnsigned(version);
    const tokenDataIdHash = parseHex64(id);
    return lastTransactionVersion === null || tokenDataIdHash === null
      ? null
      : { lastTransactionVersion, tokenDataIdHash };
  },
};

const ownershipKeyCodec: KeyCodec<OwnershipKey> = {
  encode: key => [...tokenDataKeyCodec.encode(key), String(key.propertyVersion), key.ownerAddress.slice(2)],
  decode(parts) {
    const data = tokenDataKeyCodec.decode(parts);
    const propertyVersion = parseUnsigned(parts[2]);
    const owner = parseHex64(parts[3]);
    if (data === null || propertyVersion === null || owner === null) return null;
    return { ...data, propertyVersion, ownerAddress: `0x${owner}` satisfies Hex };
  },
};

const keyCodecs: { readonly [Name in AptosListName]: KeyCodec<AptosKey<Name>> } = {
  coinActivitiesByType: activityKeyCodec,
  coinActivitiesByOwner: activityKeyCodec,
  coinActivitiesByBlock: activityKeyCodec,
  tokenActivities: activityKeyCodec,
  tokensByCreator: tokenDataKeyCodec,
  collectionOwners: ownershipKeyCodec,
  ownedTokens: ownershipKeyCodec,
};
