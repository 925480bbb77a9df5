// Items of the Look Up box: what the input can mean on each chain, saved entries, the history.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { getSelectorChainId } from '../../api/chains.ts';
import { findChain } from '../../api/chainTable.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { shortenHex } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { type AbiItem, formatAbiItem } from '../../decode/abiItem.ts';
import { type AbiRegistry, createAbiRegistry } from '../../decode/abiRegistry.ts';
import type { DecodedItemFormat } from '../../decode/formatDecodedItem.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import type { PrivacyVerdict } from '../../detect/privacy.ts';
import { getSelectorTitle } from '../chainTitle.ts';
import { checkDisclosure, type Recipient } from '../checkDisclosure.ts';
import { decodeDataLiteral } from '../decodedLiteral.ts';
import type { EntryRanking } from './entryRanking.ts';
import { findProjectNames, type ProjectContract, type ProjectName } from './findProjectNames.ts';
import type { LookUpHistoryEntry } from './lookUpHistory.ts';
import {
  isShortenedFrom,
  type LookUpMeaning,
  parseLookUp,
  type RejectionReason,
  type WellKnownKind,
} from './parseLookUp.ts';
import type { RawTransaction } from './rawTransaction.ts';
import { type PreviewSummary, sanitizeLabel } from './summaryPreview.ts';

const wellKnownTexts: Readonly<Record<WellKnownKind, { readonly icon: string; title(): string }>> = {
  event: { icon: 'symbol-event', title: () => t('Event topic') },
  function: { icon: 'symbol-method', title: () => t('Function selector') },
  error: { icon: 'error', title: () => t('Error selector') },
  selector: { icon: 'symbol-method', title: () => t('Selector that no known ABI declares') },
  interface: { icon: 'symbol-interface', title: () => t('ERC-165 interface') },
  constant: { icon: 'symbol-constant', title: () => t('Well-known constant') },
  number: { icon: 'symbol-number', title: () => t('32-byte number') },
  text: { icon: 'symbol-string', title: () => t('32-byte text') },
  data: { icon: 'file-binary', title: () => t('Data') },
};

const rejectionTexts: Readonly<Record<RejectionReason, () => string>> = {
  key: () => t('This is the private key of a dev account: it is never looked up.'),
  truncated: () => t('Digits are missing in the middle, so there is nothing to look up.'),
  digits: () => t('It has the wrong number of digits for an address (40) or a hash (64).'),
};

/** What choosing an item does. */
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
  readonly section: 'meaning' | 'saved' | 'project' | 'history' | 'hint';
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** `null`: nothing to choose. */
  readonly target: LookUpTarget | null;
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
  /** All its nodes are on this machine. */
  readonly isOnLoopback: boolean;
  /** The EIP-155 chain id, once the node has responded; only of chains on this machine. */
  readonly id?: number;
}

