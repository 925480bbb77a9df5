// Accessibility violations that axe-core finds in a webview.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FrameLocator } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a theme can violate: in a second theme the rest of a page is the same, and takes three times as long. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/** Not the style sheets of each icon: no rule that is on reads them. */
const PRELOAD = { assets: ['media'] } as const;

/** What VS Code sets in the page of a webview for a color theme. */
export interface PageTheme {
  /** The variables with its colors. */
  readonly style: string;
  readonly classes: string;
  readonly data: Readonly<Record<string, string | undefined>>;
}

/** The theme that a page is shown in. */
export const readPageTheme = (frame: FrameLocator): Promise<PageTheme> =>
  frame.locator('body').evaluate(({ ownerDocument, className, dataset }) => ({
    style: ownerDocument.documentElement.style.cssText,
    classes: className,
    data: { ...dataset },
  }));

/**
 * One line per violation: of all rules in the theme that is shown, and of colors in the `others`, which the page is given as VS
 * Code gives them. Runs from outside the page, whose content security policy forbids scripts.
 */
export async function axeFindings(frame: FrameLocator, others: readonly PageTheme[] = []): Promise<readonly string[]> {
  const body = frame.locator('body');
  // Half a megabyte, which is sent once per page.
  const isLoaded = await body.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await body.evaluate((_body, axe) => void new Function(axe)(), source);
  const shown = await readPageTheme(frame);
  return body.evaluate(
    async (element, { shown, others, rules, preload }) => {
      const { ownerDocument } = element;
      const { axe } = globalThis as unknown as { axe: { run(context: unknown, options: unknown): Promise<AxeResult> } };
      const run = async (options: object) => {
        const { violations } = await axe.run(ownerDocument, { resultTypes: ['violations'], preload, ...options });
        return violations.flatMap(({ id, help, nodes }) =>
          nodes
            .slice(0, 3)
            .map(
              node =>
                `${id} in ${element.className}: ${help}: ${JSON.stringify(node.target)} ${node.failureSummary ?? ''}`,
            ),
        );
      };
      const show = ({ style, classes, data }: PageTheme) => {
        ownerDocument.documentElement.style.cssText = style;
        element.setAttribute('class', classes);
        Object.assign(element.dataset, data);
        return new Promise(requestAnimationFrame);
      };
      const findings = await run({});
      for (const theme of others) {
        await show(theme);
        findings.push(...(await run({ runOnly: rules })));
      }
      if (others.length > 0) await show(shown);
      return findings;
    },
    { shown, others, rules: COLOR_RULES, preload: PRELOAD },
  );
}
