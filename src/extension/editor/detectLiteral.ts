// Detects the literal at a position of a document from the text around it.
import { type Position, Range, type TextDocument, type TextEditor, window } from 'vscode';
import { mentionsAptos } from '../../detect/aptos/aptosContext.ts';
import { detectDigitsAt, detectLiteralAt } from '../../detect/detectLiterals.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import type { TextSource } from '../../detect/literalContext.ts';
import { leaveOutRows } from '../../detect/longRuns.ts';
import { findTableHeader, isTableFile } from '../../detect/tableColumns.ts';
import { isSecretLiteral } from '../../view/checkDisclosure.ts';
import type { ExplorerTarget } from '../../view/hover/hoverLinks.ts';
import { getLiteralChainId } from '../../view/hover/hoverLookups.ts';
import { findLinkText } from '../../view/linkText.ts';
import type { FoundHash } from '../source/recordedHashes.ts';

/** Lines above may name a literal, such as the key of a list or a heading. */
const MAX_LINES_ABOVE = 80;
const MAX_LENGTH_ABOVE = 8_000;
/** Rows above, among which the names of a table's columns are searched. */
const MAX_TABLE_LINES = 50_000;
/** Lines below may use the literal as a key. */
const MAX_LINES_BELOW = 400;
const MAX_LENGTH_BELOW = 32_000;
/** Characters before a literal in its line that may name it. */
const MAX_NAME_REACH = 200;
const MAX_LITERAL_REACH = 1_000;
const BYTES32 = /[\da-f]{64}/i;
/** Further below only those are read that have a name of the literal's line. */
const MAX_LINES_FAR_BELOW = 50_000;
/** Imports and headers that show whether a file is about Aptos. */
const FILE_HEAD = new Range(0, 0, 40, 0);

export interface DocumentLiteral {
  readonly literal: HexLiteral;
  readonly range: Range;
  readonly fileName: string;
  /** It is the text of a link, such as `[0x…](https://…)`, or what the URL names under such a text: the chain of the link need not be the one that is meant. */
  readonly isLinkText: boolean;
  /** Where a deployment tool has recorded the same bytes. */
  readonly record?: FoundHash;
}

/** Rows of a run that are left out. */
const MAX_ROWS = 5_000;

function* iterateLines(document: TextDocument, start: number, step: 1 | -1): Generator<string> {
  for (let at = start + step; at >= 0 && at < document.lineCount && Math.abs(at - start) < MAX_ROWS; at += step)
    yield document.lineAt(at).text;
}

/**
 * The lines next to one, nearest first, without most rows of a long run; bounded by characters too, because a line of a minified
 * file may have megabytes.
 */
function readLines(document: TextDocument, start: number, step: 1 | -1, maxLines: number, maxLength: number): string[] {
  const lines: string[] = [];
  let length = 0;
  if (maxLength <= 0) return lines;
  for (const text of leaveOutRows(document.lineAt(start).text, iterateLines(document, start, step))) {
    lines.push(text);
    length += text.length + 1;
    if (length >= maxLength || lines.length >= maxLines) break;
  }
  return lines;
}

const NAME = /[A-Za-z_$][\w$]{1,60}/g;
/** Words in front of names. */
const KEYWORDS = new Set(
  'const let var val static final export public private internal constant bytes32 string pub str def self this return new common from hex'.split(
    ' ',
  ),
);

/** The lines from `start` on that have a name of what is before a literal in its line. */
function readUses(document: TextDocument, start: number, before: string): readonly string[] {
  const names = [...before.matchAll(NAME)].map(([name]) => name).filter(name => !KEYWORDS.has(name));
  if (start >= document.lineCount || names.length === 0) return [];
  const uses = new RegExp(
    String.raw`(?<!\w)(?:${names.map(name => name.replaceAll('$', String.raw`\$`)).join('|')})(?![\w$])`,
  );
  const found: string[] = [];
  let length = 0;
  const lines = document.getText(new Range(start, 0, start + MAX_LINES_FAR_BELOW, 0)).split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.length > MAX_LENGTH_ABOVE || !uses.test(line)) continue;
    // What a call over several lines calls, and where it ends.
    const around = lines.slice(Math.max(0, at - 1), at + 2).map(text => text.slice(0, MAX_LENGTH_ABOVE));
    found.push(...around);
    length += around.join('').length;
    if (length > MAX_LENGTH_BELOW) break;
  }
  return found;
}

