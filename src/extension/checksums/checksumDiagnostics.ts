// Diagnostics and quick fixes for addresses with a wrong EIP-55 checksum or none.
import { CodeActionKind, DiagnosticSeverity, l10n, Range, type TextDocument, TextEdit, Uri } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { LocatedChecksumProblem } from '../../detect/findChecksumProblems.ts';
import type { ChecksumSeverity } from '../../manifest/settings.ts';
import {
  type ActionContext,
  createDocumentProblems,
  createEditAction,
  type DocumentProblem,
  type ShownProblem,
} from '../editor/documentProblems.ts';
import type { Platform } from '../platform.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { createChecksumFinder } from './checksumFinder.ts';

export interface ChecksumDiagnosticsDeps {
  readonly platform: Pick<Platform, 'startChecksumWorker'>;
  readonly settings: SettingsSource;
}

type ChecksumDocumentProblem = DocumentProblem & Pick<LocatedChecksumProblem, 'corrected'>;

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

function createActions({ document, problems, inRange, only }: ActionContext<ChecksumDocumentProblem>) {
  const toEdit = ({ range, corrected }: ShownProblem<ChecksumDocumentProblem>) => TextEdit.replace(range, corrected);
  const createFixAll = (kind: CodeActionKind) =>
    createEditAction(
      document,
      kind,
      l10n.t('Apply EIP-55 checksums to all addresses in this file'),
      problems.map(toEdit),
    );
  if (only?.contains(FIX_ALL)) return [createFixAll(FIX_ALL)];
  const actions = inRange.map(problem => {
    const title = l10n.t('Apply the checksum of these digits: {0}', problem.corrected);
    const action = createEditAction(document, CodeActionKind.QuickFix, title, [toEdit(problem)]);
    action.diagnostics = [problem.diagnostic];
    return action;
  });
  return inRange.length > 0 && problems.length > 1 ? [...actions, createFixAll(CodeActionKind.QuickFix)] : actions;
}

export function createChecksumDiagnostics({ platform, settings }: ChecksumDiagnosticsDeps) {
  const store = new DisposableStore();
  const finder = store.add(createChecksumFinder(platform.startChecksumWorker));
  const problems = store.add(
    createDocumentProblems<ChecksumDocumentProblem>({
      collectionName: 'hexlens-checksums',
      selector: '*',
      actionKinds: [CodeActionKind.QuickFix, FIX_ALL],
      createActions,
    }),
  );

  /** The last check of each document that has not been cleared since. */
  const checks = new WeakMap<TextDocument, symbol>();

  function toProblem(found: LocatedChecksumProblem): readonly ChecksumDocumentProblem[] {
    const { wrong, none } = settings.current().checksum;
    const severity = found.kind === 'wrong' ? wrong : none;
    if (severity === 'off') return [];
    const { line, character, start, end, corrected } = found;
    return [
      {
        range: new Range(line, character, line, character + end - start),
        message: formatMessage(found),
        severity: severities[severity],
        code: { value: found.kind === 'wrong' ? 'eip55-checksum' : 'eip55-no-checksum', target: EIP_55 },
        corrected,
      },
    ];
  }

  return {
    /** Updates the diagnostics of the document, unless its text changes or they are cleared meanwhile. */
    async check(document: TextDocument) {
      const { wrong, none } = settings.current().checksum;
      if (wrong === 'off' && none === 'off') return problems.clear(document.uri);
      const { version, languageId } = document;
      const fileName = document.uri.path.split('/').at(-1) ?? '';
      const options = { includeUnchecked: none !== 'off', limit: MAX_PROBLEMS };
      const check = Symbol();
      checks.set(document, check);
      const isNeeded = () => checks.get(document) === check && !document.isClosed && document.version === version;
      const found = await finder.find(document.getText(), { fileName, languageId }, options, isNeeded);
      if (found === null || !isNeeded()) return;
      problems.set(document, found.flatMap(toProblem));
    },
    clear(document: TextDocument) {
      checks.delete(document);
      problems.clear(document.uri);
    },
    dispose: () => store.dispose(),
  };
}
