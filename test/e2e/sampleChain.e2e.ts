// The first minute without a node: the sample chain opens, and its hovers name the error and the line.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { type Editor, pictured, savePicture } from './harness.ts';
import { choose } from './quickPick.ts';
import { openWindow } from './sampleEditor.ts';
import { hoverText, lookUpFromPalette, openFile, runCommand, statusBarText } from './userActions.ts';
import { lookOften, readUntil } from './waits.ts';

const VAULT = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';
/** Through the proxy. */
const DEPOSIT = '0xb331742f64c0d6177daa6307ab6f2d702fd1940378e699e6cd2bfc37b71b47bf';

describe('the sample chain', () => {
  let folder: string;
  let editor: Editor;
  let sample: Page;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hexlens-no-node-'));
    editor = await openWindow({ workspace: folder, openFile: null });
  });
  after(async () => {
    await sample?.close();
    await editor?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('opens in a window of its own with the guide', () =>
    pictured(editor, 'sample-command', async () => {
      const opened = editor.page.context().waitForEvent('page');
      await runCommand(editor.page, 'HexLens: Try on a Sample Chain');
      sample = await opened;
      lookOften(sample);
      await sample.getByRole('tab', { name: 'START-HERE.md' }).waitFor();
      await statusBarText(sample, /Local dev chain 14/);
    }));

  it('says why a transaction failed, and at which line', async () => {
    const text = await hoverText(
      sample,
      '0xa019716c4dffd7da3df445cdfcaaed73c0761aef070e12cdb775eb1cd380d158',
      // A hover whose reason was late says to hover again.
      /InsufficientPosition[\s\S]*Positions\.sol/,
    );
    assert.match(text, /Positions\.decrease/);
    await savePicture(sample, 'sample-failure');
  });

  it('marks the lines of Solidity with their gas', async () => {
    await openFile(sample, 'HarborVault.sol');
    await runCommand(sample, 'HexLens: Show Gas in Source…');
    await choose(sample, 'The last 100 blocks');
    await statusBarText(sample, /[\d,]+ gas/);
    await savePicture(sample, 'sample-gas');
    // The marks of a line are in its style.
    await readUntil(
      () =>
        sample
          .locator('.editor-instance .view-line span')
          .evaluateAll(spans =>
            spans.map(span => getComputedStyle(span, '::after').content).filter(text => text.includes('gas')),
          ),
      texts => texts.some(text => /[\d,]+ gas \([\d.]+%\)/.test(text)),
      'the gas of a line',
    );
    await savePicture(sample, 'sample-gas');
    await sample.locator('.statusbar-item').filter({ hasText: / gas$/ }).first().hover();
    const legend = sample.locator('.monaco-hover:visible').filter({ hasText: 'Gas of the last 100 blocks' });
    await legend.filter({ hasText: /25% and more\s*Faded lines have code that did not run/ }).waitFor();
  });

  it('shows the value of a state variable on its deployments', async () => {
    await openFile(sample, 'HarborVault.sol');
    const text = await hoverText(sample, 'total;', /vaultProxy/);
    assert.match(text, /[1-9][\d,]*,000 · vaultProxy 0x9fE4…a6e0 · Local dev chain · block 14/);
    // Nothing was ever deposited without the proxy.
    assert.match(text, /0 · vaultImplementation 0xe7f1…0512/);
    await savePicture(sample, 'sample-values');
    const keys = await hoverText(sample, 'positions;', /keys seen/);
    assert.match(keys, /2 keys seen · vaultProxy/);
    assert.match(keys, /\[Dev account #2\] → \{amount: [\d,]+, openedAt: [\d,]+, isLocked: true\}/);
  });

  it('says what the newest transactions did together', async () => {
    await runCommand(sample, 'HexLens: What Changed Since…');
    await choose(sample, 'The last 10 blocks');
    const page = sample.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('body');
    await page.getByText('10 transactions, 2 failed.').waitFor();
    const text = (await page.textContent()) ?? '';
    assert.match(text, /Positions\.decrease \(contracts\/Positions\.sol:24:13\)/);
    assert.match(text, /positions\[.*\]\.isLocked\s+false\s+true/);
    await savePicture(sample, 'sample-changes');
  });

  const frameOf = (page: Page) => page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  it('shows the variables of a contract at two blocks, by the names of the implementation', async () => {
    await runCommand(sample, 'View: Close All Editors');
    await lookUpFromPalette(sample, VAULT);
    const frame = frameOf(sample);
    await frame.getByRole('tab', { name: 'State', exact: true }).click();
    await frame.getByText('HarborVault', { exact: true }).waitFor();
    await frame.getByRole('textbox', { name: 'Compare with block' }).fill('8');
    await frame.getByRole('textbox', { name: 'Compare with block' }).press('Enter');
    await frame.getByText('At block 8').first().waitFor();
    const text = (await frame.getByRole('treegrid', { name: 'HarborVault' }).textContent()) ?? '';
    assert.match(text, /total\s+uint256/);
    await savePicture(sample, 'sample-contract-state');
    assert.deepEqual(await axeFindings(frame), []);
  });

  it('shows what a transaction paid for as blocks', async () => {
    await runCommand(sample, 'View: Close All Editors');
    await openFile(sample, 'START-HERE.md');
    assert.match(await hoverText(sample, DEPOSIT, /state changes/), /[2-9] state changes: /);
    await savePicture(sample, 'sample-state-hover');
    await sample.locator('.monaco-hover:visible a').filter({ hasText: 'Inspect' }).first().click();
    const frame = frameOf(sample);
    await frame.getByRole('tab', { name: 'Gas', exact: true }).click();
    await frame.getByRole('treeitem', { name: /HarborVault\.deposit/ }).waitFor();
    await savePicture(sample, 'sample-gas-blocks');
    assert.deepEqual(await axeFindings(frame), []);
    await frame.getByRole('combobox', { name: 'View' }).selectOption('lines');
    // As many as the page has room for.
    await frame.getByRole('row').nth(10).waitFor();
  });

  it('needs no other host', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
