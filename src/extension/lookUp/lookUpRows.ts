// Quick pick rows of the look-up box, with icons, separators and buttons.
import { l10n, type QuickInputButton, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { LookUpItem } from '../../view/lookUp/lookUpItems.ts';
import type { LookUpPreview, LookUpPreviews } from './lookUpPreviews.ts';

export interface LookUpRow extends QuickPickItem {
  readonly item?: LookUpItem;
}

type Action = 'inspect' | 'copy' | 'save' | 'remove';
export interface LookUpRowButton extends QuickInputButton {
  readonly action: Action;
}

const createButton = (action: Action, icon: string, tooltip: string): LookUpRowButton => ({
  action,
  iconPath: new ThemeIcon(icon),
  tooltip,
});

const SECTION_TITLES = {
  meaning: () => l10n.t('Result'),
  saved: () => l10n.t('Saved'),
  history: () => l10n.t('Recent'),
  hint: () => '',
} as const;

function toRow(item: LookUpItem, preview: LookUpPreview | undefined): LookUpRow {
  const buttons = [
    ...(item.target !== null && item.section !== 'history' && item.target.kind !== 'copy'
      ? [createButton('inspect', 'inspect', l10n.t('Inspect'))]
      : []),
    ...(item.copyText === null ? [] : [createButton('copy', 'copy', l10n.t('Copy'))]),
    ...(item.addressToSave === null ? [] : [createButton('save', 'bookmark', l10n.t('Save to Address Book'))]),
    ...(item.historyKey === null ? [] : [createButton('remove', 'close', l10n.t('Remove from History'))]),
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

/** Adds a separator above the first row of each section. */
export function toLookUpRows(items: readonly LookUpItem[], previews: LookUpPreviews): LookUpRow[] {
  const rows: LookUpRow[] = [];
  let section = '';
  for (const item of items) {
    const title = SECTION_TITLES[item.section]();
    if (title !== section && title !== '') rows.push({ label: title, kind: QuickPickItemKind.Separator });
    section = title;
    rows.push(toRow(item, previews.get(item)));
  }
  return rows;
}
