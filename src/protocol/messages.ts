// What host and inspector page say to each other; checked on arrival by hostMessage.ts and pageMessage.ts.

import type { AddressSummary } from '../api/lookups.ts';
import type { Progress } from '../api/workerProtocol.ts';
import type { PlainFault } from '../base/errors.ts';
import type { Translations } from '../base/localize.ts';
import type { AmountUnits } from './amountUnits.ts';
import type { Decoding, RawCall, RawLog } from './decoding.ts';
import type { HexNames } from './hexNames.ts';
import type { InspectorTarget } from './inspectorTarget.ts';
import type { PackedRows, TableColumn } from './table.ts';

/** One stop of a panel's history. `id` is the panel's own number of it: the page keeps its view (tab, filter) under it. */
export interface HistoryEntry {
  readonly id: number;
  readonly target: InspectorTarget;
  readonly title: string;
}

/** What a page keeps with `setState`, so that a reloaded window finds the panel as it was. */
export interface SavedPanel {
  readonly stops: readonly Pick<HistoryEntry, 'id' | 'target'>[];
  readonly at: number;
  readonly pinned: boolean;
}

export type Question =
  /** The tables of an operation's reply; `include` names the ones wanted when not all are. */
  | { readonly kind: 'operation'; readonly target: InspectorTarget; readonly include?: readonly string[] }
  /** The reply's body as it came, as JSON text. */
  | { readonly kind: 'raw'; readonly target: InspectorTarget }
  | { readonly kind: 'address'; readonly chain: string; readonly address: string }
  /** The newest blocks down from `before` (exclusive) or the head; at most 50. */
  | { readonly kind: 'blocks'; readonly chain: string; readonly before: number | null; readonly count: number }
  /** A token's picture, from where its metadata says that it is: `https://`, `ipfs://`, `ar://`. */
  | { readonly kind: 'picture'; readonly chain: string; readonly uri: string }
  /** Why a transaction failed. */
  | { readonly kind: 'revert'; readonly chain: string; readonly hash: string }
  | { readonly kind: 'log'; readonly log: RawLog }
  | { readonly kind: 'call'; readonly call: RawCall }
  /** What contracts count their amounts in; at most `MOST_UNITS` of them. */
  | { readonly kind: 'units'; readonly chain: string; readonly contracts: readonly string[] };

export type PageMessage =
  /** The page is there and knows nothing. */
  | { readonly type: 'hello' }
  | { readonly type: 'ask'; readonly id: number; readonly question: Question }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'navigate'; readonly target: InspectorTarget; readonly where: 'here' | 'side' }
  | { readonly type: 'go'; readonly to: number }
  | { readonly type: 'pin'; readonly pinned: boolean }
  /** Anything a person types to be found on a chain: address, hash, block number. */
  | { readonly type: 'find'; readonly id: number; readonly chain: string; readonly text: string }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'copyCommand'; readonly form: 'cast' | 'curl' | 'link'; readonly target: InspectorTarget }
  | {
      readonly type: 'export';
      readonly format: 'csv' | 'json';
      readonly name: string;
      /** JSON of `{ columns, rows }`: exactly what the filter shows. */
      readonly table: ArrayBuffer;
      /** Whose rows they are, where its index was not complete when they were read. */
      readonly growing: InspectorTarget | null;
    }
  /** All pages of an operation, as far as its cursor leads. */
  | {
      readonly type: 'exportAll';
      readonly format: 'csv' | 'json';
      readonly name: string;
      readonly target: InspectorTarget;
    }
  /** Ends the work that `work` named so; what is asked next goes on from there. */
  | { readonly type: 'pause'; readonly task: string }
  | { readonly type: 'act'; readonly action: 'nodes' | 'log' };

/** What an operation's envelope says besides its records. */
export interface ListInfo {
  readonly cursor: string | null;
  readonly total: number | null;
  readonly isSyncing: boolean;
}

/** The head of one table: its first rows come along, `count` rows come in all. */
export interface TableHead {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly rowCount: number;
  readonly firstRows: PackedRows;
}

