// What a remote host no longer takes since a dated change: not sent, and done on our side where that is possible.

import { type AnyOperation, basePaths } from '../api/operations/operation.ts';
import { type Input, type OperationId, operations } from '../api/operations/operations.ts';
import { getWireName, type Parameters } from '../api/operations/parameters.ts';
import { decodeRequest, type WireRequest } from '../api/wire/request.ts';
import { HexLensError } from '../base/errors.ts';

type Values = Readonly<Record<string, unknown>>;
/** Whether a record belongs to the answer although the host was not told the parameter. */
type Keeps = (record: Values) => boolean;

/** A day of the contract's dated changes (YYYY-MM-DD) has come. */
export function isInEffect(day: string, now: number): boolean {
  return now >= Date.parse(`${day}T00:00:00Z`);
}

function keepsDirection({ address, direction }: Input<'walletNftTransfers'>): Keeps | null {
  if (direction === 'from') return record => record['fromAddress'] === address;
  if (direction === 'to') return record => record['toAddress'] === address;
  return null;
}

function keepsTopics(input: Input<'contractLogs'>): Keeps | null {
  const wanted = (['topic1', 'topic2', 'topic3'] as const).filter(name => input[name] !== undefined);
  return wanted.length === 0 ? null : record => wanted.every(name => record[name] === input[name]);
}

/** By operation: what its dropped parameters would have left out. */
const filters: { readonly [Id in OperationId]?: (input: Input<Id>) => Keeps | null } = {
  walletNftTransfers: keepsDirection,
  contractLogs: keepsTopics,
};

export interface RemoteRequest {
  /** Without what the host no longer knows. */
  readonly request: WireRequest;
  /** The reply's body with only the records that were asked for, and how many others were left out. */
  filter(body: unknown): { readonly body: unknown; readonly filtered: number };
}

const unfiltered: RemoteRequest['filter'] = body => ({ body, filtered: 0 });

function filterOf(operation: AnyOperation, keeps: Keeps | null): RemoteRequest['filter'] {
  if (keeps === null) return unfiltered;
  return body => {
    const page = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : null;
    const records: unknown = page === null ? body : (page as Values)['result'];
    if (!Array.isArray(records)) return { body, filtered: 0 };
    const kept = records.filter(entry => {
      const record: Values | null = operation.reply.record.decode(entry);
      return record !== null && keeps(record);
    });
    const filtered = records.length - kept.length;
    // The host counted what it was asked for, not what is left.
    return { body: page === null ? kept : { ...page, result: kept, total: null }, filtered };
  };
}

/** What of a request may go to a remote host today. Throws `bad-input` when the host requires what is missing. */
export function prepareRemoteRequest(request: WireRequest, host: string, now: number): RemoteRequest {
  const operation: AnyOperation = operations[request.operation];
  const dropped = new Set<string>();
  for (const [name, parameter] of Object.entries(operation.parameters as Parameters)) {
    const wire = getWireName(name, parameter);
    const given = request.query.some(([key]) => key === wire);
    if (parameter.requiredSince !== undefined && !given && isInEffect(parameter.requiredSince, now)) {
      const message = `${wire} is required by ${host} since ${parameter.requiredSince}`;
      throw new HexLensError('bad-input', message, {
        issues: [{ field: wire, message }],
        fix: `Give ${wire}, or use the embedded service for this group: it answers without.`,
      });
    }
    if (parameter.until !== undefined && given && isInEffect(parameter.until, now)) dropped.add(wire);
  }
  if (dropped.size === 0) return { request, filter: unfiltered };
  const base = basePaths[request.group][0];
  const { input } = decodeRequest(request.method, base + request.path, request.query, request.body ?? undefined);
  // The table gives every operation its own input; the id that picks the filter is the one that was decoded.
  const keeps = filters[request.operation]?.(input as never) ?? null;
  return {
    request: { ...request, query: request.query.filter(([key]) => !dropped.has(key)) },
    filter: filterOf(operation, keeps),
  };
}
