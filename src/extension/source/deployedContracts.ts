// Which of the known deployments run a contract of the workspace's builds, on the chains that may be asked.
import type { Event, Uri } from 'vscode';
import type { ContractDeclarations } from '../../api/contractDeclarations.ts';
import type { ContractCode } from '../../api/lookups.ts';
import type { ContractBuild } from '../../api/transactionStack.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, toLowerHex } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { CallGraph } from '../../decode/source/callGraph.ts';
import { SourceText } from '../../decode/source/sourceText.ts';
import { detectLiterals } from '../../detect/detectLiterals.ts';
import { checkDisclosure, TYPED } from '../../view/checkDisclosure.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import type { KnownDeployment, KnownDeployments } from './knownDeployments.ts';

/** Of one chain that are compared with the builds. */
const MAX_DEPLOYMENTS = 100;
const CONCURRENT_REQUESTS = 16;

/** A contract of a chain whose code is that of a build of the workspace. */
export interface DeployedContract {
  readonly chain: string;
  /** Of the proxy where the code runs behind one. */
  readonly address: Hex;
  readonly name: string;
  readonly code: Hex;
  readonly build: ContractBuild;
  /** Sources of the build were edited since. */
  readonly isChanged: boolean;
  readDeclarations(): Promise<ContractDeclarations | null>;
}

/** A deployment that is only looked for when the user asks for it. */
export interface UnaskedDeployment extends KnownDeployment {
  readonly chain: string;
}

/** A deployment on a chain that may be asked for it. */
export interface AskedDeployment extends KnownDeployment {
  readonly chain: string;
}

export interface SelectedDeployments {
  readonly asked: readonly AskedDeployment[];
  /** Those with the name of the contract. */
  readonly unasked: readonly UnaskedDeployment[];
}

export interface FoundDeployments {
  readonly contracts: readonly DeployedContract[];
  /** Those with the name of the contract whose code is of no build: it was built again since. */
  readonly different: readonly AskedDeployment[];
  readonly unasked: readonly UnaskedDeployment[];
}

export interface DeployedContractsDeps extends Pick<FeatureDeps, 'settings' | 'abis' | 'worker'> {
  readonly deployments: KnownDeployments;
  /** Whether the user has asked for this address on this chain. */
  isAllowed(chain: string, address: string): boolean;
}

/** `file contract` of the contract and all its bases, in the files of the workspace. */
function listContracts(build: ContractBuild, toUri: (file: string) => Uri | null): ReadonlySet<string> {
  const sources = build.sources.flatMap(source => (source.text === null ? [] : [new SourceText(source, source.text)]));
  const own = sources.find(({ built }) => built.path === build.path);
  const contract = own?.outline.contracts.find(({ name }) => name === build.name);
  if (contract === undefined) return new Set();
  const { linearized } = new CallGraph(contract, sources);
  return new Set(
    linearized.flatMap(each => {
      const file = sources.find(({ outline }) => outline.contracts.includes(each))?.built.file ?? null;
      const uri = file === null ? null : toUri(file);
      return uri === null ? [] : [`${uri.toString()} ${each.name}`];
    }),
  );
}

/** `Vault`, `Vault (2)`: as tools name deployments of a contract. */
export const isNamedAfter = (name: string, contract: string): boolean =>
  name === contract || name.startsWith(`${contract} (`);

export class DeployedContracts {
  readonly #deps: DeployedContractsDeps;
  /** The contracts that a build consists of. */
  readonly #contracts = new WeakMap<ContractBuild, ReadonlySet<string>>();

  constructor(deps: DeployedContractsDeps) {
    this.#deps = deps;
  }

  get onDidChange(): Event<void> {
    return this.#deps.deployments.onDidChange;
  }

  /** All that may be asked for, on all chains that hovers read, and those of the contract that need a click. */
  async list(contract: string, signal: AbortSignal): Promise<SelectedDeployments> {
    const known = await this.#deps.deployments.list();
    if (known.length === 0) return { asked: [], unasked: [] };
    const selected = await Promise.all(this.#chains().map(each => this.#select(each, known, signal)));
    return {
      asked: selected.flatMap(({ chain, asked }) => asked.map(each => ({ ...each, chain }))),
      unasked: selected.flatMap(({ unasked }) => unasked).filter(({ name }) => isNamedAfter(name, contract)),
    };
  }

  #chains(): readonly ConfiguredChain[] {
    const enabled = this.#deps.settings.current().hover.chains;
    return this.#deps.worker.chains().filter(({ selector }) => enabled === null || enabled.includes(selector));
  }

