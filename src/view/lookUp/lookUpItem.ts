// A row of the Look Up box, and what the rows are made of.
import type { Hex } from '../../base/hex.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import type { LiteralRecord } from '../../detect/addRecord.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import type { EntryRanking, RankedEntry } from './entryRanking.ts';
import type { ProjectContract } from './findProjectNames.ts';
import type { LookUpHistoryEntry } from './lookUpHistory.ts';

export type LookUpTarget =
  | { readonly kind: 'address'; readonly chain: string; readonly address: Hex }
  | { readonly kind: 'hash'; readonly chain: string; readonly hash: Hex }
  | { readonly kind: 'block'; readonly chain: string; readonly block: string }
  | { readonly kind: 'aptosAccount'; readonly address: string }
  | { readonly kind: 'aptosTransaction'; readonly network: string; readonly transaction: string }
  | { readonly kind: 'coinType'; readonly coinType: string }
  | { readonly kind: 'ens'; readonly name: string }
  /** `chain`: where it may be mined; `null` when no chain with its id is configured. */
  | { readonly kind: 'rawTransaction'; readonly chain: string | null; readonly hash: Hex; readonly raw: Hex }
  /** Opens the source of a contract of the workspace. */
  | { readonly kind: 'source'; readonly contract: ProjectContract }
  /** Digits that the newest blocks of a chain may complete. */
  | { readonly kind: 'shortened'; readonly chain: string; readonly start: string; readonly end: string }
  | { readonly kind: 'connect' }
  | { readonly kind: 'type'; readonly text: string }
  /** Opens a document with the lines of what is decoded. */
  | { readonly kind: 'document'; readonly lines: readonly string[] }
  | { readonly kind: 'copy'; readonly text: string };

export interface LookUpItem {
  readonly section: 'meaning' | 'saved' | 'token' | 'account' | 'project' | 'history' | 'hint';
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** `null`: nothing to choose. */
  readonly target: LookUpTarget | null;
  /** What the chain of a hash is called. */
  readonly chainTitle?: string;
  /** For the copy button; `null` for none. */
  readonly copyText: string | null;
  /** For the save button; `null` if the address is saved already, or there is none. */
  readonly addressToSave: string | null;
  /** What would be sent, for `checkLookUpItem`; `null` when nothing that may be a secret is sent. */
  readonly literal: HexLiteral | null;
  /** The file of the literal; empty when the user typed it. */
  readonly fileName: string;
  /** For the remove button of the history; `null` for other items. */
  readonly historyKey: string | null;
}

export interface LookUpChain {
  readonly selector: string;
  /** What the chain is called on screen. */
  readonly title: string;
  /** All its nodes are on this machine. */
  readonly isOnLoopback: boolean;
  /** The EIP-155 chain id, once the node has responded; only of chains on this machine. */
  readonly id?: number;
}

/** A token that the index of a chain has met: its symbol is the `name`, its name a tag. */
export interface LookUpToken extends RankedEntry {
  readonly chain: string;
  /** `ERC-20`. */
  readonly standard: string;
}

export interface LookUpState {
  /** Events, functions and errors of the workspace; `null` while they are being read. */
  readonly registry: AbiRegistry | null;
  readonly chains: readonly LookUpChain[];
  readonly ranking: EntryRanking;
  /** Tokens of chains of this machine. */
  readonly tokens: EntryRanking<LookUpToken>;
  /** Saved name of an address in any spelling; `null` when it has none. */
  getName(address: string, chain?: string): string | null;
  /** What a deployment tool has recorded of a hash, as far as that is known. */
  getRecord(hash: Hex): LiteralRecord | null;
  /** By chain key, newest first, in the order of the chains. */
  readonly history: readonly {
    readonly key: string;
    readonly chain: string;
    readonly entries: readonly LookUpHistoryEntry[];
  }[];
  /** The selector of the configured chain that ENS names are looked up on; `null` when there is none. */
  readonly ensChain: string | null;
  /** Otherwise 32 bytes are not offered as an Aptos account, unless one is saved. */
  readonly usesAptos: boolean;
  /** Where the first text of the box was selected; `null` when the user typed it. */
  readonly source: LookUpSource | null;
}

/** The file of a selected text, and what the words around its literals say about them. */
export interface LookUpSource {
  readonly fileName: string;
  readonly literals: readonly HexLiteral[];
}

/** Tells the items of one text apart, whatever is known of them: the title of a chain may change when its node responds. */
const getIdentity = ({ section, target, historyKey, label }: LookUpItem): string =>
  JSON.stringify([section, target, historyKey, target === null || target.kind === 'copy' ? label : '']);

export const isSameItem = (a: LookUpItem, b: LookUpItem): boolean => getIdentity(a) === getIdentity(b);

/**
 * The items of a text in the order in which they are shown already, those that are new behind them. VS Code reports the active
 * row by its index, and late: a row that moves meanwhile would be another one for Enter.
 */
export function keepPlaces(shown: readonly LookUpItem[], items: readonly LookUpItem[]): readonly LookUpItem[] {
  const found = new Map(items.map(item => [getIdentity(item), item]));
  const unmoved = new Set(shown.flatMap(item => found.get(getIdentity(item)) ?? []));
  return [...unmoved, ...items.filter(item => !unmoved.has(item))];
}

const emptyItem = {
  description: '',
  detail: '',
  target: null,
  copyText: null,
  addressToSave: null,
  literal: null,
  fileName: '',
  historyKey: null,
} as const;

export const createItem = (
  section: LookUpItem['section'],
  icon: string,
  label: string,
  rest: Partial<LookUpItem> = {},
): LookUpItem => ({ ...emptyItem, section, icon, label, ...rest });
