// Markdown of a hover: its links may run the commands that are meant for hovers, and nothing else.
import { MarkdownString } from 'vscode';
import { commands as commandTable } from '../../manifest/commands.ts';

const allowed = Object.entries(commandTable)
  .filter(([, command]) => 'hover' in command)
  .map(([name]) => `hexlens.${name}`);

export function toHoverMarkdown(text: string): MarkdownString {
  const result = new MarkdownString(text, true);
  result.isTrusted = { enabledCommands: allowed };
  result.supportHtml = false;
  return result;
}
