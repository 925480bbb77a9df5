// A backend as an HTTP service on a port: application, metrics, readiness and socket put together.
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { isLoopbackAddress } from '../base/loopback.ts';
import { createApp } from './app.ts';
import type { Backend } from './httpBackend.ts';
import { type Listening, type ListenLimits, type ListenPlace, listen } from './httpListener.ts';
import type { KeySpec } from './keyring.ts';
import { createMetrics } from './metrics.ts';
import { type CheckedGroup, rememberReady } from './readiness.ts';
import { wholeAnswers } from './retryWhileSyncing.ts';

export interface ServeBackendOptions extends ListenPlace {
  readonly backend: Pick<Backend, 'call' | 'ready' | 'indexStates'>;
  readonly keys: readonly KeySpec[];
  readonly log: Log;
  readonly clock?: Clock;
  /** Names besides those of this machine under which the service is asked. */
  readonly hostNames?: readonly string[];
  /** Origins of web pages that may ask. */
  readonly corsOrigins?: readonly string[];
  readonly limits?: Partial<ListenLimits>;
  /** The process does nothing else, so that its memory and CPU are the service's. */
  readonly ownsProcess?: boolean;
  /** What `/ready` judges; the EVM chains by default. */
  readonly judged?: readonly CheckedGroup[];
}

/** Rejects with `bad-input` when the port or the address can not be used. */
export function serveBackend(options: ServeBackendOptions): Promise<Listening> {
  const {
    backend,
    keys,
    log,
    clock = systemClock,
    host,
    port,
    limits,
    ownsProcess = false,
    judged = ['evm'],
  } = options;
  if (keys.length === 0) throw new HexLensError('bad-input', 'The service needs a key.');
  const metrics = createMetrics({ indexStates: backend.indexStates, ownsProcess });
  const call = wholeAnswers((request, options) => backend.call(request, options));
  const app = createApp({
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
    guard: {
      hosts: options.hostNames ?? [],
      addresses: host !== undefined && !isLoopbackAddress(host),
      origins: options.corsOrigins ?? [],
    },
    ready: rememberReady(() => backend.ready({ groups: judged }), clock),
    metrics: metrics.read,
    observe: metrics.observe,
  });
  return listen(app, { port, host }, log, limits);
}
