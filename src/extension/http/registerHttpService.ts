// The commands of the HTTP service.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { registerLazyCommands } from '../commands/lazyCommands.ts';
import type { HttpServiceDeps } from './httpService.ts';

export function registerHttpService(deps: HttpServiceDeps): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => store.add(new (await import('./httpService.ts')).HttpService(deps)));
  store.add(
    registerLazyCommands(load, {
      [commandIds.startHttp]: service => service.start(),
      [commandIds.stopHttp]: service => service.stop(),
      [commandIds.copyHttpUrl]: service => service.copyUrl(),
      [commandIds.copyHttpKey]: service => service.copyKey(),
      [commandIds.showHttp]: service => service.showActions(),
    }),
  );
  return store;
}
