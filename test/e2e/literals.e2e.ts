// An address in a document: saved, found, corrected, named and linked.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import type { Hex } from '../../src/base/hex.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type Editor, pictured } from './harness.ts';
import { row, type, waitForFocus, waitForTitle } from './quickPick.ts';
import { openNewSample, type Sample } from './sampleEditor.ts';
import {
  acceptInput,
  closeInput,
  hoverText,
  leaveHover,
  openFile,
  quickInput,
  runCommand,
  textBox,
} from './userActions.ts';
import { actUntil, LONG_PATIENCE_MS } from './waits.ts';

/** The same digits, one letter's case changed. */
function mistyped(address: Hex): string {
  const at = address.slice(2).search(/[a-fA-F]/) + 2;
  const letter = address.charAt(at);
  const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
  return address.slice(0, at) + other + address.slice(at + 1);
}

describe('an address in a document', () => {
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let chain: TestChain;

  before(async () => {
    sample = await openNewSample({ workspaceSettings: { 'hexlens.inlayHints.enabled': true } });
    ({ editor, chain } = sample);
    ({ page } = editor);
    const { alice, bob, carol } = chain.accounts;
    const link = (path: string) => `[this](code-oss://hexlens.hexlens/${path})`;
    const lines = [
      ...[alice, bob, carol].map(account => `- ${mistyped(account)} pays`),
      `- ${link(`lookup?text=${chain.contracts.vault}`)} looks something up`,
      `- ${link('format-my-disk')} does nothing`,
    ];
    await writeFile(join(sample.workspace.folder, 'typed.md'), `${lines.join('\n')}\n`);
  });

  after(() => sample?.close());

  const lines = () => page.locator('.editor-instance .view-line');
  const dialog = () => page.locator('.monaco-dialog-box');
  /** The list at Ctrl+., requested again when VS Code says that there is none. In an open list the key accepts its first row. */
  const quickFixes = async () => {
    const list = page.locator('.action-widget .monaco-list-row');
    const none = page.getByText('No code actions available');
    await actUntil(
      async () => {
        await none.waitFor({ state: 'hidden' });
        await page.keyboard.press('Escape');
        await page.keyboard.press('ControlOrMeta+.');
      },
      async timeout => {
        await list.or(none).first().waitFor({ timeout });
        assert.ok(await list.first().isVisible(), 'VS Code says that there are no code actions');
      },
    );
    return list;
  };
  const problem = () =>
    page
      .locator('.peekview-widget, .marker-widget')
      .filter({ hasText: 'EIP-55 checksum of this address is wrong' })
      .first();
  /** Moves the cursor to the next problem, which is explained below its line. */
  const openNextProblem = async () => {
    await page.keyboard.press('Alt+F8');
    await problem().waitFor();
  };
  const closeProblem = async () => {
    await page.keyboard.press('Escape');
    await problem().waitFor({ state: 'hidden' });
  };
  /** Ctrl+click on the address of the link with these words, until it has this effect: a busy editor may drop a click. */
  const follow = (words: string, effect: Locator) =>
    actUntil(
      () => click(words),
      timeout => effect.waitFor({ timeout }),
      LONG_PATIENCE_MS,
    );
  const click = async (words: string) => {
    await leaveHover(page);
    await page.keyboard.down('ControlOrMeta');
    try {
      // The editor finds links a moment after the text is shown.
      await actUntil(
        async () => {
          const { x, y, height } = await textBox(page, words);
          // At once: the hover of another link on the way would cover this one.
          for (const right of [4, 12]) await page.mouse.move(x + right, y + height / 2);
        },
        timeout => page.locator('.editor-instance .detected-link-active').first().waitFor({ timeout }),
      );
      await page.mouse.down();
      await page.mouse.up();
    } finally {
      await page.keyboard.up('ControlOrMeta');
    }
  };

  it('is saved with the link in its hover', () =>
    pictured(editor, 'hover-save', async () => {
      await hoverText(page, chain.contracts.coin, /Save[\s\S]*Contract[\s\S]*Balance/);
      await page
        .locator('.monaco-hover:visible a')
        .filter({ hasText: /^Save$/ })
        .first()
        .click();
      await waitForTitle(page, 'Save Address');
      await page
        .locator('.quick-input-widget')
        .filter({ hasText: `Name of ${chain.contracts.coin}` })
        .waitFor();
      await type(page, 'Treasury Coin');
      await acceptInput(page);
      await waitForFocus(page, 'Save');
      await row(page, /Kind\s*Contract/).waitFor();
    }));

  it('shows its name in the tree, in hovers and as an inlay hint', () =>
    pictured(editor, 'hover-saved', async () => {
      await acceptInput(page);
      await quickInput(page).waitFor({ state: 'hidden' });
      // A hover that was clicked into stays until Escape.
      await page.keyboard.press('Escape');
      await leaveHover(page);
      await lines()
        .filter({ hasText: new RegExp(`${chain.contracts.coin}\\s*Treasury\\sCoin`) })
        .waitFor();
      await page.locator('.activitybar a[aria-label^="HexLens"]').first().click();
      await page.locator('.sidebar .monaco-list-row').filter({ hasText: 'Treasury Coin' }).waitFor();
      await hoverText(page, chain.contracts.coin, /Treasury Coin[\s\S]*Saved by you[\s\S]*Balance/);
    }));

  it('is found in all files of the workspace', () =>
    pictured(editor, 'occurrences', async () => {
      await leaveHover(page);
      const { x, y, height } = await textBox(page, chain.contracts.coin);
      await page.mouse.click(x + 30, y + height / 2);
      await runCommand(page, 'HexLens: Find Hex in Files');
      const results = page.locator('.search-view .monaco-list-row');
      for (const file of ['check.ts', 'README.md', 'deployments.json', 'config.yaml', 'links.txt'])
        await results.filter({ hasText: file }).first().waitFor();
      await page
        .locator('.search-view .messages')
        .filter({ hasText: /\d+ results in 5 files/ })
        .waitFor();
    }));

  it('has a diagnostic when its checksum is wrong', () =>
    pictured(editor, 'checksum-problem', async () => {
      await openFile(page, 'typed.md');
      await page.locator('.editor-instance .squiggly-warning').nth(2).waitFor();
      await openNextProblem();
    }));

  it('is corrected with a quick fix', () =>
    pictured(editor, 'checksum-fix', async () => {
      await closeProblem();
      const fix = await quickFixes();
      await fix
        .filter({ hasText: `Apply the checksum of these digits: ${checksumAddress(chain.accounts.alice)}` })
        .waitFor();
      await fix.filter({ hasText: 'to all addresses in this file' }).waitFor();
      await editor.screenshot('checksum-fixes');
      await page.locator('.action-widget .monaco-list-row.focused').filter({ hasText: 'of these digits' }).waitFor();
      await page.keyboard.press('Enter');
      await lines()
        .filter({ hasText: checksumAddress(chain.accounts.alice) })
        .waitFor();
      await page.locator('.editor-instance .squiggly-warning').nth(2).waitFor({ state: 'detached' });
    }));

  it('is corrected together with all addresses of the file', () =>
    pictured(editor, 'checksum-fix-all', async () => {
      await openNextProblem();
      await closeProblem();
      await quickFixes();
      await page.locator('.action-widget .monaco-list-row.focused').filter({ hasText: 'of these digits' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.locator('.action-widget .monaco-list-row.focused').filter({ hasText: 'all addresses' }).waitFor();
      await page.keyboard.press('Enter');
      for (const account of [chain.accounts.bob, chain.accounts.carol])
        await lines()
          .filter({ hasText: checksumAddress(account) })
          .waitFor();
      await page.locator('.editor-instance .squiggly-warning').first().waitFor({ state: 'detached' });
    }));

  it('is looked up by an external link only after confirmation', () =>
    pictured(editor, 'link-look-up', async () => {
      const question = dialog().filter({ hasText: 'Allow this link to look something up in HexLens?' });
      await follow('code-oss://hexlens.hexlens/lookup', question);
      await dialog().filter({ hasText: chain.contracts.vault }).waitFor();
      await editor.screenshot('link-question');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'hidden' });
      assert.equal(await quickInput(page).count(), 0);
      await follow('code-oss://hexlens.hexlens/lookup', question);
      await dialog().getByRole('button', { name: 'Look Up' }).click();
      await row(page, /Contract/).waitFor();
      assert.equal(await quickInput(page).inputValue(), chain.contracts.vault);
    }));

  it('ignores unknown external links with a warning', () =>
    pictured(editor, 'link-refused', async () => {
      await closeInput(page);
      const warning = page.locator('.notifications-toasts').filter({ hasText: 'HexLens cannot open this link.' });
      await follow('code-oss://hexlens.hexlens/format', warning);
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
