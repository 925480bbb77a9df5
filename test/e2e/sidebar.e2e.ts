// The sidebar with mouse and keyboard, from an empty address book to the data of a wallet.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { TestChain } from '../support/chain/testChain.ts';
import { type Editor, getPicturedThemes, pictured } from './harness.ts';
import { waitForTitle } from './quickPick.ts';
import { changeTheme, openNewSample, type Sample } from './sampleEditor.ts';
import { acceptInput, chooseInMenu, closeInput, expandRow, quickInput, runCommand } from './userActions.ts';
import { actUntil } from './waits.ts';

/** The rows of the sidebar that are on the screen. */
const rows = (page: Page, text: RegExp | string): Locator =>
  page.locator('.sidebar .monaco-list-row').filter({ hasText: text });

async function openContainer(page: Page): Promise<void> {
  await page.locator('.activitybar a[aria-label^="HexLens"]').first().click();
  await page.locator('.sidebar .pane-header').filter({ hasText: 'Addresses' }).waitFor();
}

describe('the sidebar', () => {
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let chain: TestChain;

  before(async () => {
    sample = await openNewSample();
    ({ editor, chain } = sample);
    ({ page } = editor);
  });

  after(() => sample?.close());

  it('shows the welcome view and the chain', () =>
    pictured(editor, 'sidebar-welcome', async () => {
      await openContainer(page);
      await rows(page, new RegExp(`Local dev chain.*block ${chain.head.number}`)).waitFor();
      await page.locator('.sidebar .welcome-view-content').filter({ hasText: 'Save wallets' }).waitFor();
    }));

  it('adds sample addresses', () =>
    pictured(editor, 'sidebar-samples', async () => {
      await page.locator('.sidebar .welcome-view-content a').filter({ hasText: 'sample addresses' }).click();
      await rows(page, /Dev account #1/).waitFor();
    }));

  it('shows the balance of a wallet', () =>
    pictured(editor, 'sidebar-wallet', async () => {
      await expandRow(rows(page, /Dev account #1/), rows(page, 'Balance'));
      await expandRow(rows(page, 'Balance'), rows(page, /\d ETH/));
      await expandRow(rows(page, 'NFT Transfers'), rows(page, /#\d+.*(from|to) /).first());
    }));

  it('creates a folder and moves a wallet into it by drag and drop', () =>
    pictured(editor, 'sidebar-folder', async () => {
      await runCommand(page, 'HexLens: New Folder', true);
      await quickInput(page).fill('Cold');
      await acceptInput(page);
      const folder = rows(page, 'Cold');
      await folder.waitFor();
      await actUntil(
        () => rows(page, /Dev account #0/).dragTo(folder),
        timeout => rows(page, /Cold.*1/).waitFor({ timeout }),
      );
      await rows(page, /Samples.*2/).waitFor();
      await rows(page, /Dev account #0/).waitFor();
    }));

  it('loads more transfers of a collection with the keyboard', () =>
    pictured(editor, 'sidebar-more', async () => {
      await page
        .locator(
          '.sidebar .pane-header a.action-label[aria-label^="HexLens: Save Address"], .sidebar .pane-header a.action-label[aria-label^="Save Address"]',
        )
        .click();
      await page.locator('.quick-input-widget').filter({ hasText: 'Save' }).waitFor();
      await quickInput(page).fill(chain.contracts.apes);
      await acceptInput(page);
      await page
        .locator('.quick-input-widget')
        .filter({ hasText: /Name of/ })
        .waitFor();
      await quickInput(page).fill('Apes');
      await acceptInput(page);
      // The form is filled with data of the chain: an NFT collection and its name.
      await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'NFT collection' }).waitFor();
      await editor.screenshot('sidebar-save');
      await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: 'Save' }).waitFor();
      await acceptInput(page);
      const collection = page.locator('.sidebar .monaco-list-row[aria-label*=", NFT collection, "]');
      await runCommand(page, 'HexLens: Filter Addresses', true);
      await quickInput(page).fill('collection');
      await collection.waitFor();
      await acceptInput(page);
      await expandRow(collection, rows(page, 'NFT Transfers'));
      // One after another: the list may be drawn again between two keys, and would lose the second.
      for (const section of ['Tokens and Owners', 'NFT Transfers']) {
        await page.keyboard.press('ArrowDown');
        await page.locator('.sidebar .monaco-list-row.focused').filter({ hasText: section }).waitFor();
      }
      await page.keyboard.press('ArrowRight');
      await rows(page, /minted|burned|→/)
        .first()
        .waitFor();
      // The end of the list is the button; after it, the first new row has the focus.
      await page.keyboard.press('End');
      await page.locator('.sidebar .monaco-list-row.focused').filter({ hasText: 'Balance' }).waitFor();
      for (const _ of ['Logs', 'Lowest Price', 'Load More']) await page.keyboard.press('ArrowUp');
      await page
        .locator('.sidebar .monaco-list-row.focused')
        .filter({ hasText: /Load More.*25/s })
        .waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.sidebar .monaco-list-row.focused').filter({ hasText: '#' }).waitFor();
      // The row above it is the last one that was there before.
      await page.keyboard.press('ArrowUp');
      await page.locator('.sidebar .monaco-list-row.focused').filter({ hasText: '#' }).waitFor();
      await runCommand(page, 'HexLens: Clear Address Filter');
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      await page.keyboard.press('Home');
      await rows(page, 'Cold').waitFor();
    }));

  it('reads a contract from the menu of its entry', () =>
    pictured(editor, 'sidebar-read-contract', async () => {
      await runCommand(page, 'HexLens: Filter Addresses', true);
      await quickInput(page).fill('collection');
      const collection = page.locator('.sidebar .monaco-list-row[aria-label*=", NFT collection, "]');
      await collection.waitFor();
      await page.keyboard.press('Enter');
      await quickInput(page).waitFor({ state: 'hidden' });
      await chooseInMenu(page, collection, 'Read Contract…');
      await waitForTitle(page, /^Read Apes/);
      await closeInput(page);
      await runCommand(page, 'HexLens: Clear Address Filter');
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    }));

  for (const theme of getPicturedThemes('light', 'high-contrast', 'high-contrast-light'))
    it(`is legible in ${theme}`, () =>
      pictured(editor, `sidebar-${theme}`, async () => {
        await changeTheme(sample, theme);
        // The first theme expands it.
        await expandRow(rows(page, /Local dev chain/), rows(page, /Client/));
      }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
