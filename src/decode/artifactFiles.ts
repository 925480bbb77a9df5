// Which files are compiler artifacts of the user's own contracts, and how much is read: for the editor and the MCP server.
import type { AbiItem } from './abiItem.ts';
import { parseArtifact } from './parseArtifact.ts';

/** Packages, compiler input and output, and caches. */
const SKIPPED_FOLDERS: readonly string[] = ['node_modules', 'build-info', 'cache', '.git'];

export const SKIPPED_FOLDERS_GLOB = `**/{${SKIPPED_FOLDERS.join()}}/**`;

/** Files that are read of one workspace, or of one path that the command line names. */
export const MAX_ARTIFACTS = 20_000;
export const MAX_ARTIFACT_BYTES = 32 * 1024 * 1024;
/** The ABI comes first in an artifact: usually the bytecode after it need not be decoded. */
const HEAD_BYTES = 256 * 1024;

/** `path` begins at the folder that is searched. Hardhat writes a debug file beside each artifact. */
export const isArtifactPath = (path: string): boolean =>
  !path.endsWith('.dbg.json') && !path.split(/[/\\]/).some(name => SKIPPED_FOLDERS.includes(name));

/** Empty for a file without an ABI. `path` names the contract where the file does not. */
export function parseArtifactBytes(bytes: Uint8Array, path: string): readonly AbiItem[] {
  const decode = (end?: number) => new TextDecoder().decode(bytes.subarray(0, end));
  return parseArtifact(decode(HEAD_BYTES), path) ?? parseArtifact(decode(), path) ?? [];
}
