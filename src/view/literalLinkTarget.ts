// Where the link of an address or hash leads: to the chain that its text names, never to another one.
import { getSelectorChainId } from '../api/chains.ts';
import { findChain, findChainBySelector } from '../api/chainTable.ts';
import type { LinkableLiteral } from './findLinkableLiterals.ts';
import { getExplorerUrl } from './hover/hoverLinks.ts';

export interface ExplorableLiteral extends Pick<LinkableLiteral, 'value' | 'chainId'> {
  readonly kind: 'address' | 'tx';
}

/**
 * The page of a block explorer; `null` when the chain has none. A text that names no chain is of the first configured one that
 * has an explorer.
 *
 * @param explorers Explorers of the settings, by selector.
 */
export function findExplorerPage(
  { kind, value, chainId }: ExplorableLiteral,
  selectors: readonly string[],
  explorers: Readonly<Record<string, string>>,
): string | null {
  const named = chainId === null ? selectors : [findChain(chainId)?.name ?? ''];
  const found = named
    .map(selector =>
      Object.hasOwn(explorers, selector) ? explorers[selector] : findChainBySelector(selector)?.explorer,
    )
    .find(explorer => explorer);
  return found ? getExplorerUrl(found, { chainId: chainId ?? 0, kind, value }) : null;
}

/** The configured chains that a literal can be on: all where its text names none. */
export const selectConfiguredChains = (chainId: number | null, selectors: readonly string[]): readonly string[] =>
  chainId === null ? selectors : selectors.filter(selector => getSelectorChainId(selector) === chainId);
