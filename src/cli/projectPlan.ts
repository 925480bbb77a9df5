// What the commands that read a chain by the builds of a project have in common: flags, and what they read of the project.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Configuration } from '../api/configuration.ts';
import { ProjectSources } from '../mcp/projectSources.ts';
import { readAbis } from '../mcp/readAbis.ts';
import { createUsageError } from './configFile.ts';
import { getSideBuildFolder } from './makeSideBuild.ts';
import { chainOptions, readConfigured, toConfiguration } from './serveOptions.ts';

export interface ProjectPlan {
  /** Selector of the chain; the first node's when absent. */
  readonly chain: string;
  readonly configuration: Configuration;
  /** Folder of the project whose builds name contracts, functions, errors and variables. */
  readonly project: string;
  /** Whether it was named, rather than the current folder taken. */
  readonly isProjectNamed: boolean;
  readonly json: boolean;
}

export const projectFlags = {
  chain: { type: 'string' },
  project: { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Reads environment and configuration file too. Throws `bad-input` for wrong use. */
export function planProject(values: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): ProjectPlan {
  const configuration = toConfiguration(readConfigured(chainOptions, values, env).options);
  const [firstChain = 'local'] = Object.keys(configuration.nodes);
  const project = resolve(String(values['project'] ?? '.'));
  if (values['project'] !== undefined && statSync(project, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw createUsageError(`--project is not a folder: ${project}.`, 'Name the folder of the project.');
  return {
    configuration,
    chain: String(values['chain'] ?? firstChain),
    project,
    isProjectNamed: values['project'] !== undefined,
    json: values['json'] === true,
  };
}

/** ABIs with the names of enums, and builds, of all projects in the folder. */
export async function readProject(project: string, sideFolder = getSideBuildFolder(project, process.env)) {
  const sources = new ProjectSources(project, sideFolder);
  const [registry, builds] = await Promise.all([readAbis([project]), sources.load()]);
  await sources.addEnums(registry);
  return { registry, builds };
}
