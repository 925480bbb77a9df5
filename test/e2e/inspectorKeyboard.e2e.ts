// The inspector by keyboard alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { type Editor, pictured } from './harness.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { lookUpFromPalette } from './userActions.ts';
import { readUntil } from './waits.ts';

/** More steps than any page has focusable elements. */
const MAX_STEPS = 60;

describe('the inspector by keyboard alone', () => {
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let frame: FrameLocator;

  before(async () => {
    sample = await openSample({ openFile: null, viewport: { width: 1280, height: 800 } });
    ({ editor } = sample);
    ({ page } = editor);
    frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  });
  after(() => sample?.close());

  /** Role and name of the focused element; `none` when the page has lost the focus. */
  const focused = () =>
    frame.locator('body').evaluate(body => {
      let element = body.ownerDocument.activeElement;
      if (element === null || element === body) return 'none';
      while (element.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return `${element.getAttribute('role') ?? element.localName} ${name.replace(/\s+/g, ' ').trim()}`;
    });
  /** The focus, once it is where it is wanted: the page restores it when it has drawn what a key has changed. */
  const focusOn = (wanted: RegExp) =>
    readUntil(focused, now => now !== 'none' && wanted.test(now), `the focus on ${wanted}`);
  /** Presses a key; afterwards some element must have the focus. */
  const press = async (key: string, wanted = /./) => {
    await page.keyboard.press(key);
    return focusOn(wanted);
  };
  const tabTo = async (wanted: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    const seen: string[] = [];
    for (let step = 0; step < MAX_STEPS; step++) {
      const now = await press(key);
      if (wanted.test(now)) return now;
      seen.push(now.slice(0, 40));
    }
    throw new Error(`${key} never reached ${wanted}, but: ${seen.join(' | ')}`);
  };
  const heading = (name: string | RegExp) => frame.getByRole('heading', { name, level: 1 });
  const cellAt = (row: number) => frame.locator(`[role=row][aria-rowindex="${row}"] [role=gridcell][tabindex="0"]`);
  const blockTitle = () => `Block ${sample.chain.blocks.busy.number}`;

  it('opens and has the focus after a look-up', () =>
    pictured(editor, 'keyboard-look-up', async () => {
      await lookUpFromPalette(page, String(sample.chain.blocks.busy.number));
      await heading(blockTitle()).waitFor();
      await frame.getByText('80 rows').waitFor();
      await focusOn(/./);
    }));

  it('reaches the toolbar', () =>
    pictured(editor, 'keyboard-toolbar', async () => {
      await tabTo(/^button More/, 'Shift+Tab');
      await press('Enter', /^menuitem Open to the side/);
      await press('ArrowDown', /^menuitem Show local times/);
      await press('End', /curl/);
      await press('Escape', /^button More/);
      await tabTo(/^button Pin this panel/, 'Shift+Tab');
      await press('Enter');
      await frame.getByRole('button', { name: 'Unpin this panel' }).waitFor();
      await press('Enter');
      await frame.getByRole('button', { name: 'Pin this panel' }).waitFor();
      await tabTo(/^input Look up/, 'Shift+Tab');
      await tabTo(/^button Back/, 'Shift+Tab');
    }));

  it('selects tabs with the arrow keys', () =>
    pictured(editor, 'keyboard-tabs', async () => {
      await tabTo(/^tab Transactions/);
      await press('ArrowRight', /^tab Logs/);
      await press('End', /^tab Raw/);
      // Tab would leave the page if the tab had nothing to focus yet.
      await frame.getByRole('treeitem').first().waitFor();
      await tabTo(/^treeitem/);
      await press('ArrowDown');
      await tabTo(/^tab Raw/, 'Shift+Tab');
      await press('Home', /^tab Transactions/);
      await frame.getByText('80 rows').waitFor();
    }));

  it('filters rows without the mouse', () =>
    pictured(editor, 'keyboard-filter', async () => {
      await tabTo(/^input/);
      await page.keyboard.type('method:mint');
      await frame.getByText(/20 of 80 rows/).waitFor();
      await page.keyboard.press('Control+A');
      await press('Delete');
      await frame.getByText('80 rows', { exact: true }).waitFor();
      await tabTo(/^button Export/);
      await press('Enter', /^menuitem Export as CSV/);
      await press('Escape', /^button Export/);
    }));

  it('moves in a grid', () =>
    pictured(editor, 'keyboard-grid', async () => {
      await press('Tab', /^columnheader/);
      await press('ArrowDown');
      await cellAt(2).waitFor();
      await press('End');
      await press('PageDown');
      await press('Control+End');
      await cellAt(81).waitFor();
      await press('PageUp');
      await press('Control+Home');
      await cellAt(2).waitFor();
      // The details of a row, and back.
      await press('Alt+Enter');
      await tabTo(/^button Close details/);
      await press('Enter', /^gridcell/);
      await press('Shift+F10', /^menuitem Copy value/);
      await press('Escape', /^gridcell/);
      // A filter made of a cell leaves the focus in the grid, though its row may be another one.
      await press('ArrowRight');
      await press('Shift+F10', /^menuitem/);
      for (let step = 0; step < 3; step++) await press('ArrowDown');
      await focusOn(/^menuitem Filter by this value/);
      await press('Enter');
      await frame.getByText(/of 80 rows/).waitFor();
      await focusOn(/^gridcell/);
    }));

  it('opens a link, and goes back and forward', () =>
    pictured(editor, 'keyboard-history', async () => {
      await press('ArrowRight', /^gridcell 0x/);
      await press('Enter');
      await heading('Transaction').waitFor();
      await frame.getByText('Success').first().waitFor();
      await focusOn(/./);
      await tabTo(/^button Back/, 'Shift+Tab');
      await press('Enter');
      await heading(blockTitle()).waitFor();
      await frame.getByText(/of 80 rows/).waitFor();
      await focusOn(/./);
      await tabTo(/^button Forward/);
      await press('Enter');
      await heading('Transaction').waitFor();
      // Tab would leave the page if the link were not drawn yet.
      await frame.getByText('Success').first().waitFor();
      await focusOn(/./);
      await tabTo(/^a Block/);
      await press('Enter');
      await heading(blockTitle()).waitFor();
      await focusOn(/./);
    }));

  it('expands and collapses internal transactions', () =>
    pictured(editor, 'keyboard-calls', async () => {
      await tabTo(/^input Look up/, 'Shift+Tab');
      await page.keyboard.insertText(sample.chain.transactions.internal);
      await press('Enter');
      await heading('Transaction').waitFor();
      await frame.getByRole('tab', { name: 'Overview' }).waitFor();
      await focusOn(/./);
      await tabTo(/^tab Overview/);
      for (let step = 0; step < 3; step++) await press('ArrowRight');
      await focusOn(/^tab Internal transactions/);
      await frame.getByRole('treeitem').nth(3).waitFor();
      await tabTo(/^treeitem/);
      const lines = await frame.getByRole('treeitem').count();
      // The first call inside the transaction has none inside it.
      await press('ArrowDown');
      await press('ArrowDown');
      await press('ArrowLeft');
      await frame.getByRole('treeitem', { expanded: false }).waitFor();
      assert.ok((await frame.getByRole('treeitem').count()) < lines);
      await press('ArrowRight');
      await frame
        .getByRole('treeitem')
        .nth(lines - 1)
        .waitFor();
      await press('ArrowDown');
      await press('End');
      await press('Home');
      await press('ArrowDown');
      await press('Enter');
      await heading(/^Address|^Dev account/).waitFor();
      await focusOn(/./);
    }));
});
