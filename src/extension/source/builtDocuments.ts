// Read-only documents with the text of sources as they were built, where the workspace has another text or none.
import {
  CodeLens,
  type CodeLensProvider,
  l10n,
  languages,
  Range,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  workspace,
} from 'vscode';
import type { BuiltSource } from '../../api/transactionStack.ts';
import { Owner } from '../../base/disposable.ts';

const SCHEME = 'hexlens-built';
const FIRST_LINE = new Range(0, 0, 0, 0);

interface BuiltDocumentsDeps {
  /** `null`: the build is not known any more. */
  getSource(hash: string): BuiltSource | null;
  /** The file of a source, as it is now. */
  getFile(source: BuiltSource): Uri | null;
}

export class BuiltDocuments extends Owner implements TextDocumentContentProvider, CodeLensProvider {
  readonly #deps: BuiltDocumentsDeps;

  constructor(deps: BuiltDocumentsDeps) {
    super();
    this.#deps = deps;
    this.store.add(workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.store.add(languages.registerCodeLensProvider({ scheme: SCHEME }, this));
  }

  /** `null` where the build is not known any more. */
  toUri(hash: string): Uri | null {
    const source = this.#deps.getSource(hash);
    if (source === null) return null;
    const name = source.path.slice(source.path.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.');
    const [base, extension] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
    // The title of the editor says what it is.
    return Uri.from({ scheme: SCHEME, path: `/${hash}/${l10n.t('{0} (as built)', base)}${extension}` });
  }

  #getSource({ path }: Uri): BuiltSource | null {
    return this.#deps.getSource(path.split('/')[1] ?? '');
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#getSource(uri)?.text ?? l10n.t('The build of this source is not known any more.');
  }

  /** Above the first line, so that lines keep their numbers. */
  provideCodeLenses({ uri }: TextDocument): CodeLens[] {
    const source = this.#getSource(uri);
    if (source === null) return [];
    const file = this.#deps.getFile(source);
    if (file === null) {
      const title = l10n.t('{0} as it was built: the workspace has no such file', source.path);
      return [new CodeLens(FIRST_LINE, { title, command: '' })];
    }
    const title = l10n.t('{0} as it was built: the file was edited since. Compare', source.path);
    const names = l10n.t('{0} (as built) and now', source.path);
    return [new CodeLens(FIRST_LINE, { title, command: 'vscode.diff', arguments: [uri, file, names] })];
  }
}
