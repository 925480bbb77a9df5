// Sign-in messages in the editor: notices them cheaply in what is on the screen, and loads the rest when there is one.
import { commands, type TextDocument, window, workspace } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import { SIWE_PHRASE } from '../../view/siwe/findSiweMessages.ts';
import { hasOpenTab } from '../editor/hasOpenTab.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { SiweVerification } from './siweVerification.ts';

export interface SiweDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly log: Log;
}

/** A pause in typing after which the message is read again. */
const PAUSE_MS = 250;
/** Above this a file is not read on every pause; the command takes a selection of any file. */
const MOST_CHARACTERS = 200_000;
const MOST_LINES = 10_000;

/** Where a whole message is written as such: source code has templates and tests of wrong messages instead. */
const LANGUAGES = new Set(['plaintext', 'markdown', 'json', 'jsonc', 'jsonl', 'log', 'http']);
const SCHEMES = new Set(['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-userdata']);

function mayHaveMessage(document: TextDocument): boolean {
  if (document.isClosed || !LANGUAGES.has(document.languageId) || !SCHEMES.has(document.uri.scheme)) return false;
  if (document.lineCount > MOST_LINES) return false;
  const text = document.getText();
  return text.length <= MOST_CHARACTERS && text.includes(SIWE_PHRASE);
}

export function registerSiwe(deps: SiweDeps): Disposable {
  const store = new DisposableStore();
  const waiting = new Map<TextDocument, NodeJS.Timeout>();
  /** Documents that were handed over, and have marks to take away. */
  const known = new Set<TextDocument>();
  let loading: Promise<SiweVerification> | undefined;
  const load = () => {
    loading ??= import('./siweVerification.ts').then(({ createSignIn: createSiweVerification }) =>
      store.add(createSiweVerification(deps)),
    );
    return loading;
  };

  const read = async (document: TextDocument) => {
    waiting.delete(document);
    const has = mayHaveMessage(document);
    if (!has && !known.has(document)) return;
    const signIn = await load();
    if (document.isClosed) return;
    if (has) {
      known.add(document);
      signIn.check(document);
    } else forget(document);
  };
  const readSoon = (document: TextDocument, pause: number) => {
    clearTimeout(waiting.get(document));
    waiting.set(
      document,
      setTimeout(() => {
        read(document).catch(error => deps.log.error(`A sign-in message could not be read: ${String(error)}`));
      }, pause),
    );
  };
  const forget = (document: TextDocument) => {
    clearTimeout(waiting.get(document));
    waiting.delete(document);
    if (!known.delete(document)) return;
    void loading?.then(signIn => signIn.clear(document));
  };
  const onScreen = (document: TextDocument) => window.visibleTextEditors.some(editor => editor.document === document);
  const readVisible = () => {
    for (const { document } of window.visibleTextEditors) readSoon(document, 0);
  };

  store.add(window.onDidChangeVisibleTextEditors(readVisible));
  store.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && onScreen(document)) readSoon(document, PAUSE_MS);
    }),
  );
  store.add(workspace.onDidCloseTextDocument(forget));
  // VS Code keeps a document for a while after its last tab.
  store.add(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length === 0) return;
      for (const document of known) if (!hasOpenTab(document)) forget(document);
    }),
  );
  store.add(commands.registerCommand(commandIds.verifySignIn, async () => (await load()).verify()));
  store.add(
    disposable(() => {
      for (const timer of waiting.values()) clearTimeout(timer);
    }),
  );
  readVisible();
  return store;
}
