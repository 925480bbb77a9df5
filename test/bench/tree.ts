// How long the Addresses view takes to its first row with 5,000 saved entries: in a real workbench, from click to paint.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openEditor, vsixUnderTest } from '../e2e/harness.ts';
import { type Bench, median } from './measure.ts';

const ENTRIES = 5_000;
const RUNS = 5;

/** A committed book: half of the entries at the top, half in folders, as it would be read by a team. */
function book(): string {
  const addresses = Array.from({ length: ENTRIES }, (_, at) => ({
    address: `0x${(at + 0x100000).toString(16).padStart(40, '0')}`,
    name: `Account ${at}`,
    kind: at % 3 === 0 ? 'contract' : 'wallet',
    ...(at % 2 === 0 && { folder: `Team ${at % 40}` }),
    tags: [`tag${at % 9}`],
  }));
  return JSON.stringify({ version: 1, addresses }, null, 2);
}

/** Milliseconds from `act`'s first event in the page to the frame in which a row with that text is painted. */
async function toPaint(page: Page, text: string, act: () => Promise<unknown>): Promise<number> {
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

/** One window of its own, so that nothing of ours is loaded and nothing of the book is read. */
async function firstLook(workspace: string): Promise<number> {
  const editor = await openEditor({ extension: { vsix: vsixUnderTest() }, workspace });
  const { page } = editor;
  try {
    const icon = page.locator('.activitybar a[aria-label^="HexLens"]').first();
    await icon.waitFor({ timeout: 60_000 });
    await page.locator('.statusbar-item').filter({ hasText: /local/ }).first().waitFor({ timeout: 60_000 });
    return await toPaint(page, 'Account 1', () => icon.click());
  } catch (error) {
    await editor.screenshot('bench-tree-failed');
    throw error;
  } finally {
    await editor.close();
  }
}

export async function runTreeBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-tree-'));
  try {
    await mkdir(join(folder, '.hexlens'));
    await writeFile(join(folder, '.hexlens/addresses.json'), book());
    const looks: number[] = [];
    for (let run = 0; run < RUNS; run++) looks.push(await firstLook(folder));
    return {
      title: `Addresses view with ${ENTRIES} entries (real workbench, click to paint, ${RUNS} windows)`,
      rows: [
        {
          what: 'first look, median: load, read the book, paint',
          value: median(looks),
          unit: 'ms',
          target: { most: 200 },
        },
        { what: 'first look, best', value: Math.min(...looks), unit: 'ms' },
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
