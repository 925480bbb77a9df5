// The workspace's ABIs as the other features see them: nothing is read before somebody asks.
import { type Event, EventEmitter } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface AbiProvider extends Disposable {
  /** The book, as soon as every artifact was read once; from then on it is kept in step with the files. */
  load(): Promise<AbiRegistry>;
  /** What is known so far; starts reading. `null` until the first artifacts are in. */
  current(): AbiRegistry | null;
  /** Artifacts were read, changed or removed: what was shown may say more now. */
  readonly onDidChange: Event<void>;
}

export interface AbiProviderDeps {
  readonly settings: SettingsSource;
  readonly log: Log;
}

export function createAbiProvider({ settings, log }: AbiProviderDeps): AbiProvider {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let known: AbiRegistry | null = null;
  let reading: Promise<AbiRegistry> | undefined;

  const book = (): Promise<AbiRegistry> => {
    reading ??= import('./workspaceAbis.ts').then(async ({ readWorkspaceAbis }) => {
      const abis = store.add(readWorkspaceAbis({ settings, log, onChange: () => changed.fire() }));
      known = abis.book;
      await abis.ready;
      return abis.book;
    });
    return reading;
  };

  return {
    load: book,
    current() {
      book().catch(error => {
        reading = undefined; // the next question tries again
        log.error(`The ABIs of the workspace could not be read: ${String(error)}`);
      });
      return known;
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
