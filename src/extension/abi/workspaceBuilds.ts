// Which contract of the workspace some code on a chain is; artifacts are read for it at the first request.
import { Uri, workspace } from 'vscode';
import type { Hex } from '../../base/hex.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import type { ArtifactOrigin } from '../../decode/artifactOrigin.ts';
import { type BuildMatch, createBuildIndex, type IndexedBuild, toUniqueContract } from '../../decode/buildIndex.ts';
import { findCreationBlock } from '../../decode/ignitionJournal.ts';
import {
  type BuiltContract,
  countDifferentBytes,
  readBuiltContract,
  withoutMetadata,
} from '../../decode/runtimeCode.ts';
import type { BuildCopy, FoundBuild } from '../../view/contractBuild.ts';

/** The artifacts that have been read. */
export interface ArtifactFiles {
  /** Modification time and size of every artifact by its URI. */
  readonly versions: ReadonlyMap<string, string>;
  getOrigin(artifact: Uri): ArtifactOrigin;
}

/** A larger share of different bytes is another contract of the same size. */
const MAX_DIFFERENT_SHARE = 0.1;
const MAX_COMPARED = 16;
const MAX_FILE_BYTES = 32 * 1024 * 1024;

interface ComparedBuild {
  readonly build: IndexedBuild;
  /** Bytes that differ; `null` when the sizes do, or the artifact cannot be read. */
  readonly bytes: number | null;
}

export class WorkspaceBuilds {
  readonly #files: ArtifactFiles;
  readonly #index = createBuildIndex();
  /** Version and origin of each artifact when it was added to the index. */
  readonly #indexed = new Map<string, string>();
  readonly #queue = new SerialQueue();

  constructor(files: ArtifactFiles) {
    this.#files = files;
  }

  /**
   * The contract whose code this is (with `0x`): of the project's own build, else of a copy, else of a build that is almost
   * the same, or has the name under which the contract is saved; `null` when there is none, or more than one.
   */
  async find(code: Hex, savedName: string | null): Promise<FoundBuild | null> {
    const digits = code.slice(2).toLowerCase();
    if (digits === '' || digits.length % 2 !== 0) return null;
    await this.#queue.run(() => this.#update());
    const match = this.#index.find(digits);
    if (match === null) return this.#findSimilar(digits, savedName);
    const { name, source, ids } = match;
    return { name, source, ids, difference: null, copy: this.#toCopy(match) };
  }

  /** The block in which the tool that keeps the copy created the contract; `null` where its record does not have it. */
  async findCreationBlock({ copy, ids }: FoundBuild, address: Hex): Promise<number | null> {
    if (copy?.tool !== 'Ignition') return null;
    try {
      const journal = Uri.joinPath(Uri.parse(ids[0] ?? ''), '..', '..', 'journal.jsonl');
      if ((await workspace.fs.stat(journal)).size > MAX_FILE_BYTES) return null;
      return findCreationBlock(new TextDecoder().decode(await workspace.fs.readFile(journal)), address);
    } catch {
      return null; // there is no journal
    }
  }

  /** Yields to the event loop between two files, so that the extension host stays responsive. */
  async #update(): Promise<void> {
    const { versions } = this.#files;
    for (const id of this.#indexed.keys()) {
      if (versions.has(id)) continue;
      this.#indexed.delete(id);
      this.#index.remove(id);
    }
    for (const [id, version] of versions) {
      const uri = Uri.parse(id);
      const origin = this.#files.getOrigin(uri);
      const state = `${version} ${JSON.stringify(origin)}`;
      if (this.#indexed.get(id) === state) continue;
      const built = await readArtifact(uri);
      if (built === null) this.#index.remove(id);
      else this.#index.set(id, built, origin);
      this.#indexed.set(id, state);
      await yieldToEventLoop();
    }
  }

  #toCopy(match: BuildMatch): BuildCopy | null {
    const { origin, ids } = match;
    if (origin.kind === 'build') return null;
    return {
      tool: origin.kind === 'deployment' ? origin.tool : null,
      path: workspace.asRelativePath(Uri.parse(ids[0] ?? ''), false),
      deployedAt: null,
      ownIds: this.#index.getBuilds(match).map(({ id }) => id),
    };
  }

  async #findSimilar(code: string, savedName: string | null): Promise<FoundBuild | null> {
    const size = withoutMetadata(code).length / 2;
    const compared = await Promise.all(
      this.#index
        .getSimilar(code, savedName)
        .slice(0, MAX_COMPARED)
        .map(async (build): Promise<ComparedBuild> => {
          const built = await readArtifact(Uri.parse(build.id));
          return { build, bytes: built === null ? null : countDifferentBytes(code, built) };
        }),
    );
    const named = compared.filter(({ build }) => build.name === savedName);
    if (named.length > 0) return toDifferentBuild(named, named[0]?.bytes ?? null, size);
    const close = compared.filter(({ bytes }) => bytes !== null && bytes <= size * MAX_DIFFERENT_SHARE);
    const least = Math.min(...close.map(({ bytes }) => bytes ?? size));
    return toDifferentBuild(
      close.filter(({ bytes }) => bytes === least),
      least,
      size,
    );
  }
}

function toDifferentBuild(found: readonly ComparedBuild[], bytes: number | null, size: number): FoundBuild | null {
  const contract = toUniqueContract(found.map(({ build }) => build));
  if (contract === null) return null;
  const { name, source, ids } = contract;
  const builtSize = found[0]?.build.fingerprint.size ?? size;
  return { name, source, ids, difference: { bytes, size, builtSize }, copy: null };
}

async function readArtifact(uri: Uri): Promise<BuiltContract | null> {
  try {
    if ((await workspace.fs.stat(uri)).size > MAX_FILE_BYTES) return null;
    return readBuiltContract(JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(uri))), uri.path);
  } catch {
    return null; // deleted meanwhile, or no JSON
  }
}
