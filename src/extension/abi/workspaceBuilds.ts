// Which contract of the workspace some code on a chain is; artifacts are read for it at the first request.
import { Uri, workspace } from 'vscode';
import type { Hex } from '../../base/hex.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import { createBuildIndex, toUniqueContract } from '../../decode/buildIndex.ts';
import {
  type BuiltContract,
  countDifferentBytes,
  readBuiltContract,
  withoutMetadata,
} from '../../decode/runtimeCode.ts';
import type { FoundBuild } from '../../view/contractBuild.ts';

export interface WorkspaceBuilds {
  /**
   * The contract whose build the code (with `0x`) is, else one that is almost the same, or that has the name under which
   * the contract is saved; `null` when there is none, or more than one.
   */
  find(code: Hex, savedName: string | null): Promise<FoundBuild | null>;
}

/** A larger share of different bytes is another contract of the same size. */
const MAX_DIFFERENT_SHARE = 0.1;
const MAX_COMPARED = 16;
const MAX_FILE_BYTES = 32 * 1024 * 1024;

async function readArtifact(id: string): Promise<BuiltContract | null> {
  try {
    const uri = Uri.parse(id);
    if ((await workspace.fs.stat(uri)).size > MAX_FILE_BYTES) return null;
    return readBuiltContract(JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(uri))), uri.path);
  } catch {
    return null; // deleted meanwhile, or no JSON
  }
}

/** `versions`: modification time and size of every artifact by its URI, as `workspaceAbis.ts` has read it. */
export function createWorkspaceBuilds(versions: ReadonlyMap<string, string>): WorkspaceBuilds {
  const index = createBuildIndex();
  const indexed = new Map<string, string>();
  const queue = new SerialQueue();

  /** Yields to the event loop between two files, so that the extension host stays responsive. */
  async function update(): Promise<void> {
    for (const id of indexed.keys()) {
      if (versions.has(id)) continue;
      indexed.delete(id);
      index.remove(id);
    }
    for (const [id, version] of versions) {
      if (indexed.get(id) === version) continue;
      const built = await readArtifact(id);
      if (built === null) index.remove(id);
      else index.set(id, built);
      indexed.set(id, version);
      await yieldToEventLoop();
    }
  }

  async function findSimilar(code: string, savedName: string | null): Promise<FoundBuild | null> {
    const size = withoutMetadata(code).length / 2;
    const compared = await Promise.all(
      index
        .getSimilar(code, savedName)
        .slice(0, MAX_COMPARED)
        .map(async build => {
          const built = await readArtifact(build.id);
          return { build, bytes: built === null ? null : countDifferentBytes(code, built) };
        }),
    );
    const toFound = (found: typeof compared, bytes: number | null): FoundBuild | null => {
      const contract = toUniqueContract(found.map(({ build }) => build));
      const builtSize = found[0]?.build.fingerprint.size ?? size;
      return contract === null ? null : { ...contract, difference: { bytes, size, builtSize } };
    };
    const named = compared.filter(({ build }) => build.name === savedName);
    if (named.length > 0) return toFound(named, named[0]?.bytes ?? null);
    const close = compared.filter(({ bytes }) => bytes !== null && bytes <= size * MAX_DIFFERENT_SHARE);
    const least = Math.min(...close.map(({ bytes }) => bytes ?? size));
    return toFound(
      close.filter(({ bytes }) => bytes === least),
      least,
    );
  }

  return {
    async find(code, savedName) {
      const digits = code.slice(2).toLowerCase();
      if (digits === '' || digits.length % 2 !== 0) return null;
      await queue.run(update);
      const match = index.find(digits);
      return match === null ? findSimilar(digits, savedName) : { ...match, difference: null };
    },
  };
}
