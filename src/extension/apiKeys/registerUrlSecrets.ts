// Keeps keys of nodes out of settings files: warns of literal ones there, and asks for those whose placeholder has no secret.
import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { getConfiguredUrls } from '../../manifest/secretPlaceholders.ts';
import type { UrlSecretChecks, UrlSecretsDeps } from './urlSecretChecks.ts';

export interface UrlSecretsFeature extends Disposable {
  readonly storeUrlSecret: UrlSecretChecks['storeSecret'];
}

export function registerUrlSecrets(deps: UrlSecretsDeps): UrlSecretsFeature {
  const store = new DisposableStore();
  const getChecks = lazy(async () => store.add(new (await import('./urlSecretChecks.ts')).UrlSecretChecks(deps)));
  /** Nothing is loaded while all nodes are on this machine and have no placeholder. */
  const check = () => {
    const isNeeded = getConfiguredUrls(deps.settings.configuration()).some(
      url => !isLoopbackUrl(url) || url.includes('secret:'),
    );
    if (isNeeded || getChecks.peek() !== undefined)
      getChecks()
        .then(checks => checks.check())
        .catch(error => deps.log.error(`Keys in settings could not be checked: ${String(error)}`));
  };
  store.add(deps.settings.onDidChange(check));
  store.add(window.onDidChangeVisibleTextEditors(check));
  check();
  return {
    storeUrlSecret: async (...args) => (await getChecks()).storeSecret(...args),
    dispose: () => store.dispose(),
  };
}
