// Whether an artifact is the project's own build, what a deployment tool has stored of an earlier one, or another copy.

/** A folder with a configuration file of Hardhat or Foundry. All paths have slashes. */
export interface BuildProject {
  /** The folder of the configuration file. */
  readonly folder: string;
  /** Where it has artifacts written; `null` where the configuration computes that. */
  readonly outputs: readonly string[] | null;
}

export type DeploymentTool = 'Ignition' | 'hardhat-deploy' | 'Foundry';

export type ArtifactOrigin =
  | { readonly kind: 'build' }
  /** A tool keeps it as it was deployed, in this folder. */
  | { readonly kind: 'deployment'; readonly tool: DeploymentTool; readonly folder: string }
  | { readonly kind: 'copy' };

/** Files that say where a compiler writes to. */
export const PROJECT_FILES_GLOB =
  '**/{foundry.toml,hardhat.config.ts,hardhat.config.js,hardhat.config.cjs,hardhat.config.mjs}';
/** Packages have configurations of their own, and outputs hold copies. */
export const NO_PROJECT_FILES_GLOB = '**/{node_modules,lib,out,dist,cache,artifacts}/**';

/** Longer files are not configuration. */
const MAX_CONFIGURATION_LENGTH = 200_000;

/** `./build/../out/` below `/project` is `/project/out`. */
function resolvePath(folder: string, path: string): string {
  const parts: string[] = path.startsWith('/') ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return path.startsWith('/') ? `/${parts.join('/')}` : parts.join('/');
}

/** `out` of every profile; the default where the default profile names none. */
function readFoundryOutputs(text: string): readonly string[] {
  const outputs = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    section = /^\s*\[\s*([\w.-]+)\s*\]/.exec(line)?.[1] ?? section;
    const out = /^\s*out\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(line);
    if (out !== null && /^(?:profile\.)?[\w-]+$/.test(section))
      outputs.set(section.replace('profile.', ''), out[1] ?? out[2] ?? '');
  }
  return [outputs.get('default') ?? 'out', ...outputs.values()];
}

/** `paths: { artifacts: '…' }`, which is read as text and never executed. */
function readHardhatOutputs(text: string): readonly string[] | null {
  const code = text.replace(/^[ \t]*\/\/.*/gm, '');
  const paths = /\bpaths\s*:\s*\{([^{}]*)\}/.exec(code)?.[1];
  const written = paths === undefined ? undefined : /\bartifacts\s*:\s*([^,\n]+)/.exec(paths)?.[1]?.trim();
  if (written === undefined) return /\bpaths\s*[:,]/.test(code) && paths === undefined ? null : ['artifacts'];
  const literal = /^(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)$/.exec(written);
  return literal === null ? null : [literal[1] ?? literal[2] ?? literal[3] ?? ''];
}

/** `path`: of `foundry.toml` or `hardhat.config.*`. */
export function parseBuildProject(path: string, text: string): BuildProject {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const short = text.slice(0, MAX_CONFIGURATION_LENGTH);
  const outputs = path.endsWith('.toml') ? readFoundryOutputs(short) : readHardhatOutputs(short);
  return { folder, outputs: outputs === null ? null : [...new Set(outputs.map(out => resolvePath(folder, out)))] };
}

const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** Folders in which tools keep what they have deployed. */
const DEPLOYMENTS: readonly (readonly [DeploymentTool, RegExp])[] = [
  ['Ignition', /^(.*\/deployments\/[^/]+)\/artifacts\/[^/]+$/],
  ['hardhat-deploy', /^(.*\/deployments\/[^/]+)\/[^/]+\.json$/],
  ['Foundry', /^(.*\/broadcast\/[^/]+)\/.+$/],
];

/** Compilers have a folder for each source. */
const COMPILER_FILE = /\.(?:sol|vy)\/[^/]+$/;

/**
 * A file is of the project's own build when
 * 1. no deployment tool keeps it (`deployments/<network>/…`, `broadcast/…`), and
 * 2. it is in the folder that `hardhat.config.*` or `foundry.toml` names (else `artifacts` or `out` beside that file), or
 * 3. no configuration is above it, or one that computes the folder, and it is in `out` or `artifacts` as compilers write
 *    them (`out/Vault.sol/Vault.json`), or a pattern of the user's found it elsewhere.
 */
export function getArtifactOrigin(path: string, projects: readonly BuildProject[]): ArtifactOrigin {
  const file = path.startsWith('/') ? path : `/${path}`;
  for (const [tool, pattern] of DEPLOYMENTS) {
    const folder = pattern.exec(file)?.[1];
    if (folder !== undefined) return { kind: 'deployment', tool, folder };
  }
  if (projects.some(({ outputs }) => outputs?.some(output => isInside(file, output)))) return { kind: 'build' };
  const above = projects.filter(({ folder }) => isInside(file, folder));
  const nearest = Math.max(...above.map(({ folder }) => folder.length));
  const owners = above.filter(({ folder }) => folder.length === nearest); // Hardhat and Foundry may share a folder
  if (owners.length > 0 && owners.every(({ outputs }) => outputs !== null)) return { kind: 'copy' };
  if (/\/(?:node_modules|dist|typechain[^/]*)\//.test(file)) return { kind: 'copy' };
  const isElsewhere = !/\/(?:out|artifacts)\//.test(file);
  return { kind: isElsewhere || COMPILER_FILE.test(file) ? 'build' : 'copy' };
}
