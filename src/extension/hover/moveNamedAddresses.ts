// Named addresses of the Move package that a file belongs to: those of the nearest Move.toml above it, inside the workspace.
import { type TextDocument, Uri, workspace } from 'vscode';
import type { Hex } from '../../base/hex.ts';
import { parseMoveToml } from '../../detect/aptos/moveAddresses.ts';

export type MoveNamedAddresses = ReadonlyMap<string, Hex | null>;

export interface MoveNamedAddressReader {
  /** `null` for a file outside of the workspace, or without a Move.toml above it. Never rejects. */
  read(document: TextDocument): Promise<MoveNamedAddresses | null>;
}

/** A manifest beyond this is no manifest. */
const MOST_BYTES = 256 * 1024;
const MOST_FOLDERS = 12;
const MOST_FILES = 50;

const upOf = (uri: Uri): Uri => Uri.joinPath(uri, '..');

/** Remembers what it read until the file changes. */
export function createMoveNamedAddressReader(): MoveNamedAddressReader {
  const known = new Map<string, { readonly mtime: number; readonly names: MoveNamedAddresses }>();

  const read = async (uri: Uri): Promise<MoveNamedAddresses | null> => {
    const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
    if (open !== undefined) return parseMoveToml(open.getText().slice(0, MOST_BYTES)); // as it is, saved or not
    try {
      const { mtime, size } = await workspace.fs.stat(uri);
      if (size > MOST_BYTES) return null;
      const before = known.get(uri.toString());
      if (before?.mtime === mtime) return before.names;
      const names = parseMoveToml(new TextDecoder().decode(await workspace.fs.readFile(uri)));
      if (known.size >= MOST_FILES) known.clear();
      known.set(uri.toString(), { mtime, names });
      return names;
    } catch {
      return null; // there is none
    }
  };

  return {
    async read(document) {
      const root = workspace.getWorkspaceFolder(document.uri)?.uri;
      if (root === undefined) return null;
      let folder = upOf(document.uri);
      for (let count = 0; count < MOST_FOLDERS; count++) {
        const names = await read(Uri.joinPath(folder, 'Move.toml'));
        if (names !== null) return names;
        if (folder.path === root.path || folder.path.length <= 1) return null;
        folder = upOf(folder);
      }
      return null;
    },
  };
}
