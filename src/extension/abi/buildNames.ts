// Names that contracts have in the workspace's build or in what a tool has deployed, for addresses without a saved name.
import type { Hex } from '../../base/hex.ts';
import { isAddress } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { type FoundBuild, getRunningBuild, type IdentifiedContract } from '../../view/contractBuild.ts';
import { isMinedHere } from '../worker/configuredChains.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { type IdentifyContractDeps, identifyContract } from './identifyContract.ts';

export interface BuildNamesDeps {
  identify(chain: string, address: Hex, signal?: AbortSignal): Promise<IdentifiedContract | null>;
  /** Whether the block, or all of the chain, is of this machine: asking the node for the code of each address is free and tells no one else. */
  isMinedHere(chain: string, block: number | null): boolean;
  now(): number;
  /** An address has another name than before. */
  onChange(chain: string, address: Hex): void;
  /** Names of the chain have changed after `learn` had resolved: what is shown has none of them. */
  onLate?(chain: string): void;
}

interface KnownName {
  readonly name: string | null;
  readonly learnedAt: number;
}

const MAX_NAMES = 10_000;
const MAX_ADDRESSES_AT_ONCE = 200;
const CONCURRENT_REQUESTS = 8;
/** A page does not wait longer for names. */
const MAX_WAIT_MS = 600;
/** A proxy may be upgraded, and a development chain started again. */
const MAX_AGE_MS = 10_000;

/** `Vault (build)`, `Vault (Ignition)`; `null` where the code is not the same. */
function formatName({ name, difference, copy }: FoundBuild, isProxy: boolean): string | null {
  if (difference !== null || (copy !== null && copy.tool === null)) return null;
  const origin = copy?.tool ?? t('build');
  return isProxy ? t('{0} (proxy, {1})', name, origin) : `${name} (${origin})`;
}

export class BuildNames {
  readonly #deps: BuildNamesDeps;
  /** By chain and address in lower case. */
  readonly #names = new Map<string, KnownName>();

  constructor(deps: BuildNamesDeps) {
    this.#deps = deps;
  }

  get(address: string, chain: string): string | null {
    return this.#names.get(getKey(chain, address))?.name ?? null;
  }

  /** What is known is learned again: artifacts or nodes have changed. */
  clear(): void {
    this.#names.clear();
  }

  /** The name of a contract that was identified for another reason. Returns whether it is another one than before. */
  add(chain: string, contract: IdentifiedContract): boolean {
    const build = getRunningBuild(contract);
    const isProxy = build !== null && build !== contract.build;
    return this.#set(chain, contract.address, build === null ? null : formatName(build, isProxy));
  }

  /**
   * Identifies the addresses of a chain of this machine, or of a block that was mined here. Resolves when that is done, or
   * takes too long: the rest follows in the background. Never rejects.
   */
  async learn(
    chain: string,
    addresses: Iterable<string>,
    signal?: AbortSignal,
    block: number | null = null,
  ): Promise<void> {
    if (!this.#deps.isMinedHere(chain, block)) return;
    const isOutdated = (address: string) => {
      const known = this.#names.get(getKey(chain, address));
      return known === undefined || this.#deps.now() - known.learnedAt > MAX_AGE_MS;
    };
    const wanted = [...new Set(addresses)].filter(isAddress).filter(isOutdated).slice(0, MAX_ADDRESSES_AT_ONCE);
    if (wanted.length === 0) return;
    const limit = AbortSignal.timeout(MAX_WAIT_MS);
    let hasLateName = false;
    const learned = mapConcurrently(wanted, CONCURRENT_REQUESTS, async address => {
      if (signal?.aborted) return;
      const contract = await this.#deps.identify(chain, address, signal).catch(() => null);
      // What its node could not tell now it may tell the next time.
      if (contract !== null && this.add(chain, contract)) hasLateName ||= limit.aborted;
    }).then(() => {
      if (hasLateName) this.#deps.onLate?.(chain);
    });
    const late = new Promise<void>(resolve => {
      limit.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([learned, late]);
  }

  /** Whether that is another name than before. */
  #set(chain: string, address: Hex, name: string | null): boolean {
    const key = getKey(chain, address);
    const before = this.#names.get(key)?.name ?? null;
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(key, { name, learnedAt: this.#deps.now() });
    if (name !== before) this.#deps.onChange(chain, address);
    return name !== before;
  }
}

type NamedContractDeps = IdentifyContractDeps & { readonly worker: Pick<WorkerClient, 'chains'> };

/** Names by the artifacts of the workspace; `onChange` and `onLate` as in `BuildNamesDeps`. */
export const createBuildNames = (
  deps: NamedContractDeps,
  onChange: BuildNamesDeps['onChange'],
  onLate: (chain: string) => void = () => {},
): BuildNames =>
  new BuildNames({
    identify: (on, address, signal) => identifyContract(on, address, deps, signal),
    isMinedHere: (on, block) => deps.worker.chains().some(each => each.selector === on && isMinedHere(each, block)),
    now: () => Date.now(),
    onChange,
    onLate,
  });

/** The names of these addresses by the build, for what is shown once. Never rejects. */
export async function learnBuildNames(
  chain: string,
  addresses: Iterable<string>,
  deps: NamedContractDeps,
  signal?: AbortSignal,
  block: number | null = null,
): Promise<(address: string) => string | null> {
  const names = createBuildNames(deps, () => {});
  await names.learn(chain, addresses, signal, block);
  return address => names.get(address, chain);
}

const getKey = (chain: string, address: string): string => `${chain} ${address.toLowerCase()}`;
