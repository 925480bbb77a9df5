// The rows of the look-up box for what is typed: what it may be on each chain, saved entries, what was looked up before.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { getChainByName } from '../../api/chains.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { shortenHex } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import type { EntryRanking } from './entryRanking.ts';
import type { LookUpHistoryEntry } from './lookUpHistory.ts';
import { type LookUpMeaning, parseLookUp, type RejectionReason, type WellKnownKind } from './parseLookUp.ts';
import { sanitizeLabel } from './summaryPreview.ts';

// What the look-up box calls what HexLens knows itself, and why it refuses the rest.
export const wellKnownTexts: Readonly<Record<WellKnownKind, { readonly icon: string; title(): string }>> = {
  event: { icon: 'symbol-event', title: () => t('Event topic') },
  function: { icon: 'symbol-method', title: () => t('Function selector') },
  error: { icon: 'error', title: () => t('Error selector') },
  interface: { icon: 'symbol-interface', title: () => t('ERC-165 interface') },
  constant: { icon: 'symbol-constant', title: () => t('Well-known constant') },
  number: { icon: 'symbol-number', title: () => t('32-byte number') },
  text: { icon: 'symbol-string', title: () => t('32-byte text') },
  data: { icon: 'file-binary', title: () => t('Data') },
};

export const rejectionTexts: Readonly<Record<RejectionReason, () => string>> = {
  key: () => t('This is the private key of a well-known development account: it is never looked up.'),
  truncated: () => t('Digits are missing in the middle, so there is nothing to look up.'),
  digits: () => t('It has the wrong number of digits for an address (40) or a hash (64).'),
};

/** What a row leads to. The first three and `operation` are what the inspector shows. */
export type LookUpTarget =
  | { readonly kind: 'address'; readonly chain: string; readonly address: Hex }
  | { readonly kind: 'hash'; readonly chain: string; readonly hash: Hex }
  | { readonly kind: 'block'; readonly chain: string; readonly block: string }
  | { readonly kind: 'aptosAccount'; readonly address: string }
  | { readonly kind: 'coinType'; readonly coinType: string }
  | { readonly kind: 'ens'; readonly name: string }
  | { readonly kind: 'connect' }
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'copy'; readonly text: string };

export interface LookUpItem {
  readonly section: 'meaning' | 'saved' | 'history' | 'hint';
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** `null`: words only. */
  readonly target: LookUpTarget | null;
  /** What the copy button copies; `null` for none. */
  readonly copyText: string | null;
  /** The address that the save button saves; `null` where it is saved already or there is none. */
  readonly addressToSave: string | null;
  /** What may be asked for a preview, and by which literal; `null` when nothing may. */
  readonly literal: HexLiteral | null;
  /** The chain of a row of the history, whose remove button forgets it. */
  readonly historyKey: string | null;
}

export interface LookUpChain {
  readonly selector: string;
  readonly local: boolean;
}

export interface LookUpState {
  readonly chains: readonly LookUpChain[];
  readonly ranking: EntryRanking;
  /** The saved name of an address in any spelling; `null` when it has none. */
  getName(address: string, chain?: string): string | null;
  /** By chain key, newest first, in the order of the chains. */
  readonly history: readonly {
    readonly key: string;
    readonly chain: string;
    readonly entries: readonly LookUpHistoryEntry[];
  }[];
  /** The selector of the configured chain that ENS names are looked up on; `null` when there is none. */
  readonly ensChain: string | null;
}

/** Rows of each section; more is not read, only scrolled. */
const MAX_SAVED = 40;
const MAX_HISTORY = 20;

const plain = {
  detail: '',
  goal: null,
  copy: null,
  save: null,
  subject: null,
  historyOf: null,
} as const;

const chainTitle = (selector: string): string => getChainByName(selector)?.title ?? selector;

