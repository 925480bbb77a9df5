// The extension activates and registers what its manifest contributes.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExtension, getHoverText } from './extensionHost.ts';
import { openUntitled } from './siweActions.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('activation', () => {
  it('is installed and activates', async () => {
    const extension = getExtension();
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command its manifest contributes', async () => {
    const extension = getExtension();
    await extension.activate();
    const contributed = commandsOf(extension.packageJSON);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(contributed.length > 0, 'the manifest contributes no command');
    const missing = contributed.filter(command => !registered.has(command));
    assert.deepEqual(missing, []);
  });
});

describe('hover without a file', () => {
  before(() => getExtension().activate());

  for (const language of ['plaintext', 'markdown', 'solidity', 'json']) {
    it(`shows a hover for an address in an unsaved ${language} document`, async () => {
      const document = await openUntitled(`pay "${address}" now`, language);
      assert.match(await getHoverText(document, address), /Address|EIP.{0,3}55/);
    });
  }

  it('shows no hover for ordinary words', async () => {
    const document = await openUntitled('deadbeef is a word, and so is effaced');
    assert.equal(await getHoverText(document, 'deadbeef'), '');
    assert.equal(await getHoverText(document, 'effaced'), '');
  });
});

function commandsOf(manifest: { contributes?: { commands?: readonly { command: string }[] } }): string[] {
  return (manifest.contributes?.commands ?? []).map(({ command }) => command);
}
