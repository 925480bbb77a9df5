// Whether the user works with Aptos: an EVM project shows no Aptos networks and sends them nothing.
import { type Event, EventEmitter } from 'vscode';
import type { LookupId } from '../../api/lookups.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface AptosUse extends Disposable {
  /** A setting names a network or a host, the workspace is a project for Aptos, or the user has requested Aptos data. */
  isUsed(): boolean;
  /** Resolves when the workspace has been searched, if a search has begun. */
  detected(): Promise<void>;
  /** An operation or lookup is sent. */
  noteRequest(id: string): void;
  readonly onDidChange: Event<void>;
}

/** Its requests are made by the status bar itself. */
const STATUS: LookupId = 'aptosStatus';

export function createAptosUse(settings: SettingsSource): AptosUse {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let isRequested = false;
  let isProject = false;
  const note = () => {
    if (isRequested) return;
    isRequested = true;
    changed.fire();
  };
  const detect = lazy(async () => {
    const { isAptosWorkspace } = await import('./isAptosWorkspace.ts');
    isProject = await isAptosWorkspace();
    if (isProject) changed.fire();
  });
  return {
    isUsed() {
      const { mode } = settings.configuration().groups.aptos;
      if (isRequested || mode === 'remote' || settings.userAptosNetworks().size > 0) return true;
      detect().catch(() => {}); // a workspace that cannot be searched: tried again
      return isProject;
    },
    detected: async () => detect.peek(),
    noteRequest(id) {
      if (id.startsWith('aptos') && id !== STATUS) note();
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
