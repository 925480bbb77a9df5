// Opens the page of a literal in a block explorer: of a link, or of the literal at the cursor.
import { env, l10n, Uri, window } from 'vscode';
import { chains as allChains } from '../../api/chains.ts';
import { findChain, findChainBySelector } from '../../api/chainTable.ts';
import {
  type AptosExplorerTarget,
  type ExplorerTarget,
  getAptosExplorerUrl,
  getExplorerUrl,
} from '../../view/hover/hoverLinks.ts';
import { getLiteralChainId } from '../../view/hover/hoverLookups.ts';
import { detectLiteralAtCursor, toExplorerTarget } from '../editor/detectLiteral.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

type Explorers = Readonly<Record<string, string>>;

/** The page of an `ExplorerTarget` or `AptosExplorerTarget`; `null` for anything else. `explorers`: those of the settings. */
export async function getExplorerPageUrl(argument: unknown, explorers: Explorers): Promise<string | null> {
  const target = argument as Partial<ExplorerTarget & AptosExplorerTarget> | null | undefined;
  if (typeof target?.value !== 'string' || typeof target.kind !== 'string') return null;
  if (typeof target.network === 'string') return getAptosExplorerUrl(target as AptosExplorerTarget);
  const chain = typeof target.chainId === 'number' ? findChain(target.chainId) : undefined;
  const selector = typeof target.chain === 'string' ? target.chain : (chain?.name ?? '');
  const explorer = Object.hasOwn(explorers, selector) ? explorers[selector] : chain?.explorer;
  return explorer ? getExplorerUrl(explorer, target as ExplorerTarget) : null;
}

/** `argument` is an `ExplorerTarget` or `AptosExplorerTarget` of a link; anything else is ignored. */
export async function openExplorerPage(argument: unknown, explorers: Explorers): Promise<void> {
  const url = await getExplorerPageUrl(argument, explorers);
  if (url !== null) await env.openExternal(Uri.parse(url, true));
}

const getHostname = (url: string): string => URL.parse(url)?.hostname ?? '';

/** Opens the explorer page of the literal at the cursor; offers all chains with an explorer when only local chains are configured. */
export async function openExplorerAtCursor(worker: WorkerClient, explorers: Explorers): Promise<void> {
  const atCursor = detectLiteralAtCursor();
  if (atCursor === null || toExplorerTarget(atCursor, 1) === null) {
    void showInformationMessage(l10n.t('Put the cursor on an address, a hash or a block number first.'));
    return;
  }
  const namedId = getLiteralChainId(atCursor.literal);
  if (namedId !== null) {
    // Another chain's page would show something else.
    const url = await getExplorerPageUrl(toExplorerTarget(atCursor, namedId), explorers);
    if (url !== null) await env.openExternal(Uri.parse(url, true));
    else void showInformationMessage(l10n.t('No block explorer is known for chain {0}.', namedId));
    return;
  }
  const configured = worker.chains().flatMap(({ selector }) => findChainBySelector(selector) ?? []);
  const preferred = configured.filter(({ explorer }) => explorer !== null);
  const offered = preferred.length > 0 ? preferred : allChains.filter(({ explorer }) => explorer !== null);
  const [only] = offered;
  const picked =
    offered.length === 1
      ? only
      : await window
          .showQuickPick(
            offered.map(chain => ({ label: chain.title, description: getHostname(chain.explorer ?? ''), chain })),
            { title: l10n.t('Open in External Explorer'), placeHolder: l10n.t('Select a chain') },
          )
          .then(choice => choice?.chain);
  if (picked === undefined) return;
  await openExplorerPage(toExplorerTarget(atCursor, picked.id), explorers);
}
