// Sign-in messages: diagnostics, quick fixes and verification.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Editor, pictured } from './harness.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import {
  hoverText,
  leaveHover,
  notificationText,
  openFile,
  quickInput,
  quickInputText,
  revealLine,
  runCommand,
} from './userActions.ts';
import { actUntil, LONG_PATIENCE_MS } from './waits.ts';

const signer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('sign-in messages', () => {
  let sample: Sample;
  let editor: Editor;

  before(async () => {
    sample = await openSample({ openFile: 'sign-in-broken.txt' });
    ({ editor } = sample);
  });
  after(() => sample?.close());

  const repair = () => editor.page.locator('.action-widget:visible .action', { hasText: 'Fix all certain' });
  /** Opens the list of repairs: VS Code closes it when the notification that goes away gives the focus back too late. */
  const offerRepairs = () => {
    const { page } = editor;
    const problem = page.locator('.notifications-toasts .notification-list-item', { hasText: 'Line 2' });
    return actUntil(
      async () => {
        if (await repair().isVisible()) return;
        if (!(await problem.isVisible())) await runCommand(page, 'HexLens: Verify Sign-In Message');
        await problem.hover({ timeout: 5_000 });
        await page.getByRole('button', { name: 'Quick Fix…' }).click({ timeout: 5_000 });
      },
      timeout => repair().waitFor({ timeout }),
    );
  };

  it('shows diagnostics with their reasons', () =>
    pictured(editor, 'sign-in-underlined', async () => {
      await editor.page.locator('.squiggly-error').nth(1).waitFor();
      await hoverText(editor.page, signer.replace('dc3A', 'dc3a'), /Line 2/);
    }));

  it('shows the problem when the message is verified', () =>
    pictured(editor, 'sign-in-refused', async () => {
      await leaveHover(editor.page);
      await runCommand(editor.page, 'HexLens: Verify Sign-In Message');
      await notificationText(editor.page, /Line 2/);
    }));

  it('offers certain repairs', () =>
    pictured(editor, 'sign-in-quick-fix', async () => {
      await offerRepairs();
    }));

  it('repairs the whole message at once', () =>
    pictured(editor, 'sign-in-repaired', async () => {
      const { page } = editor;
      await actUntil(
        async () => {
          await offerRepairs();
          await repair().click({ timeout: 5_000 });
        },
        timeout => page.locator('.squiggly-error').first().waitFor({ state: 'detached', timeout }),
        LONG_PATIENCE_MS,
      );
      await page.locator('.view-line', { hasText: signer }).waitFor();
    }));

  it('shows the signer', () =>
    pictured(editor, 'sign-in-verified', async () => {
      const { page } = editor;
      await openFile(page, 'sign-in.txt');
      await runCommand(page, 'HexLens: Verify Sign-In Message');
      await notificationText(page, new RegExp(`Signed by ${signer} for shop.example on Local dev chain`));
      await page.locator('.tab', { hasText: 'Verified sign-in of 0x7099…79C8' }).waitFor();
      await page.locator('.view-line', { hasText: 'profileId' }).waitFor();
    }));

  it('explains a field in a hover', () =>
    pictured(editor, 'sign-in-hover', async () => {
      await hoverText(editor.page, 'Expiration Time: 2126', /still in force/);
    }));

  it('rejects a changed message at its signature', () =>
    pictured(editor, 'sign-in-changed', async () => {
      const { page } = editor;
      await leaveHover(page);
      await page.keyboard.press('Escape');
      await revealLine(page, 4);
      await page.keyboard.press('End');
      await page.keyboard.type('!');
      await runCommand(page, 'HexLens: Verify Sign-In Message');
      assert.match(await notificationText(page, /The signature was made by 0x/), new RegExp(`not by ${signer}`));
      await page.locator('.squiggly-error').first().waitFor();
    }));

  it('prompts for a missing signature', () =>
    pictured(editor, 'sign-in-ask', async () => {
      const { page } = editor;
      await leaveHover(page);
      await revealLine(page, 17);
      await page.keyboard.press('Shift+End');
      await page.keyboard.press('Delete');
      await page.locator('.view-line', { hasText: 'Signature: 0x' }).waitFor({ state: 'detached' });
      await runCommand(page, 'HexLens: Verify Sign-In Message', true);
      await page.locator('.quick-input-widget:visible', { hasText: 'no signature' }).waitFor();
      await quickInput(page).fill('0x1234');
      await page.locator('.quick-input-widget:visible', { hasText: 'too few' }).waitFor();
      assert.match(await quickInputText(page), /has 4, 126 digits too few/);
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
