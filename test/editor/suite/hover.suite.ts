// Hovers over the literals of the sample workspace say what the test chain says.
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { TestChain } from '../../support/chain/testChain.ts';
import { hexlens, hoverTextAt, openWorkspaceFile, testChain } from './extensionHost.ts';

describe('hover over the test chain', () => {
  let chain: TestChain;
  let script: vscode.TextDocument;

  before(async function () {
    const found = testChain();
    if (found === undefined) this.skip();
    chain = found;
    await hexlens().activate();
    script = await openWorkspaceFile('scripts/check.ts');
  });

  it('knows a token contract', async () => {
    const text = await hoverTextAt(script, chain.contracts.coin);
    assert.match(text, /Contract/);
    assert.match(text, /ERC\S*20/);
  });

  it('knows an account and its balance', async () => {
    const text = await hoverTextAt(script, chain.accounts.fees);
    assert.match(text, /Account/);
    assert.match(text, /Balance .*ETH/);
  });

  it('knows a transaction', async () => {
    assert.match(await hoverTextAt(script, chain.transactions.mintApe), /Transaction[\s\S]*Success/);
  });

  it('knows a failed transaction', async () => {
    const readme = await openWorkspaceFile('README.md');
    assert.match(await hoverTextAt(readme, chain.transactions.failed), /Transaction[\s\S]*Failed/);
  });

  it('knows a block by its hash', async () => {
    const readme = await openWorkspaceFile('README.md');
    const { hash, number } = chain.blocks.busy;
    assert.match(await hoverTextAt(readme, hash), new RegExp(`Block ${number}`));
  });

  it('names a well-known event topic', async () => {
    assert.match(await hoverTextAt(script, chain.topics.transfer), /Transfer/);
  });
});
