// HexLens in German: manifest, hovers, sidebar and the inspector's page.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Editor, pictured } from './harness.ts';
import { openPage } from './pageKeys.ts';
import { runOperation } from './quickPick.ts';
import { openNewSample, type Sample } from './sampleEditor.ts';
import { closeInput, expandRow, hoverText, leaveHover, statusBarText } from './userActions.ts';

/** English texts of ours that would appear if a translation were missing. */
const ENGLISH = /\b(Address|Balance|Contract|Account|Copy|Save|Open|Block hash|Saved|ago|Value|Fee|Gas used|Time)\b/;

describe('in German', () => {
  let sample: Sample;
  let editor: Editor;

  before(async () => {
    sample = await openNewSample({ language: 'de' });
    ({ editor } = sample);
  });
  after(() => sample?.close());

  it('shows hovers in German', () =>
    pictured(editor, 'german-hover', async () => {
      // VS Code shows the part of the literal and that of the chain each when it is there.
      const whole = /Adresse[\s\S]*Vertrag auf[\s\S]*Guthaben[\s\S]*ETH/;
      const text = await hoverText(editor.page, sample.chain.contracts.coin, whole);
      assert.doesNotMatch(text, ENGLISH);
    }));

  it('shows a transaction', () =>
    pictured(editor, 'german-transaction', async () => {
      await leaveHover(editor.page);
      const text = await hoverText(editor.page, sample.chain.transactions.mintApe, /Transaktion auf[\s\S]*Erfolg/);
      assert.match(text, /Gebühr/);
      assert.doesNotMatch(text, ENGLISH);
    }));

  it('fills the sidebar', () =>
    pictured(editor, 'german-sidebar', async () => {
      const { page } = editor;
      await leaveHover(page);
      await page.locator('.activitybar a[aria-label^="HexLens"]').first().click();
      await page.locator('.sidebar .pane-header').filter({ hasText: 'Adressen' }).waitFor();
      const rows = page.locator('.sidebar .monaco-list-row');
      await rows.filter({ hasText: /Lokale Entwicklungskette.*Block \d/ }).waitFor();
      await page.locator('.sidebar .welcome-view-content a').filter({ hasText: 'Beispieladressen' }).click();
      const balance = rows.filter({ hasText: 'Guthaben' }).first();
      await expandRow(rows.filter({ hasText: 'Entwicklungskonto #1' }), balance);
      await expandRow(balance, rows.filter({ hasText: /\d ETH/ }));
      await rows.filter({ hasText: 'NFT-Transfers' }).waitFor();
    }));

  it('shows a page of the inspector', () =>
    pictured(editor, 'german-inspector', async () => {
      const { page } = editor;
      await page.locator('.editor-instance .view-line').first().click();
      await openPage(page, 'latestBlock');
      const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await frame.getByRole('heading', { name: 'Neueste Blöcke' }).waitFor();
      const box = frame.getByRole('textbox', { name: 'Nachschlagen' });
      await box.fill(String(sample.chain.blocks.busy.number));
      await box.press('Enter');
      await frame.getByRole('tab', { name: /Transaktionen 80/ }).waitFor();
      await frame.getByText('80 Zeilen').waitFor();
      assert.deepEqual(await frame.getByText(ENGLISH).allTextContents(), []);
    }));

  it('shows faults of the service in German', () =>
    pictured(editor, 'german-fault', async () => {
      const frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      const box = frame.getByRole('textbox', { name: 'Nachschlagen' });
      await box.fill('99999999');
      await box.press('Enter');
      await frame.getByRole('heading', { name: 'Block nicht gefunden auf: Lokale Entwicklungskette' }).waitFor();
    }));

  it('shows commands and parameter prompts', () =>
    pictured(editor, 'german-operation', async () => {
      const { page } = editor;
      await runOperation(page, 'NFT-Sammlungen eines Wallets', 'Operation ausführen');
      await statusBarText(page, /Lokale Entwicklungskette/);
      await closeInput(page);
    }));
});
