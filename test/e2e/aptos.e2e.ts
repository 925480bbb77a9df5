// Hovers over a Move source, with a simulated localnet.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../support/aptos/fakeAptosNetwork.ts';
import { coinTransfer } from '../support/aptos/ledgerActions.ts';
import { alice, bob, carol, createSampleLedger } from '../support/aptos/sampleLedger.ts';
import { type Editor, pictured } from './harness.ts';
import { openPage } from './pageKeys.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { hoverText, openFile } from './userActions.ts';

const LARGE = 1_234_567_890_123_456n;

describe('hovers over Move sources', () => {
  let sample: Sample;
  let editor: Editor;
  let double: FakeAptosNetwork;

  before(async () => {
    const { ledger } = createSampleLedger();
    ledger.block(coinTransfer(alice, carol, LARGE));
    double = await startFakeAptosNetwork(ledger);
    sample = await openSample({
      openFile: 'move/sources/tips.move',
      workspaceSettings: { 'hexlens.aptos.networks': { local: double.node } },
      viewport: { width: 1400, height: 900 },
    });
    ({ editor } = sample);
  });

  after(async () => {
    await sample?.close();
    await double?.stop();
  });

  it('shows balance, transfers and NFTs of an account', () =>
    pictured(editor, 'hover-aptos-account', async () => {
      // VS Code shows the account and its transfers each when they are there.
      const text = await hoverText(editor.page, bob, /Aptos address[\s\S]*Balance[\s\S]*coin transfers/);
      assert.match(text, /Balance\s*1\.23456789 APT/);
      assert.match(text, /sent 77 units of/);
      await hoverText(editor.page, bob, /Look up on Aptos: mainnet/);
    }));

  it('resolves a named address', () =>
    pictured(editor, 'hover-aptos-named', async () => {
      await hoverText(editor.page, '@treasury', /Named address[\s\S]*0xca401/);
    }));

  it('shows a struct of the framework', () =>
    pictured(editor, 'hover-aptos-type', async () => {
      await hoverText(editor.page, '0x1::account::Account', /Aptos framework/);
    }));

  it('shows the addresses of a package', () =>
    pictured(editor, 'hover-aptos-manifest', async () => {
      await openFile(editor.page, 'Move.toml');
      await hoverText(editor.page, '0x00a11ce', /Aptos address[\s\S]*Balance/);
    }));

  it('lists transfers with exact raw amounts', () =>
    pictured(editor, 'inspector-aptos-transfers', async () => {
      await openPage(editor.page, 'largeAptosTransfer');
      const frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      const cell = frame.getByRole('gridcell', { name: '1,234,567,890,123,456', exact: true });
      await cell.waitFor();
      assert.ok(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'it is not cut');
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
