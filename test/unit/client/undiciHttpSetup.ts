// An HTTP port and a real host for it, both closed after the test.
import { onTestFinished } from 'vitest';
import { defaultProxyConfiguration, type ProxyConfiguration } from '../../../src/api/configuration.ts';
import type { HttpPort, HttpRequest } from '../../../src/base/httpPort.ts';
import { createUndiciHttp, type UndiciOptions } from '../../../src/client/undiciHttp.ts';
import { type Behavior, type Remote, startRemote } from './remoteServer.ts';

/** In path and query of every request; no error may show it. */
export const SECRET = 'secret-key-in-the-path';

export const direct: ProxyConfiguration = { ...defaultProxyConfiguration, systemCertificates: false };

export function createHttp(options: UndiciOptions = {}, proxy = direct): HttpPort & { stop(): Promise<void> } {
  const http = createUndiciHttp(proxy, { timeoutMs: 60_000, ...options });
  onTestFinished(() => http.stop());
  return http;
}

export async function started(behave: Behavior): Promise<Remote> {
  const remote = await startRemote(behave);
  onTestFinished(() => remote.close());
  return remote;
}

export const get = (url: string, extra: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: `${url}/v2/${SECRET}?key=${SECRET}`,
  logLabel: '/v2/:key',
  ...extra,
});
