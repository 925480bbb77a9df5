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
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/**
 * One line per violation, of all rules when none are given. Runs from outside the page, whose content security policy forbids
 * scripts.
 */
export async function axeFindings(frame: FrameLocator, rules?: readonly string[]): Promise<readonly string[]> {
  const body = frame.locator('body');
  // Half a megabyte, which is sent once per page.
  const isLoaded = await body.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await body.evaluate((_body, axe) => void new Function(axe)(), source);
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  return body.evaluate(async ({ ownerDocument }, options) => {
    const { axe } = globalThis as unknown as { axe: { run(context: unknown, options: unknown): Promise<AxeResult> } };
    const { violations } = await axe.run(ownerDocument, options);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.slice(0, 3).map(node => `${id}: ${help}: ${JSON.stringify(node.target)} ${node.failureSummary ?? ''}`),
    );
  }, options);
}
