// The Indexer GraphQL API of one Aptos network: one query, its rows; refusals that come with HTTP 200 told as faults.
import { HexLensError } from '../../../base/errors.ts';
import { toPrintable } from '../../evm/rpcMessage.ts';
import { type AptosHttpClientOptions, createAptosHttpClient, type ResponseOutcome } from '../aptosHttpClient.ts';
import { isJsonObject } from '../fullnode/fullnodeClient.ts';
import type { Json, JsonObject } from '../transaction.ts';

/** The most rows that the public indexers give to one query, however many were asked for. */
export const MAX_ROWS_PER_QUERY = 100;

export interface GraphqlQuery {
  /** The root field whose rows are wanted: a table, or an alias of one. */
  readonly field: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface GraphqlClient {
  readonly host: string;
  readonly isLoopback: boolean;
  /** The rows of one query. Reads only, so it is sent again where that may help. Rejects with a HexLensError. */
  fetchRows(query: GraphqlQuery, signal?: AbortSignal): Promise<readonly JsonObject[]>;
}

interface Refusal {
  readonly message: string;
  readonly code: string;
}

function refusalIn(value: Json): Refusal | null {
  if (!isJsonObject(value)) return null;
  const { errors } = value;
  const first = Array.isArray(errors) ? (errors[0] as Json | undefined) : errors;
  // The gateway in front of it answers `{"error": "..."}` or `{"message": "..."}`.
  if (first === undefined || first === null) return null;
  if (!isJsonObject(first)) return { message: String(first), code: '' };
  const { message, extensions } = first;
  const code = isJsonObject(extensions) ? extensions['code'] : undefined;
  return { message: typeof message === 'string' ? message : 'no reason', code: typeof code === 'string' ? code : '' };
}

export function createGraphqlClient(deps: Omit<AptosHttpClientOptions, 'end'>): GraphqlClient {
  const exchange = createAptosHttpClient({ ...deps, endpoint: 'indexer' });
  const { errors: faults } = exchange;

  const refused = ({ message, code }: Refusal): ResponseOutcome<never> => {
    const said = toPrintable(message).replace(/\.$/, '');
    if (/rate.?limit|too many requests|compute unit/i.test(`${message} ${code}`))
      return { fault: faults.fromStatus(429, said), again: 'later' };
    if (/time.?out|timed out|canceling statement|took too long/i.test(`${message} ${code}`))
      return {
        fault: new HexLensError('node-timeout', `${faults.endpointName} gave up on the query: ${said}.`, {
          fix: 'Ask for less: a smaller limit, a shorter range of dates, or without offset.',
        }),
        again: 'never',
      };
    if (/validation-failed|not-found|not found in type|field .* not found/i.test(`${code} ${message}`))
      return {
        fault: new HexLensError(
          'node-error',
          `${faults.endpointName} does not know the tables that HexLens reads: ${said}.`,
          {
            fix: 'It may be of another version: leave the indexer out in hexlens.aptos.networks to read from the node alone.',
          },
        ),
        again: 'never',
      };
    return {
      fault: new HexLensError('node-error', `${faults.endpointName} refused the query: ${said}.`, {
        details: `code ${code}`,
        fix: 'Try again; if it stays, leave the indexer out in hexlens.aptos.networks.',
      }),
      again: /postgres|unexpected|internal|connection/i.test(`${code} ${message}`) ? 'broken' : 'never',
    };
  };

  return {
    host: exchange.host,
    isLoopback: exchange.loopback,
    fetchRows({ field, query: text, variables }, signal) {
      const body = JSON.stringify({ query: text, variables });
      return exchange.send<readonly JsonObject[]>(
        { method: 'POST', path: '', body, label: `/graphql ${field}` },
        ({ status, value }) => {
          const refusal = refusalIn(value);
          if (refusal !== null) return refused(refusal);
          if (status >= 300) return { fault: faults.fromStatus(status, null), again: 'never' };
          const data = isJsonObject(value) ? value['data'] : undefined;
          const rows = isJsonObject(data) ? data[field] : undefined;
          if (!Array.isArray(rows) || !rows.every(isJsonObject))
            return { fault: faults.invalidResponse('answered without the rows that were asked for'), again: 'broken' };
          return { value: rows };
        },
        signal,
      );
    },
  };
}
