import { workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import { parseAmountToken } from '../../decode/amountTokens.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { isSavedAsContract } from '../../view/hover/savedEntries.ts';
import type { BuildNames } from '../abi/buildNames.ts';
import { identifyContract } from '../abi/identifyContract.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { createLookUpSources } from '../lookUp/lookUpSources.ts';
import { ChainResets } from '../worker/chainResets.ts';
import { fetchEnsName } from '../worker/fetchEnsName.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createDecoder } from './decoder.ts';
import type { ChainPorts, ContractPorts, DataPorts, NamePorts } from './inspectorPorts.ts';

export type DataPortsDeps = Pick<
  FeatureDeps,
  'worker' | 'settings' | 'abis' | 'book' | 'workspaceState' | 'log' | 'records'
>;

const createChainPorts = (worker: WorkerClient, resets: ChainResets): ChainPorts => ({
  transport: worker.transport,
  lookup: worker.lookup,
  chains: worker.chains,
  wasReset: async (chain, signal) =>
    worker.chains().some(({ selector, isOnLoopback }) => selector === chain && isOnLoopback) &&
    (await resets.getResetTime(chain, Date.now(), signal)) !== null,
  onHeadChange: listener => worker.onEvent(event => event.type === 'headChange' && listener(event.chain)),
  onProgress: listener => worker.onEvent(event => event.type === 'progress' && listener(event.progress)),
  pauseTask: task => worker.notify('pauseTask', task),
});

const createNamePorts = ({ worker, settings, abis, book }: DataPortsDeps, buildNames: BuildNames): NamePorts => ({
  getName: (address, chain) =>
    book.getName(address, chain) ?? getWellKnownName(address) ?? buildNames.get(address, chain),
  getSavedName: (address, chain) => book.getName(address, chain) ?? getWellKnownName(address),
  learnNames: (chain, addresses, signal) => buildNames.learn(chain, addresses, signal),
  isSavedContract: (address, chain) =>
    isSavedAsContract(book.findByAddress(address), chain, worker.chains().length === 1),
  fetchEnsName: (summary, chain, signal) => fetchEnsName(summary, chain, { worker, settings }, signal),
  async getNameSources() {
    await book.ready();
    return { saved: book.trustedEntries(), events: (await abis.load()).allEvents(), chains: [] };
  },
});

const createContractPorts = (
  { worker, settings, abis, book }: DataPortsDeps,
  buildNames: BuildNames,
): Omit<ContractPorts, 'decoder'> => ({
  async identify(chain, address, signal) {
    const contract = await identifyContract(chain, address, { worker, abis, book }, signal);
    if (contract !== null) buildNames.add(chain, contract);
    return contract;
  },
  loadAbis: abis.load,
  fetchSource: async (target, signal, options) => (await abis.sources()).fetch(target, worker, signal, options),
  fetchState: async (target, signal) => (await abis.sources()).fetchState(target, worker, signal),
  fetchGas: async (target, signal) => (await abis.sources()).fetchGas(target, worker, signal),
  isWorkspaceTrusted: () => workspace.isTrusted,
  findBuild: async code => (await abis.sources()).findBuild(code),
  addVerifiedAbis: abis.addVerified,
  async getVerifiedHosts(chain) {
    const { verifiedSources } = settings.current();
    if (verifiedSources.length === 0) return [];
    // The service refuses forks too.
    const { isLocal } = await worker.lookup('chainStatus', { chain });
    return isLocal === false ? verifiedSources.map(url => new URL(url).host) : [];
  },
});

export function createDataPorts(deps: DataPortsDeps, buildNames: BuildNames): DataPorts {
  const { worker, abis, log } = deps;
  const names = createNamePorts(deps, buildNames);
  const contracts = createContractPorts(deps, buildNames);
  const decoder = createDecoder({
    current: abis.current,
    load: abis.load,
    getName: names.getName,
    identify: contracts.identify,
    learnNames: (chain, addresses) => buildNames.learn(chain, addresses),
    fetchToken: (token, chain) => {
      const address = parseAmountToken(token).contract as Hex;
      return worker.lookup('tokenUnit', { chain, address }).catch(() => null);
    },
  });
  const lookUpSources = createLookUpSources(deps);
  return {
    ...createChainPorts(worker, new ChainResets(deps.workspaceState, worker)),
    ...names,
    ...contracts,
    decoder,
    lookUpSources,
    log,
    clock: systemClock,
  };
}