/** A parameter of an operation, for the form above its rows. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly description: string;
  readonly required: boolean;
  readonly isList: boolean;
  readonly choices: readonly string[] | null;
  readonly value: string;
}

export interface InspectorChain {
  readonly selector: string;
  readonly title: string;
  readonly coin: string;
  /** Of that coin. */
  readonly decimals: number;
}

/** Everything the first paint needs. */
export interface InspectorState {
  readonly type: 'show';
  readonly stops: readonly HistoryEntry[];
  readonly at: number;
  readonly pinned: boolean;
  readonly chains: readonly InspectorChain[];
  /** Operations: title, one sentence, and the form; `null` for the other targets. */
  readonly form: { readonly title: string; readonly summary: string; readonly fields: readonly FormField[] } | null;
  readonly texts: Translations | null;
}

/** What following a chain noticed. */
export interface ChainEvent {
  readonly type: 'news';
  readonly chain: string;
  /** `null` while the node does not answer; then `problem` says why. */
  readonly head: number | null;
  readonly problem: string | null;
  /** The shown block, or the head, is another one now. */
  readonly replaced: { readonly number: number; readonly hash: string } | null;
}

export type ExtensionMessage =
  | InspectorState
  | ChainEvent
  /** How far long work of the backend is, for whoever waits for it. */
  | { readonly type: 'work'; readonly work: Progress }
  | {
      readonly type: 'tables';
      readonly id: number;
      readonly tables: readonly TableHead[];
      readonly envelope: ListInfo | null;
      /** What the service said beside its answer: why something is missing or incomplete. */
      readonly notes: readonly string[];
    }
  /** More rows of a table: the bytes of a `PackedRows` as JSON. */
  | { readonly type: 'rows'; readonly id: number; readonly table: string; readonly bytes: ArrayBuffer }
  /** A part of a raw reply's text as UTF-8. */
  | { readonly type: 'text'; readonly id: number; readonly bytes: ArrayBuffer }
  | { readonly type: 'address'; readonly id: number; readonly summary: PlainAddressSummary }
  /** `names`: of addresses in it, in lower case. */
  | {
      readonly type: 'description';
      readonly id: number;
      readonly description: Decoding;
      readonly names: HexNames['addresses'];
    }
  /** Of some of the contracts that were asked for, as soon as their chain has said it. */
  | { readonly type: 'units'; readonly id: number; readonly units: AmountUnits }
  /** `error` is the node's own word; `exact` is false for a reading of the state before the block. */
  | {
      readonly type: 'revert';
      readonly id: number;
      readonly output: string | null;
      readonly error: string | null;
      readonly exact: boolean;
      readonly description: Decoding;
    }
  /** A data URI of an image type, or why there is none. */
  | { readonly type: 'picture'; readonly id: number; readonly source: string | null; readonly problem: string | null }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'fault'; readonly id: number; readonly fault: PlainFault };

/** `AddressSummary` as JSON carries it: amounts as decimal text. */
export interface PlainAddressSummary {
  readonly address: string;
  readonly chain: string;
  readonly coin: string;
  readonly decimals: number;
  readonly balance: string;
  readonly nonce: number | null;
  readonly codeSize: number | null;
  readonly delegate: string | null;
  readonly implementation: string | null;
  readonly name: string | null;
  readonly token: {
    readonly standard: string;
    readonly name: string | null;
    readonly symbol: string | null;
    readonly decimals: number | null;
    readonly totalSupply: string | null;
  } | null;
  readonly blockNumber: number | null;
}

export function toPlainAddressSummary(
  summary: AddressSummary,
  selector: string,
  name: string | null,
): PlainAddressSummary {
  const { chain, token } = summary;
  return {
    address: summary.address,
    chain: selector,
    coin: chain.coin,
    decimals: chain.decimals,
    balance: summary.balance.toString(),
    nonce: summary.nonce,
    codeSize: summary.codeSize,
    delegate: summary.delegate,
    implementation: summary.implementation,
    name,
    token:
      token === null
        ? null
        : {
            standard: token.standard,
            name: token.name,
            symbol: token.symbol,
            decimals: token.decimals,
            totalSupply: token.totalSupply === null ? null : token.totalSupply.toString(),
          },
    blockNumber: summary.blockNumber,
  };
}
