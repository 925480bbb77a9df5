// Which build the code of a call is of, among the artifacts of a project: runtime code and code of creations.
import type { ContractDeclarations } from '../../api/contractDeclarations.ts';
import type { ContractBuild, MatchedCode, TracedCode } from '../../api/transactionStack.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { type Hex, hexToBytes } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { getArtifactOrigin } from '../artifactOrigin.ts';
import {
  type CodeFingerprint,
  createFingerprint,
  hashDigits,
  matchCode,
  readBuiltContract,
  withoutMetadata,
} from '../runtimeCode.ts';
import { BuiltTexts } from './builtText.ts';
import { type FunctionDifference, listDifferentFunctions } from './codeDifference.ts';
import type { CompilerRun } from './compilerDeclarations.ts';
import { ContractProgram } from './contractProgram.ts';
import { readEnums } from './readEnums.ts';
import { findSideArtifact, type SideBuilds } from './sideBuild.ts';
import {
  type BuildProblem,
  type Compilation,
  isAsRead,
  type ProjectFiles,
  type ReadSourceBuild,
  readBuiltDeclarations,
  readCompilation,
  readCompilerRun,
  readSourceBuild,
} from './sourceBuild.ts';

/** Placeholders of libraries that are not linked. */
const LINK = /__.{36}__|__.{38}/g;
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Of the codes of the last transactions. */
const MAX_REMEMBERED_DIGITS = 4 * 1024 * 1024;

/** Code that creates a contract; constructor arguments follow it. */
interface CreationCode {
  /** In hex digits. */
  readonly length: number;
  /** First digit of each library address, of 40 digits. */
  readonly links: readonly number[];
  readonly hash: Hex;
}

interface IndexedArtifact {
  readonly contract: string;
  readonly runtime: CodeFingerprint;
  readonly creation: CreationCode | null;
}

/** An artifact that has some code. */
interface CodeArtifact {
  readonly path: string;
  readonly contract: string;
  readonly isExact: boolean;
}

export interface FoundSourceBuild {
  /** Path of the artifact. */
  readonly artifact: string;
  readonly read: ReadSourceBuild;
}

/** Why the lines of some code are not known. */
export type UnmatchedCode =
  /** No artifact of the project has this code. */
  | { readonly kind: 'noBuild' }
  /** Contracts of several sources have this code. */
  | { readonly kind: 'ambiguous' }
  | BuildProblem;

export interface MatchedCodes {
  readonly matched: readonly MatchedCode[];
  /** By hash of the code. */
  readonly unmatched: ReadonlyMap<Hex, UnmatchedCode>;
}

function maskLinks(code: string, links: readonly number[]): string {
  let masked = code;
  for (const at of links) masked = masked.slice(0, at) + '0'.repeat(40) + masked.slice(at + 40);
  return masked;
}

function toCreationCode(artifact: Readonly<Record<string, unknown>>): CreationCode | null {
  const { bytecode } = artifact;
  const object = isObject(bytecode) ? bytecode['object'] : bytecode;
  if (typeof object !== 'string') return null;
  const written = object.replace(/^0x/, '').toLowerCase();
  const links = [...written.matchAll(LINK)].map(({ index }) => index);
  const code = maskLinks(written, links);
  return /^(?:[0-9a-f]{2})+$/.test(code) ? { length: code.length, links, hash: hashDigits(code) } : null;
}

/** Whether builds place the same code at the same lines of the same texts; source ids may differ. */
function haveSameLines(builds: readonly ContractBuild[]): boolean {
  const texts = new Map<string, number>();
  const lines = builds.map(({ runtimeMap, creationMap, sources }) => {
    const byId = new Map(sources.map(({ id, path, text }) => [String(id), `${path}\n${text}`]));
    return `${runtimeMap};${creationMap}`.replace(/(?<=^|;)([^:;]*:[^:;]*:)(\d+)/g, (_, place: string, id: string) => {
      const text = byId.get(id) ?? '';
      texts.set(text, texts.get(text) ?? texts.size);
      return `${place}${texts.get(text)}`;
    });
  });
  return new Set(lines).size === 1;
}

const isCreationOf = (code: string, { length, links, hash }: CreationCode): boolean =>
  code.length >= length && hashDigits(maskLinks(code.slice(0, length), links)) === hash;

/** `null` for what has no code. */
function indexArtifact(bytes: Uint8Array, path: string): IndexedArtifact | null {
  if (bytes.length > MAX_FILE_BYTES) return null;
  try {
    const artifact: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const built = readBuiltContract(artifact, path);
    if (built === null || !isObject(artifact)) return null;
    const contract = `${built.name} ${built.source ?? path}`;
    return { contract, runtime: createFingerprint(built), creation: toCreationCode(artifact) };
  } catch {
    return null; // no JSON
  }
}

