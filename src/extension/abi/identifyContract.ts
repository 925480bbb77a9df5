// Which contract of the workspace a contract on a chain is, and which are behind it where it is a proxy.
import { isFault } from '../../base/errors.ts';
import { type Hex, isAddress, toLowerHex } from '../../base/hex.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import type { DecodedItems } from '../../decode/decodeAbi.ts';
import type { IdentifiedContract } from '../../view/contractBuild.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { AbiProvider } from './abiProvider.ts';

export interface IdentifyContractDeps {
  readonly worker: Pick<WorkerClient, 'lookup'>;
  readonly abis: Pick<AbiProvider, 'builds' | 'load'>;
  readonly book: Pick<AddressBook, 'getName'>;
}

/** Facets of a diamond that are compared with the workspace. */
const MAX_IMPLEMENTATIONS = 16;

/**
 * Sends the address to the chain's node: only where it may be looked up. `null` without ABIs in the workspace, and where
 * the node cannot tell.
 */
export async function identifyContract(
  chain: string,
  address: Hex,
  { worker, abis, book }: IdentifyContractDeps,
  signal?: AbortSignal,
): Promise<IdentifiedContract | null> {
  const registry = await abis.load();
  if (registry.size === 0) return null;
  const fetchCode = (of: Hex) => worker.lookup('contractCode', { chain, address: toLowerHex(of) }, signal);
  const builds = await abis.builds();
  try {
    const { code, proxy, delegate, targetCodes } = await fetchCode(address);
    const fetchTargetCode = async (of: Hex) => targetCodes?.[of] ?? (await fetchCode(of)).code;
    const find = async (of: Hex, ofCode: Hex | null) => {
      const build = ofCode === null ? null : await builds.find(ofCode, book.getName(of, chain));
      const block = build?.copy ? await builds.findCreationBlock(build, of) : null;
      if (!build?.copy || block === null) return build;
      const found = await worker.lookup('blockSummary', { chain, block }, signal);
      const deployedAt = found.kind === 'block' ? found.time.getTime() : null;
      return { ...build, copy: { ...build.copy, deployedAt } };
    };
    const targets = [...(delegate === null ? [] : [delegate]), ...(proxy?.implementations ?? [])];
    const [build, implementations] = await Promise.all([
      delegate === null ? find(address, code) : null,
      Promise.all(
        targets
          .slice(0, MAX_IMPLEMENTATIONS)
          .map(async target => ({ address: target, build: await find(target, await fetchTargetCode(target)) })),
      ),
    ]);
    const abiIds = [address, ...targets].flatMap(one => registry.idsOf(chain, one));
    return { address, build, proxy, implementations, abiIds };
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return null; // without its code, a contract is shown as before
  }
}

/** The files whose ABIs the contract has: its own and those of its implementations. */
export const getArtifactIds = ({ build, implementations, abiIds }: IdentifiedContract): ReadonlySet<string> =>
  new Set([
    ...abiIds,
    ...[build, ...implementations.map(({ build: inner }) => inner)].flatMap(found => found?.ids ?? []),
  ]);

/**
 * The ABIs for what a contract emitted or was called with, which `decode` decodes. Its own ABI decides; where that is not
 * known, and ABIs of the workspace disagree, those of its build, or of what is behind the proxy, decide.
 */
export async function findContractRegistry(
  chain: string,
  address: string | null,
  registry: AbiRegistry,
  identify: (chain: string, address: Hex) => Promise<IdentifiedContract | null>,
  decode: (registry: AbiRegistry) => DecodedItems,
): Promise<AbiRegistry> {
  if (!isAddress(address)) return registry;
  const isDeclaredIn = (ids: readonly string[], items: DecodedItems) =>
    items.some(({ item }) => ids.some(id => registry.items(id).includes(item)));
  const ids = registry.idsOf(chain, address);
  const own = registry.prefer(new Set(ids));
  const items = decode(own);
  if (isDeclaredIn(ids, items)) return own;
  const ofContracts = registry.contractIds();
  const isAmbiguous = items.length > 1 && items.every(({ isFromWorkspace }) => isFromWorkspace);
  // The ABI may be of an implementation: the node knows.
  const canBeBehind = () => isDeclaredIn(ofContracts, decode(registry.prefer(new Set(ofContracts))));
  if (!isAmbiguous && (ofContracts.length === 0 || !canBeBehind())) return own;
  const contract = await identify(chain, address).catch(() => null);
  return contract === null ? own : registry.prefer(getArtifactIds(contract));
}

/** Decodes what a contract emitted or was called with, by the ABIs of `findContractRegistry`. */
export async function decodeOfContract(
  chain: string,
  address: string | null,
  registry: AbiRegistry,
  identify: (chain: string, address: Hex) => Promise<IdentifiedContract | null>,
  decode: (registry: AbiRegistry) => DecodedItems,
): Promise<DecodedItems> {
  return decode(await findContractRegistry(chain, address, registry, identify, decode));
}
