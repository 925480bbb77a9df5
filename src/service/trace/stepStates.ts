// Stack and memory at any step of a replay: a run up to it records those of the steps around, so that stepping is at once.
import { HexLensError } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import { localizable } from '../../base/localize.ts';
import type { ReplayInput, replayStates } from './replay/replayTransaction.ts';
import type { StepState } from './replay/traceRecorder.ts';

const loadEvm = lazy(() => import('./replay/replayTransaction.ts'));

/** Steps that one run records at most: fewer where memory is large. */
const WINDOW_STEPS = 8_192;
/** Each may hold `MAX_WINDOW_BYTES` of the recorder. */
const MAX_WINDOWS = 4;

type Window = Awaited<ReturnType<typeof replayStates>>;

export class StepStates {
  /** What is run again. */
  readonly input: ReplayInput;
  /** The one that was used last is first. */
  #windows: readonly Window[] = [];

  constructor(input: ReplayInput) {
    this.input = input;
  }

  /** Before the step. Rejects with `bad-input` for one that the transaction does not have. */
  async at(step: number, signal: AbortSignal | undefined): Promise<StepState> {
    const isInside = ({ from, states }: Window) => from <= step && step < from + states.length;
    const window = this.#windows.find(isInside) ?? (await this.#run(step, signal));
    this.#windows = [window, ...this.#windows.filter(each => each !== window)].slice(0, MAX_WINDOWS);
    const state = window.states[step - window.from];
    if (state === undefined) throw new HexLensError('bad-input', localizable('The transaction has no step {0}.', step));
    return state;
  }

  async #run(step: number, signal: AbortSignal | undefined): Promise<Window> {
    const { replayStates } = await loadEvm();
    const from = Math.floor(step / WINDOW_STEPS) * WINDOW_STEPS;
    return replayStates(this.input, { from, to: from + WINDOW_STEPS, wanted: step }, signal);
  }
}
