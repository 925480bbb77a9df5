// Titles of chains: names of networks unchanged, titles of local nodes translated.
import { DEVELOPMENT_CHAIN_IDS, LOCAL_CHAIN } from '../api/chains.ts';
import { findChain, findChainBySelector } from '../api/chainTable.ts';
import { t } from '../base/localize.ts';

/** Titles that `api/chains.ts` creates for local nodes are English. */
const LOCAL_NODE = /^Local node \((.*)\)$/;

export function getChainTitle({ title }: { readonly title: string }): string {
  if (title === 'Local dev chain') return t('Local dev chain');
  const [, network] = LOCAL_NODE.exec(title) ?? [];
  return network === undefined ? title : t('Local node ({0})', network);
}

/** A chain that has not reported its own title yet: that of its selector. A development node is what `local` is made for. */
export const getSelectorTitle = (selector: string): string =>
  findChainBySelector(selector)?.title ?? (selector === LOCAL_CHAIN ? t('Local dev chain') : selector);

interface TitledChain {
  readonly selector: string;
  /** `null` while its node has not reported it. */
  readonly reportedTitle: string | null;
}

/** A configured chain: a development node may have the id of a public network, or fork it, whatever the selector names. */
export const getConfiguredTitle = ({ selector, reportedTitle }: TitledChain): string =>
  reportedTitle === null ? getSelectorTitle(selector) : getChainTitle({ title: reportedTitle });

export function findConfiguredTitle(chains: readonly TitledChain[], selector: string): string {
  const found = chains.find(chain => chain.selector === selector);
  return found === undefined ? getSelectorTitle(selector) : getConfiguredTitle(found);
}

/** The chains of a saved entry. */
export const formatChains = (selectors: readonly string[]): string => selectors.map(getSelectorTitle).join(', ');

/** `null` for a chain that is not in the table. */
export function getChainTitleById(id: number): string | null {
  return DEVELOPMENT_CHAIN_IDS.includes(id) ? t('Local dev chain') : (findChain(id)?.title ?? null);
}
