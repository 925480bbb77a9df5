// The underlined lines of sign-in messages and the light bulbs beside them.
import {
  CodeAction,
  CodeActionKind,
  type CodeActionProvider,
  Diagnostic,
  DiagnosticSeverity,
  l10n,
  languages,
  Range,
  type TextDocument,
  WorkspaceEdit,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TextSpan } from '../../view/siwe/findSiweMessages.ts';
import type { SiweRemark, SiweRepair } from '../../view/siwe/inspectSiwe.ts';

/** Something that is wrong with a message in a document. */
export interface SiweFinding extends TextSpan {
  readonly message: string;
  /** Problem's part, for those who filter by it. */
  readonly code: string;
  readonly fix: SiweRepair | null;
  readonly fixAll: SiweRepair | null;
}

export interface SiweDiagnostics extends Disposable {
  /** Replaces what is said of a document. */
  set(document: TextDocument, marks: readonly SiweFinding[]): void;
  clear(document: TextDocument): void;
}

export interface SiweDiagnosticsDeps {
  /** Reads a document that changed since it was last marked, so that no fix is offered for another text. */
  readonly refresh: (document: TextDocument) => void;
}

const FIX_ALL = CodeActionKind.SourceFixAll.append('hexlens');

export function toSiweFinding({ start, end, problem, fix, fixAll }: SiweRemark): SiweFinding {
  return { start, end, message: problem.message, code: `sign-in-${problem.field}`, fix, fixAll };
}

interface Shown {
  readonly version: number;
  readonly marks: readonly (SiweFinding & { readonly diagnostic: Diagnostic })[];
}

export function createSiweDiagnostics({ refresh }: SiweDiagnosticsDeps): SiweDiagnostics {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('hexlens'));
  const shown = new Map<string, Shown>();

  const rangeOf = (document: TextDocument, { start, end }: TextSpan) =>
    new Range(document.positionAt(start), document.positionAt(end));

  const actionOf = (document: TextDocument, kind: CodeActionKind, title: string, repairs: readonly SiweRepair[]) => {
    const action = new CodeAction(title, kind);
    action.edit = new WorkspaceEdit();
    for (const { edits } of repairs)
      for (const edit of edits) action.edit.replace(document.uri, rangeOf(document, edit), edit.text);
    return action;
  };

  const provider: CodeActionProvider = {
    provideCodeActions(document, range, { only }) {
      const key = document.uri.toString();
      if (!shown.has(key)) return [];
      if (shown.get(key)?.version !== document.version) refresh(document);
      const marks = shown.get(key)?.marks ?? [];
      // On save VS Code asks for this kind alone; several actions would work on each other's old positions.
      if (only?.contains(FIX_ALL)) {
        // Those of one message share the repair of all of it.
        const repairs = new Set(marks.map(({ fix, fixAll }) => fixAll ?? fix).filter(repair => repair !== null));
        return repairs.size === 0 ? [] : [actionOf(document, FIX_ALL, l10n.t('Fix sign-in messages'), [...repairs])];
      }
      const here = marks.filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined);
      const offered = new Map<SiweRepair, Diagnostic[]>();
      const offer = (repair: SiweRepair | null, diagnostic: Diagnostic) => {
        if (repair !== null) offered.set(repair, [...(offered.get(repair) ?? []), diagnostic]);
      };
      for (const { fix, diagnostic } of here) offer(fix, diagnostic);
      for (const { fixAll, diagnostic } of here) offer(fixAll, diagnostic);
      return [...offered].map(([repair, diagnostics]) => {
        const action = actionOf(document, CodeActionKind.QuickFix, repair.title, [repair]);
        action.diagnostics = diagnostics;
        action.isPreferred = here.some(({ fix }) => fix === repair);
        return action;
      });
    },
  };
  store.add(
    languages.registerCodeActionsProvider('*', provider, {
      providedCodeActionKinds: [CodeActionKind.QuickFix, FIX_ALL],
    }),
  );

  return {
    set(document, marks) {
      const made = marks.map(mark => {
        const diagnostic = new Diagnostic(rangeOf(document, mark), mark.message, DiagnosticSeverity.Error);
        diagnostic.source = 'HexLens';
        diagnostic.code = mark.code;
        return { ...mark, diagnostic };
      });
      shown.set(document.uri.toString(), { version: document.version, marks: made });
      collection.set(
        document.uri,
        made.map(({ diagnostic }) => diagnostic),
      );
    },
    clear(document) {
      shown.delete(document.uri.toString());
      collection.delete(document.uri);
    },
    dispose: () => store.dispose(),
  };
}
