// What was done to the address book, said with a way to take it back.
import { l10n, window } from 'vscode';
import { formatFault } from '../../base/errors.ts';
import type { Undoable } from './addressBook.ts';

export function offerUndo(said: string, undo: Undoable['undo']): void {
  const back = l10n.t('Undo');
  void window.showInformationMessage(said, back).then(async choice => {
    if (choice !== back) return;
    try {
      await undo();
      window.setStatusBarMessage(l10n.t('$(check) The address book is as it was'), 3_000);
    } catch (error) {
      void window.showErrorMessage(l10n.t('HexLens: {0}', formatFault(error)));
    }
  });
}
