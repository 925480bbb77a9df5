// Checks the addresses of visible documents when they appear and when typing pauses.
import { type TextDocument, window, workspace } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import { hasOpenTab } from '../editor/hasOpenTab.ts';
import type { Platform } from '../platform.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface RegisterChecksumsDeps {
  readonly platform: Pick<Platform, 'startChecksumWorker'>;
  readonly settings: SettingsSource;
  readonly log: Log;
}

const TYPING_PAUSE_MS = 400;
const MAX_TEXT_LENGTH = 50_000_000;
/** Documents that users edit; output channels, diffs and generated documents are not checked. */
const SCHEMES = new Set(['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-userdata', 'vscode-notebook-cell']);

export function registerChecksums({ platform, settings, log }: RegisterChecksumsDeps): Disposable {
  const store = new DisposableStore();
  const timers = new Map<TextDocument, NodeJS.Timeout>();
  const checkedVersions = new Map<TextDocument, number>();
  const getDiagnostics = lazy(async () => {
    const { createChecksumDiagnostics } = await import('./checksumDiagnostics.ts');
    return store.add(createChecksumDiagnostics({ platform, settings }));
  });

  const check = async (document: TextDocument) => {
    timers.delete(document);
    if (document.isClosed || checkedVersions.get(document) === document.version) return;
    const text = document.getText(); // cached by VS Code until the next change
    const mayHaveAddress = text.length <= MAX_TEXT_LENGTH && /0x[0-9a-fA-F]{40}/.test(text);
    if (!mayHaveAddress && !checkedVersions.has(document)) return;
    checkedVersions.set(document, document.version);
    await (await getDiagnostics()).check(document);
  };
  const scheduleCheck = (document: TextDocument, delayMs: number) => {
    if (!SCHEMES.has(document.uri.scheme)) return;
    clearTimeout(timers.get(document));
    const run = () =>
      check(document).catch(error => log.error(`The addresses of a document could not be checked: ${String(error)}`));
    timers.set(document, setTimeout(run, delayMs));
  };
  const clear = (document: TextDocument) => {
    clearTimeout(timers.get(document));
    timers.delete(document);
    if (checkedVersions.delete(document)) void getDiagnostics.peek()?.then(diagnostics => diagnostics.clear(document));
  };
  const checkVisible = () => {
    for (const { document } of window.visibleTextEditors) scheduleCheck(document, 0);
  };

  store.add(window.onDidChangeVisibleTextEditors(checkVisible));
  store.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      if (checkedVersions.has(document) || window.visibleTextEditors.some(editor => editor.document === document))
        scheduleCheck(document, TYPING_PAUSE_MS);
    }),
  );
  store.add(workspace.onDidCloseTextDocument(clear));
  store.add(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length === 0) return;
      for (const document of [...checkedVersions.keys()])
        if (document.uri.scheme !== 'vscode-notebook-cell' && !hasOpenTab(document.uri)) clear(document);
    }),
  );
  let before = JSON.stringify(settings.current().checksum);
  store.add(
    settings.onDidChange(() => {
      const now = JSON.stringify(settings.current().checksum);
      if (now === before) return;
      before = now;
      for (const document of [...checkedVersions.keys()]) {
        checkedVersions.set(document, -1);
        scheduleCheck(document, 0);
      }
      checkVisible();
    }),
  );
  store.add(
    disposable(() => {
      for (const timer of timers.values()) clearTimeout(timer);
    }),
  );
  checkVisible();
  return store;
}
