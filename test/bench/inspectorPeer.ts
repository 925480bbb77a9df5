// Scroll performance of a page: CPU time and missed frames; the same for a popular grid with as many rows.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { median } from './benchResult.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COLUMNS = 8;
const RUNS = 5;
export const PEER = 'tabulator-tables@6.3.1';
export const JUMPS = 90;
const TICK_MS = 1_000 / 60;

/** CPU time of the page's main thread meanwhile, in milliseconds: other programs do not count. */
export async function measureWork<T>(
  page: Page,
  act: () => Promise<T>,
): Promise<{ readonly ms: number; readonly result: T }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  const before = await spent();
  const result = await act();
  const ms = (await spent()) - before;
  await session.detach();
  return { ms, result };
}

/** Frames that were late: a headless Chromium ticks every 16.7 ms, and a missed frame comes one tick later. */
export const countMissedFrames = (frames: readonly number[]): number =>
  frames.reduce((sum, time) => sum + Math.max(0, Math.round(time / TICK_MS) - 1), 0);

/** Frames of an empty page that scrolls: how many this machine misses anyway. */
export async function recordEmptyFrames(browser: Browser): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  await page.setContent(
    '<!doctype html><title>empty</title><div id="scroll" style="height:600px;overflow:auto"><div style="height:260000px"></div></div>',
  );
  const frames = await recordJumps(page, '#scroll');
  await page.close();
  return frames;
}

/** Frames of the same jumps in a plain table that has all rows in the document. */
export async function recordPlainFrames(browser: Browser, rows: number): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  await page.setContent(
    '<!doctype html><title>plain</title><div id="scroll" style="height:600px;overflow:auto"><table></table></div>',
  );
  await page.evaluate(count => {
    const table = document.querySelector('table');
    for (let at = 0; at < count; at++) {
      const row = table?.insertRow();
      for (let column = 0; column < 8; column++)
        if (row !== undefined) row.insertCell().textContent = `0x${(at * 8 + column).toString(16).padStart(14, '0')}`;
    }
  }, rows);
  const frames = await recordJumps(page, '#scroll');
  await page.close();
  return frames;
}

/** Scrolls to random positions of a list, one per frame. `selector` is the scroller, also within shadow roots. */
export function recordJumps(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(
    async ([wanted, jumps]) => {
      const find = (node: ParentNode): Element | null => {
        for (const element of node.querySelectorAll('*')) {
          if (element.matches(wanted)) return element;
          const inside = element.shadowRoot === null ? null : find(element.shadowRoot);
          if (inside !== null) return inside;
        }
        return null;
      };
      const scroller = find(document);
      if (scroller === null) throw new Error(`${wanted} was not found.`);
      const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve));
      const frames: number[] = [];
      await frame();
      let last = await frame();
      for (let jump = 0; jump < jumps; jump++) {
        scroller.scrollTop = ((jump * 37) % jumps) * (scroller.scrollHeight / jumps);
        const now = await frame();
        frames.push(now - last);
        last = now;
      }
      return frames;
    },
    [selector, JUMPS] as const,
  );
}

/** Milliseconds until a popular grid shows the cells of our logs as texts. */
function popularGrid(page: Page, cells: readonly string[][]): Promise<number> {
  return page.evaluate(async rows => {
    type Grid = new (place: Element, options: unknown) => { on(event: string, then: () => void): void };
    const { Tabulator } = globalThis as unknown as { Tabulator: Grid };
    const started = performance.now();
    const place = document.createElement('div');
    document.body.append(place);
    const grid = new Tabulator(place, {
      height: 600,
      data: rows.map(row => Object.fromEntries(row.map((text, at) => [`c${at}`, text]))),
      columns: (rows[0] ?? []).map((_, at) => ({ title: `Column ${at}`, field: `c${at}`, width: 140 })),
    });
    await new Promise<void>(resolve => grid.on('tableBuilt', resolve));
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return performance.now() - started;
  }, cells);
}

/** Folder of the grid, installed once into out/; `null` without a registry. */
export function getPeerFolder(): string | null {
  const folder = join(root, 'out/bench/grid');
  const dist = join(folder, 'node_modules/tabulator-tables/dist');
  if (existsSync(dist)) return dist;
  const flags = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  spawnSync('npm', [...flags, PEER], { encoding: 'utf8' });
  return existsSync(dist) ? dist : null;
}

/** Measures the grid with the same number of rows and columns. */
export async function measurePeer(
  browser: Browser,
  dist: string,
  rows: number,
): Promise<{ readonly first: number; readonly jump: number }> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  await page.setContent('<!doctype html><html lang="en"><head><title>peer</title></head><body></body></html>');
  await page.addStyleTag({ path: join(dist, 'css/tabulator.min.css') });
  await page.addScriptTag({ path: join(dist, 'js/tabulator.min.js') });
  const cells = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: COLUMNS }, (__, column) => `0x${(row * COLUMNS + column).toString(16).padStart(14, '0')}`),
  );
  const firsts: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await page.evaluate(() => document.body.replaceChildren());
    firsts.push(await popularGrid(page, cells));
  }
  const { ms } = await measureWork(page, () => recordJumps(page, '.tabulator-tableholder'));
  await page.close();
  return { first: median(firsts), jump: ms / JUMPS };
}
