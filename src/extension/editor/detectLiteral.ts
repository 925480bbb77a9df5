// The subject under a position of a document, looking only at a bounded neighbourhood of it.

import { type Position, Range, type TextDocument, window } from 'vscode';
import { getChainById } from '../../api/chains.ts';
import type { Hex } from '../../base/hex.ts';
import { mentionsAptos } from '../../detect/aptos/aptosContext.ts';
import { detectLiteralAt } from '../../detect/detectLiterals.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import type { ExplorerTarget } from '../../view/hover/hoverLinks.ts';
import { getLiteralChainId } from '../../view/hover/lookupRequests.ts';

/** Lines above that may name a literal (a list's key, a heading), and characters of them at most. */
const LINES_ABOVE = 80;
const REACH = 8_000;
/** Where programs import things, and configurations say what they are for. */
const HEAD = new Range(0, 0, 40, 0);

export interface DocumentLiteral {
  readonly literal: HexLiteral;
  readonly range: Range;
  readonly fileName: string;
}

/** `moveNames`: named addresses of the document's Move package. */
export function detectLiteral(
  document: TextDocument,
  position: Position,
  moveNames?: ReadonlyMap<string, Hex | null>,
): DocumentLiteral | null {
  const line = document.lineAt(position.line).text;
  // A minified file is one line of megabytes; a file of short lines wants those above as well.
  const above: string[] = [];
  let length = position.character;
  for (
    let number = position.line - 1;
    number >= 0 && number >= position.line - LINES_ABOVE && length < REACH;
    number--
  ) {
    const text = document.lineAt(number).text;
    above.unshift(text);
    length += text.length + 1;
  }
  const below =
    position.line + 1 < document.lineCount ? `\n${document.lineAt(position.line + 1).text.slice(0, 200)}` : '';
  const head = above.length === 0 ? '' : `${above.join('\n')}\n`;
  const fileName = document.uri.path.split('/').at(-1) ?? '';
  const subject = detectLiteralAt(`${head}${line}${below}`, head.length + position.character, {
    fileName,
    languageId: document.languageId,
    isAptos: mentionsAptos(document.getText(HEAD)),
    moveAddresses: moveNames,
  });
  if (subject === null) return null;
  const [start, end] = [subject.start - head.length, subject.end - head.length];
  return { literal: subject, range: new Range(position.line, start, position.line, end), fileName };
}

// What the cursor of the active editor stands on, for commands that take no argument.
export function detectLiteralAtCursor(): HexLiteral | null {
  const editor = window.activeTextEditor;
  return editor === undefined ? null : (detectLiteral(editor.document, editor.selection.active)?.literal ?? null);
}

/** The page of an explorer that a subject has; on the chain that the text names, else on `fallback`. */
export function toExplorerTarget(subject: HexLiteral, fallback: number): ExplorerTarget | null {
  const named = getLiteralChainId(subject);
  const chainId = named !== null && getChainById(named)?.explorer ? named : fallback;
  if (subject.kind === 'address' || subject.kind === 'paddedAddress')
    return { chainId, kind: 'address', value: subject.address };
  if (subject.kind === 'blockNumber') return { chainId, kind: 'block', value: String(subject.number) };
  if (subject.kind !== 'hash32' || subject.secretWord !== null) return null;
  return { chainId, kind: 'tx', value: subject.hash };
}
