// The inspector's page in a real Chromium: first rows, scroll, filter, size, memory; against a plain table and a popular grid.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../editor/workbench.ts';
import { type BenchResult, median } from './benchResult.ts';
import { INSPECTOR_BUNDLE, LOGS, openInspectorPage, TRANSACTIONS } from './inspectorPage.ts';
import {
  countMissedFrames,
  getPeerFolder,
  JUMPS,
  measurePeer,
  measureWork,
  PEER,
  recordEmptyFrames,
  recordJumps,
  recordPlainFrames,
} from './inspectorPeer.ts';

const charts = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/webview/uPlot.js');
const NAVIGATIONS = 50;
const RUNS = 5;

async function openPage(page: Page, url: string): Promise<{ readonly first: number; readonly all: number }> {
  await page.goto(url);
  return page.evaluate(async () => {
    const scope = globalThis as unknown as { askedAt?: number };
    const deep = (node: ParentNode, selector: string): Element | null => {
      const here = node.querySelector(selector);
      if (here !== null) return here;
      for (const element of node.querySelectorAll('*')) {
        const inside = element.shadowRoot === null ? null : deep(element.shadowRoot, selector);
        if (inside !== null) return inside;
      }
      return null;
    };
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
    while (deep(document, '[role=gridcell]') === null) await frame();
    await frame();
    const first = performance.now() - (scope.askedAt ?? 0);
    while (!deep(document, '.counts')?.textContent?.startsWith('1,500 rows')) await frame();
    return { first, all: performance.now() - (scope.askedAt ?? 0) };
  });
}

/** Opens the logs, waits, types into the filter. Returns milliseconds of idle frames, and of each keystroke until the rows are painted. */
function useLogs(page: Page): Promise<{ readonly idle: number[]; readonly keys: number[] }> {
  return page.evaluate(async () => {
    const all = (node: ParentNode, selector: string): Element[] => [
      ...node.querySelectorAll(selector),
      ...[...node.querySelectorAll('*')].flatMap(element =>
        element.shadowRoot === null ? [] : all(element.shadowRoot, selector),
      ),
    ];
    const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve));
    (all(document, '[data-tab=logs]')[0] as HTMLElement).click();
    while (!all(document, '.counts')[0]?.textContent?.startsWith('10,000 rows')) await frame();
    await frame();
    await frame();
    const idle: number[] = [];
    let last = await frame();
    for (let turn = 0; turn < 90; turn++) {
      const now = await frame();
      idle.push(now - last);
      last = now;
    }
    const input = all(document, '.search input')[0] as HTMLInputElement;
    const keys: number[] = [];
    for (const text of ['t', 'tr', 'tra', 'tran', 'log', 'log>', 'log>5', 'log>50', 'log>500', '']) {
      const started = performance.now();
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await frame();
      await new Promise(resolve => setTimeout(resolve));
      while (all(document, '[aria-busy=true]').length > 0) await frame();
      keys.push(performance.now() - started);
    }
    return { idle, keys };
  });
}

/** Milliseconds from the arrival of the same log rows until they are painted in a plain table. */
function plainTable(page: Page, rows: number): Promise<number> {
  return page.evaluate(async count => {
    const started = performance.now();
    const table = document.createElement('table');
    for (let index = 0; index < count; index++) {
      const row = table.insertRow();
      for (let column = 0; column < 8; column++)
        row.insertCell().textContent = `0x${(index * 8 + column).toString(16).padStart(14, '0')}`;
    }
    document.body.append(table);
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const time = performance.now() - started;
    table.remove();
    return time;
  }, rows);
}

/** Megabytes after garbage collection: the least of several times, because rows of the last block may still be read. */
async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const sizes: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    sizes.push(usedSize / 1e6);
  }
  await session.detach();
  return Math.min(...sizes);
}

