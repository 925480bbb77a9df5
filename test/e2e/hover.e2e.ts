// Hovers with a real mouse over literals of the sample workspace.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestChain } from '../support/chain/testChain.ts';
import { type Editor, pictured } from './harness.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { hoverText, notificationText, openFile, quickInput, runCommand, statusBarText } from './userActions.ts';

/** What the hovers are expected to say; the words are those of src/view/hover. */
const expected = {
  contract: /Contract[\s\S]*Balance[\s\S]*ETH/,
  account: /Account[\s\S]*Balance[\s\S]*ETH/,
  transaction: /Transaction[\s\S]*Success/,
  failedTransaction: /Transaction[\s\S]*Failed/,
  wrongChecksum: /checksum (of this address )?is wrong/i,
  topic: /Transfer/,
} as const;

const key = 'not-a-real-key-0123456789';

describe('hovers', () => {
  let sample: Sample;
  let editor: Editor;
  let chain: TestChain;

  before(async () => {
    sample = await openSample();
    ({ editor, chain } = sample);
  });

  after(() => sample?.close());

  it('shows the head of the chain in the status bar', () =>
    pictured(editor, 'status-bar', async () => {
      await statusBarText(editor.page, new RegExp(`local\\D*${chain.head.number}`));
    }));

  it('shows a contract', () =>
    pictured(editor, 'hover-contract', async () => {
      const text = await hoverText(editor.page, chain.contracts.coin, expected.contract);
      assert.match(text, /ERC-20/);
    }));

  it('shows the balance of an account', () =>
    pictured(editor, 'hover-account', async () => {
      await hoverText(editor.page, chain.accounts.fees, expected.account);
    }));

  it('shows a transaction', () =>
    pictured(editor, 'hover-transaction', async () => {
      await hoverText(editor.page, chain.transactions.mintApe, expected.transaction);
    }));

  it('names a well-known event topic', () =>
    pictured(editor, 'hover-topic', async () => {
      await hoverText(editor.page, chain.topics.transfer, expected.topic);
    }));

  it('warns of a wrong checksum', () =>
    pictured(editor, 'hover-wrong-checksum', async () => {
      await openFile(editor.page, 'README.md');
      await hoverText(editor.page, sample.workspace.literals.wrongChecksum, expected.wrongChecksum);
    }));

  it('shows a failed transaction', () =>
    pictured(editor, 'hover-failed-transaction', async () => {
      await hoverText(editor.page, chain.transactions.failed, expected.failedTransaction);
    }));

  it('prompts for an API key and stores it', () =>
    pictured(editor, 'set-api-key', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Set API Key', true);
      await quickInput(page).waitFor();
      // The public Aptos networks are known hosts; the key is for another one.
      await page.getByRole('option', { name: 'Another host…' }).click();
      await page.locator('.quick-input-widget:visible').filter({ hasText: 'Which host' }).waitFor();
      await quickInput(page).fill('https://api.example.com');
      await editor.screenshot('set-api-key-host');
      await page.keyboard.press('Enter');
      await page.locator('.quick-input-widget:visible input[type="password"]').fill(key);
      await editor.screenshot('set-api-key-key');
      await page.keyboard.press('Enter');
      assert.ok(!(await notificationText(page, /API key/)).includes(key));
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