/** The chain that a link names, when it is configured; every chain otherwise. */
function chainsFor(chains: readonly LookUpChain[], chainId: number | null): readonly LookUpChain[] {
  if (chainId === null) return chains;
  const named = chains.filter(({ selector }) => getChainByName(selector)?.id === chainId);
  // A local node may be a fork of the chain that is meant.
  return named.length > 0 ? named : chains.filter(({ local }) => local);
}

function meaningItems(reading: LookUpMeaning, state: LookUpState): LookUpItem[] {
  const section = 'meaning';
  switch (reading.kind) {
    case 'address': {
      const { address, subject, chainId } = reading;
      const saved = state.getName(address);
      const name = saved ?? findDevelopmentAccount(address)?.name ?? null;
      const label =
        name === null ? checksumAddress(address) : `${sanitizeLabel(name)} ${shortenHex(checksumAddress(address))}`;
      const warn = subject.kind === 'address' && subject.shouldWarn ? ` · ${t('the checksum is wrong')}` : '';
      return chainsFor(state.chains, chainId).map(({ selector }) => ({
        ...plain,
        section,
        icon: warn === '' ? 'account' : 'warning',
        label,
        description: `${chainTitle(selector)}${warn}`,
        goal: { kind: 'address', chain: selector, address },
        copy: checksumAddress(address),
        save: saved === null ? address : null,
        subject,
      }));
    }
    case 'hash':
      return chainsFor(state.chains, reading.chainId).map(({ selector }) => ({
        ...plain,
        section,
        icon: 'symbol-key',
        label: shortenHex(reading.hash),
        description: t('Transaction or block on {0}', chainTitle(selector)),
        goal: { kind: 'hash', chain: selector, hash: reading.hash },
        copy: reading.hash,
        subject: reading.subject,
      }));
    case 'block':
      return chainsFor(state.chains, reading.chainId).map(({ selector }) => ({
        ...plain,
        section,
        icon: 'package',
        label: t('Block {0}', formatInteger(reading.block)),
        description: t('on {0}', chainTitle(selector)),
        goal: { kind: 'block', chain: selector, block: String(reading.block) },
        copy: String(reading.block),
        subject: {
          ...{ kind: 'blockNumber', start: 0, end: 0, text: String(reading.block) },
          ...{ number: reading.block, chainId: null, host: '' },
        },
      }));
    case 'aptosAddress': {
      const { address } = reading;
      const saved = state.getName(address);
      return [
        {
          ...plain,
          section,
          icon: 'account',
          label: saved === null ? shortenHex(address) : `${sanitizeLabel(saved)} ${shortenHex(address)}`,
          description: t('Aptos account: its NFTs'),
          target: { kind: 'aptosAccount', address },
          copyText: address,
          addressToSave: saved === null ? address : null,
        },
      ];
    }
    case 'coinType':
      return [
        {
          ...plain,
          section,
          icon: 'symbol-currency',
          label: sanitizeLabel(reading.coinType, 120),
          description: t('Aptos coin: its transfers'),
          target: { kind: 'coinType', coinType: reading.coinType },
          copyText: reading.coinType,
        },
      ];
    case 'ens': {
      if (state.ensChain === null)
        return [
          {
            ...plain,
            section,
            icon: 'plug',
            label: t('ENS names need an Ethereum node'),
            detail: t('They are kept on Ethereum itself. Enter connects a node for the chain eth.'),
            description: '',
            target: { kind: 'connect' },
          },
        ];
      return [
        {
          ...plain,
          section,
          icon: 'globe',
          label: sanitizeLabel(reading.name, 80),
          description: t('ENS name'),
          target: { kind: 'ens', name: reading.name },
        },
      ];
    }
    case 'known': {
      const { icon, title } = wellKnownTexts[reading.what];
      return [
        {
          ...plain,
          section,
          icon,
          label: sanitizeLabel(reading.meaning, 120),
          description: title(),
          target: { kind: 'copy', text: reading.meaning },
          copyText: reading.value,
        },
      ];
    }
    case 'refused':
      return [{ ...plain, section, icon: 'circle-slash', label: rejectionTexts[reading.why](), description: '' }];
  }
}

