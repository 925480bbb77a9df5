// Blocks that the user named, to see later what changed since: only where the chain still has them.
import type { Memento } from 'vscode';
import { isObject } from '../../base/isObject.ts';
import { createClient } from '../../client/client.ts';
import type { FeatureDeps } from '../featureDeps.ts';

export interface Snapshot {
  readonly name: string;
  readonly block: number;
  /** Of the block: a chain that was reset has another one at its number. */
  readonly hash: string;
}

/** Of one chain; older ones are forgotten. */
const MAX_SNAPSHOTS = 10;

const isSnapshot = (value: unknown): value is Snapshot =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  Number.isSafeInteger(value['block']) &&
  typeof value['hash'] === 'string';

export class Snapshots {
  readonly #state: Memento;
  readonly #worker: FeatureDeps['worker'];

  constructor({ workspaceState, worker }: Pick<FeatureDeps, 'workspaceState' | 'worker'>) {
    this.#state = workspaceState;
    this.#worker = worker;
  }

  /** The newest first. */
  async list(chain: string, newest: number): Promise<readonly Snapshot[]> {
    const known = this.#read(chain).filter(({ block }) => block <= newest);
    const hashes = await Promise.all(known.map(({ block }) => this.#fetchHash(chain, block).catch(() => null)));
    return known.filter(({ hash }, index) => hashes[index] === hash);
  }

  /** Another one of this name is replaced. */
  async add(chain: string, name: string, block: number): Promise<void> {
    const hash = await this.#fetchHash(chain, block);
    const others = this.#read(chain).filter(each => each.name !== name);
    await this.#state.update(toKey(chain), [{ name, block, hash }, ...others].slice(0, MAX_SNAPSHOTS));
  }

  #read(chain: string): readonly Snapshot[] {
    const stored = this.#state.get<unknown>(toKey(chain));
    return Array.isArray(stored) ? stored.filter(isSnapshot) : [];
  }

  async #fetchHash(chain: string, block: number): Promise<string> {
    return (await createClient(this.#worker.transport).block({ chain, block })).hash ?? '';
  }
}

const toKey = (chain: string): string => `hexlens.snapshots.${chain}`;
