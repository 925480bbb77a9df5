// Facts as a tooltip: Markdown without a trusted command in it, every value as plain text.
import { MarkdownString } from 'vscode';
import { escapeMarkdown, toCodeSpan } from '../../base/displayText.ts';
import type { Fact } from '../../view/tree/treeRow.ts';

/** What a tooltip shows of one value: data of a log may be megabytes. */
const LONGEST = 300;

export function createFactsTooltip(title: string, facts: readonly Fact[]): MarkdownString {
  const markdown = new MarkdownString(`**${escapeMarkdown(title, 120)}**`);
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  for (const { name, value } of facts)
    markdown.appendMarkdown(`  \n${escapeMarkdown(name)}: ${toCodeSpan(value, LONGEST)}`);
  return markdown;
}
