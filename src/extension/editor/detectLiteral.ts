// The subject under a position of a document, looking only at a bounded neighbourhood of it.
import { type Position, Range, type TextDocument } from 'vscode';
import type { Hex } from '../../base/hex.ts';
import { mentionsAptos } from '../../detect/aptos/aptosContext.ts';
import { detectLiteralAt } from '../../detect/detectLiterals.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';

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
