// The sidebar in a real editor, by mouse and keys: from nothing saved to the data of a wallet on a real chain.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { TestChain } from '../chain/description.ts';
import { quickInput, runCommand } from './gestures.ts';
import { type Editor, pictured } from './harness.ts';
import { openSample, type Sample } from './sample.ts';

/** The rows of the sidebar that are on the screen. */
const rows = (page: Page, text: RegExp | string): Locator =>
  page.locator('.sidebar .monaco-list-row').filter({ hasText: text });

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
      await page.locator('.sidebar .monaco-button').filter({ hasText: 'Try Sample Addresses' }).click();
      await rows(page, /Dev account #1/).waitFor();
    }));

  it('shows what a wallet has', () =>
    pictured(editor, 'sidebar-wallet', async () => {
      await rows(page, /Dev account #1/).click();
      await rows(page, 'Balance').click();
      await rows(page, /\d ETH/).waitFor();
      await rows(page, 'NFT Transfers').click();
      await rows(page, /Load More|minted to|from|to /)
        .first()
        .waitFor();
    }));
});
void assert;
void quickInput;
void runCommand;
