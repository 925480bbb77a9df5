// Identity records as read-only documents of the scheme `hexlens`, kept for this session only.
import { l10n, type TextDocumentContentProvider, Uri, ViewColumn, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatIdentityJson, getResultFileName, type VerifiedIdentity } from '../../view/siwe/verificationResult.ts';

export const RESULT_SCHEME = 'hexlens';

/** Older ones are forgotten; their documents, where one is still open, keep their text. */
const MOST = 50;

export interface IdentityDocuments extends Disposable {
  /** Opens the record beside the message, which keeps the focus. */
  show(identity: VerifiedIdentity): Promise<void>;
}

export function createIdentityDocuments(): IdentityDocuments {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  let count = 0;
  const provider: TextDocumentContentProvider = {
    provideTextDocumentContent: ({ authority, path }) =>
      authority === 'sign-in' ? (texts.get(path) ?? l10n.t('This result is gone: verify the message again.')) : null,
  };
  store.add(workspace.registerTextDocumentContentProvider(RESULT_SCHEME, provider));
  return {
    async show(identity) {
      const path = `/${++count}/${getResultFileName(identity)}`;
      texts.set(path, formatIdentityJson(identity));
      for (const oldest of texts.keys()) {
        if (texts.size <= MOST) break;
        texts.delete(oldest);
      }
      const document = await workspace.openTextDocument(
        Uri.from({ scheme: RESULT_SCHEME, authority: 'sign-in', path }),
      );
      await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: true });
    },
    dispose: () => store.dispose(),
  };
}