/** A storage layout does not have the members of enums: the sources of the build do. */
const nameMembers = (
  declarations: ContractDeclarations,
  enums: ReadonlyMap<string, readonly string[]>,
): ContractDeclarations => ({
  ...declarations,
  types: declarations.types.map(type =>
    type.kind === 'enum' && type.members === null ? { ...type, members: enums.get(type.text) ?? null } : type,
  ),
});

export class SourceBuilds {
  /** Of the builds that were found, also after they changed. */
  readonly texts = new BuiltTexts();
  readonly #files: ProjectFiles;
  readonly #side: SideBuilds | null;
  /** What changes when an artifact does, by its path; also of those without code, such as interfaces. */
  readonly #versions = new Map<string, string>();
  /** By path of the artifact. */
  readonly #artifacts = new Map<string, IndexedArtifact>();
  /** The artifacts of a code, by the code and whether it creates a contract; they hold until an artifact changes. */
  readonly #matches = new Map<string, readonly CodeArtifact[]>();
  /** Digits of the codes of {@link #matches}. */
  #rememberedDigits = 0;
  /** Builds that were read, by path of the artifact; they hold until an artifact changes. */
  readonly #builds = new Map<string, Promise<ReadSourceBuild>>();
  /** Those whose sources may have been edited since. */
  readonly #unchecked = new Set<string>();
  /** Declarations that were read, likewise. */
  readonly #declarations = new Map<string, Promise<ContractDeclarations | null>>();

  constructor(files: ProjectFiles, side: SideBuilds | null = null) {
    this.#files = files;
    this.#side = side;
  }

  /** Whether there is no artifact with code. */
  get isEmpty(): boolean {
    return this.#artifacts.size === 0;
  }

  /** A side build was made. */
  forgetDeclarations(): void {
    this.#declarations.clear();
  }

