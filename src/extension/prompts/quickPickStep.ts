// One step of asking in the quick pick: rows made anew at every keystroke, a way back, and what was chosen.
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
  /** Ends the step with this. */
  readonly result?: T;
  /** Changes something; the rows are made anew and the step goes on. */
  run?(): void;
}

export interface QuickPickStep<T> {
  readonly title: string;
  readonly placeholder: string;
  /** "k of n"; absent when there is one step only. */
  readonly position?: { readonly step: number; readonly of: number };
  readonly value?: string;
  readonly back: boolean;
  /** By what is typed. All rows are shown, in this order. */
  createItems(typed: string): readonly StepItem<T>[];
  /** A button of a row was clicked; the rows are made anew afterwards. */
  onButton?(row: StepItem<T>, button: QuickInputButton): unknown;
}

/** Rows in the order they were given: ours are ranked already. The property works in every version, but is not in the types. */
export function disableSorting(picker: QuickPick<never> | QuickPick<QuickPickItem>): void {
  (picker as { sortByLabel?: boolean }).sortByLabel = false;
}

/**
 * The row that Enter takes. VS Code says late which of the new rows is active: whoever types and presses Enter at once
 * means the first of them, not the one that was active before the last keystroke.
 */
export function getAcceptedItem<T extends QuickPickItem>({ activeItems, items }: QuickPick<T>): T | undefined {
  const [active] = activeItems;
  if (active !== undefined && items.includes(active)) return active;
  return items.find(({ kind }) => kind !== QuickPickItemKind.Separator);
}

/** `'back'` when the back button was used, `undefined` when the box was closed. */
export function showStep<T>(step: QuickPickStep<T>): Promise<T | 'back' | undefined> {
  return new Promise(resolve => {
    const store = new DisposableStore();
    const picker = store.add(window.createQuickPick<StepItem<T>>());
    disableSorting(picker as QuickPick<QuickPickItem>); // rows are items
    picker.title = step.title;
    picker.placeholder = step.placeholder;
    picker.ignoreFocusOut = true;
    if (step.position !== undefined && step.position.of > 1)
      [picker.step, picker.totalSteps] = [step.position.step, step.position.of];
    if (step.back) picker.buttons = [QuickInputButtons.Back];
    if (step.value !== undefined) picker.value = step.value;
    const fill = () => {
      picker.items = step.createItems(picker.value).map(row => ({ ...row, alwaysShow: true }));
    };
    let settled = false;
    const end = (result: T | 'back' | undefined) => {
      if (settled) return;
      settled = true;
      resolve(result);
      picker.hide();
    };
    store.add(picker.onDidChangeValue(fill));
    store.add(picker.onDidTriggerButton(() => end('back')));
    store.add(
      picker.onDidTriggerItemButton(async ({ item, button }) => {
        await step.onButton?.(item, button);
        if (!settled) fill();
      }),
    );
    store.add(
      picker.onDidAccept(() => {
        const row = getAcceptedItem(picker);
        if (row === undefined) return;
        if (row.run !== undefined) {
          row.run();
          picker.value = '';
          fill();
        } else if ('result' in row) end(row.result);
      }),
    );
    store.add(
      picker.onDidHide(() => {
        end(undefined);
        store.dispose();
      }),
    );
    fill();
    picker.show();
  });
}
