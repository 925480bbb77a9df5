// The rows of the look-up box as VS Code's quick pick shows them: icons, sections, buttons.
import { l10n, type QuickInputButton, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { LookUpItem } from '../../view/lookUp/lookUpItems.ts';
import type { LookUpPreview, LookUpPreviews } from './lookUpPreviews.ts';

export interface LookUpRow extends QuickPickItem {
  readonly item?: LookUpItem;
}

type Action = 'inspect' | 'copy' | 'save' | 'forget';
export interface LookUpRowButton extends QuickInputButton {
  readonly action: Action;
}

const button = (action: Action, icon: string, tooltip: string): LookUpRowButton => ({
  action,
  iconPath: new ThemeIcon(icon),
  tooltip,
});

const SECTIONS = {
  meaning: () => l10n.t('what this is'),
  saved: () => l10n.t('saved'),
  history: () => l10n.t('looked up before'),
  hint: () => '',
} as const;

function rowOf(item: LookUpItem, preview: LookUpPreview | undefined): LookUpRow {
  const buttons = [
    ...(item.target !== null && item.section !== 'history' && item.target.kind !== 'copy'
      ? [button('inspect', 'inspect', l10n.t('Inspect'))]
      : []),
    ...(item.copyText === null ? [] : [button('copy', 'copy', l10n.t('Copy'))]),
    ...(item.addressToSave === null ? [] : [button('save', 'bookmark', l10n.t('Save in the address book'))]),
    ...(item.historyKey === null ? [] : [button('forget', 'close', l10n.t('Remove from the history'))]),
  ];
  const detail = preview?.line ?? item.detail;
  return {
    label: item.label,
    description: item.description,
    ...(detail !== '' && { detail }),
    iconPath: new ThemeIcon(item.icon),
    alwaysShow: true,
    buttons,
    item,
  };
}

/** Sections get a line above their first row. */
export function toLookUpRows(items: readonly LookUpItem[], previews: LookUpPreviews): LookUpRow[] {
  const rows: LookUpRow[] = [];
  let section = '';
  for (const item of items) {
    const head = SECTIONS[item.section]();
    if (head !== section && head !== '') rows.push({ label: head, kind: QuickPickItemKind.Separator });
    section = head;
    rows.push(rowOf(item, previews.get(item)));
  }
  return rows;
}
