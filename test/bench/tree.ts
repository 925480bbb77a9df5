// Time from click to paint of the Addresses view with 5,000 saved entries, in a real workbench.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openEditor } from '../e2e/harness.ts';
import { type BenchResult, median } from './benchResult.ts';

const ENTRIES = 5_000;
/** A few entries: the part of the time that is the editor's own. */
const FEW = 50;
const RUNS = 5;

/** A committed address book: half of the entries at the top level, half in folders. */
function createBook(count: number): string {
  const addresses = Array.from({ length: count }, (_, at) => ({
    address: `0x${(at + 0x100000).toString(16).padStart(40, '0')}`,
    name: `Account ${at}`,
    kind: at % 3 === 0 ? 'contract' : 'wallet',
    ...(at % 2 === 0 && { folder: `Team ${at % 40}` }),
    tags: [`tag${at % 9}`],
  }));
  return JSON.stringify({ version: 1, addresses }, null, 2);
}

/** Milliseconds from `act`'s first event in the page until the frame with a row with that text is painted. */
async function measureUntilPainted(page: Page, text: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(wanted => {
    const state = { start: 0, end: 0 };
    Object.assign(globalThis, { hexlensPaint: state });
    const start = () => {
      if (state.start === 0) state.start = performance.now();
    };
    addEventListener('mousedown', start, { capture: true, once: true });
    addEventListener('keydown', start, { capture: true, once: true });
    const look = () => {
      const there = [...document.querySelectorAll('.sidebar .monaco-list-row')].some(row =>
        (row.textContent ?? '').includes(wanted),
      );
      if (state.start > 0 && there) requestAnimationFrame(() => (state.end = performance.now()));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, text);
  await act();
  await page.waitForFunction(() => (globalThis as unknown as { hexlensPaint: { end: number } }).hexlensPaint.end > 0);
  return page.evaluate(() => {
    const { start, end } = (globalThis as unknown as { hexlensPaint: { start: number; end: number } }).hexlensPaint;
    return end - start;
  });
}

/** In a new window, so that neither our code nor the book is loaded. */
async function measureFirstOpening(workspace: string): Promise<number> {
  const editor = await openEditor({ workspace });
  const { page } = editor;
  try {
    const icon = page.locator('.activitybar a[aria-label^="HexLens"]').first();
    await icon.waitFor({ timeout: 60_000 });
    await page.locator('.statusbar-item').filter({ hasText: /local/i }).first().waitFor({ timeout: 60_000 });
    return await measureUntilPainted(page, 'Account 1', () => icon.click());
  } catch (error) {
    await editor.screenshot('bench-tree-failed');
    throw error;
  } finally {
    await editor.close();
  }
}

export async function runTreeBench(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-tree-'));
  const workspaceOf = async (count: number) => {
    const workspace = join(folder, String(count));
    await mkdir(join(workspace, '.hexlens'), { recursive: true });
    await writeFile(join(workspace, '.hexlens/addresses.json'), createBook(count));
    return workspace;
  };
  try {
    const [many, few] = [await workspaceOf(ENTRIES), await workspaceOf(FEW)];
    const looks: { many: number; few: number }[] = [];
    for (let run = 0; run < RUNS; run++)
      looks.push({ many: await measureFirstOpening(many), few: await measureFirstOpening(few) });
    const [all, small] = [looks.map(look => look.many), looks.map(look => look.few)];
    return {
      title: `Addresses view (real workbench, click to paint, ${RUNS} windows each, in turn)`,
      rows: [
        { what: `first opening with ${ENTRIES} entries, median`, value: median(all), unit: 'ms', target: { max: 200 } },
        { what: `first opening with ${ENTRIES} entries, best`, value: Math.min(...all), unit: 'ms' },
        { what: `first opening with ${FEW} entries, median: the editor's own part`, value: median(small), unit: 'ms' },
        { what: `first opening with ${FEW} entries, best`, value: Math.min(...small), unit: 'ms' },
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
