// Flags of the commands that read a chain by the builds of a project: which node, which folder, which form.
import { resolve } from 'node:path';
import type { Configuration } from '../api/configuration.ts';
import { readConfigFile } from './configFile.ts';
import { KEYS_FIELD } from './keysField.ts';
import { readOptions } from './options.ts';
import { serveOptions, sourceOptions, toConfiguration } from './serveOptions.ts';

export interface ProjectPlan {
  /** Selector of the chain; the first node's when absent. */
  readonly chain: string;
  readonly configuration: Configuration;
  /** Folder of the project whose builds name contracts, functions, errors and variables. */
  readonly project: string;
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
  const path = values['config'] ?? (env['HEXLENS_CONFIG'] || undefined);
  const fields = [...Object.values(serveOptions).map(({ field }) => field), KEYS_FIELD];
  const file = path === undefined ? null : readConfigFile(String(path), fields);
  const folder = process.cwd();
  const configuration = toConfiguration(readOptions(sourceOptions, { flags: values, env, file, folder }));
  const [firstChain = 'local'] = Object.keys(configuration.nodes);
  return {
    configuration,
    chain: String(values['chain'] ?? firstChain),
    project: resolve(folder, String(values['project'] ?? '.')),
    json: values['json'] === true,
  };
}
