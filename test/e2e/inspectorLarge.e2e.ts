// A very large block: it opens, scrolls to its end, filters and exports.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { type BusyBlock, mineBusyBlock } from '../support/chain/chainLoad.ts';
import { axeFindings } from './axe.ts';
import { type Editor, pictured } from './harness.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { chooseFile, lookUpFromPalette } from './userActions.ts';

const TRANSACTIONS = 600;
const LOGS = 4_000;
const grouped = (count: number) => count.toLocaleString('en');

describe(`a block of ${TRANSACTIONS} transactions and ${LOGS} logs`, () => {
  let anvil: Anvil;
  let block: BusyBlock;
  let sample: Sample;
  let editor: Editor;
  let frame: FrameLocator;

  before(async () => {
    anvil = await startAnvil();
    block = await mineBusyBlock(anvil, TRANSACTIONS, LOGS);
    sample = await openSample({
      openFile: null,
      // The node takes its time for so many receipts, and more where other tests run beside it.
      workspaceSettings: { 'hexlens.nodes': { local: anvil.url }, 'hexlens.request.timeout': 60_000 },
      viewport: { width: 1280, height: 800 },
    });
    ({ editor } = sample);
    frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  });
  after(async () => {
    await sample?.close();
    await anvil?.stop();
  });

  const calm = async () => assert.deepEqual(await axeFindings(frame), []);
  /** The last row of the grid after scrolling to its end, counted with the header. */
  const endOfGrid = async (index: number) => {
    await frame.getByRole('gridcell').first().click();
    await editor.page.keyboard.press('Control+End');
    await frame.locator(`[role=row][aria-rowindex="${index}"] [role=gridcell][tabindex="0"]`).waitFor();
  };

  it('opens with its rows', () =>
    pictured(editor, 'inspector-large', async () => {
      await lookUpFromPalette(editor.page, String(block.number));
      await frame.getByRole('heading', { name: `Block ${block.number}` }).waitFor();
      await editor.page.keyboard.press('Control+B');
      await frame.getByRole('tab', { name: `Transactions ${grouped(TRANSACTIONS)}` }).waitFor();
      await frame.getByText(`${grouped(TRANSACTIONS)} rows`).waitFor();
      await calm();
    }));

  it('scrolls to its last transaction', () =>
    pictured(editor, 'inspector-large-end', async () => {
      await endOfGrid(TRANSACTIONS + 1);
      await calm();
    }));

  it('lists all logs', () =>
    pictured(editor, 'inspector-large-logs', async () => {
      await frame.getByRole('tab', { name: `Logs ${grouped(LOGS)}` }).click();
      await frame.getByText(`${grouped(LOGS)} rows`).waitFor();
      await endOfGrid(LOGS + 1);
      // A grid draws what is in sight, however long it is.
      assert.ok((await frame.getByRole('gridcell').count()) < 1_000);
      await calm();
    }));

  it('shows only the logs that match a filter', () =>
    pictured(editor, 'inspector-large-filter', async () => {
      await frame.getByRole('textbox', { name: 'Filter rows' }).fill(`log>${LOGS - 11}`);
      await frame.getByText(`10 of ${grouped(LOGS)} rows`).waitFor();
      await calm();
    }));

  it('exports all logs', () =>
    pictured(editor, 'inspector-large-export', async () => {
      const file = join(sample.workspace.folder, 'logs.csv');
      await frame.getByRole('textbox', { name: 'Filter rows' }).fill('');
      await frame.getByText(`${grouped(LOGS)} rows`).waitFor();
      await frame.getByRole('button', { name: 'Export' }).click();
      await frame.getByRole('menuitem', { name: 'Export as CSV' }).click();
      await chooseFile(editor.page, file);
      await editor.page
        .locator('.statusbar-item')
        .filter({ hasText: `Exported ${grouped(LOGS)} rows` })
        .waitFor();
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
      assert.equal(lines.length, LOGS + 1);
      assert.equal(new Set(lines).size, LOGS + 1);
    }));
});