export interface LookUpState {
  /** Events, functions and errors of the workspace; `null` while they are being read. */
  readonly registry: AbiRegistry | null;
  readonly chains: readonly LookUpChain[];
  readonly ranking: EntryRanking;
  /** Saved name of an address in any spelling; `null` when it has none. */
  getName(address: string, chain?: string): string | null;
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

/** Maximum number of items per section. */
const MAX_SAVED = 40;
const MAX_SHOWN_HISTORY_ENTRIES = 20;
const MAX_PROJECT_NAMES = 12;

const emptyItem = {
  detail: '',
  target: null,
  copyText: null,
  addressToSave: null,
  literal: null,
  fileName: '',
  historyKey: null,
} as const;

/** What links of the explorer without a network show. */
const DEFAULT_APTOS_NETWORK = 'mainnet';

/** The chain with the id if it is configured, otherwise local forks of it; all chains without an id. */
function selectChains(chains: readonly LookUpChain[], chainId: number | null): readonly LookUpChain[] {
  if (chainId === null) return chains;
  const named = chains.filter(({ selector }) => getSelectorChainId(selector) === chainId);
  return named.length > 0 ? named : chains.filter(({ id }) => id === chainId);
}

/** Opens the way to a node for the chain that a link names. */
function toMissingChainItems(chainId: number | null, { chains }: LookUpState): LookUpItem[] {
  const chain = chainId === null ? undefined : findChain(chainId);
  if (chain === undefined || chains.length === 0 || selectChains(chains, chainId).length > 0) return [];
  return [
    {
      ...{ ...emptyItem, section: 'meaning', icon: 'plug', description: '', target: { kind: 'connect' } },
      label: t('{0} is not configured', chain.title),
      detail: t('Press Enter to connect a node.'),
    },
  ];
}

/** Saved addresses and values of the history with these digits, else a search on the chains of this machine. */
function toCompletedItems(
  shortened: { readonly start: string; readonly end: string },
  state: LookUpState,
): LookUpItem[] {
  const saved = state.ranking
    .rank(shortened.start, MAX_SAVED)
    .filter(({ address }) => isShortenedFrom(address, shortened))
    .map(entry => toSavedItem(entry, state.chains));
  const history = toHistoryItems(state, shortened.start).filter(
    ({ copyText }) => copyText !== null && isShortenedFrom(copyText, shortened),
  );
  if (saved.length + history.length > 0) return [...saved, ...history];
  const local = state.chains.filter(chain => chain.isOnLoopback);
  if (local.length > 0)
    return local.map(({ selector }) => ({
      ...{ ...emptyItem, section: 'meaning', icon: 'search', label: `${shortened.start}…${shortened.end}` },
      description: t('Search the newest blocks of {0}', getSelectorTitle(selector)),
      target: { kind: 'shortened', chain: selector, ...shortened },
    }));
  return [
    { ...emptyItem, section: 'meaning', icon: 'circle-slash', label: rejectionTexts.truncated(), description: '' },
  ];
}

const getDigits = ({ text }: HexLiteral): string => text.replace(/^@?0x/i, '').toLowerCase();
const getSecretWord = (literal: HexLiteral): string | null => ('secretWord' in literal ? literal.secretWord : null);

/** A selected literal is classified by its surroundings in the file, which are not in the box. */
function withSource(literal: HexLiteral, source: LookUpSource | null): Pick<LookUpItem, 'literal' | 'fileName'> {
  const digits = getDigits(literal);
  const selected = source?.literals.find(candidate => getDigits(candidate) === digits);
  if (source === null || selected === undefined) return { literal, fileName: '' };
  const { fileName } = source;
  if (!('secretWord' in literal)) return { literal, fileName };
  return { literal: { ...literal, secretWord: literal.secretWord ?? getSecretWord(selected) }, fileName };
}

function toMeaningItems(meaning: LookUpMeaning, state: LookUpState): LookUpItem[] {
  const section = 'meaning';
  switch (meaning.kind) {
    case 'address': {
      const { address, literal, chainId } = meaning;
      const saved = state.getName(address);
      const name = saved ?? findDevelopmentAccount(address)?.name ?? null;
      const label =
        name === null ? toDisplayAddress(address) : `${sanitizeLabel(name)} ${toShortDisplayAddress(address)}`;
      const warn = literal.kind === 'address' && literal.shouldWarn ? ` · ${t('the checksum is wrong')}` : '';
      return selectChains(state.chains, chainId).map(({ selector }) => ({
        ...emptyItem,
        section,
        icon: warn === '' ? 'account' : 'warning',
        label,
        description: `${getSelectorTitle(selector)}${warn}`,
        target: { kind: 'address', chain: selector, address },
        copyText: toDisplayAddress(address),
        addressToSave: saved === null ? address : null,
        ...withSource(literal, state.source),
      }));
    }
    case 'hash':
      return selectChains(state.chains, meaning.chainId).map(({ selector }) => ({
        ...emptyItem,
        section,
        icon: 'symbol-key',
        label: shortenHex(meaning.hash),
        description: t('Transaction or block on {0}', getSelectorTitle(selector)),
        target: { kind: 'hash', chain: selector, hash: meaning.hash },
        copyText: meaning.hash,
        ...withSource(meaning.literal, state.source),
      }));
    case 'rawTransaction':
      return toRawTransactionItems(meaning.transaction, state);
    case 'block':
      return selectChains(state.chains, meaning.chainId).map(({ selector }) => ({
        ...emptyItem,
        section,
        icon: 'package',
        label: t('Block {0}', formatInteger(meaning.block)),
        description: t('on {0}', getSelectorTitle(selector)),
        target: { kind: 'block', chain: selector, block: String(meaning.block) },
        copyText: String(meaning.block),
        literal: {
          ...{ kind: 'blockNumber', start: 0, end: 0, text: String(meaning.block) },
          ...{ number: meaning.block, chainId: null, host: '' },
        },
      }));
    case 'aptosAddress': {
      const { address } = meaning;
      const saved = state.getName(address);
      return [
        {
          ...emptyItem,
          section,
          icon: 'account',
          label: saved === null ? shortenHex(address) : `${sanitizeLabel(saved)} ${shortenHex(address)}`,
          description: t('Aptos account: its NFTs'),
          target: { kind: 'aptosAccount', address },
          copyText: address,
          addressToSave: saved === null ? address : null,
          ...withSource(meaning.literal, state.source),
        },
      ];
    }
    case 'aptosTransaction': {
      const { transaction, literal } = meaning;
      const network = meaning.network ?? DEFAULT_APTOS_NETWORK;
      return [
        {
          ...emptyItem,
          section,
          icon: 'arrow-swap',
          label: /^\d+$/.test(transaction)
            ? t('Transaction {0}', formatInteger(BigInt(transaction)))
            : t('Transaction {0}', shortenHex(transaction)),
          description: t('on {0}', t('Aptos {0}', network)),
          target: { kind: 'aptosTransaction', network, transaction },
          copyText: transaction,
          ...withSource(literal, state.source),
        },
      ];
    }
    case 'coinType':
      return [
        {
          ...emptyItem,
          section,
          icon: 'symbol-currency',
          label: sanitizeLabel(meaning.coinType, 120),
          description: t('Aptos coin: its transfers'),
          target: { kind: 'coinType', coinType: meaning.coinType },
          copyText: meaning.coinType,
        },
      ];
    case 'ens': {
      if (state.ensChain === null)
        return [
          {
            ...emptyItem,
            section,
            icon: 'plug',
            label: t('ENS names need an Ethereum node'),
            detail: t('ENS names are resolved on Ethereum. Press Enter to connect a node for the chain eth.'),
            description: '',
            target: { kind: 'connect' },
          },
        ];
      return [
        {
          ...emptyItem,
          section,
          icon: 'globe',
          label: sanitizeLabel(meaning.name, 80),
          description: t('ENS name'),
          target: { kind: 'ens', name: meaning.name },
        },
      ];
    }
    case 'latest':
      return state.chains.map(({ selector }) => ({
        ...{ ...emptyItem, section, icon: 'package', label: t('Latest blocks') },
        description: t('on {0}', getSelectorTitle(selector)),
        target: { kind: 'block', chain: selector, block: 'latest' },
      }));
    case 'shortened':
      return toCompletedItems(meaning, state);
    case 'known': {
      const { icon, title } = wellKnownTexts[meaning.what];
      const lines = meaning.data === undefined ? [] : decodeDataLiteral(meaning.data, createFormat(state));
      if (lines.length > 0)
        return lines.slice(0, MAX_DECODINGS).map(line => ({
          ...{ ...emptyItem, section, icon, label: sanitizeLabel(line, 400) },
          description: meaning.data?.form === 'words' ? t('Return data') : title(),
          target: { kind: 'document', lines },
          copyText: line,
        }));
      return [
        {
          ...emptyItem,
          section,
          icon,
          label: sanitizeLabel(meaning.meaning, 120),
          description: title(),
          target: { kind: 'copy', text: meaning.meaning },
          copyText: meaning.value,
        },
      ];
    }
    case 'refused':
      return [{ ...emptyItem, section, icon: 'circle-slash', label: rejectionTexts[meaning.why](), description: '' }];
  }
}

function toRawTransactionItems(transaction: RawTransaction, { chains }: LookUpState): LookUpItem[] {
  const { raw, hash, chainId } = transaction;
  const selectors = selectChains(chains, chainId).map(({ selector }) => selector);
  return (selectors.length > 0 ? selectors : [null]).map(selector => ({
    ...{ ...emptyItem, section: 'meaning', icon: 'edit', label: t('Signed transaction {0}', shortenHex(hash)) },
    description: selector === null ? t('Chain {0}', String(chainId ?? '')) : t('on {0}', getSelectorTitle(selector)),
    target: { kind: 'rawTransaction', chain: selector, hash, raw },
    copyText: hash,
    // Anyone who has the signed transaction may send it: its hash is no secret.
    literal: {
      ...{ kind: 'hash32', start: 0, end: hash.length, text: hash, hash, secretWord: null, chainId },
      ...{ hint: { kind: 'transaction', word: 'signed transaction' }, lookupOrder: ['transaction'] },
    },
  }));
}

const itemTexts: Readonly<Record<AbiItem['kind'], { readonly icon: string; title(hash: string): string }>> = {
  event: { icon: 'symbol-event', title: hash => t('Event {0}', shortenHex(hash)) },
  function: { icon: 'symbol-method', title: hash => t('Function {0}', hash.slice(0, 10)) },
  error: { icon: 'error', title: hash => t('Error {0}', hash.slice(0, 10)) },
};

/** Contracts that a row names. */
const MAX_CONTRACTS = 3;

function toProjectItem(found: ProjectName): LookUpItem {
  const section = 'project';
  if (found.kind === 'contract')
    return {
      ...{ ...emptyItem, section, icon: 'file-code', label: sanitizeLabel(found.name, 80) },
      description: t('Contract of this workspace'),
      target: { kind: 'source', contract: found },
    };
  const { item, contracts } = found;
  const { icon, title } = itemTexts[item.kind];
  const rest = contracts.length - MAX_CONTRACTS;
  const names = [...contracts.slice(0, MAX_CONTRACTS), ...(rest > 0 ? [`+${rest}`] : [])].join(', ');
  const text = item.kind === 'event' ? item.hash : item.hash.slice(0, 10);
  return {
    ...{ ...emptyItem, section, icon, label: sanitizeLabel(formatAbiItem(item), 200), copyText: text },
    description: `${title(item.hash)} · ${sanitizeLabel(names, 120)}`,
    target: { kind: 'copy', text },
  };
}

/** Decodings that are offered of one text. */
const MAX_DECODINGS = 3;

let bundledRegistry: AbiRegistry | undefined;

const createFormat = ({ registry, getName }: LookUpState): DecodedItemFormat => {
  bundledRegistry ??= createAbiRegistry();
  return { registry: registry ?? bundledRegistry, getName: address => getName(address) };
};

/** Where an entry is looked up: on the first chain that it is saved for, or on a fork of it; on any when it is for all. */
const findEntryChain = (entry: SavedEntry, chains: readonly LookUpChain[]): LookUpChain | undefined =>
  entry.chains.length === 0
    ? chains[0]
    : (chains.find(({ selector }) => entry.chains.includes(selector)) ??
      chains.find(({ id }) => entry.chains.some(name => id !== undefined && getSelectorChainId(name) === id)));

function toSavedItem(entry: SavedEntry, chains: readonly LookUpChain[]): LookUpItem {
  const { address, kind, name, tags, folder } = entry;
  const chain = findEntryChain(entry, chains);
  const aptos = kind === 'aptos';
  const shortAddress = toShortDisplayAddress(address);
  const location = [folder, ...tags.map(tag => `#${tag}`)].filter(part => part !== '').join(' ');
  return {
    ...emptyItem,
    section: 'saved',
    icon: kind === 'wallet' || aptos ? 'account' : kind === 'collection' ? 'symbol-misc' : 'file-code',
    label: sanitizeLabel(name, 80),
    description: sanitizeLabel(location === '' ? shortAddress : `${shortAddress} · ${location}`, 120),
    target: aptos
      ? { kind: 'aptosAccount', address }
      : chain === undefined
        ? { kind: 'connect' }
        : { kind: 'address', chain: chain.selector, address: address as Hex }, // entries have 0x and digits
    copyText: toDisplayAddress(address),
    ...(!aptos &&
      chain === undefined &&
      chains.length > 0 && { detail: t('{0} is not configured', entry.chains.map(getSelectorTitle).join(', ')) }),
  };
}

function toHistoryItems(state: LookUpState, query: string): LookUpItem[] {
  const hasSeveralChains = state.history.filter(({ entries }) => entries.length > 0).length > 1;
  return state.history
    .flatMap(({ key, chain, entries }) =>
      entries
        .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(query))
        .map(
          ({ value, label }): LookUpItem => ({
            ...emptyItem,
            section: 'history',
            icon: 'history',
            label: sanitizeLabel(label, 120),
            description: hasSeveralChains
              ? getSelectorTitle(chain)
              : label === value
                ? ''
                : toShortDisplayAddress(value),
            target: { kind: 'type', text: value },
            copyText: value,
            historyKey: key,
          }),
        ),
    )
    .slice(0, MAX_SHOWN_HISTORY_ENTRIES);
}

