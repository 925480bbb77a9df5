// When a chain of this machine was reset: hashes from before are gone.
import type { Memento } from 'vscode';
import type { ChainStatus } from '../../api/lookups.ts';
import type { WorkerClient } from './workerClient.ts';

interface KnownGenesis {
  readonly hash: string;
  /** Milliseconds; `null` while no other one has been seen. */
  readonly resetAt: number | null;
}

/** Where the genesis blocks of a workspace are stored. */
const GENESIS_KEY = 'hexlens.genesisBlocks';

/** Remembers the first block of each chain of this machine from every status that is read of it. */
export class ChainResets {
  readonly #state: Memento;
  readonly #worker: Pick<WorkerClient, 'lookup'>;

  constructor(state: Memento, worker: Pick<WorkerClient, 'lookup' | 'onDidReadStatus'>) {
    this.#state = state;
    this.#worker = worker;
    // Where the workspace cannot be written to, the next status tries again.
    worker.onDidReadStatus(status => void this.#note(status, Date.now()).catch(() => {}));
  }

  /** When another genesis block was seen first; `null` when there was none. Asks the node. */
  async getResetTime(chain: string, now: number, signal?: AbortSignal): Promise<number | null> {
    return this.#note(await this.#worker.lookup('chainStatus', { chain }, signal), now);
  }

  async #note({ selector, genesisHash }: ChainStatus, now: number): Promise<number | null> {
    const all = this.#state.get<Readonly<Record<string, KnownGenesis>>>(GENESIS_KEY, {});
    const known = Object.hasOwn(all, selector) ? all[selector] : undefined;
    if (genesisHash === undefined || known?.hash === genesisHash) return known?.resetAt ?? null;
    const resetAt = known === undefined ? null : now;
    await this.#state.update(GENESIS_KEY, { ...all, [selector]: { hash: genesisHash, resetAt } });
    return resetAt;
  }
}
