// What the lookup `stateChanges` gives: what a transaction changed, storage by variable where a layout is known.
import type { Hex } from '../base/hex.ts';
import type { LocalizableText } from '../base/localize.ts';
import type { SourceLocation } from './transactionStack.ts';

/** One step of the way to a variable: `positions`, `[0x…]`, `.amount`, `[3]`. */
export type PathSegment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'key'; readonly key: string; readonly type: string }
  | { readonly kind: 'index'; readonly index: bigint };

/** A variable whose value changed, or a word whose variable is not known. */
export interface VariableChange {
  /** Empty: no variable is known for the slot, and the values are the words in hex. */
  readonly path: readonly PathSegment[];
  readonly type: string;
  /**
   * Numbers in decimal, addresses and bytes in lower-case hex, `true` or `false`, members of enums by name, strings
   * unchanged (untrusted) or as hex where they are no UTF-8.
   */
  readonly oldValue: string;
  readonly newValue: string;
  /** The slots that have the change, the first is that which names it. */
  readonly slots: readonly bigint[];
  /** Only these bytes of a string: the others are not known. */
  readonly bytes?: { readonly from: bigint; readonly to: bigint };
}

/** Why a word of storage has no name. */
export type UnnamedReason =
  /** No build of the project has the code that wrote it. */
  | 'noBuild'
  /** The build has neither syntax trees nor a storage layout. */
  | 'noLayout'
  /** The layout has no variable there, or the trace no hash that leads to it. */
  | 'unknownSlot';

export interface StorageChange extends VariableChange {
  /** The step of the trace that wrote its last value. */
  readonly step: number;
  /** The line that wrote it; `null` where that is not known. */
  readonly location: SourceLocation | null;
  /** The line follows from the source: the optimizer has moved the instruction away from it. */
  readonly isInferred: boolean;
  /** Of a change without a path. */
  readonly unnamed: UnnamedReason | null;
}

export interface ValueChange<T> {
  readonly before: T;
  readonly after: T;
}

export interface AccountChanges {
  readonly address: Hex;
  /** The contract whose layout names its variables, or whose code it ran, where a build has it. */
  readonly contract: string | null;
  /** `null`: it did not change. */
  readonly balance: ValueChange<bigint> | null;
  readonly nonce: ValueChange<bigint> | null;
  /** Bytes of its code. */
  readonly codeSize: ValueChange<number> | null;
  readonly storage: readonly StorageChange[];
}

export interface StateChanges {
  readonly kind: 'stateChanges';
  /** Contracts before plain accounts, each in the order in which the transaction first changed them. */
  readonly accounts: readonly AccountChanges[];
  /** Further changes of storage that are left out. */
  readonly omitted: number;
  /** Builds that have no storage layout though their code wrote storage: names of contracts. */
  readonly withoutLayout: readonly string[];
}

export interface NoStateChanges {
  readonly kind: 'noStateChanges';
  readonly reason: LocalizableText;
}

export const MAX_STORAGE_CHANGES = 10_000;
