// The HTTP transport and a typed client over it, against a real host with scripted behavior.
import { onTestFinished } from 'vitest';
import { defaultConfiguration, defaultProxyConfiguration } from '../../../src/api/configuration.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createClient } from '../../../src/client/client.ts';
import { createHttpTransport } from '../../../src/client/httpTransport.ts';
import { createUndiciHttp } from '../../../src/client/undiciHttp.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { STATE_LIMIT_MS } from '../../support/timeLimits.ts';
import { withTimeouts } from '../../support/withTimeouts.ts';
import { type Behavior, json, type Remote, startRemote } from './remoteServer.ts';

export const KEY = 'secret-key';
export const ADDRESS = `0x${'ab'.repeat(20)}` as const;
export const OTHER = `0x${'cd'.repeat(20)}` as const;
export const HASH = `0x${'ef'.repeat(32)}` as const;
export const TOPIC = `0x${'12'.repeat(32)}` as const;
export const ACCOUNT = `0x${'34'.repeat(32)}` as const;
export interface Options {
  readonly clock?: FakeClock;
  /** Real time, for hosts that use it up. */
  readonly real?: boolean;
  readonly random?: number;
  readonly timeoutMs?: number;
  readonly keys?: (origin: string) => Record<string, string>;
  readonly baseUrl?: (origin: string) => string;
}

export async function start(behave: Behavior, options: Options = {}) {
  const remote: Remote = await startRemote(behave);
  onTestFinished(() => remote.close());
  const http = createUndiciHttp({ ...defaultProxyConfiguration, systemCertificates: false });
  onTestFinished(() => http.stop());
  const { clock = createFakeClock(), real = false, random = 0.5 } = options;
  const baseUrl = options.baseUrl?.(remote.origin) ?? `${remote.origin}/prefix/`;
  const group = { mode: 'remote', baseUrl } as const;
  const transport = createHttpTransport(
    // What is left of the time of a fake clock is no limit for a real request.
    real
      ? { http, clock: systemClock, random: () => random }
      : { http: withTimeouts(http, () => STATE_LIMIT_MS), clock, random: () => random },
    {
      groups: { auth: group, evm: group, aptos: group },
      keys: options.keys?.(remote.origin) ?? { [remote.origin]: KEY },
      timeoutMs: options.timeoutMs ?? defaultConfiguration.timeoutMs,
    },
  );
  return { remote, transport, client: createClient(transport), clock };
}

export const emptyPage = { total: null, page: 1, page_size: 100, cursor: null, result: [] };
/** Answers with these one after the other, the last one for ever. */
export const inTurn = (...answers: Behavior[]): Behavior => {
  let next = 0;
  return (...call) => answers[Math.min(next++, answers.length - 1)]?.(...call);
};
export const status =
  (code: number, headers: Record<string, string> = {}, body: unknown = { message: 'The host says why' }): Behavior =>
  (_seen, response) =>
    json(response, code, body, headers);
export const good = status(200, {}, emptyPage);
export const reset: Behavior = (_seen, _response, socket) => socket.resetAndDestroy();
