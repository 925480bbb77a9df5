// Diagnostics of sign-in messages and their quick fixes.
import { CodeActionKind, type Diagnostic, DiagnosticSeverity, l10n, Range, type TextDocument, TextEdit } from 'vscode';
import type { TextSpan } from '../../view/siwe/findSiweMessages.ts';
import type { SiweRemark, SiweRepair } from '../../view/siwe/inspectSiwe.ts';
import {
  type ActionContext,
  createDocumentProblems,
  createEditAction,
  type DocumentProblem,
} from '../editor/documentProblems.ts';

/** A problem of a sign-in message in a document. */
export interface SiweFinding extends TextSpan {
  readonly message: string;
  /** Names the field with the problem. */
  readonly code: string;
  readonly fix: SiweRepair | null;
  readonly fixAll: SiweRepair | null;
}

export interface SiweDiagnosticsDeps {
  /** Checks a document again that has changed, so that no fix is offered for an outdated text. */
  readonly refresh: (document: TextDocument) => void;
}

type SiweDocumentProblem = DocumentProblem & Pick<SiweFinding, 'fix' | 'fixAll'>;

const FIX_ALL = CodeActionKind.SourceFixAll.append('hexlens');

export function toSiweFinding({ start, end, problem, fix, fixAll }: SiweRemark): SiweFinding {
  return { start, end, message: problem.message, code: `sign-in-${problem.field}`, fix, fixAll };
}

const toRange = (document: TextDocument, { start, end }: TextSpan) =>
  new Range(document.positionAt(start), document.positionAt(end));

function createActions({ document, problems, inRange, only }: ActionContext<SiweDocumentProblem>) {
  const createAction = (kind: CodeActionKind, title: string, repairs: readonly SiweRepair[]) => {
    const edits = repairs.flatMap(repair => repair.edits);
    return createEditAction(
      document,
      kind,
      title,
      edits.map(edit => TextEdit.replace(toRange(document, edit), edit.text)),
    );
  };
  // On save VS Code requests only this kind.
  if (only?.contains(FIX_ALL)) {
    // Problems of one message share the repair of the whole message.
    const repairs = new Set(problems.map(({ fix, fixAll }) => fixAll ?? fix).filter(repair => repair !== null));
    return repairs.size === 0 ? [] : [createAction(FIX_ALL, l10n.t('Fix sign-in messages'), [...repairs])];
  }
  const offered = new Map<SiweRepair, Diagnostic[]>();
  const offer = (repair: SiweRepair | null, diagnostic: Diagnostic) => {
    if (repair !== null) offered.set(repair, [...(offered.get(repair) ?? []), diagnostic]);
  };
  for (const { fix, diagnostic } of inRange) offer(fix, diagnostic);
  for (const { fixAll, diagnostic } of inRange) offer(fixAll, diagnostic);
  return [...offered].map(([repair, diagnostics]) => {
    const action = createAction(CodeActionKind.QuickFix, repair.title, [repair]);
    action.diagnostics = diagnostics;
    action.isPreferred = inRange.some(({ fix }) => fix === repair);
    return action;
  });
}

export type SiweDiagnostics = ReturnType<typeof createSiweDiagnostics>;

export function createSiweDiagnostics({ refresh }: SiweDiagnosticsDeps) {
  const problems = createDocumentProblems<SiweDocumentProblem>({
    collectionName: 'hexlens',
    selector: '*',
    actionKinds: [CodeActionKind.QuickFix, FIX_ALL],
    createActions,
    refresh,
  });
  return {
    set(document: TextDocument, findings: readonly SiweFinding[]) {
      const severity = DiagnosticSeverity.Error;
      problems.set(
        document,
        findings.map(finding => ({ ...finding, severity, range: toRange(document, finding) })),
      );
    },
    clear: ({ uri }: TextDocument) => problems.clear(uri),
    dispose: problems.dispose,
  };
}
