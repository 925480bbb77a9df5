// Makes a window that a test file has used look like a new one, for the next file.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { closeInput, quickInput } from './userActions.ts';
import { actUntil, LONG_PATIENCE_MS, readUntil } from './waits.ts';

const CLOSE_EDITOR = { pressed: 'Control+Alt+Shift+F5', key: 'ctrl+alt+shift+f5' };
const SHOW_START = { pressed: 'Control+Alt+Shift+F6', key: 'ctrl+alt+shift+f6' };
const SHOW_PROFILE = { pressed: 'Control+Alt+Shift+F7', key: 'ctrl+alt+shift+f7' };
const OPEN_SETTINGS = { pressed: 'Control+Alt+Shift+F8', key: 'ctrl+alt+shift+f8' };
const OPEN_KEYBINDINGS = { pressed: 'Control+Alt+Shift+F10', key: 'ctrl+alt+shift+f10' };

const startCommands = [
  'workbench.action.terminal.killAll',
  'notifications.clearAll',
  'workbench.action.closePanel',
  'workbench.view.explorer',
];

/** For keys that no test uses; `profile` names what has these settings and key bindings. */
export const resetKeybindings = (profile: string): readonly Readonly<Record<string, unknown>>[] => [
  // Without the question whether to save.
  { key: CLOSE_EDITOR.key, command: 'workbench.action.revertAndCloseActiveEditor' },
  { key: SHOW_START.key, command: 'runCommands', args: { commands: startCommands } },
  { key: SHOW_PROFILE.key, command: 'workbench.action.quickOpen', args: profile },
  { key: OPEN_SETTINGS.key, command: 'workbench.action.openSettingsJson' },
  { key: OPEN_KEYBINDINGS.key, command: 'workbench.action.openGlobalKeybindingsFile' },
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

/**
 * Writes the settings and key bindings of the profile in `folder` through the window's own editor: the server of VS Code does not
 * notice when another program writes their files.
 */
export async function changeProfile(
  page: Page,
  folder: string,
  {
    settings,
    keybindings,
  }: { readonly settings: Readonly<Record<string, unknown>>; readonly keybindings: readonly unknown[] },
): Promise<void> {
  const profile = String(settings['window.title']);
  await writeInEditor(page, OPEN_KEYBINDINGS.pressed, join(folder, 'keybindings.json'), keybindings);
  await writeInEditor(page, OPEN_SETTINGS.pressed, join(folder, 'settings.json'), settings);
  await readUntil(
    () => page.title(),
    title => title === profile,
    `the settings of ${profile}`,
  );
  await actUntil(
    () => page.keyboard.press(SHOW_PROFILE.pressed),
    timeout =>
      readUntil(
        () => quickInput(page).inputValue({ timeout }),
        value => value === profile,
        `the key bindings of ${profile}`,
        timeout,
      ),
  );
  await closeInput(page);
}

/** Opens a file with a key, replaces its text and saves it. */
async function writeInEditor(page: Page, key: string, file: string, content: unknown): Promise<void> {
  const tab = page.locator('.tab.active').filter({ hasText: basename(file) });
  await actUntil(
    () => page.keyboard.press(key),
    timeout => tab.waitFor({ timeout }),
  );
  const text = JSON.stringify(content);
  // Pasted, because the editor would close brackets that are typed.
  await page.evaluate(copied => navigator.clipboard.writeText(copied), text);
  await actUntil(
    async () => {
      await page.locator('.editor-instance .view-lines').click({ timeout: LONG_PATIENCE_MS });
      for (const pressed of ['A', 'V', 'S']) await page.keyboard.press(`ControlOrMeta+${pressed}`);
    },
    timeout =>
      readUntil(
        () => readFile(file, 'utf8'),
        saved => saved === text,
        `the new text of ${file}`,
        timeout,
      ),
  );
  await closeEditors(page);
}
