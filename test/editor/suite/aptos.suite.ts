// Hovers over the Move package of the sample workspace say what a localnet says, and ask public networks only by a click.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../../support/aptos/fakeAptosNetwork.ts';
import { coinTransfer, mintObject } from '../../support/aptos/ledgerActions.ts';
import { alice, bob, carol, createSampleLedger, gem, MOON } from '../../support/aptos/sampleLedger.ts';
import { toLong } from '../../support/aptos/syntheticLedger.ts';
import { hexlens, hoverTextAt, openWorkspaceFile, testChain, untitled } from './extensionHost.ts';

const section = () => vscode.workspace.getConfiguration('hexlens');
const Workspace = vscode.ConfigurationTarget.Workspace;
/** Where nothing listens: nobody may be asked there. */
const AWAY = { mainnet: '', testnet: '', devnet: '' };

describe('hover over Aptos', () => {
  let double: FakeAptosNetwork;
  let source: vscode.TextDocument;
  let script: vscode.TextDocument;

  before(async function () {
    if (testChain() === undefined) this.skip();
    const { ledger } = createSampleLedger();
    ledger.block(coinTransfer(alice, bob, 5n));
    double = await startFakeAptosNetwork(ledger);
    await hexlens().activate();
    await section().update('aptos.networks', { ...AWAY, local: double.node }, Workspace);
    source = await openWorkspaceFile('move/sources/tips.move');
    script = await openWorkspaceFile('scripts/aptos.ts');
  });

  afterEach(() => section().update('hover.parts', undefined, Workspace));

  after(async () => {
    await section().update('aptos.networks', undefined, Workspace);
    await double?.stop();
  });

  /** Hovers until the text says so; the suite's time limit ends it. */
  async function hoverSays(
    document: vscode.TextDocument,
    needle: string,
    ...wanted: readonly RegExp[]
  ): Promise<string> {
    for (;;) {
      const text = await hoverTextAt(document, needle);
      if (wanted.every(pattern => pattern.test(text))) return text;
    }
  }

  it('knows an account: balance, sequence number, transfers', async () => {
    const text = await hoverSays(source, bob, /Account/, /coin transfers/);
    assert.match(text, /Aptos address/);
    assert.match(text, /Balance \*\*1\.23456789 APT\*\*/);
    assert.match(text, /sequence number \d/);
    assert.match(text, /- received 0\.00000005 APT/);
    assert.match(text, /NFTs.*: \d/);
    assert.doesNotMatch(text, /Transaction hash|ETH/);
  });

  it('resolves a named address by the package it stands in', async () => {
    const text = await hoverSays(source, '@tips)', /Account/);
    assert.match(text, /Named address/);
    assert.ok(text.includes(alice));
    assert.ok((await hoverTextAt(source, '@treasury')).includes(carol));
  });

  it('follows the manifest as it is being written', async () => {
    const manifest = await openWorkspaceFile('move/Move.toml');
    const line = manifest.lineAt(manifest.getText().slice(0, manifest.getText().indexOf(carol)).split('\n').length - 1);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(manifest.uri, line.range, 'treasury = "0xd00d"');
    await vscode.workspace.applyEdit(edit);
    assert.match(await hoverTextAt(source, '@treasury'), /0x0{60}d00d/);
    await vscode.window.showTextDocument(manifest);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('names the framework, and a struct with its coin', async () => {
    assert.match(await hoverTextAt(source, '@0x1)'), /Aptos framework/);
    assert.match(await hoverTextAt(source, 'aptos_coin::AptosCoin>'), /Coin type of APT/);
    assert.match(await hoverTextAt(script, MOON.slice(-12)), /Move struct.*Moon/);
  });

  it('says nothing of the numbers of a Move source', async () => {
    assert.equal(await hoverTextAt(source, '0x14'), '');
  });

  it('knows an object and its owner', async () => {
    const text = await hoverSays(script, gem.object, /NFT/);
    assert.match(text, /Ruby/);
    assert.match(text, /Owned by/);
  });

  it('knows a transaction by the hash that a script waits for', async () => {
    const transaction = double.ledger.transactions.at(-2);
    const document = await untitled(`// Aptos\nconst txHash = '${String(transaction?.['hash'])}';\n`, 'typescript');
    const text = await hoverSays(document, String(transaction?.['hash']), /Transaction.*Success/);
    assert.match(text, /calls `0x1::/);
    assert.match(text, /Version \d/);
  });

  it('finds an account behind 32 bytes that nothing names', async () => {
    const document = await untitled(`${bob}\n`);
    const text = await hoverSays(document, bob, /Account/);
    assert.match(text, /could be a hash, an Aptos address, or a private key/);
  });

  it('shows the text of a chain as text', async () => {
    const hostile = toLong(`0x5afe${'e'.repeat(60)}`);
    const { ledger } = createSampleLedger();
    ledger.block(mintObject({ ...gem, object: hostile, name: '[x](command:evil) `a` <b>$(zap)' }));
    double.ledger = ledger;
    const document = await untitled(`// Aptos\nconst objectAddress = '${hostile}';\n`, 'typescript');
    const text = await hoverSays(document, hostile, /Owned by/);
    assert.match(text, /``? ?\[x\]\(command:evil\) `a`/);
    assert.doesNotMatch(text, /\$\(zap\)/);
  });

  it('leaves out what is switched off', async () => {
    await section().update('hover.parts', { transfers: false, nfts: false, balance: false, actions: false }, Workspace);
    const text = await hoverSays(source, bob, /sequence number/);
    assert.doesNotMatch(text, /Balance|coin transfers|NFTs|command:/);
  });

  it('asks a public network only by a click', async () => {
    const before = double.requests.length;
    await section().update('aptos.networks', { testnet: '', devnet: '', local: '' }, Workspace);
    const document = await untitled(
      `// Aptos\nconst recipient = '${carol}';\nconst secretKey = '${alice}';\n`,
      'typescript',
    );
    const asks = await hoverSays(document, carol, /Look up on Aptos.*mainnet/);
    assert.doesNotMatch(asks, /testnet|Balance/);
    assert.doesNotMatch(await hoverTextAt(document, alice), /Look up/);
    assert.equal(double.requests.length, before);
  });
});
