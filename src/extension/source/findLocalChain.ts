// The chain that commands read many transactions of: only those of this machine are read so much from, also forks.
import { l10n, type QuickPickItem, window } from 'vscode';
import { formatInteger } from '../../base/formatUnits.ts';
import { isObject } from '../../base/isObject.ts';
import { unlessCancelled } from '../editor/toAbortSignal.ts';
import { withCancelButton } from '../prompts/showMessage.ts';
import { isDevelopmentNode } from '../worker/configuredChains.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface LocalChain {
  readonly selector: string;
  /** Its newest block. */
  readonly head: number;
  /** The block behind which all were mined on this machine; -1 for all of them. */
  readonly before: number;
}

/** `chain` of what a command was called with, such as a page or a key binding; `null` where it has none. */
export const getNamedChain = (argument: unknown): string | null =>
  isObject(argument) && typeof argument['chain'] === 'string' ? argument['chain'] : null;

/** Those whose nodes respond, in the settings' order. */
async function list(
  { chains, identifyChain, lookup }: WorkerClient,
  signal: AbortSignal,
): Promise<readonly LocalChain[]> {
  const found: LocalChain[] = [];
  for (const { selector, isOnLoopback } of chains()) {
    if (!isOnLoopback) continue;
    const chain = await identifyChain(selector, signal);
    if (!isDevelopmentNode(chain)) continue;
    const { head } = await lookup('chainStatus', { chain: selector }, signal);
    if (head !== null) found.push({ selector, head, before: chain.forkBlock ?? -1 });
  }
  return found;
}

/**
 * Of several the user picks one, unless `named` is one of them; `null` without one, `'cancelled'` when the user did not wait or
 * pick.
 */
export async function findLocalChain(
  worker: WorkerClient,
  title: string,
  named: string | null,
): Promise<LocalChain | 'cancelled' | null> {
  const progress = l10n.t('Asking the nodes of this machine');
  const found = await withCancelButton(progress, signal => unlessCancelled(list(worker, signal), 'cancelled' as const));
  if (found === 'cancelled') return 'cancelled';
  if (found.length < 2) return found[0] ?? null;
  const meant = found.find(({ selector }) => selector === named);
  if (meant !== undefined) return meant;
  const items = found.map((chain): QuickPickItem & { readonly chain: LocalChain } => ({
    label: chain.selector,
    description: l10n.t('block {0}', formatInteger(chain.head)),
    chain,
  }));
  const picked = await window.showQuickPick(items, { title, placeHolder: l10n.t('Select a chain') });
  return picked?.chain ?? 'cancelled';
}