/** The lines above one, nearest first; above the first line of the document a blank one. */
function* readTableAbove(document: TextDocument, line: number): Generator<string> {
  for (let at = line - 1; at >= Math.max(0, line - MAX_TABLE_LINES); at--)
    yield document.lineAt(at).text.slice(0, MAX_LENGTH_ABOVE);
  if (line <= MAX_TABLE_LINES) yield '';
}

export function detectLiteral(
  document: TextDocument,
  position: Position,
  { moveAddresses, isKnownSelector }: Pick<TextSource, 'moveAddresses' | 'isKnownSelector'> = {},
  detectAt = detectLiteralAt,
): DocumentLiteral | null {
  const line = document.lineAt(position.line).text;
  const above = readLines(
    document,
    position.line,
    -1,
    MAX_LINES_ABOVE,
    MAX_LENGTH_ABOVE - position.character,
  ).reverse();
  const below = readLines(document, position.line, 1, MAX_LINES_BELOW, MAX_LENGTH_BELOW);
  const head = above.map(text => `${text}\n`).join('');
  const fileName = document.uri.path;
  const { languageId } = document;
  const isTable = isTableFile({ fileName, languageId });
  const { character } = position;
  // Of the literal at the position, or of the target of a link whose text is there.
  const mayBeKey = BYTES32.test(line.slice(Math.max(0, character - MAX_LITERAL_REACH), character + MAX_LITERAL_REACH));
  const uses = mayBeKey
    ? readUses(document, position.line + 1 + below.length, line.slice(0, character).slice(-MAX_NAME_REACH))
    : [];
  const text = [...above, line, ...below, ...uses].join('\n');
  const source: TextSource = {
    fileName,
    languageId,
    ...(isTable && { tableHeader: findTableHeader(readTableAbove(document, position.line)) }),
    isAptos: mentionsAptos(document.getText(FILE_HEAD)),
    moveAddresses,
    isKnownSelector,
  };
  const literal = detectAt(text, head.length + position.character, source);
  if (literal === null) {
    const link = languageId === 'markdown' ? findLinkText(line, position.character) : null;
    const named = link === null ? null : detectAt(text, head.length + link.target, source);
    if (link === null || named === null) return null;
    const range = new Range(position.line, link.start, position.line, link.end);
    return { literal: named, range, fileName, isLinkText: true };
  }
  const [start, end] = [literal.start - head.length, literal.end - head.length];
  const isLinkText = /^`?\]\(/.test(line.slice(end, end + 3)) || (line[start - 1] === '>' && line[end] === '<');
  return { literal, range: new Range(position.line, start, position.line, end), fileName, isLinkText };
}

export function detectLiteralAtCursor(): DocumentLiteral | null {
  const editor = window.activeTextEditor;
  return editor === undefined ? null : detectLiteral(editor.document, editor.selection.active);
}

const MAX_SELECTION_LENGTH = 4_096;

/** Literals of 32 bytes in a selection, with what the words around them say. */
export function detectSelectedLiterals({ document, selection }: TextEditor): readonly HexLiteral[] {
  const start = document.offsetAt(selection.start);
  const text = document.getText(selection).slice(0, MAX_SELECTION_LENGTH);
  return [...text.matchAll(/[0-9a-f]{64}/gi)].flatMap(
    ({ index }) => detectLiteral(document, document.positionAt(start + index), {}, detectDigitsAt)?.literal ?? [],
  );
}

/**
 * The explorer page of a literal that the user asked for, on the chain that its text names, else on the chain with id
 * `defaultChainId`.
 */
export function toExplorerTarget(
  { literal, fileName }: DocumentLiteral,
  defaultChainId: number,
): ExplorerTarget | null {
  if (isSecretLiteral(literal, fileName)) return null;
  const chainId = getLiteralChainId(literal) ?? defaultChainId;
  if (literal.kind === 'address' || literal.kind === 'paddedAddress')
    return { chainId, kind: 'address', value: literal.address };
  if (literal.kind === 'blockNumber') return { chainId, kind: 'block', value: String(literal.number) };
  if (literal.kind !== 'hash32') return null;
  return { chainId, kind: 'tx', value: literal.hash };
}
