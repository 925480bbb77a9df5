// Reads compiler artifacts and ABI files from folders of the user's disk, within bounds.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AbiRegistry, createAbiRegistry } from '../decode/abiRegistry.ts';
import { isArtifactPath, MAX_ARTIFACT_BYTES, MAX_ARTIFACTS, parseArtifactBytes } from '../decode/artifactFiles.ts';

const MAX_DEPTH = 12;

/** Files that may be artifacts, below a folder. */
export async function listFiles(path: string, depth: number, into: string[]): Promise<void> {
  if (depth > MAX_DEPTH) return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (into.length >= MAX_ARTIFACTS) return;
    if (entry.name.startsWith('.') || !isArtifactPath(entry.name)) continue;
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await listFiles(inner, depth + 1, into);
    else if (entry.isFile() && entry.name.endsWith('.json')) into.push(inner);
  }
}

interface AbiPath {
  /** The contract that the ABI is of; `null` for a file or folder of ABIs. */
  readonly address: string | null;
  readonly path: string;
}

/** `0xADDRESS=FILE`: the ABI of one contract. `null` when what is before `=` is not a whole address. */
export function parseAbiPath(text: string): AbiPath | null {
  const [, address, path] = /^(0x[0-9a-fA-F]{40})=(.+)$/.exec(text) ?? [];
  if (address !== undefined && path !== undefined) return { address: address.toLowerCase(), path };
  return /^(0x[^=/\\]*|[0-9a-fA-F]{40})=/i.test(text) ? null : { address: null, path: text };
}

/** Paths that do not exist are skipped, such as the folder of a project that was not built, and files that hold no ABI. */
export async function readAbis(paths: readonly string[]): Promise<AbiRegistry> {
  const registry = createAbiRegistry();
  for (const text of paths) {
    const { address, path } = parseAbiPath(text) ?? { address: null, path: text };
    const only = address === null ? {} : { contracts: [{ address, chains: [] }] };
    const stats = await stat(path).catch(() => null);
    const files: string[] = [];
    if (stats?.isDirectory()) await listFiles(path, 0, files).catch(() => undefined);
    else if (stats !== null) files.push(path);
    for (const file of files) {
      const size = await stat(file).then(
        ({ size: bytes }) => bytes,
        () => Number.POSITIVE_INFINITY,
      );
      if (size > MAX_ARTIFACT_BYTES) continue;
      const bytes = await readFile(file).catch(() => new Uint8Array());
      const items = parseArtifactBytes(bytes, file);
      if (items.length > 0) registry.set({ id: address === null ? file : `${address}=${file}`, items, ...only });
    }
  }
  return registry;
}
