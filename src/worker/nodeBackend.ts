// The backend in a process of Node.js: its requests go over undici, its indexes into a database.
import { createUndiciHttp } from '../client/undiciHttp.ts';
import { type Backend, type BackendDeps, createBackend } from './backend.ts';

export function createNodeBackend(
  deps: Partial<Pick<BackendDeps, 'createHttp'>> & Omit<BackendDeps, 'createHttp'>,
): Backend {
  return createBackend({ createHttp: (proxy, timeoutMs) => createUndiciHttp(proxy, { timeoutMs }), ...deps });
}
