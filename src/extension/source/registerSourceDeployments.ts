// Registers what the editor shows in Solidity about deployments, which is loaded when the pointer rests on a name.
import { languages } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { LookupPermissions } from '../hover/lookupPermissions.ts';

export interface RegisterSourceDeploymentsDeps extends Pick<FeatureDeps, 'settings' | 'worker' | 'book' | 'abis'> {
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
