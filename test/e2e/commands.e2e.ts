// The palette in a real editor against a real chain: the look-up box, operations with every kind of parameter, nodes.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { screenshots } from '../editor/paths.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type Editor, pictured } from './harness.ts';
import { choose, focused, press, row, rowTexts, titled, type } from './quickPick.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { hoverText, leaveHover, quickInput, runCommand } from './userActions.ts';

describe('commands in a real editor', () => {
  let sample: Sample;
  let editor: Editor;
  let chain: TestChain;

  before(async () => {
    sample = await openSample({ viewport: { width: 1100, height: 760 } });
    ({ editor, chain } = sample);
    // The first hover starts the extension and the node's first answers.
    await hoverText(editor.page, chain.contracts.coin, /Contract[\s\S]*Balance/);
    await walkthroughPicture('hover', 240, 330, 36);
    await leaveHover(editor.page);
  });

  after(() => sample?.close());

  /** For media/walkthrough: the part of the window that matters, light enough to ship. */
  const walkthroughPicture = async (name: string, height: number, x = 245, y = 0) => {
    await mkdir(screenshots, { recursive: true });
    const clip = { x, y, width: 612, height };
    await editor.page.screenshot({ path: join(screenshots, `walkthrough-${name}.png`), clip });
  };
  /** The page that a command opened in the inspector. */
  const inspected = async (heading: string) => {
    const frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await frame.getByRole('heading', { name: heading }).first().waitFor();
  };

  it('explains the look-up box before anything is typed', () =>
    pictured(editor, 'look-up-empty', async () => {
      await runCommand(editor.page, 'HexLens: Look Up…');
      await row(editor.page, 'Type or paste anything').waitFor();
    }));

  it('previews an address while it is typed', () =>
    pictured(editor, 'look-up-address', async () => {
      await type(editor.page, chain.contracts.coin);
      await row(editor.page, /Contract · ERC-20/).waitFor();
      await walkthroughPicture('lookUp', 180);
    }));

  it('saves it by its button, and finds it by its name', () =>
    pictured(editor, 'look-up-saved', async () => {
      const { page } = editor;
      await press(page, /Contract · ERC-20/, 'Save in the address book');
      await quickInput(page).waitFor();
      await titled(page, 'Save Address');
      await type(page, 'Treasury Coin');
      await page.keyboard.press('Enter');
      // Its kind, folder and tags may be changed; Enter saves.
      await row(page, 'Treasury Coin').waitFor();
      await page.keyboard.press('Enter');
      await quickInput(page).waitFor({ state: 'hidden' });
      await runCommand(page, 'HexLens: Look Up…');
      await type(page, 'treas');
      await focused(page, 'Treasury Coin');
      await walkthroughPicture('save', 180);
    }));

  it('offers Save Address first to who types its words', () =>
    pictured(editor, 'palette-save-address', async () => {
      const { page } = editor;
      await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await type(page, '>save address');
      await focused(page, /^HexLens: Save Address(?! Under)/);
    }));

  it('tells a transaction, opens it, and remembers it for this chain', () =>
    pictured(editor, 'look-up-transaction', async () => {
      const { page } = editor;
      await page.keyboard.press('Escape');
      await runCommand(page, 'HexLens: Look Up…');
      await type(page, chain.transactions.mintApe);
      await row(page, /Transaction · Success/).waitFor();
      await editor.screenshot('look-up-hash');
      await page.keyboard.press('Enter');
      await inspected('Transaction');
      await runCommand(page, 'HexLens: Look Up…');
      await focused(page, /Transaction · Success/);
    }));

  it('says why an ENS name cannot be asked for without an Ethereum node', () =>
    pictured(editor, 'look-up-ens', async () => {
      const { page } = editor;
      await type(page, 'vitalik.eth');
      await focused(page, 'ENS names need an Ethereum node');
      await page.keyboard.press('Escape');
    }));

  it('asks step by step for what an operation needs, and judges it while it is typed', () =>
    pictured(editor, 'operation-list', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Native Balances of Wallets…');
      await titled(page, 'Wallet addresses');
      await row(page, 'Treasury Coin').waitFor();
      await type(page, '0x1234');
      await focused(page, /it has 4 digits, 40 are needed/);
      await editor.screenshot('operation-refusal');
      await type(page, `${chain.accounts.alice}, ${chain.accounts.fees}`);
      await focused(page, '2 values');
      await page.keyboard.press('Enter');
      await focused(page, 'Go on with 2 values');
    }));

  it('runs it with one more key and shows the answer', () =>
    pictured(editor, 'operation-json', async () => {
      const { page } = editor;
      await page.keyboard.press('Enter');
      await focused(page, 'Run');
      await editor.screenshot('operation-run');
      await page.keyboard.press('Enter');
      await inspected('Native Balances of Wallets');
    }));

  it('takes every other kind of parameter: number, date, hash, choice, yes or no', () =>
    pictured(editor, 'operation-more', async () => {
      const { page } = editor;
      // The list is longer than the window: its rows are found by their names.
      const pick = async (name: string) => {
        await type(page, name);
        await choose(page, name);
      };
      const set = async (name: string, text: string, shown: RegExp) => {
        await pick(name);
        await titled(page, `Logs of a Contract: ${name}`);
        await type(page, text);
        await focused(page, text);
        await page.keyboard.press('Enter');
        await titled(page, /^Logs of a Contract \(/);
        await row(page, shown).waitFor();
      };
      await runCommand(page, 'HexLens: Logs of a Contract (Retired)…');
      await titled(page, 'Logs of a Contract: Address');
      await type(page, 'Treasury');
      await focused(page, 'Treasury Coin');
      await page.keyboard.press('Enter');
      await focused(page, 'Run');
      await row(page, /Hosts removed this operation on 2024-12-06/).waitFor();
      await set('From block', '1', /From block\s*1/);
      await set('From date', '2023-01-31', /2023-01-31 \(not used: from block is given\)/);
      await set('Topic 0', chain.topics.transfer, /Topic 0\s*0xddf2/);
      await set('Limit', '5', /Limit\s*5/);
      await pick('Disable total');
      await titled(page, 'Disable total');
      await choose(page, 'false');
      await row(page, /Disable total\s*false/).waitFor();
      await walkthroughPicture('inspect', 348);
      await choose(page, 'Run');
      await inspected('Logs of a Contract');
      await runCommand(page, 'HexLens: NFT Transfers of a Wallet…');
      await titled(page, 'NFT Transfers of a Wallet: Address');
      await type(page, chain.accounts.alice);
      await page.keyboard.press('Enter');
      await pick('Direction');
      await titled(page, 'NFT Transfers of a Wallet: Direction');
      await type(page, 'to');
      await focused(page, 'to');
      await page.keyboard.press('Enter');
      await row(page, /Direction\s*to/).waitFor();
      await row(page, /Hosts dropped it on 2023-09-04/).waitFor();
    }));

  it('goes back a step', async () => {
    const { page } = editor;
    await page.locator('.quick-input-widget:visible .quick-input-titlebar .codicon-quick-input-back').click();
    await titled(page, 'NFT Transfers of a Wallet: Address');
    await page.keyboard.press('Escape');
    await quickInput(page).waitFor({ state: 'hidden' });
  });

  it('finds the node that answers and what the workspace names', () =>
    pictured(editor, 'connect-node', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Connect Node…');
      await row(page, /dev chain \(31337\).*in use/).waitFor();
      const rows = await rowTexts(page);
      assert.equal(rows.filter(text => /in use/.test(text)).length, 1);
      await walkthroughPicture('connect', 180);
      await editor.screenshot('connect-node-found');
      await type(page, 'ftp://example.com');
      await focused(page, /not http:\/\/ or https:\/\//);
      await page.keyboard.press('Escape');
    }));

  it('shows which chain answers first and which ones hovers ask', () =>
    pictured(editor, 'switch-chain', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Switch Chain…');
      await row(page, /local.*answers first/).waitFor();
      await row(page, /block \d+ · anvil/).waitFor();
    }));

  it('asked nobody but the server for anything', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
