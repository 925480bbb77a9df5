// A backend as an HTTP service on a port: application, metrics, readiness and socket put together.
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { isLoopbackAddress } from '../base/loopback.ts';
import { createHttpApp } from './app.ts';
import type { Backend } from './httpBackend.ts';
import { type HttpLimits, type HttpListener, type ListenAddress, listen } from './httpListener.ts';
import type { ApiKeySpec } from './keyring.ts';
import { createMetrics } from './metrics.ts';
import { type CheckedGroup, cacheReadiness } from './readiness.ts';
import { retryWhileSyncing } from './retryWhileSyncing.ts';

export interface HttpServerOptions extends ListenAddress {
  readonly backend: Pick<Backend, 'call' | 'ready' | 'indexStates'>;
  readonly keys: readonly ApiKeySpec[];
  readonly log: Log;
  readonly clock?: Clock;
  /** Names besides those of this machine under which the service is asked. */
  readonly hostNames?: readonly string[];
  /** Origins of web pages that may ask. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** The process does nothing else, so that its memory and CPU are the service's. */
  readonly ownsProcess?: boolean;
  /** What `/ready` judges; the EVM chains by default. */
  readonly checkedGroups?: readonly CheckedGroup[];
}

/** Rejects with `bad-input` when the port or the address can not be used. */
export function startHttpServer(options: HttpServerOptions): Promise<HttpListener> {
  const {
    backend,
    keys,
    log,
    clock = systemClock,
    host,
    port,
    limits,
    ownsProcess = false,
    checkedGroups: judged = ['evm'],
  } = options;
  if (keys.length === 0) throw new HexLensError('bad-input', 'The service needs a key.');
  const metrics = createMetrics({ indexStates: backend.indexStates, ownsProcess });
  const call = retryWhileSyncing((request, options) => backend.call(request, options));
  const app = createHttpApp({
    call: (request, options) =>
      call(request, {
        // Read only where there is something to give up: it is made when it is read.
        get signal() {
          return options.signal;
        },
        forProgram: true,
      }),
    keys,
    log,
    clock,
    originRules: {
      hostNames: options.hostNames ?? [],
      allowsAnyAddress: host !== undefined && !isLoopbackAddress(host),
      origins: options.allowedOrigins ?? [],
    },
    checkReadiness: cacheReadiness(() => backend.checkReadiness({ groups: judged }), clock),
    renderMetrics: metrics.render,
    onRequestCompleted: metrics.observe,
  });
  return listen(app, { port, host }, log, limits);
}
