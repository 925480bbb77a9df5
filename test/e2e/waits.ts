// Waiting for states: an action that VS Code may drop while it is busy is repeated until its effect is there.
import { STATE_LIMIT_MS } from '../support/timeLimits.ts';

const firstPatienceMs = 2_500;
/** For what may come late: to act once more would meet it. */
export const LONG_PATIENCE_MS = 4 * firstPatienceMs;
const lookIntervalMs = 100;

/**
 * Acts, and waits for the state that shows the effect; acts once more, with twice the patience, when it does not come.
 * `state` rejects when the time it is given has passed.
 */
export async function actUntil<T>(
  act: () => Promise<unknown>,
  state: (timeout: number) => Promise<T>,
  initialPatience = firstPatienceMs,
): Promise<T> {
  const end = performance.now() + STATE_LIMIT_MS;
  for (let patience = initialPatience; ; patience *= 2) {
    try {
      await act();
      return await state(Math.min(patience, Math.max(end - performance.now(), firstPatienceMs)));
    } catch (error) {
      if (performance.now() >= end) throw error;
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
    await new Promise(resolve => setTimeout(resolve, lookIntervalMs));
  }
}
