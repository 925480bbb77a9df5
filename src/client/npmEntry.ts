// The entry of the npm package: a typed client for a running `hexlens serve`, or another host of the service.
import { DEFAULT_TIMEOUT_MS, defaultProxyConfiguration } from '../api/configuration.ts';
import { type ApiGroup, basePaths } from '../api/operations/operation.ts';
import { systemClock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import { type Client, createClient as createTransportClient } from './client.ts';
import { createHttpTransport } from './httpTransport.ts';
import { createUndiciHttp } from './undiciHttp.ts';

export type { Input, OperationId, Output } from '../api/operations/operations.ts';
export type { FaultCode } from '../base/errors.ts';
export type { Client, PageOptions, PaginationEnd } from './client.ts';
export { HexLensError };

export interface ClientOptions {
  /** Address of the service, without a path (`http://127.0.0.1:8547`). */
  readonly url: string;
  /** The key that `hexlens serve` prints, sent as `X-API-Key` to this service only. */
  readonly apiKey?: string;
  /** Milliseconds that one request may take; 20,000 when absent. */
  readonly timeoutMs?: number;
}

export interface ServiceClient extends Client {
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * A typed client for all operations of the service.
 *
 * @throws HexLensError `bad-input` when `url` is not the address of a service. Calls reject with a `HexLensError`.
 *
 * @example
 * ```ts
 * import { createClient } from './npmEntry.ts';
 *
 * const service = createClient({ url: 'http://127.0.0.1:8547', apiKey: 'K' });
 * console.log((await service.block({ block: 1, chain: 'local' })).hash);
 * await service.close();
 * ```
 */
export function createClient({ url, apiKey = '', timeoutMs = DEFAULT_TIMEOUT_MS }: ClientOptions): ServiceClient {
  const service = URL.parse(url);
  if (service === null || !/^https?:$/.test(service.protocol) || service.pathname !== '/' || service.search !== '')
    throw new HexLensError('bad-input', 'url is not the address of a service.', {
      fix: 'Write it as http://127.0.0.1:8547, without a path.',
    });
  const { origin } = service;
  const toGroup = (group: ApiGroup) => ({ mode: 'remote', baseUrl: `${origin}${basePaths[group][0]}` }) as const;
  const http = createUndiciHttp(defaultProxyConfiguration, { timeoutMs });
  const transport = createHttpTransport(
    { http, clock: systemClock },
    {
      groups: { auth: toGroup('auth'), evm: toGroup('evm'), aptos: toGroup('aptos') },
      keys: apiKey === '' ? {} : { [origin]: apiKey },
      timeoutMs,
    },
  );
  return { ...createTransportClient(transport), close: () => http.stop() };
}
