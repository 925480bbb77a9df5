// The workspace's ABIs as the other features see them: nothing is read before somebody asks.
import { type Event, EventEmitter } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { AbiBook } from '../../decode/abiRegistry.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface Abis extends Disposable {
  /** The book, as soon as every artifact was read once; from then on it is kept in step with the files. */
  book(): Promise<AbiBook>;
  /** What is known so far; starts reading. `null` until the first artifacts are in. */
  current(): AbiBook | null;
  /** Artifacts were read, changed or removed: what was shown may say more now. */
  readonly onDidChange: Event<void>;
}

export interface AbisDeps {
  readonly settings: SettingsSource;
  readonly log: Log;
}

export function createAbis({ settings, log }: AbisDeps): Abis {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let known: AbiBook | null = null;
  let reading: Promise<AbiBook> | undefined;

  const book = (): Promise<AbiBook> => {
    reading ??= import('./workspaceAbis.ts').then(async ({ readWorkspaceAbis }) => {
      const abis = store.add(readWorkspaceAbis({ settings, log, onChange: () => changed.fire() }));
      known = abis.book;
      await abis.ready;
      return abis.book;
    });
    return reading;
  };

  return {
    book,
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
