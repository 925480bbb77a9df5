// Outlines of Solidity documents, until the next edit of each.
import type { TextDocument } from 'vscode';
import { type Outline, parseOutline } from '../../decode/source/solidityOutline.ts';
import { toByteText } from '../../decode/source/solidityTokens.ts';

/** Longer documents are generated, and have no outline in a moment. */
const MAX_SOURCE_LENGTH = 1_000_000;

export interface DocumentOutline {
  readonly version: number;
  /** One character for each byte of UTF-8. */
  readonly source: string;
  readonly outline: Outline;
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
    const parsed = { version: document.version, source, outline: parseOutline(source) };
    this.#documents.set(document, parsed);
    return parsed;
  }
}
