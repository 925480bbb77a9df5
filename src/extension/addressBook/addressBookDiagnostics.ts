// Problems of committed address books in the Problems view.
import { DiagnosticSeverity, extensions, languages, Range, type Uri, window } from 'vscode';
import type { BookFile } from '../../addressBook/bookFile.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { createPositionLookup } from '../../base/textDiff.ts';
import { toDiagnostic } from '../editor/documentProblems.ts';
import { hasOpenTab } from '../editor/hasOpenTab.ts';

export interface AddressBookDiagnostics extends Disposable {
  /** `file` is `null` when the file does not exist any more. */
  report(uri: Uri, text: string, file: BookFile | null): void;
}

interface ReportedFile {
  readonly uri: Uri;
  readonly text: string;
  readonly file: BookFile;
}

/** VS Code's JSON support reports what the schema says, but only for open files. */
const isSchemaReported = (uri: Uri): boolean =>
  hasOpenTab(uri) && extensions.getExtension('vscode.json-language-features')?.isActive === true;

export function createAddressBookDiagnostics(): AddressBookDiagnostics {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('hexlens.book'));
  const files = new Map<string, ReportedFile>();

  const publish = ({ uri, text, file }: ReportedFile) => {
    const skipSchemaIssues = isSchemaReported(uri);
    const positionAt = createPositionLookup(text);
    const diagnostics = file.issues
      .filter(({ isInSchema }) => !(isInSchema && skipSchemaIssues))
      .map(({ offset, length, message, severity }) => {
        const [start, end] = [positionAt(offset), positionAt(offset + length)];
        const range = new Range(start.line, start.character, end.line, end.character);
        const level = severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
        return toDiagnostic({ range, message, severity: level });
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
