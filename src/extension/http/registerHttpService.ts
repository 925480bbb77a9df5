// `Start HTTP Service` and what belongs to it: the commands are there at once, what they need is loaded by the first.
import { commands, type SecretStorage } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { HttpService } from './httpService.ts';

export interface HttpServiceDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly secrets: SecretStorage;
  readonly log: Log;
}

export function registerHttpService(deps: HttpServiceDeps): Disposable {
  const store = new DisposableStore();
  let loading: Promise<HttpService> | undefined;
  const load = (): Promise<HttpService> => {
    loading ??= import('./httpService.ts').then(({ createHttpService }) => store.add(createHttpService(deps)));
    return loading;
  };
  const command = (id: string, run: (service: HttpService) => Promise<unknown>) =>
    store.add(commands.registerCommand(id, async () => run(await load())));
  command(commandIds.startHttp, service => service.start());
  command(commandIds.stopHttp, service => service.stop());
  command(commandIds.copyHttpUrl, service => service.copyUrl());
  command(commandIds.copyHttpKey, service => service.copyKey());
  command(commandIds.showHttp, service => service.show());
  return store;
}
