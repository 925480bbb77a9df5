import { MarkdownString } from 'vscode';
import { commands as commandTable } from '../../manifest/commands.ts';

const hoverCommandIds = Object.entries(commandTable)
  .filter(([, command]) => 'hover' in command)
  .map(([name]) => `hexlens.${name}`);

/** Markdown whose links may run only the commands declared for hovers. */
export function toHoverMarkdown(text: string): MarkdownString {
  const result = new MarkdownString(text, true);
  result.isTrusted = { enabledCommands: hoverCommandIds };
  result.supportHtml = false;
  return result;
}
