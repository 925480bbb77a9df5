// The backend in a browser: its requests go over fetch, its indexes into memory.
import { createFetchHttp } from '../client/fetchHttp.ts';
import { Backend, type BackendDeps } from './backend.ts';

export function createBrowserBackend(deps: Omit<BackendDeps, 'createHttp'>): Backend {
  return new Backend({ createHttp: (_proxy, timeoutMs) => createFetchHttp({ timeoutMs }), ...deps });
}
