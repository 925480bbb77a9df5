// The inspector over time: live logs, a reorganization, pinned panels, zoom, a reload, a lost node.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import type { Hex } from '../../src/base/hex.ts';
import { type Anvil, connectToAnvil, startAnvil } from '../support/chain/anvil.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { axeFindings } from './axe.ts';
import { type Editor, pictured } from './harness.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { lookUpFromPalette, runCommand } from './userActions.ts';
import { readUntil } from './waits.ts';

describe('the inspector over time', () => {
  let sample: Sample;
  let editor: Editor;
  let frame: FrameLocator;
  let lost: Locator;
  /** Parts of a page that could not be loaded have fault messages of their own. */
  let unread: Locator;
  let chainNode: Awaited<ReturnType<typeof connectToAnvil>>;
  /** The node that replaces it. */
  let node: Anvil | undefined;

  before(async () => {
    sample = await openSample({ openFile: null, theme: 'dark', viewport: { width: 1280, height: 800 } });
    ({ editor } = sample);
    chainNode = await connectToAnvil(sample.chain.url);
    frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    lost = frame.getByRole('alert').filter({ hasText: /does not (answer|respond)/ });
    unread = frame.locator('hl-fault-message').first();
  });
  after(async () => {
    await sample?.close();
    await node?.stop();
  });

  const lookUp = async (text: string) => {
    const box = frame.getByRole('textbox', { name: 'Look up' });
    await box.fill(text);
    await box.press('Enter');
  };
  /** The page before it may show the same texts, and have the same tabs. */
  const openTransaction = async (hash: string) => {
    await lookUp(hash);
    await frame.locator(`.subject[title="${hash}"]`).waitFor();
  };
  const tabTexts = () => editor.page.locator('.tab').allInnerTexts();
  const calm = async () => assert.deepEqual(await axeFindings(frame), []);

  it('adds new logs to the list', () =>
    pictured(editor, 'inspector-live', async () => {
      const { accounts, contracts } = sample.chain;
      await lookUpFromPalette(editor.page, contracts.coin);
      await frame.getByRole('gridcell', { name: 'Transfer' }).first().waitFor();
      const counts = frame.getByText(/^\d+ rows$/);
      await counts.waitFor();
      const before = await counts.textContent();
      const rows = Number.parseInt(before ?? '', 10);
      await frame.getByRole('button', { name: 'Live', pressed: true }).waitFor();
      // transfer(bob, 0): an event like any other.
      const data: Hex = `0xa9059cbb${accounts.bob.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}`;
      await mineBlock(chainNode, [{ from: accounts.alice, to: contracts.coin, data }]);
      await frame.getByText(`${rows + 1} rows`).waitFor();
      await calm();
    }));

  it('shows that the block was replaced in a reorganization', () =>
    pictured(editor, 'inspector-reorg', async () => {
      await chainNode.rpc('anvil_mine', ['0x3']);
      const head = Number(await chainNode.rpc('eth_blockNumber', []));
      await lookUp(String(head));
      await frame.getByRole('heading', { name: `Block ${head}` }).waitFor();
      // The heading is there at once, the hash after the block was read: only then can it be replaced.
      const { hash } = await chainNode.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
      await frame.getByText(hash).first().waitFor();
      await chainNode.rpc('anvil_setCoinbase', [`0x${'77'.repeat(20)}`]); // else the new blocks could be the old ones
      await chainNode.rpc('anvil_reorg', [2, []]);
      await frame.getByText(`Block ${head} was replaced in a reorganization`).waitFor();
      await calm();
    }));

  it('does not reuse a pinned panel', () =>
    pictured(editor, 'inspector-beside', async () => {
      await frame.getByRole('button', { name: 'Pin this panel' }).click();
      await frame.getByRole('button', { name: 'Unpin this panel' }).waitFor();
      await lookUpFromPalette(editor.page, String(sample.chain.blocks.busy.number));
      await editor.page
        .locator('.tab.active')
        .filter({ hasText: `Block ${sample.chain.blocks.busy.number}` })
        .waitFor();
      await readUntil(tabTexts, tabs => tabs.filter(text => text.includes('Block')).length === 2, 'two tabs');
    }));

  it('is readable at 200 % zoom', () =>
    pictured(editor, 'inspector-zoom', async () => {
      // What zoom does to a page: half the pixels of CSS in each direction.
      await editor.page.setViewportSize({ width: 640, height: 400 });
      await frame.getByRole('heading', { name: `Block ${sample.chain.blocks.busy.number}` }).waitFor();
      await calm();
      await editor.page.setViewportSize({ width: 1280, height: 800 });
    }));

  it('restores page, history, tab and pin after a reload', () =>
    pictured(editor, 'inspector-reloaded', async () => {
      const { page } = editor;
      const { busy } = sample.chain.blocks;
      const title = frame.getByRole('heading', { level: 1 });
      await openTransaction(sample.chain.transactions.internal);
      await frame.getByText('Success').first().waitFor();
      await frame.getByRole('tab', { name: 'Internal transactions' }).click();
      await frame.getByRole('treeitem').nth(3).waitFor();
      const shown = await title.textContent();
      const tabs = await readUntil(
        tabTexts,
        found => /Block.*Transaction/s.test(found.join()),
        'the titles of both tabs',
      );
      assert.equal(tabs.length, 2);

      const reloaded = page.waitForEvent('domcontentloaded');
      await runCommand(page, 'Developer: Reload Window');
      await reloaded;
      await frame.getByRole('treeitem').nth(3).waitFor();
      assert.equal(await title.textContent(), shown);
      await frame.getByRole('tab', { name: 'Internal transactions', selected: true }).waitFor();
      await readUntil(tabTexts, found => found.join() === tabs.join(), `the tabs ${tabs.join(', ')}`);
      await frame.getByRole('button', { name: 'Pin this panel' }).waitFor();
      await calm();

      await frame.getByRole('button', { name: 'Back' }).click();
      await frame.getByRole('heading', { name: `Block ${busy.number}` }).waitFor();
      await frame.getByRole('button', { name: 'Forward' }).click();
      await frame.getByRole('treeitem').nth(3).waitFor();

      // The other panel, hidden when the window was reloaded, was pinned.
      await page.locator('.tab:not(.active)').click();
      await frame.getByRole('button', { name: 'Unpin this panel' }).waitFor();
      await frame.getByRole('heading', { name: /^Block/ }).waitFor();
    }));

  it('shows that the node is lost on every page', () =>
    pictured(editor, 'inspector-life-lost', async () => {
      const head = Number(await chainNode.rpc('eth_blockNumber', []));
      await lookUp('latest');
      // The page before has a grid too.
      await frame.getByRole('heading', { name: 'Latest blocks' }).waitFor();
      await frame
        .getByRole('gridcell', { name: String(head), exact: true })
        .first()
        .waitFor();
      await sample.stopChain();
      await lost.waitFor();
      await frame.getByRole('button', { name: 'Back' }).click();
      await frame.getByRole('heading', { name: /^Block/ }).waitFor();
      await lost.waitFor();
      // What was never read cannot be shown.
      await lookUp(sample.chain.accounts.grace);
      await unread.waitFor();
      // The card says it, with what can be done: once is enough.
      await lost.waitFor({ state: 'detached' });
      await calm();
    }));

  it('recovers as soon as a node responds again', () =>
    pictured(editor, 'inspector-life-back', async () => {
      // Another chain on the same port, as after a restart of Anvil.
      node = await startAnvil({ port: Number(new URL(sample.chain.url).port) });
      await lost.waitFor({ state: 'detached' });
      await unread.waitFor({ state: 'detached' });
      await frame.getByText('10,000').first().waitFor();
      await lookUp('latest');
      await frame.getByRole('gridcell', { name: '0', exact: true }).first().waitFor();
      await node.mine();
      await node.mine();
      await frame.getByRole('gridcell', { name: '2', exact: true }).first().waitFor();
      await node.stop();
      await lost.waitFor();
      node = await startAnvil({ port: node.port });
      await lost.waitFor({ state: 'detached' });
      await node.mine();
      await frame.getByRole('gridcell', { name: '2', exact: true }).first().waitFor({ state: 'detached' });
      await frame.getByRole('gridcell', { name: '1', exact: true }).first().waitFor();
      await calm();
    }));
});
