// HexLens is there, starts, and contributes what its manifest says.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hexlens, hoverTextAt, untitled } from './extensionHost.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('activation', () => {
  it('is installed and activates', async () => {
    const extension = hexlens();
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command its manifest contributes', async () => {
    const extension = hexlens();
    await extension.activate();
    const contributed = commandsOf(extension.packageJSON);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(contributed.length > 0, 'the manifest contributes no command');
    const missing = contributed.filter(command => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('offers the key commands', async () => {
    const registered = await vscode.commands.getCommands(true);
    for (const command of ['hexlens.setApiKey', 'hexlens.clearApiKey'])
      assert.ok(registered.includes(command), command);
  });
});

describe('hover without a file', () => {
  for (const language of ['plaintext', 'markdown', 'solidity', 'json']) {
    it(`says something over an address in an unsaved ${language} document`, async () => {
      const document = await untitled(`pay "${address}" now`, language);
      assert.match(await hoverTextAt(document, address), /Address|EIP.{0,3}55/);
    });
  }

  it('says nothing over ordinary words', async () => {
    const document = await untitled('deadbeef is a word, and so is effaced');
    assert.equal(await hoverTextAt(document, 'deadbeef'), '');
    assert.equal(await hoverTextAt(document, 'effaced'), '');
  });
});

function commandsOf(manifest: { contributes?: { commands?: readonly { command: string }[] } }): string[] {
  return (manifest.contributes?.commands ?? []).map(({ command }) => command);
}
