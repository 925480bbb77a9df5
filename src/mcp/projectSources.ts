// The builds of a project folder on this disk, for lines of Solidity.
import { readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { AbiRegistry } from '../decode/abiRegistry.ts';
import { readEnums } from '../decode/source/readEnums.ts';
import { type SideBuilds, toSidePath } from '../decode/source/sideBuild.ts';
import type { ProjectFiles } from '../decode/source/sourceBuild.ts';
import { SourceBuilds } from '../decode/source/sourceBuilds.ts';
import { listFiles, parseAbiPath } from './readAbis.ts';

/** Build infos have up to some hundred megabytes. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** Files below `folder`. */
const createProjectFiles = (folder: string): ProjectFiles => ({
  async read(path) {
    try {
      const file = join(folder, path);
      const stats = await stat(file);
      return stats.isFile() && stats.size <= MAX_FILE_BYTES ? await readFile(file) : null;
    } catch {
      return null;
    }
  },
});

/** Builds of a folder with a Foundry or Hardhat project in it, or several; its artifacts are listed again by each `load`. */
export class ProjectSources {
  readonly #folder: string;
  readonly #files: ProjectFiles;
  readonly #builds: SourceBuilds;

  /** `sideFolder`: of a side build of the project. */
  constructor(folder: string, sideFolder: string | null = null) {
    this.#folder = folder;
    this.#files = createProjectFiles(folder);
    const side: SideBuilds | null =
      sideFolder === null
        ? null
        : { files: createProjectFiles(sideFolder), list: artifact => [toSidePath('', artifact)] };
    this.#builds = new SourceBuilds(this.#files, side);
  }

  /** Adds the members of enums to ABIs that were read of files; those of other folders have none. Never rejects. */
  async addEnums(registry: AbiRegistry): Promise<void> {
    for (const id of registry.idsWithoutEnums()) {
      const file = parseAbiPath(id)?.path ?? id;
      const path = relative(this.#folder, resolve(file)).split(sep).join('/');
      registry.setEnums(id, path.startsWith('../') ? new Map() : await readEnums(this.#files, path));
    }
  }

  /** Never rejects: a folder that cannot be read has no builds. */
  async load(): Promise<SourceBuilds> {
    const files: string[] = [];
    await listFiles(this.#folder, 0, files).catch(() => undefined);
    const versions = new Map<string, string>();
    for (const file of files) {
      const stats = await stat(file).catch(() => null);
      if (stats === null) continue;
      versions.set(relative(this.#folder, file).split(sep).join('/'), `${stats.mtimeMs} ${stats.size}`);
    }
    await this.#builds.update(versions);
    this.#builds.handleSourceChange(); // nothing watches them
    return this.#builds;
  }
}
