// What was read of a chain once and need not be asked again: times of blocks, bounded in size.
import type { Hex } from '../../base/hex.ts';

/** Of small values: 3 MB for the two of a node together. */
const MOST_ENTRIES = 10_000;

/** A map that forgets its oldest entries. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= MOST_ENTRIES) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      break;
    }
  }
}

export interface NodeCache {
  /** Time by block hash: true for good, whatever happens to the chain. */
  readonly timeByHash: BoundedMap<Hex, Date>;
  /** Time in seconds by height, below the finalized block only. */
  readonly timeByNumber: BoundedMap<number, number>;
  /** Most blocks that the node lets one `eth_getLogs` span, once it has said so. */
  maxLogRange: number | null;
  /** Whether `eth_getBalance` takes a block hash (EIP-1898); `null` until tried. */
  takesBlockHash: boolean | null;
}

export function createNodeCache(): NodeCache {
  return { timeByHash: new BoundedMap(), timeByNumber: new BoundedMap(), maxLogRange: null, takesBlockHash: null };
}
