// Makes a window that a test file has used look like a new one, for the next file.
import type { Page } from 'playwright-core';
import { closeInput } from './userActions.ts';
import { actUntil } from './waits.ts';

const CLOSE_EDITOR = { pressed: 'Control+Alt+Shift+F5', key: 'ctrl+alt+shift+f5' };
const SHOW_START = { pressed: 'Control+Alt+Shift+F6', key: 'ctrl+alt+shift+f6' };

const startCommands = [
  'workbench.action.terminal.killAll',
  'notifications.clearAll',
  'workbench.action.closePanel',
  // Unlike the command that opens the view, it does not give the focus away when the view has it.
  'workbench.files.action.focusFilesExplorer',
];

/** For keys that no test uses. */
export const RESET_KEYBINDINGS: readonly Readonly<Record<string, unknown>>[] = [
  // Without the question whether to save.
  { key: CLOSE_EDITOR.key, command: 'workbench.action.revertAndCloseActiveEditor' },
  { key: SHOW_START.key, command: 'runCommands', args: { commands: startCommands } },
];

/** Closes what is open, and shows the explorer alone. */
export async function resetWindow(page: Page): Promise<void> {
  await closeInput(page);
  await closeEditors(page);
  await actUntil(
    () => page.keyboard.press(SHOW_START.pressed),
    async timeout => {
      await page.locator('.sidebar .explorer-folders-view').waitFor({ timeout });
      await page.locator('.part.panel').waitFor({ state: 'hidden', timeout });
      await page
        .locator('.notifications-toasts .notification-list-item')
        .first()
        .waitFor({ state: 'detached', timeout });
      const hasFocus = () => document.activeElement?.closest('.explorer-folders-view') != null;
      await page.waitForFunction(hasFocus, undefined, { timeout });
    },
  );
}

async function closeEditors(page: Page): Promise<void> {
  const tabs = page.locator('.editor-group-container .tab');
  for (let left = await tabs.count(); left > 0; left = await tabs.count())
    await actUntil(
      () => page.keyboard.press(CLOSE_EDITOR.pressed),
      timeout => tabs.nth(left - 1).waitFor({ state: 'detached', timeout }),
    );
}
