import { MarkdownString } from 'vscode';
import { hoverCommands } from '../../view/hover/hoverLinks.ts';

/** Markdown whose links may run only the commands declared for hovers. */
export function toHoverMarkdown(text: string): MarkdownString {
  const result = new MarkdownString(text, true);
  result.isTrusted = { enabledCommands: Object.values(hoverCommands) };
  result.supportHtml = false;
  return result;
}
