// Markdown of hovers: untrusted text is only shown in code spans, everything else is escaped.
import { sanitizeText } from '../../base/displayText.ts';

/**
 * A code span around untrusted text: it cannot contain links, HTML or emphasis. The fence is longer than any run of backticks
 * inside, and VS Code's `$(icon)` syntax is broken up.
 */
export function toCodeSpan(text: string, limit?: number): string {
  const clean = sanitizeText(text, limit).replaceAll('$(', '$ (');
  if (clean === '') return '';
  const longest = Math.max(0, ...(clean.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = clean.startsWith('`') || clean.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${clean}${pad}${fence}`;
}

/** Escapes all Markdown syntax, for texts of HexLens or of the settings. */
export function escapeMarkdown(text: string, { limit = 600 }: { readonly limit?: number } = {}): string {
  return sanitizeText(text, limit).replace(/[\\`*_{}[\]()#+\-.!|<>~&$:/]/g, '\\$&');
}

/** Joins the lines that are not empty with a line break of Markdown. */
export const joinLines = (...lines: readonly (string | null | false)[]): string =>
  lines.filter(line => line).join('  \n');

const MAX_CELL_LENGTH = 300;

/** A cell of a table: untrusted text as code, whose bars do not end the cell. */
export const toTableCell = (text: string): string => toCodeSpan(text, MAX_CELL_LENGTH).replaceAll('|', '\\|');

/** The lines of a table of Markdown, whose cells are Markdown; none where there are no rows. */
export const formatTable = (heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  rows.length === 0
    ? []
    : [
        `| ${heads.join(' | ')} |`,
        `|${heads.map(() => '---').join('|')}|`,
        ...rows.map(cells => `| ${cells.join(' | ')} |`),
        '',
      ];