export async function runInspectorBench(): Promise<BenchResult> {
  const stage = await openInspectorPage();
  const browser = await launchBrowser(undefined, []); // as users have it
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
    const firsts: number[] = [];
    const plains: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      firsts.push((await openPage(page, stage.url)).first);
      plains.push(await plainTable(page, LOGS));
    }
    const { all } = await openPage(page, stage.url);
    const { idle, keys } = await useLogs(page);
    const ours = await measureWork(page, () => recordJumps(page, '[role=grid]'));
    const frames = [...ours.result];
    const empty: number[] = [];
    const table = await recordPlainFrames(browser, LOGS);
    for (let run = 0; run < RUNS; run++) {
      empty.push(...(await recordEmptyFrames(browser)));
      await page.bringToFront();
      frames.push(...(await recordJumps(page, '[role=grid]')));
    }
    const share = (times: readonly number[]) => (100 * countMissedFrames(times)) / times.length;
    const dist = getPeerFolder();
    const peer = dist === null ? null : await measurePeer(browser, dist, LOGS);
    const late = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
    const navigate = async (times: number) => {
      for (let turn = 0; turn < times; turn++) {
        await page.evaluate(async () => {
          (globalThis as unknown as { navigateAgain(): void }).navigateAgain();
          await new Promise(resolve => setTimeout(resolve, 0));
          await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        });
      }
    };
    // The first navigations fill caches; after them memory may not grow.
    await navigate(5);
    const before = await heap(page);
    await navigate(NAVIGATIONS);
    const after = await heap(page);
    return {
      title: `Inspector (${TRANSACTIONS} transactions, ${LOGS} logs, in Chromium)`,
      rows: [
        {
          what: 'page bundle with the chart library, loaded lazily',
          value: (statSync(INSPECTOR_BUNDLE).size + statSync(charts).size) / 1000,
          unit: 'kB',
        },
        { what: 'page bundle', value: statSync(INSPECTOR_BUNDLE).size / 1000, unit: 'kB', target: { max: 180 } },
        { what: 'request to first rows painted, median', value: median(firsts), unit: 'ms', target: { max: 150 } },
        {
          what: '... against a plain table of the logs',
          value: median(firsts) / median(plains),
          unit: 'x',
          target: { max: 1 },
        },
        { what: 'request to all rows received', value: all, unit: 'ms' },
        { what: 'scroll frame over 10,000 rows, median', value: median(frames), unit: 'ms', target: { max: 20 } },
        {
          what: 'scroll frame, 95th of 100',
          value: late(frames),
          unit: 'ms',
          target: { max: 34 },
        },
        { what: '... of an idle page', value: late(idle), unit: 'ms' },
        {
          what: 'scroll, frames missed of 100',
          value: share(frames),
          unit: '',
          target: { max: Math.ceil(share(empty)) + 2 },
        },
        { what: '... of an empty page', value: share(empty), unit: '' },
        { what: '... of a plain table of 10,000 rows', value: share(table), unit: '' },
        {
          what: 'scroll frame, average CPU time of the page',
          value: ours.ms / JUMPS,
          unit: 'ms',
          target: { max: 16 },
        },
        ...(peer === null
          ? []
          : [
              {
                what: `... against ${PEER}`,
                value: ours.ms / JUMPS / peer.jump,
                unit: 'x',
                target: { max: 1 },
              },
              {
                what: `first rows against ${PEER}`,
                value: median(firsts) / peer.first,
                unit: 'x',
                target: { max: 1 },
              },
            ]),
        { what: 'filter keystroke at 10,000 rows, worst', value: Math.max(...keys), unit: 'ms', target: { max: 50 } },
        { what: 'filter keystroke, median', value: median(keys), unit: 'ms' },
        {
          what: `heap after ${NAVIGATIONS} more navigations, against before`,
          value: after / before,
          unit: 'x',
          target: { max: 1.3 },
        },
      ],
    };
  } finally {
    await browser.close();
    stage.close();
  }
}
