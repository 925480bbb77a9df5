// A line above each contract in Solidity: where it is deployed, and whether that is the workspace's build.

import {
  type CancellationToken,
  CodeLens,
  type CodeLensProvider,
  EventEmitter,
  l10n,
  Range,
  type TextDocument,
  Uri,
  workspace,
} from 'vscode';
import { Owner } from '../../base/disposable.ts';
import { type Hex, toLowerHex } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { commandIds } from '../../manifest/commands.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import { type FoundBuild, formatBuildState, formatCopy, type IdentifiedContract } from '../../view/contractBuild.ts';
import {
  formatDeployments,
  formatFunctionDifference,
  formatUnknownDifference,
  type ShownDeployment,
} from '../../view/source/deploymentLens.ts';
import { findSource } from '../abi/findSource.ts';
import { identifyContract } from '../abi/identifyContract.ts';
import { unlessCancelled, withAbortSignal } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { type AskedDeployment, type DeployedContracts, isNamedAfter } from './deployedContracts.ts';
import type { DocumentOutlines } from './documentOutlines.ts';

export interface DeploymentLensesDeps extends Pick<FeatureDeps, 'abis' | 'worker'> {
  readonly contracts: DeployedContracts;
  readonly outlines: DocumentOutlines;
}

const CONCURRENT_REQUESTS = 16;

class ContractLens extends CodeLens {
  readonly document: TextDocument;
  readonly contract: string;

  constructor(range: Range, document: TextDocument, contract: string) {
    super(range);
    this.document = document;
    this.contract = contract;
  }
}

interface FoundDeployment extends ShownDeployment {
  readonly chain: string;
}

export class DeploymentLenses extends Owner implements CodeLensProvider<ContractLens> {
  readonly #deps: DeploymentLensesDeps;
  readonly #changed = this.store.add(new EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(deps: DeploymentLensesDeps) {
    super();
    this.#deps = deps;
    for (const event of [deps.abis.onDidChange, deps.worker.onDidChangeConnections, deps.contracts.onDidChange])
      this.store.add(event(() => this.#changed.fire()));
  }

  async provideCodeLenses(document: TextDocument, token: CancellationToken): Promise<ContractLens[]> {
    if (workspace.getWorkspaceFolder(document.uri) === undefined) return [];
    const parsed = await this.#deps.outlines.getAfterTyping(document, token);
    if (parsed === null) return [];
    return parsed.outline.contracts
      .filter(({ kind, isAbstract }) => kind !== 'interface' && !isAbstract)
      .map(({ start, name }) => {
        const at = parsed.toPosition(start);
        return new ContractLens(new Range(at, at), document, name);
      });
  }

  resolveCodeLens(lens: ContractLens, token: CancellationToken): Promise<ContractLens> {
    return withAbortSignal(token, signal => unlessCancelled(this.#resolve(lens, signal), lens));
  }

  async #resolve(lens: ContractLens, signal: AbortSignal): Promise<ContractLens> {
    const { asked, unasked } = await this.#deps.contracts.list(lens.contract, signal);
    const found = await mapConcurrently(asked, CONCURRENT_REQUESTS, each => this.#identify(each, lens, signal));
    const shown = found.filter(each => each !== null);
    const [first] = shown;
    const target = first && { kind: 'address', chain: first.chain, address: first.address };
    lens.command = {
      title: formatDeployments(shown, unasked.length),
      command: target === undefined ? '' : commandIds.inspect,
      ...(target !== undefined && { arguments: [target], tooltip: l10n.t('Inspect') }),
    };
    return lens;
  }

  /** `null` where the address is not this contract. */
  async #identify(
    { chain, address, name }: AskedDeployment,
    { document, contract }: ContractLens,
    signal: AbortSignal,
  ): Promise<FoundDeployment | null> {
    const { abis, worker } = this.#deps;
    // A build that is not the same is recognized by the contract's name, which tools record.
    const book = { getName: () => contract };
    const found = await identifyContract(chain, address, { abis, worker, book }, signal);
    const build = chooseBuild(found, name, contract);
    if (build === null || (await findSource(build))?.uri.toString() !== document.uri.toString()) return null;
    const isEdited = document.isDirty || (await this.#isEdited(chain, address, document, contract, signal));
    const target = found?.implementations.find(each => each.build === build)?.address ?? address;
    const state = await this.#describeState(chain, target, build, signal);
    return { chain, address, name, chainTitle: findConfiguredTitle(worker.chains(), chain), state, isEdited };
  }

  /** `your build`, or the functions in which the build differs from it, where the build has lines. */
  async #describeState(chain: string, address: Hex, build: FoundBuild, signal: AbortSignal): Promise<string> {
    const { difference: size, copy, ids } = build;
    const [artifact] = size === null ? (copy?.ownIds ?? []) : ids;
    if (artifact === undefined) return formatBuildState(build);
    const { code } = await this.#deps.worker.lookup('contractCode', { chain, address: toLowerHex(address) }, signal);
    const sources = code === null ? null : await this.#deps.abis.sources();
    const difference = code === null ? null : ((await sources?.compareFunctions(Uri.parse(artifact), code)) ?? null);
    if (difference === null || difference.different.length === 0)
      return formatUnknownDifference(formatBuildState(build));
    const text = formatFunctionDifference(difference);
    return copy === null ? text : l10n.t('{0}; your build {1}', formatCopy(copy), text);
  }

  /** Whether files of the build were edited since. */
  async #isEdited(
    chain: string,
    address: AskedDeployment['address'],
    document: TextDocument,
    contract: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { contracts } = this.#deps;
    return (
      (await contracts.identify(chain, { address, name: '', chains: [] }, document.uri, contract, signal))
        ?.isChanged === true
    );
  }
}

/** A build of this contract; one that differs only where the deployment has the name of the contract, since any code differs from it. */
function chooseBuild(found: IdentifiedContract | null, name: string, contract: string): FoundBuild | null {
  if (found === null) return null;
  const behind = found.implementations.map(({ build }) => build);
  const builds = [...behind, found.build].filter(build => build?.name === contract);
  const same = builds.find(build => build?.difference === null) ?? null;
  if (same !== null) return same;
  // What a proxy itself runs says nothing of the contract behind it.
  const [differs = null] = isNamedAfter(name, contract)
    ? builds.filter(build => behind.length === 0 || behind.includes(build))
    : [];
  return differs;
}
