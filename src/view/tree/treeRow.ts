// One line of the tree, without saying where it is shown: words, icon, facts behind it, what it copies and opens.
import type { TreeRowKind } from '../../api/operations/operation.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';

/** An operation with its parameters: what a section asks, and what the inspector opens. */
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

/** What one record is about, besides itself. */
export type RowTarget =
  | { readonly kind: 'transaction'; readonly hash: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'question'; readonly question: OperationRequest };

/** Names of theme colours that every theme defines. */
export type RowColor =
  | 'charts.red'
  | 'charts.orange'
  | 'charts.yellow'
  | 'charts.green'
  | 'charts.blue'
  | 'charts.purple';

/** A name of ours and a value that nobody has vouched for: whoever shows it, shows it as plain text. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface TreeRow {
  /** The same for the same thing on the chain, so that a refresh keeps what was selected; unique in its section. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** What a screen reader says in place of the shortened words. */
  readonly accessibilityLabel: string;
  readonly icon: string;
  readonly color: RowColor | null;
  readonly facts: readonly Fact[];
  /** What goes to the clipboard. */
  readonly copyText: string;
  readonly target: RowTarget | null;
  /** Lists below it. */
  readonly sections: readonly TreeSection[];
}

/** What a record needs to be told in words. */
export interface RowContext {
  /** Milliseconds. */
  readonly now: number;
  /** Canonical selector of the chain, or the network of Aptos. */
  readonly chain: string;
  /** Symbol and decimals of the chain's own coin. */
  readonly coin: string;
  readonly decimals: number;
  /** The entry's address: transfers are told from its side. */
  readonly ownAddress: string;
  /** The book's name for an address; `null` when it has none. */
  getName(address: string): string | null;
  /** The canonical signature behind a topic0; `null` when it is not a well-known one. */
  getEventText(topic: string): string | null;
}
