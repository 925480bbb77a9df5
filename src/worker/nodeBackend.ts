// The backend in a process of Node.js: its requests go over undici, its indexes into a database, its sign-ins to threads.
import { createUndiciHttp } from '../client/undiciHttp.ts';
import { SignaturePool } from '../service/siwe/signaturePool.ts';
import { Backend, type BackendDeps } from './backend.ts';

export function createNodeBackend(
  deps: Partial<Pick<BackendDeps, 'createHttp'>> & Omit<BackendDeps, 'createHttp'>,
): Backend {
  return new Backend({
    createHttp: (proxy, timeoutMs) => createUndiciHttp(proxy, { timeoutMs }),
    createKeyRecovery: engine => new SignaturePool({ engine }),
    ...deps,
  });
}
