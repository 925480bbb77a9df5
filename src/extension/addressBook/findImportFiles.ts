// Finds files of the workspace that deployment tools have written, and others that can be imported into the address book.
import { FileType, RelativePattern, Uri, workspace } from 'vscode';
import {
  detectImportSource,
  type ImportSource,
  importPatterns,
  isImportCandidate,
} from '../../addressBook/importFile.ts';
import { detectRecordTool, RECORD_FILES } from '../../addressBook/recordedHashes.ts';

/** Files that are listed for each source of addresses. */
const MAX_FILES = 500;
/** Folders that are listed one by one where the file system has no search. */
const MAX_FOLDERS = 500;

/** Packages and output of compilers, where no list of addresses is. */
const SKIPPED_FOLDERS = ['node_modules', 'out', 'artifacts', 'cache', 'build', 'dist', 'coverage'];

/** Folders of an extension, as in a browser, may have no search: then a search never ends. */
const hasSearch = ({ scheme }: Uri) => scheme === 'file' || scheme === 'vscode-remote';

const isSkipped = (name: string) => name.startsWith('.') || SKIPPED_FOLDERS.includes(name);

/** All files below a folder, nearest first. */
async function listFiles(folder: Uri): Promise<readonly Uri[]> {
  const files: Uri[] = [];
  const folders = [folder];
  // Grows while it is read.
  for (const parent of folders) {
    const children = await workspace.fs.readDirectory(parent).then(undefined, () => []);
    for (const [name, type] of children) {
      const uri = Uri.joinPath(parent, name);
      if (type === FileType.File) files.push(uri);
      else if (type === FileType.Directory && !isSkipped(name) && folders.length < MAX_FOLDERS) folders.push(uri);
    }
  }
  return files;
}

const search = (folder: Uri, pattern: string, skipped: readonly string[], maxFiles: number): Thenable<Uri[]> =>
  workspace.findFiles(new RelativePattern(folder, pattern), `**/{${skipped.join()}}/**`, maxFiles);

async function searchFolder(folder: Uri, sources: readonly ImportSource[]): Promise<readonly Uri[]> {
  if (!hasSearch(folder)) return listFiles(folder);
  const lists = await Promise.all(
    sources.map(source => {
      const skipped = source === 'csv' || source === 'json' ? [...SKIPPED_FOLDERS, '.*'] : ['node_modules', '.git'];
      return search(folder, importPatterns[source], skipped, MAX_FILES);
    }),
  );
  return lists.flat();
}

/** By source, in the order of `sources`; in each of them by path. `folder` is that of a search, else the whole workspace. */
export async function findImportFiles<const S extends ImportSource>(
  sources: readonly S[],
  folder?: Uri,
): Promise<readonly { readonly source: S; readonly uris: readonly Uri[] }[]> {
  const folders = folder === undefined ? (workspace.workspaceFolders ?? []).map(({ uri }) => uri) : [folder];
  const found = (await Promise.all(folders.map(root => searchFolder(root, sources)))).flat();
  // A search for one source may find files of another one.
  const unique = [...new Map(found.map(uri => [uri.toString(), uri])).values()];
  const candidates = unique
    .filter(({ path }) => isImportCandidate(path))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
  return sources.map(source => ({
    source,
    uris: candidates.filter(({ path }) => detectImportSource(path) === source).slice(0, MAX_FILES),
  }));
}

const isLatest = ({ path }: Uri): boolean => /-latest(?:\.json$|\/)/.test(path);

/** Files in which tools record transactions: the latest runs first, then newer ones before older ones. */
export async function findRecordFiles(maxFiles: number): Promise<readonly Uri[]> {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const skipped = ['node_modules', '.git', 'lib', 'dry-run', 'solcInputs'];
  const found = await Promise.all(
    folders.map(root => (hasSearch(root) ? search(root, RECORD_FILES, skipped, maxFiles) : listFiles(root))),
  );
  return [...new Map(found.flat().map(uri => [uri.toString(), uri])).values()]
    .filter(uri => detectRecordTool(workspace.asRelativePath(uri)) !== null)
    .sort((left, right) => Number(isLatest(right)) - Number(isLatest(left)) || (left.path < right.path ? 1 : -1))
    .slice(0, maxFiles);
}
