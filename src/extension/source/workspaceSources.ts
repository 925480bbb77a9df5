// The builds of the workspace, for lines of Solidity; nothing is read before the first transaction that needs it.

import { FileType, Uri, workspace } from 'vscode';
import type { RunCompiler } from '../../api/compiler.ts';
import type { ContractDeclarations } from '../../api/contractDeclarations.ts';
import type { NoStateChanges, StateChanges } from '../../api/stateChanges.ts';
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { NoTransactionGas, TransactionGas } from '../../api/transactionGas.ts';
import type {
  ContractBuild,
  MatchedCode,
  SourceLocation,
  TracedCode,
  TransactionSourceOptions,
} from '../../api/transactionStack.ts';
import { Owner } from '../../base/disposable.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { Hex } from '../../base/hex.ts';
import { raceAbort } from '../../base/raceAbort.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { FunctionDifference } from '../../decode/source/codeDifference.ts';
import {
  type FoundTransactionSource,
  fetchStateChanges,
  fetchTransactionGas,
  fetchTransactionSource,
} from '../../decode/source/fetchTransactionSource.ts';
import { readEnums } from '../../decode/source/readEnums.ts';
import { getSideFolder, type SideBuilds, toSidePath } from '../../decode/source/sideBuild.ts';
import type { ProjectFiles } from '../../decode/source/sourceBuild.ts';
import { SourceBuilds } from '../../decode/source/sourceBuilds.ts';
import { compileUnoptimized, type UnoptimizedBuilds } from '../../decode/source/unoptimizedBuilds.ts';
import { createCommandUri, hoverCommands } from '../../view/hover/hoverLinks.ts';
import { formatFailurePlace } from '../../view/source/stackHover.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { BuiltDocuments } from './builtDocuments.ts';

/** Build infos have up to some hundred megabytes. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** A path of `ProjectFiles` begins with the number of the workspace folder: `0/src/Vault.sol`. */
function toUri(path: string): Uri | null {
  const [, folder = '', rest = ''] = /^(\d+)\/(.+)$/.exec(path) ?? [];
  const isInside = !rest.split('/').includes('..');
  const found = folder === '' || !isInside ? undefined : workspace.workspaceFolders?.[Number(folder)];
  return found === undefined ? null : Uri.joinPath(found.uri, ...rest.split('/'));
}

function toPath(uri: Uri): string | null {
  const folder = workspace.getWorkspaceFolder(uri);
  return folder === undefined ? null : `${folder.index}/${workspace.asRelativePath(uri, false)}`;
}

const files: ProjectFiles = {
  async read(path) {
    const uri = toUri(path);
    if (uri === null) return null;
    try {
      const { type, size } = await workspace.fs.stat(uri);
      return type === FileType.Directory || size > MAX_FILE_BYTES ? null : await workspace.fs.readFile(uri);
    } catch {
      return null;
    }
  },
};

/** Folders of side builds, in the storage of the extension. */
const createSideBuilds = (storage: Uri): SideBuilds => ({
  files: {
    read: path => Promise.resolve(workspace.fs.readFile(Uri.joinPath(storage, ...path.split('/')))).catch(() => null),
  },
  list(artifact) {
    const [, folder = '', rest = ''] = /^(\d+)\/(.+)$/.exec(artifact) ?? [];
    const root = workspace.workspaceFolders?.[Number(folder)]?.uri;
    if (folder === '' || root === undefined) return [];
    const parts = rest.split('/');
    // The project may be the workspace folder or one below it.
    return parts.slice(0, -2).map((_, depth) => {
      const project = depth === 0 ? root : Uri.joinPath(root, ...parts.slice(0, depth));
      return toSidePath(getSideFolder(project.toString()), parts.slice(depth).join('/'));
    });
  },
});

/** For so long a row waits for the place of a failure. */
const MAX_PLACE_MS = 2_000;

