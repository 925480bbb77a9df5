import { commands, env } from 'vscode';

/** VS Code gives a terminal's selection only through the clipboard, which is restored afterwards; '' without a selection. */
export async function readTerminalSelection(): Promise<string> {
  const before = await env.clipboard.readText();
  try {
    // Without a selection nothing is copied: what the clipboard held before may be a secret.
    await env.clipboard.writeText('');
    await commands.executeCommand('workbench.action.terminal.copySelection');
    return (await env.clipboard.readText()).trim();
  } finally {
    await env.clipboard.writeText(before);
  }
}
