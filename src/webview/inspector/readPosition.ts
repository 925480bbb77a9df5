// The block and the chain that everything on a page was read at, compared with what the chain reports.
import type { ChainEvent } from '../../protocol/messages.ts';

export class ReadPosition {
  /** Everything shown was read at this block or a later one; `null` until the chain has reported one. */
  #block: number | null = null;
  /** The newest block. */
  #head: number | null = null;
  /** Chain ID and genesis block of what was read. */
  #identity: string | null = null;

  get block(): number | null {
    return this.#block;
  }

  /** Blocks that are newer than what is shown: negative after the chain was reset. */
  get newerBlocks(): number {
    return this.#block === null || this.#head === null ? 0 : this.#head - this.#block;
  }

  /** True when the node is now one of another chain. */
  report({ head, identity }: ChainEvent): boolean {
    if (head === null) return false;
    this.#head = head;
    this.#block ??= head;
    const isOther = this.#identity !== null && identity !== null && identity !== this.#identity;
    this.#identity = identity ?? this.#identity;
    return isOther;
  }

  /** All that is shown is read again now. */
  markRead(): void {
    this.#block = this.#head;
  }
}
