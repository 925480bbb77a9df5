// The extension activates and registers what its manifest contributes.
import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

  it('loads what describes its MCP server when the server starts, not when VS Code asks which servers there are', async () => {
    const extension = getExtension();
    await extension.activate();
    const loaded = Object.keys(require.cache).filter(file => file.startsWith(join(extension.extensionPath, 'dist')));
    assert.ok(loaded.some(file => file.endsWith('extension.js')));
    assert.deepEqual(
      loaded.filter(file => file.endsWith('mcpServerDefinition.js')),
      [],
    );
  });

  it('requires VS Code once in each bundle, which looks up the real path of the file each time', () => {
    const dist = join(getExtension().extensionPath, 'dist');
    const count = (file: string) => readFileSync(join(dist, file), 'utf8').split('require("vscode")').length - 1;
    // In a browser there are no paths.
    const files = readdirSync(dist).filter(file => file.endsWith('.js') && file !== 'web.js');
    assert.equal(count('extension.js'), 1);
    assert.deepEqual(
      files.filter(file => count(file) > 1),
      [],
    );
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
