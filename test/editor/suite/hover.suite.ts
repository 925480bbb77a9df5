// Hovers over literals of the sample workspace with data of the test chain.
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { TestChain } from '../../support/chain/testChain.ts';
import { getExtension, getHoverText, getTestChain, openWorkspaceFile } from './extensionHost.ts';

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

  it('shows a token contract', async () => {
    const text = await getHoverText(script, chain.contracts.coin);
    assert.match(text, /Contract/);
    assert.match(text, /ERC\S*20/);
  });

  it('shows an account with its balance', async () => {
    const text = await getHoverText(script, chain.accounts.fees);
    assert.match(text, /Account/);
    assert.match(text, /Balance .*ETH/);
  });

  it('shows a transaction', async () => {
    assert.match(await getHoverText(script, chain.transactions.mintApe), /Transaction[\s\S]*Success/);
  });

  it('shows a failed transaction', async () => {
    const readme = await openWorkspaceFile('README.md');
    assert.match(await getHoverText(readme, chain.transactions.failed), /Transaction[\s\S]*Failed/);
  });

  it('shows a block by its hash', async () => {
    const readme = await openWorkspaceFile('README.md');
    const { hash, number } = chain.blocks.busy;
    assert.match(await getHoverText(readme, hash), new RegExp(`Block ${number}`));
  });

  it('names a well-known event topic', async () => {
    assert.match(await getHoverText(script, chain.topics.transfer), /Transfer/);
  });
});
