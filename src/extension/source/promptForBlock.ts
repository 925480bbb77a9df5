// Asks for the block after which transactions are read.
import { l10n, window } from 'vscode';
import { formatInteger } from '../../base/formatUnits.ts';

/** `null` when the user cancelled. */
export async function promptForBlock(title: string, newest: number): Promise<number | null> {
  const text = await window.showInputBox({
    title,
    prompt: l10n.t('Number of the block before, up to {0}', formatInteger(newest)),
    validateInput: value =>
      /^\s*\d{1,15}\s*$/.test(value) && Number(value) <= newest ? null : l10n.t('This is no number of a block.'),
  });
  return text === undefined ? null : Number(text);
}
