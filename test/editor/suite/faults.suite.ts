// Settings with nonsense in them: HexLens says so, keeps what is right, and loses nothing.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hexlens, hoverTextAt, untitled } from './extensionHost.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

async function withSetting(key: string, value: unknown, work: () => Promise<void>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const before = configuration.inspect(key)?.workspaceValue;
  await configuration.update(key, value, vscode.ConfigurationTarget.Workspace);
  try {
    await work();
  } finally {
    await vscode.workspace.getConfiguration().update(key, before, vscode.ConfigurationTarget.Workspace);
  }
}

describe('settings with nonsense', () => {
  before(() => hexlens().activate());

  const nonsense: readonly (readonly [string, unknown])[] = [
    ['hexlens.nodes', 'nonsense'],
    ['hexlens.nodes', { ethh: 'http://127.0.0.1:1', local: 'not a url' }],
    ['hexlens.hover.parts', { balance: 'no', colour: true }],
    ['hexlens.hover.chains', ['nowhere']],
    ['hexlens.request.timeout', -5],
  ];
  for (const [key, value] of nonsense) {
    it(`${key}: ${JSON.stringify(value)} leaves the local part of hovers as it is`, () =>
      withSetting(key, value, async () => {
        const document = await untitled(`pay "${address}" now`);
        assert.match(await hoverTextAt(document, address), /\*\*Address\*\*/);
        assert.deepEqual(vscode.workspace.getConfiguration().inspect(key)?.workspaceValue, value);
      }));
  }

  it('hexlens.hover.enabled: false silences hovers, true brings them back', async () => {
    const document = await untitled(`pay "${address}" now`);
    await withSetting('hexlens.hover.enabled', false, async () =>
      assert.equal(await hoverTextAt(document, address), ''),
    );
    assert.match(await hoverTextAt(document, address), /\*\*Address\*\*/);
  });
});
