// Registers what the editor shows in Solidity about deployments, which is loaded when the pointer rests on a name.
import { languages } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { LookupPermissions } from '../hover/lookupPermissions.ts';

export interface RegisterSourceDeploymentsDeps
  extends Pick<FeatureDeps, 'settings' | 'worker' | 'book' | 'abis' | 'log'> {
  readonly permissions: LookupPermissions;
}

/** VS Code itself does not know the language. */
const SOLIDITY = [{ language: 'solidity' }, { pattern: '**/*.sol' }];
const NAME = /[A-Za-z_$][\w$]*/;

export function registerSourceDeployments({ permissions, ...deps }: RegisterSourceDeploymentsDeps): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const { SourceDeployments } = await import('./sourceDeployments.ts');
    return store.add(new SourceDeployments({ ...deps, isAllowed: permissions.isAllowed }));
  });
  let lenses: Disposable | null = null;
  const updateLenses = () => {
    if (deps.settings.current().codeLens.deployments === (lenses !== null)) return;
    lenses?.dispose();
    lenses = null;
    if (!deps.settings.current().codeLens.deployments) return;
    const registered = new DisposableStore();
    lenses = registered;
    const register = async () => {
      const loaded = await load();
      if (!registered.disposed) registered.add(languages.registerCodeLensProvider(SOLIDITY, loaded.lenses));
    };
    register().catch(error => deps.log.error(`Deployments could not be shown above contracts: ${String(error)}`));
  };
  store.add(deps.settings.onDidChange(updateLenses));
  store.add(disposable(() => lenses?.dispose()));
  updateLenses();
  store.add(
    languages.registerHoverProvider(SOLIDITY, {
      provideHover: async (document, position, token) =>
        !deps.settings.current().hover.enabled || document.getWordRangeAtPosition(position, NAME) === undefined
          ? null
          : (await load()).values.provideHover(document, position, token),
    }),
  );
  return store;
}
