// Tests wait for states and not for time: every timer in tests is listed here with its reason.
import { describe, expect, test } from 'vitest';
import { readFiles } from '../../scripts/findFiles.ts';
import { type AllowedTimers, findTimerProblems, findTimers } from './waits.ts';

/** Waits for a state: the timer is the interval between two looks at it. */
const POLLS = 'The interval between two looks at a state that gives no signal when it is reached.';
/** Ends what hangs; a run in which nothing hangs never reaches it. */
const LIMITS = 'The limit after which a process that hangs is reported or ended.';
/** CPU time is measured over a time in which nothing should happen. */
const MEASURED = 'The time over which the CPU time of the extension host is measured.';
const ENDLESS = 'Prevents the end of a child process, which is killed.';
/** No result depends on the length of the wait, which differs from kill to kill. */
const KILLS = 'A process is killed at any moment of its work, and all of them must do.';

const allowed: Readonly<Record<string, AllowedTimers>> = {
  'test/e2e/waits.ts': { lines: 1, reason: POLLS },
  'test/editor/codeCommand.ts': { lines: 1, reason: LIMITS },
  'test/editor/desktopEditor.ts': { lines: 1, reason: POLLS },
  'test/editor/editorServer.ts': { lines: 1, reason: LIMITS },
  'test/editor/moduleStubs.ts': { lines: 1, reason: POLLS },
  'test/editor/processes.ts': { lines: 2, reason: `${LIMITS} And: ${POLLS}` },
  'test/editor/suite/largeDocument.suite.ts': { lines: 3, reason: MEASURED },
  'test/editor/suite/mainThread.suite.ts': { lines: 1, reason: MEASURED },
  'test/editor/suite/siweActions.ts': { lines: 1, reason: POLLS },
  'test/editor/suite/threadMonitor.ts': { lines: 1, reason: 'The interval between two samples of the CPU time.' },
  'test/service/headLatency.test.ts': { lines: 3, reason: `Sleeps on a simulated clock. And: ${POLLS}` },
  'test/service/indexerKill.test.ts': { lines: 1, reason: KILLS },
  'test/support/indexingProcess.ts': { lines: 1, reason: KILLS },
  'test/service/walletTransactions.test.ts': { lines: 1, reason: 'Shortens a wait of the service itself.' },
  'test/soak.ts': { lines: 1, reason: 'Shortens the waits of the service itself.' },
  'test/store/aptos/aptosStore.test.ts': { lines: 1, reason: KILLS },
  'test/store/sqlite/killedProcess.test.ts': { lines: 1, reason: KILLS },
  'test/store/sqlite/sharedFolder.test.ts': { lines: 1, reason: ENDLESS },
  'test/store/sqlite/storeChild.ts': { lines: 1, reason: ENDLESS },
  'test/support/chain/ownedProcess.ts': { lines: 1, reason: LIMITS },
  'test/support/fakeClock.ts': { lines: 1, reason: 'Shortens the waits of the service itself.' },
  'test/support/readUntil.ts': { lines: 1, reason: POLLS },
  'test/unit/base/clock.test.ts': { lines: 4, reason: 'Tests the sleep of the system clock itself.' },
  'test/unit/client/undiciHttpFailures.test.ts': { lines: 1, reason: 'A host that responds byte by byte.' },
  'test/unit/worker/worker.test.ts': { lines: 1, reason: 'A worker that throws outside of any request.' },
};

describe('the project', () => {
  // Benchmarks measure time, and are no tests.
  const files = readFiles('test/**/*.{ts,mjs,cjs}', ['**/fixtures/**', 'test/bench/**', 'test/guard/waits*']);

  test('has no timer in tests that is not listed with its reason', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(findTimerProblems(files, allowed)).toEqual([]);
  });

  test('gives a reason for each timer', () => {
    for (const { reason } of Object.values(allowed)) expect(reason).toMatch(/^\S.{10,}\.$/);
  });
});

describe('findTimers', () => {
  test.each([
    'await new Promise(resolve => setTimeout(resolve, 20));',
    'const timer = setInterval(look, 5);',
    'await page.waitForTimeout(100);',
    'await systemClock.sleep(50);',
    "import { setTimeout as after } from 'node:timers/promises';",
    "spawn('sh', ['-c', 'sleep 1']);",
  ])('finds %s', text => {
    expect(findTimers(`const a = 1;\n${text}\n`)).toEqual([2]);
  });

  test.each([
    'clearTimeout(timer);',
    'const clock = { now: () => now, sleep: async () => {} };',
    "import { setImmediate } from 'node:timers/promises';",
    'await page.locator(row).waitFor({ timeout: budget });',
  ])('finds nothing in %s', text => {
    expect(findTimers(text)).toEqual([]);
  });
});

describe('findTimerProblems', () => {
  const file = { path: 'test/a.ts', text: 'setTimeout(f, 1);\n' };
  const listed = { 'test/a.ts': { lines: 1, reason: 'x' } };

  test('accepts what is listed', () => {
    expect(findTimerProblems([file], listed)).toEqual([]);
  });

  test('refuses a timer too many, a timer too few and a file that is gone', () => {
    expect(findTimerProblems([{ ...file, text: file.text.repeat(2) }], listed)[0]).toMatch(/lines 1, 2, 1 allowed/);
    expect(findTimerProblems([{ ...file, text: '' }], listed)[0]).toMatch(/has 0 timers, 1 allowed/);
    expect(findTimerProblems([], listed)).toEqual(['test/a.ts does not exist: correct the list.']);
  });
});
