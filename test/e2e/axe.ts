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

/** One line per violation. Runs from outside the page, whose content security policy forbids scripts. */
export async function axeFindings(frame: FrameLocator): Promise<readonly string[]> {
  return frame.locator('body').evaluate(async (body, axe) => {
    const scope = globalThis as unknown as { axe?: { run(context: unknown, options: unknown): Promise<AxeResult> } };
    if (scope.axe === undefined) new Function(axe)();
    const { violations } = (await scope.axe?.run(body.ownerDocument, { resultTypes: ['violations'] })) ?? {
      violations: [],
    };
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.slice(0, 3).map(node => `${id}: ${help}: ${JSON.stringify(node.target)} ${node.failureSummary ?? ''}`),
    );
  }, source);
}