  /** Those of a chain that may be asked for, and those that need a click. */
  async #select(
    { selector: chain, isOnLoopback }: ConfiguredChain,
    known: readonly KnownDeployment[],
    signal: AbortSignal,
  ) {
    const byAddress = new Map<string, KnownDeployment>();
    for (const each of known) {
      const isOfChain = each.chains.length === 0 ? isOnLoopback : each.chains.includes(chain);
      if (isOfChain && !byAddress.has(each.address)) byAddress.set(each.address, each);
    }
    const isLocal = isOnLoopback && (await this.#deps.worker.identifyChain(chain, signal)).isLocal;
    const all = [...byAddress.values()].slice(0, MAX_DEPLOYMENTS);
    const asked = all.filter(({ address }) => this.#mayAsk(chain, address, isLocal));
    return { chain, asked, unasked: all.filter(each => !asked.includes(each)).map(each => ({ ...each, chain })) };
  }

  /** Those that run the contract of this file and name, or one that is derived from it. */
  async find(file: Uri, contract: string, signal: AbortSignal): Promise<FoundDeployments> {
    const { asked, unasked } = await this.list(contract, signal);
    const found = await mapConcurrently(asked, CONCURRENT_REQUESTS, each =>
      this.#identify(each.chain, each, file, contract, signal).catch(error => {
        if (isFault(error, 'cancelled')) throw error;
        return 'other' as const; // without its code, an address is no deployment
      }),
    );
    return {
      contracts: found.filter(each => typeof each !== 'string'),
      different: asked.filter(({ name }, index) => found[index] === 'noBuild' && isNamedAfter(name, contract)),
      unasked,
    };
  }

  /** Chains of this machine without a click, all others only by one. */
  #mayAsk(chain: string, address: Hex, isLocal: boolean): boolean {
    const isUserRequested = this.#deps.isAllowed(chain, address);
    if (!isLocal && !isUserRequested) return false;
    const [literal] = detectLiterals(address);
    return literal !== undefined && checkDisclosure(literal, { isLocal, isUserRequested }, TYPED).decision === 'yes';
  }

  /** `null` where the address does not run the contract of the file, or one that is derived from it. */
  async identify(
    chain: string,
    deployment: KnownDeployment,
    file: Uri,
    contract: string,
    signal: AbortSignal,
  ): Promise<DeployedContract | null> {
    const found = await this.#identify(chain, deployment, file, contract, signal);
    return typeof found === 'string' ? null : found;
  }

  /** `noBuild`: there is code, and nothing of it is of a build of the workspace. */
  async #identify(
    chain: string,
    { address, name }: KnownDeployment,
    file: Uri,
    contract: string,
    signal: AbortSignal,
  ): Promise<DeployedContract | 'noBuild' | 'other'> {
    const fetchCode = (of: Hex): Promise<ContractCode> =>
      this.#deps.worker.lookup('contractCode', { chain, address: toLowerHex(of) }, signal);
    const { code, proxy } = await fetchCode(address);
    const codes = [code, ...(await Promise.all((proxy?.implementations ?? []).map(fetchCode))).map(each => each.code)];
    const sources = await this.#deps.abis.sources();
    let hasBuild = false;
    for (const each of codes) {
      const found = each === null || each === '0x' ? null : await sources.findBuild(each);
      if (each === null || found === null) continue;
      hasBuild = true;
      const contracts =
        this.#contracts.get(found.build) ?? listContracts(found.build, path => sources.toUri({ file: path }));
      this.#contracts.set(found.build, contracts);
      if (!contracts.has(`${file.toString()} ${contract}`)) continue;
      const isChanged = found.build.sources.some(source => source.isChanged);
      return { chain, address, name, code: each, build: found.build, isChanged, readDeclarations: found.declarations };
    }
    return hasBuild || code === null || code === '0x' ? 'other' : 'noBuild';
  }
}
