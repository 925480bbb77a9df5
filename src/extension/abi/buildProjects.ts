// The configuration files of Hardhat and Foundry in the workspace: where their compilers write to.
import { type Uri, workspace } from 'vscode';
import {
  type ArtifactOrigin,
  type BuildProject,
  getArtifactOrigin,
  NO_PROJECT_FILES_GLOB,
  PROJECT_FILES_GLOB,
  parseBuildProject,
} from '../../decode/artifactOrigin.ts';

const MAX_FILES = 50;

export class BuildProjects {
  #projects: readonly BuildProject[] = [];

  /** Reads the files again, and resolves with whether one of them names another folder. */
  async read(): Promise<boolean> {
    const uris = await workspace.findFiles(PROJECT_FILES_GLOB, NO_PROJECT_FILES_GLOB, MAX_FILES);
    const projects = await Promise.all(uris.map(readProject));
    const earlier = JSON.stringify(this.#projects);
    this.#projects = projects.flatMap(project => project ?? []);
    return JSON.stringify(this.#projects) !== earlier;
  }

  getOrigin(artifact: Uri): ArtifactOrigin {
    return getArtifactOrigin(artifact.path, this.#projects);
  }
}

async function readProject(uri: Uri): Promise<BuildProject | null> {
  try {
    return parseBuildProject(uri.path, new TextDecoder().decode(await workspace.fs.readFile(uri)));
  } catch {
    return null; // deleted meanwhile
  }
}
