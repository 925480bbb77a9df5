// When addresses are checked: documents on the screen, when they appear and when typing pauses; never on cursor moves.
import { type TextDocument, window, workspace } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { hasOpenTab } from '../editor/hasOpenTab.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { ChecksumDiagnostics } from './checksumDiagnostics.ts';

export interface RegisterChecksumsDeps {
  readonly extensionPath: string;
  readonly settings: SettingsSource;
  readonly log: Log;
}

const PAUSE_MS = 400;
/** Beyond this nobody reads a file for its addresses. */
const MOST_CHARACTERS = 50_000_000;
/** What people write; output channels, diffs and generated documents are not theirs to fix. */
const SCHEMES = new Set(['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-userdata', 'vscode-notebook-cell']);

export function registerChecksums({ extensionPath, settings, log }: RegisterChecksumsDeps): Disposable {
  const store = new DisposableStore();
  const waiting = new Map<TextDocument, NodeJS.Timeout>();
  /** Version that was checked last. */
  const checked = new Map<TextDocument, number>();
  let loading: Promise<ChecksumDiagnostics> | undefined;
  const load = () => {
    loading ??= import('./checksumDiagnostics.ts').then(({ createChecksums: createChecksumDiagnostics }) =>
      store.add(createChecksumDiagnostics({ extensionPath, settings })),
    );
    return loading;
  };

  const check = async (document: TextDocument) => {
    waiting.delete(document);
    if (document.isClosed || checked.get(document) === document.version) return;
    const text = document.getText(); // VS Code keeps it joined until the next change
    const any = text.length <= MOST_CHARACTERS && /0x[0-9a-fA-F]{40}/.test(text);
    if (!any && !checked.has(document)) return;
    checked.set(document, document.version);
    await (await load()).check(document);
  };
  const soon = (document: TextDocument, pause: number) => {
    if (!SCHEMES.has(document.uri.scheme)) return;
    clearTimeout(waiting.get(document));
    const run = () =>
      check(document).catch(error => log.error(`The addresses of a document could not be checked: ${String(error)}`));
    waiting.set(document, setTimeout(run, pause));
  };
  const forget = (document: TextDocument) => {
    clearTimeout(waiting.get(document));
    waiting.delete(document);
    if (checked.delete(document)) void loading?.then(checksums => checksums.clear(document));
  };
  const readVisible = () => {
    for (const { document } of window.visibleTextEditors) soon(document, 0);
  };

  store.add(window.onDidChangeVisibleTextEditors(readVisible));
  store.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      if (checked.has(document) || window.visibleTextEditors.some(editor => editor.document === document))
        soon(document, PAUSE_MS);
    }),
  );
  store.add(workspace.onDidCloseTextDocument(forget));
  store.add(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length === 0) return;
      for (const document of [...checked.keys()])
        if (document.uri.scheme !== 'vscode-notebook-cell' && !hasOpenTab(document)) forget(document);
    }),
  );
  let before = JSON.stringify(settings.current().checksum);
  store.add(
    settings.onDidChange(() => {
      const now = JSON.stringify(settings.current().checksum);
      if (now === before) return;
      before = now;
      for (const document of [...checked.keys()]) {
        checked.set(document, -1);
        soon(document, 0);
      }
      readVisible();
    }),
  );
  store.add(
    disposable(() => {
      for (const timer of waiting.values()) clearTimeout(timer);
    }),
  );
  readVisible();
  return store;
}
