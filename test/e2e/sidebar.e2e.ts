// The sidebar in a real editor, by mouse and keys: from nothing saved to the data of a wallet on a real chain.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { TestChain } from '../chain/description.ts';
import { quickInput, runCommand } from './gestures.ts';
import { type Editor, pictured } from './harness.ts';
import { openSample, type Sample } from './sample.ts';

/** The rows of the sidebar that are on the screen. */
const rows = (page: Page, text: RegExp | string): Locator =>
  page.locator('.sidebar .monaco-list-row').filter({ hasText: text });

/** The row of a saved entry: what a screen reader hears starts with its name and kind. */
const entryRow = (page: Page, name: string): Locator =>
  page.locator(`.sidebar .monaco-list-row[aria-label^="${name}, "]`).first();

async function openContainer(page: Page): Promise<void> {
  await page.locator('.activitybar a[aria-label^="HexLens"]').first().click();
  await page.locator('.sidebar .pane-header').filter({ hasText: 'Addresses' }).waitFor();
}

describe('the sidebar in a real editor', () => {
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let chain: TestChain;

  before(async () => {
    sample = await openSample();
    ({ editor, chain } = sample);
    ({ page } = editor);
  });

  after(() => sample?.close());

  it('welcomes whoever has saved nothing yet, and shows the chain', () =>
    pictured(editor, 'sidebar-welcome', async () => {
      await openContainer(page);
      await rows(page, new RegExp(`Local dev chain.*block ${chain.head.number}`)).waitFor();
      await page.locator('.sidebar .welcome-view-content').filter({ hasText: 'Save wallets' }).waitFor();
    }));

  it('fills itself with sample addresses by one click', () =>
    pictured(editor, 'sidebar-samples', async () => {
      await page.locator('.sidebar .welcome-view-content a').filter({ hasText: 'sample addresses' }).click();
      await rows(page, /Dev account #1/).waitFor();
    }));

  it('shows what a wallet has', () =>
    pictured(editor, 'sidebar-wallet', async () => {
      await rows(page, /Dev account #1/).click();
      await rows(page, 'Balance').click();
      await rows(page, /\d ETH/).waitFor();
      await rows(page, 'NFT Transfers').click();
      await rows(page, /#\d+.*(from|to) /)
        .first()
        .waitFor();
    }));

  it('makes a folder, and moves a wallet into it by dragging', () =>
    pictured(editor, 'sidebar-folder', async () => {
      await runCommand(page, 'HexLens: New Folder');
      await quickInput(page).fill('Cold');
      await page.keyboard.press('Enter');
      const folder = rows(page, 'Cold');
      await folder.waitFor();
      await rows(page, /Dev account #0/).dragTo(folder);
      await rows(page, /Cold.*1/).waitFor();
      await rows(page, /Samples.*2/).waitFor();
      await rows(page, /Dev account #0/).waitFor();
    }));

  it('goes on by keys alone: to a collection of many transfers, and loads more of them', () =>
    pictured(editor, 'sidebar-more', async () => {
      // A colleague's commit: the file appears while the window is open.
      const addresses = [{ address: chain.contracts.apes, name: 'Apes', kind: 'collection', chains: ['local'] }];
      await mkdir(join(sample.workspace.folder, '.hexlens'), { recursive: true });
      await writeFile(
        join(sample.workspace.folder, '.hexlens/addresses.json'),
        JSON.stringify({ version: 1, addresses }),
      );
      await runCommand(page, 'HexLens: Filter Addresses');
      await quickInput(page).fill('apes');
      await entryRow(page, 'Apes').waitFor();
      await page.keyboard.press('Enter');
      await entryRow(page, 'Apes').click();
      await rows(page, 'NFT Transfers').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.locator('.sidebar .monaco-list-row.focused').filter({ hasText: 'NFT Transfers' }).waitFor();
      await page.keyboard.press('ArrowRight');
      await rows(page, /^#|minted|burnt|→/)
        .first()
        .waitFor();
      // The end of the list is the button; after it, the first new row has the focus.
      await page.keyboard.press('End');
      for (let step = 0; step < 40; step++) {
        if ((await page.locator('.sidebar .monaco-list-row.focused').innerText()).includes('Load More')) break;
        await page.keyboard.press('ArrowUp');
      }
      await page
        .locator('.sidebar .monaco-list-row.focused')
        .filter({ hasText: /Load More.*25/s })
        .waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.sidebar .monaco-list-row.focused').filter({ hasText: '#' }).waitFor();
      await page.keyboard.press('ArrowUp');
      assert.equal(await page.locator('.sidebar .monaco-list-row.focused').filter({ hasText: 'Load More' }).count(), 0);
      await runCommand(page, 'HexLens: Clear Address Filter');
      await rows(page, 'Cold').waitFor();
    }));

  it('asked nobody but the server for anything', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});

for (const theme of ['light', 'high-contrast', 'high-contrast-light'] as const)
  describe(`the sidebar in ${theme}`, () => {
    let sample: Sample;

    before(async () => {
      sample = await openSample({ theme });
    });
    after(() => sample?.close());

    it('can be read', () =>
      pictured(sample.editor, `sidebar-${theme}`, async () => {
        const { page } = sample.editor;
        await openContainer(page);
        await runCommand(page, 'HexLens: Add Sample Addresses');
        await rows(page, /Dev account #1/).click();
        await rows(page, 'NFT Transfers').click();
        await rows(page, /#\d+.*(from|to) /)
          .first()
          .waitFor();
        await rows(page, /Local dev chain/).click();
        await rows(page, /Client/).waitFor();
      }));
  });
