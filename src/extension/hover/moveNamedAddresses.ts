// Named addresses of the Move package that a file belongs to: those of the nearest Move.toml above it, inside the workspace.
import { type TextDocument, Uri, workspace } from 'vscode';
import type { Hex } from '../../base/hex.ts';
import { readMoveNames } from '../../detect/aptos/moveToml.ts';

export type MoveNames = ReadonlyMap<string, Hex | null>;

export interface MoveNameSource {
  /** `null` for a file outside of the workspace, or without a Move.toml above it. Never rejects. */
  of(document: TextDocument): Promise<MoveNames | null>;
}

/** A manifest beyond this is no manifest. */
const MOST_BYTES = 256 * 1024;
const MOST_FOLDERS = 12;
const MOST_FILES = 50;

const upOf = (uri: Uri): Uri => Uri.joinPath(uri, '..');

/** Remembers what it read until the file changes. */
export function createMoveNames(): MoveNameSource {
  const known = new Map<string, { readonly mtime: number; readonly names: MoveNames }>();

  const read = async (uri: Uri): Promise<MoveNames | null> => {
    const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
    if (open !== undefined) return readMoveNames(open.getText().slice(0, MOST_BYTES)); // as it is, saved or not
    try {
      const { mtime, size } = await workspace.fs.stat(uri);
      if (size > MOST_BYTES) return null;
      const before = known.get(uri.toString());
      if (before?.mtime === mtime) return before.names;
      const names = readMoveNames(new TextDecoder().decode(await workspace.fs.readFile(uri)));
      if (known.size >= MOST_FILES) known.clear();
      known.set(uri.toString(), { mtime, names });
      return names;
    } catch {
      return null; // there is none
    }
  };

  return {
    async of(document) {
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
