// Opens the page of a literal in a block explorer.
import { env, Uri } from 'vscode';
import { getChainById } from '../../api/chains.ts';
import {
  type AptosExplorerTarget,
  type ExplorerTarget,
  getAptosExplorerUrl,
  getExplorerUrl,
} from '../../view/hover/hoverLinks.ts';

function getPageUrl(argument: unknown): string | null {
  const target = argument as Partial<ExplorerTarget & AptosExplorerTarget> | null | undefined;
  if (typeof target?.value !== 'string' || typeof target.kind !== 'string') return null;
  if (typeof target.network === 'string') return getAptosExplorerUrl(target as AptosExplorerTarget);
  const explorer = typeof target.chainId === 'number' ? getChainById(target.chainId)?.explorer : null;
  return explorer ? getExplorerUrl(explorer, target as ExplorerTarget) : null;
}

/** `argument` is an `ExplorerTarget` or `AptosExplorerTarget` of a link; anything else is ignored. */
export async function openExplorerPage(argument: unknown): Promise<void> {
  const url = getPageUrl(argument);
  if (url !== null) await env.openExternal(Uri.parse(url, true));
}
