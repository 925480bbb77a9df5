// Saves an address under a name, from wherever it was found.
import { l10n, window } from 'vscode';
import { readable } from '../../base/errors.ts';
import { isAptosAddress } from '../../view/book/bookAddress.ts';
import type { Entry } from '../../view/book/entry.ts';
import type { Book } from '../book/book.ts';

/** The name is asked for; the rest can be changed in the sidebar. */
export async function saveAddress(address: string, book: Book): Promise<void> {
  const name = await window.showInputBox({
    title: l10n.t('Save in the Address Book'),
    prompt: l10n.t('What is {0} called?', address),
    validateInput: text => (text.trim() === '' && text !== '' ? l10n.t('Write a name.') : null),
  });
  if (name === undefined || name.trim() === '') return;
  const entry: Entry = {
    ...{ address, kind: isAptosAddress(address) ? 'aptos' : 'wallet', name: name.trim(), chains: [] },
    ...{ folder: '', tags: [], notes: '', color: null, mark: null },
  };
  try {
    await book.ready();
    await book.add([entry], { kind: 'personal' });
    window.setStatusBarMessage(`$(check) ${l10n.t('Saved')}`, 2_000);
  } catch (error) {
    void window.showErrorMessage(readable(error));
  }
}
