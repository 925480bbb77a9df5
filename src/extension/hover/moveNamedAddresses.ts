// Named addresses of a file's Move package, from the nearest Move.toml above it in the workspace.
import { type TextDocument, Uri, workspace } from 'vscode';
import type { Hex } from '../../base/hex.ts';
import { parseMoveToml } from '../../detect/aptos/moveAddresses.ts';

export type MoveNamedAddresses = ReadonlyMap<string, Hex | null>;

const MAX_FILE_BYTES = 256 * 1024;
const MAX_FOLDERS_UP = 12;
const MAX_CACHED_FILES = 50;

const getParent = (uri: Uri): Uri => Uri.joinPath(uri, '..');

/** Caches each file until it changes. */
export function createMoveNamedAddressReader() {
  const cache = new Map<string, { readonly mtime: number; readonly names: MoveNamedAddresses }>();

  const read = async (uri: Uri): Promise<MoveNamedAddresses | null> => {
    const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
    if (open !== undefined) return parseMoveToml(open.getText().slice(0, MAX_FILE_BYTES)); // with unsaved changes
    try {
      const { mtime, size } = await workspace.fs.stat(uri);
      if (size > MAX_FILE_BYTES) return null;
      const cached = cache.get(uri.toString());
      if (cached?.mtime === mtime) return cached.names;
      const names = parseMoveToml(new TextDecoder().decode(await workspace.fs.readFile(uri)));
      if (cache.size >= MAX_CACHED_FILES) cache.clear();
      cache.set(uri.toString(), { mtime, names });
      return names;
    } catch {
      return null; // no such file
    }
  };

  return {
    /** `null` for a file outside the workspace or without a Move.toml above it. Never rejects. */
    async read(document: TextDocument): Promise<MoveNamedAddresses | null> {
      const root = workspace.getWorkspaceFolder(document.uri)?.uri;
      if (root === undefined) return null;
      let folder = getParent(document.uri);
      for (let count = 0; count < MAX_FOLDERS_UP; count++) {
        const names = await read(Uri.joinPath(folder, 'Move.toml'));
        if (names !== null) return names;
        if (folder.path === root.path || folder.path.length <= 1) return null;
        folder = getParent(folder);
      }
      return null;
    },
  };
}
