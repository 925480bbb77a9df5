// Shows what the lines of Solidity cost: of one transaction, of the newest blocks, or of all since the last time.
import {
  commands,
  EventEmitter,
  l10n,
  MarkdownString,
  type QuickPickItem,
  Range,
  StatusBarAlignment,
  type StatusBarItem,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isFault, toFault } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { type Hex, isHash } from '../../base/hex.ts';
import { localize } from '../../base/localize.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { createClient } from '../../client/client.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { escapeMarkdown } from '../../view/hover/markdown.ts';
import type { FileGas } from '../../view/source/gasReport.ts';
import {
  formatGasCsv,
  formatGasReport,
  GasTotals,
  getHeatLegend,
  HEAT_BARS,
  type LineRange,
  listLineMarks,
} from '../../view/source/gasReport.ts';
import { listNewestTransactions } from '../../view/source/newestTransactions.ts';
import { getNoBuildText } from '../../view/source/noBuildText.ts';
import { detectLiteralAtCursor } from '../editor/detectLiteral.ts';
import { toCancellableText } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage, withCancelButton } from '../prompts/showMessage.ts';
import { findLocalChain, getNamedChain, type LocalChain } from './findLocalChain.ts';
import { promptForBlock } from './promptForBlock.ts';
import type { WorkspaceSources } from './workspaceSources.ts';

export type GasViewDeps = Pick<FeatureDeps, 'abis' | 'worker' | 'workspaceState'>;

const REPORT = Uri.from({ scheme: 'hexlens-gas', path: '/Gas.md' });
const BLOCK_CHOICES = [10, 100] as const;
/** More transactions are not read. */
const MAX_TRANSACTIONS = 2_000;
const CONCURRENT_TRANSACTIONS = 4;
/** Beyond the visible lines, so that short scrolls need no new marks. */
const MARGIN_LINES = 100;

/** Whose gas is shown: a transaction, or all of the blocks behind one. */
type Subject =
  | { readonly kind: 'transaction'; readonly hash: Hex }
  | { readonly kind: 'blocks'; readonly after: number; readonly title: string };

const toBlocksSince = (after: number): Subject => ({
  kind: 'blocks',
  after,
  title: l10n.t('Gas since block {0}', formatInteger(after)),
});

interface Choice extends QuickPickItem {
  /** What is not known yet the user enters. */
  readonly subject: Subject | 'transaction' | 'block';
}

interface Shown {
  readonly totals: GasTotals;
  readonly title: string;
  /** Reads of transactions that gave no gas, with why. */
  readonly problems: readonly string[];
}

export class GasView implements Disposable {
  readonly #deps: GasViewDeps;
  readonly #store = new DisposableStore();
  /** VS Code keeps the text of a document that is open. */
  readonly #reportChanged = this.#store.add(new EventEmitter<Uri>());
  /** By heat, from cold to hot. */
  readonly #heats: readonly TextEditorDecorationType[];
  readonly #unreached: TextEditorDecorationType;
  readonly #status: StatusBarItem;
  #shown: Shown | null = null;
  /** What was shown before, to compare with. */
  #before: GasTotals | null = null;
  #sources: WorkspaceSources | null = null;
  /** A new one each time the table is opened: VS Code's preview shows the text of a closed document again. */
  #report = REPORT;
  #openedReports = 0;
  /** The lines of each editor that have their marks. */
  readonly #decorated = new WeakMap<TextEditor, readonly LineRange[]>();
  /** Documents that were edited since: the lines are no longer those that ran. */
  readonly #edited = new Set<TextDocument>();