export class WorkspaceSources extends Owner {
  /** Modification time and size of every artifact by its URI; it follows the files. */
  readonly #artifacts: ReadonlyMap<string, string>;
  readonly #builds: SourceBuilds;
  readonly #sideStorage: Uri;
  readonly #documents: BuiltDocuments;
  /** Sources are watched. */
  #isWatching = false;
  /** Of artifacts, by their URIs, while the folders of the workspace stay. */
  readonly #paths = new Map<string, string | null>();
  /** Updates of the builds, one after the other. */
  readonly #queue = new SerialQueue();

  constructor(artifacts: ReadonlyMap<string, string>, storage: Uri) {
    super();
    this.#artifacts = artifacts;
    this.store.add(workspace.onDidChangeWorkspaceFolders(() => this.#paths.clear()));
    this.#sideStorage = Uri.joinPath(storage, 'builds');
    this.#builds = new SourceBuilds(files, createSideBuilds(this.#sideStorage));
    this.#documents = this.store.add(
      new BuiltDocuments({
        getSource: textHash => this.#builds.texts.get(textHash),
        getFile: ({ file }) => (file === null ? null : toUri(file)),
      }),
    );
  }

  /** Where the side build of a project is. */
  getSideFolder(project: Uri): Uri {
    return Uri.joinPath(this.#sideStorage, getSideFolder(project.toString()));
  }

  handleSideBuild(): void {
    this.#builds.forgetDeclarations();
  }

  /** Whether a side build has the code of an artifact of one of the projects. */
  async hasSideBuild(projects: readonly Uri[]): Promise<boolean> {
    const builds = await this.#load();
    for (const project of projects) {
      const folder = workspace.getWorkspaceFolder(project);
      if (folder === undefined) continue;
      const path = `${folder.index}${project.path.slice(folder.uri.path.length)}`.replace(/\/$/, '');
      if ((await builds?.hasSideBuild(path)) === true) return true;
    }
    return false;
  }

  /** `null` where the workspace is not trusted, and where it has no build of code that the transaction ran. */
  async fetch(
    target: TraceTarget,
    { lookup }: Pick<WorkerClient, 'lookup'>,
    signal?: AbortSignal,
    options: TransactionSourceOptions = {},
  ): Promise<FoundTransactionSource | null> {
    const builds = await this.#load();
    if (builds === null) return null;
    return fetchTransactionSource((id, input) => lookup(id, input, signal), builds, target, options);
  }

  /** Where a transaction of a chain of this machine failed; `null` where no build of the workspace tells, or not in time. */
  async findFailurePlace(
    chain: string,
    hash: Hex,
    worker: Pick<WorkerClient, 'lookup'>,
    signal: AbortSignal,
  ): Promise<string | null> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_PLACE_MS)]);
    const source = await raceAbort(this.fetch({ chain, hash }, worker, limit), limit).catch(() => null);
    return source === null ? null : formatFailurePlace(source);
  }

  /** What a transaction changed; without names where the workspace is not trusted or has no build of the code. */
  async fetchState(
    target: TraceTarget,
    { lookup }: Pick<WorkerClient, 'lookup'>,
    signal?: AbortSignal,
  ): Promise<StateChanges | NoStateChanges> {
    return fetchStateChanges((id, input) => lookup(id, input, signal), await this.#load(), target);
  }

  /** The build of the code of a contract, with lines; `null` where there is none, or more than one contract has this code. */
  async findBuild(code: Hex): Promise<{
    readonly build: ContractBuild;
    readonly declarations: () => Promise<ContractDeclarations | null>;
  } | null> {
    const builds = await this.#load();
    const found = (await builds?.find(code, false)) ?? null;
    if (builds === null || found === null || found === 'ambiguous' || !('build' in found.read)) return null;
    return { build: found.read.build, declarations: () => builds.declarations(found.artifact) };
  }

  /** The members of the enums in the sources of an artifact's build, by name. */
  async readEnums(artifact: Uri): Promise<ReadonlyMap<string, readonly string[]>> {
    const path = toPath(artifact);
    return path === null || !workspace.isTrusted ? new Map() : readEnums(files, path);
  }

  /** The functions of an artifact of the workspace that differ in some code; `null` where that is not known. */
  async compareFunctions(artifact: Uri, code: Hex): Promise<FunctionDifference | null> {
    const path = toPath(artifact);
    return path === null ? null : ((await (await this.#load())?.compareFunctions(path, code)) ?? null);
  }

  /** `null` where the workspace is not trusted, and where it has no builds. */
  async #load(): Promise<SourceBuilds | null> {
    if (!workspace.isTrusted || this.#artifacts.size === 0) return null;
    this.#watchSources();
    await this.#queue.run(() => this.#builds.update(this.#listArtifacts()));
    return this.#builds;
  }

  /** Lines of files that were edited since the build are not those that ran. */
  #watchSources(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const watcher = this.store.add(workspace.createFileSystemWatcher('**/*.sol'));
    const handleChange = () => this.#builds.handleSourceChange();
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.store.add(event(handleChange));
    // Earlier than the watcher, and also where it reports nothing.
    this.store.add(workspace.onDidSaveTextDocument(handleChange));
  }

  /** What the lines of a transaction cost; without a build in the workspace all of it is of no line. */
  async fetchGas(
    target: TraceTarget,
    { lookup }: Pick<WorkerClient, 'lookup'>,
    signal?: AbortSignal,
  ): Promise<TransactionGas | NoTransactionGas> {
    return fetchTransactionGas((id, input) => lookup(id, input, signal), await this.#load(), target);
  }

  /** The builds of codes, with what they declare; none where the workspace is not trusted. */
  async match(codes: readonly TracedCode[]): Promise<readonly MatchedCode[]> {
    return (await (await this.#load())?.match(codes, true))?.matched ?? [];
  }

  /** Substitutes for codes that were optimized; `null` where the workspace is not trusted, or has no builds. */
  async compileUnoptimized(codes: readonly TracedCode[], run: RunCompiler): Promise<UnoptimizedBuilds | null> {
    const builds = await this.#load();
    return builds === null ? null : compileUnoptimized(builds, codes, run);
  }

  /** The folders around an artifact in its workspace folder, as paths of this machine, the innermost first. */
  listFolders(artifact: string): readonly string[] {
    const parts = artifact.split('/').slice(1, -1);
    return [...parts.keys(), parts.length].flatMap(
      depth =>
        toUri(`${artifact.split('/')[0]}/${parts.slice(0, parts.length - depth).join('/') || '.'}`)?.fsPath ?? [],
    );
  }

  #listArtifacts(): ReadonlyMap<string, string> {
    const versions = new Map<string, string>();
    for (const [uri, version] of this.#artifacts) {
      const path = getOrInsert(this.#paths, uri, () => toPath(Uri.parse(uri)));
      if (path !== null) versions.set(path, version);
    }
    return versions;
  }

  /**
   * The file of a place, or a read-only document where only the build has its text; `null` where the place is not in the
   * workspace and its text is not known.
   */
  toUri({ file, textHash }: Pick<SourceLocation, 'file' | 'textHash'>): Uri | null {
    const built = textHash === undefined ? null : this.#documents.toUri(textHash);
    return built ?? (file === null ? null : toUri(file));
  }

  /** A link of a hover that opens the place; `null` as `toUri`. */
  toLink(location: SourceLocation): string | null {
    const { line, character } = location.start;
    const uri = this.toUri(location);
    if (uri === null) return null;
    // VS Code opens no document of an extension by a link itself.
    if (location.textHash !== undefined)
      return createCommandUri(hoverCommands.openBuiltSource, [location.textHash, line, character]);
    return uri.with({ fragment: `L${line + 1},${character + 1}` }).toString();
  }
}