const toHint = (label: string, detail: string): LookUpItem => ({
  ...{ ...emptyItem, section: 'hint', icon: 'lightbulb', label, description: '', detail },
});

/** All items, in order, without network requests. One pass over the saved entries. */
export function getLookUpItems(typed: string, state: LookUpState): readonly LookUpItem[] {
  const query = typed.trim().toLowerCase();
  const all = parseLookUp(typed, state.registry);
  const canBeHash = state.chains.length > 0 && all.some(({ kind }) => kind === 'hash');
  const isOffered = (meaning: LookUpMeaning) =>
    meaning.kind !== 'aptosAddress' ||
    state.usesAptos ||
    (meaning.isGuess ? state.chains.length === 0 : !canBeHash) ||
    state.getName(meaning.address) !== null;
  const meanings = all.filter(isOffered);
  const items = meanings.flatMap(meaning => [
    ...toMeaningItems(meaning, state),
    ...('chainId' in meaning ? toMissingChainItems(meaning.chainId, state) : []),
  ]);
  const needsChain = meanings.some(({ kind }) => kind === 'address' || kind === 'hash' || kind === 'block');
  if (needsChain && state.chains.length === 0)
    items.push({
      ...{ ...emptyItem, section: 'meaning', icon: 'plug', label: t('No chain is configured'), description: '' },
      ...{ detail: t('Press Enter to connect a node.'), target: { kind: 'connect' } },
    });
  const itemValues = new Set(items.flatMap(({ copyText }) => (copyText === null ? [] : [copyText.toLowerCase()])));
  const saved = state.ranking
    .rank(typed, MAX_SAVED)
    .filter(({ address }) => !itemValues.has(address))
    .map(entry => toSavedItem(entry, state.chains));
  const project =
    state.registry === null ? [] : findProjectNames(typed, state.registry, MAX_PROJECT_NAMES).map(toProjectItem);
  // Without input the history comes first.
  const history = toHistoryItems(state, query).filter(
    ({ copyText }) => copyText === null || !itemValues.has(copyText.toLowerCase()),
  );
  items.push(...(query === '' ? [...history, ...saved] : [...saved, ...project, ...history]));
  if (items.length > 0) return items;
  if (query === '')
    return [
      toHint(
        t('Type or paste anything'),
        t(
          'Address, transaction or block hash, block number, saved name, contract, function, event or error of the workspace, ENS name, selector, signed transaction, explorer link, Aptos coin type.',
        ),
      ),
    ];
  return [
    toHint(
      t('No saved address has this name, and it is not an address, hash, block or ENS name'),
      t('Addresses are 0x and 40 digits, hashes 0x and 64, ENS names end in .eth.'),
    ),
  ];
}

/** What a hash was found to be: `Transaction on Local dev chain`. */
export function describeFoundHash({ description, target }: LookUpItem, found: PreviewSummary['kind'] | null): string {
  if (target?.kind !== 'hash') return description;
  if (found === 'transaction') return t('Transaction on {0}', getSelectorTitle(target.chain));
  return found === 'block' ? t('Block on {0}', getSelectorTitle(target.chain)) : description;
}

/** Whether what an item means may be sent, by itself or after Enter. `null` when the item sends nothing, or only what is public. */
export function checkLookUpItem(
  { target, literal, fileName }: LookUpItem,
  recipient: Recipient,
  addressesOnClick: boolean,
): PrivacyVerdict | null {
  return target === null || literal === null
    ? null
    : checkDisclosure(literal, recipient, { fileName, addressesOnClick });
}
