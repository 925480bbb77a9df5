// Long indexing in a real editor: numbers in the status bar and in a notification, cancelled, and taken up again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { lower } from '../service/nftPages.ts';
import { statusBarText } from './gestures.ts';
import { type Editor, openEditor, pictured, vsixUnderTest } from './harness.ts';
import { choose, titled } from './palette.ts';
import { type SlowChain, slowSettings, startSlowChain } from './slowChain.ts';

const HEIGHT = 400;
const OPEN = 'ctrl+alt+shift+f9';

describe('the index of a collection on a public chain', () => {
  let slow: SlowChain;
  let editor: Editor;
  let page: Page;

  before(async () => {
    slow = await startSlowChain(HEIGHT);
    const parameters = { chain: 'eth', address: lower(slow.chain.contracts.apes) };
    const args = { kind: 'operation', operation: 'contractNftTransfers', parameters };
    editor = await openEditor({
      extension: { vsix: vsixUnderTest() },
      workspace: slow.workspace,
      settings: slowSettings(slow),
      keybindings: [{ key: OPEN, command: 'hexlens.inspect', args }],
      viewport: { width: 1280, height: 800 },
    });
    ({ page } = editor);
  });
  after(async () => {
    await editor?.close();
    await slow?.stop();
  });

  const item = (text: RegExp) => page.locator('.statusbar-item#hexlens\\.hexlens\\.progress, .statusbar-item').filter({ hasText: text }).first();
  const toast = () => page.locator('.notifications-toasts .notification-list-item').filter({ hasText: 'HexLens indexes' });

  it('shows how far it is in the status bar', () =>
    pictured(editor, 'progress-status', async () => {
      await statusBarText(page, /eth 400/);
      await page.keyboard.press('Control+Alt+Shift+F9');
      await page.locator('.tab.active').filter({ hasText: 'Transfers' }).waitFor();
      slow.allow(120);
      await page.waitForTimeout(1500);
      slow.allow(160);
      await statusBarText(page, /eth \d+%/);
    }));

  it('tells more of it once it takes long', () =>
    pictured(editor, 'progress-notification', async () => {
      await toast().filter({ hasText: /\d+ of \d+ blocks \(\d+ %\)/ }).waitFor();
      slow.allow(200);
      await toast().filter({ hasText: /(19|20)\d of/ }).waitFor();
    }));

  it('pauses when that is cancelled', () =>
    pictured(editor, 'progress-paused', async () => {
      await toast().hover();
      await toast().getByRole('button', { name: 'Cancel' }).click();
      await toast().waitFor({ state: 'hidden' });
      slow.allow(280);
    }));

  it('goes on where it stopped', () =>
    pictured(editor, 'progress-resumed', async () => {
      const before = slow.node.calls.length;
      await item(/eth \d+%/).click();
      await titled(page, 'Indexing');
      await editor.screenshot('progress-pick');
      await choose(page, 'Go On');
      slow.allow(HEIGHT);
      await item(/eth \d+%/).waitFor({ state: 'hidden' });
      assert.ok(slow.lowestSince(before) > 200);
    }));
});
