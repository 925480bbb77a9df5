// The inspector in VS Code, legible in three themes, with a real chain.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { axeFindings, type PageTheme } from './axe.ts';
import { type Editor, pictured } from './harness.ts';
import { openSample, readPageThemes, type Sample } from './sampleEditor.ts';
import { lookUpFromPalette } from './userActions.ts';
import { actUntil, readUntil } from './waits.ts';

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

describe('the inspector', () => {
  let sample: Sample;
  let editor: Editor;
  let frame: FrameLocator;
  let otherThemes: readonly PageTheme[];

  before(async () => {
    sample = await openSample({ viewport: { width: 1280, height: 800 } });
    ({ editor } = sample);
    frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await lookUpFromPalette(editor.page, String(sample.chain.blocks.busy.number));
    await frame.getByRole('heading', { name: `Block ${sample.chain.blocks.busy.number}` }).waitFor();
    otherThemes = await readPageThemes(sample, frame, ['light', 'high-contrast'], 'dark');
    // The page has the window to itself, as in the pictures of the README.
    await editor.page.keyboard.press('Control+B');
  });
  after(() => sample?.close());

  const lookUp = async (text: string) => {
    const box = frame.getByRole('textbox', { name: 'Look up' });
    await box.fill(text);
    await box.press('Enter');
  };
  /** The page before it may have the same tabs. */
  const openTransaction = async (hash: string) => {
    await lookUp(hash);
    await frame.locator(`.subject[title="${hash}"]`).waitFor();
  };
  const calm = async () => assert.deepEqual(await axeFindings(frame, otherThemes), []);

  it('shows the newest blocks', () =>
    pictured(editor, 'inspector-head', async () => {
      await lookUp('latest');
      await frame.getByRole('heading', { name: 'Latest blocks' }).waitFor();
      await frame
        .getByRole('gridcell', { name: String(sample.chain.head.number), exact: true })
        .first()
        .waitFor();
      await calm();
    }));

  it('shows a block and its transactions', () =>
    pictured(editor, 'inspector-block', async () => {
      await lookUp(String(sample.chain.blocks.busy.number));
      await frame.getByRole('heading', { name: `Block ${sample.chain.blocks.busy.number}` }).waitFor();
      await frame.getByRole('tab', { name: /Transactions 80/ }).waitFor();
      await frame.getByText('80 rows').waitFor();
      await calm();
    }));

  it('filters transactions while typing', () =>
    pictured(editor, 'inspector-block-filter', async () => {
      await frame.getByRole('textbox', { name: 'Filter rows' }).fill('method:mint value:0');
      await frame.getByText(/20 of 80 rows/).waitFor();
      await frame.getByRole('textbox', { name: 'Filter rows' }).fill('');
    }));

  it('shows a transaction', () =>
    pictured(editor, 'inspector-transaction', async () => {
      await openTransaction(sample.chain.transactions.internal);
      await frame.getByText('Success').first().waitFor();
      await calm();
    }));

  it('shows why a transaction failed', () =>
    pictured(editor, 'inspector-failed', async () => {
      await openTransaction(sample.chain.transactions.failedReason);
      await frame.getByRole('note', { name: 'Why it failed' }).getByText('Reverted').waitFor();
      await calm();
    }));

  it('shows internal transactions as a tree', () =>
    pictured(editor, 'inspector-calls', async () => {
      await openTransaction(sample.chain.transactions.internal);
      await frame.getByText('Success').first().waitFor();
      await frame.getByRole('tab', { name: 'Internal transactions' }).click();
      await frame.getByRole('treeitem').nth(3).waitFor();
      await calm();
    }));

  it('shows what a transaction changed', () =>
    pictured(editor, 'inspector-state', async () => {
      await openTransaction(sample.chain.transactions.transferCoin);
      await frame.getByText('Success').first().waitFor();
      await frame.getByRole('tab', { name: 'State changes' }).click();
      await frame.getByRole('columnheader', { name: 'Before' }).first().waitFor();
      await frame.getByText('Nonce').first().waitFor();
      await calm();
    }));

  it('decodes a call', () =>
    pictured(editor, 'inspector-input', async () => {
      await openTransaction(sample.chain.transactions.transferCoin);
      await frame.getByRole('tab', { name: 'Input' }).click();
      await frame.getByText('transfer(address').first().waitFor();
      await calm();
    }));

  it('shows gas in a chart with a summary', () =>
    pictured(editor, 'inspector-gas', async () => {
      await lookUp(String(sample.chain.blocks.busy.number));
      // The page before it, of a transaction, has a tab of this name too.
      await actUntil(
        () => frame.getByRole('tab', { name: 'Gas' }).click(),
        timeout => frame.getByRole('img', { name: /80 transactions used/ }).waitFor({ timeout }),
      );
      await calm();
    }));

  it('shows an address with the logs of its contract', () =>
    pictured(editor, 'inspector-address', async () => {
      await lookUp(sample.chain.contracts.coin);
      await frame.locator('.subject', { hasText: sample.chain.contracts.coin }).waitFor();
      await frame.getByText('ERC-20').first().waitFor();
      await frame.getByRole('gridcell', { name: 'Transfer' }).first().waitFor();
      await calm();
    }));

  it('shows the raw reply', () =>
    pictured(editor, 'inspector-raw', async () => {
      await frame.getByRole('combobox', { name: 'View' }).selectOption('Raw');
      await frame
        .getByRole('treeitem', { name: /result/ })
        .first()
        .waitFor();
      await calm();
    }));

  it('shows hostile names as text', () =>
    pictured(editor, 'inspector-hostile', async () => {
      await lookUp(sample.chain.contracts.hostile);
      await frame.locator('.subject', { hasText: sample.chain.contracts.hostile }).waitFor();
      await frame.getByRole('gridcell', { name: 'Transfer' }).first().waitFor();
      await frame.getByText('<img src=x').waitFor();
      assert.equal(await frame.locator('img').count(), 0);
      assert.equal(await frame.locator('[onerror]').count(), 0);
      await calm();
    }));

  it('shows images of a wallet without fetching any', () =>
    pictured(editor, 'inspector-pictures', async () => {
      await lookUp(sample.chain.accounts.bob);
      await frame.locator('.subject', { hasText: sample.chain.accounts.bob }).waitFor();
      await frame.getByRole('tab', { name: 'NFTs', exact: true }).click();
      await frame.getByRole('combobox', { name: 'View' }).selectOption('Images');
      await frame.getByRole('img').first().waitFor();
      await calm();
    }));

  describe('decodes logs and calls', () => {
    const legible = (name: string, step: () => Promise<void>) =>
      pictured(editor, `inspector-${name}`, async () => {
        await step();
        await calm();
      });
    const openTransactionTab = async (hash: string, tab: RegExp) => {
      await openTransaction(hash);
      await frame.getByRole('tab', { name: tab }).click();
    };
    /** The page before it has rows with the same names. */
    const openAddress = async (address: string) => {
      await lookUp(address);
      await frame.locator('.subject', { hasText: address }).waitFor();
    };
    const openRow = (text: string) => frame.getByRole('gridcell', { name: text, exact: true }).first().click();

    it('shows the amount of a transfer in the token’s unit, and the raw number beside it', () =>
      legible('amount-log', async () => {
        await openTransactionTab(sample.chain.transactions.transferCoin, /Logs/);
        await frame.getByRole('gridcell', { name: '12.5 TEST' }).waitFor();
        await openRow('Transfer');
        await frame.locator('.amount', { hasText: '12.5 TEST' }).waitFor();
        await frame.locator('.raw', { hasText: '12500000000000000000' }).waitFor();
      }));

    it('shows the amount of a call', () =>
      legible('amount-call', async () => {
        await openTransactionTab(sample.chain.transactions.transferUsdx, /Input/);
        await frame.locator('.amount', { hasText: '250.75 USDX' }).waitFor();
      }));

    it('never shows the id of an NFT as an amount', async () => {
      await openTransactionTab(sample.chain.transactions.transferApe, /Logs/);
      await openRow('Transfer');
      await frame.getByText('tokenId').first().waitFor();
      assert.equal(await frame.locator('.amount').count(), 0);
      assert.equal(await frame.getByRole('columnheader', { name: 'Amount' }).count(), 0);
    });

    it('shows a sale on Seaport item by item', () =>
      legible('order-sale', async () => {
        await openTransactionTab(sample.chain.transactions.sale, /Logs/);
        await openRow('OrderFulfilled');
        await frame.getByRole('group', { name: 'Consideration' }).getByText('0.975 ETH').waitFor();
      }));

    it('shows a bid in a token, with links to the items', () =>
      legible('order-bid', async () => {
        await openTransactionTab(sample.chain.transactions.bid, /Logs/);
        await openRow('OrderFulfilled');
        await frame.getByRole('group', { name: 'Offer' }).getByText('40 TEST').waitFor();
        await frame
          .getByRole('group', { name: 'Consideration' })
          .getByRole('link', { name: '3', exact: true })
          .waitFor();
      }));

    it('shows a hostile symbol as text', () =>
      legible('amount-hostile', async () => {
        await openAddress(sample.chain.contracts.hostile);
        await openRow('Transfer');
        await frame.locator('.amount').first().waitFor();
        assert.equal(await frame.locator('img').count(), 0);
      }));

    it('shows the values of logs in a panel of 360 pixels', async () => {
      const { page } = editor;
      const isVisible = async (name: string | RegExp) => {
        const cell = frame.getByRole('gridcell', { name }).first();
        await cell.waitFor();
        // A table that is drawn again has none for a moment.
        const isInPanel = (box: Box | null) => box !== null && box.x >= 0 && box.x + box.width <= 410;
        await readUntil(() => cell.boundingBox(), isInPanel, `${name} in the panel`);
      };
      // The activity bar takes the rest.
      await page.setViewportSize({ width: 408, height: 800 });
      try {
        await pictured(editor, 'inspector-narrow-logs', async () => {
          await openTransactionTab(sample.chain.transactions.transferCoin, /Logs/);
          await frame.getByRole('columnheader').first().filter({ hasText: 'from' }).waitFor();
          await isVisible('12.5 TEST');
        });
        await pictured(editor, 'inspector-narrow-events', async () => {
          await openTransactionTab(sample.chain.transactions.sale, /Logs/);
          await frame.getByRole('columnheader').nth(1).filter({ hasText: 'Values' }).waitFor();
          await isVisible(/ → .* · #\d+/);
        });
      } finally {
        await page.setViewportSize({ width: 1280, height: 800 });
      }
    });

    it('counts the logs of a contract per block', () =>
      legible('chart-logs', async () => {
        await openAddress(sample.chain.contracts.coin);
        await frame.getByRole('gridcell', { name: 'Transfer' }).first().waitFor();
        await frame.getByRole('combobox', { name: 'View' }).selectOption('Chart');
        await frame.getByRole('img', { name: /Logs per block\. Counted: / }).waitFor();
        await frame.locator('.plot canvas').waitFor();
      }));

    it('counts transfers over time, in a chart and a table', () =>
      legible('chart-transfers', async () => {
        await openAddress(sample.chain.contracts.apes);
        await frame.getByRole('tab', { name: 'Token transfers' }).click();
        await frame.getByRole('combobox', { name: 'View' }).selectOption('Chart');
        await frame.getByRole('img', { name: /Transfers over time/ }).waitFor();
        await frame.getByText('Show as table').click();
        await frame.getByRole('group', { name: 'Transfers over time' }).getByRole('link').first().waitFor();
      }));

    it('moves between bars by keyboard and opens the rows of one', () =>
      pictured(editor, 'inspector-chart-keys', async () => {
        const bar = frame.getByRole('slider');
        await bar.focus();
        await bar.press('End');
        const last = (await bar.getAttribute('aria-valuemax')) ?? '';
        await frame.locator(`[role=slider][aria-valuenow="${last}"]`).waitFor();
        const announced = (await bar.getAttribute('aria-valuetext')) ?? '';
        await editor.screenshot('inspector-chart-focus');
        const count = announced.split(': ').at(-1) ?? '';
        assert.match(count, /^\d+$/);
        await bar.press('Enter');
        await frame.getByText(new RegExp(`^${count} of \\d+ rows$`)).waitFor();
        await calm();
      }));
  });

  it('shows that the node is lost', () =>
    pictured(editor, 'inspector-lost', async () => {
      await lookUp('latest');
      await frame.getByRole('heading', { name: 'Latest blocks' }).waitFor();
      await frame.getByText('25 rows').waitFor();
      await sample.stopChain();
      await frame
        .getByRole('alert')
        .filter({ hasText: /does not (answer|respond)|cannot be reached/ })
        .first()
        .waitFor();
      await calm();
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
