// Read and Simulate: a state-changing function by its form, and the page of the simulated call.
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
import { openSample, type Sample } from './sampleEditor.ts';
import { lookUpFromPalette, statusBarText } from './userActions.ts';

describe('simulating a call', () => {
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
      return { theme: 'dark', viewport: { width: 1280, height: 900 } };
    });
    ({ editor } = sample);
    frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await statusBarText(editor.page, /Local dev chain \d+/);
    await lookUpFromPalette(editor.page, ledger.proxy);
    await frame.locator('.subject', { hasText: checksumAddress(ledger.proxy) }).waitFor();
    await editor.page.keyboard.press('Control+B');
  });
  after(() => sample?.close());

  it('runs a state-changing function by its form, with the result beside it', () =>
    pictured(editor, 'inspector-simulate-form-dark', async () => {
      await frame.getByRole('tab', { name: 'Read and Simulate' }).click();
      const summary = frame.locator('summary', { hasText: /^add/ });
      await summary.scrollIntoViewIfNeeded();
      await summary.press('Enter');
      await frame
        .getByRole('textbox', { name: /address/ })
        .last()
        .fill(treasurer);
      await frame
        .getByRole('textbox', { name: /uint256/ })
        .last()
        .fill('5');
      await frame
        .getByRole('textbox', { name: /string/ })
        .last()
        .fill('third');
      await frame.getByRole('button', { name: 'Simulate', exact: true }).click();
      await frame.getByText(/Simulated, never sent: [\d,]+ gas\./).waitFor();
      assert.deepEqual(await axeFindings(frame), []);
    }));

  it('shows it as a transaction page that says that it is simulated', () =>
    pictured(editor, 'inspector-simulated-call-dark', async () => {
      await frame.getByRole('link', { name: 'Show calls, logs and state changes' }).click();
      await frame.getByRole('heading', { name: 'Simulated call' }).waitFor();
      await frame.getByText('was never signed or sent').waitFor();
      await frame.getByRole('tab', { name: 'State changes' }).click();
      await frame.locator('hl-state-changes').getByText('Nonce').waitFor();
      assert.deepEqual(await axeFindings(frame), []);
    }));
});
