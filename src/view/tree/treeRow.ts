// A row of the address tree: texts, icon, facts for the tooltip, what it copies and opens.
import type { TreeRowKind } from '../../api/operations/operation.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';

/** An operation with its parameters: what a section fetches, and what the inspector opens. */
export interface OperationRequest {
  readonly operation: OperationId;
  readonly parameters: InputTexts;
}

/** A list that is fetched when it is expanded. */
export interface TreeSection {
  /** Unique among its siblings. */
  readonly key: string;
  readonly title: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly request: OperationRequest;
  /** How the records become rows. */
  readonly rows: TreeRowKind;
}

/** What the row opens. */
export type RowTarget =
  | { readonly kind: 'transaction'; readonly hash: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'operation'; readonly request: OperationRequest };

/** Names of theme colours that every theme defines. */
export type RowColor =
  | 'charts.red'
  | 'charts.orange'
  | 'charts.yellow'
  | 'charts.green'
  | 'charts.blue'
  | 'charts.purple';

/** `value` is untrusted and must be shown as plain text. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface TreeRow {
  /** Stable across refreshes, so that the selection is preserved; unique in the section. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** For screen readers: texts that are not shortened. */
  readonly accessibilityLabel: string;
  readonly icon: string;
  readonly color: RowColor | null;
  readonly facts: readonly Fact[];
  readonly copyText: string;
  readonly target: RowTarget | null;
  readonly sections: readonly TreeSection[];
}

/** What rows need besides their record. */
export interface RowContext {
  /** Milliseconds. */
  readonly now: number;
  /** Canonical selector of the chain, or the Aptos network. */
  readonly chain: string;
  /** Symbol of the chain's native coin. */
  readonly coin: string;
  readonly decimals: number;
  /** Address of the entry, from whose side transfers are described. */
  readonly ownAddress: string;
  /** Saved name of an address; `null` when it has none. */
  getName(address: string): string | null;
  /** Canonical signature of the event with a topic0; `null` when it is unknown. */
  getEventText(topic: string): string | null;
}
