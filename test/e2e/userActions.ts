// User actions in the workbench: pointing at text, running commands, reading hovers, status bar and notifications.
import { extname } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { isAddress } from '../../src/base/hex.ts';
import { STATE_LIMIT_MS } from '../support/timeLimits.ts';
import { actUntil, LONG_PATIENCE_MS } from './waits.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Moves the real mouse over `needle` in the open editor until a hover shows text that matches `expect`, and returns
 * all text of the hover. The layout may still change and the extension may still be starting, so the pointer
 * leaves and returns. The error has the last hover that was seen.
 */
export async function hoverText(page: Page, needle: string, expect: RegExp): Promise<string> {
  let seen = '(there was none)';
  let attempt = 0;
  await page.locator('.editor-instance .view-line').filter({ hasText: needle }).first().waitFor();
  return actUntil(
    async () => {
      const box = await textBox(page, needle);
      const x = box.x + Math.min(box.width / 2, 60) + (attempt++ % 5) * 3;
      const y = box.y + box.height / 2;
      await leaveHover(page);
      await page.mouse.move(x - 4, y + 40, { steps: 3 });
      await page.mouse.move(x, y, { steps: 4 });
    },
    async timeout => {
      const text = await visibleHover(page, expect, timeout);
      if (expect.test(text)) return text;
      seen = text || seen;
      throw new Error(`No hover over ${needle} matched ${expect}. The last one: ${seen}`);
    },
  );
}

/** The text of the hover once it matches, or as it is when the time has passed. */
async function visibleHover(page: Page, expect: RegExp, timeout: number): Promise<string> {
  const hover = page.locator('.monaco-hover:visible');
  await hover
    .filter({ hasText: expect })
    .first()
    .waitFor({ timeout })
    .catch(() => {});
  return visibleText(hover);
}

/** Moves the pointer away until the hover is closed; one that was clicked into needs Escape as well. */
export async function leaveHover(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 800, height: 600 };
  const hover = page.locator('.monaco-hover:visible').first();
  let attempt = 0;
  await actUntil(
    async () => {
      await page.mouse.move(width / 2, height - 60 - attempt * 5, { steps: 3 });
      if (attempt++ > 0) await page.keyboard.press('Escape');
    },
    timeout => hover.waitFor({ state: 'hidden', timeout }),
  );
}

/**
 * The position of `needle` on the screen, in the lines of the open editor or in those that `selector` finds. Only text
 * scrolled into view exists; see {@link revealLine}.
 */
export async function textBox(page: Page, needle: string, selector = '.editor-instance .view-line'): Promise<Box> {
  const lines = page.locator(selector);
  const box = await lines.evaluateAll((elements, wanted) => {
    for (const element of elements) {
      const start = (element.textContent ?? '').replaceAll('\u00a0', ' ').indexOf(wanted);
      if (start < 0) continue;
      // A text may be split into several tokens, each with its own text node.
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let offset = 0;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const end = offset + (node.textContent ?? '').length;
        if (start >= offset && start < end) range.setStart(node, start - offset);
        if (start + wanted.length > offset && start + wanted.length <= end) {
          range.setEnd(node, start + wanted.length - offset);
        }
        offset = end;
      }
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x, y, width, height };
    }
    return undefined;
  }, needle);
  if (box === undefined) throw new Error(`${needle} is not on the screen.`);
  return box;
}

/** Scrolls the open editor to a line, counted from 1. */
export async function revealLine(page: Page, line: number): Promise<void> {
  await chooseInPalette(page, 'F1', `:${line}`, String(line));
  // The palette gives the focus back when it is closed; what is typed before is lost.
  await page.waitForFunction(() => document.activeElement?.closest('.editor-instance') != null);
}

/** Opens a file of the workspace by its name, as Go to File does. */
export async function openFile(page: Page, name: string): Promise<void> {
  const base = name.replace(/^.*\//, '');
  await actUntil(
    () => chooseInPalette(page, 'ControlOrMeta+P', name, base),
    async timeout => {
      await page.locator('.tab.active').filter({ hasText: base }).waitFor({ timeout });
      // The tab is there before the text, and until then commands work on the file before.
      await page.locator(`.editor-instance .monaco-editor[data-uri$="/${base}"]:visible`).first().waitFor({ timeout });
    },
  );
}

/**
 * Runs a command by the title the Command Palette shows, such as `HexLens: Set API Key`. One that `prompts`, as titles
 * with an ellipsis do, runs until its input has the focus: a panel that takes the focus meanwhile closes the input.
 */
export async function runCommand(page: Page, title: string, prompts = title.endsWith('…')): Promise<void> {
  const run = () => chooseInPalette(page, 'F1', `>${title}`, title.replace(/^[^:]+: /, ''));
  if (!prompts) return run();
  await actUntil(
    run,
    timeout =>
      page.waitForFunction(
        () =>
          document.activeElement instanceof HTMLInputElement &&
          document.activeElement.closest('.quick-input-widget') !== null &&
          !document.activeElement.value.startsWith('>'),
        undefined,
        { timeout },
      ),
    // A prompt that replaced the palette of a second run would take its Enter.
    LONG_PATIENCE_MS,
  );
}

/** Opens the palette with a key, types, and chooses the row that is then focused. */
async function chooseInPalette(page: Page, key: string, text: string, row: string): Promise<void> {
  const focused = page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: row });
  let attempt = 0;
  await actUntil(
    async () => {
      // An open palette would search in the files that it found when it was opened.
      if (attempt++ > 0) await page.keyboard.press('Escape');
      await page.keyboard.press(key);
    },
    async timeout => {
      await quickInput(page).fill(text, { timeout });
      await focused.waitFor({ timeout });
      await acceptInput(page, timeout);
    },
  );
  await page.waitForFunction(
    typed =>
      ![...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input')].some(
        input => input.checkVisibility() && input.value === typed,
      ),
    text,
  );
}

