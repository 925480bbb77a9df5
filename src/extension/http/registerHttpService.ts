// The commands of the HTTP service.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { HttpService, HttpServiceDeps } from './httpService.ts';

export function registerHttpService(deps: HttpServiceDeps): Disposable {
  const store = new DisposableStore();
  const getService = lazy(async () => {
    const { HttpService } = await import('./httpService.ts');
    return store.add(new HttpService(deps));
  });
  const command = (id: string, run: (service: HttpService) => Promise<unknown>) =>
    store.add(commands.registerCommand(id, async () => run(await getService())));
  command(commandIds.startHttp, service => service.start());
  command(commandIds.stopHttp, service => service.stop());
  command(commandIds.copyHttpUrl, service => service.copyUrl());
  command(commandIds.copyHttpKey, service => service.copyKey());
  command(commandIds.showHttp, service => service.showActions());
  return store;
}
