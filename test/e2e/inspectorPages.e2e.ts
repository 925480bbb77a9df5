// Pages of operations: wallets, owners, collections, sign-in, Aptos.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { InspectorTarget } from '../../src/protocol/inspectorTarget.ts';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../support/aptos/fakeAptosNetwork.ts';
import { alice as aptosAlice, bob as aptosBob, createSampleLedger } from '../support/aptos/sampleLedger.ts';
import type { SampleWorkspace } from '../support/chain/sampleWorkspace.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { axeFindings } from './axe.ts';
import { type Editor, pictured, type Theme } from './harness.ts';
import { changeTheme, openSample, type Sample } from './sampleEditor.ts';
import { statusBarText } from './userActions.ts';

const themes: readonly Theme[] = ['light', 'high-contrast'];

type OperationTarget = Extract<InspectorTarget, { readonly kind: 'operation' }>;

/** The pages, by the digit whose key opens each. */
function targets({ accounts, contracts }: TestChain, { folder }: SampleWorkspace) {
  const { alice, bob, carol, dave, erin } = accounts;
  const [message = '', signature = ''] = readFileSync(join(folder, 'sign-in.txt'), 'utf8').split('\n\nSignature: ');
  const operation = (id: OperationTarget['operation'], parameters: OperationTarget['parameters']): InspectorTarget => ({
    kind: 'operation',
    operation: id,
    parameters,
  });
  return {
    1: operation('walletBalances', { walletAddresses: [alice, bob, carol, dave, erin], chain: 'local' }),
    2: operation('nftOwners', { address: contracts.items, tokenId: '1', chain: 'local' }),
    3: operation('walletNftCollections', { address: bob, chain: 'local' }),
    4: operation('verifySignIn', { message, signature: signature.trim() }),
    5: operation('aptosWalletCoinTransfers', { ownerAddresses: [aptosAlice, aptosBob], limit: '100' }),
    6: operation('aptosWalletNfts', { ownerAddresses: [aptosAlice, aptosBob], limit: '100' }),
    7: operation('aptosWalletNftTransfers', { walletAddresses: [aptosAlice], limit: '100' }),
    8: operation('walletErc20Balances', { address: bob, chain: 'local' }),
    9: operation('walletTransactions', { address: alice, chain: 'local' }),
    0: operation('walletErc20Transfers', { address: bob, chain: 'local' }),
  };
}

describe('pages of operations', () => {
  let double: FakeAptosNetwork;
  let sample: Sample;
  let editor: Editor;
  let frame: FrameLocator;

  before(async () => {
    double = await startFakeAptosNetwork(createSampleLedger().ledger);
    sample = await openSample(async ({ chain, workspace }) => ({
      openFile: null,
      theme: 'light',
      viewport: { width: 1280, height: 800 },
      settings: { 'hexlens.aptos.networks': { local: { node: double.node, indexer: double.indexer } } },
      keybindings: Object.entries(targets(chain, workspace)).map(([digit, target]) => ({
        key: `ctrl+alt+${digit}`,
        command: 'hexlens.inspect',
        args: target,
      })),
    }));
    ({ editor } = sample);
    frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await statusBarText(editor.page, /local \d+/);
    await editor.page.keyboard.press('Control+B');
  });
  after(async () => {
    await sample?.close();
    await double?.stop();
  });

  const calm = async () => assert.deepEqual(await axeFindings(frame), []);
  const open = async (digit: number, title: string) => {
    await editor.page.keyboard.press(`Control+Alt+${digit}`);
    await frame.getByRole('heading', { name: title, level: 1 }).waitFor();
    await frame.getByRole('tablist').first().waitFor();
  };

  for (const theme of themes)
    describe(`in ${theme}`, () => {
      before(() => changeTheme(sample, theme));

      const named = (name: string) => `inspector-${name}-${theme}`;

      it('lists the balances of several wallets', () =>
        pictured(editor, named('balances'), async () => {
          await open(1, 'Native Balances of Wallets');
          await frame.locator(`body.vscode-${theme}`).waitFor();
          await frame.getByRole('tab', { name: /Wallets 5/ }).waitFor();
          await frame.getByText('5 rows').waitFor();
          await calm();
        }));

      it('shows their totals', () =>
        pictured(editor, named('balances-sums'), async () => {
          await frame.getByRole('tab', { name: 'Totals' }).click();
          await frame.getByRole('tabpanel', { name: 'Totals' }).getByText('ETH').first().waitFor();
          await calm();
        }));

      it('shows them as a bar chart', () =>
        pictured(editor, named('balances-chart'), async () => {
          await frame.getByRole('tab', { name: 'Chart' }).click();
          await frame.getByRole('img', { name: /Dev account #1: .* ETH; Dev account #2: / }).waitFor();
          await calm();
        }));

      it('lists the owners of a token', () =>
        pictured(editor, named('owners'), async () => {
          await open(2, 'Owners of an NFT');
          await frame.getByRole('gridcell', { name: 'Dev account #3' }).first().waitFor();
          await calm();
        }));

      it('lists the collections of a wallet', () =>
        pictured(editor, named('collections'), async () => {
          await open(3, 'NFT Collections of a Wallet');
          await frame.getByRole('gridcell').first().waitFor();
          await calm();
        }));

      it('lists the ERC-20 tokens of a wallet', () =>
        pictured(editor, named('erc20-balances'), async () => {
          await open(8, 'ERC-20 Balances of a Wallet');
          await frame.getByRole('gridcell', { name: 'HexLens Test Coin' }).first().waitFor();
          await calm();
        }));

      it('lists the transactions of a wallet', () =>
        pictured(editor, named('wallet-transactions'), async () => {
          await open(9, 'Transactions of a Wallet');
          await frame.getByRole('gridcell').first().waitFor();
          await calm();
        }));

      it('lists the ERC-20 transfers of a wallet', () =>
        pictured(editor, named('erc20-transfers'), async () => {
          await open(0, 'ERC-20 Transfers of a Wallet');
          await frame.getByRole('gridcell', { name: 'HexLens Test Coin' }).first().waitFor();
          await calm();
        }));

      it('shows the result of a sign-in', () =>
        pictured(editor, named('sign-in'), async () => {
          await open(4, 'Verify Sign-In Message');
          await frame.getByText('shop.example', { exact: true }).first().waitFor();
          await calm();
        }));

      it('lists the coin transfers of Aptos wallets', () =>
        pictured(editor, named('aptos-coins'), async () => {
          await open(5, 'Aptos Coin Transfers of Wallets');
          await frame.getByText('18,446,744,073,709,551,614').first().waitFor();
          await calm();
        }));

      it('lists the NFTs of Aptos wallets', () =>
        pictured(editor, named('aptos-nfts'), async () => {
          await open(6, 'Aptos NFTs of Wallets');
          await frame.getByRole('gridcell', { name: 'Ace #1' }).first().waitFor();
          await calm();
        }));

      it('lists the NFT transfers of an Aptos wallet', () =>
        pictured(editor, named('aptos-nft-transfers'), async () => {
          await open(7, 'Aptos NFT Transfers of Wallets');
          await frame.getByRole('gridcell').first().waitFor();
          await calm();
        }));
    });

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
