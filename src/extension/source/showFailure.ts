// Shows the error of a failed transaction at its line of Solidity, until the next edit of the file or Escape.
import {
  commands,
  l10n,
  Range,
  type TextEditor,
  type TextEditorDecorationType,
  TextEditorRevealType,
  ThemeColor,
  window,
  workspace,
} from 'vscode';
import type { StackFrame } from '../../api/transactionStack.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { type Hex, isHash, toLowerHex } from '../../base/hex.ts';
import { localize } from '../../base/localize.ts';
import { formatTraceFailure } from '../../decode/trace/formatFailure.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { getNoBuildText } from '../../view/source/noBuildText.ts';
import { getFrameMarks, getFrameName } from '../../view/source/stackHover.ts';
import { type DetectedHash, detectHashAtCursor } from '../editor/detectHash.ts';
import { toCancellableText } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage, withCancelButton } from '../prompts/showMessage.ts';
import { isSearchedForHash } from '../worker/configuredChains.ts';

export type ShowFailureDeps = Pick<FeatureDeps, 'abis' | 'book' | 'worker'>;

const MAX_ERROR_LENGTH = 200;

/** A failed transaction that a build of the workspace has lines of. */
interface Failure {
  readonly frame: StackFrame;
  readonly error: string;
}

export class FailureView implements Disposable {
  readonly #deps: ShowFailureDeps;
  readonly #store = new DisposableStore();
  readonly #decoration: TextEditorDecorationType;
  /** The editor whose line is marked; `null` while none is. */
  #marked: TextEditor | null = null;

  constructor(deps: ShowFailureDeps) {
    this.#deps = deps;
    this.#decoration = this.#store.add(
      window.createTextEditorDecorationType({
        isWholeLine: true,
        backgroundColor: new ThemeColor('editor.stackFrameHighlightBackground'),
        after: { color: new ThemeColor('editorError.foreground'), fontStyle: 'italic', margin: '0 0 0 2em' },
      }),
    );
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document === this.#marked?.document) this.hide();
      }),
    );
  }

  dispose(): void {
    this.hide();
    this.#store.dispose();
  }

  hide(): void {
    this.#marked?.setDecorations(this.#decoration, []);
    this.#setMarked(null);
  }

  #setMarked(editor: TextEditor | null): void {
    this.#marked = editor;
    void commands.executeCommand('setContext', contextKeys.failureShown, editor !== null);
  }

  /** Of the hash at the cursor, or of one that the user enters. */
  async show(): Promise<void> {
    const subject = await this.#getSubject();
    if (subject === null) return;
    const failure = await withCancelButton(l10n.t('Looking for the failure'), signal =>
      this.#find(subject, signal).catch(toCancellableText),
    );
    if (typeof failure === 'string') void showInformationMessage(failure);
    else if (failure !== null) await this.#mark(failure);
  }

  async #getSubject(): Promise<DetectedHash | null> {
    const detected = detectHashAtCursor();
    if (detected !== null) return detected;
    const text = await window.showInputBox({
      title: l10n.t('Show Failure in Source'),
      prompt: l10n.t('Hash of a failed transaction on a chain of this machine'),
      validateInput: value => (isHash(value.trim()) ? null : l10n.t('A hash is 0x and 64 hex digits.')),
    });
    return text === undefined ? null : { hash: toLowerHex(text.trim() as Hex), isPublic: true };
  }

  /** The failure, or a sentence that says why there is none to show; `null` when the user cancelled. */
  async #find({ hash, isPublic }: DetectedHash, signal: AbortSignal): Promise<Failure | string | null> {
    const { worker, abis, book } = this.#deps;
    const sources = await abis.sources();
    let problem: string | null = null;
    for (const { selector, isOnLoopback } of worker.chains()) {
      if (!isOnLoopback) continue;
      const chain = await worker.identifyChain(selector, signal);
      if (!isSearchedForHash(chain, isPublic)) continue;
      const found = await worker.lookup('hashSummary', { chain: selector, hash }, signal).catch(error => {
        if (isFault(error, 'cancelled')) throw error;
        problem ??= formatFault(error); // another chain may have it
        return null;
      });
      if (found?.kind !== 'transaction') continue;
      if (found.status !== 'failed') return l10n.t('This transaction did not fail.');
      const [trace, source, registry] = await Promise.all([
        worker.lookup('transactionTrace', { chain: selector, hash }, signal),
        sources.fetch({ chain: selector, hash }, worker, signal),
        abis.load(),
      ]);
      if (trace.kind === 'noTrace') return localize(trace.reason);
      const frame = source?.stack?.frames.findLast(
        ({ location }) => location !== null && sources.toUri(location) !== null,
      );
      if (frame === undefined || source === null)
        return getNoBuildText(
          workspace.isTrusted,
          l10n.t(
            'No build of the workspace has the code of this transaction, or its sources are not in the workspace.',
          ),
        );
      const getName = (address: Hex) => book.getName(address, selector) ?? getWellKnownName(address);
      const format = { registry, getName };
      const text = formatTraceFailure(trace, format, source.stack)?.text ?? '';
      // The innermost function may have no line: its caller is shown then.
      const innermost = source.stack?.frames.at(-1);
      const name = innermost === undefined || innermost === frame ? null : getFrameName(innermost);
      return { frame, error: name === null ? text : l10n.t('{0} in {1}', text, name) };
    }
    return signal.aborted ? null : (problem ?? l10n.t('No chain of this machine has this transaction.'));
  }

  async #mark({ frame, error }: Failure): Promise<void> {
    const { location } = frame;
    const uri = location === null ? null : (await this.#deps.abis.sources()).toUri(location);
    if (location === null || uri === null) return;
    this.hide();
    const editor = await window.showTextDocument(uri);
    const { start, end } = location;
    const range = new Range(start.line, start.character, end.line, end.character);
    const marks = getFrameMarks(frame);
    const suffix = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
    const contentText = `${sanitizeText(error, MAX_ERROR_LENGTH)}${suffix}`;
    editor.setDecorations(this.#decoration, [{ range, renderOptions: { after: { contentText } } }]);
    editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
    this.#setMarked(editor);
  }
}
