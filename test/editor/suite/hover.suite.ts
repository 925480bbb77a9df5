// Hovers over literals of the sample workspace with data of the test chain.
import type * as vscode from 'vscode';
import type { TestChain } from '../../support/chain/testChain.ts';
import { getExtension, getHoverText, getTestChain, openWorkspaceFile } from './extensionHost.ts';
import { until } from './siweActions.ts';

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

  it('shows a failed transaction', async () => {
    const readme = await openWorkspaceFile('README.md');
    await hoverSays(readme, chain.transactions.failed, /Transaction[\s\S]*Failed/);
  });

  it('shows a block by its hash', async () => {
    const readme = await openWorkspaceFile('README.md');
    const { hash, number } = chain.blocks.busy;
    await hoverSays(readme, hash, new RegExp(`Block ${number}`));
  });

  it('names a well-known event topic', () => hoverSays(script, chain.topics.transfer, /Transfer/));
});
