// Checks addresses in documents for code on the chain that the document names, by a setting.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { registerDocumentChecks } from '../editor/documentChecks.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { LookupPermissions } from '../hover/lookupPermissions.ts';

export interface RegisterMissingCodeDeps extends Pick<FeatureDeps, 'settings' | 'worker' | 'log'> {
  readonly permissions: LookupPermissions;
}

/** Longer documents are generated. */
const MAX_TEXT_LENGTH = 1_000_000;

export function registerMissingCode({ permissions, ...deps }: RegisterMissingCodeDeps): Disposable {
  const { settings, worker, log } = deps;
  const store = new DisposableStore();
  const isOn = () => settings.current().missingCode;
  const load = lazy(async () => {
    const { MissingCode } = await import('./missingCode.ts');
    return store.add(new MissingCode({ ...deps, isAllowed: permissions.isAllowed }));
  });
  const checks = store.add(
    registerDocumentChecks({
      typingPauseMs: 1_000,
      mayConcern(document) {
        if (!isOn() || document.uri.scheme !== 'file') return false;
        const text = document.getText();
        return text.length <= MAX_TEXT_LENGTH && /0x[0-9a-fA-F]{40}/.test(text);
      },
      check: async document => (await load()).check(document),
      clear: document => load.ifLoaded(loaded => loaded.clear(document)),
      onError: error => log.error(`Addresses of a document could not be checked for code: ${String(error)}`),
    }),
  );
  store.add(settings.onDidChange(checks.checkAgain));
  // A deployment may have come, or the chain was reset.
  store.add(worker.onDidChangeConnections(() => isOn() && checks.checkAgain()));
  return store;
}
