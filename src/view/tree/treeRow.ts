// One line of the tree, without saying where it is shown: words, icon, facts behind it, what it copies and opens.
import type { OperationId } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';

/** An operation with its parameters: what a section asks, and what the inspector opens. */
export interface Question {
  readonly operation: OperationId;
  readonly parameters: InputTexts;
}

/** A list that is asked for when somebody looks into it. */
export interface Section {
  /** Unique among its siblings. */
  readonly key: string;
  readonly title: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly question: Question;
  /** How the records become rows, where one operation is shown in two ways. */
  readonly as?: 'tokens';
}

/** What one record is about, besides itself. */
export type RowSubject =
  | { readonly kind: 'transaction'; readonly hash: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'question'; readonly question: Question };

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

export interface Row {
  /** The same for the same thing on the chain, so that a refresh keeps what was selected; unique in its section. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** What a screen reader says in place of the shortened words. */
  readonly spoken: string;
  readonly icon: string;
  readonly color: RowColor | null;
  readonly facts: readonly Fact[];
  /** What goes to the clipboard. */
  readonly copy: string;
  readonly subject: RowSubject | null;
  /** Lists below it. */
  readonly sections: readonly Section[];
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
  readonly own: string;
  /** The book's name for an address; `null` when it has none. */
  nameOf(address: string): string | null;
  /** The canonical signature behind a topic0; `null` when it is not a well-known one. */
  eventOf(topic: string): string | null;
}
