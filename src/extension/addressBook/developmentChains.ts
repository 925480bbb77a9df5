// On which development nodes imported contracts are: files of tools have the chain id alone, which several nodes may share.
import type { Entry } from '../../addressBook/entry.ts';
import { LOCAL_CHAIN, toHexChainId } from '../../api/chains.ts';
import type { Hex } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

type Worker = Pick<WorkerClient, 'chains' | 'lookup'>;

/** The ids of development chains by the selectors that imports have for them. */
const CHAIN_IDS: Readonly<Record<string, number>> = { [LOCAL_CHAIN]: 31337, [toHexChainId(1337)]: 1337 };

const CONCURRENT_REQUESTS = 8;
/** More contracts are not looked for on each of the nodes. */
const MAX_CONTRACTS = 200;

const hasDevelopmentChain = ({ chains }: Entry): boolean => chains.some(chain => Object.hasOwn(CHAIN_IDS, chain));

/** Selectors of the development nodes that respond, by chain id. */
async function listNodes({ chains, lookup }: Worker): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = await Promise.all(
    chains().map(async ({ selector, isOnLoopback }) => {
      const status = isOnLoopback ? await lookup('chainStatus', { chain: selector }).catch(() => null) : null;
      return status?.isLocal === true && status.chain !== null ? [{ selector, id: status.chain.id }] : [];
    }),
  );
  const nodes = Map.groupBy(found.flat(), ({ id }) => id);
  return new Map([...nodes].map(([id, all]) => [id, all.map(({ selector }) => selector)]));
}

async function hasCode(chain: string, address: string, { lookup }: Worker): Promise<boolean> {
  const found = await lookup('contractCode', { chain, address: address as Hex }).catch(() => null);
  return found !== null && found.code !== null && found.code !== '0x';
}

/** The entries on the nodes that have them: of several nodes of one chain id, those where the contract has code. */
export async function findDevelopmentChains(entries: readonly Entry[], worker: Worker): Promise<readonly Entry[]> {
  if (!entries.some(hasDevelopmentChain)) return entries;
  const nodes = await listNodes(worker);
  let contracts = 0;
  const findChains = async (chain: string, { address, kind }: Entry): Promise<readonly string[]> => {
    const candidates = nodes.get(CHAIN_IDS[chain] ?? 0) ?? [];
    if (candidates.length < 2) return candidates.length === 0 ? [chain] : candidates;
    if (kind === 'wallet' || contracts++ >= MAX_CONTRACTS) return [chain];
    const having = await Promise.all(candidates.map(one => hasCode(one, address, worker)));
    const found = candidates.filter((_, index) => having[index]);
    return found.length === 0 ? [chain] : found;
  };
  return mapConcurrently(entries, CONCURRENT_REQUESTS, async entry => {
    const chains = await Promise.all(entry.chains.map(chain => findChains(chain, entry)));
    return { ...entry, chains: [...new Set(chains.flat())] };
  });
}