  /** Sources may have been edited: builds say so when they are used next. */
  handleSourceChange(): void {
    for (const path of this.#builds.keys()) this.#unchecked.add(path);
  }

  /** `versions`: by path of each artifact, what changes when the file does. Only new and changed ones are read. */
  async update(versions: ReadonlyMap<string, string>): Promise<void> {
    for (const path of [...this.#versions.keys()]) {
      if (versions.has(path)) continue;
      this.#versions.delete(path);
      this.#artifacts.delete(path);
      this.#forgetMatches();
    }
    for (const [path, version] of versions) {
      if (this.#versions.get(path) === version) continue;
      this.#builds.clear();
      this.#unchecked.clear();
      this.#declarations.clear();
      const bytes = await this.#files.read(path);
      const indexed = bytes === null ? null : indexArtifact(bytes, path);
      // A file that could not be read is tried again.
      if (bytes === null) this.#versions.delete(path);
      else this.#versions.set(path, version);
      if (indexed === null) this.#artifacts.delete(path);
      else this.#artifacts.set(path, indexed);
      this.#forgetMatches();
    }
  }

  #forgetMatches(): void {
    this.#matches.clear();
    this.#rememberedDigits = 0;
  }

  /** The builds with lines that codes are of. `hasDeclarations`: with what their contracts declare, which lines do not need. */
  async match(codes: readonly TracedCode[], hasDeclarations: boolean): Promise<MatchedCodes> {
    const matched: MatchedCode[] = [];
    const unmatched = new Map<Hex, UnmatchedCode>();
    for (const { hash, code, isCreation } of codes) {
      const found = await this.find(code, isCreation);
      if (found === null) unmatched.set(hash, { kind: 'noBuild' });
      else if (found === 'ambiguous') unmatched.set(hash, { kind: 'ambiguous' });
      else if ('problem' in found.read) unmatched.set(hash, found.read.problem);
      else {
        const declarations = hasDeclarations ? await this.declarations(found.artifact) : null;
        const { build } = found.read;
        matched.push({ hash, isCreation, build: declarations === null ? build : { ...build, declarations } });
      }
    }
    return { matched, unmatched };
  }

  /**
   * The build of the code that ran. `null`: there is none; `ambiguous`: contracts of several sources have this code.
   */
  async find(code: Hex, isCreation: boolean): Promise<FoundSourceBuild | 'ambiguous' | null> {
    const matches = this.#listArtifacts(code, isCreation);
    const exact = matches.filter(({ isExact }) => isExact);
    const alike = exact.length > 0 ? exact : matches;
    // What a tool keeps of a deployment is a copy, beside the build that it was deployed from.
    const built = alike.filter(({ path }) => getArtifactOrigin(path, []).kind !== 'deployment');
    const best = built.length > 0 ? built : alike;
    const [first] = best;
    if (first === undefined) return null;
    if (best.some(({ contract }) => contract !== first.contract)) return 'ambiguous';
    const reads = await Promise.all(
      best.map(async ({ path }) => ({ artifact: path, read: await this.#readBuild(path) })),
    );
    const builds = reads.flatMap(({ artifact, read }) => ('build' in read ? [{ artifact, read }] : []));
    const [found] = builds;
    if (found === undefined) return reads[0] ?? null;
    // Code without the hash of its sources does not tell which of several texts it was compiled from.
    if (builds.length > 1 && !haveSameLines(builds.map(({ read }) => read.build))) return 'ambiguous';
    this.texts.add(found.read.build.sources);
    return found;
  }

  /** What the contract with this code is called; `null` where no build has it, or several. */
  async findName(code: Hex | null): Promise<string | null> {
    const found = code === null ? null : await this.find(code, false);
    return found === null || found === 'ambiguous' || !('build' in found.read) ? null : found.read.build.name;
  }

  /** Each view of a transaction matches the same codes, and hashes them with the mask of each artifact of their size. */
  #listArtifacts(code: Hex, isCreation: boolean): readonly CodeArtifact[] {
    return getOrInsert(this.#matches, `${isCreation} ${code}`, () => {
      const digits = code.slice(2).toLowerCase();
      if (this.#rememberedDigits + digits.length > MAX_REMEMBERED_DIGITS) this.#forgetMatches();
      this.#rememberedDigits += digits.length;
      return [...this.#artifacts].flatMap(([path, { runtime, creation, contract }]) => {
        if (isCreation)
          return creation !== null && isCreationOf(digits, creation) ? [{ path, contract, isExact: true }] : [];
        const match = matchCode(digits, runtime);
        return match === null ? [] : [{ path, contract, isExact: match === 'exact' }];
      });
    });
  }

  /** The functions of an artifact's contract that differ in some code; `null` where the artifact has no lines. */
  async compareFunctions(artifact: string, code: Hex): Promise<FunctionDifference | null> {
    const read = this.#artifacts.has(artifact) ? await this.#readBuild(artifact) : null;
    const bytes = read === null ? null : await this.#files.read(artifact);
    if (read === null || bytes === null || !('build' in read)) return null;
    const built = readBuiltContract(JSON.parse(new TextDecoder().decode(bytes)), artifact);
    if (built === null) return null;
    const [own, other] = [built.code, code.slice(2)].map(digits => hexToBytes(`0x${withoutMetadata(digits)}`));
    if (own === undefined || other === undefined) return null;
    return listDifferentFunctions(new ContractProgram(read.build, own, false), own, built.mask, other);
  }

  #readBuild(artifact: string): Promise<ReadSourceBuild> {
    const known = this.#builds.get(artifact);
    if (known !== undefined && !this.#unchecked.delete(artifact)) return known;
    const read = known === undefined ? readSourceBuild(this.#files, artifact) : this.#checkBuild(artifact, known);
    this.#builds.set(artifact, read);
    return read;
  }

  async #checkBuild(artifact: string, known: Promise<ReadSourceBuild>): Promise<ReadSourceBuild> {
    const read = await known;
    return 'build' in read && (await isAsRead(this.#files, read.build)) ? read : readSourceBuild(this.#files, artifact);
  }

  /** What the contract of an artifact declares: for values of its variables, which lines do not need. `null`: its build does not say. */
  declarations(artifact: string): Promise<ContractDeclarations | null> {
    const known = this.#declarations.get(artifact) ?? this.#readDeclarations(artifact);
    this.#declarations.set(artifact, known);
    return known;
  }

  async #readDeclarations(artifact: string): Promise<ContractDeclarations | null> {
    const own = await readBuiltDeclarations(this.#files, artifact);
    if (own?.by === 'ast') return own;
    const copy = this.#side === null ? null : await findSideArtifact(this.#files, artifact, this.#side);
    const side = copy === null ? null : await readBuiltDeclarations((this.#side as SideBuilds).files, copy);
    return side ?? (own === null ? null : nameMembers(own, await readEnums(this.#files, artifact)));
  }

  /** What the compiler took for an artifact, for another build of it; `null` where the build does not have that. */
  compilation(artifact: string): Promise<Compilation | null> {
    return readCompilation(this.#files, artifact);
  }

  /** What another run of the compiler made of the contract of an artifact. */
  readRun(artifact: string, run: CompilerRun, contract: Compilation['contract']): ReturnType<typeof readCompilerRun> {
    return readCompilerRun(this.#files, artifact, run, contract);
  }

  /** Whether a side build has the same code as an artifact below the folder. */
  async hasSideBuild(folder: string): Promise<boolean> {
    for (const artifact of this.#artifacts.keys()) {
      const isInside = folder === '' || artifact.startsWith(`${folder}/`);
      if (isInside && this.#side !== null && (await findSideArtifact(this.#files, artifact, this.#side)) !== null)
        return true;
    }
    return false;
  }
}
