// Indexing progress in the status bar and in a notification, paused and resumed.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { type Editor, pictured } from './harness.ts';
import { openPage } from './pageKeys.ts';
import { choose, waitForTitle } from './quickPick.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { type SlowChain, slowSettings, startSlowChain } from './slowChain.ts';
import { chooseFile, notificationText, statusBarText } from './userActions.ts';

const HEIGHT = 400;

describe('indexing a collection on a public chain', () => {
  let slow: SlowChain;
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let frame: FrameLocator;

  before(async () => {
    slow = await startSlowChain(HEIGHT);
    sample = await openSample({
      openFile: null,
      workspaceSettings: slowSettings(slow),
      viewport: { width: 1280, height: 800 },
    });
    ({ editor } = sample);
    ({ page } = editor);
    frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  });
  after(async () => {
    await sample?.close();
    await slow?.stop();
  });

  const item = (text: RegExp) => page.locator('.statusbar-item').filter({ hasText: text });
  const percent = /^\s*eth \d+%/;
  const toast = () => page.locator('.notifications-toasts .notification-list-item').filter({ hasText: 'Indexing 0x' });
  const note = (text: RegExp) => frame.locator('.note').filter({ hasText: text });

  it('shows progress in the page and the status bar', () =>
    pictured(editor, 'progress-status', async () => {
      await statusBarText(page, /Ethereum 400/);
      slow.allow(40);
      await openPage(page, 'apesOnEth');
      await note(/still being built/).waitFor();
      slow.allow(120);
      await item(percent).waitFor();
      await note(/: \d+ of \d+ blocks \(\d+%\)/).waitFor();
      assert.deepEqual(await axeFindings(frame), []);
    }));

  it('shows a notification for long indexing', () =>
    pictured(editor, 'progress-notification', async () => {
      await toast()
        .filter({ hasText: /\d+ of \d+ blocks \(\d+%\)/ })
        .waitFor();
      const [before = ''] = /\d+ of \d+ blocks/.exec((await toast().textContent()) ?? '') ?? [];
      slow.allow(200);
      await toast()
        .filter({ hasText: / blocks/, hasNotText: before })
        .waitFor();
    }));

  it('pauses when the notification is cancelled', () =>
    pictured(editor, 'progress-paused', async () => {
      await toast().hover();
      await toast().getByRole('button', { name: 'Cancel' }).click();
      await toast().waitFor({ state: 'hidden' });
      await page.locator('.statusbar-item .codicon-debug-pause').waitFor();
      slow.allow(280);
      await note(/has stopped: \d+ of/).waitFor();
    }));

  it('warns that an export is incomplete', () =>
    pictured(editor, 'progress-export', async () => {
      const file = join(sample.workspace.folder, 'transfers.csv');
      await frame.getByRole('button', { name: 'Export' }).click();
      await frame.getByRole('menuitem', { name: 'Export as CSV' }).click();
      await chooseFile(page, file);
      const text = await notificationText(page, /Exported/);
      const [, rows = ''] = /Exported (\d+) rows; more may follow: index at \d+%/.exec(text) ?? [];
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
      assert.equal(lines.length, Number(rows) + 1, text);
    }));

  it('resumes where it stopped and updates the page', () =>
    pictured(editor, 'progress-resumed', async () => {
      const [, indexed] = /has stopped: (\d+) of/.exec((await note(/has stopped/).textContent()) ?? '') ?? [];
      const before = slow.node.calls.length;
      await item(percent).click();
      await waitForTitle(page, 'Indexing');
      await editor.screenshot('progress-pick');
      await choose(page, 'Resume');
      slow.allow(HEIGHT);
      await item(percent).waitFor({ state: 'hidden' });
      await note(/index/).waitFor({ state: 'hidden' });
      assert.ok(slow.lowestSince(before) >= Number(indexed), `${indexed} blocks were indexed, and are not read twice`);
    }));
});
