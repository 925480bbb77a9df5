// Opens the page of an explorer for what the cursor stands on.
import { commands, l10n, window } from 'vscode';
import { chains as allChains, getChainById, getChainByName } from '../../api/chains.ts';
import { commandIds } from '../../manifest/commands.ts';
import { getLiteralChainId } from '../../view/hover/lookupRequests.ts';
import { detectLiteralAtCursor, toExplorerTarget } from '../editor/detectLiteral.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? '';

/** Public chains have explorers; what stands on a local one has no page anywhere. */
export async function openExplorerAtCursor(backend: WorkerClient): Promise<void> {
  const subject = detectLiteralAtCursor();
  if (subject === null || toExplorerTarget(subject, 1) === null) {
    void window.showInformationMessage(l10n.t('Put the cursor on an address, a hash or a block number first.'));
    return;
  }
  const configured = backend.chains().flatMap(({ selector }) => getChainByName(selector) ?? []);
  const named = getChainById(getLiteralChainId(subject) ?? -1);
  const pages = (named === undefined ? configured : [named]).filter(({ explorer }) => explorer !== null);
  const offered = pages.length > 0 ? pages : allChains.filter(({ explorer }) => explorer !== null);
  const [only] = offered;
  const picked =
    offered.length === 1
      ? only
      : await window
          .showQuickPick(
            offered.map(chain => ({ label: chain.title, description: hostOf(chain.explorer ?? ''), chain })),
            { title: l10n.t('Open in External Explorer'), placeHolder: l10n.t('On which chain?') },
          )
          .then(choice => choice?.chain);
  if (picked === undefined) return;
  await commands.executeCommand(commandIds.openExternal, toExplorerTarget(subject, picked.id));
}
