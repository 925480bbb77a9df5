// What VS Code reports of the items of a quick pick, and what Enter then accepts.
import assert from 'node:assert/strict';
import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { getAcceptedItem, setItems } from '../../../src/extension/prompts/quickPickStep.ts';

describe('quick picks', () => {
  it('a late report on earlier items makes no other item active', async () => {
    const picker = window.createQuickPick();
    try {
      const reported: (readonly [active: string | undefined, accepted: string | undefined])[] = [];
      const isReported = new Promise<void>(resolve => {
        picker.onDidChangeActive(([active]) => {
          reported.push([active?.label, getAcceptedItem<QuickPickItem>(picker)?.label]);
          if (reported.length === 2) resolve();
        });
      });
      setItems(picker, [
        { label: 'Recently used', kind: QuickPickItemKind.Separator },
        { label: '2023-01-31' },
        { label: '2023-01-3 is not a date' },
        { label: 'Leave empty' },
      ]);
      picker.show(); // sends these items to the window, whose report arrives when the next ones are set
      setItems(picker, [{ label: '2023-01-31', description: 'Use this value' }, { label: 'Leave empty' }]);
      await isReported;
      assert.deepEqual(reported, [
        ['2023-01-31', '2023-01-31'],
        ['2023-01-31', '2023-01-31'],
      ]);
    } finally {
      picker.dispose();
    }
  });
});
