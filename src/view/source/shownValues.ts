// The values that hovers of Solidity have shown, to say how they changed.

export interface EarlierValue {
  readonly value: string;
  readonly block: number;
}

interface ShownValue extends EarlierValue {
  /** The chain's first block: a chain that was reset has another one. */
  readonly genesisHash: string | undefined;
  /** What was shown before it changed. */
  readonly before: EarlierValue | null;
}

const MAX_REMEMBERED = 1_000;

export class ShownValues {
  readonly #values = new Map<string, ShownValue>();

  /** What the value was before; of an earlier block of the same chain only. */
  note(key: string, { value, block, genesisHash }: Omit<ShownValue, 'before'>): EarlierValue | null {
    const known = this.#values.get(key);
    this.#values.delete(key);
    const isOfThisChain = known !== undefined && known.genesisHash === genesisHash && known.block <= block;
    const last = isOfThisChain ? known : null;
    const before = last === null ? null : last.value === value ? last.before : { value: last.value, block: last.block };
    this.#values.set(key, { value, block, genesisHash, before });
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= MAX_REMEMBERED) break;
      this.#values.delete(oldest);
    }
    return before;
  }

  clear(): void {
    this.#values.clear();
  }
}
