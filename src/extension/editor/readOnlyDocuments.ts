// Read-only documents of the scheme `hexlens` whose text is generated, for this session only.
import { type TextDocument, Uri, workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

export interface ReadOnlyDocumentsDeps {
  /** Separates documents of different features within the scheme. */
  readonly authority: string;
  /** Text of a document that VS Code restores after its text is gone. */
  readonly expiredText: string;
}

const SCHEME = 'hexlens';
/** Texts of older documents are dropped; VS Code keeps the text of those that are still open. */
const MAX_TEXTS = 50;

export type ReadOnlyDocuments = ReturnType<typeof createReadOnlyDocuments>;

export function createReadOnlyDocuments({ authority, expiredText }: ReadOnlyDocumentsDeps) {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  let count = 0;
  store.add(
    workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: uri => (uri.authority === authority ? (texts.get(uri.path) ?? expiredText) : null),
    }),
  );
  return {
    /** Opens a new document with the text, without showing it. */
    async open(fileName: string, text: string): Promise<TextDocument> {
      const path = `/${++count}/${fileName}`;
      texts.set(path, text);
      for (const oldest of texts.keys()) {
        if (texts.size <= MAX_TEXTS) break;
        texts.delete(oldest);
      }
      return workspace.openTextDocument(Uri.from({ scheme: SCHEME, authority, path }));
    },
    dispose: () => store.dispose(),
  };
}
