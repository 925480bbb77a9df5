// Detects sign-in messages in visible documents, and loads their verification when there is one.
import { commands, type TextDocument } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { SIWE_PHRASE } from '../../view/siwe/findSiweMessages.ts';
import { registerDocumentChecks } from '../editor/documentChecks.ts';
import type { SiweDeps } from './siweVerification.ts';

/** Larger files are not checked while typing; the command verifies a selection of any file. */
const MAX_TEXT_LENGTH = 200_000;
const MAX_LINES = 10_000;

/** Source code is left out: it has templates of messages, and tests with invalid ones. */
const LANGUAGES = new Set(['plaintext', 'markdown', 'json', 'jsonc', 'jsonl', 'log', 'http']);
const SCHEMES = new Set(['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-userdata']);

function mayHaveMessage(document: TextDocument): boolean {
  if (!LANGUAGES.has(document.languageId) || !SCHEMES.has(document.uri.scheme)) return false;
  if (document.lineCount > MAX_LINES) return false;
  const text = document.getText();
  return text.length <= MAX_TEXT_LENGTH && text.includes(SIWE_PHRASE);
}

export function registerSiwe(deps: SiweDeps): Disposable {
  const store = new DisposableStore();
  const getVerification = lazy(async () => {
    const { SiweVerification } = await import('./siweVerification.ts');
    return store.add(new SiweVerification(deps));
  });
  store.add(
    registerDocumentChecks({
      typingPauseMs: 250,
      mayConcern: mayHaveMessage,
      async check(document) {
        const verification = await getVerification();
        if (!document.isClosed) verification.check(document);
      },
      clear: document => getVerification.ifLoaded(verification => verification.clear(document)),
      onError: error => deps.log.error(`A sign-in message could not be read: ${String(error)}`),
    }),
  );
  store.add(commands.registerCommand(commandIds.verifySignIn, async () => (await getVerification()).verify()));
  return store;
}
