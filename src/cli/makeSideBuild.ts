// Builds a Foundry project once more, with what names of variables need: `hexlens trace --build`.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createForgeArguments, getSideFolder, listForgeCommands } from '../decode/source/sideBuild.ts';
import { runForgeBuild } from '../worker/runForgeBuild.ts';

/** The folder for what can be made again: as the XDG Base Directory Specification has it. */
const getCacheFolder = (env: NodeJS.ProcessEnv): string => env['XDG_CACHE_HOME'] || join(homedir(), '.cache');

/** Where the project's side build is, or would be. */
export const getSideBuildFolder = (project: string, env: NodeJS.ProcessEnv): string =>
  join(getCacheFolder(env), 'hexlens', 'builds', getSideFolder(project));

export const hasForgeProject = (folder: string): boolean => existsSync(join(folder, 'foundry.toml'));

/** What forge prints when it fails; `null` when it succeeds, or where there is nothing to build. */
export async function makeSideBuild(project: string, folder: string, signal: AbortSignal): Promise<string | null> {
  if (!hasForgeProject(project)) return null;
  const commands = listForgeCommands(homedir(), project);
  const failure = await runForgeBuild(commands, createForgeArguments(project, folder), project, signal);
  return failure === 'missing' ? 'forge is not installed' : failure;
}
