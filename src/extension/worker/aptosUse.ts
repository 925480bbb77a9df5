// Whether the user works with Aptos: an EVM project shows no Aptos networks and sends them nothing.
import { EventEmitter } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export type AptosUse = ReturnType<typeof createAptosUse>;

export function createAptosUse(settings: SettingsSource, book: Pick<AddressBook, 'entries' | 'onDidChange'>) {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const hasEntry = () => book.entries().some(({ kind }) => kind === 'aptos');
  let isSaved = hasEntry();
  let isProject = false;
  store.add(
    book.onDidChange(() => {
      const wasSaved = isSaved;
      isSaved = hasEntry();
      if (isSaved !== wasSaved) changed.fire();
    }),
  );
  const detect = lazy(async () => {
    const { isAptosWorkspace } = await import('./isAptosWorkspace.ts');
    isProject = await isAptosWorkspace();
    if (isProject) changed.fire();
  });
  return {
    /** A setting names a network or a host, the workspace is a project for Aptos, or an address of Aptos is saved. */
    isUsed(): boolean {
      const { mode } = settings.configuration().groups.aptos;
      if (isSaved || mode === 'remote' || settings.userAptosNetworks().size > 0) return true;
      detect().catch(() => {}); // a workspace that cannot be searched: tried again
      return isProject;
    },
    /** Resolves when the workspace has been searched, if a search has begun. */
    detected: async () => detect.peek(),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
