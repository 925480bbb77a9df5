// Pages of operations, legible in two themes: wallets, owners, collections, sign-in, Aptos.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../support/aptos/fakeAptosNetwork.ts';
import { createSampleLedger } from '../support/aptos/sampleLedger.ts';
import { axeFindings, type PageTheme } from './axe.ts';
import { type Editor, pictured } from './harness.ts';
import { openPage, type PageName } from './pageKeys.ts';
import { openSample, readPageThemes, type Sample } from './sampleEditor.ts';
import { statusBarText } from './userActions.ts';

describe('pages of operations', () => {
  let double: FakeAptosNetwork;
  let sample: Sample;
  let editor: Editor;
  let frame: FrameLocator;
  let otherThemes: readonly PageTheme[];

  before(async () => {
    double = await startFakeAptosNetwork(createSampleLedger().ledger);
    sample = await openSample({
      openFile: null,
      theme: 'light',
      viewport: { width: 1280, height: 800 },
      workspaceSettings: { 'hexlens.aptos.networks': { local: { node: double.node, indexer: double.indexer } } },
    });
    ({ editor } = sample);
    frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await statusBarText(editor.page, /Local dev chain \d+/);
    await editor.page.keyboard.press('Control+B');
  });
  after(async () => {
    await sample?.close();
    await double?.stop();
  });

  const open = async (name: PageName, title: string | RegExp) => {
    await openPage(editor.page, name);
    await frame.getByRole('heading', { name: title, level: 1 }).waitFor();
    await frame.getByRole('tablist').first().waitFor();
  };

  const calm = async () => assert.deepEqual(await axeFindings(frame, otherThemes), []);

  it('lists the balances of several wallets', () =>
    pictured(editor, 'inspector-balances', async () => {
      await open('walletBalances', 'Native Balances of Wallets');
      otherThemes = await readPageThemes(sample, frame, ['high-contrast'], 'light');
      await frame.getByRole('tab', { name: /Wallets 5/ }).waitFor();
      await frame.getByText('5 rows').waitFor();
      await calm();
    }));

  it('shows their totals', () =>
    pictured(editor, 'inspector-balances-sums', async () => {
      await frame.getByRole('tab', { name: 'Totals' }).click();
      await frame.getByRole('tabpanel', { name: 'Totals' }).getByText('ETH').first().waitFor();
      await calm();
    }));

  it('shows them as a bar chart', () =>
    pictured(editor, 'inspector-balances-chart', async () => {
      await frame.getByRole('tab', { name: 'Chart' }).click();
      await frame.getByRole('img', { name: /Dev account #1: .* ETH; Dev account #2: / }).waitFor();
      await calm();
    }));

  it('lists the owners of a token', () =>
    pictured(editor, 'inspector-owners', async () => {
      await open('nftOwners', /^Item 0+1$/);
      await frame.getByRole('gridcell', { name: 'Dev account #3' }).first().waitFor();
      await calm();
    }));

  it('lists the collections of a wallet', () =>
    pictured(editor, 'inspector-collections', async () => {
      await open('nftCollections', 'NFT Collections of a Wallet');
      await frame.getByRole('gridcell').first().waitFor();
      await calm();
    }));

  it('lists the ERC-20 tokens of a wallet', () =>
    pictured(editor, 'inspector-erc20-balances', async () => {
      await open('erc20Balances', 'ERC-20 Balances of a Wallet');
      await frame.getByRole('gridcell', { name: 'HexLens Test Coin' }).first().waitFor();
      await calm();
    }));

  it('lists the transactions of a wallet', () =>
    pictured(editor, 'inspector-wallet-transactions', async () => {
      await open('transactions', 'Transactions of a Wallet');
      await frame.getByRole('gridcell').first().waitFor();
      await calm();
    }));

  it('lists the ERC-20 transfers of a wallet', () =>
    pictured(editor, 'inspector-erc20-transfers', async () => {
      await open('erc20Transfers', 'ERC-20 Transfers of a Wallet');
      await frame.getByRole('gridcell', { name: 'HexLens Test Coin' }).first().waitFor();
      await calm();
    }));

  it('shows the result of a sign-in', () =>
    pictured(editor, 'inspector-sign-in', async () => {
      await open('signIn', 'Verify Sign-In Message');
      await frame.getByText('shop.example', { exact: true }).first().waitFor();
      await calm();
    }));

  it('lists the coin transfers of Aptos wallets', () =>
    pictured(editor, 'inspector-aptos-coins', async () => {
      await open('aptosTransfers', 'Aptos Coin Transfers of Wallets');
      await frame.getByText('18,446,744,073,709,551,614').first().waitFor();
      await calm();
    }));

  it('lists the NFTs of Aptos wallets', () =>
    pictured(editor, 'inspector-aptos-nfts', async () => {
      await open('aptosNfts', 'Aptos NFTs of Wallets');
      await frame.getByRole('gridcell', { name: 'Ace #1' }).first().waitFor();
      await calm();
    }));

  it('lists the NFT transfers of an Aptos wallet', () =>
    pictured(editor, 'inspector-aptos-nft-transfers', async () => {
      await open('aptosNftTransfers', 'Aptos NFT Transfers of Wallets');
      await frame.getByRole('gridcell').first().waitFor();
      await calm();
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
