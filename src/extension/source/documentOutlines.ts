// Outlines of Solidity documents, until the next edit of each.
import type { CancellationToken, Position, TextDocument } from 'vscode';
import { type Outline, parseOutline } from '../../decode/source/solidityOutline.ts';
import { fromByteText, toByteText } from '../../decode/source/solidityTokens.ts';

/** Longer documents are generated, and have no outline in a moment. */
const MAX_SOURCE_LENGTH = 1_000_000;
/** No edit for so long: the user has paused. */
const TYPING_PAUSE_MS = 400;

export interface DocumentOutline {
  readonly version: number;
  /** One character for each byte of UTF-8. */
  readonly source: string;
  readonly outline: Outline;
  /** Of an offset in `source`. */
  toPosition(offset: number): Position;
}

export class DocumentOutlines {
  readonly #documents = new WeakMap<TextDocument, DocumentOutline>();

  /** `null` for a document that is too long. */
  get(document: TextDocument): DocumentOutline | null {
    const known = this.#documents.get(document);
    if (known?.version === document.version) return known;
    const text = document.getText();
    if (text.length > MAX_SOURCE_LENGTH) return null;
    const source = toByteText(text);
    const isAscii = source.length === text.length;
    const toPosition = (offset: number) =>
      document.positionAt(isAscii ? offset : fromByteText(source.slice(0, offset)).length);
    const parsed = { version: document.version, source, outline: parseOutline(source), toPosition };
    this.#documents.set(document, parsed);
    return parsed;
  }

  /**
   * For what VS Code requests at every edit, and moves with the text until then: while the user types nothing is parsed. `null` also
   * where the request was cancelled.
   */
  async getAfterTyping(document: TextDocument, token: CancellationToken): Promise<DocumentOutline | null> {
    const known = this.#documents.get(document);
    const isEdited = known !== undefined && known.version !== document.version;
    return isEdited && !(await waitForPause(token)) ? null : this.get(document);
  }
}

/** Whether the request is still wanted then. */
function waitForPause(token: CancellationToken): Promise<boolean> {
  return new Promise(resolve => {
    const end = (isWanted: boolean) => {
      clearTimeout(timer);
      cancelled.dispose();
      resolve(isWanted);
    };
    const timer = setTimeout(() => end(true), TYPING_PAUSE_MS);
    const cancelled = token.onCancellationRequested(() => end(false));
  });
}
