// The rows of the look-up box for what is typed: what it may be on each chain, saved entries, what was looked up before.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { chainByName } from '../../api/chains.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { shortHex } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { developmentAccount } from '../../detect/developmentAccounts.ts';
import type { Subject } from '../../detect/hexLiteral.ts';
import type { Ranking } from './entryRanking.ts';
import type { HistoryEntry } from './lookUpHistory.ts';
import { type Reading, readLookUp } from './parseLookUp.ts';
import { harmless } from './summaryPreview.ts';
import { KNOWN, REFUSED } from './words.ts';

/** What a row leads to. The first three and `operation` are what the inspector shows. */
export type Goal =
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
  readonly goal: Goal | null;
  /** What the copy button copies; `null` for none. */
  readonly copy: string | null;
  /** The address that the save button saves; `null` where it is saved already or there is none. */
  readonly save: string | null;
  /** What may be asked for a preview, and by which literal; `null` when nothing may. */
  readonly subject: Subject | null;
  /** The chain of a row of the history, whose remove button forgets it. */
  readonly historyOf: string | null;
}

export interface LookUpChain {
  readonly selector: string;
  readonly local: boolean;
}

export interface LookUpState {
  readonly chains: readonly LookUpChain[];
  readonly ranking: Ranking;
  /** The saved name of an address in any spelling; `null` when it has none. */
  nameOf(address: string, chain?: string): string | null;
  /** By chain key, newest first, in the order of the chains. */
  readonly history: readonly {
    readonly key: string;
    readonly chain: string;
    readonly entries: readonly HistoryEntry[];
  }[];
  /** The selector of the configured chain that ENS names are looked up on; `null` when there is none. */
  readonly ensChain: string | null;
}

/** Rows of each section; more is not read, only scrolled. */
const MOST_SAVED = 40;
const MOST_HISTORY = 20;

const plain = {
  detail: '',
  goal: null,
  copy: null,
  save: null,
  subject: null,
  historyOf: null,
} as const;

const chainTitle = (selector: string): string => chainByName(selector)?.title ?? selector;

/** The chain that a link names, when it is configured; every chain otherwise. */
function chainsFor(chains: readonly LookUpChain[], chainId: number | null): readonly LookUpChain[] {
  if (chainId === null) return chains;
  const named = chains.filter(({ selector }) => chainByName(selector)?.id === chainId);
  // A local node may be a fork of the chain that is meant.
  return named.length > 0 ? named : chains.filter(({ local }) => local);
}

function meaningItems(reading: Reading, state: LookUpState): LookUpItem[] {
  const section = 'meaning';
  switch (reading.kind) {
    case 'address': {
      const { address, subject, chainId } = reading;
      const saved = state.nameOf(address);
      const name = saved ?? developmentAccount(address)?.name ?? null;
      const label =
        name === null ? checksumAddress(address) : `${harmless(name)} ${shortHex(checksumAddress(address))}`;
      const warn = subject.kind === 'address' && subject.warn ? ` · ${t('the checksum is wrong')}` : '';
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
        label: shortHex(reading.hash),
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
      const saved = state.nameOf(address);
      return [
        {
          ...plain,
          section,
          icon: 'account',
          label: saved === null ? shortHex(address) : `${harmless(saved)} ${shortHex(address)}`,
          description: t('Aptos account: its NFTs'),
          goal: { kind: 'aptosAccount', address },
          copy: address,
          save: saved === null ? address : null,
        },
      ];
    }
    case 'coinType':
      return [
        {
          ...plain,
          section,
          icon: 'symbol-currency',
          label: harmless(reading.coinType, 120),
          description: t('Aptos coin: its transfers'),
          goal: { kind: 'coinType', coinType: reading.coinType },
          copy: reading.coinType,
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
            goal: { kind: 'connect' },
          },
        ];
      return [
        {
          ...plain,
          section,
          icon: 'globe',
          label: harmless(reading.name, 80),
          description: t('ENS name'),
          goal: { kind: 'ens', name: reading.name },
        },
      ];
    }
    case 'known': {
      const { icon, title } = KNOWN[reading.what];
      return [
        {
          ...plain,
          section,
          icon,
          label: harmless(reading.meaning, 120),
          description: title(),
          goal: { kind: 'copy', text: reading.meaning },
          copy: reading.value,
        },
      ];
    }
    case 'refused':
      return [{ ...plain, section, icon: 'circle-slash', label: REFUSED[reading.why](), description: '' }];
  }
}

function savedItem(entry: SavedEntry, chains: readonly LookUpChain[]): LookUpItem {
  const { address, kind, name, tags, folder } = entry;
  const [own] = chains.filter(({ selector }) => entry.chains.includes(selector));
  const chain = own ?? chains[0];
  const aptos = kind === 'aptos';
  const shown = aptos ? shortHex(address) : shortHex(checksumAddress(address));
  const where = [folder, ...tags.map(tag => `#${tag}`)].filter(part => part !== '').join(' ');
  return {
    ...plain,
    section: 'saved',
    icon: kind === 'wallet' || aptos ? 'account' : kind === 'collection' ? 'symbol-misc' : 'file-code',
    label: harmless(name, 80),
    description: harmless(where === '' ? shown : `${shown} · ${where}`, 120),
    goal: aptos
      ? { kind: 'aptosAccount', address }
      : chain === undefined
        ? { kind: 'connect' }
        : { kind: 'address', chain: chain.selector, address: address as Hex }, // the book keeps 0x and digits
    copy: aptos ? address : checksumAddress(address),
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
            label: harmless(label, 120),
            description: several ? chainTitle(chain) : label === value ? '' : shortHex(value),
            goal: { kind: 'type', text: value },
            copy: value,
            historyOf: key,
          }),
        ),
    )
    .slice(0, MOST_HISTORY);
}

const hint = (label: string, detail: string): LookUpItem => ({
  ...{ ...plain, section: 'hint', icon: 'lightbulb', label, description: '', detail },
});

/** All rows, in order. Asks nobody; costs a pass over the saved entries. */
export function lookUpItems(typed: string, state: LookUpState): readonly LookUpItem[] {
  const wanted = typed.trim().toLowerCase();
  const readings = readLookUp(typed);
  const items = readings.flatMap(reading => meaningItems(reading, state));
  const needChain = readings.some(({ kind }) => kind === 'address' || kind === 'hash' || kind === 'block');
  if (needChain && state.chains.length === 0)
    items.push({
      ...{ ...plain, section: 'meaning', icon: 'plug', label: t('No chain is configured'), description: '' },
      ...{ detail: t('Enter connects a node.'), goal: { kind: 'connect' } },
    });
  const meant = new Set(items.flatMap(({ copy }) => (copy === null ? [] : [copy.toLowerCase()])));
  const saved = state.ranking
    .rank(typed, MOST_SAVED)
    .filter(({ address }) => !meant.has(address))
    .map(entry => savedItem(entry, state.chains));
  // Nothing typed: what was looked up before comes first, then what is saved.
  const history = historyItems(state, wanted).filter(({ copy }) => copy === null || !meant.has(copy.toLowerCase()));
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
