// What is wrong with committed address books, in the Problems view with its place; never mended behind anybody's back.
import { Diagnostic, DiagnosticSeverity, extensions, languages, Range, TabInputText, type Uri, window } from 'vscode';
import type { BookFile } from '../../addressBook/bookFile.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { createPositionLookup } from '../../base/textDiff.ts';

export interface AddressBookDiagnostics extends Disposable {
  /** `file` is `null` when there is none any more. */
  report(uri: Uri, text: string, file: BookFile | null): void;
}

interface Reported {
  readonly uri: Uri;
  readonly text: string;
  readonly file: BookFile;
}

const hasTab = (uri: Uri): boolean =>
  window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString()),
  );

/** VS Code's own JSON support says what our schema says, but only of files that are open. */
const schemaIsShown = (uri: Uri): boolean =>
  hasTab(uri) && extensions.getExtension('vscode.json-language-features')?.isActive === true;

export function createAddressBookDiagnostics(): AddressBookDiagnostics {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('hexlens.book'));
  const files = new Map<string, Reported>();

  const publish = ({ uri, text, file }: Reported) => {
    const shown = schemaIsShown(uri);
    const placeOf = createPositionLookup(text);
    const diagnostics = file.issues
      .filter(({ isInSchema: schema }) => !(schema && shown))
      .map(({ offset, length, message, severity }) => {
        const [start, end] = [placeOf(offset), placeOf(offset + length)];
        const range = new Range(start.line, start.character, end.line, end.character);
        const level = severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
        const diagnostic = new Diagnostic(range, message, level);
        diagnostic.source = 'HexLens';
        return diagnostic;
      });
    collection.set(uri, diagnostics);
  };
  store.add(
    window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      if (opened.length + closed.length > 0) for (const reported of files.values()) publish(reported);
    }),
  );

  return {
    report(uri, text, file) {
      if (file === null) {
        files.delete(uri.toString());
        collection.delete(uri);
        return;
      }
      const reported = { uri, text, file };
      files.set(uri.toString(), reported);
      publish(reported);
    },
    dispose: () => store.dispose(),
  };
}
