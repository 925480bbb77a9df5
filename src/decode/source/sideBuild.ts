// A second build of a Foundry project with the outputs that it leaves out by default, in a folder of HexLens' own.
import { keccak256 } from 'ox/Hash';
import { isObject } from '../../base/isObject.ts';
import type { ProjectFiles } from './sourceBuild.ts';

/** Where the copies of artifacts are. */
export interface SideBuilds {
  readonly files: ProjectFiles;
  /** Paths in `files` at which the copy of an artifact can be. */
  list(artifact: string): readonly string[];
}

/** The folder of a project's side build, below that of all. */
export const getSideFolder = (project: string): string =>
  keccak256(new TextEncoder().encode(project), { as: 'Hex' }).slice(2, 18);

/** `out/Vault.sol/Vault.json` in the project is the same path below `out` of the side build, whatever its folder is called. */
export function toSidePath(folder: string, artifact: string): string {
  return [folder, 'out', ...artifact.split('/').slice(1)].filter(part => part !== '').join('/');
}

/** Only compilers that are installed are used, and nothing is written into the project. */
export const createForgeArguments = (project: string, folder: string): readonly string[] => [
  ...['build', '--root', project, '--out', `${folder}/out`, '--cache-path', `${folder}/cache`],
  ...['--build-info', '--extra-output', 'storageLayout', '--offline', '--color', 'never'],
];

/** Where forge may be: on the path, where its installer puts it, as a package of the project. */
export const listForgeCommands = (home: string, project: string): readonly string[] => [
  'forge',
  `${home}/.foundry/bin/forge`,
  `${project}/node_modules/.bin/forge`,
];

/** The code of an artifact with its metadata, at creation and at run time; `null` for a file that is none. */
function readCode(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  try {
    const artifact: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isObject(artifact)) return null;
    const [creation, runtime] = [artifact['bytecode'], artifact['deployedBytecode']].map(code =>
      isObject(code) ? code['object'] : null,
    );
    return typeof creation === 'string' && typeof runtime === 'string' ? `${creation} ${runtime}` : null;
  } catch {
    return null;
  }
}

/** The copy of an artifact with the same code, byte for byte; `null` where its sources were edited since, or there is none. */
export async function findSideArtifact(
  files: ProjectFiles,
  artifact: string,
  side: SideBuilds,
): Promise<string | null> {
  const code = readCode(await files.read(artifact));
  if (code === null) return null;
  for (const path of side.list(artifact)) if (readCode(await side.files.read(path)) === code) return path;
  return null;
}
