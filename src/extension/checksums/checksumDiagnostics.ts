// Underlines addresses whose EIP-55 checksum is wrong, and offers the checksum that fits their digits.
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
  Uri,
  WorkspaceEdit,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LocatedChecksumProblem } from '../../detect/findChecksumProblems.ts';
import type { ChecksumSeverity } from '../../manifest/settings.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { createChecksumFinder } from './checksumFinder.ts';

export interface ChecksumDiagnosticsDeps {
  readonly extensionPath: string;
  readonly settings: SettingsSource;
}

export interface ChecksumDiagnostics extends Disposable {
  /** Resolves when the document shows what is wrong with the text it has now, or was changed meanwhile. */
  check(document: TextDocument): Promise<void>;
  clear(document: TextDocument): void;
}

interface Shown {
  readonly version: number;
  readonly marks: readonly { readonly diagnostic: Diagnostic; readonly right: string }[];
}

/** A list of more is of no use, and VS Code cuts it too. */
const MOST = 1_000;
const EXPLAINED = Uri.parse('https://eips.ethereum.org/EIPS/eip-55');
/**
 * Not below `source.fixAll`: a wrong checksum may mean a wrong digit, and a fix on save would make it look right.
 */
const FIX_ALL = CodeActionKind.Source.append('hexlens.checksums');

const severities: Readonly<Record<Exclude<ChecksumSeverity, 'off'>, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function messageOf({ kind, corrected: right }: LocatedChecksumProblem): string {
  return kind === 'wrong'
    ? l10n.t(
        'The EIP-55 checksum of this address is wrong: a digit or its case was changed. Compare it with where it comes from; these digits are written {0}.',
        right,
      )
    : l10n.t('This address has no EIP-55 checksum, so a mistyped digit would not be noticed.');
}

export function createChecksumDiagnostics({ extensionPath, settings }: ChecksumDiagnosticsDeps): ChecksumDiagnostics {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('hexlens-checksums'));
  const thread = store.add(createChecksumFinder(extensionPath));
  const shown = new Map<string, Shown>();

  function markOf(finding: LocatedChecksumProblem) {
    const { wrong, none } = settings.current().checksum;
    const severity = finding.kind === 'wrong' ? wrong : none;
    if (severity === 'off') return [];
    const { line, character, start, end } = finding;
    const range = new Range(line, character, line, character + end - start);
    const diagnostic = new Diagnostic(range, messageOf(finding), severities[severity]);
    diagnostic.source = 'HexLens';
    diagnostic.code = {
      value: finding.kind === 'wrong' ? 'eip55-checksum' : 'eip55-no-checksum',
      target: EXPLAINED,
    };
    return [{ diagnostic, right: finding.corrected }];
  }

  const edits = (document: TextDocument, marks: Shown['marks']): WorkspaceEdit => {
    const edit = new WorkspaceEdit();
    for (const { diagnostic, right } of marks) edit.replace(document.uri, diagnostic.range, right);
    return edit;
  };

  const provider: CodeActionProvider = {
    provideCodeActions(document, range, { only }) {
      const known = shown.get(document.uri.toString());
      // Positions of an older text: it is read again in a moment.
      if (known === undefined || known.version !== document.version || known.marks.length === 0) return [];
      const all = (kind: CodeActionKind) => {
        const action = new CodeAction(l10n.t('Write all addresses of this file with their EIP-55 checksum'), kind);
        action.edit = edits(document, known.marks);
        return action;
      };
      if (only?.contains(FIX_ALL)) return [all(FIX_ALL)];
      const here = known.marks.filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined);
      const actions = here.map(mark => {
        const action = new CodeAction(l10n.t('Keep these digits: write {0}', mark.right), CodeActionKind.QuickFix);
        action.edit = edits(document, [mark]);
        action.diagnostics = [mark.diagnostic];
        return action;
      });
      return here.length > 0 && known.marks.length > 1 ? [...actions, all(CodeActionKind.QuickFix)] : actions;
    },
  };
  store.add(
    languages.registerCodeActionsProvider('*', provider, {
      providedCodeActionKinds: [CodeActionKind.QuickFix, FIX_ALL],
    }),
  );

  function clear({ uri }: TextDocument): void {
    shown.delete(uri.toString());
    collection.delete(uri);
  }

  return {
    async check(document) {
      const { wrong, none } = settings.current().checksum;
      if (wrong === 'off' && none === 'off') return clear(document);
      const { version, languageId } = document;
      const fileName = document.uri.path.split('/').at(-1) ?? '';
      const options = { none: none !== 'off', limit: MOST };
      const findings = await thread.find(document.getText(), { fileName, languageId }, options);
      if (findings === null || document.isClosed || document.version !== version) return;
      const marks = findings.flatMap(markOf);
      shown.set(document.uri.toString(), { version, marks });
      collection.set(
        document.uri,
        marks.map(({ diagnostic }) => diagnostic),
      );
    },
    clear,
    dispose: () => store.dispose(),
  };
}
