// Diagnostics and quick fixes for addresses with a wrong EIP-55 checksum or none.
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
import type { Platform } from '../platform.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { createChecksumFinder } from './checksumFinder.ts';

export interface ChecksumDiagnosticsDeps {
  readonly platform: Pick<Platform, 'startChecksumWorker'>;
  readonly settings: SettingsSource;
}

export interface ChecksumDiagnostics extends Disposable {
  /** Updates the diagnostics of the document, unless its text changes meanwhile. */
  check(document: TextDocument): Promise<void>;
  clear(document: TextDocument): void;
}

interface PublishedProblems {
  readonly version: number;
  readonly problems: readonly { readonly diagnostic: Diagnostic; readonly corrected: string }[];
}

/** As many as VS Code shows. */
const MAX_PROBLEMS = 1_000;
const EIP_55 = Uri.parse('https://eips.ethereum.org/EIPS/eip-55');
/** Not below `source.fixAll`: a wrong checksum may mean a wrong digit, and a fix on save would hide it. */
const FIX_ALL = CodeActionKind.Source.append('hexlens.checksums');

const severities: Readonly<Record<Exclude<ChecksumSeverity, 'off'>, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function formatMessage({ kind, corrected }: LocatedChecksumProblem): string {
  return kind === 'wrong'
    ? l10n.t(
        'The EIP-55 checksum of this address is wrong: a digit or its case was changed. Compare the address with its source; the correct checksum of these digits is {0}.',
        corrected,
      )
    : l10n.t('This address has no EIP-55 checksum, so a mistyped digit would not be noticed.');
}

export function createChecksumDiagnostics({ platform, settings }: ChecksumDiagnosticsDeps): ChecksumDiagnostics {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('hexlens-checksums'));
  const finder = store.add(createChecksumFinder(platform.startChecksumWorker));
  const published = new Map<string, PublishedProblems>();

  function toProblem(found: LocatedChecksumProblem) {
    const { wrong, none } = settings.current().checksum;
    const severity = found.kind === 'wrong' ? wrong : none;
    if (severity === 'off') return [];
    const { line, character, start, end } = found;
    const range = new Range(line, character, line, character + end - start);
    const diagnostic = new Diagnostic(range, formatMessage(found), severities[severity]);
    diagnostic.source = 'HexLens';
    diagnostic.code = {
      value: found.kind === 'wrong' ? 'eip55-checksum' : 'eip55-no-checksum',
      target: EIP_55,
    };
    return [{ diagnostic, corrected: found.corrected }];
  }

  const createEdit = (document: TextDocument, problems: PublishedProblems['problems']): WorkspaceEdit => {
    const edit = new WorkspaceEdit();
    for (const { diagnostic, corrected } of problems) edit.replace(document.uri, diagnostic.range, corrected);
    return edit;
  };

  const provider: CodeActionProvider = {
    provideCodeActions(document, range, { only }) {
      const current = published.get(document.uri.toString());
      // Positions of an outdated version are wrong; it is checked again soon.
      if (current === undefined || current.version !== document.version || current.problems.length === 0) return [];
      const createFixAll = (kind: CodeActionKind) => {
        const action = new CodeAction(l10n.t('Apply EIP-55 checksums to all addresses in this file'), kind);
        action.edit = createEdit(document, current.problems);
        return action;
      };
      if (only?.contains(FIX_ALL)) return [createFixAll(FIX_ALL)];
      const inRange = current.problems.filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined);
      const actions = inRange.map(problem => {
        const title = l10n.t('Apply the checksum of these digits: {0}', problem.corrected);
        const action = new CodeAction(title, CodeActionKind.QuickFix);
        action.edit = createEdit(document, [problem]);
        action.diagnostics = [problem.diagnostic];
        return action;
      });
      return inRange.length > 0 && current.problems.length > 1
        ? [...actions, createFixAll(CodeActionKind.QuickFix)]
        : actions;
    },
  };
  store.add(
    languages.registerCodeActionsProvider('*', provider, {
      providedCodeActionKinds: [CodeActionKind.QuickFix, FIX_ALL],
    }),
  );

  function clear({ uri }: TextDocument): void {
    published.delete(uri.toString());
    collection.delete(uri);
  }

  return {
    async check(document) {
      const { wrong, none } = settings.current().checksum;
      if (wrong === 'off' && none === 'off') return clear(document);
      const { version, languageId } = document;
      const fileName = document.uri.path.split('/').at(-1) ?? '';
      const options = { includeUnchecked: none !== 'off', limit: MAX_PROBLEMS };
      const found = await finder.find(document.getText(), { fileName, languageId }, options);
      if (found === null || document.isClosed || document.version !== version) return;
      const problems = found.flatMap(toProblem);
      published.set(document.uri.toString(), { version, problems });
      collection.set(
        document.uri,
        problems.map(({ diagnostic }) => diagnostic),
      );
    },
    clear,
    dispose: () => store.dispose(),
  };
}
