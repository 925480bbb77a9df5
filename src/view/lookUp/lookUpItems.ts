// Items of the Look Up box: what the input can mean on each chain, saved entries, the history.
import type { SavedEntry } from '../../addressBook/entry.ts';
import { getSelectorChainId } from '../../api/chains.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { shortenHex } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { type AbiItem, formatDeclaration } from '../../decode/abiItem.ts';
import { getDevelopmentAccounts } from '../../detect/developmentAccounts.ts';
import type { PrivacyVerdict } from '../../detect/privacy.ts';
import { getAddressIcon, kindIcons, TOKEN_ICON } from '../addressIcons.ts';
import { formatChains } from '../chainTitle.ts';
import { checkDisclosure, type Recipient } from '../checkDisclosure.ts';
import { findProjectNames, type ProjectName } from './findProjectNames.ts';
import { createItem, type LookUpChain, type LookUpItem, type LookUpState } from './lookUpItem.ts';
import { rejectionTexts, toConnectItem, toMeaningItems, toMissingChainItems } from './meaningItems.ts';
import { isShortenedFrom, type LookUpMeaning, parseLookUp } from './parseLookUp.ts';
import { type PreviewSummary, sanitizeLabel } from './summaryPreview.ts';

/** Maximum number of items per section. */
const MAX_SAVED = 40;
const MAX_SHOWN_HISTORY_ENTRIES = 20;
const MAX_PROJECT_NAMES = 12;
const MAX_TOKENS = 12;
/** Shorter texts name too many of them. */
const MIN_ACCOUNT_QUERY = 3;

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
  if (local.length === 0) return [createItem('meaning', 'circle-slash', rejectionTexts.truncated())];
  return local.map(({ selector, title }) =>
    createItem('meaning', 'search', `${shortened.start}…${shortened.end}`, {
      description: t('Search the newest blocks of {0}', title),
      target: { kind: 'shortened', chain: selector, start: shortened.start, end: shortened.end },
    }),
  );
}

const itemTexts: Readonly<Record<AbiItem['kind'], { readonly icon: string; title(hash: string): string }>> = {
  event: { icon: 'symbol-event', title: hash => t('Event {0}', shortenHex(hash)) },
  function: { icon: 'symbol-method', title: hash => t('Function {0}', hash.slice(0, 10)) },
  error: { icon: 'error', title: hash => t('Error {0}', hash.slice(0, 10)) },
};

/** Contracts that a row names. */
const MAX_CONTRACTS = 3;

function toProjectItem(found: ProjectName): LookUpItem {
  if (found.kind === 'contract')
    return createItem('project', 'file-code', sanitizeLabel(found.name, 80), {
      description: t('Contract of this workspace'),
      target: { kind: 'source', contract: found },
    });
  const { item, contracts } = found;
  const { icon, title } = itemTexts[item.kind];
  const rest = contracts.length - MAX_CONTRACTS;
  const names = [...contracts.slice(0, MAX_CONTRACTS), ...(rest > 0 ? [`+${rest}`] : [])].join(', ');
  const text = item.kind === 'event' ? item.hash : item.hash.slice(0, 10);
  return createItem('project', icon, sanitizeLabel(formatDeclaration(item), 200), {
    description: `${title(item.hash)} · ${sanitizeLabel(names, 120)}`,
    target: { kind: 'copy', text },
    copyText: text,
  });
}

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
  return createItem('saved', kindIcons[kind], sanitizeLabel(name, 80), {
    description: sanitizeLabel(location === '' ? shortAddress : `${shortAddress} · ${location}`, 120),
    target: aptos
      ? { kind: 'aptosAccount', address }
      : chain === undefined
        ? { kind: 'connect' }
        : { kind: 'address', chain: chain.selector, address: address as Hex }, // entries have 0x and digits
    copyText: toDisplayAddress(address),
    ...(!aptos &&
      chain === undefined &&
      chains.length > 0 && { detail: t('{0} is not configured', formatChains(entry.chains)) }),
  });
}

function toTokenItems(typed: string, { tokens, chains }: LookUpState): LookUpItem[] {
  return tokens.rank(typed, MAX_TOKENS).map(({ chain, name, tags, standard, address }) => {
    const title = chains.find(({ selector }) => selector === chain)?.title ?? chain;
    const details = [...tags, standard, toShortDisplayAddress(address), title];
    return createItem('token', TOKEN_ICON, sanitizeLabel(name, 40), {
      description: sanitizeLabel(details.join(' · '), 160),
      target: { kind: 'address', chain, address: address as Hex }, // as the index has it
      copyText: toDisplayAddress(address),
      addressToSave: address,
    });
  });
}

