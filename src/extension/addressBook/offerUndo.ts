import { l10n, window } from 'vscode';
import { formatFault } from '../../base/errors.ts';
import { showErrorMessage, showInformationMessage } from '../prompts/showMessage.ts';

/** Undo reverts the change except for entries that were changed again since. */
export interface Undoable {
  undo(): Promise<void>;
}

export function offerUndo(message: string, undo: Undoable['undo']): void {
  const undoLabel = l10n.t('Undo');
  void showInformationMessage(message, undoLabel).then(async choice => {
    if (choice !== undoLabel) return;
    try {
      await undo();
      window.setStatusBarMessage(l10n.t('$(check) Change undone'), 3_000);
    } catch (error) {
      void showErrorMessage(l10n.t('HexLens: {0}', formatFault(error)));
    }
  });
}