  constructor(deps: GasViewDeps) {
    this.#deps = deps;
    this.#heats = HEAT_BARS.map((_, index) => {
      const color = new ThemeColor(`hexlens.gasHeat${index + 1}`);
      const after = { color: new ThemeColor('descriptionForeground'), margin: '0 0 0 2em' };
      return this.#store.add(
        window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor: color, after }),
      );
    });
    this.#unreached = this.#store.add(window.createTextEditorDecorationType({ isWholeLine: true, opacity: '0.55' }));
    this.#status = this.#store.add(window.createStatusBarItem('hexlens.gas', StatusBarAlignment.Left));
    this.#status.name = l10n.t('Gas of Lines');
    this.#store.add(
      window.onDidChangeVisibleTextEditors(editors => {
        for (const editor of editors) this.#decorate(editor);
      }),
    );
    this.#store.add(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        if (this.#shown !== null && !this.#isDecorated(textEditor)) this.#decorate(textEditor);
      }),
    );
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || this.#shown === null || this.#edited.has(document)) return;
        this.#edited.add(document);
        for (const editor of window.visibleTextEditors) if (editor.document === document) this.#decorate(editor);
      }),
    );
    const provideTextDocumentContent = () => {
      if (this.#shown === null) return '';
      const { totals, title, problems } = this.#shown;
      return formatGasReport(totals, this.#before, title, problems);
    };
    const provider = { onDidChange: this.#reportChanged.event, provideTextDocumentContent };
    this.#store.add(workspace.registerTextDocumentContentProvider(REPORT.scheme, provider));
  }

  dispose(): void {
    this.hide();
    this.#store.dispose();
  }

  hide(): void {
    this.#before = this.#shown?.totals ?? this.#before;
    this.#shown = null;
    this.#status.hide();
    for (const editor of window.visibleTextEditors) this.#decorate(editor);
    void commands.executeCommand('setContext', contextKeys.gasShown, false);
  }

  /** The menu of the status bar item. */
  async showMenu(): Promise<void> {
    const items = [
      { label: `$(table) ${l10n.t('Open the Table')}`, run: () => this.#openReport() },
      { label: `$(save) ${l10n.t('Save as CSV…')}`, run: () => this.#save() },
      { label: `$(refresh) ${l10n.t('Show Gas in Source…')}`, run: () => this.show() },
      { label: `$(close) ${l10n.t('Hide Gas')}`, run: async () => this.hide() },
    ];
    const chosen = await window.showQuickPick(items, { title: this.#shown?.title ?? '' });
    await chosen?.run();
  }

  async #openReport(): Promise<void> {
    this.#report = REPORT.with({ query: String(++this.#openedReports) });
    await commands.executeCommand('markdown.showPreview', this.#report);
  }

  async #save(): Promise<void> {
    if (this.#shown === null) return;
    const uri = await window.showSaveDialog({ filters: { CSV: ['csv'] }, title: l10n.t('Save as CSV…') });
    if (uri !== undefined)
      await workspace.fs.writeFile(uri, new TextEncoder().encode(formatGasCsv(this.#shown.totals)));
  }

  /** `argument`: may name the chain. */
  async show(argument?: unknown): Promise<void> {
    const found = await findLocalChain(this.#deps.worker, l10n.t('Show Gas in Source'), getNamedChain(argument));
    if (found === 'cancelled') return;
    if (found === null) {
      void showInformationMessage(l10n.t('Lines have gas on chains of this machine: no node of one responds.'));
      return;
    }
    const subject = await this.#pick(found);
    if (subject === null) return;
    const shown = await withCancelButton(l10n.t('Reading the gas of transactions'), (signal, progress) =>
      this.#read(found.selector, subject, message => progress.report({ message }), signal).catch(toCancellableText),
    );
    if (typeof shown === 'string') void showInformationMessage(shown);
    else if (shown !== null) await this.#show(shown);
  }

  /** `null` when the user cancelled. */
  async #pick({ selector: chain, head: newest, before }: LocalChain): Promise<Subject | null> {
    const literal = detectLiteralAtCursor()?.literal;
    const choices: Choice[] = [];
    if (literal?.kind === 'hash32')
      choices.push({
        label: l10n.t('The transaction at the cursor'),
        description: literal.hash,
        subject: { kind: 'transaction', hash: literal.hash },
      });
    const last = this.#deps.workspaceState.get<number>(`hexlens.gas.${chain}`);
    const since = last === undefined || last > newest ? null : Math.max(last, before);
    if (since !== null)
      choices.push({
        label: l10n.t('All transactions since the last time'),
        description: newest - since === 1 ? l10n.t('1 block') : l10n.t('{0} blocks', formatInteger(newest - since)),
        subject: toBlocksSince(since),
      });
    for (const count of BLOCK_CHOICES)
      choices.push({
        label: l10n.t('The last {0} blocks', String(count)),
        subject: {
          kind: 'blocks',
          after: Math.max(before, newest - count),
          title: l10n.t('Gas of the last {0} blocks', String(count)),
        },
      });
    choices.push({ label: l10n.t('Since a block…'), subject: 'block' });
    choices.push({ label: l10n.t('A transaction…'), subject: 'transaction' });
    const title = l10n.t('Show Gas in Source');
    const subject = (await window.showQuickPick(choices, { title }))?.subject ?? null;
    if (subject === 'block') {
      const after = await promptForBlock(title, newest);
      return after === null ? null : toBlocksSince(Math.max(before, after));
    }
    if (subject !== 'transaction') return subject;
    const text = await window.showInputBox({
      title,
      prompt: l10n.t('Hash of a transaction on a chain of this machine'),
      validateInput: value => (isHash(value.trim()) ? null : l10n.t('A hash is 0x and 64 hex digits.')),
    });
    return text === undefined ? null : { kind: 'transaction', hash: text.trim().toLowerCase() as Hex };
  }

  /** What was read when the user cancelled is shown too; a sentence says why there is nothing. */
  async #read(
    chain: string,
    subject: Subject,
    report: (message: string) => void,
    signal: AbortSignal,
  ): Promise<Shown | string | null> {
    const sources = await this.#deps.abis.sources();
    this.#sources = sources;
    const totals = new GasTotals();
    const problems = new Set<string>();
    const { hashes, hasMore, newest } =
      subject.kind === 'transaction'
        ? { hashes: [subject.hash], hasMore: false, newest: null }
        : await this.#listTransactions(chain, subject, signal);
    if (hasMore) problems.add(l10n.t('Only the newest {0} transactions were read.', formatInteger(hashes.length)));
    let done = 0;
    try {
      await mapConcurrently(hashes, CONCURRENT_TRANSACTIONS, async hash => {
        const gas = await sources.fetchGas({ chain, hash }, this.#deps.worker, signal).catch((error: unknown) => {
          if (!isFault(error, 'too-large', 'not-found')) throw error;
          return { kind: 'noGas', reason: toFault(error).message } as const;
        });
        if (gas.kind === 'gas') totals.add(gas);
        else problems.add(localize(gas.reason));
        report(l10n.t('{0} of {1}', formatInteger(++done), formatInteger(hashes.length)));
      });
      if (newest !== null) await this.#deps.workspaceState.update(`hexlens.gas.${chain}`, newest);
    } catch (error) {
      if (!isFault(error, 'cancelled') || totals.transactions === 0) throw error;
      problems.add(
        l10n.t('Cancelled: {0} of {1} transactions were read.', formatInteger(done), formatInteger(hashes.length)),
      );
    }
    if (totals.transactions === 0) return [...problems][0] ?? l10n.t('There are no transactions.');
    if (totals.files().length === 0)
      return getNoBuildText(
        workspace.isTrusted,
        l10n.t('No build of the workspace has the code of these transactions.'),
      );
    const title = subject.kind === 'transaction' ? l10n.t('Gas of {0}', subject.hash) : subject.title;
    return { totals, title, problems: [...problems] };
  }

  async #listTransactions(
    chain: string,
    { after }: Extract<Subject, { kind: 'blocks' }>,
    signal: AbortSignal,
  ): Promise<{ readonly hashes: readonly Hex[]; readonly hasMore: boolean; readonly newest: number }> {
    const { worker } = this.#deps;
    const { head } = await worker.lookup('chainStatus', { chain }, signal);
    const newest = head ?? 0;
    const client = createClient(worker.transport);
    const listBlock = async (block: number) =>
      ((await client.block({ chain, block }, { signal })).transactions ?? []).map(({ hash }) => hash as Hex);
    return { newest, ...(await listNewestTransactions(listBlock, { newest, after }, MAX_TRANSACTIONS)) };
  }

  async #show(shown: Shown): Promise<void> {
    // Who compares runs keeps what is open, such as the table.
    const isFirst = this.#shown === null;
    this.#before = this.#shown?.totals ?? this.#before;
    this.#shown = shown;
    this.#reportChanged.fire(this.#report);
    this.#edited.clear();
    // The gas is that of the text on disk.
    for (const document of workspace.textDocuments) if (document.isDirty) this.#edited.add(document);
    const { totals, title, problems } = shown;
    this.#status.text = `$(flame) ${l10n.t('{0} gas', formatInteger(totals.gasUsed))}`;
    const changed = totals.files().filter(({ isChanged }) => isChanged);
    const lines = [
      title,
      l10n.t('Lines by their share of the gas of all lines:'),
      ...getHeatLegend(),
      l10n.t('Faded lines have code that did not run.'),
      ...changed.map(({ source }) => l10n.t('{0} was edited after its build: it has no marks.', source)),
      ...problems,
    ];
    this.#status.tooltip = new MarkdownString(lines.map(each => escapeMarkdown(each)).join('  \n'));
    this.#status.command = commandIds.showGasMenu;
    this.#status.show();
    void commands.executeCommand('setContext', contextKeys.gasShown, true);
    for (const editor of window.visibleTextEditors) this.#decorate(editor);
    const hottest = isFirst ? this.#findHottestFile() : null;
    if (hottest !== null && !window.visibleTextEditors.some(({ document }) => this.#fileOf(document) !== null))
      await window.showTextDocument(hottest);
  }

  #findHottestFile(): Uri | null {
    const total = ({ lines }: FileGas) => [...lines.values()].reduce((sum, { gas }) => sum + gas, 0);
    const files = (this.#shown?.totals.files() ?? []).toSorted((a, b) => total(b) - total(a));
    for (const file of files) {
      const uri = file.isChanged ? null : (this.#sources?.toUri(file) ?? null);
      if (uri !== null) return uri;
    }
    return null;
  }

  #fileOf(document: TextDocument): FileGas | null {
    if (this.#shown === null || this.#edited.has(document)) return null;
    const isOf = (file: FileGas) =>
      !file.isChanged && this.#sources?.toUri(file)?.toString() === document.uri.toString();
    return this.#shown.totals.files().find(isOf) ?? null;
  }

  #isDecorated(editor: TextEditor): boolean {
    const ranges = this.#decorated.get(editor) ?? [];
    return editor.visibleRanges.every(({ start, end }) =>
      ranges.some(({ first, last }) => first <= start.line && last >= end.line),
    );
  }

  #decorate(editor: TextEditor): void {
    const file = this.#fileOf(editor.document);
    // Nothing is computed where marks only go away, which the first change of a text waits for.
    const ranges = editor.visibleRanges.map(({ start, end }) => ({
      first: start.line - MARGIN_LINES,
      last: end.line + MARGIN_LINES,
    }));
    this.#decorated.set(editor, ranges);
    const marks = file === null || this.#shown === null ? [] : listLineMarks(file, this.#shown.totals.linesGas, ranges);
    for (const [index, decoration] of this.#heats.entries())
      editor.setDecorations(
        decoration,
        (marks[index] ?? []).map(({ line, text, explanation }) => ({
          range: new Range(line, 0, line, 0),
          hoverMessage: explanation.length === 0 ? [] : explanation.map(each => escapeMarkdown(each)).join('\n\n'),
          renderOptions: { after: { contentText: text } },
        })),
      );
    editor.setDecorations(
      this.#unreached,
      [...(file?.unreached ?? [])].map(line => new Range(line, 0, line, 0)),
    );
  }
}
