// Checks documents when they become visible and when typing pauses, until their last tab is closed.
import { type TextDocument, window, workspace } from 'vscode';
import { DisposableStore, disposable } from '../../base/disposable.ts';
import { hasOpenTab } from './hasOpenTab.ts';

export interface DocumentChecksOptions {
  readonly typingPauseMs: number;
  /** Whether there may be something to find; other documents are not checked. */
  mayConcern(document: TextDocument): boolean;
  check(document: TextDocument): Promise<void>;
  /** Removes what was found: the document is closed, or has nothing to find any more. */
  clear(document: TextDocument): void;
  onError(error: unknown): void;
}

export type DocumentChecks = ReturnType<typeof registerDocumentChecks>;

export function registerDocumentChecks(options: DocumentChecksOptions) {
  const { typingPauseMs, mayConcern, check, clear, onError } = options;
  const store = new DisposableStore();
  const timers = new Map<TextDocument, NodeJS.Timeout>();
  /** The documents that were checked, and their versions then. */
  const checkedVersions = new Map<TextDocument, number>();

  const forget = (document: TextDocument) => {
    clearTimeout(timers.get(document));
    timers.delete(document);
    if (checkedVersions.delete(document)) clear(document);
  };
  const run = async (document: TextDocument) => {
    timers.delete(document);
    if (document.isClosed || checkedVersions.get(document) === document.version) return;
    if (!mayConcern(document)) return forget(document);
    checkedVersions.set(document, document.version);
    await check(document);
  };
  const schedule = (document: TextDocument, delayMs: number) => {
    clearTimeout(timers.get(document));
    timers.set(
      document,
      setTimeout(() => run(document).catch(onError), delayMs),
    );
  };
  const checkVisible = () => {
    for (const { document } of window.visibleTextEditors) schedule(document, 0);
  };

  store.add(window.onDidChangeVisibleTextEditors(checkVisible));
  store.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      if (checkedVersions.has(document) || window.visibleTextEditors.some(editor => editor.document === document))
        schedule(document, typingPauseMs);
    }),
  );
  store.add(workspace.onDidCloseTextDocument(forget));
  // VS Code keeps a document open for a while after its last tab is closed.
  store.add(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length === 0) return;
      for (const document of [...checkedVersions.keys()])
        if (document.uri.scheme !== 'vscode-notebook-cell' && !hasOpenTab(document.uri)) forget(document);
    }),
  );
  store.add(
    disposable(() => {
      for (const timer of timers.values()) clearTimeout(timer);
    }),
  );
  checkVisible();
  return {
    /** Checks all documents again, also those that have not changed. */
    checkAgain() {
      for (const document of [...checkedVersions.keys()]) {
        checkedVersions.set(document, -1);
        schedule(document, 0);
      }
      checkVisible();
    },
    dispose: () => store.dispose(),
  };
}
