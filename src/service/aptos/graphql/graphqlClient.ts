// Client of an Aptos Indexer GraphQL API: one query, its rows. Errors in a response with HTTP 200 become faults.
import { HexLensError } from '../../../base/errors.ts';
import type { HideKeys } from '../../../base/httpPort.ts';
import { toPrintable } from '../../evm/rpcMessage.ts';
import type { AttemptOutcome } from '../../retryEndpointRequest.ts';
import { type AptosHttpClientOptions, createAptosHttpClient } from '../aptosHttpClient.ts';
import { asString, getField, isJsonObject, type Json, type JsonObject } from '../jsonFields.ts';

/** The limit of the public indexers, which return no more rows whatever limit a query has. */
export const MAX_ROWS_PER_QUERY = 100;

export interface GraphqlQuery {
  /** The root field whose rows are read: the name of a table. */
  readonly field: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface GraphqlClient {
  /** The rows of a query. Repeats the request when that may help. Rejects with a `HexLensError`. */
  fetchRows(query: GraphqlQuery, signal?: AbortSignal): Promise<readonly JsonObject[]>;
}

interface GraphqlError {
  readonly message: string;
  readonly code: string;
}

/** The first error of a response `{errors: [{message, extensions: {code}}]}`; `null` when there is none. */
function findError(response: Json, hideKeys: HideKeys): GraphqlError | null {
  if (!isJsonObject(response)) return null;
  const { errors } = response;
  const error = Array.isArray(errors) ? (errors[0] as Json | undefined) : errors;
  if (error === undefined || error === null) return null;
  if (!isJsonObject(error)) return { message: hideKeys(String(error)), code: '' };
  return {
    message: hideKeys(asString(error['message']) ?? 'no reason'),
    code: asString(getField(error, 'extensions', 'code')) ?? '',
  };
}

export function createGraphqlClient(options: Omit<AptosHttpClientOptions, 'endpoint'>): GraphqlClient {
  const client = createAptosHttpClient({ ...options, endpoint: 'indexer' });
  const { errors } = client;

  const toFailure = ({ message, code }: GraphqlError): AttemptOutcome<never> => {
    const quote = toPrintable(message).replace(/\.$/, '');
    const text = `${message} ${code}`;
    if (/rate.?limit|too many requests|compute unit/i.test(text))
      return { fault: errors.fromStatus(429, quote), retry: 'withBackoff' };
    if (/time.?out|timed out|canceling statement|took too long/i.test(text))
      return {
        fault: new HexLensError('node-timeout', `${errors.endpointName} gave up on the query: ${quote}.`, {
          fix: 'Request less: a smaller limit, a shorter range of dates, or without offset.',
        }),
        retry: 'never',
      };
    if (/validation-failed|not-found|not found in type|field .{0,200} not found/i.test(`${code} ${message}`))
      return {
        fault: new HexLensError(
          'node-error',
          `${errors.endpointName} does not have the tables that HexLens reads: ${quote}.`,
          {
            fix: 'It may be of another version: leave the indexer out in hexlens.aptos.networks to read from the node alone.',
          },
        ),
        retry: 'never',
      };
    return {
      fault: new HexLensError('node-error', `${errors.endpointName} rejected the query: ${quote}.`, {
        details: `code ${code}`,
        fix: 'Try again. If the error persists, leave the indexer out in hexlens.aptos.networks.',
      }),
      retry: /postgres|unexpected|internal|connection/i.test(text) ? 'once' : 'never',
    };
  };

  return {
    fetchRows({ field, query, variables }, signal) {
      const body = JSON.stringify({ query, variables });
      return client.send<readonly JsonObject[]>(
        { method: 'POST', path: '', body, logLabel: `/graphql ${field}` },
        ({ status, value, hideKeys }) => {
          const error = findError(value, hideKeys);
          if (error !== null) return toFailure(error);
          if (status >= 300) return { fault: errors.fromStatus(status, null), retry: 'never' };
          const rows = getField(value, 'data', field);
          if (!Array.isArray(rows) || !rows.every(isJsonObject))
            return { fault: errors.invalidResponse('sent a response without the requested rows'), retry: 'once' };
          return { value: rows };
        },
        signal,
      );
    },
  };
}
