// The rule by which 32 bytes are sent or not, as reasons name it at their end: `(rule 8)`.
import { t } from '../base/localize.ts';
import { escapeMarkdown } from './hover/markdown.ts';

/** The rules, by their numbers. */
export const RULES_URL = 'https://github.com/hexlens/hexlens/blob/main/docs/security.md#which-32-bytes-are-sent';

/** In every language; a sentence may follow. */
const RULE = / \((\S+ \d{1,2})\)(?=\.[^()]*$)/;

/** For texts without links, where a number says nothing. */
export const omitRule = (reason: string): string => reason.replace(RULE, '');

/** Markdown whose rule is a link to what it says. */
export function renderReason(reason: string): string {
  const [match, rule = ''] = RULE.exec(reason) ?? [];
  if (match === undefined) return escapeMarkdown(reason);
  const [before = '', after = ''] = reason.split(match);
  const link = `[${escapeMarkdown(rule)}](${RULES_URL} "${t('Open the rules by which 32 bytes are sent')}")`;
  return `${escapeMarkdown(before)} (${link})${escapeMarkdown(after)}`;
}
