import { MarkdownString } from 'vscode';
import { escapeMarkdown, toCodeSpan } from '../../view/hover/markdown.ts';
import type { Fact } from '../../view/tree/treeRow.ts';

/** Characters that are shown of one value, which may be megabytes of log data. */
const MAX_VALUE_LENGTH = 300;

/** A tooltip with a line per fact, whose values are shown as plain text. */
export function createFactsTooltip(title: string, facts: readonly Fact[]): MarkdownString {
  const markdown = new MarkdownString(`**${escapeMarkdown(title, { limit: 120 })}**`);
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  for (const { name, value } of facts)
    markdown.appendMarkdown(`  \n${escapeMarkdown(name)}: ${toCodeSpan(value, MAX_VALUE_LENGTH)}`);
  return markdown;
}