/** Opens the page of an address or of the block with a number through the look-up box, and waits until it has the focus. */
export async function lookUpFromPalette(page: Page, text: string): Promise<void> {
  // The palette lists commands that are registered when it opens; the extension is active once its status is shown.
  await statusBarText(page, /Local dev chain \d+/);
  // An address that a file before has saved is shown by its name and its last digits. A number of a block is also in rows of the
  // history, which are shown until the box has taken the text: Enter would only write their text into it.
  const shown = isAddress(text)
    ? new RegExp(`${text}|…${text.slice(-4)}`, 'i')
    : new RegExp(`Block ${Number(text).toLocaleString('en')}\\s*on `);
  await actUntil(
    () => runCommand(page, 'HexLens: Look Up…'),
    async timeout => {
      await quickInput(page).fill(text, { timeout });
      await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: shown }).waitFor({ timeout });
      await acceptInput(page, timeout);
    },
  );
  await quickInput(page).waitFor({ state: 'hidden' });
  await waitForPanelFocus(page);
}

/** Waits until a web view has the focus: VS Code gives it late, and would close an input that was opened before. */
export async function waitForPanelFocus(page: Page): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.matches('iframe.webview') === true);
}

/**
 * Opens the context menu of a row and chooses an item once. VS Code may drop a click on a menu that has just opened; the
 * menu closes when it takes one.
 */
export async function chooseInMenu(page: Page, row: Locator, item: string | RegExp): Promise<void> {
  const choice = page.locator('.context-view .action-label').filter({ hasText: item });
  await actUntil(
    async () => {
      if (!(await choice.isVisible())) {
        await page.keyboard.press('Escape');
        await row.click({ button: 'right' });
      }
      // It also closes when another part of the window takes the focus: then it is opened again.
      await choice.click({ timeout: 5_000 });
    },
    timeout => choice.waitFor({ state: 'hidden', timeout }),
  );
}

/** Expands a row of a tree, until `child` is shown: VS Code drops a click on a row that it draws again at that moment. */
export async function expandRow(row: Locator, child: Locator): Promise<void> {
  await actUntil(
    async () => {
      if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
    },
    timeout => child.waitFor({ timeout }),
  );
}

/** Presses Escape until palette, picker or input box is closed. */
export async function closeInput(page: Page): Promise<void> {
  await actUntil(
    () => page.keyboard.press('Escape'),
    timeout => quickInput(page).waitFor({ state: 'hidden', timeout }),
  );
}

/** The one input line of palette, pickers and input boxes. */
export function quickInput(page: Page): Locator {
  return page
    .locator('.quick-input-widget:visible input[type="text"], .quick-input-widget:visible input[type="password"]')
    .first();
}

/** Enters the file in the save dialog, whose proposal has the same extension. */
export async function chooseFile(page: Page, file: string): Promise<void> {
  // The dialog fills in its own proposal a moment after it is there.
  await page.waitForFunction(
    ending =>
      [...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input')].some(({ value }) =>
        value.endsWith(ending),
      ),
    extname(file),
  );
  await quickInput(page).fill(file);
  await acceptInput(page);
}

/**
 * Presses Enter in the palette, a picker or an input box. VS Code may give the focus to another element after it was opened,
 * such as to the inspector, where it was before.
 */
export async function acceptInput(page: Page, timeout = STATE_LIMIT_MS): Promise<void> {
  await quickInput(page).press('Enter', { timeout });
}

/** The text of an input box: its title and the line below the input. */
export async function quickInputText(page: Page): Promise<string> {
  return visibleText(page.locator('.quick-input-widget:visible'));
}

/** The text of the status bar item that matches, once there is one. */
export async function statusBarText(page: Page, expect: RegExp): Promise<string> {
  const item = page.locator('.statusbar-item').filter({ hasText: expect }).first();
  await item.waitFor().catch(async () => {
    const shown = (await page.locator('.statusbar-item').allInnerTexts()).filter(text => text.trim() !== '');
    throw new Error(`No status bar item matches ${expect}. Shown: ${shown.join(' | ')}`);
  });
  return visibleText(item);
}

/** The text of the notification that matches, once it pops up. */
export async function notificationText(page: Page, expect: RegExp): Promise<string> {
  const toast = page.locator('.notifications-toasts .notification-list-item').filter({ hasText: expect }).first();
  await toast.waitFor();
  return visibleText(toast);
}

/** The text as it is laid out, without hidden parts and non-breaking spaces. */
async function visibleText(locator: Locator): Promise<string> {
  return (await locator.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ').trim();
}
