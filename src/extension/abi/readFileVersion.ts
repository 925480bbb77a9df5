// The version of an ABI file that an address book names.
import { FileType, Uri, workspace } from 'vscode';
import { MAX_ARTIFACT_BYTES } from '../../decode/artifactFiles.ts';

/** Modification time and size; rejects for a file that a symbolic link leads to, which may be anywhere, and a huge one. */
export async function readFileVersion(folder: Uri, path: string): Promise<string> {
  let uri = folder;
  let version = '';
  for (const name of path.split('/')) {
    uri = Uri.joinPath(uri, name);
    const { type, mtime, size } = await workspace.fs.stat(uri);
    if ((type & FileType.SymbolicLink) !== 0) throw new Error(`${uri.path} is a symbolic link`);
    if (size > MAX_ARTIFACT_BYTES) throw new Error(`${uri.path} is too large for an ABI`);
    version = `${mtime} ${size}`;
  }
  return version;
}
