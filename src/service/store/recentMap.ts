// A map that keeps what was used lately: reads of a database that are asked for again and again.

/** Two generations of this many: a few megabytes, however many addresses the chain has. */
const GENERATION = 50_000;

/** Keeps what was used lately: when the young half is full, the old half goes. */
export class RecentMap<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
