// Decoded logs and calls: token amounts, Seaport trades, histograms; dark and light.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { type Editor, pictured } from './harness.ts';
import { changeTheme, openSample, type Sample } from './sampleEditor.ts';
import { lookUpFromPalette } from './userActions.ts';

describe('decoded logs and calls', () => {
  let sample: Sample;
  let editor: Editor;
  let frame: FrameLocator;

  before(async () => {
    sample = await openSample({ theme: 'dark', viewport: { width: 1280, height: 800 } });
    ({ editor } = sample);
    frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    const { number } = sample.chain.blocks.busy;
    await lookUpFromPalette(editor.page, String(number));
    await frame.getByRole('heading', { name: `Block ${number}` }).waitFor();
    await editor.page.keyboard.press('Control+B');
  });
  after(() => sample?.close());

  const turn = async (theme: 'light' | 'dark') => {
    await changeTheme(sample, theme);
    await frame.locator(`body.vscode-${theme}`).waitFor();
  };
  const calm = async () => assert.deepEqual(await axeFindings(frame), []);

  /** Runs a step and takes screenshots in the dark and the light theme. */
  const inBoth = async (name: string, step: () => Promise<void>) => {
    await pictured(editor, `inspector-${name}-dark`, async () => {
      await step();
      await calm();
    });
    await turn('light');
    try {
      await pictured(editor, `inspector-${name}-light`, calm);
    } finally {
      await turn('dark');
    }
  };
  const lookUp = async (text: string) => {
    const box = frame.getByRole('textbox', { name: 'Look up' });
    await box.fill(text);
    await box.press('Enter');
  };
  const openTransaction = async (hash: string, tab: RegExp) => {
    await lookUp(hash);
    await frame.locator(`.subject[title="${hash}"]`).waitFor();
    await frame.getByRole('tab', { name: tab }).click();
  };
  /** The page before it has rows with the same names. */
  const openAddress = async (address: string) => {
    await lookUp(address);
    await frame.locator('.subject', { hasText: address }).waitFor();
  };
  const openRow = (text: string) => frame.getByRole('gridcell', { name: text, exact: true }).first().click();

  it('shows the amount of a transfer in the token’s unit, and the raw number beside it', () =>
    inBoth('amount-log', async () => {
      await openTransaction(sample.chain.transactions.transferCoin, /Logs/);
      await frame.getByRole('gridcell', { name: '12.5 TEST' }).waitFor();
      await openRow('Transfer');
      await frame.locator('.amount', { hasText: '12.5 TEST' }).waitFor();
      await frame.locator('.raw', { hasText: '12500000000000000000' }).waitFor();
    }));

  it('shows the amount of a call', () =>
    inBoth('amount-call', async () => {
      await openTransaction(sample.chain.transactions.transferUsdx, /Input/);
      await frame.locator('.amount', { hasText: '250.75 USDX' }).waitFor();
    }));

  it('never shows the id of an NFT as an amount', async () => {
    await openTransaction(sample.chain.transactions.transferApe, /Logs/);
    await openRow('Transfer');
    await frame.getByText('tokenId').first().waitFor();
    assert.equal(await frame.locator('.amount').count(), 0);
    assert.equal(await frame.getByRole('columnheader', { name: 'Amount' }).count(), 0);
  });

  it('shows a sale on Seaport item by item', () =>
    inBoth('order-sale', async () => {
      await openTransaction(sample.chain.transactions.sale, /Logs/);
      await openRow('OrderFulfilled');
      await frame.getByRole('group', { name: 'Consideration' }).getByText('0.975 ETH').waitFor();
    }));

  it('shows a bid in a token, with links to the items', () =>
    inBoth('order-bid', async () => {
      await openTransaction(sample.chain.transactions.bid, /Logs/);
      await openRow('OrderFulfilled');
      await frame.getByRole('group', { name: 'Offer' }).getByText('40 TEST').waitFor();
      await frame.getByRole('group', { name: 'Consideration' }).getByRole('link', { name: '3', exact: true }).waitFor();
    }));

  it('shows a hostile symbol as text', () =>
    inBoth('amount-hostile', async () => {
      await openAddress(sample.chain.contracts.hostile);
      await openRow('Transfer');
      await frame.locator('.amount').first().waitFor();
      assert.equal(await frame.locator('img').count(), 0);
    }));

  it('shows the values of logs in a panel of 360 pixels', async () => {
    const { page } = editor;
    const isVisible = async (name: string | RegExp) => {
      const box = await frame.getByRole('gridcell', { name }).first().boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 410, `${name} at ${JSON.stringify(box)}`);
    };
    // The activity bar takes the rest.
    await page.setViewportSize({ width: 408, height: 800 });
    try {
      await pictured(editor, 'inspector-narrow-logs', async () => {
        await openTransaction(sample.chain.transactions.transferCoin, /Logs/);
        await frame.getByRole('columnheader').first().filter({ hasText: 'from' }).waitFor();
        await isVisible('12.5 TEST');
      });
      await pictured(editor, 'inspector-narrow-events', async () => {
        await openTransaction(sample.chain.transactions.sale, /Logs/);
        await frame.getByRole('columnheader').nth(1).filter({ hasText: 'Values' }).waitFor();
        await isVisible(/ → .* · #\d+/);
      });
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  it('counts the logs of a contract per block', () =>
    inBoth('chart-logs', async () => {
      await openAddress(sample.chain.contracts.coin);
      await frame.getByRole('gridcell', { name: 'Transfer' }).first().waitFor();
      await frame.getByRole('tab', { name: 'Chart' }).click();
      await frame.getByRole('img', { name: /Logs per block\. Counted: / }).waitFor();
      await frame.locator('.plot canvas').waitFor();
    }));

  it('counts transfers over time, in a chart and a table', () =>
    inBoth('chart-transfers', async () => {
      await openAddress(sample.chain.contracts.apes);
      await frame.getByRole('tab', { name: 'Token transfers' }).click();
      await frame.getByRole('tab', { name: 'Chart' }).click();
      await frame.getByRole('img', { name: /Transfers over time/ }).waitFor();
      await frame.getByText('Show as table').click();
      await frame.getByRole('group', { name: 'Transfers over time' }).getByRole('link').first().waitFor();
    }));

  it('moves between bars by keyboard and opens the rows of one', () =>
    pictured(editor, 'inspector-chart-keys-dark', async () => {
      const bar = frame.getByRole('slider');
      await bar.focus();
      await bar.press('End');
      const last = (await bar.getAttribute('aria-valuemax')) ?? '';
      await frame.locator(`[role=slider][aria-valuenow="${last}"]`).waitFor();
      const announced = (await bar.getAttribute('aria-valuetext')) ?? '';
      await editor.screenshot('inspector-chart-focus-dark');
      const count = announced.split(': ').at(-1) ?? '';
      assert.match(count, /^\d+$/);
      await bar.press('Enter');
      await frame.getByText(new RegExp(`^${count} of \\d+ rows$`)).waitFor();
      await calm();
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
