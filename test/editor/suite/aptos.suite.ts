// Hovers over the Move package of the sample workspace, with data of a localnet.
import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import * as vscode from 'vscode';
import { SLOW_MS } from '../../../src/view/hover/hoverRequests.ts';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../../support/aptos/fakeAptosNetwork.ts';
import { coinTransfer, mintObject } from '../../support/aptos/ledgerActions.ts';
import { alice, bob, carol, createSampleLedger, gem, MOON } from '../../support/aptos/sampleLedger.ts';
import { toLong } from '../../support/aptos/syntheticLedger.ts';
import { getExtension, getHoverText, getTestChain, openWorkspaceFile } from './extensionHost.ts';
import { openUntitled, until } from './siweActions.ts';

const section = () => vscode.workspace.getConfiguration('hexlens');
const Workspace = vscode.ConfigurationTarget.Workspace;
/** Long enough for the hover to say that it still waits, which it does after `SLOW_MS`. */
const REQUEST_TIMEOUT_MS = SLOW_MS + 250;
/** An address where no server listens: no request may be sent there. */
const AWAY = { mainnet: '', testnet: '', devnet: '' };

describe('hover over Aptos', () => {
  let double: FakeAptosNetwork;
  let source: vscode.TextDocument;
  let script: vscode.TextDocument;

  before(async function () {
    if (getTestChain() === undefined) this.skip();
    const { ledger } = createSampleLedger();
    ledger.block(coinTransfer(alice, bob, 5n));
    double = await startFakeAptosNetwork(ledger);
    await getExtension().activate();
    await section().update('aptos.networks', { ...AWAY, local: double.node }, Workspace);
    source = await openWorkspaceFile('move/sources/tips.move');
    script = await openWorkspaceFile('scripts/aptos.ts');
  });

  afterEach(() => section().update('hover.parts', undefined, Workspace));

  after(async () => {
    await section().update('aptos.networks', undefined, Workspace);
    await double?.stop();
  });

  const hoverSays = (document: vscode.TextDocument, needle: string, ...wanted: readonly RegExp[]) =>
    until(
      () => getHoverText(document, needle),
      text => wanted.every(pattern => pattern.test(text)),
      `shows ${wanted.join()}`,
    );

  it('shows balance, sequence number and transfers of an account', async () => {
    // An index that is not complete yet may have only older transfers, and no NFTs.
    const text = await hoverSays(source, bob, /Account/, /coin transfers/, /- received 0\.00000005 APT/, /NFTs.*: \d/);
    assert.match(text, /Aptos address/);
    assert.match(text, /Balance \*\*1\.23456789 APT\*\*/);
    assert.match(text, /sequence number \d/);
    assert.doesNotMatch(text, /Transaction hash|ETH/);
  });

  it("resolves a named address of the file's package", async () => {
    const text = await hoverSays(source, '@tips)', /Account/);
    assert.match(text, /Named address/);
    assert.ok(text.includes(alice));
    assert.ok((await getHoverText(source, '@treasury')).includes(carol));
  });

  it('uses unsaved changes of Move.toml', async () => {
    const manifest = await openWorkspaceFile('move/Move.toml');
    const line = manifest.lineAt(manifest.getText().slice(0, manifest.getText().indexOf(carol)).split('\n').length - 1);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(manifest.uri, line.range, 'treasury = "0xd00d"');
    await vscode.workspace.applyEdit(edit);
    assert.match(await getHoverText(source, '@treasury'), /0x0{60}d00d/);
    await vscode.window.showTextDocument(manifest);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('shows framework addresses, structs and their coins', async () => {
    assert.match(await getHoverText(source, '@0x1)'), /Aptos framework/);
    assert.match(await getHoverText(source, 'aptos_coin::AptosCoin>'), /Coin type of APT/);
    assert.match(await getHoverText(script, MOON.slice(-12)), /Move struct.*Moon/);
  });

  it('shows no hover for numbers in a Move source', async () => {
    assert.equal(await getHoverText(source, '0x14'), '');
  });

  it('shows an object with its owner', async () => {
    const text = await hoverSays(script, gem.object, /NFT/);
    assert.match(text, /Ruby/);
    assert.match(text, /Owned by/);
  });

  it('shows a transaction by the hash in a script', async () => {
    const transaction = double.ledger.transactions.at(-2);
    const document = await openUntitled(`// Aptos\nconst txHash = '${String(transaction?.['hash'])}';\n`, 'typescript');
    const text = await hoverSays(document, String(transaction?.['hash']), /Transaction.*Success/);
    assert.match(text, /calls `0x1::/);
    assert.match(text, /Version \d/);
  });

  it('finds the account of 32 bytes without context', async () => {
    const document = await openUntitled(`${bob}\n`);
    // A node that has not answered in time may still have the hash: until it has, the text says only "32 bytes".
    await hoverSays(document, bob, /Account/, /could be a hash, an Aptos address, or a private key/);
  });

  it('escapes text of the chain', async () => {
    const hostile = toLong(`0x5afe${'e'.repeat(60)}`);
    const { ledger } = createSampleLedger();
    ledger.block(mintObject({ ...gem, object: hostile, name: '[x](command:evil) `a` <b>$(zap)' }));
    double.ledger = ledger;
    const document = await openUntitled(`// Aptos\nconst objectAddress = '${hostile}';\n`, 'typescript');
    const text = await hoverSays(document, hostile, /Owned by/);
    assert.match(text, /``? ?\[x\]\(command:evil\) `a`/);
    assert.doesNotMatch(text, /\$\(zap\)/);
  });

  it('omits parts that the settings disable', async () => {
    await section().update('hover.parts', { transfers: false, nfts: false, balance: false, actions: false }, Workspace);
    const text = await hoverSays(source, bob, /sequence number/);
    assert.doesNotMatch(text, /Balance|coin transfers|NFTs|command:/);
  });

  it('says that a network does not respond, with a link that cancels', async () => {
    const server = createServer(() => {}); // takes connections and never responds
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    // VS Code returns the hover only when all its parts have ended.
    await section().update('request.timeout', REQUEST_TIMEOUT_MS, Workspace);
    await section().update('aptos.networks', { ...AWAY, local: `http://127.0.0.1:${address.port}/v1` }, Workspace);
    try {
      const text = await hoverSays(source, bob, /The node of Aptos local takes long to respond/);
      assert.match(text, /\[Cancel\]\(command:hexlens\.cancelHover/);
    } finally {
      await section().update('request.timeout', undefined, Workspace);
      await section().update('aptos.networks', { ...AWAY, local: double.node }, Workspace);
      server.close();
    }
  });

  it('queries a public network only after a click', async () => {
    const before = double.requests.length;
    await section().update('aptos.networks', { testnet: '', devnet: '', local: '' }, Workspace);
    const document = await openUntitled(
      `// Aptos\nconst recipient = '${carol}';\nconst secretKey = '${alice}';\n`,
      'typescript',
    );
    const prompt = await hoverSays(document, carol, /Look up on Aptos.*mainnet/);
    assert.doesNotMatch(prompt, /testnet|Balance/);
    assert.doesNotMatch(await getHoverText(document, alice), /Look up/);
    // A request for the status of the network may still be under way.
    const later = double.requests.slice(before);
    assert.ok(!later.some(request => request.includes(carol) || request.includes(alice)), later.join());
  });
});
