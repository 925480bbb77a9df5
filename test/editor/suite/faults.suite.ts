// Invalid settings do not break the extension and are never overwritten.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import { registerSettingProblems } from '../../../src/extension/settings/registerSettingProblems.ts';
import type { SettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { getExtension, getHoverText } from './extensionHost.ts';
import { openUntitled, until } from './siweActions.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

async function withSetting(key: string, value: unknown, run: () => Promise<void>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const before = configuration.inspect(key)?.workspaceValue;
  await configuration.update(key, value, vscode.ConfigurationTarget.Workspace);
  try {
    await run();
  } finally {
    await vscode.workspace.getConfiguration().update(key, before, vscode.ConfigurationTarget.Workspace);
  }
}

describe('invalid settings', () => {
  before(() => getExtension().activate());

  const invalidSettings: readonly (readonly [string, unknown])[] = [
    ['hexlens.nodes', 'nonsense'],
    ['hexlens.nodes', { ethh: 'http://127.0.0.1:1', local: 'not a url' }],
    ['hexlens.hover.parts', { balance: 'no', colour: true }],
    ['hexlens.hover.chains', ['nowhere']],
    ['hexlens.request.timeout', -5],
  ];
  for (const [key, value] of invalidSettings) {
    it(`${key}: ${JSON.stringify(value)} does not affect the local part of hovers`, () =>
      withSetting(key, value, async () => {
        const document = await openUntitled(`pay "${address}" now`);
        assert.match(await getHoverText(document, address), /\*\*Address\*\*/);
        assert.deepEqual(vscode.workspace.getConfiguration().inspect(key)?.workspaceValue, value);
      }));
  }

  it('make no link in the warning, which could run a command', async () => {
    const shown: string[] = [];
    const { showWarningMessage } = vscode.window;
    const window = vscode.window as { showWarningMessage: unknown };
    window.showWarningMessage = async (text: string) => void shown.push(text);
    try {
      registerSettingProblems({
        settings: {
          problems: () => [
            { setting: 'hexlens.chain', message: '"[Repair](command:workbench.action.quit)" is unknown.' },
          ],
          onDidChange: () => ({ dispose() {} }),
        } as unknown as SettingsSource,
        log: silentLog,
      });
    } finally {
      window.showWarningMessage = showWarningMessage;
    }
    assert.deepEqual(shown, ['HexLens: "[Repair] (command:workbench.action.quit)" is unknown.']);
  });

  it('disables and enables hovers with hexlens.hover.enabled', async () => {
    const document = await openUntitled(`pay "${address}" now`);
    const hover = () => getHoverText(document, address);
    await withSetting('hexlens.hover.enabled', false, async () => {
      await until(hover, text => text === '', 'no hover');
    });
    await until(hover, text => /\*\*Address\*\*/.test(text), 'the hover');
  });
});
