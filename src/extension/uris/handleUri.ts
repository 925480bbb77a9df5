// Handles links `vscode://hexlens.hexlens/…`, after the user has confirmed them.

import { commands, l10n, type Uri } from 'vscode';
import { operations } from '../../api/operations/operations.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { translate } from '../../base/localize.ts';
import { commandIds } from '../../manifest/commands.ts';
import { getTargetHashes, type InspectorTarget, parseTargetQuery } from '../../protocol/inspectorTarget.ts';
import { findSecretReason } from '../../view/checkDisclosure.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';
import { showInformationMessage, showWarningMessage } from '../prompts/showMessage.ts';

const MAX_TEXT_LENGTH = 500;

function describeTarget(target: InspectorTarget): string {
  switch (target.kind) {
    case 'block':
      return l10n.t('block {0} on {1}', shortenHex(target.block), target.chain);
    case 'transaction':
      return l10n.t('transaction {0} on {1}', shortenHex(target.hash), target.chain);
    case 'simulation': {
      const { to, ...call } = target.simulation;
      const what =
        to === null
          ? l10n.t('simulated creation of a contract on {0}', target.chain)
          : l10n.t('simulated call of {0} on {1}', toDisplayAddress(to), target.chain);
      return `${what}: ${sanitizeText(JSON.stringify(call), 300)}`;
    }
    case 'address': {
      const address = l10n.t('address {0} on {1}', toDisplayAddress(target.address), target.chain);
      // The call is made when the page opens.
      return target.call === undefined
        ? address
        : `${address}: ${sanitizeText(`${target.call.signature} ${JSON.stringify(target.call.args)}`, 300)}`;
    }
    case 'operation':
      return `${translate(operations[target.operation].title)} ${sanitizeText(JSON.stringify(target.parameters), 200)}`;
  }
}

/** Whether the texts may be sent; shows the reason if not. */
function checkTexts(texts: readonly string[]): boolean {
  const secret = findSecretReason(texts);
  if (secret !== null) void showWarningMessage(secret);
  return secret === null;
}

async function confirm(question: string, detail: string, action: string): Promise<boolean> {
  return (await showInformationMessage(question, { modal: true, detail }, action)) === action;
}

/** `/lookup?text=…` opens the look-up box, `/inspect?target=…` the inspector; other links show a warning. */
export async function handleUri({ path, query }: Uri, getOperations: () => Promise<OperationCommands>): Promise<void> {
  if (path === '/lookup') {
    const text = new URLSearchParams(query).get('text')?.trim() ?? '';
    if (text !== '' && text.length <= MAX_TEXT_LENGTH) {
      if (!checkTexts([text])) return;
      const question = l10n.t('Allow this link to look something up in HexLens?');
      if (await confirm(question, sanitizeText(text, 200), l10n.t('Look Up')))
        await commands.executeCommand(commandIds.lookUp, text);
      return;
    }
  }
  if (path === '/inspect') {
    const target = parseTargetQuery(query);
    if (target !== null) {
      if (!checkTexts(getTargetHashes(target))) return;
      const question = l10n.t('Allow this link to open something in HexLens? It may query your node or host.');
      if (await confirm(question, describeTarget(target), l10n.t('Open')))
        await (await getOperations()).openTarget(target);
      return;
    }
  }
  void showWarningMessage(l10n.t('HexLens cannot open this link.'));
}
