// The text of a committed address book: from the editor where it is open, else from the file; written back the same way.
import { FileSystemError, l10n, Range, type TextDocument, Uri, WorkspaceEdit, workspace } from 'vscode';
import { BOOK_FILE, type BookFile, MAX_FILE, unreadable } from '../../addressBook/bookFile.ts';
import { HexLensError } from '../../base/errors.ts';
import { textChange } from '../../base/textDiff.ts';

export interface BookText {
  readonly text: string;
  readonly exists: boolean;
  /** The file starts with a byte order mark, which is no part of `text` and is kept. */
  readonly bom: boolean;
  /** What stands for the file when its text could not be had. */
  readonly problem: BookFile | null;
}

export function bookUri(folder: Uri): Uri {
  return Uri.joinPath(folder, ...BOOK_FILE.split('/'));
}

export function openDocument(uri: Uri): TextDocument | undefined {
  const wanted = uri.toString();
  return workspace.textDocuments.find(document => !document.isClosed && document.uri.toString() === wanted);
}

const BOM = '\ufeff';
/** There is no such file. */
export const noText: BookText = { text: '', exists: false, bom: false, problem: null };
const failed = (message: string): BookText => ({ text: '', exists: true, bom: false, problem: unreadable(message) });

const isMissing = (error: unknown) => error instanceof FileSystemError && error.code === 'FileNotFound';

/** Rejects only where the file system itself fails in a way that is not about this file. */
export async function readBookText(uri: Uri): Promise<BookText> {
  // Without changes of its own a document may be older than the file: it lives on after its editor.
  const document = openDocument(uri);
  if (document?.isDirty) return { text: document.getText(), exists: true, bom: false, problem: null };
  try {
    const { size } = await workspace.fs.stat(uri);
    if (size > 4 * MAX_FILE) return failed(l10n.t('The file is too large to be read.'));
    const bytes = await workspace.fs.readFile(uri);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const bom = text.startsWith(BOM);
    return { text: bom ? text.slice(1) : text, exists: true, bom, problem: null };
  } catch (error) {
    if (isMissing(error)) return noText;
    if (error instanceof TypeError) return failed(l10n.t('The file is not UTF-8 text.'));
    return failed(l10n.t('The file could not be read.'));
  }
}

/** In the editor where the file is open, so that undo works there; saved unless somebody is in the middle of changing it. */
async function writeDocument(document: TextDocument, after: string): Promise<void> {
  const mine = !document.isDirty;
  const { start, end, content } = textChange(document.getText(), after);
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(document.positionAt(start), document.positionAt(end)), content);
  const written = (await workspace.applyEdit(edit)) && (!mine || (await document.save()));
  if (!written) throw new HexLensError('bad-input', l10n.t('{0} could not be written.', BOOK_FILE));
}

/** Writes `after` where `before` was read. Rejects with `bad-input` when something else was written in between. */
export async function writeBookText(uri: Uri, before: BookText, after: string): Promise<void> {
  const document = openDocument(uri);
  const now = await readBookText(uri);
  if (now.text !== before.text || now.problem !== null)
    throw new HexLensError('bad-input', l10n.t('{0} was changed by another program. Try again.', BOOK_FILE));
  if (document?.getText() === now.text && now.exists) return writeDocument(document, after);
  try {
    await workspace.fs.writeFile(uri, new TextEncoder().encode(now.bom ? BOM + after : after));
  } catch (error) {
    throw new HexLensError('bad-input', l10n.t('{0} could not be written.', BOOK_FILE), {
      details: String(error),
      fix: l10n.t('Is the folder read-only?'),
      cause: error,
    });
  }
}
