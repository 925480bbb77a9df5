// Opens the page of an explorer for what a hover or a menu names. Loaded with the first click.
import { env, Uri } from 'vscode';
import { chainById } from '../../api/chains.ts';
import { type AptosTarget, aptosExplorerUrl, type ExternalTarget, explorerUrl } from '../../view/hover/hoverLinks.ts';

function pageOf(argument: unknown): string | null {
  const target = argument as Partial<ExternalTarget & AptosTarget> | null | undefined;
  if (typeof target?.value !== 'string' || typeof target.kind !== 'string') return null;
  if (typeof target.network === 'string') return aptosExplorerUrl(target as AptosTarget);
  const explorer = typeof target.chainId === 'number' ? chainById(target.chainId)?.explorer : null;
  return explorer ? explorerUrl(explorer, target as ExternalTarget) : null;
}

/** `argument` comes from a link: anything that is no target does nothing. */
export async function openTarget(argument: unknown): Promise<void> {
  const page = pageOf(argument);
  if (page !== null) await env.openExternal(Uri.parse(page, true));
}
