// Asking who answers at a URL: the user's click opens the door for that one question to that one origin, then it is shut.
import { afterEach, expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { getFaultCode } from '../../../src/base/errors.ts';
import type { HttpPort } from '../../../src/base/httpPort.ts';
import { silentLog } from '../../../src/base/log.ts';
import { type Backend, createBackend } from '../../../src/worker/backend.ts';

let backend: Backend | undefined;
afterEach(() => backend?.stop());

test('a probe reaches a host that no setting names; nothing else does, during it or after', async () => {
  const asked: string[] = [];
  const http: HttpPort & { stop(): Promise<void> } = {
    async send({ url }) {
      asked.push(new URL(url).host);
      throw new Error('nobody there');
    },
    stop: async () => {},
  };
  backend = createBackend({ log: silentLog, createHttp: () => http });
  backend.configure({ ...defaultConfiguration, nodes: { eth: 'http://127.0.0.1:1' } });
  const probe = (url: string) => backend?.lookup('probeNode', { url }).catch(getFaultCode);
  await Promise.all([probe('https://one.example/v3/SecretKey'), backend.lookup('chainStatus', { chain: 'eth' })]);
  expect(asked).toContain('one.example');
  asked.length = 0;
  backend.configure({ ...defaultConfiguration, nodes: { eth: 'http://127.0.0.1:1' }, timeoutMs: 1_000 });
  await backend.lookup('chainStatus', { chain: 'eth' });
  expect(asked).not.toContain('one.example');
  await probe('file:///etc/passwd');
  expect(asked).not.toContain('');
});
