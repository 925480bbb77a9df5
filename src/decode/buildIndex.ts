// The compiled contracts of the workspace by their runtime code: which of them a contract on a chain is.
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
  readonly fingerprint: CodeFingerprint;
}

/** A contract of the workspace; several artifacts may be of the same one. */
export interface BuildMatch {
  readonly name: string;
  readonly source: string | null;
  readonly ids: readonly string[];
}

export interface BuildIndex {
  set(id: string, built: BuiltContract): void;
  remove(id: string): void;
  /** The only contract whose build this is; `null` when there is none, or when several have the same code. */
  find(code: string): BuildMatch | null;
  /** Artifacts whose code has the same size, and those of contracts with this name. */
  getSimilar(code: string, name: string | null): readonly IndexedBuild[];
}

/** `/project/src/Vault.sol` of one tool is `src/Vault.sol` of another one. */
const getContractKey = ({ name, source, id }: IndexedBuild): string => `${name} ${source ?? id}`;

/** The contract of all these artifacts; `null` when they are of several contracts, or none. */
export function toUniqueContract(builds: readonly IndexedBuild[]): BuildMatch | null {
  const [first] = builds;
  if (first === undefined || new Set(builds.map(getContractKey)).size > 1) return null;
  return { name: first.name, source: first.source, ids: builds.map(({ id }) => id) };
}

export function createBuildIndex(): BuildIndex {
  const builds = new Map<string, IndexedBuild>();
  return {
    set(id, built) {
      builds.set(id, { id, name: built.name, source: built.source, fingerprint: createFingerprint(built) });
    },
    remove: id => void builds.delete(id),
    find(code) {
      const size = withoutMetadata(code).length / 2;
      const matches = [...builds.values()]
        .filter(({ fingerprint }) => fingerprint.size === size)
        .map(build => ({ build, match: matchCode(code, build.fingerprint) }))
        .filter(({ match }) => match !== null);
      const exact = matches.filter(({ match }) => match === 'exact');
      return toUniqueContract((exact.length > 0 ? exact : matches).map(({ build }) => build));
    },
    getSimilar(code, name) {
      const size = withoutMetadata(code).length / 2;
      return [...builds.values()].filter(build => build.fingerprint.size === size || build.name === name);
    },
  };
}
