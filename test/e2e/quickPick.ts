// What a user does in the quick pick: types, reads the rows, chooses one by its words, presses its buttons.
import type { Locator, Page } from 'playwright-core';
import { quickInput } from './userActions.ts';

const visible = '.quick-input-widget:visible';

/** The rows that are on the screen, icons left out. */
export async function rowTexts(page: Page): Promise<string[]> {
  const texts = await page.locator(`${visible} .quick-input-list .monaco-list-row`).allInnerTexts();
  return texts.map(text => text.replaceAll('\u00a0', ' ').replace(/\s+/g, ' ').trim());
}

export function row(page: Page, words: string | RegExp): Locator {
  return page.locator(`${visible} .quick-input-list .monaco-list-row`).filter({ hasText: words }).first();
}

/** Types into the box; the rows are made anew by then. */
export async function type(page: Page, text: string): Promise<void> {
  await quickInput(page).fill(text);
}

/** The row with these words is the one that Enter would take. */
export async function focused(page: Page, words: string | RegExp): Promise<void> {
  await page.locator(`${visible} .quick-input-list .monaco-list-row.focused`).filter({ hasText: words }).waitFor();
}

export async function choose(page: Page, words: string | RegExp): Promise<void> {
  await row(page, words).click();
}

/** The box whose title line has these words. */
export async function titled(page: Page, words: string | RegExp): Promise<void> {
  await page.locator(`${visible} .quick-input-title`).filter({ hasText: words }).waitFor();
}

/** Presses the button of a row by its tooltip. */
export async function press(page: Page, words: string | RegExp, tooltip: string): Promise<void> {
  await row(page, words).hover();
  await row(page, words).locator(`.quick-input-list-entry-action-bar [aria-label="${tooltip}"]`).click();
}
