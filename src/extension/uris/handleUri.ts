// A link from outside, `vscode://hexlens.hexlens/…`: judged, shown to the user, and followed only after a yes.

import { commands, l10n, type Uri, window } from 'vscode';
import { operations } from '../../api/operations/operations.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { translate } from '../../base/localize.ts';
import { commandIds } from '../../manifest/commands.ts';
import { type InspectorTarget, parseTargetQuery } from '../../protocol/inspectorTarget.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';

const LONGEST_TEXT = 500;

function describe(target: InspectorTarget): string {
  switch (target.kind) {
    case 'block':
      return l10n.t('block {0} on {1}', shortenHex(target.block), target.chain);
    case 'transaction':
      return l10n.t('transaction {0} on {1}', shortenHex(target.hash), target.chain);
    case 'address':
      return l10n.t('address {0} on {1}', target.address, target.chain);
    case 'operation':
      return `${translate(operations[target.operation].title)} ${sanitizeText(JSON.stringify(target.parameters), 200)}`;
  }
}

async function confirmed(question: string, detail: string, yes: string): Promise<boolean> {
  return (await window.showInformationMessage(question, { modal: true, detail }, yes)) === yes;
}

/** `/lookup?text=…` opens the look-up box, `/inspect?target=…` the inspector; anything else is refused in words. */
export async function handleUri({ path, query }: Uri, operationsOf: () => Promise<OperationCommands>): Promise<void> {
  if (path === '/lookup') {
    const text = new URLSearchParams(query).get('text')?.trim() ?? '';
    if (text !== '' && text.length <= LONGEST_TEXT) {
      const question = l10n.t('A link wants HexLens to look something up.');
      if (await confirmed(question, sanitizeText(text, 200), l10n.t('Look Up')))
        await commands.executeCommand(commandIds.lookUp, text);
      return;
    }
  }
  if (path === '/inspect') {
    const target = parseTargetQuery(query);
    if (target !== null) {
      const question = l10n.t('A link wants HexLens to open something, which may ask your node or host.');
      if (await confirmed(question, describe(target), l10n.t('Open'))) await (await operationsOf()).openTarget(target);
      return;
    }
  }
  void window.showWarningMessage(l10n.t('HexLens does not understand this link.'));
}
