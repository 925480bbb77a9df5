// Registers what the editor shows in Solidity about deployments, which is loaded when the pointer rests on a name.
import { languages } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { LookupPermissions } from '../hover/lookupPermissions.ts';
import type { SourceDeployments } from './sourceDeployments.ts';

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
  /** Registers what a setting switches on and off. */
  const registerBySetting = (isOn: () => boolean, register: (loaded: SourceDeployments) => Disposable) => {
    let registered: DisposableStore | null = null;
    const update = () => {
      if (isOn() === (registered !== null)) return;
      registered?.dispose();
      registered = null;
      if (!isOn()) return;
      const current = new DisposableStore();
      registered = current;
      load()
        .then(loaded => !current.disposed && current.add(register(loaded)))
        .catch(error => deps.log.error(`Deployments could not be shown in Solidity: ${String(error)}`));
    };
    store.add(deps.settings.onDidChange(update));
    store.add(disposable(() => registered?.dispose()));
    update();
  };
  registerBySetting(
    () => deps.settings.current().codeLens.deployments,
    loaded => languages.registerCodeLensProvider(SOLIDITY, loaded.lenses),
  );
  registerBySetting(
    () => deps.settings.current().inlayHints.values,
    loaded => languages.registerInlayHintsProvider(SOLIDITY, loaded.hints),
  );
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
