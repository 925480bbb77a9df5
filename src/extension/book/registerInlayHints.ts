// Saved names behind addresses in the editor: nothing is registered, and nothing loaded, until the setting asks for it.
import { EventEmitter, languages } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface InlayHintDeps {
  readonly book: AddressBook;
  readonly settings: SettingsSource;
}

export function registerInlayHints({ book, settings }: InlayHintDeps): Disposable {
  const store = new DisposableStore();
  let provider = new DisposableStore();
  const register = () => {
    provider.dispose();
    provider = new DisposableStore();
    if (!settings.current().inlayHints.enabled) return;
    const changed = provider.add(new EventEmitter<void>());
    provider.add(book.onDidChange(() => changed.fire()));
    provider.add(
      languages.registerInlayHintsProvider('*', {
        onDidChangeInlayHints: changed.event,
        async provideInlayHints(document, range, token) {
          const [{ inlayHints: createInlayHints }] = await Promise.all([
            import('../addressBook/inlayHints.ts'),
            book.ready(),
          ]);
          return token.isCancellationRequested ? [] : createInlayHints(document, range, book);
        },
      }),
    );
  };
  register();
  store.add(settings.onDidChange(register));
  store.add({ dispose: () => provider.dispose() });
  return store;
}
