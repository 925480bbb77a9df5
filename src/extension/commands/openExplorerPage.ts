// Opens the page of an explorer for what a hover or a menu names. Loaded with the first click.
import { env, Uri } from 'vscode';
import { getChainById } from '../../api/chains.ts';
import {
  type AptosExplorerTarget,
  type ExplorerTarget,
  getAptosExplorerUrl,
  getExplorerUrl,
} from '../../view/hover/hoverLinks.ts';

function pageOf(argument: unknown): string | null {
  const target = argument as Partial<ExplorerTarget & AptosExplorerTarget> | null | undefined;
  if (typeof target?.value !== 'string' || typeof target.kind !== 'string') return null;
  if (typeof target.network === 'string') return getAptosExplorerUrl(target as AptosExplorerTarget);
  const explorer = typeof target.chainId === 'number' ? getChainById(target.chainId)?.explorer : null;
  return explorer ? getExplorerUrl(explorer, target as ExplorerTarget) : null;
}

/** `argument` comes from a link: anything that is no target does nothing. */
export async function openExplorerPage(argument: unknown): Promise<void> {
  const page = pageOf(argument);
  if (page !== null) await env.openExternal(Uri.parse(page, true));
}
