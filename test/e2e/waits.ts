// Waiting for states: an action that VS Code may drop while it is busy is repeated until its effect is there.
import { errors, type Locator, type Page } from 'playwright-core';
import { STATE_LIMIT_MS } from '../support/timeLimits.ts';

const firstPatienceMs = 2_500;
/** For what may come late: to act once more would meet it. */
export const LONG_PATIENCE_MS = 4 * firstPatienceMs;
const lookIntervalMs = 100;
const pause = () => new Promise(resolve => setTimeout(resolve, lookIntervalMs));

/**
 * Acts, and waits for the state that shows the effect; acts once more, with twice the patience, when it does not come.
 * `state` rejects when the time it is given has passed. What fails at once is repeated with the same patience.
 */
export async function actUntil<T>(
  act: () => Promise<unknown>,
  state: (timeout: number) => Promise<T>,
  initialPatience = firstPatienceMs,
): Promise<T> {
  const end = performance.now() + STATE_LIMIT_MS;
  for (let patience = initialPatience; ; ) {
    let waitsSince = Number.POSITIVE_INFINITY;
    try {
      await act();
      waitsSince = performance.now();
      return await state(Math.min(patience, Math.max(end - waitsSince, firstPatienceMs)));
    } catch (error) {
      if (performance.now() >= end) throw error;
      // Else a few failures in a row would leave the next wait all of the time that is left.
      if (performance.now() - waitsSince > patience / 2) patience *= 2;
      else await pause();
    }
  }
}

/** Reads a value until it is the wanted one; fails with the last value. */
export async function readUntil<T>(
  read: () => Promise<T> | T,
  isWanted: (value: T) => boolean,
  wanted: string,
  timeout = STATE_LIMIT_MS,
): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    if (performance.now() >= end) throw new Error(`Waited for ${wanted}. The last value: ${JSON.stringify(value)}`);
    await pause();
  }
}

/** Below it Playwright looks every 100 ms, above it every 500 ms for a state that comes late. */
const OFTEN_UNTIL_MS = 2_400;
let looksOften = false;

/** From now on `waitFor` of all locators of this process notices a state soon after it is there. */
export function lookOften(page: Page): void {
  if (looksOften) return;
  looksOften = true;
  const prototype = Object.getPrototypeOf(page.locator('html')) as Locator;
  const { waitFor } = prototype;
  prototype.waitFor = async function (this: Locator, options = {}) {
    const limit = options.timeout ?? STATE_LIMIT_MS;
    const end = performance.now() + limit;
    for (;;) {
      const left = end - performance.now();
      try {
        return await waitFor.call(this, { ...options, timeout: Math.max(1, Math.min(OFTEN_UNTIL_MS, left)) });
      } catch (error) {
        if (!(error instanceof errors.TimeoutError)) throw error;
        error.message = error.message.replace(/[\d.]+ms/, `${limit}ms`);
        if (left <= OFTEN_UNTIL_MS) throw error;
      }
    }
  };
}
