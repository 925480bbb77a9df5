// Detects sign-in messages in visible documents, and loads their verification when there is one.
import { commands, type TextDocument, window, workspace } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { SIWE_PHRASE } from '../../view/siwe/findSiweMessages.ts';
import { hasOpenTab } from '../editor/hasOpenTab.ts';
import type { SiweDeps } from './siweVerification.ts';

const TYPING_PAUSE_MS = 250;
/** Larger files are not checked while typing; the command verifies a selection of any file. */
const MAX_TEXT_LENGTH = 200_000;
const MAX_LINES = 10_000;

/** Source code is left out: it has templates of messages, and tests with invalid ones. */
const LANGUAGES = new Set(['plaintext', 'markdown', 'json', 'jsonc', 'jsonl', 'log', 'http']);
const SCHEMES = new Set(['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-userdata']);

function mayHaveMessage(document: TextDocument): boolean {
  if (document.isClosed || !LANGUAGES.has(document.languageId) || !SCHEMES.has(document.uri.scheme)) return false;
  if (document.lineCount > MAX_LINES) return false;
  const text = document.getText();
  return text.length <= MAX_TEXT_LENGTH && text.includes(SIWE_PHRASE);
}

export function registerSiwe(deps: SiweDeps): Disposable {
  const store = new DisposableStore();
  const timers = new Map<TextDocument, NodeJS.Timeout>();
  /** Documents that may have diagnostics. */
  const checked = new Set<TextDocument>();
  const getVerification = lazy(async () => {
    const { createSiweVerification } = await import('./siweVerification.ts');
    return store.add(createSiweVerification(deps));
  });

  const check = async (document: TextDocument) => {
    timers.delete(document);
    const hasMessage = mayHaveMessage(document);
    if (!hasMessage && !checked.has(document)) return;
    const verification = await getVerification();
    if (document.isClosed) return;
    if (hasMessage) {
      checked.add(document);
      verification.check(document);
    } else clear(document);
  };
  const scheduleCheck = (document: TextDocument, delayMs: number) => {
    clearTimeout(timers.get(document));
    timers.set(
      document,
      setTimeout(() => {
        check(document).catch(error => deps.log.error(`A sign-in message could not be read: ${String(error)}`));
      }, delayMs),
    );
  };
  const clear = (document: TextDocument) => {
    clearTimeout(timers.get(document));
    timers.delete(document);
    if (!checked.delete(document)) return;
    void getVerification.peek()?.then(verification => verification.clear(document));
  };
  const isVisible = (document: TextDocument) => window.visibleTextEditors.some(editor => editor.document === document);
  const checkVisible = () => {
    for (const { document } of window.visibleTextEditors) scheduleCheck(document, 0);
  };

  store.add(window.onDidChangeVisibleTextEditors(checkVisible));
  store.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && isVisible(document)) scheduleCheck(document, TYPING_PAUSE_MS);
    }),
  );
  store.add(workspace.onDidCloseTextDocument(clear));
  // VS Code keeps a document open for a while after its last tab is closed.
  store.add(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length === 0) return;
      for (const document of checked) if (!hasOpenTab(document.uri)) clear(document);
    }),
  );
  store.add(commands.registerCommand(commandIds.verifySignIn, async () => (await getVerification()).verify()));
  store.add(
    disposable(() => {
      for (const timer of timers.values()) clearTimeout(timer);
    }),
  );
  checkVisible();
  return store;
}
