// Commands that hovers and menus run: copy, open in an explorer, show the log, restart the service.
import { commands, env, l10n, Uri, window } from 'vscode';
import { checksumAddress } from '../../base/address.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isAddress } from '../../base/hex.ts';
import { chainById } from '../../contract/chains.ts';
import { commandIds } from '../../manifest/commands.ts';
import { findAt } from '../../view/find/find.ts';
import { type ExternalTarget, explorerUrl } from '../../view/hover/links.ts';
import type { BackendHost } from '../backend/backendHost.ts';
import type { LogChannel } from '../log/logChannel.ts';

export interface CommandDeps {
  readonly log: LogChannel;
  readonly backend: BackendHost;
}

async function copyText(text: unknown): Promise<void> {
  if (typeof text !== 'string' || text.length > 10_000) return;
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('$(check) Copied'), 2_000);
}

async function openExternal(argument: unknown): Promise<void> {
  const target = argument as Partial<ExternalTarget> | null | undefined;
  if (typeof target?.chainId !== 'number' || typeof target.value !== 'string' || typeof target.kind !== 'string') return;
  const explorer = chainById(target.chainId)?.explorer;
  const url = explorer ? explorerUrl(explorer, target as ExternalTarget) : null;
  if (url !== null) await env.openExternal(Uri.parse(url, true));
}

/** The address under the cursor (or given by a menu) with its EIP-55 checksum, to the clipboard. */
async function copyChecksummedAddress(argument: unknown): Promise<void> {
  const editor = window.activeTextEditor;
  let address = isAddress(argument) ? argument : undefined;
  if (address === undefined && editor !== undefined) {
    const position = editor.selection.active;
    const subject = findAt(editor.document.lineAt(position.line).text, position.character);
    if (subject?.kind === 'address' && isAddress(subject.text)) address = subject.text;
  }
  if (address === undefined) {
    void window.showInformationMessage(l10n.t('Put the cursor on an address first: 0x and 40 hex digits.'));
    return;
  }
  await copyText(checksumAddress(address));
}

export function registerCommands({ log, backend }: CommandDeps): Disposable {
  const store = new DisposableStore();
  const add = (id: string, run: (...args: unknown[]) => unknown) => store.add(commands.registerCommand(id, run));
  add(commandIds.copyText, copyText);
  add(commandIds.openExternal, openExternal);
  add(commandIds.copyChecksummedAddress, copyChecksummedAddress);
  add(commandIds.showOutput, () => log.show());
  add(commandIds.openNodeSettings, () => commands.executeCommand('workbench.action.openSettings', 'hexlens.nodes'));
  add(commandIds.restartBackend, async () => {
    await backend.restart();
    window.setStatusBarMessage(l10n.t('$(check) The HexLens service was restarted'), 3_000);
  });
  return store;
}
