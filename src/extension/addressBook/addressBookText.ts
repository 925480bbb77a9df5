// Reads and writes the text of a committed address book, through the editor where it has unsaved changes.
import { FileSystemError, l10n, Range, type TextDocument, Uri, WorkspaceEdit, workspace } from 'vscode';
import {
  BOOK_FILE_PATH,
  type BookFile,
  createUnreadableBookFile,
  MAX_BOOK_FILE_LENGTH,
} from '../../addressBook/bookFile.ts';
import { HexLensError } from '../../base/errors.ts';
import { diffText } from '../../base/textDiff.ts';
import { hasOpenTab } from '../editor/hasOpenTab.ts';

export interface AddressBookText {
  readonly text: string;
  readonly exists: boolean;
  /** The file starts with a byte order mark, which is not part of `text` and is preserved. */
  readonly hasBom: boolean;
  /** Replaces the parsed file when its text could not be read. */
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
export const MISSING_FILE: AddressBookText = { text: '', exists: false, hasBom: false, problem: null };
const createFailedText = (message: string): AddressBookText => ({
  text: '',
  exists: true,
  hasBom: false,
  problem: createUnreadableBookFile(message),
});

const isMissing = (error: unknown) => error instanceof FileSystemError && error.code === 'FileNotFound';

/** Never rejects: a file that cannot be read has a `problem`. */
export async function readAddressBookText(uri: Uri): Promise<AddressBookText> {
  // A document without unsaved changes may be older than the file, because VS Code keeps it after its editor is closed.
  const document = findOpenDocument(uri);
  if (document?.isDirty) return { text: document.getText(), exists: true, hasBom: false, problem: null };
  try {
    const { size } = await workspace.fs.stat(uri);
    if (size > 4 * MAX_BOOK_FILE_LENGTH) return createFailedText(l10n.t('The file is too large to be read.'));
    const bytes = await workspace.fs.readFile(uri);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const bom = text.startsWith(BOM);
    return { text: bom ? text.slice(1) : text, exists: true, hasBom: bom, problem: null };
  } catch (error) {
    if (isMissing(error)) return MISSING_FILE;
    if (error instanceof TypeError) return createFailedText(l10n.t('The file is not UTF-8 text.'));
    return createFailedText(l10n.t('The file could not be read.'));
  }
}

/** Edits the open document, so that undo works there; saves it unless it had unsaved changes. */
async function writeDocument(document: TextDocument, after: string): Promise<void> {
  const saveAfterwards = !document.isDirty;
  const { start, end, content } = diffText(document.getText(), after);
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(document.positionAt(start), document.positionAt(end)), content);
  const written = (await workspace.applyEdit(edit)) && (!saveAfterwards || (await document.save()));
  if (!written) throw new HexLensError('bad-input', l10n.t('{0} could not be written.', BOOK_FILE_PATH));
}

/** Replaces `before` by `after`. Rejects with `bad-input` when the file has changed since `before` was read. */
export async function writeAddressBookText(uri: Uri, before: AddressBookText, after: string): Promise<void> {
  const document = findOpenDocument(uri);
  const now = await readAddressBookText(uri);
  if (now.text !== before.text || now.problem !== null)
    throw new HexLensError('bad-input', l10n.t('{0} was changed by another program. Try again.', BOOK_FILE_PATH));
  // VS Code reads a document without a tab again at some later time: until then it would refuse to save over a newer file.
  const isInUse = document !== undefined && (document.isDirty || hasOpenTab(uri));
  if (isInUse && document.getText() === now.text && now.exists) return writeDocument(document, after);
  try {
    await workspace.fs.writeFile(uri, new TextEncoder().encode(now.hasBom ? BOM + after : after));
  } catch (error) {
    throw new HexLensError('bad-input', l10n.t('{0} could not be written.', BOOK_FILE_PATH), {
      details: String(error),
      fix: l10n.t('Check that the folder is not read-only.'),
      cause: error,
    });
  }
}
