// Which of the known deployments run a contract of the workspace's builds, on the chains that may be asked.
import type { Uri } from 'vscode';
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
import type { AbiProvider } from '../abi/abiProvider.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
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

export interface FoundDeployments {
  readonly contracts: readonly DeployedContract[];
  readonly unasked: readonly UnaskedDeployment[];
}

export interface DeployedContractsDeps {
  readonly worker: WorkerClient;
  readonly abis: AbiProvider;
  readonly settings: SettingsSource;
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

export class DeployedContracts {
  readonly #deps: DeployedContractsDeps;
  /** The contracts that a build consists of. */
  readonly #contracts = new WeakMap<ContractBuild, ReadonlySet<string>>();

  constructor(deps: DeployedContractsDeps) {
    this.#deps = deps;
  }

  /** Those that run the contract of this file and name, or one that is derived from it. */
  async find(file: Uri, contract: string, signal: AbortSignal): Promise<FoundDeployments> {
    const { settings, worker, deployments } = this.#deps;
    const known = await deployments.list();
    if (known.length === 0) return { contracts: [], unasked: [] };
    const enabled = settings.current().hover.chains;
    const chains = worker.chains().filter(({ selector }) => enabled === null || enabled.includes(selector));
    const found = await Promise.all(
      chains.map(({ selector, isOnLoopback }) =>
        this.#findOnChain(selector, isOnLoopback, known, `${file.toString()} ${contract}`, signal),
      ),
    );
    const unasked = found
      .flatMap(each => each.unasked)
      .filter(({ name }) => name === contract || name.startsWith(`${contract} (`));
    return { contracts: found.flatMap(each => each.contracts), unasked };
  }

  async #findOnChain(
    chain: string,
    isOnLoopback: boolean,
    known: readonly KnownDeployment[],
    contract: string,
    signal: AbortSignal,
  ): Promise<FoundDeployments> {
    const byAddress = new Map<string, KnownDeployment>();
    for (const each of known) {
      const isOfChain = each.chains.length === 0 ? isOnLoopback : each.chains.includes(chain);
      if (isOfChain && !byAddress.has(each.address)) byAddress.set(each.address, each);
    }
    const isLocal = isOnLoopback && (await this.#deps.worker.identifyChain(chain, signal)).isLocal;
    const all = [...byAddress.values()].slice(0, MAX_DEPLOYMENTS);
    const asked = all.filter(({ address }) => this.#mayAsk(chain, address, isLocal));
    const unasked = all.filter(each => !asked.includes(each)).map(each => ({ ...each, chain }));
    const contracts = await mapConcurrently(asked, CONCURRENT_REQUESTS, each =>
      this.#identify(chain, each, contract, signal).catch(error => {
        if (isFault(error, 'cancelled')) throw error;
        return null; // without its code, an address is no deployment
      }),
    );
    return { contracts: contracts.filter(each => each !== null), unasked };
  }

  /** Chains of this machine without a click, all others only by one. */
  #mayAsk(chain: string, address: Hex, isLocal: boolean): boolean {
    const isUserRequested = this.#deps.isAllowed(chain, address);
    if (!isLocal && !isUserRequested) return false;
    const [literal] = detectLiterals(address);
    return literal !== undefined && checkDisclosure(literal, { isLocal, isUserRequested }, TYPED).decision === 'yes';
  }

  async #identify(
    chain: string,
    { address, name }: KnownDeployment,
    contract: string,
    signal: AbortSignal,
  ): Promise<DeployedContract | null> {
    const fetchCode = (of: Hex): Promise<ContractCode> =>
      this.#deps.worker.lookup('contractCode', { chain, address: toLowerHex(of) }, signal);
    const { code, proxy } = await fetchCode(address);
    const codes = [code, ...(await Promise.all((proxy?.implementations ?? []).map(fetchCode))).map(each => each.code)];
    const sources = await this.#deps.abis.sources();
    for (const each of codes) {
      const found = each === null || each === '0x' ? null : await sources.findBuild(each);
      if (each === null || found === null) continue;
      const contracts = this.#contracts.get(found.build) ?? listContracts(found.build, file => sources.toUri({ file }));
      this.#contracts.set(found.build, contracts);
      if (!contracts.has(contract)) continue;
      const isChanged = found.build.sources.some(source => source.isChanged);
      return { chain, address, name, code: each, build: found.build, isChanged, readDeclarations: found.declarations };
    }
    return null;
  }
}
