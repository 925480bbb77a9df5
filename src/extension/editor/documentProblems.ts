// Problems of documents as diagnostics, with code actions that fix them.
import {
  CodeAction,
  type CodeActionKind,
  Diagnostic,
  type DiagnosticSeverity,
  type DocumentSelector,
  languages,
  type Range,
  type TextDocument,
  type TextEdit,
  type Uri,
  WorkspaceEdit,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

export interface DocumentProblem {
  readonly range: Range;
  readonly message: string;
  readonly severity: DiagnosticSeverity;
  readonly code?: Diagnostic['code'];
}

export function toDiagnostic({ range, message, severity, code }: DocumentProblem): Diagnostic {
  const diagnostic = new Diagnostic(range, message, severity);
  diagnostic.source = 'HexLens';
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

export type ShownProblem<P extends DocumentProblem> = P & { readonly diagnostic: Diagnostic };

export interface ActionContext<P extends DocumentProblem> {
  readonly document: TextDocument;
  readonly problems: readonly ShownProblem<P>[];
  /** Those at the range that actions are requested for. */
  readonly inRange: readonly ShownProblem<P>[];
  readonly only: CodeActionKind | undefined;
}

export interface DocumentProblemsOptions<P extends DocumentProblem> {
  readonly collectionName: string;
  readonly selector: DocumentSelector;
  readonly actionKinds: readonly CodeActionKind[];
  /** Only called with problems of the current text. */
  createActions(context: ActionContext<P>): CodeAction[];
  /** Sets the problems of a document whose text has changed since; without it there are no actions until they are set. */
  refresh?(document: TextDocument): void;
}

export interface DocumentProblems<P extends DocumentProblem> extends Disposable {
  /** Replaces the problems of the document. */
  set(document: TextDocument, problems: readonly P[]): void;
  clear(uri: Uri): void;
}

export function createDocumentProblems<P extends DocumentProblem>(
  options: DocumentProblemsOptions<P>,
): DocumentProblems<P> {
  const { collectionName, selector, actionKinds, createActions, refresh } = options;
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection(collectionName));
  const shown = new Map<string, { readonly version: number; readonly problems: readonly ShownProblem<P>[] }>();
  store.add(
    languages.registerCodeActionsProvider(
      selector,
      {
        provideCodeActions(document, range, { only }) {
          const key = document.uri.toString();
          // Positions in an outdated text are wrong.
          if (shown.has(key) && shown.get(key)?.version !== document.version) refresh?.(document);
          const current = shown.get(key);
          if (current === undefined || current.version !== document.version || current.problems.length === 0) return [];
          const { problems } = current;
          const inRange = problems.filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined);
          return createActions({ document, problems, inRange, only });
        },
      },
      { providedCodeActionKinds: actionKinds },
    ),
  );
  return {
    set(document, problems) {
      const withDiagnostics = problems.map(problem => ({ ...problem, diagnostic: toDiagnostic(problem) }));
      shown.set(document.uri.toString(), { version: document.version, problems: withDiagnostics });
      collection.set(
        document.uri,
        withDiagnostics.map(({ diagnostic }) => diagnostic),
      );
    },
    clear(uri) {
      shown.delete(uri.toString());
      collection.delete(uri);
    },
    dispose: () => store.dispose(),
  };
}

/** One action for all edits: several actions would use outdated positions. */
export function createEditAction(
  document: TextDocument,
  kind: CodeActionKind,
  title: string,
  edits: readonly TextEdit[],
): CodeAction {
  const action = new CodeAction(title, kind);
  action.edit = new WorkspaceEdit();
  action.edit.set(document.uri, [...edits]);
  return action;
}
