// The functions of a contract on a chain: of the workspace's ABIs behind it, and of the interfaces that it has.
import type { TokenSummary } from '../../api/lookups.ts';
import { isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { AbiItem } from '../../decode/abiItem.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import {
  getReadOnlyFunctions,
  mergeReadOnlyFunctions,
  mergeWritingFunctions,
  type ReadOnlyInterface,
} from '../../decode/readOnlyFunctions.ts';
import type { IdentifiedContract } from '../../view/contractBuild.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { getArtifactIds } from './identifyContract.ts';

export interface ContractFunctionsDeps {
  readonly lookup: WorkerClient['lookup'];
  loadAbis(): Promise<AbiRegistry>;
  identify(chain: string, address: Hex, signal?: AbortSignal): Promise<IdentifiedContract | null>;
}

export interface ContractFunctions {
  /** Read-only ones: of its own ABI, then of an implementation, then of the proxy, then of well-known interfaces. */
  readonly functions: readonly AbiItem[];
  /** Those that change the state of the chain. */
  readonly writes: readonly AbiItem[];
  /** In which the contract's own ABIs decide where several declare the same error. */
  readonly registry: AbiRegistry;
}

const TOKEN_INTERFACES: Readonly<Record<TokenSummary['standard'], ReadOnlyInterface>> = {
  ERC20: 'ERC-20',
  ERC721: 'ERC-721',
  ERC1155: 'ERC-1155',
};

const isKnownProxy = (kind: string | undefined): kind is 'Safe' | 'ERC-2535' => kind === 'Safe' || kind === 'ERC-2535';

/** Sends the address to the chain's node: only where it may be looked up. */
export async function findContractFunctions(
  chain: string,
  address: Hex,
  { lookup, loadAbis, identify }: ContractFunctionsDeps,
  signal?: AbortSignal,
): Promise<ContractFunctions> {
  const [registry, contract, token] = await Promise.all([
    loadAbis(),
    identify(chain, address, signal),
    lookup('tokenUnit', { chain, address }, signal),
  ]);
  const found = contract ?? (await lookup('contractCode', { chain, address }, signal).catch(rethrowCancelled));
  const proxyKind = found?.proxy?.kind;
  const builds = [...(contract?.implementations ?? []), ...(contract === null ? [] : [contract])];
  const abiIds = contract?.abiIds ?? registry.idsOf(chain, address);
  // Several artifacts may hold the same contract.
  const declared = [...abiIds, ...builds.flatMap(({ build }) => build?.ids.slice(0, 1) ?? [])].map(registry.items);
  return {
    functions: mergeReadOnlyFunctions([
      ...declared,
      ...(isKnownProxy(proxyKind) ? [getReadOnlyFunctions(proxyKind)] : []),
      ...(token.standard === null ? [] : [getReadOnlyFunctions(TOKEN_INTERFACES[token.standard])]),
    ]),
    writes: mergeWritingFunctions(declared),
    registry: registry.prefer(contract === null ? new Set(abiIds) : getArtifactIds(contract)),
  };
}

function rethrowCancelled(error: unknown): null {
  if (isFault(error, 'cancelled')) throw error;
  return null; // without its code, a contract has the functions of its interfaces
}
