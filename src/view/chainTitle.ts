// Titles of chains: names of networks unchanged, titles of local nodes translated.
import { getChainById } from '../api/chains.ts';
import { t } from '../base/localize.ts';

/** Titles that `api/chains.ts` creates for local nodes are English. */
const LOCAL_NODE = /^Local node \((.*)\)$/;

export function getChainTitle({ title }: { readonly title: string }): string {
  if (title === 'Local dev chain') return t('Local dev chain');
  const [, network] = LOCAL_NODE.exec(title) ?? [];
  return network === undefined ? title : t('Local node ({0})', network);
}

/** `null` for a chain that is not in the table. */
export function getChainTitleById(id: number): string | null {
  // Default ids of development nodes.
  return id === 31_337 || id === 1_337 ? t('Local dev chain') : (getChainById(id)?.title ?? null);
}
