// Parameters that remote hosts have removed: they are not sent, and their records are filtered here instead.
import { type AnyOperation, basePaths } from '../api/operations/operation.ts';
import { operations } from '../api/operations/operations.ts';
import { type CreateRecordFilter, getWireName, type Parameters } from '../api/operations/parameters.ts';
import { decodeRequest, type WireRequest } from '../api/wire/request.ts';
import { HexLensError } from '../base/errors.ts';

type Values = Readonly<Record<string, unknown>>;
type RecordFilter = NonNullable<ReturnType<CreateRecordFilter>>;

/** Whether the day (YYYY-MM-DD) of a dated change has come. */
function isInEffect(day: string, nowMs: number): boolean {
  return nowMs >= Date.parse(`${day}T00:00:00Z`);
}

export interface RemoteRequest {
  /** Without the parameters that the host has removed. */
  readonly request: WireRequest;
  /** The reply's body with only the records that match the input, and how many were left out. */
  filter(body: unknown): { readonly body: unknown; readonly filtered: number };
}

const unfiltered: RemoteRequest['filter'] = body => ({ body, filtered: 0 });

function createFilter(operation: AnyOperation, filters: readonly RecordFilter[]): RemoteRequest['filter'] {
  if (filters.length === 0) return unfiltered;
  return body => {
    const page = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : null;
    const records: unknown = page === null ? body : (page as Values)['result'];
    if (!Array.isArray(records)) return { body, filtered: 0 };
    const matching = records.filter(entry => {
      const record: Values | null = operation.reply.record.decode(entry);
      return record !== null && filters.every(matches => matches(record));
    });
    const filtered = records.length - matching.length;
    // The host counted all records, not only the matching ones.
    return { body: page === null ? matching : { ...page, result: matching, total: null }, filtered };
  };
}

/**
 * What of a request may be sent to a remote host today.
 *
 * @param host Name of the host for error messages.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws `bad-input` when the host requires a parameter that is missing.
 */
export function prepareRemoteRequest(request: WireRequest, host: string, nowMs: number): RemoteRequest {
  const operation: AnyOperation = operations[request.operation];
  const removed = new Set<string>();
  const filterFactories: CreateRecordFilter[] = [];
  for (const [name, parameter] of Object.entries(operation.parameters as Parameters)) {
    const wireName = getWireName(name, parameter);
    const isGiven = request.query.some(([key]) => key === wireName);
    if (parameter.requiredSince !== undefined && !isGiven && isInEffect(parameter.requiredSince, nowMs)) {
      const message = `${wireName} is required by ${host} since ${parameter.requiredSince}`;
      throw new HexLensError('bad-input', message, {
        issues: [{ field: wireName, message }],
        fix: `Give ${wireName}, or use the embedded service for this group, which does not require it.`,
      });
    }
    if (parameter.removedSince !== undefined && isGiven && isInEffect(parameter.removedSince, nowMs)) {
      removed.add(wireName);
      if (parameter.createFilter !== undefined) filterFactories.push(parameter.createFilter);
    }
  }
  if (removed.size === 0) return { request, filter: unfiltered };
  const base = basePaths[request.group][0];
  const { input } = decodeRequest(request.method, base + request.path, request.query, request.body ?? undefined);
  return {
    request: { ...request, query: request.query.filter(([key]) => !removed.has(key)) },
    filter: createFilter(
      operation,
      filterFactories.map(create => create(input as Values)).filter(filter => filter !== null),
    ),
  };
}
