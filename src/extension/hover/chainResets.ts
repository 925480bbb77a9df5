// When a chain of this machine was reset: hashes from before are gone.
import type { Memento } from 'vscode';
import type { WorkerClient } from '../worker/workerClient.ts';

interface KnownGenesis {
  readonly hash: string;
  /** Milliseconds; `null` while no other one has been seen. */
  readonly resetAt: number | null;
}

/** Where the genesis blocks of a workspace are stored. */
const GENESIS_KEY = 'hexlens.genesisBlocks';

export class ChainResets {
  readonly #state: Memento;
  readonly #lookup: WorkerClient['lookup'];

  constructor(state: Memento, lookup: WorkerClient['lookup']) {
    this.#state = state;
    this.#lookup = lookup;
  }

  /** When another genesis block was seen first; `null` when there was none. Asks the node. */
  async getResetTime(chain: string, now: number, signal?: AbortSignal): Promise<number | null> {
    const { genesisHash } = await this.#lookup('chainStatus', { chain }, signal);
    const all = this.#state.get<Readonly<Record<string, KnownGenesis>>>(GENESIS_KEY, {});
    const known = Object.hasOwn(all, chain) ? all[chain] : undefined;
    if (genesisHash === undefined || known?.hash === genesisHash) return known?.resetAt ?? null;
    const resetAt = known === undefined ? null : now;
    await this.#state.update(GENESIS_KEY, { ...all, [chain]: { hash: genesisHash, resetAt } });
    return resetAt;
  }
}