function savedItem(entry: SavedEntry, chains: readonly LookUpChain[]): LookUpItem {
  const { address, kind, name, tags, folder } = entry;
  const [own] = chains.filter(({ selector }) => entry.chains.includes(selector));
  const chain = own ?? chains[0];
  const aptos = kind === 'aptos';
  const shown = aptos ? shortenHex(address) : shortenHex(checksumAddress(address));
  const where = [folder, ...tags.map(tag => `#${tag}`)].filter(part => part !== '').join(' ');
  return {
    ...plain,
    section: 'saved',
    icon: kind === 'wallet' || aptos ? 'account' : kind === 'collection' ? 'symbol-misc' : 'file-code',
    label: sanitizeLabel(name, 80),
    description: sanitizeLabel(where === '' ? shown : `${shown} · ${where}`, 120),
    target: aptos
      ? { kind: 'aptosAccount', address }
      : chain === undefined
        ? { kind: 'connect' }
        : { kind: 'address', chain: chain.selector, address: address as Hex }, // the book keeps 0x and digits
    copyText: aptos ? address : checksumAddress(address),
  };
}

function historyItems(state: LookUpState, wanted: string): LookUpItem[] {
  const several = state.history.filter(({ entries }) => entries.length > 0).length > 1;
  return state.history
    .flatMap(({ key, chain, entries }) =>
      entries
        .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(wanted))
        .map(
          ({ value, label }): LookUpItem => ({
            ...plain,
            section: 'history',
            icon: 'history',
            label: sanitizeLabel(label, 120),
            description: several ? chainTitle(chain) : label === value ? '' : shortenHex(value),
            target: { kind: 'type', text: value },
            copyText: value,
            historyKey: key,
          }),
        ),
    )
    .slice(0, MAX_HISTORY);
}

const hint = (label: string, detail: string): LookUpItem => ({
  ...{ ...plain, section: 'hint', icon: 'lightbulb', label, description: '', detail },
});

/** All rows, in order. Asks nobody; costs a pass over the saved entries. */
export function getLookUpItems(typed: string, state: LookUpState): readonly LookUpItem[] {
  const wanted = typed.trim().toLowerCase();
  const readings = parseLookUp(typed);
  const items = readings.flatMap(reading => meaningItems(reading, state));
  const needChain = readings.some(({ kind }) => kind === 'address' || kind === 'hash' || kind === 'block');
  if (needChain && state.chains.length === 0)
    items.push({
      ...{ ...plain, section: 'meaning', icon: 'plug', label: t('No chain is configured'), description: '' },
      ...{ detail: t('Enter connects a node.'), target: { kind: 'connect' } },
    });
  const meant = new Set(items.flatMap(({ copyText: copy }) => (copy === null ? [] : [copy.toLowerCase()])));
  const saved = state.ranking
    .rank(typed, MAX_SAVED)
    .filter(({ address }) => !meant.has(address))
    .map(entry => savedItem(entry, state.chains));
  // Nothing typed: what was looked up before comes first, then what is saved.
  const history = historyItems(state, wanted).filter(
    ({ copyText: copy }) => copy === null || !meant.has(copy.toLowerCase()),
  );
  items.push(...(wanted === '' ? [...history, ...saved] : [...saved, ...history]));
  if (items.length > 0) return items;
  if (wanted === '')
    return [
      hint(
        t('Type or paste anything'),
        t(
          'Address, transaction or block hash, block number, saved name, ENS name, Aptos coin type, explorer link, selector.',
        ),
      ),
    ];
  return [
    hint(
      t('Nothing saved is called that, and it is nothing a chain could know'),
      t('Addresses are 0x and 40 digits, hashes 0x and 64, ENS names end in .eth.'),
    ),
  ];
}
