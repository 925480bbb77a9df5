// Finds the source of a contract of the workspace: only files that exist below a folder of the workspace.
import { Location, Position, RelativePattern, Uri, workspace } from 'vscode';
import type { FoundBuild } from '../../view/contractBuild.ts';

const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

async function readText(uri: Uri): Promise<string | null> {
  try {
    if ((await workspace.fs.stat(uri)).size > MAX_SOURCE_BYTES) return null;
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return null; // there is no such file
  }
}

/** Where the contract is declared; the start of the file where it is not found. */
function findDeclaration(text: string, name: string): Position {
  const lines = text.split('\n');
  const declaration = /^\s*(?:abstract\s+)?(?:contract|library)\s+([\w$]+)/;
  const line = lines.findIndex(one => declaration.exec(one.slice(0, 300))?.[1] === name);
  return line < 0 ? new Position(0, 0) : new Position(line, lines[line]?.indexOf(name) ?? 0);
}

/** Candidates from the artifact's folder up to the folder of the workspace: a project may be anywhere in it. */
function getCandidates(artifact: Uri, source: string): readonly Uri[] {
  const root = workspace.getWorkspaceFolder(artifact)?.uri;
  if (root === undefined) return [];
  const candidates: Uri[] = [];
  for (let folder = Uri.joinPath(artifact, '..'); ; folder = Uri.joinPath(folder, '..')) {
    candidates.unshift(Uri.joinPath(folder, source));
    if (folder.path.length <= root.path.length) return candidates.filter(({ path }) => path.startsWith(root.path));
  }
}

/** `null` when the file is not in the workspace. */
export async function findSource({ ids, source, name }: FoundBuild): Promise<Location | null> {
  for (const artifact of ids.map(id => Uri.parse(id))) {
    // `out/Vault.sol/Vault.json` is of a file `Vault.sol`.
    const file = artifact.path.split('/').at(-2) ?? '';
    const folder = workspace.getWorkspaceFolder(artifact);
    const byName =
      source === null && folder !== undefined && /^[\w.-]+\.(?:sol|vy)$/.test(file)
        ? await workspace.findFiles(new RelativePattern(folder, `**/${file}`), '**/{node_modules,out,artifacts}/**', 2)
        : [];
    const candidates = source === null ? (byName.length === 1 ? byName : []) : getCandidates(artifact, source);
    for (const uri of candidates) {
      const text = await readText(uri);
      if (text !== null) return new Location(uri, findDeclaration(text, name));
    }
  }
  return null;
}
