// The compiled contracts of the workspace by their runtime code: which of them a contract on a chain is.
import type { ArtifactOrigin } from './artifactOrigin.ts';
import {
  type BuiltContract,
  type CodeFingerprint,
  createFingerprint,
  matchCode,
  withoutMetadata,
} from './runtimeCode.ts';

/** One artifact. */
export interface IndexedBuild {
  /** Unique, such as the file's URI. */
  readonly id: string;
  readonly name: string;
  readonly source: string | null;
  readonly origin: ArtifactOrigin;
  readonly fingerprint: CodeFingerprint;
}

/** A contract of the workspace; several artifacts may be of the same one. */
export interface BuildMatch {
  readonly name: string;
  readonly source: string | null;
  readonly ids: readonly string[];
  /** Of the first artifact. */
  readonly origin: ArtifactOrigin;
}

/** `/project/src/Vault.sol` of one tool is `src/Vault.sol` of another one. */
const getContractKey = ({ name, source, id }: IndexedBuild): string => `${name} ${source ?? id}`;

/** The contract of all these artifacts; `null` when they are of several contracts, or none. */
export function toUniqueContract(builds: readonly IndexedBuild[]): BuildMatch | null {
  const [first] = builds;
  if (first === undefined || new Set(builds.map(getContractKey)).size > 1) return null;
  return { name: first.name, source: first.source, ids: builds.map(({ id }) => id), origin: first.origin };
}

/** Those that count first. */
const ORIGINS: readonly ArtifactOrigin['kind'][] = ['build', 'deployment', 'copy'];
const isOwn = ({ origin }: IndexedBuild): boolean => origin.kind === 'build';

export function createBuildIndex() {
  const builds = new Map<string, IndexedBuild>();
  return {
    set(id: string, built: BuiltContract, origin: ArtifactOrigin) {
      builds.set(id, { id, name: built.name, source: built.source, origin, fingerprint: createFingerprint(built) });
    },
    remove: (id: string) => void builds.delete(id),
    /**
     * The only contract whose code this is, by the project's own builds, else by what tools have deployed, else by other
     * copies; `null` when there is none, or when several have the same code.
     */
    find(code: string): BuildMatch | null {
      const size = withoutMetadata(code).length / 2;
      const matches = [...builds.values()]
        .filter(({ fingerprint }) => fingerprint.size === size)
        .map(build => ({ build, match: matchCode(code, build.fingerprint) }))
        .filter(({ match }) => match !== null);
      const kind = ORIGINS.find(one => matches.some(({ build }) => build.origin.kind === one));
      const first = matches.filter(({ build }) => build.origin.kind === kind);
      const exact = first.filter(({ match }) => match === 'exact');
      return toUniqueContract((exact.length > 0 ? exact : first).map(({ build }) => build));
    },
    /** Own builds of this contract. */
    getBuilds: ({ name, source }: Pick<BuildMatch, 'name' | 'source'>): readonly IndexedBuild[] =>
      [...builds.values()].filter(
        build => isOwn(build) && build.name === name && (source === null || build.source === source),
      ),
    /** Own builds whose code has the same size, and those of contracts with this name. */
    getSimilar(code: string, name: string | null): readonly IndexedBuild[] {
      const size = withoutMetadata(code).length / 2;
      return [...builds.values()].filter(
        build => isOwn(build) && (build.fingerprint.size === size || build.name === name),
      );
    },
  };
}
