// Hovers that explain the fields of sign-in messages.
import { Hover, type HoverProvider, MarkdownString, Range } from 'vscode';
import { locateSiweFields } from '../../api/siwe/locateFields.ts';
import { explainField } from '../../view/siwe/explainField.ts';
import { findSiweMessages } from '../../view/siwe/findSiweMessages.ts';

export interface SiweFieldHoverDeps {
  readonly enabled: () => boolean;
  readonly now: () => number;
}

/** As for the diagnostics. */
const MAX_TEXT_LENGTH = 200_000;

export function createSiweFieldHover({ enabled, now }: SiweFieldHoverDeps): HoverProvider {
  return {
    provideHover(document, position) {
      if (!enabled()) return null;
      const text = document.getText();
      if (text.length > MAX_TEXT_LENGTH) return null;
      const offset = document.offsetAt(position);
      const found = findSiweMessages(text).find(
        ({ start, end, isCertain }) => isCertain && start <= offset && offset <= end,
      );
      if (found === undefined) return null;
      for (const field of locateSiweFields(found.message)) {
        // The label of a line belongs to its field; the first line has two fields.
        const [from, to] = field.line === 1 ? [field.start, field.end] : [field.lineStart, field.lineEnd];
        const [start, end] = [found.toTextOffset(from), found.toTextOffset(to)];
        if (offset < start || offset > end) continue;
        const explanation = explainField(field, now());
        if (explanation === null) return null;
        const markdown = new MarkdownString(explanation, true);
        markdown.supportHtml = false;
        return new Hover(markdown, new Range(document.positionAt(start), document.positionAt(end)));
      }
      return null;
    },
  };
}
