// The list of `Switch Chain…`: which chain answers first, and which of them hovers ask.
import { l10n, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import { getChainByName } from '../../api/chains.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { sanitizeLabel } from '../../view/lookUp/summaryPreview.ts';
import { disableSorting, type StepItem } from '../prompts/quickPickStep.ts';
import { settingWriter } from '../settings/settingWriter.ts';
import type { NodeCommandsDeps } from './nodeCommands.ts';

/** Accepting a chain lets it answer first; the eye says whether hovers ask it. */
export async function switchChain(
  { backend, settings }: NodeCommandsDeps,
  connect: () => Promise<void>,
): Promise<void> {
  const chains = backend.chains();
  if (chains.length === 0) return connect();
  const all = chains.map(({ selector }) => selector);
  const hovered = () => settings.current().hover.chains ?? all;
  const store = new DisposableStore();
  const picker = store.add(window.createQuickPick<StepItem<string>>());
  const ending = new AbortController();
  const lines = new Map<string, string>();
  disableSorting(picker as never); // rows are items
  picker.title = l10n.t('Switch Chain');
  picker.placeholder = l10n.t('Which chain answers first? The eye says whether hovers ask it.');
  const fill = () => {
    if (store.disposed) return;
    const [active] = picker.activeItems;
    const rows: StepItem<string>[] = backend.chains().map(({ selector, local }, at) => {
      const asked = hovered().includes(selector);
      const title = getChainByName(selector)?.title;
      return {
        label: selector,
        description: [title, at === 0 ? l10n.t('answers first') : '', local ? l10n.t('on this machine') : '']
          .filter(part => part)
          .join(' · '),
        detail: lines.get(selector) ?? '',
        iconPath: new ThemeIcon(at === 0 ? 'pass-filled' : 'circle-outline'),
        buttons: [
          {
            iconPath: new ThemeIcon(asked ? 'eye' : 'eye-closed'),
            tooltip: asked ? l10n.t('Hovers ask this chain: leave it out') : l10n.t('Let hovers ask this chain'),
          },
        ],
        result: selector,
        alwaysShow: false,
      };
    });
    const more = { label: l10n.t('Connect Node…'), iconPath: new ThemeIcon('plug'), result: '' };
    picker.items = [...rows, { label: '', kind: QuickPickItemKind.Separator }, more];
    const kept = picker.items.find(({ label }) => label === active?.label);
    if (kept !== undefined) picker.activeItems = [kept];
  };
  store.add(settings.onDidChange(fill));
  store.add(
    picker.onDidTriggerItemButton(async ({ item }) => {
      const asked = new Set(hovered());
      if (!asked.delete(item.label)) asked.add(item.label);
      const wanted = all.filter(selector => asked.has(selector));
      // An empty list means all of them, so the last one stays.
      if (wanted.length === 0) {
        picker.placeholder = l10n.t(
          'One chain must stay. To switch hovers off, use the setting hexlens.hover.enabled.',
        );
        return;
      }
      const value = wanted.length === all.length ? undefined : wanted;
      await settingWriter.write('hover.chains', value);
    }),
  );
  store.add(
    picker.onDidAccept(async () => {
      const [row] = picker.activeItems;
      if (row?.result === undefined) return;
      const selector = row.result;
      picker.hide();
      if (selector === '') return connect();
      await settingWriter.write('chain', selector);
    }),
  );
  store.add(
    picker.onDidHide(() => {
      ending.abort();
      store.dispose();
    }),
  );
  fill();
  picker.show();
  for (const { selector } of chains)
    backend.lookup('chainStatus', { chain: selector }, ending.signal).then(
      ({ head, client, problem }) => {
        const parts = [head === null ? '' : l10n.t('block {0}', formatInteger(head)), sanitizeLabel(client ?? '', 40)];
        lines.set(selector, problem ?? parts.filter(part => part !== '').join(' · '));
        fill();
      },
      () => {}, // closed in the meantime
    );
}
