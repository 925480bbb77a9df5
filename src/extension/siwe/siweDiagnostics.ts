// Diagnostics of sign-in messages and their quick fixes.
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

/** A problem of a sign-in message in a document. */
export interface SiweFinding extends TextSpan {
  readonly message: string;
  /** Names the field with the problem. */
  readonly code: string;
  readonly fix: SiweRepair | null;
  readonly fixAll: SiweRepair | null;
}

export interface SiweDiagnostics extends Disposable {
  /** Replaces the diagnostics of a document. */
  set(document: TextDocument, findings: readonly SiweFinding[]): void;
  clear(document: TextDocument): void;
}

export interface SiweDiagnosticsDeps {
  /** Checks a document again that has changed, so that no fix is offered for an outdated text. */
  readonly refresh: (document: TextDocument) => void;
}

const FIX_ALL = CodeActionKind.SourceFixAll.append('hexlens');

export function toSiweFinding({ start, end, problem, fix, fixAll }: SiweRemark): SiweFinding {
  return { start, end, message: problem.message, code: `sign-in-${problem.field}`, fix, fixAll };
}

interface PublishedFindings {
  readonly version: number;
  readonly findings: readonly (SiweFinding & { readonly diagnostic: Diagnostic })[];
}

export function createSiweDiagnostics({ refresh }: SiweDiagnosticsDeps): SiweDiagnostics {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('hexlens'));
  const published = new Map<string, PublishedFindings>();

  const toRange = (document: TextDocument, { start, end }: TextSpan) =>
    new Range(document.positionAt(start), document.positionAt(end));

  const createAction = (
    document: TextDocument,
    kind: CodeActionKind,
    title: string,
    repairs: readonly SiweRepair[],
  ) => {
    const action = new CodeAction(title, kind);
    action.edit = new WorkspaceEdit();
    for (const { edits } of repairs)
      for (const edit of edits) action.edit.replace(document.uri, toRange(document, edit), edit.text);
    return action;
  };

  const provider: CodeActionProvider = {
    provideCodeActions(document, range, { only }) {
      const key = document.uri.toString();
      if (!published.has(key)) return [];
      if (published.get(key)?.version !== document.version) refresh(document);
      const findings = published.get(key)?.findings ?? [];
      // On save VS Code requests only this kind. One action for all, because several would use outdated positions.
      if (only?.contains(FIX_ALL)) {
        // Findings of one message share the repair of the whole message.
        const repairs = new Set(findings.map(({ fix, fixAll }) => fixAll ?? fix).filter(repair => repair !== null));
        return repairs.size === 0
          ? []
          : [createAction(document, FIX_ALL, l10n.t('Fix sign-in messages'), [...repairs])];
      }
      const inRange = findings.filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined);
      const offered = new Map<SiweRepair, Diagnostic[]>();
      const offer = (repair: SiweRepair | null, diagnostic: Diagnostic) => {
        if (repair !== null) offered.set(repair, [...(offered.get(repair) ?? []), diagnostic]);
      };
      for (const { fix, diagnostic } of inRange) offer(fix, diagnostic);
      for (const { fixAll, diagnostic } of inRange) offer(fixAll, diagnostic);
      return [...offered].map(([repair, diagnostics]) => {
        const action = createAction(document, CodeActionKind.QuickFix, repair.title, [repair]);
        action.diagnostics = diagnostics;
        action.isPreferred = inRange.some(({ fix }) => fix === repair);
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
    set(document, findings) {
      const withDiagnostics = findings.map(finding => {
        const diagnostic = new Diagnostic(toRange(document, finding), finding.message, DiagnosticSeverity.Error);
        diagnostic.source = 'HexLens';
        diagnostic.code = finding.code;
        return { ...finding, diagnostic };
      });
      published.set(document.uri.toString(), { version: document.version, findings: withDiagnostics });
      collection.set(
        document.uri,
        withDiagnostics.map(({ diagnostic }) => diagnostic),
      );
    },
    clear(document) {
      published.delete(document.uri.toString());
      collection.delete(document.uri);
    },
    dispose: () => store.dispose(),
  };
}
