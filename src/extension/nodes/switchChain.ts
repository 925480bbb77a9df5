// The quick pick of Switch Chain: the default chain, and the chains that hovers query.

import { l10n, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { getConfiguredTitle } from '../../view/chainTitle.ts';
import { sanitizeLabel } from '../../view/lookUp/summaryPreview.ts';
import { disableSorting, type StepItem } from '../prompts/quickPickStep.ts';
import { settingWriter } from '../settings/settingWriter.ts';
import type { NodeCommandsDeps } from './pickNode.ts';

/** Accepting a chain makes it the default; its eye button includes it in hovers or excludes it. */
export async function switchChain({ worker, settings }: NodeCommandsDeps, connect: () => Promise<void>): Promise<void> {
  const chains = worker.chains();
  if (chains.length === 0) return connect();
  const all = chains.map(({ selector }) => selector);
  const getHoverChains = () => settings.current().hover.chains ?? all;
  const store = new DisposableStore();
  const picker = store.add(window.createQuickPick<StepItem<string>>());
  const closing = new AbortController();
  const details = new Map<string, string>();
  disableSorting(picker as never);
  picker.title = l10n.t('Switch Chain');
  picker.placeholder = l10n.t('Select the default chain. The eye shows whether hovers query it.');
  const updateItems = () => {
    if (store.disposed) return;
    const [active] = picker.activeItems;
    const items: StepItem<string>[] = worker.chains().map((chain, index) => {
      const { selector, isOnLoopback } = chain;
      const title = getConfiguredTitle(chain);
      const isInHovers = getHoverChains().includes(selector);
      return {
        label: selector,
        description: [
          title === selector ? '' : title,
          index === 0 ? l10n.t('default') : '',
          isOnLoopback ? l10n.t('on this machine') : '',
        ]
          .filter(part => part)
          .join(' · '),
        detail: details.get(selector) ?? '',
        iconPath: new ThemeIcon(index === 0 ? 'pass-filled' : 'circle-outline'),
        buttons: [
          {
            iconPath: new ThemeIcon(isInHovers ? 'eye' : 'eye-closed'),
            tooltip: isInHovers ? l10n.t('Exclude from hovers') : l10n.t('Include in hovers'),
          },
        ],
        result: selector,
        alwaysShow: false,
      };
    });
    const connectItem = { label: l10n.t('Connect Node…'), iconPath: new ThemeIcon('plug'), result: '' };
    picker.items = [...items, { label: '', kind: QuickPickItemKind.Separator }, connectItem];
    const activeItem = picker.items.find(({ label }) => label === active?.label);
    if (activeItem !== undefined) picker.activeItems = [activeItem];
  };
  store.add(settings.onDidChange(updateItems));
  store.add(
    picker.onDidTriggerItemButton(async ({ item }) => {
      const inHovers = new Set(getHoverChains());
      if (!inHovers.delete(item.label)) inHovers.add(item.label);
      const selected = all.filter(selector => inHovers.has(selector));
      // An empty list means all chains, so the last one cannot be excluded.
      if (selected.length === 0) {
        picker.placeholder = l10n.t(
          'At least one chain is required. To turn hovers off, use the setting hexlens.hover.enabled.',
        );
        return;
      }
      const value = selected.length === all.length ? undefined : selected;
      await settingWriter.write('hover.chains', value);
    }),
  );
  store.add(
    picker.onDidAccept(async () => {
      const [item] = picker.activeItems;
      if (item?.result === undefined) return;
      const selector = item.result;
      picker.hide();
      if (selector === '') return connect();
      await settingWriter.write('chain', selector);
    }),
  );
  store.add(
    picker.onDidHide(() => {
      closing.abort();
      store.dispose();
    }),
  );
  updateItems();
  picker.show();
  for (const { selector } of chains)
    worker.lookup('chainStatus', { chain: selector }, closing.signal).then(
      ({ head, client, problem }) => {
        const parts = [head === null ? '' : l10n.t('block {0}', formatInteger(head)), sanitizeLabel(client ?? '', 40)];
        details.set(selector, problem ?? parts.filter(part => part !== '').join(' · '));
        updateItems();
      },
      () => {}, // closed meanwhile
    );
}
