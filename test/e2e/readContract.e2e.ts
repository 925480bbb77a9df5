// Read Contract: the tab of a contract behind a proxy, its form, keyboard and narrow panel; the command that leads to it.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import { connectToAnvil } from '../support/chain/anvil.ts';
import { type DeployedLedger, deployLedger, treasurer } from '../support/readContracts/ledger.ts';
import { axeFindings } from './axe.ts';
import { type Editor, pictured } from './harness.ts';
import { row, type, waitForFocus, waitForTitle } from './quickPick.ts';
import { changeTheme, openSample, type Sample } from './sampleEditor.ts';
import { acceptInput, hoverText, lookUpFromPalette, openFile, runCommand, statusBarText } from './userActions.ts';
import { readUntil } from './waits.ts';

describe('reading a contract', () => {
  let sample: Sample;
  let editor: Editor;
  let frame: FrameLocator;
  let ledger: DeployedLedger;

  before(async () => {
    sample = await openSample(async ({ chain, workspace }) => {
      ledger = await deployLedger(await connectToAnvil(chain.url));
      const folder = join(workspace.folder, 'out', 'Ledger.sol');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'Ledger.json'), JSON.stringify(ledger.artifact));
      await writeFile(join(workspace.folder, 'ledger.txt'), `The ledger is at ${ledger.proxy}\n`);
      const workspaceSettings = { 'hexlens.hover.contractValues': ['treasurer', 'closed'] };
      return { theme: 'dark', viewport: { width: 1280, height: 800 }, workspaceSettings };
    });
    ({ editor } = sample);
    frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await statusBarText(editor.page, /Local dev chain \d+/);
    await lookUpFromPalette(editor.page, ledger.proxy);
    await frame.locator('.subject', { hasText: checksumAddress(ledger.proxy) }).waitFor();
    await editor.page.keyboard.press('Control+B');
  });
  after(() => sample?.close());

  const group = (name: string) => frame.getByRole('group', { name, exact: true });
  const calm = async () => assert.deepEqual(await axeFindings(frame), []);

  it('reads what has no arguments at once, decoded, and says why a call reverted', () =>
    pictured(editor, 'inspector-read-dark', async () => {
      await frame.getByRole('tab', { name: 'Read and Simulate' }).click();
      await group('total')
        .getByText(String(2n ** 200n + 5n))
        .waitFor();
      await group('treasurer').getByRole('link', { name: treasurer }).waitFor();
      await group('accounts').getByText('second').waitFor();
      await group('closed').getByText('Reverted: Ledger: closed').waitFor();
      await calm();
    }));

  it('takes arguments by keyboard, names wrong ones and shows the result', () =>
    pictured(editor, 'inspector-read-form-dark', async () => {
      const summary = frame.locator('summary', { hasText: 'accountAt' });
      await summary.press('Enter');
      const index = frame.getByRole('textbox', { name: /^index/ });
      const asked = frame.getByRole('textbox', { name: /^asked/ });
      await index.fill('one');
      await asked.fill(treasurer);
      await asked.press('Enter');
      await frame.getByText('index must be a whole number of uint256, as decimal or 0x hex text').waitFor();
      await editor.screenshot('inspector-read-invalid-dark');
      await index.fill('1');
      await index.press('Enter');
      await frame.getByRole('row', { name: /isFirst bool false/ }).waitFor();
      await calm();
    }));

  it('restores the arguments and the result when the user returns', async () => {
    await group('treasurer').getByRole('link', { name: treasurer }).click();
    await frame.locator('.subject', { hasText: treasurer }).waitFor();
    await frame.getByRole('button', { name: 'Back' }).click();
    await frame.getByRole('row', { name: /isFirst bool false/ }).waitFor();
    assert.equal(await frame.getByRole('textbox', { name: /^asked/ }).inputValue(), treasurer);
  });

  it('reads at an earlier block', () =>
    pictured(editor, 'inspector-read-block-dark', async () => {
      const block = frame.getByRole('textbox', { name: 'At block' });
      await block.fill(String(ledger.firstBlock));
      await block.press('Enter');
      await group('total').getByText('5', { exact: true }).waitFor();
      await block.fill('');
      await block.press('Enter');
      await group('total')
        .getByText(String(2n ** 200n + 5n))
        .waitFor();
    }));

  it('reads what the command asks for, and opens the tab with it', () =>
    pictured(editor, 'inspector-read-command-dark', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Read Contract…');
      await waitForTitle(page, /^Read Contract/);
      await type(page, ledger.proxy);
      await waitForFocus(page, ledger.proxy);
      await acceptInput(page);
      await row(page, 'share(uint256 amount, uint256 parts)').waitFor();
      await editor.screenshot('read-contract-functions-dark');
      await type(page, 'share');
      await waitForFocus(page, 'share(uint256 amount, uint256 parts)');
      await acceptInput(page);
      await waitForTitle(page, /^share: amount/);
      await type(page, '7 apples');
      await row(page, 'amount must be a whole number of uint256, as decimal or 0x hex text').waitFor();
      await type(page, '7');
      await waitForFocus(page, 'Use this value');
      await acceptInput(page);
      await waitForTitle(page, /^share: parts/);
      await type(page, '2');
      await waitForFocus(page, 'Use this value');
      await acceptInput(page);
      const share = frame.locator('hl-contract-function', { hasText: 'share' });
      await share.getByText('3', { exact: true }).waitFor();
      assert.equal(await share.getByRole('textbox', { name: /^amount/ }).inputValue(), '7');
    }));

  it('fits into a narrow panel, in the light theme too', () =>
    pictured(editor, 'inspector-read-narrow-light', async () => {
      await changeTheme(sample, 'light');
      await frame.locator('body.vscode-light').waitFor();
      await editor.page.setViewportSize({ width: 460, height: 900 });
      await group('total')
        .getByText(String(2n ** 200n + 5n))
        .waitFor();
      const view = frame.locator('hl-contract-reads');
      const fits = async () => {
        const { width, overflow } = await view.evaluate(element => ({
          width: element.clientWidth,
          overflow: element.scrollWidth - element.clientWidth,
        }));
        return width <= 460 && overflow <= 0;
      };
      // The new size reaches the page after the window.
      await readUntil(fits, doesFit => doesFit, 'a page that fits into the panel');
      await calm();
      await editor.screenshot('inspector-read-narrow-end-light');
    }));

  it('shows the values that the settings name in the hover of the contract', () =>
    pictured(editor, 'hover-contract-values', async () => {
      await editor.page.setViewportSize({ width: 1280, height: 800 });
      await openFile(editor.page, 'ledger.txt');
      assert.match(await hoverText(editor.page, ledger.proxy, /treasurer/), /treasurer Dev account #1/);
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
