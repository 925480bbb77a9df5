// Stack and memory at any step of a replay: a run up to it records those of the steps around, so that stepping is at once.
import { LRUCache } from 'lru-cache';
import { HexLensError } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import { localizable } from '../../base/localize.ts';
import type { ReplayInput } from './replay/replayTransaction.ts';
import type { StepState } from './replay/traceRecorder.ts';

const loadEvm = lazy(() => import('./replay/replayTransaction.ts'));

/** Steps that one run records. */
const WINDOW_STEPS = 512;
/** Each may hold `WINDOW_STEPS` copies of memory. */
const MAX_WINDOWS = 16;

export class StepStates {
  /** What is run again. */
  readonly input: ReplayInput;
  /** By the number of the window. */
  readonly #windows = new LRUCache<number, readonly StepState[]>({ max: MAX_WINDOWS });

  constructor(input: ReplayInput) {
    this.input = input;
  }

  /** Before the step. Rejects with `bad-input` for one that the transaction does not have. */
  async at(step: number, signal: AbortSignal | undefined): Promise<StepState> {
    const index = Math.floor(step / WINDOW_STEPS);
    const from = index * WINDOW_STEPS;
    let window = this.#windows.get(index);
    if (window === undefined) {
      const { replayStates } = await loadEvm();
      window = await replayStates(this.input, from, from + WINDOW_STEPS, signal);
      this.#windows.set(index, window);
    }
    const state = window[step - from];
    if (state === undefined) throw new HexLensError('bad-input', localizable('The transaction has no step {0}.', step));
    return state;
  }
}
