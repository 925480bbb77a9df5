// Starts the HTTP server over a backend: application, metrics, readiness and listener put together.

import { systemClock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { isLoopbackAddress } from '../base/loopback.ts';
import { type CheckedGroup, cacheReadiness } from '../service/checkReadiness.ts';
import { HttpApp } from './httpApp.ts';
import type { HttpBackend, HttpCallOptions } from './httpBackend.ts';
import { type HttpListener, type ListenAddress, listen } from './httpListener.ts';
import type { ApiKeySpec } from './keyring.ts';
import { createMetrics } from './metrics.ts';
import { retryWhileSyncing } from './retryWhileSyncing.ts';

export interface HttpServerOptions extends ListenAddress {
  readonly backend: HttpBackend;
  readonly keys: readonly ApiKeySpec[];
  readonly log: Log;
  /** Host names of the server besides those of loopback. */
  readonly hostNames?: readonly string[] | undefined;
  /** Origins of web pages that may send requests. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Clients may send the same sign-in again. */
  readonly signInsRepeat?: boolean | undefined;
  /** The process runs nothing else, so that its memory and CPU are the service's. */
  readonly ownsProcess?: boolean | undefined;
  /** What `/ready` checks; the EVM chains by default. */
  readonly checkedGroups?: readonly CheckedGroup[] | undefined;
}

/** Options of a request over HTTP. */
class ProgramCall implements HttpCallOptions {
  readonly #incoming: { readonly signal: AbortSignal };
  readonly forProgram = true;

  constructor(incoming: { readonly signal: AbortSignal }) {
    this.#incoming = incoming;
  }

  /** Reading it creates it: cached replies need none. */
  get signal(): AbortSignal {
    return this.#incoming.signal;
  }
}

/** Rejects with `bad-input` when the port or the address can not be used. */
export function startHttpServer(options: HttpServerOptions): Promise<HttpListener> {
  const { backend, keys, log, host, port, checkedGroups = ['evm'] } = options;
  if (keys.length === 0) throw new HexLensError('bad-input', 'The service needs a key.');
  const metrics = createMetrics({
    getIndexStatuses: () => backend.getIndexStatuses(),
    ownsProcess: options.ownsProcess ?? false,
  });
  const call = retryWhileSyncing((request, callOptions) => backend.call(request, callOptions));
  const app = new HttpApp({
    call: (request, incoming) => call(request, new ProgramCall(incoming)),
    keys,
    log,
    clock: systemClock,
    originRules: {
      hostNames: options.hostNames ?? [],
      allowsAnyAddress: host !== undefined && !isLoopbackAddress(host),
      origins: options.allowedOrigins ?? [],
    },
    signInsRepeat: options.signInsRepeat,
    checkReadiness: cacheReadiness(() => backend.checkReadiness({ groups: checkedGroups }), systemClock),
    renderMetrics: metrics.render,
    onRequestCompleted: metrics.observe,
  });
  return listen(app, { port, host }, log);
}
