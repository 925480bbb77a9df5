// Probing a URL: its origin is allowed for that one request only.
import { afterEach, expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { getFaultCode } from '../../../src/base/errors.ts';
import type { HttpPort } from '../../../src/base/httpPort.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Backend } from '../../../src/worker/backend.ts';
import { createNodeBackend } from '../../../src/worker/nodeBackend.ts';

let backend: Backend | undefined;
afterEach(() => backend?.stop());

test('a probe reaches a host that is not in the settings; no other request does, during it or after', async () => {
  const hosts: string[] = [];
  const http: HttpPort & { stop(): Promise<void> } = {
    async send({ url }) {
      hosts.push(new URL(url).host);
      throw new Error('unreachable');
    },
    stop: async () => {},
  };
  backend = createNodeBackend({ log: silentLog, createHttp: () => http });
  backend.configure({ ...defaultConfiguration, nodes: { eth: 'http://127.0.0.1:1' } });
  const probe = (url: string) => backend?.lookup('probeNode', { url }).catch(getFaultCode);
  await Promise.all([probe('https://one.example/v3/SecretKey'), backend.lookup('chainStatus', { chain: 'eth' })]);
  expect(hosts).toContain('one.example');
  hosts.length = 0;
  backend.configure({ ...defaultConfiguration, nodes: { eth: 'http://127.0.0.1:1' }, timeoutMs: 1_000 });
  await backend.lookup('chainStatus', { chain: 'eth' });
  expect(hosts).not.toContain('one.example');
  await probe('file:///etc/passwd');
  expect(hosts).not.toContain('');
});
