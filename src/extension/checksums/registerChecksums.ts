// Checks the checksums of addresses in documents.
import type { TextDocument } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { registerDocumentChecks } from '../editor/documentChecks.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { Platform } from '../platform.ts';

export interface RegisterChecksumsDeps extends Pick<FeatureDeps, 'settings' | 'log'> {
  readonly platform: Pick<Platform, 'startChecksumWorker'>;
}

const MAX_TEXT_LENGTH = 50_000_000;
/** Documents that users edit; output channels, diffs and generated documents are not checked. */
const SCHEMES = new Set(['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-userdata', 'vscode-notebook-cell']);

const mayHaveAddress = (document: TextDocument): boolean => {
  if (!SCHEMES.has(document.uri.scheme)) return false;
  const text = document.getText(); // cached by VS Code until the next change
  return text.length <= MAX_TEXT_LENGTH && /0x[0-9a-fA-F]{40}/.test(text);
};

export function registerChecksums({ platform, settings, log }: RegisterChecksumsDeps): Disposable {
  const store = new DisposableStore();
  const getDiagnostics = lazy(async () => {
    const { createChecksumDiagnostics } = await import('./checksumDiagnostics.ts');
    return store.add(createChecksumDiagnostics({ platform, settings }));
  });
  const checks = store.add(
    registerDocumentChecks({
      typingPauseMs: 400,
      mayConcern: mayHaveAddress,
      check: async document => (await getDiagnostics()).check(document),
      clear: document => getDiagnostics.ifLoaded(diagnostics => diagnostics.clear(document)),
      onError: error => log.error(`The addresses of a document could not be checked: ${String(error)}`),
    }),
  );
  store.add(settings.onDidChange(checks.checkAgain));
  return store;
}
