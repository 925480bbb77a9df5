// One step of a multi-step quick pick, whose items depend on the typed text.
import {
  type QuickInputButton,
  QuickInputButtons,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

export interface StepItem<T> extends QuickPickItem {
  /** Accepting the item ends the step with this result. */
  readonly result?: T;
  /** Accepting the item runs this, and the step continues with updated items. */
  run?(): void;
}

export interface QuickPickStep<T> {
  readonly title: string;
  readonly placeholder: string;
  /** Shown as "2/3"; absent when there is only one step. */
  readonly position?: { readonly step: number; readonly of: number };
  readonly value?: string;
  /** Whether there is a Back button. */
  readonly back: boolean;
  /** The items for the typed text, shown all and in this order. */
  createItems(typed: string): readonly StepItem<T>[];
  /** A button of an item was clicked; the items are updated afterwards. */
  onButton?(item: StepItem<T>, button: QuickInputButton): unknown;
}

/** Shows items in the given order. The property works in every version of VS Code, but is missing in its types. */
export function disableSorting(picker: QuickPick<never> | QuickPick<QuickPickItem>): void {
  (picker as { sortByLabel?: boolean }).sortByLabel = false;
}

/**
 * Shows items. VS Code reports the active item by its index, and late: there may be other items by then. Below a separator the
 * first item that can be chosen has the same index in all lists, so that a late report makes no other item active.
 */
export function setItems<T extends QuickPickItem>(picker: QuickPick<T | QuickPickItem>, items: readonly T[]): void {
  const startsWithSeparator = items[0]?.kind === QuickPickItemKind.Separator;
  // Without a label it is not drawn.
  picker.items = startsWithSeparator ? items : [{ label: '', kind: QuickPickItemKind.Separator }, ...items];
}

/**
 * The item that Enter accepts. When Enter follows a keystroke at once, the first of the new items is meant, not the one that
 * was active before.
 */
export function getAcceptedItem<T extends QuickPickItem>({ activeItems, items }: QuickPick<T>): T | undefined {
  const [active] = activeItems;
  if (active !== undefined && items.includes(active)) return active;
  return items.find(({ kind }) => kind !== QuickPickItemKind.Separator);
}

/** Resolves with `'back'` for the Back button and with `undefined` when the quick pick was dismissed. */
export function showStep<T>(step: QuickPickStep<T>): Promise<T | 'back' | undefined> {
  return new Promise(resolve => {
    const store = new DisposableStore();
    const picker = store.add(window.createQuickPick<StepItem<T>>());
    disableSorting(picker as QuickPick<QuickPickItem>);
    picker.title = step.title;
    picker.placeholder = step.placeholder;
    picker.ignoreFocusOut = true;
    if (step.position !== undefined && step.position.of > 1)
      [picker.step, picker.totalSteps] = [step.position.step, step.position.of];
    if (step.back) picker.buttons = [QuickInputButtons.Back];
    if (step.value !== undefined) picker.value = step.value;
    let shownValue: string | undefined;
    const updateItems = () => {
      shownValue = picker.value;
      setItems(
        picker,
        step.createItems(picker.value).map(item => ({ ...item, alwaysShow: true })),
      );
    };
    let hasEnded = false;
    const end = (result: T | 'back' | undefined) => {
      if (hasEnded) return;
      hasEnded = true;
      resolve(result);
      picker.hide();
    };
    store.add(
      picker.onDidChangeValue(value => {
        // VS Code also reports values that we set: items set twice would move the focus back to the first of them.
        if (value !== shownValue) updateItems();
      }),
    );
    store.add(picker.onDidTriggerButton(() => end('back')));
    store.add(
      picker.onDidTriggerItemButton(async ({ item, button }) => {
        await step.onButton?.(item, button);
        if (!hasEnded) updateItems();
      }),
    );
    store.add(
      picker.onDidAccept(() => {
        const item = getAcceptedItem(picker);
        if (item === undefined) return;
        if (item.run !== undefined) {
          item.run();
          picker.value = '';
          updateItems();
        } else if ('result' in item) end(item.result);
      }),
    );
    store.add(
      picker.onDidHide(() => {
        end(undefined);
        store.dispose();
      }),
    );
    updateItems();
    picker.show();
  });
}
