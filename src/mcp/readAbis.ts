// Reads compiler artifacts and ABI files from folders of the user's disk, within bounds.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AbiRegistry, createAbiRegistry } from '../decode/abiRegistry.ts';
import { parseArtifact } from '../decode/parseArtifact.ts';

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 12;
/** Compiler input and output, caches and packages are no artifacts of the user's contracts. */
const SKIPPED_FOLDER = /^(?:node_modules|build-info|cache|\..*)$/;

async function listFiles(path: string, depth: number, into: string[]): Promise<void> {
  if (depth > MAX_DEPTH) return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (into.length >= MAX_FILES) return;
    const inner = join(path, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDER.test(entry.name)) await listFiles(inner, depth + 1, into);
    else if (entry.isFile() && entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json')) into.push(inner);
  }
}

/** Paths that do not exist are skipped, as are files that hold no ABI. */
export async function readAbis(paths: readonly string[]): Promise<AbiRegistry> {
  const registry = createAbiRegistry();
  for (const path of paths) {
    const stats = await stat(path).catch(() => null);
    const files: string[] = [];
    if (stats?.isDirectory()) await listFiles(path, 0, files).catch(() => undefined);
    else if (stats !== null) files.push(path);
    for (const file of files) {
      const size = await stat(file).then(
        ({ size: bytes }) => bytes,
        () => Number.POSITIVE_INFINITY,
      );
      if (size > MAX_FILE_BYTES) continue;
      const text = await readFile(file, 'utf8').catch(() => '');
      const items = parseArtifact(text, file) ?? [];
      if (items.length > 0) registry.set({ id: file, items });
    }
  }
  return registry;
}
