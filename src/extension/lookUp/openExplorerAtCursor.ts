import { commands, l10n, window } from 'vscode';
import { chains as allChains, getChainById, getChainByName } from '../../api/chains.ts';
import { commandIds } from '../../manifest/commands.ts';
import { getLiteralChainId } from '../../view/hover/lookupRequests.ts';
import { detectLiteralAtCursor, toExplorerTarget } from '../editor/detectLiteral.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

const getHostname = (url: string): string => URL.parse(url)?.hostname ?? '';

/** Opens the explorer page of the literal at the cursor; offers all chains with an explorer when only local chains are configured. */
export async function openExplorerAtCursor(worker: WorkerClient): Promise<void> {
  const literal = detectLiteralAtCursor();
  if (literal === null || toExplorerTarget(literal, 1) === null) {
    void window.showInformationMessage(l10n.t('Put the cursor on an address, a hash or a block number first.'));
    return;
  }
  const configured = worker.chains().flatMap(({ selector }) => getChainByName(selector) ?? []);
  const namedChain = getChainById(getLiteralChainId(literal) ?? -1);
  const preferred = (namedChain === undefined ? configured : [namedChain]).filter(({ explorer }) => explorer !== null);
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
  await commands.executeCommand(commandIds.openExternal, toExplorerTarget(literal, picked.id));
}
