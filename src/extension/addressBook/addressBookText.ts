// The text of a committed address book: from the editor where it is open, else from the file; written back the same way.
import { FileSystemError, l10n, Range, type TextDocument, Uri, WorkspaceEdit, workspace } from 'vscode';
import {
  BOOK_FILE_PATH,
  type BookFile,
  createUnreadableBookFile,
  MAX_BOOK_FILE_LENGTH,
} from '../../addressBook/bookFile.ts';
import { HexLensError } from '../../base/errors.ts';
import { diffText } from '../../base/textDiff.ts';

export interface AddressBookText {
  readonly text: string;
  readonly exists: boolean;
  /** The file starts with a byte order mark, which is no part of `text` and is kept. */
  readonly hasBom: boolean;
  /** What stands for the file when its text could not be had. */
  readonly problem: BookFile | null;
}

export function getAddressBookUri(folder: Uri): Uri {
  return Uri.joinPath(folder, ...BOOK_FILE_PATH.split('/'));
}

export function findOpenDocument(uri: Uri): TextDocument | undefined {
  const wanted = uri.toString();
  return workspace.textDocuments.find(document => !document.isClosed && document.uri.toString() === wanted);
}

const BOM = '\ufeff';
/** There is no such file. */
export const MISSING_FILE: AddressBookText = { text: '', exists: false, hasBom: false, problem: null };
const failed = (message: string): AddressBookText => ({
  text: '',
  exists: true,
  hasBom: false,
  problem: createUnreadableBookFile(message),
});

const isMissing = (error: unknown) => error instanceof FileSystemError && error.code === 'FileNotFound';

/** Rejects only where the file system itself fails in a way that is not about this file. */
export async function readAddressBookText(uri: Uri): Promise<AddressBookText> {
  // Without changes of its own a document may be older than the file: it lives on after its editor.
  const document = findOpenDocument(uri);
  if (document?.isDirty) return { text: document.getText(), exists: true, hasBom: false, problem: null };
  try {
    const { size } = await workspace.fs.stat(uri);
    if (size > 4 * MAX_BOOK_FILE_LENGTH) return failed(l10n.t('The file is too large to be read.'));
    const bytes = await workspace.fs.readFile(uri);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const bom = text.startsWith(BOM);
    return { text: bom ? text.slice(1) : text, exists: true, hasBom: bom, problem: null };
  } catch (error) {
    if (isMissing(error)) return MISSING_FILE;
    if (error instanceof TypeError) return failed(l10n.t('The file is not UTF-8 text.'));
    return failed(l10n.t('The file could not be read.'));
  }
}

/** In the editor where the file is open, so that undo works there; saved unless somebody is in the middle of changing it. */
async function writeDocument(document: TextDocument, after: string): Promise<void> {
  const mine = !document.isDirty;
  const { start, end, content } = diffText(document.getText(), after);
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(document.positionAt(start), document.positionAt(end)), content);
  const written = (await workspace.applyEdit(edit)) && (!mine || (await document.save()));
  if (!written) throw new HexLensError('bad-input', l10n.t('{0} could not be written.', BOOK_FILE_PATH));
}

/** Writes `after` where `before` was read. Rejects with `bad-input` when something else was written in between. */
export async function writeAddressBookText(uri: Uri, before: AddressBookText, after: string): Promise<void> {
  const document = findOpenDocument(uri);
  const now = await readAddressBookText(uri);
  if (now.text !== before.text || now.problem !== null)
    throw new HexLensError('bad-input', l10n.t('{0} was changed by another program. Try again.', BOOK_FILE_PATH));
  if (document?.getText() === now.text && now.exists) return writeDocument(document, after);
  try {
    await workspace.fs.writeFile(uri, new TextEncoder().encode(now.hasBom ? BOM + after : after));
  } catch (error) {
    throw new HexLensError('bad-input', l10n.t('{0} could not be written.', BOOK_FILE_PATH), {
      details: String(error),
      fix: l10n.t('Is the folder read-only?'),
      cause: error,
    });
  }
}
