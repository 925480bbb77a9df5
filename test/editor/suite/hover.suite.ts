// Hovers over literals of the sample workspace with data of the test chain.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { detectLiteral } from '../../../src/extension/editor/detectLiteral.ts';
import type { TestChain } from '../../support/chain/testChain.ts';
import { getExtension, getHoverText, getTestChain, openWorkspaceFile } from './extensionHost.ts';
import { openUntitled, until } from './siweActions.ts';

describe('hover over the test chain', () => {
  let chain: TestChain;
  let script: vscode.TextDocument;

  before(async function () {
    const found = getTestChain();
    if (found === undefined) this.skip();
    chain = found;
    await getExtension().activate();
    script = await openWorkspaceFile('scripts/check.ts');
  });

  /** The node may take longer than a hover waits for it. */
  const hoverSays = (document: vscode.TextDocument, needle: string, wanted: RegExp) =>
    until(
      () => getHoverText(document, needle),
      text => wanted.test(text),
      `shows ${wanted}`,
    );

  it('shows a token contract', () => hoverSays(script, chain.contracts.coin, /Contract[\s\S]*ERC\S*20/));

  it('shows an account with its balance', () => hoverSays(script, chain.accounts.fees, /Account[\s\S]*Balance .*ETH/));

  it('shows a transaction', () => hoverSays(script, chain.transactions.mintApe, /Transaction[\s\S]*Success/));

  it('shows what contracts paid in a transaction', async () => {
    const document = await openUntitled(`const txHash = '${chain.transactions.sale}';\n`, 'typescript');
    await hoverSays(document, chain.transactions.sale, /Success[\s\S]*0\.975 ETH/);
  });

  it('shows a failed transaction', async () => {
    const readme = await openWorkspaceFile('README.md');
    await hoverSays(readme, chain.transactions.failed, /Transaction[\s\S]*Failed/);
  });

  it('says why it failed, and shows a call that failed inside a transaction that did not', async () => {
    const { failedReason, failedOutOfGas, internal } = chain.transactions;
    const lines = [failedReason, failedOutOfGas, internal].map((hash, index) => `const txHash${index} = '${hash}';`);
    const document = await openUntitled(lines.join('\n'), 'typescript');
    await hoverSays(document, failedReason, /Failed[\s\S]*Reverted: `Vault: always fails`/);
    await hoverSays(document, failedOutOfGas, /Failed[\s\S]*`Out of gas`/);
    await hoverSays(document, internal, /Success[\s\S]*1 inner call failed: `[^`]*(?:NoThanks|custom error)/);
  });

  it('says that no chain has a hash', async () => {
    const unknown = `0x${'5e1f'.repeat(15)}a7b3`;
    const document = await openUntitled(`const txHash = '${unknown}';\n`, 'typescript');
    await hoverSays(document, unknown, /Not found on Local dev chain\./);
  });

  it('says that the chain of a link has no node, and shows what this machine has for the text of the link', async () => {
    const address = chain.accounts.fees;
    const url = `https://basescan.org/address/${address}`;
    const document = await openUntitled(`See [${address}](${url}) there, or\n${url.toLowerCase()}\n`, 'markdown');
    await hoverSays(document, `[${address}`, /Account[\s\S]*Balance .*ETH/);
    await hoverSays(
      document,
      address.toLowerCase(),
      /Base is not configured · \[Connect a node\]\(command:hexlens\.connectNode[\s\S]*Look up on Local dev chain/,
    );
  });

  it('shows a block by its hash', async () => {
    const readme = await openWorkspaceFile('README.md');
    const { hash, number } = chain.blocks.busy;
    await hoverSays(readme, hash, new RegExp(`Block ${number}`));
  });

  it('names a well-known event topic', () => hoverSays(script, chain.topics.transfer, /Transfer/));
});

describe('a literal in a document', () => {
  const key = '0x8f2a559490cc2a7ab61c32ed3d8060216ee02e4960a83f97bde6ceb39d4b4d5e';
  const isHash = async (uses: string, count = 100): Promise<boolean> => {
    const lines = Array.from({ length: count }, (_, number) => `console.log(${number});`);
    const document = await openUntitled(`const tx = '${key}';\n${lines.join('\n')}\n${uses}\n`, 'typescript');
    const literal = detectLiteral(document, new vscode.Position(0, 20))?.literal;
    assert.equal(literal?.kind, 'hash32');
    return literal.hint !== null;
  };

  it('is no hash where a line further below makes a key of it', async () => {
    assert.equal(await isHash('const receipt = await client.getTransactionReceipt({ hash: tx });'), true);
    assert.equal(await isHash('const account = privateKeyToAccount(tx);'), false);
    assert.equal(await isHash('const pk = tx;\nconst account = privateKeyToAccount(pk);'), false);
    assert.equal(await isHash('const receipt = await client.getTransactionReceipt({ hash: tx });', 5_000), true);
    assert.equal(await isHash('const account = privateKeyToAccount(\n  tx,\n);', 5_000), false);
  });
});