/** Development accounts by their names, on the chains of this machine. */
function toAccountItems(typed: string, { chains }: LookUpState): LookUpItem[] {
  const query = typed.trim().toLowerCase();
  if (query.length < MIN_ACCOUNT_QUERY || !/\D/.test(query)) return []; // digits alone are a block number
  const words = query.split(/\s+/);
  const found = getDevelopmentAccounts().filter(({ name }) => words.every(word => name.toLowerCase().includes(word)));
  return chains.flatMap(({ selector, title, isOnLoopback }) =>
    found
      .filter(() => isOnLoopback)
      .map(({ name, address }) =>
        createItem('account', 'account', name, {
          description: `${toShortDisplayAddress(address)} · ${title}`,
          target: { kind: 'address', chain: selector, address },
          copyText: address,
          addressToSave: address,
        }),
      ),
  );
}

function toHistoryItems(state: LookUpState, query: string): LookUpItem[] {
  const hasSeveralChains = state.history.filter(({ entries }) => entries.length > 0).length > 1;
  const getTitle = (chain: string) => state.chains.find(({ selector }) => selector === chain)?.title ?? chain;
  return state.history
    .flatMap(({ key, chain, entries }) =>
      entries
        .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(query))
        .map(({ value, label }) => {
          const ownText = label === value ? '' : toShortDisplayAddress(value);
          return createItem('history', 'history', sanitizeLabel(label, 120), {
            description: hasSeveralChains ? getTitle(chain) : ownText,
            target: { kind: 'type', text: value },
            copyText: value,
            historyKey: key,
          });
        }),
    )
    .slice(0, MAX_SHOWN_HISTORY_ENTRIES);
}

const toHint = (label: string, detail: string): LookUpItem => createItem('hint', 'lightbulb', label, { detail });

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
    ...(meaning.kind === 'shortened' ? toCompletedItems(meaning, state) : toMeaningItems(meaning, state)),
    ...('chainId' in meaning ? toMissingChainItems(meaning.chainId, state) : []),
  ]);
  const needsChain = meanings.some(({ kind }) => kind === 'address' || kind === 'hash' || kind === 'block');
  if (needsChain && state.chains.length === 0)
    items.push(toConnectItem(t('No chain is configured'), t('Press Enter to connect a node.')));
  const itemValues = new Set(items.flatMap(({ copyText }) => (copyText === null ? [] : [copyText.toLowerCase()])));
  const saved = state.ranking
    .rank(typed, MAX_SAVED)
    .filter(({ address }) => !itemValues.has(address))
    .map(entry => toSavedItem(entry, state.chains));
  const project =
    state.registry === null ? [] : findProjectNames(typed, state.registry, MAX_PROJECT_NAMES).map(toProjectItem);
  const isNew = ({ copyText }: LookUpItem) => !itemValues.has(copyText?.toLowerCase() ?? '');
  const named = query === '' ? [] : [...toTokenItems(typed, state), ...toAccountItems(typed, state)].filter(isNew);
  // Without input the history comes first.
  const history = toHistoryItems(state, query).filter(
    ({ copyText }) => copyText === null || !itemValues.has(copyText.toLowerCase()),
  );
  items.push(...(query === '' ? [...history, ...saved] : [...saved, ...named, ...project, ...history]));
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

/** What hashes are, by what one of their chains has: a hash of a transaction is on no chain that of a block. */
export function findHashKinds(
  items: readonly LookUpItem[],
  getFound: (item: LookUpItem) => PreviewSummary | null,
): ReadonlyMap<string, 'transaction' | 'block'> {
  const kinds = new Map<string, 'transaction' | 'block'>();
  for (const item of items) {
    const { kind = null } = item.target?.kind === 'hash' ? (getFound(item) ?? {}) : {};
    if (item.target?.kind === 'hash' && (kind === 'transaction' || kind === 'block')) kinds.set(item.target.hash, kind);
  }
  return kinds;
}

/** `Transaction on Local dev chain`, as far as it is known what the hash is; only the chain where that does not have it. */
export function describeHash(
  { description, target, chainTitle = '' }: LookUpItem,
  kinds: ReturnType<typeof findHashKinds>,
  found: PreviewSummary | null,
): string {
  if (target?.kind !== 'hash') return description;
  if (found?.kind === 'nothing') return chainTitle;
  const kind = kinds.get(target.hash);
  if (kind === undefined) return description;
  return kind === 'transaction' ? t('Transaction on {0}', chainTitle) : t('Block on {0}', chainTitle);
}

/** By what its chain has: a contract is no account. */
export function getItemIcon(
  { icon, target }: LookUpItem,
  kinds: ReturnType<typeof findHashKinds>,
  found: PreviewSummary | null,
): string {
  if (target?.kind === 'address' && found?.kind === 'address' && icon === kindIcons.wallet)
    return getAddressIcon(found);
  const kind = target?.kind === 'hash' ? kinds.get(target.hash) : undefined;
  if (kind === undefined) return icon;
  return kind === 'block' ? 'package' : 'arrow-swap';
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
