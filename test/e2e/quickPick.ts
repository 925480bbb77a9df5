// User actions in the quick pick: type, read rows, choose one, press its buttons.
import type { Locator, Page } from 'playwright-core';
import { STATE_LIMIT_MS } from '../support/timeLimits.ts';
import { acceptInput, quickInput, runCommand } from './userActions.ts';

const visible = '.quick-input-widget:visible';

/** The texts of the visible rows, without icons. */
export async function rowTexts(page: Page): Promise<string[]> {
  const texts = await page.locator(`${visible} .quick-input-list .monaco-list-row`).allInnerTexts();
  return texts.map(text => text.replaceAll('\u00a0', ' ').replace(/\s+/g, ' ').trim());
}

export function row(page: Page, text: string | RegExp): Locator {
  return page.locator(`${visible} .quick-input-list .monaco-list-row`).filter({ hasText: text }).first();
}

/** Types into the input. */
export async function type(page: Page, text: string): Promise<void> {
  await quickInput(page).fill(text);
}

/** Waits until the row with this text is focused. */
export async function waitForFocus(page: Page, text: string | RegExp, timeout = STATE_LIMIT_MS): Promise<void> {
  const focused = page.locator(`${visible} .quick-input-list .monaco-list-row.focused`);
  await focused.filter({ hasText: text }).waitFor({ timeout });
}

export async function choose(page: Page, text: string | RegExp): Promise<void> {
  await row(page, text).click();
}

/** Runs an operation through Run Operation, which has another name in other languages, up to its first prompt. */
export async function runOperation(page: Page, title: string, command = 'Run Operation'): Promise<void> {
  await runCommand(page, `HexLens: ${command}…`);
  await waitForTitle(page, new RegExp(`^${command}$`));
  await type(page, title);
  await waitForFocus(page, title);
  await acceptInput(page);
  await waitForTitle(page, new RegExp(`^${title}`));
}

/** The title of the quick pick, `''` without one. */
export async function readTitle(page: Page): Promise<string> {
  return (await page.locator(`${visible} .quick-input-title`).allTextContents()).join();
}

/** Waits for a quick pick with this title. */
export async function waitForTitle(page: Page, text: string | RegExp): Promise<void> {
  await page.locator(`${visible} .quick-input-title`).filter({ hasText: text }).waitFor();
}

/** Presses the button of a row by its tooltip. */
export async function pressRowButton(page: Page, text: string | RegExp, tooltip: string): Promise<void> {
  await row(page, text).hover();
  await row(page, text).locator(`.quick-input-list-entry-action-bar [aria-label="${tooltip}"]`).click();
}
