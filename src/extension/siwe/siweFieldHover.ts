// Hovers over the parts of a sign-in message: what each means and what may stand there.
import { Hover, type HoverProvider, MarkdownString, Range } from 'vscode';
import { locateSiweFields } from '../../api/siwe/locateFields.ts';
import { explainField } from '../../view/siwe/explainField.ts';
import { findSiweMessages } from '../../view/siwe/findSiweMessages.ts';

export interface SiweFieldHoverDeps {
  readonly enabled: () => boolean;
  readonly now: () => number;
}

/** As for the marks: a larger file is not read for a hover. */
const MOST_CHARACTERS = 200_000;

export function createSiweFieldHover({ enabled, now }: SiweFieldHoverDeps): HoverProvider {
  return {
    provideHover(document, position) {
      if (!enabled()) return null;
      const text = document.getText();
      if (text.length > MOST_CHARACTERS) return null;
      const offset = document.offsetAt(position);
      const found = findSiweMessages(text).find(
        ({ start, end, isCertain: certain }) => certain && start <= offset && offset <= end,
      );
      if (found === undefined) return null;
      for (const field of locateSiweFields(found.message)) {
        // The label belongs to its part; the first line has two parts and the greeting.
        const [from, to] = field.line === 1 ? [field.start, field.end] : [field.lineStart, field.lineEnd];
        const [start, end] = [found.toTextOffset(from), found.toTextOffset(to)];
        if (offset < start || offset > end) continue;
        const said = explainField(field, now());
        if (said === null) return null;
        const markdown = new MarkdownString(said, true);
        markdown.supportHtml = false;
        return new Hover(markdown, new Range(document.positionAt(start), document.positionAt(end)));
      }
      return null;
    },
  };
}
