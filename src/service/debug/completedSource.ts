// The state before a transaction for code that may read more than the transaction did.
import type { Hex } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { ReplayInput } from '../trace/replay/replayTransaction.ts';
import type { SourceAccount, StateSource } from '../trace/replay/stateSource.ts';
import { ParentStateSource } from '../trace/stateSources.ts';

/** What the transaction used, and what other code reads: as the node has it after the block before. */
export class CompletedSource implements StateSource {
  readonly isPartial = true;
  readonly fetchBlockHash: StateSource['fetchBlockHash'];
  readonly #own: StateSource;
  readonly #parent: StateSource;
  /** Nothing before the transaction in its block can have changed what the parent has. */
  readonly #isFirst: boolean;
  /** Something was read that is not known. */
  isIncomplete = false;

  constructor(own: StateSource, parent: StateSource, isFirst: boolean) {
    this.fetchBlockHash = own.fetchBlockHash;
    this.#own = own;
    this.#parent = parent;
    this.#isFirst = isFirst;
  }

  #isOwn(address: Hex, slot: Hex | null): boolean {
    const isListed = this.isListed(address, slot);
    if (!isListed && !this.#isFirst) this.isIncomplete = true;
    return isListed || !this.#isFirst;
  }

  isListed(address: Hex, slot: Hex | null): boolean {
    return this.#own.isListed?.(address, slot) === true;
  }

  fetchAccount(address: Hex): Promise<SourceAccount | null> {
    return (this.#isOwn(address, null) ? this.#own : this.#parent).fetchAccount(address);
  }

  fetchStorage(address: Hex, slot: Hex): Promise<Uint8Array> {
    return (this.#isOwn(address, slot) ? this.#own : this.#parent).fetchStorage(address, slot);
  }
}

/** The state for code that may read more than the transaction did. */
export function completeSource(node: EvmNode | null, { source, block }: ReplayInput, isFirst: boolean): StateSource {
  if (source.isPartial !== true || node === null) return source;
  return new CompletedSource(source, new ParentStateSource(node, block, undefined), isFirst);
}
