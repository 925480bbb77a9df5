// The committed places: one for each workspace folder, coming and going with them.
import { type Event, EventEmitter, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { createAddressBookDiagnostics } from '../addressBook/addressBookDiagnostics.ts';
import { createWorkspaceStorage } from '../addressBook/workspaceStorage.ts';
import type { OpenBookStorage } from './place.ts';

export interface WorkspaceStorages extends Disposable {
  /** In the order of the folders. */
  all(): readonly OpenBookStorage[];
  readonly onDidChange: Event<void>;
}

export function createWorkspaceStorages(log: Log): WorkspaceStorages {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const problems = store.add(createAddressBookDiagnostics());
  let places = new Map<string, OpenBookStorage>();
  const update = () => {
    const next = new Map<string, OpenBookStorage>();
    for (const folder of workspace.workspaceFolders ?? []) {
      const key = folder.uri.toString();
      const known = places.get(key);
      if (known !== undefined) next.set(key, known);
      else {
        const onRead = problems.report;
        const place = createWorkspaceStorage({ folder, log, onRead });
        place.onDidChange(() => changed.fire());
        next.set(key, place);
      }
    }
    for (const [key, place] of places) if (!next.has(key)) place.dispose();
    places = next;
  };
  update();
  store.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      update();
      changed.fire();
    }),
  );
  return {
    all: () => [...places.values()],
    onDidChange: changed.event,
    dispose() {
      for (const place of places.values()) place.dispose();
      store.dispose();
    },
  };
}
